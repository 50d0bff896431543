"""Selecting in the brain dialect: every filter, both blocks of detail, what is hidden, how much."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.dialects.speaking import Speaker, limited, text_of
from conftest import Hand
from notation import WINDOW
from remembrancer.agents.dialects.brain import LIMIT, Brain
from remembrancer.core import kinds
from remembrancer.core.clock import DAY
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit
from remembrancer.service.brain import WIDE
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

MASTER = [
    "memory_typ", "agent_ID", "scope_typ", "scope_modul", "scope_ID", "status", "abgelaufen",
    "erstellt", "geaendert",
]  # fmt: skip
SAMPLE = {
    "agent_ID": 1, "detailgrad": "...", "ID": 1, "memory_typ": "...", "query": "...",
    "scope_ID": "...", "scope_modul": "...", "scope_typ": "...", "suchtyp": "brain_memory",
}  # fmt: skip


@pytest.fixture
def brain(library: Library) -> Speaker:
    return Speaker(Brain(library))


def select(brain: Speaker, **filters: Any) -> list[dict[str, Any]]:
    answer = json.loads(brain.texts("select_brain_memory", **filters)[0])
    assert answer["anzahl"] == len(answer["datensaetze"])
    return answer["datensaetze"]


def titles(brain: Speaker, **filters: Any) -> str:
    return " ".join(sorted(each["titel"] for each in select(brain, **filters)))


def refused(brain: Speaker, **filters: Any) -> str:
    result = brain.result("select_brain_memory", filters)
    assert result.is_error
    assert text_of(result).startswith("Fehler: ")
    return text_of(result).removeprefix("Fehler: ")


def remember(library: Library, title: str, entity: str | None = None, **more: Any) -> int:
    """Something of the window's; `entity` is `name` or `name:type`."""
    name, _, type_ = (entity or "").partition(":")
    draft = Draft(f"Inhalt von {title}", name or None, title=title, **more)
    return library.memories.remember(draft, entity_type=type_ or "modul", **WINDOW).id


@pytest.fixture
def places(library: Library) -> Library:
    """Memories in many scopes, titled with a letter each."""
    remember(library, "a")
    remember(library, "b", "netz")
    remember(library, "c", "netz/7")
    remember(library, "d", "netz/7/8")
    remember(library, "e", "netzwerk")
    remember(library, "f", "netz!")
    remember(library, "g", "kueche/7:room")
    remember(library, "h", "/7:element")
    remember(library, "i", "ann:person")
    remember(library, "j", "alles:global")
    remember(library, "k", "ende/:modul")
    return library


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, "a b c d e f g h i j k"),
        ({"scope_typ": "global"}, "a j"),
        ({"scope_typ": "modul"}, "b c d e f k"),
        ({"scope_typ": " Room "}, "g"),
        ({"scope_typ": "person"}, "i"),
        ({"scope_typ": "session"}, ""),
        ({"scope_modul": "netz"}, "b c d"),
        ({"scope_modul": "Netz"}, ""),
        ({"scope_modul": "netz/7"}, ""),
        ({"scope_modul": "ende/"}, "k"),
        ({"scope_modul": "ende"}, ""),
        ({"scope_ID": "7"}, "c g h"),
        ({"scope_ID": "7/8"}, "d"),
        ({"scope_modul": "netz", "scope_ID": "7"}, "c"),
        ({"scope_typ": "room", "scope_modul": "netz"}, ""),
        ({"scope_typ": "global", "scope_modul": "alles"}, "j"),
        ({"scope_typ": "", "scope_modul": " ", "scope_ID": ""}, "a b c d e f g h i j k"),
    ],
)  # fmt: skip
def test_scopes_are_filtered_exactly_and_nothing_is_inherited(
    brain: Speaker, places: Library, filters: dict[str, str], found: str
) -> None:
    assert titles(brain, **filters) == found


def test_every_scope_that_is_shown_finds_its_record_again(brain: Speaker, places: Library) -> None:
    for each in select(brain):
        scope = {name: each[name] for name in ("scope_typ", "scope_modul", "scope_ID")}
        assert each in select(brain, **scope)


def test_a_name_in_another_spelling_of_the_same_letters_is_found(
    brain: Speaker, library: Library
) -> None:
    remember(library, "a", "Küche")
    assert titles(brain, scope_modul="Ku\u0308che") == "a"


def test_an_id_gives_that_one_record_and_other_filters_still_hold(
    brain: Speaker, places: Library
) -> None:
    [found] = select(brain, ID=3)
    assert (found["ID"], found["titel"]) == (3, "c")
    assert select(brain, ID=3, scope_modul="netz") == [found]
    for more in ({"ID": 99}, {"ID": -1}, {"ID": 3, "scope_typ": "room"}, {"ID": 3, "query": "x"}):
        assert select(brain, **more) == []


def test_kinds_of_every_vocabulary_are_found_under_the_word_that_shows_them(
    brain: Speaker, library: Library
) -> None:
    for kind in Kind:
        remember(library, kind.value, kind=kind)
    for word in kinds.words(kinds.BRAIN):
        found = select(brain, memory_typ=f" {word.upper()} ")
        assert {each["titel"] for each in found} == kinds.shown_as(word, kinds.BRAIN)
        assert {each["memory_typ"] for each in found} == {word}


def test_a_query_looks_into_title_and_content_and_nowhere_else(
    brain: Speaker, library: Library
) -> None:
    remember(library, "Drucker", "keller/drucker", tags=("drucker",))
    remember(library, "Lampe", "drucker", key="drucker")
    remember(library, "Zwei Drucker", "halle")
    assert titles(brain, query="drucker") == "Drucker Zwei Drucker"
    assert titles(brain, query="Inhalt", scope_modul="halle") == "Zwei Drucker"
    for odd in ('"', "AND OR (", "*", "…", "drucker' --"):
        select(brain, query=odd)


@pytest.mark.parametrize("query", ["Druker", "Laserdrucker", "drucken", "DRUCK"])
def test_a_query_finds_what_is_akin_in_title_and_content_alone(
    brain: Speaker, library: Library, query: str
) -> None:
    remember(library, "Lampe", "drucker", tags=("drucker",))
    remember(library, "Der Drucker", "halle")
    remember(library, "Die Pumpe", "halle")
    assert titles(brain, query=query) == "Der Drucker"


def test_the_best_match_comes_first_and_without_a_query_the_newest(
    brain: Speaker, library: Library
) -> None:
    for title in ("Router und Kabel", "Router", "Lampe"):
        remember(library, title)
    assert select(brain, query="Router Kabel")[0]["titel"] == "Router und Kabel"
    assert [each["titel"] for each in select(brain)] == ["Lampe", "Router", "Router und Kabel"]


def test_among_very_many_matches_the_best_is_found_and_the_rest_mentioned(
    brain: Speaker, library: Library
) -> None:
    texts = ("Lampe Router", *(f"Lampe {n}" for n in range(WIDE + 1)))
    library.graph.create([NewEntity("drucker", "modul", texts)], **WINDOW)
    answer, told = brain.texts("select_brain_memory", query="Lampe Router")
    assert json.loads(answer)["datensaetze"][0]["inhalt"] == "Lampe Router"
    assert told.startswith("Mindestens ")
    answer, told = brain.texts("select_brain_memory", query="drucker")  # in names only
    assert json.loads(answer)["anzahl"] == 0
    assert "noch mehr Einträge" in told


def test_agents_are_known_by_the_names_that_sign_their_deeds(
    brain: Speaker, library: Library
) -> None:
    robin, _ = library.agents.add("robin", **WINDOW)
    other, _ = library.agents.add("other", **WINDOW)
    library.memories.remember(Draft("x", title="a"), author=robin.author("cli"), origin="native")
    library.agents.seen(robin.id, "cli", "1")
    library.memories.remember(Draft("y", title="b"), author=other.author(), origin="native")
    remember(library, "c")
    shown = {each["titel"]: each["agent_ID"] for each in select(brain)}
    assert shown == {"a": robin.id, "b": other.id, "c": None}
    assert titles(brain, agent_ID=robin.id) == "a"
    assert titles(brain, agent_ID=other.id) == "b"
    assert titles(brain, agent_ID=99) == ""


def test_two_agents_whose_clients_have_one_name_are_told_apart(
    brain: Speaker, library: Library
) -> None:
    ids: list[int] = []
    for name in ("ada", "ben"):
        agent, _ = library.agents.add(name, **WINDOW)
        author = agent.author("cli")
        library.memories.remember(Draft("x", title=name), author=author, origin="native")
        ids.append(agent.id)
    assert [titles(brain, agent_ID=id_) for id_ in ids] == ["ada", "ben"]
    assert {each["agent_ID"] for each in select(brain)} == set(ids)


def test_what_the_person_changed_is_no_agents_any_more(brain: Speaker, library: Library) -> None:
    agent, _ = library.agents.add("ada", **WINDOW)
    memory = library.memories.remember(Draft("x"), author=agent.author(), origin="native")
    library.memories.revise(memory.id, Edit(content="y"), **WINDOW)
    assert titles(brain, agent_ID=agent.id) == ""
    assert [each["agent_ID"] for each in select(brain)] == [None]


# --- detail


@pytest.mark.parametrize(
    ("asked", "fields", "unknown"),
    [
        (None, ["inhalt", *MASTER], ""),
        ("", ["inhalt", *MASTER], ""),
        ("stammdaten,texte", ["inhalt", *MASTER], ""),
        (" TEXTE , Stammdaten,", ["inhalt", *MASTER], ""),
        ("texte", ["inhalt"], ""),
        ("Stammdaten", MASTER, ""),
        ("texte,bilder, x ,bilder", ["inhalt"], '"bilder", "x"'),
        ("...", ["inhalt", *MASTER], '"..."'),
    ],
)
def test_detail_comes_in_blocks(
    brain: Speaker, library: Library, asked: str | None, fields: list[str], unknown: str
) -> None:
    remember(library, "a", "netz/7")
    answer = brain("select_brain_memory", **({} if asked is None else {"detailgrad": asked}))
    [record] = answer["datensaetze"]
    assert list(record) == ["ID", "revision", "titel", *fields]
    told = f'detailgrad kennt {unknown} nicht; es gibt "stammdaten", "texte".'
    assert answer["hinweise"] == ([told] if unknown else [])


def test_a_record_has_all_its_fields(brain: Speaker, library: Library) -> None:
    remember(library, "a", "netz/7", kind=Kind.LESSON)
    assert select(brain) == [
        {
            "ID": 1, "revision": 1, "titel": "a", "inhalt": "Inhalt von a",
            "memory_typ": "erfahrung", "agent_ID": None, "scope_typ": "modul",
            "scope_modul": "netz", "scope_ID": "7", "status": "aktiv", "abgelaufen": False,
            "erstellt": "2026-01-01T00:00:00.000001+00:00",
            "geaendert": "2026-01-01T00:00:00.000001+00:00",
        }
    ]  # fmt: skip


# --- words nobody knows


def test_unknown_words_are_answered_with_the_allowed_ones(brain: Speaker, places: Library) -> None:
    told = refused(brain, memory_typ="idee")
    assert '"idee" gibt es nicht' in told
    assert all(word in told for word in ("arbeit", "entscheidung", "erfahrung", "agent"))
    told = refused(brain, scope_typ="planet")
    for word in ("global", "modul", "benutzer", "agent", "room", "element", "session"):
        assert word in told
    assert "planet" in refused(brain, scope_typ="planet", memory_typ="idee")
    assert "idee" in refused(brain, scope_typ="planet", memory_typ="idee")


def test_the_search_type_is_fixed(brain: Speaker, places: Library) -> None:
    assert len(select(brain, suchtyp="brain_memory")) == len(select(brain, suchtyp=""))
    assert '"brain_memory"' in refused(brain, suchtyp="brain_datei")


def test_the_literal_sample_call_is_answered_cleanly(brain: Speaker, places: Library) -> None:
    assert '"..." gibt es nicht' in refused(brain, **SAMPLE)
    words = {"memory_typ": "arbeit", "scope_typ": "modul"}
    assert select(brain, **{**SAMPLE, **words}) == []


def test_arguments_of_another_shape_are_refused_in_a_sentence(brain: Speaker) -> None:
    assert '"ID"' in refused(brain, ID="1")
    assert "titel" in refused(brain, titel="x")


# --- what is hidden


def test_archived_needs_its_id_expired_is_marked_and_deleted_is_gone(
    brain: Speaker, library: Library, clock: Hand
) -> None:
    archived, expired = remember(library, "a"), remember(library, "b", expires_at=clock.at + DAY)
    deleted = remember(library, "c")
    library.memories.archive(archived, **WINDOW)
    library.memories.delete(deleted, **WINDOW)
    clock.advance(2)
    assert [(each["titel"], each["abgelaufen"]) for each in select(brain)] == [("b", True)]
    assert expired == select(brain)[0]["ID"]
    assert [each["status"] for each in select(brain, ID=archived)] == ["archiviert"]
    assert select(brain, ID=deleted) == []


# --- how much


def test_a_long_list_is_cut_and_says_which_calls_get_the_rest(
    brain: Speaker, library: Library
) -> None:
    for n in range(LIMIT + 3):
        remember(library, f"t{n}")
    assert len(select(brain)) == LIMIT
    answer, told = brain.texts("select_brain_memory")
    assert told.startswith("3 weitere Einträge")
    assert told.endswith("mit ID: 3, 2, 1.")
    shown = {each["ID"] for each in json.loads(answer)["datensaetze"]}
    assert shown | {1, 2, 3} == set(range(1, LIMIT + 4))


@pytest.mark.parametrize("budget", [1_500, 3_000, 20_000])
def test_an_answer_keeps_to_its_budget(brain: Speaker, library: Library, budget: int) -> None:
    for n in range(40):
        remember(library, f"t{n}")
    brief = brain.as_(limited(budget=budget))
    answer, *told = brief.texts("select_brain_memory")
    assert len(answer) + sum(map(len, told)) <= budget
    shown = len(json.loads(answer)["datensaetze"])
    assert shown > 0
    assert [f"{40 - shown} weitere" in each for each in told] == ([True] if shown < 40 else [])
    assert brain.as_(limited(budget=None)).texts("select_brain_memory")[1:] == []


def test_a_content_longer_than_any_answer_is_cut_and_said_to_be(
    brain: Speaker, library: Library
) -> None:
    library.memories.remember(Draft("ö" * 50_000, title="a"), **WINDOW)
    answer, told = brain.as_(limited(budget=5_000)).texts("select_brain_memory")
    assert len(answer) + len(told) <= 5_000
    [record] = json.loads(answer)["datensaetze"]
    assert len(record["inhalt"]) > 3_000
    assert "hat 50.000 Zeichen" in told
    assert "nicht zurückschreiben" in told


def test_entities_without_memories_and_ghosts_are_no_records(
    brain: Speaker, library: Library
) -> None:
    library.graph.create([NewEntity("netz", "modul")], **WINDOW)
    assert select(brain) == []
    assert select(brain, scope_modul="netz") == []
