"""Inserting, updating and deleting in the brain dialect, and who may do it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.dialects.speaking import Speaker, limited, text_of
from notation import WINDOW, build, sketch
from remembrancer.agents.dialects.brain import Brain
from remembrancer.core.author import Access
from remembrancer.core.journal import Deed
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft
from remembrancer.service.graph import Triple
from remembrancer.service.library import Library

SECRET = "password: hunter2hunter2"


@pytest.fixture
def brain(library: Library) -> Speaker:
    return Speaker(Brain(library))


def insert(brain: Speaker, titel: str = "t", inhalt: str = "i", **more: Any) -> dict[str, Any]:
    return brain("insert_brain_memory", titel=titel, inhalt=inhalt, **more)["datensaetze"][0]


def update(brain: Speaker, seen: dict[str, Any], **more: Any) -> dict[str, Any]:
    lock = {"ID": seen["ID"], "revision": seen["revision"]}
    return brain("update_brain_memory", **lock, **more)["datensaetze"][0]


def refused(brain: Speaker, tool: str, **arguments: Any) -> str:
    result = brain.result(f"{tool}_brain_memory", arguments)
    assert result.is_error
    assert text_of(result).startswith("Fehler: ")
    return text_of(result).removeprefix("Fehler: ")


def scope(typ: str, modul: str | None = None, id_: str | None = None) -> dict[str, str]:
    words = {"scope_typ": typ, "scope_modul": modul, "scope_ID": id_}
    return {name: word for name, word in words.items() if word is not None}


# --- insert


def test_without_a_scope_a_memory_is_unfiled_work(brain: Speaker, library: Library) -> None:
    made = insert(brain)
    assert (made["scope_typ"], made["scope_modul"], made["scope_ID"]) == ("global", "", "")
    assert sketch(library) == ": i [work, titled t]"


def test_a_scope_files_under_an_entity_made_with_its_type(brain: Speaker, library: Library) -> None:
    insert(brain, **scope("modul", "netz", "7"), memory_typ="Entscheidung ")
    insert(brain, **scope("room", "kueche"))
    insert(brain, **scope("element", id_="9"))
    assert sketch(library).splitlines() == [
        "/9:element",
        "kueche:room",
        "netz/7:modul",
        "/9: i [work, titled t]",
        "kueche: i [work, titled t]",
        "netz/7: i [decision, titled t]",
    ]


def test_a_scope_must_name_something_unless_it_is_global(brain: Speaker, library: Library) -> None:
    told = refused(brain, "insert", titel="t", inhalt="i", scope_typ="modul")
    assert "braucht scope_modul oder scope_ID" in told
    told = refused(brain, "insert", titel="t", inhalt="i", **scope("modul", "a/b"))
    assert "Schrägstrich" in told
    told = refused(brain, "insert", titel="t", inhalt="i", **scope("planet", "a"))
    assert '"planet" gibt es nicht' in told
    for name in (" ", "x" * 1_001):
        told = refused(brain, "insert", titel="t", inhalt="i", **scope("modul", name))
        assert "1.000 Zeichen" in told
    assert sketch(library) == ""


def test_a_scope_that_has_another_type_is_refused_with_that_type(
    brain: Speaker, library: Library
) -> None:
    build(library, "ann:person")
    told = refused(brain, "insert", titel="t", inhalt="i", **scope("benutzer", "ann"))
    assert told.startswith('Den scope "ann" gibt es schon mit scope_typ "person"')
    made = insert(brain, **scope("person", "ann"))
    assert (made["scope_typ"], made["scope_modul"]) == ("person", "ann")


def test_a_ghost_becomes_the_scope_that_is_named(brain: Speaker, library: Library) -> None:
    build(library, "ann")
    library.graph.relate([Triple("ann", "netz", "uses")], ghosts=True, **WINDOW)
    insert(brain, **scope("modul", "netz"))
    assert "netz:modul" in sketch(library)


def test_only_the_own_agent_writes(brain: Speaker, library: Library) -> None:
    agent, _ = library.agents.add("robin", **WINDOW)
    told = refused(brain, "insert", titel="t", inhalt="i", agent_ID=agent.id)
    assert "eigenen agent_ID" in told
    caller = limited()
    own = brain.as_(replace(caller, author=replace(caller.author, agent_id=agent.id)))
    assert insert(own, agent_ID=agent.id)["agent_ID"] == agent.id
    told = refused(own, "insert", titel="t", inhalt="j", agent_ID=agent.id + 1)
    assert f"deine ist {agent.id}" in told


def test_the_same_content_in_a_scope_is_there_once_and_that_is_said(
    brain: Speaker, library: Library
) -> None:
    made = insert(brain, **scope("modul", "netz"))
    again = brain("insert_brain_memory", titel="t", inhalt="i", **scope("modul", "netz"))
    assert again == {"anzahl": 1, "datensaetze": [made], "hinweise": []}
    other = brain("insert_brain_memory", titel="u", inhalt="i", **scope("modul", "netz"))
    assert other["datensaetze"] == [made]
    assert f"schon als ID {made['ID']} (unverändert)" in other["hinweise"][0]
    library.memories.archive(made["ID"], **WINDOW)
    hidden = brain("insert_brain_memory", titel="t", inhalt="i", **scope("modul", "netz"))
    assert hidden["datensaetze"][0]["status"] == "archiviert"
    assert "(archiviert)" in hidden["hinweise"][0]


@pytest.mark.parametrize("field", ["titel", "inhalt", "scope_modul", "scope_ID"])
def test_credentials_are_masked_and_that_is_said(brain: Speaker, field: str) -> None:
    arguments = {"titel": "t", "inhalt": "i", **scope("modul", "netz", "7"), field: SECRET}
    answer = brain("insert_brain_memory", **arguments)
    assert "hunter2" not in json.dumps(answer)
    assert "unkenntlich" in answer["hinweise"][0]


# --- update


def test_what_is_not_named_stays(brain: Speaker, library: Library) -> None:
    seen = insert(brain, **scope("modul", "netz", "7"), memory_typ="erfahrung")
    assert update(brain, seen) == seen
    changed = update(brain, seen, titel="u")
    assert changed == {**seen, "titel": "u", "revision": 2, "geaendert": changed["geaendert"]}
    changed = update(brain, changed, inhalt="j", memory_typ="agent")
    assert sketch(library).endswith("netz/7: j [agent, titled u]")


def test_a_borrowed_kind_written_back_stays_what_it_is(brain: Speaker, library: Library) -> None:
    library.memories.remember(Draft("i", kind=Kind.MEASUREMENT), **WINDOW)
    [seen] = brain("select_brain_memory")["datensaetze"]
    update(brain, seen, memory_typ=seen["memory_typ"])
    assert library.memories.get(seen["ID"]).kind is Kind.MEASUREMENT


def test_a_record_moves_between_scopes(brain: Speaker, library: Library) -> None:
    seen = insert(brain)
    seen = update(brain, seen, **scope("modul", "netz"))
    seen = update(brain, seen, scope_ID="7")
    assert (seen["scope_typ"], seen["scope_modul"], seen["scope_ID"]) == ("modul", "netz", "7")
    same = update(brain, seen, **scope("modul", "netz", "7"))
    assert same == seen
    told = refused(brain, "update", ID=seen["ID"], revision=3, scope_typ="room")
    assert 'schon mit scope_typ "modul"' in told
    told = refused(brain, "update", ID=seen["ID"], revision=3, scope_modul="a/b")
    assert "Schrägstrich" in told
    seen = update(brain, seen, scope_typ="global")
    assert sketch(library).splitlines()[-1] == ": i [work, titled t]"
    told = refused(brain, "update", ID=seen["ID"], revision=4, scope_typ="modul")
    assert "braucht scope_modul oder scope_ID" in told


def test_a_scope_as_it_is_shown_can_be_written_back(brain: Speaker, library: Library) -> None:
    for name in ("netz", "netz/", "netz/7/8", "/7"):
        build(library, f"{name}:person")
        library.memories.remember(Draft("i", name), **WINDOW)
    for seen in brain("select_brain_memory")["datensaetze"]:
        shown = {name: seen[name] for name in ("scope_typ", "scope_modul", "scope_ID")}
        assert update(brain, seen, **shown) == seen


def test_a_stale_or_unknown_record_is_refused(brain: Speaker) -> None:
    seen = insert(brain)
    update(brain, seen, titel="u")
    told = refused(brain, "update", ID=seen["ID"], revision=1, titel="v")
    assert told == (
        "Der Eintrag wurde inzwischen geändert und steht bei revision 2; lies ihn neu, dann "
        "ändere ihn."
    )
    assert refused(brain, "delete", ID=seen["ID"], revision=1) == told
    for tool in ("update", "delete"):
        assert refused(brain, tool, ID=99, revision=1) == "Diesen Eintrag gibt es nicht."


def test_a_content_that_another_record_of_the_scope_has_is_refused(brain: Speaker) -> None:
    first = insert(brain, inhalt="i", **scope("modul", "netz"))
    second = insert(brain, inhalt="j", **scope("modul", "netz"))
    told = refused(brain, "update", ID=second["ID"], revision=1, inhalt="i")
    assert f"schon als ID {first['ID']}" in told


def test_credentials_in_an_update_are_masked(brain: Speaker, library: Library) -> None:
    seen = insert(brain)
    for field in ("titel", "inhalt", "scope_modul"):
        seen = update(brain, seen, **{"scope_typ": "modul", "scope_modul": "x", field: SECRET})
    assert "hunter2" not in sketch(library)


# --- delete


def test_a_deleted_record_is_a_tombstone_with_its_reason(brain: Speaker, library: Library) -> None:
    seen = insert(brain)
    told = "Zu lang"
    assert refused(brain, "delete", ID=1, revision=1, grund=told * 500).startswith("grund darf")
    gone = brain("delete_brain_memory", ID=1, revision=1, grund=f"alt, {SECRET}")
    assert gone["datensaetze"][0] == {
        **seen, "status": "geloescht", "revision": 2,
        "geaendert": gone["datensaetze"][0]["geaendert"],
    }  # fmt: skip
    assert "unkenntlich" in gone["hinweise"][0]
    line = library.memories.history(1)[0]
    assert (line.deed, line.origin) == (Deed.DELETE, "brain")
    assert line.reason is not None
    assert line.reason.startswith("alt, ")
    assert "hunter2" not in line.reason
    assert refused(brain, "delete", ID=1, revision=2) == "Diesen Eintrag gibt es nicht."


# --- policies

WRITES: list[tuple[str, dict[str, Any]]] = [
    ("insert", {"titel": "x", "inhalt": "y"}),
    ("update", {"ID": 1, "revision": 1, "titel": "x"}),
    ("delete", {"ID": 1, "revision": 1}),
]


@pytest.mark.parametrize(("tool", "arguments"), WRITES, ids=[tool for tool, _ in WRITES])
def test_a_reading_connection_is_offered_no_writing(
    brain: Speaker, library: Library, tool: str, arguments: dict[str, Any]
) -> None:
    insert(brain)
    head = library.journal.head()
    reader = limited(access=Access.READ)
    assert [each.name for each in brain.dialect.offered(reader)] == ["select_brain_memory"]
    proposer = brain.as_(limited(access=Access.PROPOSE))
    assert "nur vorschlagen" in refused(proposer, tool, **arguments)
    assert library.journal.head() == head


@pytest.fixture
def locked(brain: Speaker, library: Library) -> Speaker:
    """A caller locked to `netz/7`, in a library where others have memories."""
    build(library, "netz/7:modul; geheim:planet")
    library.memories.remember(Draft("fremd", "geheim"), **WINDOW)
    library.memories.remember(Draft("lose"), **WINDOW)
    library.memories.remember(Draft("eigenes", "netz/7"), **WINDOW)
    return brain.as_(limited(entity="netz/7"))


def test_a_locked_connection_reads_only_its_own(locked: Speaker) -> None:
    for filters in (
        {},
        {"scope_typ": "modul"},
        {"scope_modul": "netz"},
        {"query": "eigenes fremd"},
    ):
        answer = locked("select_brain_memory", **filters)
        assert [each["inhalt"] for each in answer["datensaetze"]] == ["eigenes"]
    for filters in ({"scope_typ": "global"}, {"scope_modul": "geheim"}, {"ID": 1}, {"ID": 2}):
        assert locked("select_brain_memory", **filters)["anzahl"] == 0
    told = refused(locked, "select", scope_typ="planet")
    assert told == refused(locked, "select", scope_typ="comet").replace("comet", "planet")


def test_a_locked_connection_writes_only_its_own(locked: Speaker, library: Library) -> None:
    own = 'Diese Verbindung schreibt nur unter scope_typ="modul", scope_modul="netz", scope_ID="7"'
    new = {"titel": "t", "inhalt": "i"}
    for elsewhere in ({}, scope("modul", "geheim"), scope("room", "neu"), scope("modul", "netz")):
        assert refused(locked, "insert", **new, **elsewhere).startswith(own)
    assert refused(locked, "update", ID=3, revision=1, scope_typ="global").startswith(own)
    assert refused(locked, "update", ID=3, revision=1, scope_modul="geheim").startswith(own)
    for tool in ("update", "delete"):
        for other in (1, 2, 99):
            told = refused(locked, tool, ID=other, revision=1)
            assert told == "Diesen Eintrag gibt es nicht."
    made = insert(locked, **scope("modul", "netz", "7"))
    assert update(locked, made, titel="u")["titel"] == "u"


def test_a_lock_on_an_entity_that_is_not_there_yet_says_where_to_write(brain: Speaker) -> None:
    locked = brain.as_(limited(entity="neu"))
    told = refused(locked, "insert", titel="t", inhalt="i")
    assert 'scope_typ="modul", scope_modul="neu"' in told
    assert insert(locked, **scope("modul", "neu"))["scope_modul"] == "neu"


# --- read back

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(titel=_TEXT.map(lambda t: t[:500]), inhalt=_TEXT, modul=_TEXT, id_=_TEXT)
def test_what_was_written_is_read_back(
    brain: Speaker, titel: str, inhalt: str, modul: str, id_: str
) -> None:
    place = scope("element", modul.replace("/", "-"), id_)
    made = insert(brain, titel, inhalt, **place)
    assert brain("select_brain_memory", ID=made["ID"])["datensaetze"] == [made]
    assert made["inhalt"] == inhalt
