"""One store, all vocabularies at once: what one writes, the others show as the table says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from agents.dialects.rooms import NAMES, SPOKEN, VOICES, Room, name_of, room
from agents.dialects.voices import WORD, Voice
from conftest import Hand
from notation import WINDOW, build, sketch
from remembrancer.core.clock import DAY
from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Memory
from remembrancer.service.library import Library

ENTITY = "netz/7"
PAIRS = list(product(NAMES, NAMES))


@pytest.fixture
def loop(library: Library) -> Iterator[Room]:
    with room(library) as opened:
        yield opened


@pytest.fixture
def voices(loop: Room) -> dict[str, Voice]:
    return loop.everybody()


def stored(library: Library, state: State = State.CURRENT) -> list[Memory]:
    """Every memory in one state, the oldest first."""
    return sorted(library.memories.browse(Filter(state=state), Order.NEWEST, 500), key=_id)


def _id(memory: Memory) -> int:
    return memory.id


def type_of(library: Library, memory: Memory) -> str:
    return "" if memory.entity is None else library.graph.named(memory.entity).type


def shows_all(voice: Voice, library: Library, entity: str | None) -> None:
    """Assert that a vocabulary shows exactly what is stored of an entity, in its own words."""
    kept = [m for m in stored(library) if m.entity == entity]
    expected = [voice.expected(m, type_of(library, m)) for m in kept]
    assert sorted(voice.view(entity)) == sorted(expected), voice.name


def entity_of(name: str) -> str:
    return f"von-{name}"


# --- written here, seen there


def test_what_one_writes_every_other_shows_as_the_table_says(
    voices: dict[str, Voice], library: Library
) -> None:
    for name, voice in voices.items():
        voice.write(entity_of(name), f"{WORD} von {name}")
    before = sketch(library)
    for writer, reader in PAIRS:
        shows_all(voices[reader], library, entity_of(writer))
    assert sketch(library) == before


def test_all_file_under_one_entity_and_see_each_other(
    voices: dict[str, Voice], library: Library
) -> None:
    library.memories.remember(
        Draft("x", ENTITY, key="k", title="Ein Titel", tags=("rot",)), entity_type="modul", **WINDOW
    )
    library.memories.revise(1, {"content": f"{WORD} vorher"}, **WINDOW)
    for name, voice in voices.items():
        voice.write(ENTITY, f"{WORD} von {name}")
    for voice in voices.values():
        shows_all(voice, library, ENTITY)
    assert len(stored(library)) == len(voices) + 1
    assert [m.entity for m in stored(library)] == [ENTITY] * (len(voices) + 1)


def test_all_write_at_the_same_time_and_nothing_is_lost(
    loop: Room, voices: dict[str, Voice], library: Library
) -> None:
    library.memories.remember(Draft(f"{WORD} null", ENTITY), entity_type="modul", **WINDOW)

    def work(voice: Voice) -> None:
        for n in range(10):
            voice.write(ENTITY, f"{WORD} {n} von {voice.name}")

    loop.at_once([lambda v=voice: work(v) for voice in voices.values()])
    assert len(stored(library)) == 10 * len(voices) + 1
    for name in {"native", "brain"} & voices.keys():
        assert len(voices[name].view(ENTITY)) == 10 * len(voices) + 1


def test_a_memory_of_every_kind_is_shown_by_the_word_of_each(
    voices: dict[str, Voice], library: Library
) -> None:
    for kind in Kind:
        draft = Draft(f"{WORD} {kind}", ENTITY, kind=kind)
        library.memories.remember(draft, entity_type="modul", **WINDOW)
    for voice in voices.values():
        shows_all(voice, library, ENTITY)


# --- changed here, changed there


@pytest.mark.parametrize("writer", NAMES)
def test_what_another_changes_is_changed_for_all(
    voices: dict[str, Voice], library: Library, writer: str
) -> None:
    for reviser in NAMES:
        entity = entity_of(reviser)
        voices[writer].write(entity, f"{WORD} vorher")
        [memory] = [m for m in stored(library) if m.entity == entity]
        voices[reviser].revise(memory, f"{WORD} nachher")
        [memory] = [m for m in stored(library) if m.entity == entity]
        assert memory.content == f"{WORD} nachher"
        for reader in voices.values():
            shows_all(reader, library, entity)


# --- put away here, hidden there, and back


def _able(what: str) -> list[str]:
    return [name_of(*each) for each in SPOKEN if getattr(VOICES[each[0]], what)]


@pytest.mark.parametrize("writer", NAMES)
@pytest.mark.parametrize("hider", _able("hides"))
def test_what_one_puts_away_is_hidden_for_all_and_reached_by_each_switch(
    voices: dict[str, Voice], library: Library, writer: str, hider: str
) -> None:
    voices[writer].write(ENTITY, f"{WORD} alt")
    [memory] = stored(library)
    voices[hider].hide(memory)
    [archived] = stored(library, State.ARCHIVED)
    for voice in voices.values():
        assert voice.view(ENTITY) == [], voice.name
        shown = voice.behind(archived)
        if voice.name == "knowledge_graph":
            assert shown == []
        else:
            assert shown == [voice.expected(archived, "").text], voice.name
    for reviver in _able("revives"):
        voices[reviver].revive(library.memories.get(memory.id))
        for voice in voices.values():
            shows_all(voice, library, ENTITY)
            assert len(voice.view(ENTITY)) == 1
        voices[hider].hide(library.memories.get(memory.id))


def test_a_superseded_memory_stays_behind_its_successor(
    voices: dict[str, Voice], library: Library
) -> None:
    for name in [each for each in voices if each.startswith("memo-")]:
        voices[name].write(entity_of(name), f"{WORD} alt")
        [old] = [m for m in stored(library) if m.entity == entity_of(name)]
        voices[name].revise(old, f"{WORD} neu")
        [new] = [m for m in stored(library) if m.entity == entity_of(name)]
        assert library.memories.get(old.id).superseded_by == new.id
        for voice in voices.values():
            shows_all(voice, library, entity_of(name))


def test_a_key_brings_an_archived_memory_back_in_native_and_memcore_asks_to_restore_it(
    voices: dict[str, Voice], library: Library
) -> None:
    if "memcore" not in voices:
        pytest.skip("memcore is not there")
    voices["memcore"].write(ENTITY, f"{WORD} alt")
    [memory] = stored(library)
    voices["memcore"].hide(memory)
    said = voices["memcore"].result(
        "memory_write", {"scope": ENTITY, "name": memory.key, "type": "user", "content": "neu"}
    )
    assert "entry_archived" in str(said.content)
    assert stored(library) == []
    voices["native"]("memory_remember", entityName=ENTITY, key=memory.key, content=f"{WORD} neu")
    for voice in voices.values():
        shows_all(voice, library, ENTITY)


# --- deleted here, gone everywhere


@pytest.mark.parametrize("writer", NAMES)
@pytest.mark.parametrize("deleter", _able("deletes"))
def test_what_one_deletes_is_gone_for_all(
    voices: dict[str, Voice], library: Library, writer: str, deleter: str
) -> None:
    voices[writer].write(ENTITY, f"{WORD} weg")
    [memory] = stored(library)
    voices[deleter].delete(memory)
    assert stored(library, State.ALL) == []
    for voice in voices.values():
        assert voice.view(ENTITY) == [], voice.name
        assert voice.behind(memory) == [], voice.name


@pytest.mark.parametrize("deleter", ["native", "knowledge_graph"])
def test_with_an_entity_go_its_memories_for_all(
    voices: dict[str, Voice], library: Library, deleter: str
) -> None:
    if deleter not in voices:
        pytest.skip(f"{deleter} is not there")
    build(library, f"{ENTITY}:modul")
    for name, voice in voices.items():
        voice.write(ENTITY, f"{WORD} von {name}")
    tool = "memory_delete_entities" if deleter == "native" else "delete_entities"
    voices[deleter](tool, entityNames=[ENTITY])
    for voice in voices.values():
        assert voice.view(ENTITY) == [], voice.name


# --- without an entity, past its expiry


def test_what_has_no_entity_is_unfiled_in_each_vocabulary_and_not_in_the_graph(
    voices: dict[str, Voice], library: Library
) -> None:
    for name in [each for each in voices if each not in ("native", "knowledge_graph")]:
        voices[name].write(None, f"{WORD} lose von {name}")
    assert {m.entity for m in stored(library)} == {None}
    for voice in voices.values():
        if voice.name == "knowledge_graph":
            assert voice.view(None) == []
        else:
            shows_all(voice, library, None)
    for tool in ("memory_read_graph", "memory_search_nodes"):
        arguments = {"query": WORD} if "search" in tool else {}
        assert WORD not in str(voices["native"](tool, **arguments)["entities"])


def test_what_expired_is_hidden_in_native_and_the_graph_and_shown_elsewhere(
    voices: dict[str, Voice], library: Library, clock: Hand
) -> None:
    draft = Draft(f"{WORD} kurz", ENTITY, expires_at=clock.at + DAY)
    library.memories.remember(draft, entity_type="modul", **WINDOW)
    clock.advance(2)
    for voice in voices.values():
        assert len(voice.view(ENTITY)) == int(voice.shows_expired), voice.name
    marks = {"memo-de": "ABGELAUFEN", "memo-en": "EXPIRED", "brain": "True"}
    for name in marks.keys() & voices.keys():
        if name == "brain":
            told = voices[name]("select_brain_memory")["datensaetze"][0]["abgelaufen"]
        else:
            told = voices[name].result("recall", {"query": WORD}).content
        assert marks[name] in str(told)
