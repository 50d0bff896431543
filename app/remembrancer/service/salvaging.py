"""How a damaged store is mended: nothing is deleted, and the person is told what came back.

The damaged files are copied, and the copy is mended: by making its indexes anew where that is
enough, else by writing every row that can be read into a new store. Only when that one is whole are
the damaged files moved into a folder of their own, together, and the new one takes their place.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from remembrancer import places
from remembrancer.core.errors import NotAStore, StoreDamaged, StoreFull, StoreProblem
from remembrancer.store import comparing, faults, looking, salvage
from remembrancer.store.holding import Hold
from remembrancer.store.looking import SIDES, unfinished
from remembrancer.store.salvage import Kept, Salvaged
from remembrancer.store.store import Store

Told = Callable[[str, int], object]
REPORT, ASIDE = "report.json", "put-aside.jsonl"
_COPY, _FRESH = "damaged.db", "mended.db"
_PAGE = 500  # memories of one short transaction
_ROOM = 3  # times the store's size that the work needs on the disk


@dataclass
class Mended:
    """What mending did. `how` is `sound` (nothing to do), `indexes` or `rows`.

    `kept` is the folder of the damaged files; `missing` are rows that only the backup has, `taken`
    those of them that were taken in; `left` is what could not be put right.
    """

    store: str
    how: str = "sound"
    kept: str | None = None
    damage: list[str] = field(default_factory=list[str])
    tables: list[Kept] = field(default_factory=list[Kept])
    from_journal: int = 0
    stand_ins: int = 0
    changed: list[int] = field(default_factory=list[int])
    put_aside: int = 0
    backup: str | None = None
    missing: dict[str, int] = field(default_factory=dict[str, int])
    taken: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def found(self) -> int:
        """Rows that are in the mended store."""
        return sum(kept.found for kept in self.tables)

    @property
    def lost(self) -> int:
        """Rows known to have been there that could not be read."""
        return sum(kept.lost for kept in self.tables)


def mend(
    store: Path,
    backups: Path | None = None,
    *,
    take_missing: bool = False,
    told: Told = lambda step, count: None,
) -> Mended:
    """Mend the store at `store`; what is sound is left as it is.

    `backups` is the folder of its backups, the newest sound one of which is compared with what came
    back; with `take_missing` what only the backup has is taken in, of a store mended before, too.
    `told` hears (step, rows), which is a table's name where its rows are written.
    Raises StoreBusy while any program has the store open, StoreFull where there is no room, and
    StoreProblem for what is no store; then nothing was changed.
    """
    store = store.resolve()
    hold = Hold(store, alone=True)
    try:
        with faults.named(store):
            if unfinished(store).exists():
                report = _finish(store)
            else:
                report = _mended(store, backups or store.parent / "backups", take_missing, told)
        hold.write(state="", file="")
        return report
    finally:
        hold.release()


def damage_of(store: Path) -> list[str]:
    """What is wrong with the file as it lies there, in SQLite's words; nothing is changed."""
    store = store.resolve()
    try:
        looking.look(store)
        with faults.named(store):
            return looking.faults_of(store)
    except StoreDamaged as problem:
        return [str(problem)]


def _mended(store: Path, backups: Path, take_missing: bool, told: Told) -> Mended:
    report = Mended(str(store), damage=_damage(store))
    work = _work_folder(store)
    if not report.damage:
        told("copying", 0)
        _copy_set(store, work / _COPY)
        report.damage = salvage.wrong_with(work / _COPY)
    if not report.damage:
        _remove(work)
        if take_missing:
            _compare(store, store, backups, take_missing, report)
        return report
    _see_that_there_is_room(store)
    told("copying", 0)
    _copy_set(store, work / _COPY)
    result = _fresh(work, told, report)
    _compare(work / _FRESH, store, backups, take_missing, report)
    if report.how == "rows":
        _index(work / _FRESH, told)
    left = salvage.wrong_with(work / _FRESH)
    if left:
        raise StoreProblem(f"{store} could not be mended ({left[0]}); nothing was changed.")
    _write_aside(work, result, report)
    return _put_in_place(store, report)


def _damage(store: Path) -> list[str]:
    """What is wrong; raises NotAStore for what never was one."""
    if not store.exists():
        raise NotAStore(f"There is no store at {store}.", code="no_file")
    try:
        looking.look(store)
    except StoreDamaged as problem:
        return [str(problem)]
    return looking.faults_of(store)


def _fresh(work: Path, told: Told, report: Mended) -> Salvaged:
    """The mended store in the folder of the work."""
    told("indexes", 0)
    if salvage.mend_lightly(work / _COPY):
        report.how = "indexes"
        os.replace(work / _COPY, work / _FRESH)
        return Salvaged()
    report.how = "rows"
    result = salvage.salvage(work / _COPY, work / _FRESH, told)
    report.tables, report.changed = result.tables, result.changed
    report.from_journal, report.stand_ins = result.from_journal, result.stand_ins
    return result


def _compare(fresh: Path, store: Path, backups: Path, take: bool, report: Mended) -> None:
    from remembrancer.service.backups_folder import BackupFolder

    files = [b.path for b in BackupFolder(backups, store).all() if not b.is_text]
    newest = next((path for path in files if comparing.same_history(fresh, path)), None)
    if newest is None:
        return
    report.backup = str(newest)
    report.missing = comparing.missing(fresh, newest)
    if take and report.missing:
        report.taken = comparing.take_in(fresh, newest)


def _index(fresh: Path, told: Told) -> None:
    """Make the table of words anew, out of what the index holds of each memory."""
    store = Store(fresh)
    try:
        last = 0
        while ids := store.index_texts.ids_after(last, _PAGE):
            texts = [store.index_texts.of(memory_id) for memory_id in ids]
            store.write(partial(store.words.learn, texts))
            last = ids[-1]
            told("index", last)
    finally:
        store.close()


def _write_aside(work: Path, result: Salvaged, report: Mended) -> None:
    """Keep the rows that found no place, one a line, for whoever wants to look into them."""
    report.put_aside = len(result.aside)
    if not result.aside:
        return
    with _private(work / ASIDE) as file:
        for table, values, why in result.aside:
            line = {"table": table, "why": why, "row": values}
            file.write(json.dumps(line, ensure_ascii=False, default=_plain) + "\n")


def _plain(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


# --- the files


def _work_folder(store: Path) -> Path:
    """A folder beside the store for the work; what an attempt that was broken off left goes."""
    work = Path(f"{store}-salvage")
    _remove(work)
    work.mkdir(mode=0o700)
    return work


def _remove(work: Path) -> None:
    if work.is_dir():
        shutil.rmtree(work)


def _copy_set(store: Path, copy: Path) -> None:
    """Copy the file and its log; nobody has them open."""
    for end in ("", "-wal", "-journal"):
        if Path(f"{store}{end}").exists():
            shutil.copyfile(f"{store}{end}", f"{copy}{end}")


def _see_that_there_is_room(store: Path) -> None:
    needed = _ROOM * store.stat().st_size
    if shutil.disk_usage(store.parent).free < needed:
        raise StoreFull(
            f"Mending {store} needs {needed // 1_000_000 + 1} MB of room on its disk; make room, "
            "then try again. Nothing was changed.", code="full", path=str(store),
        )  # fmt: skip


def _put_in_place(store: Path, report: Mended) -> Mended:
    """Note what is to be done, so that being broken off does no harm; then do it."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    kept, number = store.with_name(f"{store.stem}-damaged-{stamp}"), 1
    while kept.exists():
        number += 1
        kept = store.with_name(f"{store.stem}-damaged-{stamp}-{number}")
    report.kept = str(kept)
    draft = Path(f"{store}-salvage") / REPORT
    with _private(draft) as file:
        json.dump(asdict(report), file, ensure_ascii=False, indent=2)
    os.replace(draft, unfinished(store))
    places.sync_folder(store.parent)
    return _finish(store)


def _finish(store: Path) -> Mended:
    """Move the damaged files away together, put the mended one there; done again does no harm."""
    note = unfinished(store)
    told: dict[str, Any] = json.loads(note.read_text(encoding="utf-8"))
    told["tables"] = [Kept(**each) for each in told["tables"]]
    report = Mended(**told)
    work, kept = Path(f"{store}-salvage"), Path(str(report.kept))
    kept.mkdir(mode=0o700, exist_ok=True)
    if (work / _FRESH).exists():  # else it stands in its place already
        for end in (*SIDES, ""):
            if Path(f"{store}{end}").exists():
                os.replace(f"{store}{end}", kept / f"{store.name}{end}")
        if (work / ASIDE).exists():
            os.replace(work / ASIDE, kept / ASIDE)
        os.replace(work / _FRESH, store)
        places.sync_folder(store.parent)
    os.replace(note, kept / REPORT)
    _remove(work)
    return report


def _private(path: Path) -> Any:
    handle = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    return os.fdopen(handle, "w", encoding="utf-8")
