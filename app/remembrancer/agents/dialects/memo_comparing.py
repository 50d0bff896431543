"""How memo compares: groups of entries that say much the same, and verdicts on pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from remembrancer.agents.dialects.memo_lines import (
    Facts,
    Lines,
    Reply,
    fitted,
    joined,
    listed,
    some,
)
from remembrancer.agents.dialects.memo_speech import Speech
from remembrancer.core import memo_titles
from remembrancer.core.judging import JudgeState, Outcome, PairVerdict, Word

if TYPE_CHECKING:
    from remembrancer.service.resembling import Group, Groups

_IN_GROUP = 20  # members of a group that get a line


def groups(found: Groups, asked: dict[str, Any], lines: Lines, budget: int | None) -> Reply:
    """Groups of entries that say much the same; `asked` has the tag and the threshold."""
    speech = lines.speech
    value: Facts = {"entries": found.entries, "pairs": found.pairs, "found": found.found}
    if found.entries < 2:
        tags = speech("in_tags", tags=asked["tag"][:200]) if asked["tag"] else ""
        text = speech("too_few", count=found.entries, tags=tags)
        return Reply(text, {**value, "groups": []})
    facts = [_group_facts(group, lines) for group in found.groups]
    drawn = [_group(number, group, lines) for number, group in enumerate(found.groups, 1)]
    head = speech(
        "compared",
        entries=speech.count(found.entries, "entry"),
        pairs=speech.count(found.pairs, "pair"),
        groups=speech.count(found.found, "group"),
        threshold=f"{asked['threshold']:g}",
    )

    def build(count: int) -> Reply:
        tail = _after_groups(found, count, speech)
        return Reply("\n\n".join([head, *drawn[:count], *tail]), {**value, "groups": facts[:count]})

    return fitted(build, len(drawn), budget)


def _after_groups(found: Groups, count: int, speech: Speech) -> list[str]:
    tail: list[str] = []
    left = found.found - count
    if left > 0:
        key = "groups_left" if count == len(found.groups) else "groups_cut"
        tail.append(speech(key, count=left, most=found.found))
    if count:
        ids = joined([memory.id for memory in found.groups[0].memories])
        tail.append(speech("consolidate", ids=ids))
    return tail


def _group(number: int, group: Group, lines: Lines) -> str:
    speech, memories = lines.speech, group.memories
    size = speech.count(len(memories), "entry")
    head = speech("group", number=number, entries=size, best=round(group.best * 100))
    drawn = [f"  {lines.preview(memory)}" for memory in memories[:_IN_GROUP]]
    rest = [memory.id for memory in memories[_IN_GROUP:]]
    more = speech("group_left", count=len(rest), ids=listed(rest, speech)) if rest else ""
    return "\n".join([head, *drawn, *filter(None, [more])])


def _group_facts(group: Group, lines: Lines) -> Facts:
    shown = group.memories[:_IN_GROUP]
    titles = [{"id": m.id, "title": memo_titles.title(m)} for m in shown]
    ids = [memory.id for memory in group.memories[:200]]
    size = len(group.memories)
    return {"best": round(group.best, 2), "size": size, "ids": ids, "titles": titles}


_JUDGED = frozenset({Outcome.AGREED, Outcome.DISAGREED, Outcome.ONE_WAY})


def verdicts(
    found: Sequence[PairVerdict], unknown: Sequence[int], state: JudgeState, lines: Lines,
    budget: int | None,
) -> Reply:  # fmt: skip
    """What the judge said of each pair."""
    speech = lines.speech
    told = state.words(speech.language)
    judged = any(each.outcome in _JUDGED for each in found)
    silent = not judged and any(each.outcome is Outcome.NONE for each in found)
    drawn = [speech("pair", a=v.a, b=v.b, verdict=_verdict(v, speech)) for v in found]
    lost = [speech("none_there", ids=listed(unknown, speech))] if unknown else []
    end = [*lost, *([speech("check_disclaimer")] if judged else [])]
    pairs = [_verdict_facts(each, speech) for each in found]

    def build(count: int) -> Reply:
        left = len(found) - count
        more = [speech("pairs_left", count=left)] if left else []
        body = [speech("no_verdict", state=told)] if silent else [*drawn[:count], *more]
        value: Facts = {"pairs": pairs[:count], "unknown": some(unknown), "state": told}
        return Reply("\n".join([*body, *end]), value)

    return fitted(build, len(found), budget)


def _verdict(found: PairVerdict, speech: Speech) -> str:
    if found.outcome is Outcome.DISAGREED:
        first, second = _word(found.first, speech), _word(found.second, speech)
        return speech("disagreed", first=first, second=second)
    if found.outcome is Outcome.ONE_WAY:
        return speech("one_way", first=_word(found.first or found.second, speech))
    if found.outcome is Outcome.AGREED:
        return _word(found.first, speech)
    return speech(found.outcome.name.lower())


def _word(word: Word | None, speech: Speech) -> str:
    return "" if word is None else speech(word.value)


def _verdict_facts(found: PairVerdict, speech: Speech) -> Facts:
    words = [_word(each, speech) or None for each in (found.first, found.second)]
    return {"a": found.a, "b": found.b, "outcome": found.outcome.name.lower(), "words": words}
