"""How memories travel: a stream of bytes to core values and back, one file a format.

A reader takes an open binary file and yields records and anomalies; a writer takes records and
writes bytes. `READERS` and `WRITERS` name the modules, which are loaded when they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import BinaryIO, cast

from remembrancer.core.errors import BadValue
from remembrancer.core.travel import Anomaly, Record

Reader = Callable[[BinaryIO], Iterator[Record | Anomaly]]
Writer = Callable[[Iterable[Record], BinaryIO], None]

READERS = {
    "jsonl": "jsonl",
    "knowledge-graph": "knowledge_graph",
    "openmemory": "openmemory",
}
WRITERS = {
    "jsonl": "jsonl",
    "knowledge-graph": "knowledge_graph",
}


def reader(name: str) -> Reader:
    """The reader of a format; BadValue for one that cannot be read."""
    return cast(Reader, _named(READERS, name, "read"))


def writer(name: str) -> Writer:
    """The writer of a format; BadValue for one that cannot be written."""
    return cast(Writer, _named(WRITERS, name, "write"))


def _named(table: dict[str, str], name: str, verb: str) -> object:
    if name not in table:
        known = ", ".join(table)
        raise BadValue(f"The program cannot {verb} the format {name!r}; choose one of {known}.")
    return getattr(import_module(f"{__name__}.{table[name]}"), verb)
