"""Which of many texts are nearly the same, and around which of them they are grouped."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.bags import Gathering, gathered
from remembrancer.core.grouping import BANDS, near_duplicates

ANY_SIGNS = st.text(st.characters(exclude_categories=()))


def grouped(*texts: str, threshold: float = 0.6) -> list[tuple[int, ...]]:
    """Every group as its representative and then its members."""
    found = near_duplicates(gathered(texts), threshold) or []
    return [(near.representative, *(place for place, _ in near.members)) for near in found]


def planted(count: int, copies: int) -> list[str]:
    """Texts of 20 words; of the first, copies with two other words stand at the end."""
    rng = random.Random(5)
    words = [a + b + c for a in "bdfklmnprst" for b in "aeiou" for c in ("ton", "fer", "gul", "ma")]
    texts = [" ".join(rng.choices(words, k=20)) for _ in range(count)]
    for text in texts[:copies]:
        changed = text.split()
        for place in rng.sample(range(20), 2):
            changed[place] = "zzyzx"
        texts.append(" ".join(changed))
    return texts


def test_nearly_the_same_texts_are_grouped_the_closest_first() -> None:
    found = grouped(
        "the blue pump of the north wing leaks oil at night",
        "the red lamp at the gate blinks twice",
        "the red lamp at the gate blinks twice again",
        "nothing of the kind",
        "the blue pump of the north wing leaks oil at night",
        "",
        "",
    )
    assert found == [(4, 0), (2, 1)]


def test_every_member_resembles_the_representative_however_long_the_chain() -> None:
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(120)]
    chain = [" ".join(words[n : n + 12]) for n in range(0, 100, 2)]
    bags = gathered(chain)
    found = near_duplicates(bags, 0.6) or []
    assert all(alike >= 0.6 for near in found for _, alike in near.members)
    members = [place for group in grouped(*chain) for place in group]
    assert len(members) == len(set(members)) > 40


def test_many_copies_of_one_text_are_one_group() -> None:
    texts = [f"server {n} was restarted by the night watch after a fault" for n in range(1_000)]
    (group,) = grouped(*texts)
    assert sorted(group) == list(range(1_000))


def test_planted_copies_are_found_among_many() -> None:
    texts = planted(3_000, 150)
    found = {frozenset(group) for group in grouped(*texts)}
    assert sum(frozenset((n, 3_000 + n)) in found for n in range(150)) >= 147


def test_texts_taken_in_page_by_page_are_the_same_bags() -> None:
    texts = [*planted(50, 5), "Die Tür des Büros klemmt", "東京都の天気", "snake_case IPv6 1.2"]
    gathering = Gathering()
    for text in texts:
        gathering.add([text])
    assert len(gathering) == len(texts)
    one, other = gathering.bags(), gathered(texts)
    assert one.starts.tolist() == other.starts.tolist()
    assert near_duplicates(one, 0.6) == near_duplicates(other, 0.6)


def test_inflected_forms_count_as_one_word() -> None:
    (near,) = near_duplicates(gathered(["die Häuser am See", "Haus am See", "Hut"]), 0.6) or []
    assert {near.representative, *(place for place, _ in near.members)} == {0, 1}


def test_whoever_asked_may_stop_it() -> None:
    asked: list[int] = []

    def going(done: int) -> bool:
        asked.append(done)
        return done < 3

    assert near_duplicates(gathered(planted(100, 10)), 0.6, going) is None
    assert asked == [1, 2, 3]
    assert BANDS > 3


@given(st.lists(ANY_SIGNS, max_size=6), st.floats())
def test_whatever_the_texts_hold_groups_are_disjoint(texts: list[str], threshold: float) -> None:
    members = [place for group in grouped(*texts, threshold=threshold) for place in group]
    assert len(members) == len(set(members))
    assert set(members) <= set(range(len(texts)))
