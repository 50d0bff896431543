"""How memo draws one entry: as a title line, in full, and as structured facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from remembrancer.agents.dialects.memo_frame import inside, one_line
from remembrancer.agents.dialects.memo_speech import Speech, day, moment
from remembrancer.core import crossing, memo_titles
from remembrancer.core.memo_titles import INDEX_TITLE, TITLE
from remembrancer.core.memory import Memory, Status
from remembrancer.core.names import SOURCE_LIMIT

_TAGS_SHOWN = 200  # characters of an entry's tags in a line
_IDS_SHOWN = 100

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, as text and as structured facts."""

    text: str
    value: Facts

    @property
    def size(self) -> int:
        """The characters of the longer of the two."""
        return max(len(self.text), len(to_json(self.value).decode()))


def fitted(build: Callable[[int], Reply], most: int, budget: int | None, least: int = 0) -> Reply:
    """The reply with as many of `most` parts as `budget` characters hold, but at least `least`."""
    reply = build(most)
    if budget is None or most <= least or reply.size <= budget:
        return reply
    low, high = least, most - 1
    while low < high:
        middle = (low + high + 1) // 2
        if build(middle).size <= budget:
            low = middle
        else:
            high = middle - 1
    return build(low)


@dataclass(frozen=True, slots=True)
class Lines:
    """Draws entries in one language at one moment (microseconds).

    `seen` says whether the caller may know of the entry with an id.
    """

    speech: Speech
    now: int
    seen: Callable[[int], bool]

    def preview(self, memory: Memory) -> str:
        """`#id [kind] day title (tags)`, and what is wrong with it."""
        tags = self.tags(memory)
        shown = f" ({tags})" if tags else ""
        head = f"#{memory.id} [{self.speech.kind(memory.kind)}] {day(memory.created_at)}"
        return f"{head} {memo_titles.title(memory, TITLE)}{shown}{self.marks(memory)}"

    def title(self, memory: Memory, tag: str) -> str:
        """A line of a tag's index, with the other tags of the entry."""
        others = [f"+{each}" for each in crossing.memo_tags(memory) if each != tag]
        shown = "  " + memo_titles.cut(one_line(" ".join(others)), _TAGS_SHOWN) if others else ""
        head = f"  #{memory.id} {day(memory.created_at)} [{self.speech.kind(memory.kind)}]"
        return f"{head} {memo_titles.title(memory, INDEX_TITLE)}{shown}{self.marks(memory)}"

    def head(self, memory: Memory) -> str:
        """The line above an entry in full."""
        tags = self.tags(memory)
        shown = ", ".join([self.speech.kind(memory.kind), *([tags] if tags else [])])
        marks = self.marks(memory, SOURCE_LIMIT)
        return f"#{memory.id} [{moment(memory.created_at)}] ({shown}){marks}"

    def whole(self, memory: Memory) -> str:
        """An entry in full."""
        return f"{self.head(memory)}\n{inside(crossing.memo_text(memory))}"

    def tags(self, memory: Memory) -> str:
        """An entry's tags in one line, not too many of them."""
        return memo_titles.cut(one_line(", ".join(crossing.memo_tags(memory))), _TAGS_SHOWN)

    def marks(self, memory: Memory, most: int = TITLE) -> str:
        """That an entry is superseded, with `most` characters of the reason, or expired."""
        marks = ""
        if memory.status is Status.ARCHIVED:
            successor = self._successor(memory)
            after = None if successor is None else self.speech("successor", id=successor)
            why = ", ".join(each for each in (_line(memory.archived_reason, most), after) if each)
            marks = self.speech("superseded", why=f": {why}" if why else "")
        if memory.expires_at is not None and memory.expired(self.now):
            marks += self.speech("expired", day=day(memory.expires_at))
        return marks

    def facts(self, memory: Memory, text: str | None = None) -> Facts:
        """An entry as structured facts: with its title, or with `text` instead."""
        told = {"title": memo_titles.title(memory, TITLE)} if text is None else {"text": text}
        return {
            "id": memory.id,
            "kind": self.speech.kind(memory.kind),
            "created": moment(memory.created_at),
            "tags": list(crossing.memo_tags(memory)),
            **told,
            **self._odd(memory),
        }

    def _odd(self, memory: Memory) -> Facts:
        odd: Facts = {}
        if memory.status is Status.ARCHIVED:
            odd["superseded"] = {
                "reason": memory.archived_reason or "",
                "by": self._successor(memory),
            }
        if memory.expired(self.now):
            odd["expired"] = True
        return odd

    def _successor(self, memory: Memory) -> int | None:
        successor = memory.superseded_by
        return successor if successor is not None and self.seen(successor) else None


def _line(text: str | None, most: int) -> str:
    return memo_titles.cut(" ".join((text or "").split()), most)


def listed(ids: Sequence[int], speech: Speech) -> str:
    """Ids as `#1, #2`, not too many of them."""
    shown = ", ".join(f"#{each}" for each in ids[:_IDS_SHOWN])
    more = len(ids) - _IDS_SHOWN
    return shown + (speech("more_ids", count=more) if more > 0 else "")


def some(ids: Sequence[int]) -> list[int]:
    """As many of these ids as a text would list."""
    return list(ids[:_IDS_SHOWN])


def missing(ids: Sequence[int], speech: Speech) -> str:
    """What is said behind a result about ids that are not there."""
    return speech("not_found", ids=listed(ids, speech)) if ids else ""


def joined(ids: Sequence[int], most: int = _IDS_SHOWN) -> str:
    """Ids as another call takes them."""
    return ",".join(str(each) for each in ids[:most])
