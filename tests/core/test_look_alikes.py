"""Which names look alike, and which never do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.look_alikes import look_alikes
from remembrancer.core.unlike import digits

NAMES = st.text(st.sampled_from("abcdE1２²-_ ß\u200b"), max_size=9) | st.text(
    st.characters(exclude_categories=())
)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("Jenkins", "jenkins ", 0),
        ("postgres", "Postgress", 1),
        ("my-app", "My App", 0),
        ("Fritzbox", "Frtizbox", 1),
        ("Müllerstraße", "müllerstrasse", 0),
        ("web server 3", "web sever 3", 1),
        ("server-12", "server-13", None),
        ("v1.2", "v12", None),
        ("node 1", "node 11", None),
        ("nas", "nasa", None),
        ("Rome", "Oslo", None),
    ],
)
def test_names_look_alike_but_never_with_other_digits(
    one: str, other: str, distance: int | None
) -> None:
    assert look_alikes([one, other]) == ([] if distance is None else [(0, 1, distance)])


def test_the_closest_come_first_and_each_pair_once() -> None:
    names = ["gateway", "router", "gatewy", "Router", "printer"]
    assert look_alikes(names) == [(1, 3, 0), (0, 2, 1)]
    assert look_alikes([]) == []


@given(st.lists(NAMES, max_size=5))
def test_no_names_whatever_raise_or_pair_other_digits(names: list[str]) -> None:
    for one, other, distance in look_alikes([*names, *names[:1]]):
        every = [*names, *names[:1]]
        assert one < other
        assert distance in (0, 1)
        assert digits(every[one]) == digits(every[other])
