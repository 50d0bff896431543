"""The differences of two texts, drawn as text."""

from __future__ import annotations

import random
import subprocess
import sys
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.diff import Row, RowKind, compare, picture, summary

SOME_LINES = st.lists(
    st.sampled_from(
        ["", " ", "one", "one two", "one two three", "two three", "x, y.", "été 路由器"]
    ),
    max_size=12,
).map("\n".join)


def drawn(old: str, new: str) -> str:
    return picture(compare(old, new))


def sheet(text: str) -> str:
    return dedent(text).strip("\n")


def test_equal_texts_have_equal_rows_only():
    assert compare("a\nb", "a\nb") == (Row(RowKind.EQUAL, "a", "a"), Row(RowKind.EQUAL, "b", "b"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ""),
        ("", "new", "+ new"),
        ("old", "", "- old"),
        ("a", "a\nb", "  a\n+ b"),
        ("a\nb\nc", "a\nc", "  a\n- b\n  c"),
        ("a", "a\n", "  a\n+ "),
    ],
)
def test_lines_that_stand_on_one_side_only_are_added_or_removed(old: str, new: str, expected: str):
    assert drawn(old, new) == expected


def test_a_changed_line_marks_its_words():
    old = "Router\nThe router in the cellar reboots at three.\nSwitch"
    new = "Router\nThe router in the attic reboots at four.\nSwitch"
    assert drawn(old, new) == sheet("""
          Router
        - The router in the [-cellar-] reboots at [-three-].
        + The router in the [+attic+] reboots at [+four+].
          Switch
    """)


def test_marks_are_ranges_of_characters():
    (row,) = compare("port 80 open", "port 443 open")
    assert row == Row(RowKind.CHANGED, "port 80 open", "port 443 open", ((5, 7),), ((5, 8),))


def test_words_that_changed_side_by_side_make_one_mark():
    assert drawn("the quick brown fox runs home", "the slow red fox runs home") == sheet("""
        - the [-quick brown-] fox runs home
        + the [+slow red+] fox runs home
    """)


def test_a_word_put_in_leaves_the_other_side_unmarked():
    assert drawn("prefers mail", "prefers short mail") == sheet("""
        - prefers mail
        + prefers [+short +]mail
    """)


def test_lines_with_little_in_common_are_marked_as_a_whole():
    assert drawn("the backup runs on Monday", "nobody owns the printer now") == sheet("""
        - [-the backup runs on Monday-]
        + [+nobody owns the printer now+]
    """)


def test_a_line_in_place_of_a_blank_one_is_a_change():
    assert drawn("a\n\nb", "a\nnew\nb") == "  a\n- \n+ [+new+]\n  b"


def test_an_edited_line_faces_its_new_form_though_lines_were_put_before_it():
    old = "start\nThe gateway is 10.0.0.1 since May.\nend"
    new = "start\nA line nobody expected.\nThe gateway is 10.0.0.2 since May.\nend"
    assert drawn(old, new) == sheet("""
          start
        + A line nobody expected.
        - The gateway is 10.0.0.[-1-] since May.
        + The gateway is 10.0.0.[+2+] since May.
          end
    """)


def test_scripts_without_blanks_are_compared_character_by_character():
    assert drawn("路由器在三楼办公室", "路由器在五楼办公室") == sheet("""
        - 路由器在[-三-]楼办公室
        + 路由器在[+五+]楼办公室
    """)


def test_an_accent_is_never_marked_without_its_letter():
    decomposed = "cafe\u0301"
    assert drawn("the old cafe is open", f"the old {decomposed} is open") == sheet(f"""
        - the old [-cafe-] is open
        + the old [+{decomposed}+] is open
    """)


def test_one_huge_line_is_split_at_its_sentences():
    sentences = [f"Sentence number {i} concerns {i * 7} routers. " for i in range(60)]
    old = "".join(sentences)
    new = old.replace("number 30 concerns", "number thirty concerns")
    rows = compare(old, new)
    assert len(rows) == 60
    assert picture([row for row in rows if row.kind is not RowKind.EQUAL]) == sheet("""
        - Sentence number [-30-] concerns 210 routers.\x20
        + Sentence number [+thirty+] concerns 210 routers.\x20
    """)


def test_the_summary_counts_words_added_and_removed():
    old = "Title\nThe router reboots at three.\nA line that goes."
    new = "Title\nThe router reboots at half past four."
    assert summary(compare(old, new)) == (3, 5)
    assert summary(compare("", "two words")) == (2, 0)
    assert summary(compare("two words", "two words")) == (0, 0)


@pytest.mark.parametrize("seed", range(3))
def test_a_rewritten_text_of_the_largest_size_is_still_compared(seed: int):
    chance = random.Random(seed)
    words = [f"w{chance.randrange(500)}" for _ in range(40_000)]
    joint = ["\n", " ", ""][seed]
    old = joint.join(words)[:200_000]
    new = joint.join(word if chance.random() < 0.8 else "other" for word in words)[:200_000]
    rows = compare(old, new)
    assert "".join(row.right or "" for row in rows) == new.replace("\n", "")


@given(st.one_of(SOME_LINES, st.text()), st.one_of(SOME_LINES, st.text()))
def test_both_sides_can_be_read_off_the_rows(old: str, new: str):
    rows = compare(old, new)
    assert "\n".join(row.left for row in rows if row.left is not None) == old
    assert "\n".join(row.right for row in rows if row.right is not None) == new


@given(SOME_LINES, SOME_LINES)
def test_what_is_not_marked_is_the_same_on_both_sides(old: str, new: str):
    for row in compare(old, new):
        if row.kind is RowKind.CHANGED:
            left, right = unmarked(row.left, row.left_marks), unmarked(row.right, row.right_marks)
            assert left.split() == right.split()
            assert row.left_marks or row.right_marks


@given(SOME_LINES, SOME_LINES)
def test_the_way_back_has_the_opposite_balance_of_words(old: str, new: str):
    added, removed = summary(compare(old, new))
    back = summary(compare(new, old))
    assert added - removed == back[1] - back[0]


def unmarked(line: str | None, marks: tuple[tuple[int, int], ...]) -> str:
    text = line or ""
    for start, end in reversed(marks):
        assert 0 <= start < end <= len(text)
        text = text[:start] + " " + text[end:]
    return text


def test_the_library_of_distances_is_loaded_only_when_texts_differ():
    script = "import sys, remembrancer.core.diff as d; d.compare('a', 'a'); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "rapidfuzz" not in done.stdout.split()
