"""`doctor`: is the store sound, and where it is not, what can be saved of it."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from remembrancer import places
from remembrancer.core.errors import RemembrancerError
from remembrancer.doors.opening import store_of
from remembrancer.doors.telling import counted, say, say_json

if TYPE_CHECKING:
    from remembrancer.service.salvaging import Mended


def doctor(arguments: Namespace) -> int:
    """Examine the store, or mend it; 0 when it is sound."""
    from remembrancer.doors import upkeep

    if arguments.from_backup and not arguments.mend:
        raise RemembrancerError("--from-backup belongs to --mend; say both.")
    return mend(arguments) if arguments.mend else upkeep.doctor(arguments)


def mend(arguments: Namespace) -> int:
    """Save what can be read of a damaged store, and tell what came back and what is kept where."""
    from remembrancer.service import salvaging

    report = salvaging.mend(
        store_of(arguments), places.backup_folder(), take_missing=arguments.from_backup
    )
    if arguments.json:
        say_json(report)
        return 0
    for sentence in sentences(report):
        say(sentence)
    return 0


def sentences(report: Mended) -> list[str]:
    """What mending did, for a person."""
    told = [_how(report)]
    told += [
        f"- {kept.table}: {counted(kept.found, 'row', 'rows')} found, {kept.lost:,} lost"
        + (f", {kept.aside:,} put aside" if kept.aside else "")
        for kept in report.tables
        if kept.found or kept.lost or kept.aside
    ]
    told += _from_elsewhere(report)
    if report.kept:
        told.append(f"The damaged files are kept in {report.kept}")
    return told


def _how(report: Mended) -> str:
    if report.how == "sound":
        return f"{report.store} is sound; nothing had to be mended."
    wrong = f"{report.store} was damaged ({report.damage[0]})."
    if report.how == "indexes":
        return f"{wrong} Its indexes were made anew; no row is lost."
    return f"{wrong} {counted(report.found, 'row was', 'rows were')} written into a new store."


def _from_elsewhere(report: Mended) -> list[str]:
    told: list[str] = []
    if report.from_journal:
        told.append(f"{counted(report.from_journal, 'row', 'rows')} came back from the journal.")
    if report.stand_ins:
        names = counted(report.stand_ins, "entity", "entities")
        told.append(f"{names} lost the name and are called `recovered` and a number.")
    if report.changed:
        told.append(f"These memories are not what was written: {report.changed}.")
    if report.put_aside:
        told.append(f"{counted(report.put_aside, 'row', 'rows')} had no place: put-aside.jsonl.")
    if report.backup and report.taken:
        rows = counted(sum(report.taken.values()), "row", "rows")
        told.append(f"{rows} that only {report.backup} has were taken in.")
    elif report.backup and report.missing:
        rows = counted(sum(report.missing.values()), "row", "rows")
        told.append(
            f"{rows} are only in the backup {report.backup}; "
            "`remembrancer doctor --mend --from-backup` takes them in."
        )
    return told
