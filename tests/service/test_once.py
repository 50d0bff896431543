"""A call that is sent again under its key has one effect, whatever happened to its answer."""

from __future__ import annotations

import threading
from hashlib import sha256
from pathlib import Path

import pytest

from conftest import Hand
from notation import WINDOW, build, sketch
from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.errors import BadValue, Conflict, NotFound, Refused
from remembrancer.core.memory import Draft, Edit, Memory
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library
from remembrancer.service.once import LONGEST_KEY, DoneAlready

ROBIN: Doing = {"author": Author("robin", AuthorKind.AGENT, agent_id=1), "origin": "native"}


@pytest.fixture(autouse=True)
def shed(library: Library) -> None:
    build(library, "shed: the lamp is red")


def remembered(library: Library, text: str, key: str = "k", agent: int = 1) -> Memory:
    with library.once(agent, key, sha256(text.encode()).digest()):
        return library.memories.remember(Draft(text, "shed"), **ROBIN)


def test_a_repeated_call_changes_nothing_and_gives_what_it_gave(library: Library) -> None:
    first = remembered(library, "the door sticks")
    head, picture = library.journal.head(), sketch(library)
    library.memories.revise(first.id, Edit(content="the door is mended"), **WINDOW)
    assert remembered(library, "the door sticks") == first
    assert library.journal.head() == head + 1  # the person's
    assert "the door is mended" in sketch(library)
    assert picture != sketch(library)


def test_a_change_that_expects_a_revision_may_be_sent_again(library: Library) -> None:
    def revise() -> Memory:
        with library.once(1, "k", b"call"):
            return library.memories.revise(1, Edit(content="green"), expected=1, **ROBIN)

    assert revise() == revise()
    assert library.memories.get(1).revision == 2


def test_every_deed_of_one_call_is_done_once(library: Library) -> None:
    def call() -> tuple[object, object]:
        with library.once(1, "k", b"call"):
            made = library.graph.create([NewEntity("barn", "place", ("is big",))], **ROBIN)
            return made, library.graph.observe([("barn", ["is old"])], **ROBIN)

    assert call() == call()
    assert sketch(library).count("barn: ") == 2


def test_a_refused_call_leaves_its_key_free(library: Library) -> None:
    with pytest.raises(NotFound), library.once(1, "k", b"call"):
        library.memories.remember(Draft("big", "barn"), **ROBIN)
    build(library, "barn")
    with library.once(1, "k", b"call"):
        assert library.memories.remember(Draft("big", "barn"), **ROBIN).entity == "barn"


def test_a_key_that_was_used_for_something_else_is_refused(library: Library) -> None:
    remembered(library, "the door sticks")
    with pytest.raises(Refused, match="another call"):
        remembered(library, "the roof leaks")
    assert "roof" not in sketch(library)


def test_the_same_key_of_another_agent_is_another_key(library: Library) -> None:
    first = remembered(library, "the door sticks")
    assert remembered(library, "the roof leaks", agent=2).id != first.id


@pytest.mark.parametrize("key", ["", "ü", "a\nb", "x" * (LONGEST_KEY + 1)])
def test_what_cannot_be_a_key_is_told(library: Library, key: str) -> None:
    with pytest.raises(BadValue, match="printable ASCII"):
        remembered(library, "the door sticks", key)


def test_a_key_is_known_after_the_store_was_closed(
    library: Library, store_path: Path, clock: Hand
) -> None:
    first = remembered(library, "the door sticks")
    library.close()
    with Library.open(store_path, clock) as again:
        assert remembered(again, "the door sticks") == first


def test_a_key_is_forgotten_after_a_week(library: Library, clock: Hand) -> None:
    with library.once(1, "k", b"call"):
        library.memories.revise(1, Edit(content="green"), expected=1, **ROBIN)
    clock.advance(8)
    remembered(library, "the door sticks", "other")
    assert not library.was_done(1, "k")
    with pytest.raises(Conflict), library.once(1, "k", b"call"):
        library.memories.revise(1, Edit(content="green"), expected=1, **ROBIN)


def test_many_at_once_with_one_key_have_one_effect(library: Library) -> None:
    found: list[Memory] = []
    threads = [
        threading.Thread(target=lambda: found.append(remembered(library, "the door sticks")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 8
    assert [line.deed for line in library.memories.history(found[0].id)] == ["remember"]


def test_what_was_forgotten_for_good_is_in_no_kept_answer(
    library: Library, store_path: Path
) -> None:
    first = remembered(library, "the xylophone sticks")
    library.memories.purge(first.id, **WINDOW)
    with pytest.raises(DoneAlready, match="nothing was done again"):
        remembered(library, "the xylophone sticks")
    library.upkeep.tidy()
    assert b"xylophone" not in store_path.read_bytes()


def test_what_is_tried_before_a_backup_is_done_once_too(library: Library) -> None:
    library.graph.create([NewEntity("yard", "place", tuple(map(str, range(12))))], **WINDOW)

    def cleared() -> list[str]:
        with library.once(None, "k", b"call"):
            return library.graph.delete(["yard"], **WINDOW)

    assert cleared() == ["yard"]
    assert library.backups.newest() is not None  # so it was tried, backed up, and done
    library.graph.create([NewEntity("yard", "place")], **WINDOW)
    assert cleared() == ["yard"]
    assert "yard" in sketch(library)
