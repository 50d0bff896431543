"""The desk for memories by scope and name: one transaction a call, policy, attempts, lists."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation import WINDOW, build, sketch
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.crossing import memcore_entity, memcore_scope
from remembrancer.core.errors import BadValue, Conflict, Refused
from remembrancer.core.journal import Deed
from remembrancer.core.keyed import Entry, Place
from remembrancer.core.memory import Memory
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library
from remembrancer.service.one_path import Secrets

WEB = Place("web")
LOOSE = Place(None)
TOKEN = "gh" + "p_" + "aB3dE6" * 6  # put together at run time, so that none stands in this file


def agent(**policy: Any) -> Doing:
    return {"author": Author("robin", AuthorKind.AGENT, **policy), "origin": "memcore"}


def write(library: Library, name: str, content: str, place: Place = WEB, **more: Any) -> Memory:
    entry = Entry(place, name, "reference", content)
    told: Any = {**agent(), **more}
    return library.keyed.write(entry, **told).memory


def deeds(library: Library) -> list[str]:
    return [
        f"{x.deed} {x.outcome or ''} {x.reason or ''}".strip() for x in library.journal.newest()
    ]


def test_a_name_is_unique_in_its_scope(library: Library) -> None:
    first = write(library, "port", "80")
    assert write(library, "port", "81").id == first.id
    assert write(library, "port", "80", LOOSE).id != first.id
    assert write(library, "port", "80", Place("mail")).id != first.id
    assert library.keyed.get(WEB, "port") == library.memories.get(first.id)


def test_a_call_is_one_batch_and_rings_once(library: Library) -> None:
    rings: list[int] = []
    library.bell.listen(lambda: rings.append(library.journal.head()))
    write(library, "port", "80")
    assert rings == [2]
    assert len({x.batch for x in library.journal.newest()}) == 1


def test_undoing_a_write_takes_it_back_with_its_entity(library: Library) -> None:
    write(library, "port", "80")
    library.journal.undo(library.journal.newest()[0].batch, **WINDOW)
    assert sketch(library) == ""
    assert write(library, "port", "80")


@pytest.mark.parametrize("access", [Access.READ, Access.PROPOSE])
def test_who_may_not_write_is_refused_without_a_line(library: Library, access: Access) -> None:
    write(library, "port", "80")
    head = library.journal.head()
    doing = agent(access=access)
    with pytest.raises(Refused):
        write(library, "port", "81", **doing)
    with pytest.raises(Refused):
        library.keyed.archive(WEB, "port", "because", **doing)
    if access is Access.READ:  # who may propose is let do what changes nothing
        with pytest.raises(Refused):
            library.keyed.restore(WEB, "port", "because", **doing)
    assert library.journal.head() == head


def test_who_is_locked_reaches_no_other_scope(library: Library) -> None:
    write(library, "port", "80")
    build(library, "mine: own; : loose")
    head = library.journal.head()
    doing = agent(entity="mine")
    author, keyed = doing["author"], library.keyed
    for place in (WEB, LOOSE):
        with pytest.raises(Refused):
            write(library, "port", "81", place, **doing)
        with pytest.raises(Refused):
            keyed.archive(place, "port", "because", **doing)
        with pytest.raises(Refused):
            keyed.restore(place, "port", "because", **doing)
        assert keyed.get(place, "port", author) is None
        assert keyed.recent(place, 9, author=author) == []
        assert keyed.listed(place, 9, author=author) == []
        assert keyed.events(place, None, 9, author) == []
        assert keyed.search("port 80", place, 9, author).hits == ()
    assert [row.entity for row in keyed.recent(None, 9, author=author)] == ["mine"]
    assert [row.entity for row in keyed.listed(None, 9, author=author)] == ["mine"]
    assert [event.entity for event in keyed.events(None, None, 9, author)] == ["mine"]
    assert keyed.events(None, "port", 9, author) == []
    assert [hit.memory.entity for hit in keyed.search("own 80", None, 9, author).hits] == ["mine"]
    assert keyed.scopes(author) == [("mine", 1)]
    assert keyed.counts(author) == (1, 0)
    assert library.journal.head() == head


def test_a_refused_change_leaves_a_line_that_changed_nothing(library: Library) -> None:
    memory = write(library, "port", "80")
    with pytest.raises(Conflict) as stale:
        write(library, "port", "81", expected_at=memory.updated_at - 1)
    assert stale.value.code == "stale_version"
    library.keyed.archive(WEB, "port", "gone", **agent())
    with pytest.raises(Conflict) as archived:
        write(library, "port", "81", expected_at=memory.updated_at - 1)
    assert archived.value.code == "entry_archived"
    assert deeds(library) == [
        "attempt conflict entry_archived",
        "archive  gone",
        "attempt conflict stale_version",
        "remember",
        "create entity",
    ]
    attempt = library.journal.newest(1)[0]
    assert (attempt.subject_id, attempt.entity_id, attempt.revision) == (memory.id, 1, 2)
    assert (attempt.author, attempt.snapshot) == ("robin", None)


def test_a_collision_is_no_attempt(library: Library) -> None:
    write(library, "port", "80")
    with pytest.raises(Conflict):
        write(library, "other", "80")
    assert Deed.ATTEMPT not in {x.deed for x in library.journal.newest()}


def test_without_a_word_on_secrets_they_are_refused(library: Library) -> None:
    with pytest.raises(Refused):
        write(library, "port", TOKEN)
    with pytest.raises(Refused):
        library.keyed.archive(WEB, "port", TOKEN, **agent())
    assert library.journal.head() == 0


def test_secrets_are_masked_or_kept_as_it_is_wanted(library: Library) -> None:
    assert write(library, "a", TOKEN, secrets=Secrets.MASK).content == "[REDACTED:github_token]"
    assert write(library, "b", TOKEN, secrets=Secrets.KEEP).content == TOKEN
    redacted = library.keyed.write(
        Entry(WEB, "c", "user", f"{TOKEN} it is"), secrets=Secrets.REDACT, **agent()
    )
    assert redacted.memory.content == "[REDACTED] it is"
    assert redacted.redacted == ("github_token",)
    assert deeds(library)[0] == "remember redacted Secrets masked: github_token"


def test_a_place_of_no_possible_name_is_refused(library: Library) -> None:
    with pytest.raises(BadValue):
        write(library, "port", "80", Place(" "))
    assert library.keyed.get(Place(" "), "port") is None


def test_a_deleted_name_is_free_again(library: Library) -> None:
    memory = write(library, "port", "80")
    library.memories.delete(memory.id, **WINDOW)
    assert library.keyed.get(WEB, "port") is None
    assert write(library, "port", "80").id != memory.id


@given(st.one_of(st.none(), st.text(), st.from_regex(r"(entity:)*unfiled", fullmatch=True)))
def test_a_scope_and_its_entity_are_one_to_one(entity: str | None) -> None:
    assert memcore_entity(memcore_scope(entity)) == entity
