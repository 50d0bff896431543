"""How memo answers who searches or asks for entries: hits, and entries in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remembrancer.agents.dialects.budget import fitting
from remembrancer.agents.dialects.memo_frame import inside
from remembrancer.agents.dialects.memo_lines import (
    Facts,
    Lines,
    Reply,
    fitted,
    joined,
    listed,
    some,
)
from remembrancer.agents.discretion import discreet
from remembrancer.core import crossing, memo_titles
from remembrancer.core.memory import Memory

if TYPE_CHECKING:
    from remembrancer.service.note_search import NoteAnswer, NoteQuestion

CAP = 6_000  # characters of full text that one call shows
_QUERY_SHOWN = 200
_UNBOUNDED = 100_000  # what an answer without a budget gives to the list of what is left


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked: the question, whether in full, and what the caller said of kinds."""

    question: NoteQuestion
    full: bool
    kinds_named: bool


# --- recall


def recalled(found: NoteAnswer, asked: Asked, lines: Lines, budget: int | None) -> Reply:
    """The answer to a question."""
    draw = lines.whole if asked.full else lines.preview
    drawn = [draw(memory) for memory in found.hits]
    facts = [_hit(memory, asked, lines) for memory in found.hits]
    head = _heading(found, asked, lines) if drawn else _nothing(found, asked, lines)
    tail = _outside(found, asked, lines)
    between = "\n\n" if asked.full else "\n"

    def build(count: int) -> Reply:
        left = [memory.id for memory in found.hits[count:]]
        more = lines.speech("hits_left", count=len(left), ids=joined(left)) if left else ""
        text = between.join([head, *drawn[:count]])
        text = "\n".join([text, *filter(None, (more, tail))])
        return Reply(text, {**_found_facts(found, lines), "hits": facts[:count], "left": left})

    return fitted(build, len(drawn), budget)


def _hit(memory: Memory, asked: Asked, lines: Lines) -> Facts:
    return lines.facts(memory, crossing.memo_text(memory) if asked.full else None)


def _heading(found: NoteAnswer, asked: Asked, lines: Lines) -> str:
    speech, question = lines.speech, asked.question
    head = speech("found", hits=speech.count(len(found.hits), "hit"), query=_query(question))
    head += _in_tags(question.tags, lines)
    head += "".join(speech(f"note_{note.name.lower()}") for note in found.notes)
    if found.hidden_chronicle:
        head += speech("chronicle_hidden", count=found.hidden_chronicle)
    if not asked.full:
        head += speech("preview", ids=joined([m.id for m in found.hits[:2]]))
    return head + ":"


def _nothing(found: NoteAnswer, asked: Asked, lines: Lines) -> str:
    speech, question = lines.speech, asked.question
    if not found.words:
        return speech("error") + speech("only_signs")
    told = [speech("no_hits", query=_query(question)) + _in_tags(question.tags, lines)]
    told[0] += "".join(speech(f"note_{note.name.lower()}") for note in found.notes) + "."
    if found.hidden_chronicle:
        told.append(speech("hint_chronicle", count=found.hidden_chronicle))
    if question.tags and found.outside is None:
        told.append(speech("hint_tag"))
    if asked.kinds_named:
        told.append(speech("hint_kind"))
    if not question.superseded:
        told.append(speech("hint_superseded"))
    return " ".join([*told, speech("hint_topics")])


def _outside(found: NoteAnswer, asked: Asked, lines: Lines) -> str:
    if found.outside is None:
        return ""
    tags = discreet(", ".join(asked.question.tags))[:_QUERY_SHOWN]
    return lines.speech("outside", tags=tags, preview=lines.preview(found.outside))


def _found_facts(found: NoteAnswer, lines: Lines) -> Facts:
    outside = found.outside
    return {
        "notes": [note.name.lower() for note in found.notes],
        "hiddenChronicle": found.hidden_chronicle,
        "outside": None if outside is None else lines.facts(outside),
    }


def _query(question: NoteQuestion) -> str:
    return memo_titles.cut(discreet(question.query), _QUERY_SHOWN)


def _in_tags(tags: Sequence[str], lines: Lines) -> str:
    shown = memo_titles.cut(discreet(", ".join(tags)), _QUERY_SHOWN)
    return lines.speech("in_tags", tags=shown) if tags else ""


# --- show


@dataclass(frozen=True, slots=True)
class Wanted:
    """The entries that are to be shown, in order, the ids that are not there, and whether all."""

    memories: Sequence[Memory]
    unknown: Sequence[int]
    full: bool


def shown(wanted: Wanted, lines: Lines, budget: int | None) -> Reply:
    """Entries in full: up to the cap, or with `full` up to the budget, and what is left."""
    memories = wanted.memories
    if not memories:
        text = lines.speech("none_there", ids=listed(wanted.unknown, lines.speech))
        return Reply(text, {"entries": [], "left": [], "unknown": some(wanted.unknown)})
    showing = _Showing(wanted, lines, budget, [lines.whole(memory) for memory in memories])
    whole = fitted(showing.build, showing.within_cap(), budget, least=1)
    if budget is None or whole.size <= budget:
        return whole
    return fitted(showing.build_cut, showing.first_length(), budget)


@dataclass(frozen=True, slots=True)
class _Showing:
    """One answer under way, with the drawn entries."""

    wanted: Wanted
    lines: Lines
    budget: int | None
    drawn: list[str]

    def within_cap(self) -> int:
        """How many entries the cap lets through; the first one always."""
        if self.wanted.full:
            return len(self.drawn)
        return max(1, fitting([len(text) + 2 for text in self.drawn], CAP))

    def first_length(self) -> int:
        """How many characters of the first entry the cap lets through."""
        length = len(crossing.memo_text(self.wanted.memories[0]))
        return length if self.wanted.full else min(length, CAP)

    def build(self, count: int) -> Reply:
        """The answer with the first `count` entries; the first is cut where the cap says so."""
        if count == 1 and not self.wanted.full and len(self.drawn[0]) > CAP:
            return self.build_cut(CAP)
        texts = [crossing.memo_text(memory) for memory in self.wanted.memories[:count]]
        return self._reply(self.drawn[:count], texts)

    def build_cut(self, length: int) -> Reply:
        """The answer with at most `length` characters of the first entry alone."""
        first = self.wanted.memories[0]
        text = crossing.memo_text(first)
        part = memo_titles.opening(text, length)
        if len(part) == len(text):
            return self._reply(self.drawn[:1], [text])
        beyond = self.budget is not None and len(text) > self.budget
        key = "cut_by_budget" if self.wanted.full or beyond else "cut"
        note = self.lines.speech(key, shown=len(part), count=len(text), id=first.id)
        return self._reply([f"{self.lines.head(first)}\n{inside(part)}\n{note}"], [part], len(text))

    def _reply(self, drawn: list[str], texts: list[str], whole: int | None = None) -> Reply:
        memories, unknown = self.wanted.memories, self.wanted.unknown
        left = [memory.id for memory in memories[len(drawn) :]]
        blocks = [*drawn, *([self._rest(memories[len(drawn) :])] if left else [])]
        if unknown:
            ids = listed(unknown, self.lines.speech)
            blocks.append(self.lines.speech("none_there", ids=ids))
        entries = [self.lines.facts(m, t) for m, t in zip(memories, texts, strict=False)]
        if whole is not None:
            entries[0]["characters"] = whole
        value: Facts = {"entries": entries, "left": self._named(left), "unknown": some(unknown)}
        return Reply("\n\n".join(blocks), value)

    def _rest(self, left: Sequence[Memory]) -> str:
        ids = self._named([memory.id for memory in left])
        facts = {"count": len(left), "cap": CAP, "ids": joined(ids, len(ids))}
        if self.wanted.full:
            return self.lines.speech("rest_full", **facts)
        titles = [f"  {self.lines.preview(memory)}" for memory in left[:200]]
        titles = titles[: fitting([len(t) + 1 for t in titles], self._room() // 4)]
        more = ["  ..."] if len(titles) < len(left) else []
        return "\n".join([self.lines.speech("rest", **facts), *titles, *more])

    def _named(self, ids: list[int]) -> list[int]:
        """As many of these ids as the answer has room to name."""
        return ids[: fitting([len(str(each)) + 1 for each in ids], self._room() // 8)]

    def _room(self) -> int:
        return _UNBOUNDED if self.budget is None else self.budget
