"""Files as they go wrong, brought in through the real desk: what may come of them, and what not."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from notation import build
from remembrancer.core.errors import RemembrancerError
from remembrancer.service.library import Library
from remembrancer.service.transfer import ImportReport

SHAPES = Path(__file__).parents[1] / "formats" / "shapes"
Way = Callable[[bytes, int], bytes]
ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7", "cp037")
_VALUE = re.compile(rb'"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d+(?:\.\d+)?|true|false|null')
_NAME = re.compile(rb'"(?:[^"\\]|\\.)*"(?=\s*:)')

# What may stand where a value stood, as JSON or nearly.
HOSTILE = (
    b"NaN", b"-Infinity", b"1e999", b"-1", b"0", b"1.0", b"true", b"null", b'""', b'" "', b"[]",
    b"{}", b'"\\ud800"', b'"\\u0000"', b'"\\udfff\\ud800"', b'"\xff\xfe"', b'"\xed\xa0\x80"',
    b"9" * 30, b"9" * 350, b"9" * 5_000, b"[" * 40 + b"]" * 40, b"[" * 50_000, b'{"a":' * 33,
    b'"=1+1"', b'"\xe2\x80\xae\xe2\x80\x8bx"', b'"' + b"x" * 1_001 + b'"', b'"1_000"',
    b"9223372036854775808",
    b'"' + b"y" * 200_001 + b'"', b'["a","a"]', b'{"type":"entity"}', b'{"id":1,"id":2}', b"1e300",
    b'"9999-99-99"', b'"\xf0\x9f\x98\x80"', b'"e\xcc\x81"', b"253402300800000000", b'"archived"',
)  # fmt: skip


@dataclass
class Seen:
    """What came of the files so far."""

    examples: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        return f"{self.examples:,} files, {self.refused:,} refused, {len(self.wrong)} wrong" + (
            f": {self.wrong[0]}" if self.wrong else ""
        )


def seeds(folder: Path) -> list[bytes]:
    """Valid files, and those of every known oddity; the exports of a store with a history too."""
    with Library.open(folder / "seed.db") as library:
        build(
            library,
            "a:person -knows-> b; a: tea; a/drink: Kaffee; b = shared; c:group; d:disk; c = {a, d}",
        )
        build(library, "a/drink: Wasser; größe: 4 m")
        for format in ("jsonl", "knowledge-graph"):
            library.transfer.send_out(folder / format, format)
    ours, graph = ((folder / name).read_bytes() for name in ("jsonl", "knowledge-graph"))
    shapes = [path.read_bytes() for path in sorted(SHAPES.iterdir())]
    # Our own file has the most that can go wrong: it is taken half the time.
    return [*[ours] * len(shapes), graph, *shapes]


def spoilt(valid: list[bytes]) -> st.SearchStrategy[bytes]:
    """One of the files with one to four things done to it."""
    return st.tuples(
        st.sampled_from(valid),
        st.lists(st.tuples(st.sampled_from(_WAYS), st.integers(0, 2**32)), min_size=1, max_size=4),
    ).map(lambda chosen: _spoil(*chosen))


def _spoil(content: bytes, ways: Sequence[tuple[Way, int]]) -> bytes:
    for way, number in ways:
        content = way(content, number)
    return content


def _cut(content: bytes, number: int) -> bytes:
    return content[: number % (len(content) + 1)]


def _flip(content: bytes, number: int) -> bytes:
    at = number % max(len(content), 1)
    return content[:at] + bytes([number >> 8 & 255]) + content[at + 1 :]


def _insert(content: bytes, number: int) -> bytes:
    at = number % (len(content) + 1)
    return content[:at] + HOSTILE[number % len(HOSTILE)] + content[at:]


def _shuffle(content: bytes, number: int) -> bytes:
    lines = content.split(b"\n")
    at = number % len(lines)
    return b"\n".join(lines[at:] + lines[:at])


def _glue(content: bytes, number: int) -> bytes:
    lines = content.split(b"\n")
    at = number % len(lines)
    return b"\n".join([*lines[:at], b"".join(lines[at : at + 2]), *lines[at + 2 :]])


def _repeat(content: bytes, number: int) -> bytes:
    lines = content.split(b"\n")
    at = number % len(lines)
    return b"\n".join([*lines[:at], lines[at], *lines[at:]])


def _recode(content: bytes, number: int) -> bytes:
    text = content.decode("utf-8", "replace")
    return text.encode(ENCODINGS[number % len(ENCODINGS)], "replace")


def _value(content: bytes, number: int) -> bytes:
    return _replaced(content, number, _VALUE, HOSTILE[(number >> 16) % len(HOSTILE)])


def _name(content: bytes, number: int) -> bytes:
    own = sorted(set(_NAME.findall(content)))
    names = [*own, b'"\\ud800"', b'"' + b"k" * 5_000 + b'"']
    return _replaced(content, number, _NAME, names[(number >> 16) % len(names)])


def _replaced(content: bytes, number: int, what: re.Pattern[bytes], by: bytes) -> bytes:
    found = list(what.finditer(content))
    if not found:
        return content
    chosen = found[number % len(found)]
    return content[: chosen.start()] + by + content[chosen.end() :]


_WAYS: tuple[Way, ...] = (
    _cut, _flip, _insert, _shuffle, _glue, _repeat, _recode, _value, _value, _name,
)  # fmt: skip


class Workshop:
    """Brings files in, dry and then in earnest, and says what must not be."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._empty = folder / "empty.db"
        Library.open(self._empty).close()
        self._count = 0

    @contextmanager
    def store(self) -> Iterator[Library]:
        """A fresh empty store."""
        self._count += 1
        path = Path(shutil.copy(self._empty, self._folder / f"{self._count}.db"))
        try:
            with Library.open(path) as library:
                yield library
        finally:
            for each in self._folder.glob(f"{self._count}.db*"):
                each.unlink()

    def wrong(self, content: bytes, seen: Seen) -> None:
        """Bring one file in; what is wrong about it is noted in `seen`."""
        seen.examples += 1
        file = self._folder / "file"
        file.write_bytes(content)
        before = (content, file.stat().st_mtime_ns)
        with self.store() as library:
            dry = _brought(library, file, dry_run=True)
            if library.journal.head() or any(_rows(library)):
                seen.wrong.append(f"a dry run wrote: {content[:200]!r}")
            wet = _brought(library, file, dry_run=False)
            seen.refused += isinstance(wet, str)
            if _counts(dry) != _counts(wet):
                seen.wrong.append(f"dry {_counts(dry)}, wet {_counts(wet)}: {content[:200]!r}")
            if isinstance(wet, Exception):
                seen.wrong.append(f"{wet!r}: {content[:300]!r}")
            if isinstance(wet, str | Exception) and (library.journal.head() or any(_rows(library))):
                seen.wrong.append(f"a refused file left something: {content[:200]!r}")
            seen.wrong += [f"{p}: {content[:200]!r}" for p in library.upkeep.problems()]
            seen.wrong += _unsayable(wet)
        if (file.read_bytes(), file.stat().st_mtime_ns) != before:
            seen.wrong.append(f"the source was touched: {content[:200]!r}")


def _brought(library: Library, file: Path, *, dry_run: bool) -> ImportReport | str | Exception:
    try:
        return library.transfer.bring_in(file, dry_run=dry_run)
    except RemembrancerError as refused:
        return str(refused)
    except Exception as error:  # what must not be
        return error


def _rows(library: Library) -> list[int]:
    rows = library.upkeep.facts()["rows"]
    return [rows[name] for name in ("memory", "entity", "relation")]


def _counts(outcome: ImportReport | str | Exception) -> object:
    if not isinstance(outcome, ImportReport):
        return str(outcome)
    counted = outcome.entities, outcome.relations, outcome.memories, outcome.ghosts, outcome.known
    return counted, outcome.anomalies


def _unsayable(outcome: ImportReport | str | Exception) -> list[str]:
    """The sentences that no log and no terminal takes, or that are none."""
    told = [str(outcome)]
    told += [a.text for a in outcome.anomalies] if isinstance(outcome, ImportReport) else []
    return [
        f"a sentence that cannot be said: {each[:200]!r}"
        for each in told
        if not each.isprintable() or len(each) > 4_000 or not _encodes(each)
    ]


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def tried(examples: int) -> Seen:
    """So many spoilt files, each brought into a store of its own."""
    seen = Seen()
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))

        @settings(
            max_examples=examples, derandomize=True, database=None, deadline=None,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        )  # fmt: skip
        @given(spoilt(seeds(Path(folder))))
        def run(content: bytes) -> None:
            workshop.wrong(content, seen)

        run()
    return seen
