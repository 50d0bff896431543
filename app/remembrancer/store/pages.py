"""A database file read as it lies on the disk, page by page, where SQLite can read it no more.

Follows the file format that sqlite.org documents: b-tree pages of cells, cells of records, long
records continued on other pages. Whatever cannot be read is passed over and counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
_KINDS = frozenset({INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE})
MAGIC = b"SQLite format 3\x00"
_HEADER = 100  # bytes before the first page's own
_USUAL = 4096
_DEEPEST = 40

Value = int | float | str | bytes | None


@dataclass(frozen=True, slots=True)
class Row:
    """The values of one record in the order of the disk; an index has no `rowid`."""

    rowid: int | None
    values: tuple[Value, ...]


class Unreadable(Exception):
    """This piece of the file cannot be what it should be."""


@dataclass
class Tree:
    """What was met while walking one b-tree: its pages, and how many places were unreadable."""

    pages: list[int] = field(default_factory=list[int])
    broken: int = 0
    seen: set[int] = field(default_factory=set[int])


class Pages:
    """The pages of a file that is held whole, as bytes or mapped into memory."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data)
        size = int.from_bytes(self._data[16:18], "big")
        size = 65_536 if size == 1 else size
        whole = bytes(self._data[:16]) == MAGIC and 512 <= size <= 65_536 and size & (size - 1) == 0
        self.size = size if whole else _USUAL
        reserved = self._data[20] if whole else 0
        self._usable = self.size - reserved
        self.count = len(self._data) // self.size

    def kind(self, page: int) -> int:
        """The kind of a b-tree page; 0 for every other page."""
        if not 1 <= page <= self.count:
            return 0
        kind = self._page(page)[self._start(page)]
        return kind if kind in _KINDS else 0

    def walk(self, root: int, tree: Tree, depth: int = 0) -> None:
        """Note in `tree` every page of the b-tree that can be reached from `root`."""
        kind = self.kind(root)
        if kind == 0 or root in tree.seen or depth > _DEEPEST:
            tree.broken += 1
            return
        tree.pages.append(root)
        tree.seen.add(root)
        if kind not in (INNER_INDEX, INNER_TABLE):
            return
        page, start = self._page(root), self._start(root)
        last = int.from_bytes(page[start + 8 : start + 12], "big")
        for at in self._cells(root):
            child = int.from_bytes(page[at : at + 4], "big") if at + 4 <= self._usable else 0
            self.walk(child, tree, depth + 1)
        self.walk(last, tree, depth + 1)

    def rows(self, page: int) -> Iterator[Row | None]:
        """The records on one page; None for each that cannot be read."""
        kind = self.kind(page)
        if kind in (0, INNER_TABLE):
            return
        for at in self._cells(page):
            try:
                yield self._row(page, at, kind)
            except (Unreadable, IndexError, ValueError, UnicodeError):
                yield None

    def cells(self, page: int) -> int:
        """How many records a page says it holds."""
        return 0 if self.kind(page) in (0, INNER_TABLE) else len(self._cells(page))

    def _page(self, number: int) -> memoryview:
        return self._data[(number - 1) * self.size : number * self.size]

    def _start(self, number: int) -> int:
        return _HEADER if number == 1 else 0

    def _cells(self, number: int) -> list[int]:
        """Where the cells of a page begin."""
        page, start = self._page(number), self._start(number)
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        first = start + (12 if page[start] in (INNER_INDEX, INNER_TABLE) else 8)
        count = min(count, (self._usable - first) // 2)
        places = range(first, first + 2 * count, 2)
        found = (int.from_bytes(page[at : at + 2], "big") for at in places)
        return [at for at in found if first < at < self._usable]

    def _row(self, number: int, at: int, kind: int) -> Row:
        page = self._page(number)
        if kind == INNER_INDEX:
            at += 4
        length, at = _number(page, at)
        rowid = None
        if kind == LEAF_TABLE:
            rowid, at = _number(page, at)
        return Row(rowid, _values(self._payload(page, at, length, kind)))

    def _payload(self, page: memoryview, at: int, length: int, kind: int) -> bytes:
        if length > len(self._data):
            raise Unreadable
        local = self._local(length, kind)
        if at + local > self._usable:
            raise Unreadable
        parts = [bytes(page[at : at + local])]
        left = length - local
        following = int.from_bytes(page[at + local : at + local + 4], "big") if left else 0
        while left > 0:
            if not 1 < following <= self.count:
                raise Unreadable
            more = self._page(following)
            part = bytes(more[4 : min(self._usable, 4 + left)])
            if not any(more[:4]) and not any(part):
                raise Unreadable  # wiped
            parts.append(part)
            left -= len(part)
            following = int.from_bytes(more[:4], "big")
        return b"".join(parts)

    def _local(self, length: int, kind: int) -> int:
        """How much of a record stands on its page itself; the rest is on others."""
        usable = self._usable
        most = usable - 35 if kind == LEAF_TABLE else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return length
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        return local if local <= most else least


def _number(data: memoryview | bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, signed, and where it ends."""
    value = 0
    for n in range(8):
        byte = data[at + n]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    value = value << 8 | data[at + 8]
    return (value - (1 << 64) if value >> 63 else value), at + 9


_WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)


def _values(record: bytes) -> tuple[Value, ...]:
    end, at = _number(record, 0)
    if not 0 < at <= end <= len(record):
        raise Unreadable
    place, found = end, list[Value]()
    while at < end:
        kind, at = _number(record, at)
        value, place = _value(record, place, kind)
        found.append(value)
    if place != len(record):
        raise Unreadable
    return tuple(found)


def _value(record: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in (10, 11) or kind < 0:
        raise Unreadable
    width = _WIDTHS[kind] if kind < 12 else (kind - 12) // 2
    raw = record[at : at + width]
    if len(raw) != width:
        raise Unreadable
    if kind >= 12:
        return (raw.decode("utf-8") if kind % 2 else raw), at + width
    if kind == 0:
        return None, at
    if kind == 7:
        return _real(raw), at + width
    return (kind - 8 if kind > 7 else int.from_bytes(raw, "big", signed=True)), at + width


def _real(raw: bytes) -> float:
    from struct import unpack

    return float(unpack(">d", raw)[0])
