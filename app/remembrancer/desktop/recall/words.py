"""A hit in words: how it stands to what was asked, why it was found, why it was left out."""

from __future__ import annotations

import re

from remembrancer.core.entity import Scope, ScopeRecord
from remembrancer.core.explaining import Room, Whole, rooms
from remembrancer.core.recall import Applicability, Hit, Question
from remembrancer.desktop.look.plain import number, one_line, translate
from remembrancer.service.meaning import MeaningState, Standing

# applicability -> (word, tone)
APPLICABILITY = {
    Applicability.APPLICABLE: ("applies", "ok"),
    Applicability.RELATED: ("related", "warn"),
    Applicability.LIBRARY: ("library", "muted"),
}
_MATCHING = re.compile(r"(\d+) matching terms")


def applicability(hit: Hit) -> tuple[str, str]:
    """How a hit stands to the entity that was asked about, and the tone of that word."""
    word, tone = APPLICABILITY[hit.applicability]
    return translate("Recall", word), tone


def reasons(hit: Hit) -> str:
    """Why the hit was found, in one line."""
    return " · ".join(_reason(r) for r in hit.reasons)


def _reason(reason: str) -> str:
    found = _MATCHING.fullmatch(reason)
    if found is None:
        return translate("Recall", reason)
    if found[1] == "1":
        return translate("Recall", "1 word matches")
    return translate("Recall", "{0} words match").format(found[1])


def score(hit: Hit) -> str:
    """The score as it ranks, such as "score 57.5"; mandatory hits stand before all scores."""
    words = translate("Recall", "score {0}").format(f"{hit.score:.1f}")
    return translate("Recall", "always · {0}").format(words) if hit.mandatory else words


def left_out(whole: Whole, question: Question) -> dict[int, str]:
    """memory id -> why it was left out, in the order in which places were given away."""
    met = rooms(whole.answer, question)
    why = {memory_id: _why(room, question) for memory_id, room in met.items()}
    beaten = translate("Recall", "Beaten by so many that it was not tried")
    return why | {hit.memory.id: beaten for hit in whole.beyond}


def _why(room: Room, question: Question) -> str:
    if room.full:
        return translate("Recall", "The limit of {0} was reached").format(question.limit)
    said = translate("Recall", "Did not fit the budget: needs {0} characters, {1} were left")
    return said.format(number(room.needs), number(room.left))


def scope(record: ScopeRecord) -> str:
    """A scope that was in force, in a few words."""
    if record.scope is Scope.GROUP:
        words = translate("Recall", "group of {0}").format(len(record.members))
    else:
        words = translate("Recall", str(record.scope))
    return f"{one_line(record.entity, 32)} · {words}"


def characters(used: int, budget: int) -> str:
    """How much of the budget the text takes."""
    return translate("Recall", "{0} of {1} characters").format(number(used), number(budget))


def signals(meaning: MeaningState) -> str:
    """By which signals an answer was found, where meaning was that far."""
    words = {
        Standing.LOADING: translate("Recall", "Words only; the model for meaning is being loaded"),
        Standing.FAILED: translate("Recall", "Words only; the model for meaning cannot be used"),
        Standing.MAKING: translate("Recall", "Words; meaning is still being made: {0} %"),
        Standing.READY: translate("Recall", "Words and meaning"),
    }.get(meaning.standing, translate("Recall", "Words only"))
    return words.format(int(meaning.share * 100))
