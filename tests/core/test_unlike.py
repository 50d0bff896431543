"""What sets two texts apart that are alike, and what they are called for it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remembrancer.core.unlike import Verdict, compared, differences, digits, verdict

ALIKE = Path(__file__).parents[1] / "inputs" / "duplicates.json"
ANY_SIGNS = st.text(st.characters(exclude_categories=()))
FIGURES = st.text(st.sampled_from("0123459²½٣三.,- abv"), max_size=12)


@pytest.mark.parametrize(
    ("old", "new", "called"),
    [
        ("Anna lives in Rome.", "anna  lives in ROME!", "same"),
        ("C", "C++", "resembling"),
        ("The pump leaks oil", "A pump leaks the oil", "duplicate"),
        ("the pump of the mill leaks oil", "the pumps of the mill leaked oil", "duplicate"),
        ("Use tabs in all Python files", "Please use tabs in all Python files", "duplicate"),
        ("the old pump of the mill leaks", "the old pump of the mill leaks?", "resembling"),
        ("the load must be < half of it", "the load must be > half of it", "may contradict"),
        ("build of the app: ✅ in the morning", "build of the app: ❌ in the morning",
         "may contradict"),
        ("reboot server-12 at night", "reboot server-13 at night", "may contradict"),
        ("needs v1.2 of the driver", "needs v1.20 of the driver", "may contradict"),
        ("due on 2024-03-01 in Rome", "due on 2024-03-10 in Rome", "may contradict"),
        ("the fuse has 10 A", "the fuse has 10 A since 2019", "resembling"),
        ("the lamp of the gate is on", "the lamp of the gate is off", "may contradict"),
        ("only admins may log in there", "admins may log in there", "resembling"),
        ("the red lamp at the gate", "a blue boat in the harbour", "resembling"),
        ("", "", "same"),
    ],
)  # fmt: skip
def test_texts_are_called_by_what_differs(old: str, new: str, called: str) -> None:
    assert verdict(old, new) == verdict(new, old) == called


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna is allergic to nuts", "Anna is not allergic to nuts"),
        ("Restart the router", "Don't restart the router"),
        ("Restart the router", "Don’t ever restart the router"),
        ("Die Heizung darf abgeschaltet werden", "Die Heizung darf nicht abgeschaltet werden"),
        ("Es gibt einen Zweitschlüssel", "Es gibt keinen Zweitschlüssel"),
        ("Das Lager wird benutzt", "Das Lager wird nicht mehr benutzt"),
        ("with a password", "without a password"),
        ("Deploying by hand is safe", "Deploying by hand is unsafe"),
        ("if a == b the build stops", "if a != b the build stops"),
    ],
)
def test_a_denial_in_one_of_them_is_told(old: str, new: str) -> None:
    assert differences(old, new).negated
    assert differences(new, old).negated


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Der Ofen darf nie an sein", "Der Ofen darf nicht an sein"),
        ("not only nails", "nails"),
        ("ticket no 5 is open", "ticket 5 is open"),
        ("I do not know", "I don't know"),
    ],
)
def test_what_denies_both_or_neither_is_no_denial(old: str, new: str) -> None:
    assert not differences(old, new).negated


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ("Ben moved to Hamburg", "Ben moved to Berlin", "Hamburg/Berlin"),
        ("tabs over spaces", "spaces over tabs", "tabs/spaces spaces/tabs"),
        ("tabs and spaces", "spaces and tabs", ""),
        ("from Rome to Oslo, daily", "from Oslo to Rome, daily", "Rome/Oslo Oslo/Rome"),
        ("the valve goes from 5 to 7", "the valve goes from 7 to 5", "5/7 7/5"),
        ("in Rome the pump leaks oil", "the pump leaks oil in Rome", ""),
        ("Anna pays on Monday by card", "Anna pays on Friday in cash", "Monday/Friday card/cash"),
        ("a cup, a fork, a lamp, a shoe", "a boat, a door, a hill, a tree", ""),
        ("read before the meeting", "read after the meeting", "before/after"),
    ],
)
def test_words_in_each_others_place_are_told(old: str, new: str, pairs: str) -> None:
    found = " ".join(f"{one}/{other}" for one, other in differences(old, new).swapped)
    assert found == pairs.casefold()


def test_numbers_of_each_side_are_told_whole() -> None:
    found = differences("Port 8080 since 2024-01-01, 5 %", "Port 9090 since 2024-01-01")
    assert found.numbers == (("8080", "5%"), ("9090",))
    assert found.contradicts
    assert not differences("Port 80", "Port 80 since 2019").contradicts


def test_an_edit_is_never_called_a_contradiction_and_most_contradictions_are() -> None:
    called = {kind: Counter[Verdict]() for kind in ("edited", "contra", "reworded")}
    for alike in json.loads(ALIKE.read_text(encoding="utf-8")):
        for kind, counter in called.items():
            counter[verdict(alike["base"], alike[kind])] += 1
    assert called["edited"][Verdict.MAY_CONTRADICT] == 0
    assert called["contra"][Verdict.MAY_CONTRADICT] >= 18
    assert called["contra"][Verdict.SAME] + called["contra"][Verdict.DUPLICATE] == 0
    assert called["reworded"][Verdict.MAY_CONTRADICT] <= 6


def test_of_a_very_long_text_nobody_says_duplicate() -> None:
    text = " ".join(f"word{chr(97 + n % 26) * (n % 7)}" for n in range(2_000))
    assert verdict(text, f"the {text}") is Verdict.RESEMBLING
    assert verdict(text, text.upper()) is Verdict.SAME


@given(ANY_SIGNS, ANY_SIGNS)
def test_no_texts_whatever_raise(old: str, new: str) -> None:
    found, difference = compared(old, new)
    assert (found, difference) == (verdict(old, new), differences(old, new))
    assert compared(old, old)[0] is Verdict.SAME


@given(FIGURES | ANY_SIGNS, FIGURES | ANY_SIGNS, st.text("ab ", max_size=4))
@example("server-12", "server-13", "")
@example("v1.2", "v1.20", "")
@example("v1.2", "v12", "")
@example("²", "2", "")
def test_texts_whose_digits_differ_are_never_the_same(old: str, new: str, end: str) -> None:
    old, new = f"the pump {old} {end}", f"the pump {new} {end}"
    figures = [[sign for sign in text if sign.isnumeric()] for text in (old, new)]
    if figures[0] != figures[1] or digits(old) != digits(new):
        assert verdict(old, new) not in (Verdict.SAME, Verdict.DUPLICATE)
