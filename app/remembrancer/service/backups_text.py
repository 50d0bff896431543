"""The weekly text export beside the backups: everything, in lines that any program can read."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, cast

from remembrancer import formats
from remembrancer.core.clock import DAY
from remembrancer.core.errors import StoreProblem
from remembrancer.service import packing
from remembrancer.service.backups_folder import Backup
from remembrancer.service.desk import Ground
from remembrancer.service.packing import Sent

WEEK = 7 * DAY


def is_due(texts: Sequence[Backup], now: int, backup: Backup | None) -> bool:
    """Whether a week has passed since the last text, and something changed.

    `texts` begin with the newest; `backup` is the newest of the other kind: without one, or with
    none that is newer than the text, nothing did.
    """
    last = next((each.at for each in texts if each.at <= now), None)
    if backup is None or not backup.look or not backup.look.head:
        return False
    return last is None or (now - last >= WEEK and backup.at > last)


def write(ground: Ground, part: Path) -> None:
    """Write everything into the new file `part`, packed, and read its end again."""
    handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
        _put(ground, cast(BinaryIO, packed))
    _check(part)


def _put(ground: Ground, stream: BinaryIO) -> None:
    with ground.store.reading():
        formats.writer("jsonl")(packing.everything(ground, Sent()), stream)


def _check(part: Path) -> None:
    """Raise StoreProblem unless the file can be unpacked and ends with the count of its lines."""
    count, last = 0, b""
    with gzip.open(part, "rb") as lines:
        for line in lines:
            count, last = count + 1, line
    if json.loads(last or b"{}") != {"record": "end", "lines": count}:
        raise StoreProblem("The text export was not written whole; nothing was kept.")
