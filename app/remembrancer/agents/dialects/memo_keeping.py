"""What memo says of what it stored: the new entry, its notices, and the entries it resembles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remembrancer.agents.dialects.memo_lines import Facts, Lines, Reply, listed, missing, some
from remembrancer.agents.dialects.memo_speech import Speech, moment
from remembrancer.core import crossing, memo_titles
from remembrancer.core.judging import Word
from remembrancer.core.kinds import Kind
from remembrancer.core.tag_guard import TagAdvice
from remembrancer.service.notes import Arrival, Kept

if TYPE_CHECKING:
    from remembrancer.service.resembling import Resembling

LONG, LONG_DATED = 900, 400  # characters of a text from which on something is said about it
_DATED = re.compile(r"[\s*]*(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\s?\d{1,2}\.|\d{1,2}/\d{1,2}/\d{2,4})")
_NUMBERS = 3
_FIRST = {Arrival.NEW: "stored", Arrival.THERE: "there", Arrival.REVIVED: "revived"}


@dataclass(frozen=True, slots=True)
class Keeping:
    """What came of remembering a text: what was kept, what it resembles, and what a judge said."""

    kept: Kept
    similar: Sequence[Resembling]
    hints: Mapping[int, Word]


def remembered(done: Keeping, asked: Sequence[int], lines: Lines) -> Reply:
    """The answer; `asked` are the ids that were to be superseded."""
    notices = _notices(done, asked, lines)
    similar = _similar(done, lines)
    text = "\n".join([_first(done.kept, lines), *(told for _, told in notices), *similar])
    return Reply(text, _facts(done, [code for code, _ in notices], lines))


def _first(kept: Kept, lines: Lines) -> str:
    memory = kept.memory
    tags = lines.tags(memory) or "-"
    kind, at = lines.speech.kind(memory.kind), moment(memory.created_at)
    key = _FIRST[kept.arrival]
    return lines.speech(key, id=memory.id, at=at, kind=kind, tags=tags) + lines.marks(memory)


def _notices(done: Keeping, asked: Sequence[int], lines: Lines) -> list[tuple[str, str]]:
    """(code, sentence) of everything that is to be said, in its order."""
    kept, speech = done.kept, lines.speech
    said: list[tuple[str, str]] = []
    if kept.secrets:
        said.append(("masked", speech("masked", kinds=", ".join(kept.secrets))))
    if kept.arrival is Arrival.NEW:
        said += _about_text(kept, speech)
        said += [_about_tag(each, speech) for each in kept.advice]
    if asked and (kept.superseded or kept.unknown):
        key = "put_away" if kept.superseded else "put_away_none"
        gone, lost = listed(kept.superseded, speech), missing(kept.unknown, speech)
        said.append(("superseded", speech(key, ids=gone, missing=lost)))
    return said


def _about_text(kept: Kept, speech: Speech) -> list[tuple[str, str]]:
    text, id_ = kept.memory.content, kept.memory.id
    said: list[tuple[str, str]] = []
    if kept.memory.kind is Kind.UNSORTED:
        kinds = ", ".join(speech.kinds()[:-1])
        said.append(("unsorted", speech("unsorted", id=id_, kinds=kinds)))
    if len(text) > LONG:
        said.append(("long", speech("long", count=len(text))))
    if len(text) > LONG_DATED and _DATED.match(text):
        said.append(("dated", speech("dated", kind=speech.kind(Kind.CHRONICLE))))
    return said


def _about_tag(advice: TagAdvice, speech: Speech) -> tuple[str, str]:
    code = f"tag_{advice.concern.name.lower()}"
    known = ", ".join(f"{name} ({count})" for name, count in advice.known)
    return code, speech(code, tag=advice.tag, known=known)


def _similar(done: Keeping, lines: Lines) -> list[str]:
    if not done.similar:
        return []
    drawn = [_resembling(each, done.hints.get(each.memory.id), lines) for each in done.similar]
    disclaimer = [lines.speech("hint_disclaimer")] if done.hints else []
    return [lines.speech("similar"), *drawn, *disclaimer]


def _resembling(found: Resembling, hint: Word | None, lines: Lines) -> str:
    told = [lines.speech("overlap", share=round(found.share * 100))]
    if found.numbers is not None:
        old, new = (_numbers(each) for each in found.numbers)
        told.append(lines.speech("numbers", old=old, new=new))
    if hint is not None:
        told.append(lines.speech(f"hint_{hint.value}"))
    return f"  #{found.memory.id} ({', '.join(told)}) {memo_titles.title(found.memory)}"


def _numbers(found: Sequence[str]) -> str:
    more = len(found) - _NUMBERS
    return ", ".join(found[:_NUMBERS]) + (f" (+{more})" if more > 0 else "")


def _facts(done: Keeping, notices: list[str], lines: Lines) -> Facts:
    kept, memory = done.kept, done.kept.memory
    return {
        "id": memory.id,
        "created": moment(memory.created_at),
        "kind": lines.speech.kind(memory.kind),
        "tags": list(crossing.memo_tags(memory)),
        "status": kept.arrival.value,
        "notices": notices,
        "superseded": some(kept.superseded),
        "unknown": some(kept.unknown),
        "similar": [_similar_facts(each, done.hints, lines) for each in done.similar],
    }


def _similar_facts(found: Resembling, hints: Mapping[int, Word], lines: Lines) -> Facts:
    numbers = found.numbers or ((), ())
    hint = hints.get(found.memory.id)
    return {
        "id": found.memory.id,
        "overlap": round(found.share, 2),
        "onlyOld": list(numbers[0]),
        "onlyNew": list(numbers[1]),
        "hint": None if hint is None else lines.speech(hint.value),
        "title": memo_titles.title(found.memory),
    }
