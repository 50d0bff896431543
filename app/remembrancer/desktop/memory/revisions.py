"""The revisions of a memory as rows of a timeline, and what lies between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from remembrancer.core import diff
from remembrancer.core.journal import JournalLine, snapshot_memory
from remembrancer.core.memory import Memory
from remembrancer.desktop import words
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.timeline import TimelineRow

_SHOWN = (
    "entity",
    "key",
    "title",
    "kind",
    "source",
    "confidence",
    "pinned",
    "expires_at",
    "tags",
    "status",
)
_SMALL = 10_000  # characters up to which a row of the timeline counts its words


@dataclass(frozen=True)
class Revision:
    """One revision: the line that made it, and the memory as it was afterwards."""

    line: JournalLine
    memory: Memory

    @property
    def label(self) -> str:
        """Its short name, such as "r4"."""
        return f"r{self.memory.revision}"


def revisions(lines: Sequence[JournalLine]) -> list[Revision]:
    """The revisions that the lines of one memory hold, newest first."""
    kept = [x for x in lines if x.snapshot is not None and not x.removal]
    return [Revision(x, snapshot_memory(x.snapshot or {})) for x in kept]


def rows(found: Sequence[Revision], now: int) -> list[TimelineRow]:
    """The revisions as the timeline shows them, newest first."""
    return [_row(found, place, now) for place in range(len(found))]


def _row(found: Sequence[Revision], place: int, now: int) -> TimelineRow:
    this = found[place]
    before = found[place + 1].memory if place + 1 < len(found) else None
    icon, text, _ = words.deed(this.line)
    changed = changes(before, this.memory) if before is not None else []
    if changed and icon == "pencil":
        text = translate("Revisions", "{0}: {1}").format(text, ", ".join(c[0] for c in changed))
    return TimelineRow(
        icon=icon if place else "circle-dot",
        label=translate("Revisions", "Now") if place == 0 else this.label,
        text=this.line.reason or text,
        who=this.line.author,
        delta=_delta(before, this.memory),
        when=words.moment(this.line.at, now),
        tone="accent" if place == 0 else "muted",
    )


def _delta(before: Memory | None, after: Memory) -> str:
    old = before.content if before is not None else ""
    if old == after.content or len(old) + len(after.content) > _SMALL:
        return ""
    added, removed = diff.summary(diff.compare(old, after.content))
    return f"+{added} −{removed}" if removed else f"+{added}"


def changes(before: Memory, after: Memory) -> list[tuple[str, str, str]]:
    """(field, before, after) in words for everything that changed; the content by name alone."""
    found = [("content", "", "")] if before.content != after.content else []
    for field in _SHOWN:
        old, new = getattr(before, field), getattr(after, field)
        if old != new:
            found.append((field.replace("_at", "").replace("_", " "), _said(old), _said(new)))
    return found


def _said(value: object) -> str:
    if value is None or value == "" or value == ():
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0%}"
    if isinstance(value, tuple):
        return ", ".join(str(v) for v in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, int):
        return words.full_moment(value)
    return str(value)
