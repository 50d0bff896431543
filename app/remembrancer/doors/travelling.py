"""`import` and `export`: files in and out."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from remembrancer import places
from remembrancer.doors.opening import opened
from remembrancer.doors.telling import say, say_json

if TYPE_CHECKING:
    from remembrancer.service.transfer import ImportReport

_SHOWN = 200  # oddities that are listed for a person; --json has them all


def bring_in(arguments: Namespace) -> int:
    """Bring a file in, or rehearse it, and explain every oddity with its line."""
    from remembrancer.service.one_path import Secrets

    secrets = Secrets.KEEP if arguments.keep_secrets else Secrets.MASK
    with opened(arguments) as library:
        report = library.transfer.bring_in(
            places.absolute(arguments.file), arguments.format, dry_run=arguments.dry_run,
            secrets=secrets,
        )  # fmt: skip
    if arguments.json:
        say_json(report)
    else:
        _tell(report)
    return 0


def send_out(arguments: Namespace) -> int:
    """Write the store into a file."""
    with opened(arguments) as library:
        sent = library.transfer.send_out(places.absolute(arguments.file), arguments.format)
    if arguments.json:
        say_json(sent)
    else:
        say(f"{sent} are in {places.absolute(arguments.file)}.")
    return 0


def _tell(report: ImportReport) -> None:
    for anomaly in report.anomalies[:_SHOWN]:
        where = f"line {anomaly.line}" if anomaly.line else "file"
        say(f"{where}: {anomaly.text}")
    if len(report.anomalies) > _SHOWN:
        say(f"... and {len(report.anomalies) - _SHOWN:,} more; --json lists them all.")
    say(str(report))
