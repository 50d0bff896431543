"""The search box's language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.query import Query, parse

BOXES = st.one_of(
    st.text(),
    st.text(alphabet='entiykdsal:>"1290 \t-é'),
    st.lists(
        st.sampled_from(
            [
                "entity:",
                "kind:fact",
                "stale:>90d",
                "stale:9999y",
                '"',
                '""',
                "tag:",
                "a b",
                " ",
                "x:y",
                "Agent:",
            ]
        )
    ).map("".join),
)


def test_every_key_narrows_and_the_rest_are_words():
    query = parse(
        "vpn entity:core-sw kind:fact state:archived tunnel "
        "scope:shared tag:net agent:cursor stale:>90d"
    )
    assert query == Query(
        words="vpn tunnel",
        entity="core-sw",
        kind="fact",
        state="archived",
        scope="shared",
        tag="net",
        agent="cursor",
        stale_days=90,
    )


@pytest.mark.parametrize(
    ("box", "query"),
    [
        ("", Query()),
        ("   ", Query()),
        ("router  reboots\tnightly", Query(words="router reboots nightly")),
        ('entity:"two words" vpn', Query(words="vpn", entity="two words")),
        ('entity:"a ""b"" c"', Query(entity='a "b" c')),
        ('entity:"Küche, 2. OG"', Query(entity="Küche, 2. OG")),
        ("KIND:Fact State:ALL", Query(kind="fact", state="all")),
        ("Entity:Core-SW", Query(entity="Core-SW")),
        ("tag:a tag:b", Query(tag="b")),
        ("entity:a:b", Query(entity="a:b")),
        ("stale:90", Query(stale_days=90)),
        ("stale:>2w", Query(stale_days=14)),
        ("stale:>0d", Query(stale_days=0)),
    ],
)
def test_a_box_text_means_this(box: str, query: Query):
    assert parse(box) == query


@pytest.mark.parametrize(
    "words",
    [
        "colour:red",
        "http://host:80/x",
        "10:30",
        "kind:",
        'tag:""',
        "stale:soon",
        "stale:>999999d",
        "stale:>99999y",
        "-kind:fact",
        '"kind:fact"',
        '"an exact phrase"',
        'x:"y z"',
        "::",
        'half"quote',
    ],
)
def test_what_is_no_known_pair_stays_as_words(words: str):
    assert parse(words) == Query(words=words)


def test_a_quotation_still_being_typed_reaches_to_the_end():
    assert parse('vpn entity:"two wo') == Query(words="vpn", entity="two wo")
    assert parse('kind:fact "two wo') == Query(words='"two wo"', kind="fact")


def test_the_normalised_text_puts_the_filters_first():
    query = parse(' vpn  stale:90  entity:"two words"  tunnel KIND:fact')
    assert query.text() == 'entity:"two words" kind:fact stale:>90d vpn tunnel'


@given(BOXES)
def test_any_box_text_is_understood_and_its_normal_form_means_the_same(box: str):
    query = parse(box)
    assert parse(query.text()) == query
