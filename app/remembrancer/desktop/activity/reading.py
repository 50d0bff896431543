"""How the journal is read for the list: whole calls, newest first, in bounded steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Any

from remembrancer.core.author import AuthorKind
from remembrancer.core.journal import JournalLine
from remembrancer.desktop.activity.call import Call, call
from remembrancer.service.library import Library

LINES = 200  # lines of one question to the journal
STEPS = 5  # questions of one page, so that others get their turn on the worker
SAMPLE = 400  # lines of one call that are looked at
ENOUGH = 40  # calls of one page

AGENTS = "agents"


@dataclass(frozen=True)
class Wanted:
    """Which calls are listed: by one author, holding words, through one door ("" is any)."""

    words: str = ""
    author: str | None = None
    origin: str = ""

    def lets_through(self, line: JournalLine) -> bool:
        """Whether a line belongs to a call that is listed."""
        if self.author is not None and line.author != self.author:
            return False
        if not self._came_through(line):
            return False
        return not self.words or self.words.casefold() in _said(line)

    def _came_through(self, line: JournalLine) -> bool:
        if self.origin == AGENTS:
            return line.author_kind == AuthorKind.AGENT
        return self.origin in ("", line.origin)


@dataclass(frozen=True)
class Page:
    """Calls, newest first; `before` is where the next page begins, None at the journal's end."""

    calls: tuple[Call, ...]
    before: int | None


def page(library: Library, wanted: Wanted, before: int | None) -> Page:
    """The calls before a sequence (None: the newest), at least one question's worth of looking.

    A page may be empty although more follow: what is rare is looked for in steps.
    """
    found: list[Call] = []
    for _ in range(STEPS):
        lines = library.journal.newest(LINES, before, wanted.author, wanted.words)
        found += _calls(library, wanted, lines)
        if len(lines) < LINES:
            return Page(tuple(found), None)
        # The lines of a call follow one another, so the rest of the last one is passed over.
        before = min(lines[-1].batch, lines[-1].sequence)
        if len(found) >= ENOUGH:
            break
    return Page(tuple(found), before)


def arrived(wanted: Wanted, lines: Iterable[JournalLine]) -> list[Call]:
    """The calls among lines that are new (oldest first), newest first."""
    groups = [list(group) for _, group in groupby(lines, key=lambda x: x.batch)]
    listed = [g for g in groups if any(wanted.lets_through(x) for x in g)]
    return [call(group) for group in reversed(listed)]


def lines_of(library: Library, batch: int, most: int = SAMPLE) -> list[JournalLine]:
    """The first lines of a call, at most `most`, oldest first."""
    following = library.journal.after(batch - 1, most)
    found = list(takewhile(lambda x: x.batch == batch, following))
    # Journals that were brought in from elsewhere may have their calls interleaved.
    return found or library.journal.batch(batch)[:most]


def _calls(library: Library, wanted: Wanted, lines: Sequence[JournalLine]) -> Iterable[Call]:
    for batch, group in groupby(lines, key=lambda x: x.batch):
        some = list(group)
        if not any(wanted.lets_through(line) for line in some):
            continue
        # Without words to look for, the first line seen of a call is its last.
        count = some[0].sequence - batch + 1
        if count == len(some):
            yield call(some[::-1])
        else:
            whole = lines_of(library, batch)
            yield call(whole, count if len(whole) == SAMPLE else 0)


def _said(line: JournalLine) -> str:
    """What a search looks through: everything that a line says about its subject."""
    texts = [line.author, line.label(), line.reason or "", *_texts(line.snapshot)]
    return "\n".join(texts).casefold()


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in _texts(each)]
    return []
