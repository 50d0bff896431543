"""An explanation in words: the sentence of its verdict, and the facts beneath it."""

from __future__ import annotations

from collections.abc import Iterator

from remembrancer.core import explaining
from remembrancer.core.explaining import Explanation, LookedFor, Place, Verdict
from remembrancer.core.memory import Memory
from remembrancer.core.recall import Hit, Question
from remembrancer.desktop import words as all_words
from remembrancer.desktop.look.plain import number, one_line, translate
from remembrancer.desktop.recall import words
from remembrancer.desktop.recall.signal_model import decimal

# verdict -> (icon, tone)
LOOK = {
    Verdict.SERVED: ("circle-check", "ok"),
    Verdict.BEATEN: ("arrow-down-wide-narrow", "warn"),
    Verdict.TOO_LONG: ("gauge", "warn"),
    Verdict.NOT_LOOKED_AT: ("eye-off", "warn"),
    Verdict.NO_WORDS: ("search", "warn"),
    Verdict.OUT_OF_REACH: ("unlink", "warn"),
    Verdict.EXPIRED: ("hourglass", "bad"),
    Verdict.ARCHIVED: ("archive", "muted"),
    Verdict.DELETED: ("trash-2", "bad"),
    Verdict.LOCKED: ("shield", "bad"),
}
SHOWN_SCOPES = 12
Facts = list[tuple[str, str]]


def sentence(found: Explanation, question: Question) -> str:
    """Whether the memory is served and if not why, in one sentence."""
    memory = found.memory
    if memory is None:
        return translate("Recall", "The asker is locked to another entity: it sees nothing here.")
    match found.verdict:
        case Verdict.EXPIRED:
            said = translate("Recall", "Not served: it expired on {0}.")
            return said.format(all_words.full_moment(memory.expires_at))
        case Verdict.ARCHIVED:
            said = translate("Recall", "Not served: {0} archived it on {1}.")
            when = all_words.full_moment(memory.archived_at)
            return said.format(one_line(memory.archived_by or "?", 40), when)
        case Verdict.DELETED:
            said = translate("Recall", "Not served: it was deleted on {0}.")
            return said.format(all_words.full_moment(memory.updated_at))
        case Verdict.OUT_OF_REACH:
            return _out_of_reach(found, memory)
        case Verdict.NO_WORDS:
            return _no_words(found)
        case Verdict.NOT_LOOKED_AT:
            return _not_looked_at(found)
        case _:
            return _ranked(found, question)


def facts(found: Explanation, question: Question) -> Facts:
    """What the verdict rests on, as names and values."""
    return [
        *_of_place(found, question),
        *_of_words(found, question),
        *_of_range(found),
        *_of_past(found),
    ]


# --- sentences


def _ranked(found: Explanation, question: Question) -> str:
    place = found.place or Place(0, 0, None)
    where = translate("Recall", "place {0} of {1}").format(number(place.place), number(place.among))
    if found.verdict is Verdict.SERVED:
        return translate("Recall", "It is served: {0}.").format(where)
    if found.verdict is Verdict.TOO_LONG and found.room is not None:
        said = translate("Recall", "Not served: it needs {0} characters, and {1} were left.")
        return said.format(number(found.room.needs), number(found.room.left))
    if found.room is None:
        return translate("Recall", "Not served: {0}, too far down to be tried.").format(where)
    said = translate("Recall", "Not served: {0}, after the limit of {1} was reached.")
    return said.format(where, question.limit)


def _out_of_reach(found: Explanation, memory: Memory) -> str:
    selected = found.range.selected if found.range else ""
    if memory.entity is None:
        said = translate("Recall", "Not served: it is unfiled, and the question is about {0}.")
        return said.format(one_line(selected, 60))
    said = translate("Recall", "Not served: it is about {0}, which does not apply to {1}.")
    return said.format(one_line(memory.entity, 60), one_line(selected, 60))


def _no_words(found: Explanation) -> str:
    if found.words is None or not found.words.looked_for:
        return translate("Recall", "Not served: the question has no words to look for.")
    if found.words.similar:
        return translate("Recall", "Not served: it has no word asked for, only similar ones.")
    return translate("Recall", "Not served: it has none of the words asked for.")


def _not_looked_at(found: Explanation) -> str:
    crowd = found.crowd or explaining.Crowd((), 0, False)
    if not crowd.words:
        said = translate(
            "Recall", "Not served: nothing was asked, and {0} pinned or newer ones were looked at."
        )
    elif crowd.newer:
        said = translate(
            "Recall", "Not served: very many have its words, and the {0} looked at are all newer."
        )
    else:
        said = translate(
            "Recall", "Not served: very many have its words, and only the best {0} were looked at."
        )
    return said.format(number(crowd.looked_at))


# --- facts


def _of_place(found: Explanation, question: Question) -> Iterator[tuple[str, str]]:
    if found.hit is None or found.place is None or found.verdict is Verdict.SERVED:
        return
    yield translate("Recall", "Its score"), _score(found.hit)
    if found.verdict is Verdict.BEATEN and found.place.last is not None:
        yield translate("Recall", "Last one served"), _score(found.place.last)
    if found.verdict is Verdict.TOO_LONG and found.room is not None:
        place = translate("Recall", "{0} of {1}")
        where = place.format(number(found.place.place), number(found.place.among))
        yield translate("Recall", "Its place"), where
        budget, left = number(question.max_characters), number(found.room.left)
        said = translate("Recall", "{0} of {1} characters")
        yield translate("Recall", "Left for it"), said.format(left, budget)


def _score(hit: Hit) -> str:
    score = decimal(hit.score)
    if hit.mandatory:
        return translate("Recall", "{0}, but it comes before all scores").format(score)
    return score


def _of_words(found: Explanation, question: Question) -> Iterator[tuple[str, str]]:
    if found.crowd is not None:
        for word, count in found.crowd.words:
            yield one_line(word, 60), _in_many(count)
    if found.words is None or found.memory is None:
        return
    for each in found.words.similar:
        said = explaining.told(each, found.memory, question.query)
        yield translate("Recall", "Similar only"), one_line(said, 120)
    for word in found.words.looked_for:
        yield translate("Recall", "Looked for"), _looked_for(word)


def _in_many(count: int) -> str:
    if count == 1:
        return translate("Recall", "in 1 memory")
    return translate("Recall", "in about {0} memories").format(number(count))


def _looked_for(word: LookedFor) -> str:
    if not word.forms:
        return one_line(word.asked, 80)
    forms = ", ".join(word.forms)
    return translate("Recall", "{0} (also {1})").format(one_line(word.asked, 80), one_line(forms))


def _of_range(found: Explanation) -> Iterator[tuple[str, str]]:
    if found.range is None:
        return
    scopes = [words.scope(record) for record in found.range.scopes[:SHOWN_SCOPES]]
    if more := len(found.range.scopes) - len(scopes):
        scopes.append(translate("Recall", "and {0} more").format(more))
    yield translate("Recall", "What applies"), ", ".join(scopes)
    if found.range.related_only:
        said = "Switched off: with them it would be within reach."
        yield translate("Recall", "Related entities"), translate("Recall", said)


def _of_past(found: Explanation) -> Iterator[tuple[str, str]]:
    memory = found.memory
    if memory is None or found.verdict is not Verdict.ARCHIVED:
        return
    if memory.archived_reason:
        yield translate("Recall", "Reason"), one_line(memory.archived_reason, 300)
    if memory.superseded_by is not None:
        yield translate("Recall", "Superseded by"), f"m-{memory.superseded_by}"
