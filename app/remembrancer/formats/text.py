"""From bytes to lines of text, whatever encoding they are in; nothing is replaced in silence."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from remembrancer.core.travel import Anomaly
from remembrancer.formats.tally import Tally

Line = tuple[int, str]

# The longer marks first: UTF-32's little-endian one begins with UTF-16's.
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def lines(stream: BinaryIO) -> Iterator[Line | Anomaly]:
    """Every line with its number from 1, without its end; and what was odd about the bytes."""
    first = stream.readline()
    wide = _wide(first)
    if wide is not None:
        yield from _decoded(first + stream.read(), wide)
        return
    if first.startswith(codecs.BOM_UTF8):
        yield Anomaly(1, "The file begins with a byte order mark; it was passed over.")
        first = first[len(codecs.BOM_UTF8) :]
    yield from _bytes(chain([first], stream))


def _wide(head: bytes) -> str | None:
    """The encoding of two or four bytes a character, if it is one of those."""
    for mark, encoding in _WIDE_MARKS:
        if head.startswith(mark):
            return encoding
    # Without a mark: an opening bracket beside a zero byte, or a zero byte before it.
    if head[:1] in (b"{", b"[") and head[1:2] == b"\0":
        return "utf-16-le"
    return "utf-16-be" if head[:1] == b"\0" and head[1:2] in (b"{", b"[") else None


def _decoded(content: bytes, encoding: str) -> Iterator[Line | Anomaly]:
    yield Anomaly(1, f"The file is {encoding[:6].upper()}, not UTF-8; it was read as such.")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode(encoding, "replace")
        yield Anomaly(0, "Some bytes are no characters; they stand as \ufffd where they were.")
    yield from enumerate(text.split("\n"), 1)


def _bytes(rows: Iterator[bytes]) -> Iterator[Line | Anomaly]:
    tally = Tally()
    for number, row in enumerate(rows, 1):
        kept = row.rstrip(b"\0\r\n")
        zeros = row.count(b"\0") - kept.count(b"\0")
        if zeros:
            yield Anomaly(number, f"{zeros} zero bytes, as a power cut leaves them, were cut off.")
        yield number, _text(number, kept, tally)
    yield from tally.anomalies()


def _text(number: int, row: bytes, tally: Tally) -> str:
    try:
        return row.decode("utf-8")
    except UnicodeDecodeError:
        tally.note(number, "The line is not UTF-8; it was read as Latin-1.")
    try:
        return row.decode("cp1252")  # what programs that say Latin-1 mostly write
    except UnicodeDecodeError:
        return row.decode("latin-1")
