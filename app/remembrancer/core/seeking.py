"""A question as ranking looks for it: every word with its forms, its kin and how rare it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from remembrancer.core.analyser import Asked
from remembrancer.core.kin import Vocabulary, kin
from remembrancer.core.ranking import Form, Signal, Sought, Weights, rarity

# In how many memories each of some stems is found; with a star, words that begin so.
Counting = Callable[[Iterable[str]], Mapping[str, int]]

_EXPANDED = 8  # words of a question whose kin are looked for
_WELL_KNOWN = 60  # memories that have a word from which on its kin add nothing


def sought(
    asked: Asked, count: Counting, vocabulary: Vocabulary, total: int, weights: Weights
) -> list[Sought]:
    """The words of a question that `total` memories have at least in some form."""
    wanted = list(_wanted(asked, weights))
    counts = dict(count(stem for each in wanted for stem in each.stems))
    whole = {each.asked: each.known(counts) for each in wanted if each.signal is Signal.WORDS}
    akin = _akin(wanted, counts, count, vocabulary, weights)
    found: list[Sought] = []
    for each in wanted:
        forms = [Form(s, each.signal, each.share) for s in each.stems if each.share and counts[s]]
        kin_forms = {f.text: f for stem in each.stems for f in akin.get(stem, ())}
        having = max(counts[s] for s in each.stems) or sum(counts[t] for t in kin_forms)
        if forms or kin_forms:
            halved = each.signal is Signal.PARTS and whole[each.asked]
            weight = weights.parts if halved else 1.0
            rare = rarity(total, max(having, 1))
            found.append(Sought(each.asked, (*forms, *kin_forms.values()), rare, weight))
    return found


def phrases(counts: Mapping[str, int], total: int, weights: Weights) -> list[Sought]:
    """What was written without blanks, with the number of memories that have each."""
    if not weights.phrases:
        return []
    return [
        Sought(phrase, (Form(phrase, Signal.PHRASE, weights.phrases),), rarity(total, count))
        for phrase, count in counts.items()
        if count
    ]


class _Wanted(NamedTuple):
    """A word, or a part of one, before anything is known of it."""

    asked: str
    stems: tuple[str, ...]
    signal: Signal
    share: float
    with_kin: bool

    def wanting(self, counts: Mapping[str, int]) -> bool:
        """Whether so few memories have it that its kin may say more; of a part, if none has."""
        enough = _WELL_KNOWN if self.signal is Signal.WORDS else 1
        return sum(counts[stem] for stem in self.stems) < enough

    def known(self, counts: Mapping[str, int]) -> bool:
        """Whether any memory has it."""
        return any(counts[stem] for stem in self.stems)


def _wanted(asked: Asked, weights: Weights) -> Iterator[_Wanted]:
    for place, word in enumerate(asked.words):
        with_kin = place < _EXPANDED and not word.filler
        yield _Wanted(word.folded, word.stems, Signal.WORDS, weights.words, with_kin)
        for part in word.parts if weights.parts else ():
            yield _Wanted(word.folded, part, Signal.PARTS, 1.0, with_kin)


def _akin(
    wanted: Sequence[_Wanted],
    counts: dict[str, int],
    count: Counting,
    vocabulary: Vocabulary,
    weights: Weights,
) -> dict[str, list[Form]]:
    """The kin of each stem that some memory has; they are counted into `counts`."""
    known = {
        stem: each.known(counts)
        for each in wanted
        for stem in each.stems
        if each.with_kin and each.wanting(counts)
    }
    found = kin(known, vocabulary, weights)
    for each in wanted:
        begins = each.signal is Signal.WORDS and each.with_kin and weights.akin
        if begins and not each.known(counts):
            begun = Form(f"{each.asked}*", Signal.AKIN, weights.akin)
            found.setdefault(each.stems[0], []).append(begun)
    fresh = {form.text for forms in found.values() for form in forms if form.text not in counts}
    counts.update(count(fresh))
    return {stem: [f for f in forms if counts[f.text]] for stem, forms in found.items()}
