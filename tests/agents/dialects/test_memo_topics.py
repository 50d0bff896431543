"""Browsing: the board of tags, and the titles under one of them."""

from __future__ import annotations

import re

import pytest

from agents.dialects.memo_speech import LANGUAGES, Notes, lines, notes
from notation import WINDOW, build
from remembrancer.core.kinds import Kind
from remembrancer.service.library import Library
from remembrancer.service.notes import NewNote


@pytest.fixture(params=LANGUAGES)
def memo(library: Library, request: pytest.FixtureRequest) -> Notes:
    return notes(library, request.param)


def fill(library: Library, count: int, *tags: str, kind: Kind = Kind.PITFALL) -> None:
    """Keep that many notes under these tags."""
    for n in range(count):
        note = NewNote(f"{'-'.join(tags)} note {n}", tags, kind)
        library.notes.remember(note, reason="", **WINDOW)


def rows(told: str) -> list[int]:
    """The ids in a tag's index."""
    return [int(found) for found in re.findall(r"(?m)^  #(\d+) ", told)]


# --- the board


def test_the_board_is_a_table_of_tags_and_kinds(memo: Notes, library: Library) -> None:
    fill(library, 12, "tower")
    fill(library, 1, "harbour", "lamp", kind=Kind.DECISION)
    build(library, "native: a fact")
    memo.keep("loose")
    assert memo("topics") == memo.say(
        """\
4 Marken, 15 Eintraege:
marke   gesamt schnit fallst entsch messwe arbeit verlau gemisc
tower       12      .     12      .      .      .      .      .
harbour      1      .      .      1      .      .      .      .
lamp         1      .      .      1      .      .      .      .
native       1      .      .      .      .      .      .      1
Ohne Marke: 1 Eintrag""",
        """\
4 tags, 15 entries:
tag     total interf pitfal decisi measur workfl histor unsort
tower      12      .     12      .      .      .      .      .
harbour     1      .      .      1      .      .      .      .
lamp        1      .      .      1      .      .      .      .
native      1      .      .      .      .      .      .      1
Without a tag: 1 entry""",
    )
    facts = memo.facts("topics")
    assert facts["tags"][0] == {"tag": "tower", "total": 12, "kinds": {memo.kind("pitfall"): 12}}
    assert (facts["total"], facts["untagged"], facts["left"]) == (15, 1, 0)


def test_an_empty_memory_says_so(memo: Notes) -> None:
    assert memo("topics") == memo.say("Noch keine Marken, 0 Eintraege.", "No tags yet, 0 entries.")


def test_superseded_entries_do_not_count_the_chronicle_does(memo: Notes, library: Library) -> None:
    fill(library, 2, "tower", kind=Kind.CHRONICLE)
    memo("forget", ids="1")
    [row] = memo.facts("topics")["tags"]
    assert row == {"tag": "tower", "total": 1, "kinds": {memo.kind("history"): 1}}
    memo("forget", ids="2")
    assert memo.facts("topics")["tags"] == []


def test_the_board_has_40_rows_and_says_how_to_go_on(memo: Notes, library: Library) -> None:
    for n in range(45):
        fill(library, 1, f"tag-{n:02}")
    assert len(memo.facts("topics")["tags"]) == 40
    told = lines(memo("topics"))[-1]
    assert told == memo.say("... 5 weitere - themen(seite=2)", "... 5 more - topics(page=2)")
    assert [r["tag"] for r in memo.facts("topics", page=2)["tags"]] == [
        f"tag-{n}" for n in range(40, 45)
    ]
    assert len(memo.facts("topics", all=True)["tags"]) == 45
    assert len(memo.facts("topics", limit=10**9)["tags"]) == 45
    assert len(memo.facts("topics", limit=-3)["tags"]) == 40
    assert "limit=2" in memo("topics", limit=2)


# --- a tag's titles


def test_a_tag_shows_its_titles_the_newest_first(memo: Notes) -> None:
    memo.keep("**The lamp blinks every 5 seconds** measured at night", "tower lamp", kind="pitfall")
    memo.keep("Paint it white", "tower", kind="decision")
    memo.keep("Elsewhere", "harbour", kind="decision")
    assert memo("topics", tag=" tower ") == memo.say(
        """\
tower: 2 Eintraege
  fallstrick 1, entscheidung 1
Seite 1 von 1, neueste zuerst:
  #2 2026-01-01 [entscheidung] Paint it white
  #1 2026-01-01 [fallstrick] The lamp blinks every 5 seconds  +lamp""",
        """\
tower: 2 entries
  pitfall 1, decision 1
Page 1 of 1, newest first:
  #2 2026-01-01 [decision] Paint it white
  #1 2026-01-01 [pitfall] The lamp blinks every 5 seconds  +lamp""",
    )
    facts = memo.facts("topics", tag="tower")
    assert [entry["id"] for entry in facts["entries"]] == [2, 1]
    assert facts["kinds"] == {memo.kind("pitfall"): 1, memo.kind("decision"): 1}


def test_titles_are_cut_at_76(memo: Notes) -> None:
    memo.keep("word " * 60, "tower")
    title = lines(memo("topics", tag="tower"))[-1].split("] ")[1]
    assert len(title) <= 77
    assert title.endswith("word…")


def test_pages_lead_to_the_end(memo: Notes, library: Library) -> None:
    fill(library, 70, "tower")
    first = memo("topics", tag="tower")
    assert len(rows(first)) == 30
    assert lines(first)[-1] == memo.say(
        '... 40 weitere - themen("tower", seite=2)',
        '... 40 more - topics("tower", page=2)',
    )
    assert memo.facts("topics", tag="tower")["next"] in lines(first)[-1]
    seen = [n for page in (1, 2, 3) for n in rows(memo("topics", tag="tower", page=page))]
    assert seen == list(range(70, 0, -1))
    assert memo("topics", tag="tower", page=4) == memo.say(
        "Seite 4 gibt es nicht: tower: 70 Eintraege, 3 Seiten.",
        "There is no page 4: tower: 70 entries, 3 pages.",
    )


@pytest.mark.parametrize(("limit", "count"), [(0, 30), (-5, 30), (7, 7), (200, 200), (999, 200)])
def test_the_limit_is_kept_within_its_bounds(
    memo: Notes, library: Library, limit: int, count: int
) -> None:
    fill(library, 210, "tower")
    told = memo("topics", tag="tower", limit=limit)
    assert len(rows(told)) == count
    assert (f"limit={count}" in told) is (count != 30)


@pytest.mark.parametrize("page", [0, -1, 1])
def test_pages_begin_at_one(memo: Notes, library: Library, page: int) -> None:
    fill(library, 3, "tower")
    assert rows(memo("topics", tag="tower", page=page)) == [3, 2, 1]


def test_all_titles_at_once_are_grouped_by_kind(memo: Notes, library: Library) -> None:
    fill(library, 35, "tower")
    fill(library, 2, "tower", "x", kind=Kind.DECISION)
    told = memo("topics", tag="tower", all=True)
    heads = [line for line in lines(told) if re.fullmatch(r"\w+ \(\d+\):", line)]
    assert heads == [f"{memo.kind('pitfall')} (35):", f"{memo.kind('decision')} (2):"]
    assert rows(told) == [*range(35, 0, -1), 37, 36]


def test_an_unknown_tag_is_answered_with_similar_ones(memo: Notes, library: Library) -> None:
    fill(library, 1, "lighthouse-project")
    fill(library, 1, "harbour")
    assert memo("topics", tag="lighthouse") == memo.say(
        'Keine Marke "lighthouse". Aehnlich: lighthouse-project.',
        'No tag "lighthouse". Similar: lighthouse-project.',
    )
    assert memo.facts("topics", tag="harbor")["alike"] == ["harbour"]
    told = memo("topics", tag="zzz")
    assert told.startswith(memo.say('Keine Marke "zzz".', 'No tag "zzz".'))


def test_a_tag_is_matched_exactly(memo: Notes, library: Library) -> None:
    fill(library, 1, "lighthouse-project")
    assert memo.facts("topics", tag="Lighthouse-project")["total"] == 0
    assert memo.facts("topics", tag="lighthouse-project")["total"] == 1


def test_what_other_vocabularies_filed_is_browsed_as_well(memo: Notes, library: Library) -> None:
    build(library, "my router: it reboots at night")
    assert memo.facts("topics", tag="my router")["entries"][0]["tags"] == ["my router"]


# --- the budget


def brief(memo: Notes) -> Notes:
    return memo.as_(budget=2_000)


def test_a_board_beyond_the_budget_goes_on_with_shorter_pages(
    memo: Notes, library: Library
) -> None:
    for n in range(60):
        fill(library, 1, f"a-rather-long-tag-{n:02}")
    seen, arguments = list[str](), {}
    while arguments is not None:
        facts = brief(memo).facts("topics", **arguments)
        assert len(brief(memo)("topics", **arguments)) <= 2_000
        seen += [row["tag"] for row in facts["tags"]]
        arguments = following(facts)
    assert list(dict.fromkeys(seen)) == [f"a-rather-long-tag-{n:02}" for n in range(60)]


@pytest.mark.parametrize("whole", [False, True])
def test_titles_beyond_the_budget_go_on_with_shorter_pages(
    memo: Notes, library: Library, whole: bool
) -> None:
    fill(library, 80, "tower")
    first = brief(memo).facts("topics", tag="tower", all=whole)
    assert len(first["entries"]) < 30
    assert first["left"] == 80 - len(first["entries"])
    seen, arguments = [entry["id"] for entry in first["entries"]], following(first)
    while arguments is not None:
        facts = brief(memo).facts("topics", tag="tower", **arguments)
        assert len(brief(memo)("topics", tag="tower", **arguments)) <= 2_000
        seen += [entry["id"] for entry in facts["entries"]]
        arguments = following(facts)
    assert set(seen) == set(range(1, 81))


def following(facts: dict[str, object]) -> dict[str, int] | None:
    """The numbers in the call that an answer names as the next."""
    if "next" not in facts:
        return None
    numbers = re.findall(r"(limit|seite|page)=(\d+)", str(facts["next"]))
    return {"page" if name == "seite" else name: int(value) for name, value in numbers}
