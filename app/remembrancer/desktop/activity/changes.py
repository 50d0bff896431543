"""What one line of the journal changed: the former state, the fields, the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from remembrancer.core import diff
from remembrancer.core.diff import Row
from remembrancer.core.errors import NotFound
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.desktop import words
from remembrancer.desktop.activity import phrases
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.service.library import Library

# What a new subject nearly always has, and what is therefore not told of it.
_USUAL = {"pinned": False, "status": "active", "scope": "device"}
_SHOWN = 300  # characters of a value in the table


@dataclass(frozen=True)
class Field:
    """One field in words; `before` is None where nothing stood before."""

    name: str
    before: str | None
    after: str


@dataclass(frozen=True)
class Change:
    """What a line changed. `rows` is the difference of two texts, None where there is but one;

    then `text` is it. `former` is the line before about the same subject.
    """

    line: JournalLine
    former: JournalLine | None
    fields: tuple[Field, ...]
    rows: tuple[Row, ...] | None
    text: str


def change(library: Library, line: JournalLine) -> Change:
    """What `line` changed, compared with what stood before it."""
    former = _former(library, line)
    before = former.snapshot if former and not former.removal else None
    after = line.snapshot or {}
    rows = None
    if before is not None and before.get("content") != after.get("content"):
        rows = diff.compare(str(before.get("content") or ""), str(after.get("content") or ""))
    whole = before is None or line.removal
    text = str(after.get("content") or "") if whole else ""
    return Change(line, former, _fields(line, before, after), rows, text)


def _former(library: Library, line: JournalLine) -> JournalLine | None:
    if line.subject is not Subject.MEMORY or line.deed is Deed.REMEMBER:
        return None
    try:
        history = library.memories.history(line.subject_id)
    except NotFound:
        return None
    return next((x for x in history if x.sequence < line.sequence), None)


def _fields(
    line: JournalLine, before: dict[str, Any] | None, after: dict[str, Any]
) -> tuple[Field, ...]:
    if line.subject is Subject.RELATION or line.removal:
        return ()
    if before is None:
        told = [n for n in _shown(line) if after.get(n) != _USUAL.get(n)]
        shown = {name: value(name, after.get(name)) for name in told}
        return tuple(Field(phrases.field(n), None, v) for n, v in shown.items() if v)
    changed = [n for n in _shown(line) if before.get(n) != after.get(n)]
    return tuple(
        Field(phrases.field(n), value(n, before.get(n)) or "—", value(n, after.get(n)) or "—")
        for n in changed
    )


def _shown(line: JournalLine) -> tuple[str, ...]:
    # A memory's scope is its entity's, and tells nothing about this line.
    hidden = {"scope"} if line.subject is Subject.MEMORY else set[str]()
    return tuple(n for n in phrases.fields() if n not in hidden)


def value(name: str, given: Any) -> str:
    """A field's value in words; empty for nothing."""
    if given is None or given == "" or given == []:
        return ""
    maker = _VALUES.get(name)
    return one_line(maker(given) if maker else str(given), _SHOWN)


def _listed(given: Any) -> str:
    return ", ".join(str(each) for each in given)


def _yes(given: Any) -> str:
    return translate("Activity", "yes") if given else translate("Activity", "no")


_VALUES: dict[str, Callable[[Any], str]] = {
    "confidence": lambda given: f"{float(given) * 100:.0f} %",
    "pinned": _yes,
    "tags": _listed,
    "members": _listed,
    "superseded_by": lambda given: translate("Activity", "memory {0}").format(given),
    "expires_at": words.full_moment,
    "verified_at": words.full_moment,
    "postponed_until": words.full_moment,
    "revoked_at": words.full_moment,
}
