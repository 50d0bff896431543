"""The desk for what resembles: earlier memories like a new text, and groups of similar ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from remembrancer.core import analyser, crossing, memo_search, resembling, unlike
from remembrancer.core.author import Author
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.core.unlike import Difference, Verdict
from remembrancer.service.desk import Ground
from remembrancer.service.note_search import tagged
from remembrancer.store.note_search import Among

_ALIKE = 0.55
_WEIGHED = 64  # stems of a new text that are weighed
_ASKED = 6  # of them the rarest, by which texts are searched
_RANKED = 1_000  # matches that are ranked
_CANDIDATES = 20  # texts that are compared


@dataclass(frozen=True, slots=True)
class Resembling:
    """A memory that holds the `share` of a new text (0.55 to 1, by the rarity of its words).

    `numbers` are those only in the old and those only in the new text, when both have some;
    `verdict` and `difference` tell from the memory to the new text.
    """

    memory: Memory
    share: float
    numbers: tuple[tuple[str, ...], tuple[str, ...]] | None
    verdict: Verdict
    difference: Difference


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that resemble one another, by id, and the likeness of the closest two."""

    memories: tuple[Memory, ...]
    best: float


@dataclass(frozen=True, slots=True)
class Groups:
    """The largest groups among `entries`, of all that were `found` by comparing `pairs`."""

    entries: int
    pairs: int
    groups: tuple[Group, ...]
    found: int


class ResemblingDesk:
    """Finds what says nearly the same; an author is shown what its policy lets it see."""

    def __init__(self, ground: Ground) -> None:
        self._store = ground.store

    def like(
        self, text: str, *, besides: int | None, author: Author, limit: int = 3
    ) -> list[Resembling]:
        """Active memories that hold most of a new text, best first; `besides` is left out."""
        text = text[: resembling.LOOKED_AT]
        weighed = dict(islice(analyser.likenesses(text).items(), _WEIGHED))
        forms = {stem: _stems(word) for stem, word in weighed.items()}
        with self._store.reading():
            known, memories = self._candidates(forms, besides, author)
        weights = {stem: resembling.rarity(known.total, n) for stem, n in known.counts.items()}
        shares = [(_share(memory, text, weights), memory) for memory in memories]
        alike = [each for each in shares if each[0] >= _ALIKE]
        best = sorted(alike, key=lambda each: (-each[0], -each[1].id))[: max(0, limit)]
        return [_compared(share, memory, text) for share, memory in best]

    def _candidates(
        self, forms: Mapping[str, tuple[str, ...]], besides: int | None, author: Author
    ) -> tuple[_Known, list[Memory]]:
        """How frequent each stem is, and the memories that hold some of the rarest."""
        index, locked = self._store.note_index, author.entity is not None
        reach = index.reach(Among(entity=author.entity))
        every = {form: memo_search.quoted(form) for of in forms.values() for form in of}
        counts = index.frequencies(every.values(), reach if locked else None)
        total = index.count(reach) if locked else index.size()
        rarest = sorted(
            max((counts[every[form]], every[form]) for form in of) for of in forms.values()
        )
        searched = _searched([each for each in rarest if each[0]][:_ASKED], total)
        ids = index.find_any(searched, reach, _CANDIDATES + 1, _RANKED)
        others = [each for each in ids if each != besides][:_CANDIDATES]
        frequent = {stem: max(counts[every[form]] for form in of) for stem, of in forms.items()}
        return _Known(total, frequent), self._store.memories.several(others)

    def groups(
        self,
        *,
        tag: str,
        kinds: frozenset[Kind] | None,
        threshold: float,
        most: int,
        author: Author,
    ) -> Groups:
        """Groups of active memories that resemble one another by `threshold`, `most` of them."""
        index = self._store.note_index
        with self._store.reading():
            among = Among(kinds=kinds, entity=author.entity)
            if tag.strip():
                among = replace(among, tagged=tagged(index, (tag,)))
            rows = index.texts(among, resembling.LOOKED_AT)
        found = resembling.clusters((text for _, text in rows), threshold)
        shown = found.groups[: max(0, most)]
        with self._store.reading():
            groups = [
                Group(tuple(self._store.memories.several([rows[n][0] for n in places])), best)
                for places, best in shown
            ]
        return Groups(len(rows), found.pairs, tuple(groups), len(found.groups))


@dataclass(frozen=True, slots=True)
class _Known:
    """In how many memories of `total` each stem is found."""

    total: int
    counts: Mapping[str, int]


def _stems(word: str) -> tuple[str, ...]:
    """The forms under which the index finds a word and its inflected forms."""
    first, *others = analyser.forms(word)
    return tuple(others) or (first,)


def _searched(rarest: Sequence[tuple[int, str]], total: int) -> dict[str, int]:
    """Expressions that find texts with the rarest words (count, form), each with its matches.

    Every word alone, and one of each half together: where words are frequent, ranking all texts
    with one of them would take too long, and those with two of them are few.
    """
    found = {form: count for count, form in rarest}
    halves = rarest[::2], rarest[1::2]
    if all(halves):
        one, other = (" OR ".join(form for _, form in half) for half in halves)
        each, beside = (sum(count for count, _ in half) for half in halves)
        found[f"({one}) AND ({other})"] = each * beside // max(total, 1)
    return found


def _share(memory: Memory, text: str, weights: Mapping[str, float]) -> float:
    """The share of a new text that a memory holds, below 1 where a number differs."""
    old = crossing.memo_text(memory)[: resembling.LOOKED_AT]
    tags = " ".join(crossing.memo_tags(memory))
    share = resembling.share(weights, analyser.likenesses(f"{old}\n{tags}").keys())
    if share > resembling.ALMOST and any(resembling.differing(old, text)):
        return resembling.ALMOST
    return share


def _compared(share: float, memory: Memory, text: str) -> Resembling:
    old = crossing.memo_text(memory)[: resembling.LOOKED_AT]
    verdict, difference = unlike.compared(old, text)
    both = difference.numbers if all(difference.numbers) else None
    return Resembling(memory, share, both, verdict, difference)
