"""What is said about the tags of a new memory: kind words, near misses of known tags, new tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from importlib import import_module
from typing import Any

from remembrancer.core import crossing

ESTABLISHED = 3  # living memories from which on a tag needs no advice
CLOSE, ALIKE = 0.8, 0.7  # ratios: of a tag that is probably meant, of one worth a look
_SHOWN, _CANDIDATES = 3, 60


class Concern(StrEnum):
    """Why a tag is mentioned."""

    KIND_WORD = "kind word"
    NEIGHBOURS = "neighbours"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class TagAdvice:
    """One tag and why it is mentioned; `known` are better known tags with their living memories."""

    tag: str
    concern: Concern
    known: tuple[tuple[str, int], ...] = ()


def is_kind_word(tag: str) -> bool:
    """Whether a tag is the word of a kind, which says nothing about where a memory belongs."""
    return crossing.memo_entity((tag,)) is None


def advice(
    tag: str, names: Callable[[], Sequence[str]], living: Callable[[str], int]
) -> TagAdvice | None:
    """What to say about a tag, None for nothing.

    `names` gives the known tags, asked for only when they matter; `living` how many living
    memories a tag has.
    """
    if is_kind_word(tag):
        return TagAdvice(tag, Concern.KIND_WORD)
    own = living(tag)
    if own >= ESTABLISHED:
        return None
    found: list[tuple[str, int]] = []
    for name in neighbours(tag, names())[:_CANDIDATES]:
        count = living(name)
        if count > own:
            found.append((name, count))
        if len(found) == _SHOWN:
            break
    if found:
        return TagAdvice(tag, Concern.NEIGHBOURS, tuple(found))
    return None if own else TagAdvice(tag, Concern.NEW)


def neighbours(tag: str, names: Iterable[str]) -> list[str]:
    """Tags that may be meant instead: of other case, sub-tags and their heads, close spellings."""
    mine = tag.casefold()
    others = [name for name in names if name != tag and not is_kind_word(name)]
    folded = [(name, name.casefold()) for name in others]
    same = [name for name, other in folded if other == mine]
    kin = [n for n, o in folded if o.startswith(f"{mine}-") or mine.startswith(f"{o}-")]
    return list(dict.fromkeys([*same, *kin, *close(tag, others, CLOSE)]))


def close(tag: str, names: Sequence[str], ratio: float) -> list[str]:
    """The names whose difflib ratio to `tag`, case aside, is at least `ratio`; closest first."""
    mine = tag.casefold()
    # Never below difflib's ratio, and quick enough for ten thousands of names.
    process: Any = import_module("rapidfuzz.process")
    indel: Any = import_module("rapidfuzz.distance").Indel
    near = process.extract(
        mine, [n.casefold() for n in names], scorer=indel.normalized_similarity,
        score_cutoff=ratio - 1e-6, limit=200,
    )  # fmt: skip
    rated = [
        (SequenceMatcher(None, mine, str(folded)).ratio(), str(names[at])) for folded, _, at in near
    ]
    return [name for rate, name in sorted(rated, key=lambda r: (-r[0], r[1])) if rate >= ratio]


def alike(tag: str, names: Sequence[str], most: int = 5) -> list[str]:
    """Known tags for one that is not known: those that hold it or lie in it, then close ones."""
    mine = tag.casefold()
    holding = [n for n in names if mine in n.casefold() or (len(n) > 2 and n.casefold() in mine)]
    ordered = sorted(holding, key=lambda name: (abs(len(name) - len(tag)), name))
    return list(dict.fromkeys([*ordered, *close(tag, names, ALIKE)]))[:most]
