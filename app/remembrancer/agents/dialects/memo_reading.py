"""What a caller of memo writes: ids, kinds and tags, as they come."""

from __future__ import annotations

import re
from dataclasses import dataclass

from remembrancer.agents.dialects.memo_speech import Speech
from remembrancer.agents.discretion import discreet
from remembrancer.core import kinds, names
from remembrancer.core.errors import BadValue
from remembrancer.core.kinds import Kind

_ID = re.compile(r"(?<![\w.-])([\w.-]++)#([0-9]+)|([0-9]+)")
_DIGITS = 18  # no id is longer
_SHOWN = 60  # characters of a wrong word in a refusal
_EVERY_KIND = frozenset({"alle", "all"})
_KINDS: dict[str, Kind] = {
    word: kinds.kind(word, vocabulary)
    for vocabulary in (kinds.MEMO_DE, kinds.MEMO_EN)
    for word in kinds.words(vocabulary)
}


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the arguments of one call; `own` is this memory's name, `nothing` ends a refusal."""

    speech: Speech
    own: str
    nothing: str = "nothing_done"

    def wrong(self, key: str, **facts: object) -> BadValue:
        """The refusal of a call."""
        return BadValue(self.speech(key, nothing=self.speech(self.nothing), **facts))

    def ids(self, text: str, *, empty: bool = False) -> tuple[int, ...]:
        """The ids in `72`, `#72` or `name#72`, separated by anything, each once, in order.

        An id of another memory refuses the call, and so does a text without ids unless `empty`.
        """
        mine = re.compile(rf"(?<![\w.-]){re.escape(self.own)}#", re.IGNORECASE)
        found: list[int] = []
        for match in _ID.finditer(mine.sub("#", text)):
            name, id_, bare = match.groups()
            if name is not None and re.search(r"[^\W\d_]", name):
                told = discreet(name)[:_SHOWN]
                raise self.wrong("foreign", id=id_[:_DIGITS], name=told, own=self.own)
            found += [int(each[:_DIGITS]) for each in _numbers(name, id_, bare)]
        if not found and not empty:
            raise self.wrong("no_ids")
        return tuple(dict.fromkeys(found))

    def kind(self, text: str) -> Kind:
        """The one kind that is named; none or all of them means unsorted."""
        words = self._words(text)
        if len(words) > 1:
            raise self.wrong("one_kind", kinds=", ".join(words))
        return Kind.UNSORTED if not words or words[0] in _EVERY_KIND else _KINDS[words[0]]

    def exact_kind(self, text: str) -> Kind:
        """The one kind that must be named."""
        words = self._words(text)
        if len(words) != 1 or words[0] in _EVERY_KIND:
            raise self.wrong("one_kind", kinds=", ".join(words) or "-")
        return _KINDS[words[0]]

    def kinds(self, text: str) -> frozenset[Kind] | None:
        """Every kind that is shown by one of the words named, None for all kinds."""
        words = self._words(text)
        if not words or not _EVERY_KIND.isdisjoint(words):
            return None
        shown = (
            kinds.shown_as(self.speech.kind(_KINDS[word]), self.speech.vocabulary) for word in words
        )
        return frozenset[Kind]().union(*shown)

    def tags(self, text: str, locked: str | None = None) -> tuple[str, ...]:
        """The tags in a text, which blanks or commas part; a locked entity's name stays whole."""
        if locked is not None and (text.strip() + ",").startswith((f"{locked},", f"{locked} ")):
            return (locked, *split(text.strip()[len(locked) :]))
        return split(text)

    def checked_tags(self, text: str, locked: str | None) -> tuple[str, ...]:
        """Tags that may be stored."""
        tags = self.tags(text, locked)
        if len(set(tags)) > names.TAGS_LIMIT or any(len(t) > names.TAG_LIMIT for t in tags):
            raise self.wrong("long_tags", most=names.TAGS_LIMIT, length=names.TAG_LIMIT)
        return tags

    def text(self, text: str) -> str:
        """A text that may be stored."""
        if not text.strip():
            raise self.wrong("empty_text")
        if len(text) > names.CONTENT_LIMIT:
            raise self.wrong("long_text", count=len(text), most=names.CONTENT_LIMIT)
        return text

    def reason(self, text: str) -> str:
        """A reason that may be stored; without one things are outdated."""
        if len(text) > names.SOURCE_LIMIT:
            raise self.wrong("long_reason", most=names.SOURCE_LIMIT)
        return text.strip() or self.speech("why_outdated")

    def _words(self, text: str) -> list[str]:
        words = list(dict.fromkeys(word.casefold() for word in split(text)))
        for word in words:
            if word not in _KINDS and word not in _EVERY_KIND:
                possible = ", ".join(self.speech.kinds())
                raise self.wrong("unknown_kind", kind=repr(discreet(word)[:_SHOWN]), kinds=possible)
        return words


def split(text: str) -> tuple[str, ...]:
    """The parts of a list with blanks or commas."""
    return tuple(part for part in re.split(r"[\s,]+", text) if part)


def _numbers(name: str | None, id_: str | None, bare: str | None) -> list[str]:
    """The digits of one match: `72#73` has no name in front, but another id."""
    before = re.findall(r"[0-9]+", name) if name is not None else []
    return [*before, *(each for each in (id_, bare) if each is not None)]
