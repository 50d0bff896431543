"""Forgetting for good in the backups too: each is written anew without the memory.

A backup that held the memory stays a backup of its day, without that memory and its history, and
takes the place of the former file only when it has been checked. Text exports are removed, and one
is written anew. What a restore has put aside beside the store is treated as a backup. A file that
cannot be read is left and named: it may hold the words, and only the person can judge that.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from remembrancer import places
from remembrancer.core import policy
from remembrancer.core.author import Author
from remembrancer.core.errors import StoreProblem
from remembrancer.store import copying, erasing

if TYPE_CHECKING:
    from remembrancer.service.backups import BackupsDesk


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What came of it: backups written anew, text exports removed, files that could not be read."""

    rewritten: int
    texts: int
    left: tuple[Path, ...]


def clean(desk: BackupsDesk, store: Path, memory_id: int, author: Author) -> Cleaned:
    """Take a memory that was forgotten for good out of the backups of a store; the person's deed.

    Raises StoreProblem where a file cannot be written; then the former ones are all there, or
    written anew already.
    """
    policy.person_only(author, "forget a memory in the backups")
    rewritten, left = 0, list[Path]()
    for path in _files(desk, store):
        try:
            look = copying.look(path)
            if desk.is_mine(look) and erasing.holds(path, memory_id):
                _rewrite(path, memory_id)
                rewritten += 1
        except (StoreProblem, OSError):
            left.append(path)
    texts = desk.texts()
    for text in texts:
        text.path.unlink(missing_ok=True)
    if texts:
        desk.write_text()
    return Cleaned(rewritten, len(texts), tuple(left))


def _files(desk: BackupsDesk, store: Path) -> Iterator[Path]:
    yield from (backup.path for backup in desk.all())
    yield from sorted(store.parent.glob(f"{store.stem}-before-*{store.suffix}"))


def _rewrite(path: Path, memory_id: int) -> None:
    part = path.with_name(f".{path.name}.part")
    try:
        _remove(part)
        copying.copy_file(path, part)
        erasing.erase(part, memory_id)
        copying.pack(part)
        copying.sync(part)
        os.replace(part, path)
        places.sync_folder(path.parent)
    finally:
        _remove(part)


def _remove(part: Path) -> None:
    for side in ("", *copying.SIDES):
        Path(f"{part}{side}").unlink(missing_ok=True)
