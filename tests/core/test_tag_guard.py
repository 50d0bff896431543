"""What is said about the tags of a new memory."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core import tag_guard
from remembrancer.core.tag_guard import Concern, TagAdvice


def said(tag: str, **living: int) -> str | None:
    """The advice about a tag in a directory, in a few words; `_` in a name stands for a dash."""
    known = {name.replace("_", "-"): count for name, count in living.items()}
    advice = tag_guard.advice(tag, lambda: list(known), lambda name: known.get(name, 0))
    if advice is None:
        return None
    near = " ".join(f"{name}={count}" for name, count in advice.known)
    return f"{advice.concern} {near}".strip()


def test_a_first_tag_is_new() -> None:
    assert said("lighthouse") == "new"
    assert said("lighthouse", harbour=9) == "new"


def test_a_tag_that_was_used_before_and_has_no_neighbours_is_not_mentioned() -> None:
    assert said("lighthouse", lighthouse=1, harbour=9) is None


def test_up_to_the_third_memory_better_known_neighbours_are_named() -> None:
    for own in (0, 1, 2):
        assert said("lighthous", lighthous=own, lighthouse=5) == "neighbours lighthouse=5"
    assert said("lighthous", lighthous=3, lighthouse=5) is None


def test_only_tags_with_more_memories_are_named() -> None:
    assert said("lighthous", lighthous=2, lighthouse=2) is None
    assert said("lighthous", lighthouse=0) == "new"


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("Lighthouse", "lighthouse"),
        ("lighthouse", "lighthouse-project"),
        ("lighthouse-project-x", "lighthouse"),
        ("lighthuose", "lighthouse"),
    ],
)
def test_neighbours_differ_in_case_by_a_dashed_part_or_a_little(tag: str, known: str) -> None:
    assert tag_guard.neighbours(tag, [known, "harbour"]) == [known]


def test_a_part_without_a_dash_is_no_neighbour() -> None:
    assert tag_guard.neighbours("light", ["lighthouse-project"]) == []


def test_at_most_three_are_named_other_cases_first() -> None:
    told = said("Tool", tool=4, tool_a=5, tool_b=6, tool_c=7)
    assert told == "neighbours tool=4 tool-a=5 tool-b=6"


@pytest.mark.parametrize("tag", ["fallstrick", "Pitfall", "gemischt", "history"])
def test_a_kind_word_is_always_flagged_and_never_suggested(tag: str) -> None:
    assert said(tag, **{tag: 50}) == "kind word"
    assert said(f"{tag}s", **{tag: 50}) == "new"


def test_the_known_tags_are_not_read_for_an_established_tag() -> None:
    def unread() -> list[str]:
        raise AssertionError("read")

    assert tag_guard.advice("x", unread, lambda _: 3) is None
    assert tag_guard.advice("decision", unread, lambda _: 0) == TagAdvice(
        "decision", Concern.KIND_WORD
    )


def test_an_unknown_tag_is_answered_with_those_that_hold_it_or_resemble_it() -> None:
    names = ["harbour", "lighthouse-project", "lighthouse-x", "mighthouse", "a"]
    found = tag_guard.alike("lighthouse", names)
    assert found == ["lighthouse-x", "lighthouse-project", "mighthouse"]
    assert tag_guard.alike("zzz", names) == []
    assert tag_guard.alike("Harbour-Office", names) == ["harbour"]


@given(st.text("abcdäß-", max_size=8), st.lists(st.text("abcdäß-", max_size=8), max_size=12))
def test_close_is_what_difflib_says(tag: str, names: list[str]) -> None:
    mine = tag.casefold()
    near = {n for n in names if SequenceMatcher(None, mine, n.casefold()).ratio() >= 0.8}
    assert set(tag_guard.close(tag, names, 0.8)) == near
