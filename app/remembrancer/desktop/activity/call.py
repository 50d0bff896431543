"""One call in the journal as a row of the list: who did what, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from remembrancer.core.author import AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.desktop.activity import phrases
from remembrancer.desktop.look.plain import number, one_line, translate

_UNDO = re.compile(r"Undo of (\d+)")
_MOST_PARTS, _MOST_NAMES = 3, 2
# What a call is named after first, whatever the order of its lines.
_FIRST = (Deed.DELETE_ENTITY, Deed.CREATE_ENTITY, Deed.SET_SCOPE, Deed.CHANGE_ENTITY)


@dataclass(frozen=True)
class Call:
    """One call. `number` counts its lines, `whole` says whether the words come from all of them.

    `done` is what was done, `about` the first things that it touched; `undoes` is the batch that
    it took back. `at` in microseconds.
    """

    batch: int
    at: int
    author: str
    author_kind: str
    origin: str
    done: str
    about: str
    number: int
    undoes: int | None

    def sentence(self) -> str:
        """Who did what."""
        return f"{one_line(self.author, 60)} {self.done}"

    def spoken(self, when: str) -> str:
        """The row for a screen reader."""
        parts = (self.sentence(), self.about, phrases.origin(self.origin), when)
        return ", ".join(part for part in parts if part)


def call(lines: Sequence[JournalLine], count: int = 0) -> Call:
    """The call that these lines, oldest first, are of; `count` of them where these are not all."""
    first, total = lines[0], max(count, len(lines))
    undone = _UNDO.fullmatch(first.reason or "") if first.origin == "undo" else None
    return Call(
        batch=first.batch,
        at=first.at,
        author=first.author,
        author_kind=first.author_kind,
        origin=first.origin,
        done=_done(lines, total, undone is not None),
        about=_about(lines, total),
        number=total,
        undoes=int(undone[1]) if undone else None,
    )


def _done(lines: Sequence[JournalLine], total: int, undo: bool) -> str:
    said = _many(total) if total > len(lines) else _parts(lines)
    if lines[0].author_kind == AuthorKind.IMPORTER or lines[0].origin == "import":
        return translate("Activity", "brought in: {0}").format(said)
    return translate("Activity", "took back: {0}").format(said) if undo else said


def _many(total: int) -> str:
    return translate("Activity", "changed {0} things").format(number(total))


def _parts(lines: Sequence[JournalLine]) -> str:
    parts = _deeds(lines)
    if len(parts) > _MOST_PARTS:
        parts[_MOST_PARTS:] = [translate("Activity", "more")]
    said = ", ".join(parts[:-1])
    said = translate("Activity", "{0} and {1}").format(said, parts[-1]) if said else parts[0]
    named = _entities(lines)
    return translate("Activity", "{0} about {1}").format(said, named) if named else said


def _deeds(lines: Sequence[JournalLine]) -> list[str]:
    """What was done, each deed once; what went along with an entity is said to be its own."""
    counts = Counter(line.deed for line in lines)
    names = {line.deed: str((line.snapshot or {}).get("name") or "") for line in lines}
    order = [deed for deed in _FIRST if deed in counts]
    order += [deed for deed in counts if deed not in order]
    gone = Deed.DELETE_ENTITY in counts
    if gone:
        order = [d for d in order if d is Deed.DELETE_ENTITY or phrases.belongs(d, 1)]
    return [
        (gone and phrases.belongs(deed, counts[deed]))
        or phrases.done(deed, counts[deed], names[deed])
        for deed in order
    ]


def _entities(lines: Sequence[JournalLine]) -> str:
    """The entities whose memories the lines touch."""
    names = {
        str(line.snapshot["entity"]): None
        for line in lines
        if line.subject is Subject.MEMORY and line.snapshot and line.snapshot.get("entity")
    }
    created = any(line.subject is Subject.ENTITY for line in lines)
    if not names or created:
        return ""
    if len(names) > _MOST_NAMES:
        return translate("Activity", "{0} entities").format(number(len(names)))
    listed = [one_line(name, 40) for name in names]
    if len(listed) == 1:
        return listed[0]
    return translate("Activity", "{0} and {1}").format(*listed)


def _about(lines: Sequence[JournalLine], total: int) -> str:
    """The first thing that the call touched; an entity only where there is nothing else."""
    named = [x for x in lines if x.subject is not Subject.ENTITY] or list(lines)
    if total == 1 and lines[0].subject is Subject.ENTITY:
        return _of_entity(lines[0])
    shown = one_line(named[0].label(), 160)
    if total == 1:
        return shown
    return translate("Activity", "{0} · and {1} more").format(shown, number(total - 1))


def _of_entity(line: JournalLine) -> str:
    """What became of an entity that the sentence names already."""
    kept = line.snapshot or {}
    if line.deed is not Deed.SET_SCOPE:
        type_ = one_line(str(kept.get("type") or ""), 80)
        return translate("Activity", "type: {0}").format(type_) if type_ else line.label()
    members = ", ".join(one_line(str(m), 40) for m in list(kept.get("members") or ())[:6])
    if kept.get("scope") == Scope.SHARED:
        return translate("Activity", "its memories apply to everybody")
    if kept.get("scope") == Scope.GROUP:
        return translate("Activity", "its memories apply to: {0}").format(members or "—")
    return translate("Activity", "its memories apply only to itself")
