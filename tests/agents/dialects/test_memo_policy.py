"""Who may only read writes nothing; who is locked sees and reaches nothing but its own."""

from __future__ import annotations

from typing import Any

import pytest

from agents.dialects.memo_speech import LANGUAGES, Notes, notes
from agents.dialects.speaking import text_of
from notation import build
from remembrancer.agents.dialects.memo import Memo
from remembrancer.core.author import Access
from remembrancer.core.errors import BadValue, Refused, RemembrancerError, StoreBusy, StoreTooNew
from remembrancer.service.library import Library

WRITES: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"text": "new", "tags": "theirs"}),
    ("forget", {"ids": "1"}),
    ("classify", {"ids": "1", "kind": "pitfall"}),
]


@pytest.fixture(params=LANGUAGES)
def memo(library: Library, request: pytest.FixtureRequest) -> Notes:
    return notes(library, request.param)


@pytest.fixture
def shared(memo: Notes) -> Notes:
    """One of mine (1), superseded by one of theirs (2), one unfiled (3), one of mine (4)."""
    memo.keep("the tower blinks red", "mine")
    memo.keep("the tower blinks green", "theirs secretive", supersedes="1")
    memo.keep("the tower blinks blue")
    memo.keep("the tower blinks white", "mine lamp")
    return memo


@pytest.fixture
def locked(shared: Notes) -> Notes:
    return shared.as_(entity="mine")


@pytest.mark.parametrize("access", [Access.READ, Access.PROPOSE])
@pytest.mark.parametrize(("tool", "arguments"), WRITES, ids=[tool for tool, _ in WRITES])
def test_who_may_not_write_changes_nothing(
    shared: Notes, library: Library, access: Access, tool: str, arguments: dict[str, Any]
) -> None:
    head = library.journal.head()
    limited = shared.as_(access=access).speaker.caller
    memo = Memo(library, "pi")
    given = {"supersedes": "", "kind": "", "reason": "", **arguments}
    with pytest.raises(Refused) as wrong:
        memo.call(tool, given, limited)
    told = text_of(memo.failed(tool, wrong.value, limited))
    assert (
        shared.say("Fehler: diese Verbindung darf nur", "Error: this connection may only") in told
    )
    stored = shared.say("nichts gespeichert.", "nothing stored.")
    done = shared.say("nichts getan.", "nothing done.")
    assert told.endswith(stored if tool == "remember" else done)
    assert library.journal.head() == head


@pytest.mark.parametrize(
    ("error", "german", "english"),
    [
        (
            StoreBusy("/a/path"),
            "ein anderes Programm schreibt gerade",
            "another program is writing",
        ),
        (StoreTooNew("/a/path"), "der Speicher nimmt es nicht an", "the store does not take it"),
        (BadValue('"ids" is wrong.', code="arguments"), "die Angaben passen nicht: ", '"ids" is'),
    ],
)
def test_a_failure_is_told_in_the_callers_language_without_a_path(
    memo: Notes, library: Library, error: RemembrancerError, german: str, english: str
) -> None:
    told = text_of(Memo(library).failed("show", error, memo.speaker.caller))
    assert told.startswith(memo.say(f"Fehler: {german}", f"Error: {english}"))
    assert "/a/path" not in told


def test_a_locked_caller_is_shown_its_own_alone(locked: Notes) -> None:
    assert [e["id"] for e in locked.facts("show", ids="1,2,3,4")["entries"]] == [1, 4]
    assert locked.facts("show", ids="2")["unknown"] == [2]
    assert [row["tag"] for row in locked.facts("topics")["tags"]] == ["lamp", "mine"]
    assert locked.facts("topics")["total"] == 1
    assert locked.facts("topics")["untagged"] == 0
    assert locked.facts("topics", tag="theirs")["total"] == 0
    assert locked.facts("topics", tag="secretiv")["alike"] == []
    assert [hit["id"] for hit in locked.facts("recall", query="tower")["hits"]] == [4]
    assert locked.facts("consolidate", threshold=0.1)["entries"] == 1
    assert locked.facts("classify", ids="4", kind="pitfall")["unsorted"] == 0
    locked.refused("check", ids="1,2")


def test_a_locked_caller_is_not_told_what_replaced_its_own(locked: Notes, shared: Notes) -> None:
    assert "#2" in shared("show", ids="1")
    assert "#2" not in locked("show", ids="1")
    assert locked.facts("show", ids="1")["entries"][0]["superseded"]["by"] is None
    locked.keep("newer", "mine", supersedes="1")
    assert "#5]" in locked("show", ids="1")


def test_a_locked_caller_cannot_reach_others(locked: Notes, library: Library) -> None:
    assert locked.facts("forget", ids="2,3")["unknown"] == [2, 3]
    assert locked.facts("classify", ids="2", kind="pitfall")["unknown"] == [2]
    told = locked.refused("remember", text="new", tags="theirs")
    assert told == locked.say(
        "diese Verbindung gilt nur fuer 'mine'; das muss der erste Tag sein - nichts gespeichert.",
        "this connection holds for 'mine' only; that must be the first tag - nothing stored.",
    )
    assert library.memories.get(2).revision == 1


def test_a_locked_caller_files_under_its_entity(locked: Notes, library: Library) -> None:
    assert library.memories.get(locked.keep("one")).entity == "mine"
    assert library.memories.get(locked.keep("two", "mine lamp")).entity == "mine"
    told = locked("remember", text="three", tags="mine secretiv", kind="pitfall")
    assert "secretive" not in told


def test_a_locked_caller_may_name_an_entity_with_blanks(memo: Notes, library: Library) -> None:
    build(library, "my router: it reboots")
    inside = memo.as_(entity="my router")
    kept = inside.facts("remember", text="at night", tags="my router, lamp")
    assert kept["tags"] == ["my router", "lamp"]
    assert library.memories.get(kept["id"]).entity == "my router"
    assert inside.facts("recall", query="night", tag="my router")["hits"][0]["id"] == kept["id"]
