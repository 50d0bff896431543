"""The desk for what resembles: earlier memories like a new text, and groups of similar ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from remembrancer.core import crossing, memo_search, resembling, stems
from remembrancer.core.author import Author
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.service.desk import Ground
from remembrancer.service.note_search import tagged
from remembrancer.store.note_search import Among

_ALIKE = 0.55
_TERMS = 20  # words of a new text that are searched for
_CANDIDATES = 12
_RANKED = 3_000  # matches of its rarest words that are ranked
_WEIGHED = 120  # stems of a new text that are weighed


@dataclass(frozen=True, slots=True)
class Resembling:
    """A memory that holds the `share` of a new text (0.55 to 1, by the rarity of its words).

    `numbers` are those only in the old and those only in the new text, when both have some.
    """

    memory: Memory
    share: float
    numbers: tuple[tuple[str, ...], tuple[str, ...]] | None


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
        index, locked = self._store.note_index, author.entity is not None
        asked = [form for term in memo_search.terms(text, _TERMS) for form in term.forms]
        weighed = dict(list(stems.likenesses(text).items())[:_WEIGHED])
        forms = {stem: stems.forms(word) for stem, word in weighed.items()}
        with self._store.reading():
            reach = index.reach(Among(entity=author.entity))
            every = dict.fromkeys((*asked, *chain.from_iterable(forms.values())))
            counts = index.frequencies(map(memo_search.quoted, every), reach if locked else None)
            known = {form: counts[memo_search.quoted(form)] for form in every}
            total = index.count(reach) if locked else index.size()
            searched = {memo_search.quoted(form): known[form] for form in asked}
            ids = index.find_any(searched, reach, _CANDIDATES + 1, _RANKED)
            others = [each for each in ids if each != besides][:_CANDIDATES]
            memories = self._store.memories.several(others)
        weights = {
            stem: resembling.rarity(total, max(known[form] for form in of))
            for stem, of in forms.items()
        }
        found = [_compared(memory, text, weights) for memory in memories]
        alike = [each for each in found if each.share >= _ALIKE]
        return sorted(alike, key=lambda each: (-each.share, -each.memory.id))[: max(0, limit)]

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


def _compared(memory: Memory, text: str, weights: dict[str, float]) -> Resembling:
    old = crossing.memo_text(memory)[: resembling.LOOKED_AT]
    tags = " ".join(crossing.memo_tags(memory))
    held = stems.likenesses(f"{old}\n{tags}").keys()
    share = resembling.share(weights, held)
    only_old, only_new = resembling.differing(old, text)
    if only_old or only_new:
        share = min(share, resembling.ALMOST)
    both = (only_old, only_new) if only_old and only_new else None
    return Resembling(memory, share, both)
