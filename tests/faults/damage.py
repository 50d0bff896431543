"""What is saved of a damaged store: pages wiped at many places, and every other sort of damage."""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from faults.row import Row
from notation import WINDOW
from remembrancer.core.memory import Draft
from remembrancer.service import salvaging
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

PAGE = 4096
SHARE = 99.5  # percent of the rows that come back at least
TABLES = ("entity", "relation", "memory", "tag", "journal", "agent", "receipt", "setting")
_WORDS = ("quay", "harbour", "pump", "valve", "mooring", "crane", "ledger", "tide", "signal")


@dataclass(frozen=True)
class Place:
    """One wiped page: the share of all rows that came back, in percent, and of memories."""

    page: int
    rows: float
    memories: float
    sound: bool
    kept: bool


def full_store(path: Path, memories: int) -> Path:
    """A closed store of about that many memories, of every length, with a history."""
    dice = random.Random(memories)
    entities = max(memories // 20, 4)
    with Library.open(path) as library:
        names = [f"entity {n}" for n in range(entities)]
        library.graph.create([NewEntity(name, "thing", ()) for name in names], **WINDOW)
        triples = [Triple(a, b, "knows") for a, b in pairwise(names)]
        library.graph.relate(triples, **WINDOW)
        library.agents.add("robin", **WINDOW)
        for n in range(memories):
            words = (
                f"{dice.choice(_WORDS)}{dice.randrange(300)}" for _ in range(dice.randrange(5, 120))
            )
            draft = Draft(
                f"{n} {' '.join(words)}", dice.choice(names), key=f"k{n}", tags=("a", "b")
            )
            library.memories.remember(draft, **WINDOW)
    return path


def counts(path: Path) -> dict[str, int]:
    """How many rows each table has."""
    with closing(sqlite3.connect(path)) as conn:
        return {t: conn.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in TABLES}


def wipe(path: Path, page: int) -> None:
    """Let a page, counted from 1, be nothing but zeros."""
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(bytes(PAGE))


def same_bytes(path: Path, other: Path) -> bool:
    return path.read_bytes() == other.read_bytes()


def try_place(store: Path, folder: Path, page: int) -> Place:
    """Wipe one page of a copy, mend it, and compare."""
    path = Path(shutil.copy(store, folder / "memories.db"))
    wipe(path, page)
    damaged = Path(shutil.copy(path, folder / "as-it-was"))
    report = salvaging.mend(path)
    before, after = counts(store), counts(path)
    if report.kept is None:  # a page that nothing stands on
        kept = same_bytes(path, damaged)
    else:
        kept = same_bytes(Path(report.kept) / path.name, damaged)
    with Library.open(path) as library:
        sound = library.upkeep.problems() == []
    back = sum(min(after[t], before[t]) for t in TABLES)
    return Place(
        page,
        100 * back / sum(before.values()),
        100 * after["memory"] / before["memory"],
        sound,
        kept,
    )


def wiped_pages(places: int, memories: int) -> list[Place]:
    """The same at places all over a store, the first page among them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = full_store(folder / "whole.db", memories)
        dice = random.Random(5)
        pages = [1, *dice.sample(range(2, store.stat().st_size // PAGE + 1), places - 1)]
        found: list[Place] = []
        for page in pages:
            work = folder / f"page-{page}"
            work.mkdir()
            found.append(try_place(store, work, page))
            shutil.rmtree(work)
        return found


# --- other sorts of damage: each gets a closed store and damages it


def header_zeroed(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(100))


def halved(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // PAGE * PAGE)


def index_emptied(path: Path) -> None:
    """An index whose root page says that it has no rows."""
    with path.open("r+b") as file:
        file.seek((_root(path, "tag_name") - 1) * PAGE)
        file.write(bytes((10, 0, 0, 0, 0, 0x10, 0, 0)))


def words_scrambled(path: Path) -> None:
    """An index of words that does not match what is written."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("UPDATE memory_index_data SET block = randomblob(length(block)) WHERE id > 10")


DAMAGE: dict[str, Callable[[Path], None]] = {
    "header zeroed": header_zeroed,
    "file halved": halved,
    "index emptied": index_emptied,
    "index of words scrambled": words_scrambled,
}


def _root(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as conn:
        text = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return int(conn.execute(text, (name,)).fetchone()[0])


def mended(damage: Callable[[Path], None], memories: int) -> tuple[dict[str, int], dict[str, int]]:
    """The rows before a sort of damage, and after it was mended; the store is sound then."""
    with tempfile.TemporaryDirectory() as name:
        path = full_store(Path(name) / "memories.db", memories)
        before = counts(path)
        damage(path)
        salvaging.mend(path)
        with Library.open(path) as library:
            assert library.upkeep.problems() == []
        return before, counts(path)


def measure(places: int = 16, memories: int = 3_000) -> list[Row]:
    """One page wiped at each of some places of a store of about that many memories."""
    found = wiped_pages(places, memories)
    worst = min(place.rows for place in found)
    sound = sum(place.sound for place in found)
    kept = sum(place.kept for place in found)
    return [
        Row(
            f"rows back after one wiped page, {places} places, {memories:,} memories",
            f">= {SHARE} % of rows", f"worst {worst:.2f} %", worst >= SHARE,
        ),
        Row("mended stores that are sound", f"{places}", f"{sound}", sound == places),
        Row("damaged files kept, byte by byte", f"{places}", f"{kept}", kept == places),
    ]  # fmt: skip


if __name__ == "__main__":
    for row in measure(*map(int, sys.argv[1:])):
        print(row)
