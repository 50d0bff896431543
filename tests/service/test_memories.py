"""Remembering, revising and putting away: every change is a revision with a line in the journal."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import Hand
from notation import WINDOW, build, sketch
from remembrancer.core.author import PERSON, Access, Author, AuthorKind
from remembrancer.core.errors import Conflict, NotFound, Refused
from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.journal import Deed
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.core.review import Reason
from remembrancer.service.library import Library
from remembrancer.service.one_path import Secrets

ROBIN = Author("robin", AuthorKind.AGENT)
LOCKED = Author("robin", AuthorKind.AGENT, Access.WRITE, entity="edge")


def only(library: Library) -> Memory:
    [memory] = library.memories.browse(Filter(state=State.ALL))
    return memory


def deeds(library: Library, memory: Memory) -> list[tuple[str, int | None]]:
    return [(line.deed.value, line.revision) for line in library.memories.history(memory.id)]


def test_each_change_is_one_revision_and_one_line(library: Library) -> None:
    build(library, "edge: x")
    memory = only(library)
    library.memories.revise(memory.id, Edit(content="y"), expected=1, **WINDOW)
    library.memories.verify(memory.id, expected=2, **WINDOW)
    library.memories.archive(memory.id, why="old", expected=3, **WINDOW)
    library.memories.revive(memory.id, expected=4, **WINDOW)
    library.memories.postpone(memory.id, 3, expected=5, **WINDOW)
    library.memories.delete(memory.id, expected=6, **WINDOW)
    assert deeds(library, memory) == [
        ("delete", 7), ("postpone", 6), ("revive", 5), ("archive", 4), ("verify", 3),
        ("revise", 2), ("remember", 1),
    ]  # fmt: skip
    sequences = [line.sequence for line in library.journal.newest(50)]
    assert sequences == list(range(len(sequences), 0, -1))


def test_a_stale_revision_is_refused_with_who_was_faster(library: Library) -> None:
    build(library, "edge: x")
    memory = only(library)
    edit = Edit(content="theirs")
    library.memories.revise(memory.id, edit, expected=1, author=ROBIN, origin="native")
    for change in (
        lambda: library.memories.revise(memory.id, Edit(content="mine"), expected=1, **WINDOW),
        lambda: library.memories.delete(memory.id, expected=1, **WINDOW),
        lambda: library.memories.restore(memory.id, 1, expected=1, **WINDOW),
    ):
        with pytest.raises(Conflict) as caught:
            change()
        assert caught.value.facts == {"revision": 2, "author": "robin"}
    assert only(library).content == "theirs"


def test_an_earlier_revision_is_put_back_as_a_new_one(library: Library) -> None:
    build(library, "edge: x")
    memory = only(library)
    edit = Edit(content="y", pinned=True, tags=("t",))
    library.memories.revise(memory.id, edit, **WINDOW)
    library.memories.restore(memory.id, 1, **WINDOW)
    assert sketch(library) == "edge:thing\nedge: x"
    assert only(library).revision == 3
    library.memories.restore(memory.id, 2, **WINDOW)
    assert sketch(library) == "edge:thing\nedge: y [pinned, #t]"
    with pytest.raises(NotFound):
        library.memories.restore(memory.id, 9, **WINDOW)


def test_a_memory_can_move_to_another_entity_and_out_of_all(library: Library) -> None:
    build(library, "edge: x; core: z")
    memory = library.memories.browse(Filter(entity="edge"))[0]
    library.memories.revise(memory.id, Edit(entity="core"), **WINDOW)
    assert "core: x" in sketch(library)
    assert library.memories.browse(Filter(words="core x"))[0].entity == "core"
    library.memories.revise(memory.id, Edit(entity=None), **WINDOW)
    assert "\n: x" in sketch(library)
    with pytest.raises(NotFound):
        library.memories.revise(memory.id, Edit(entity="nobody"), **WINDOW)


def test_deleted_memories_make_room_and_only_the_person_reaches_them(library: Library) -> None:
    build(library, "edge/k: x")
    memory = only(library)
    library.memories.delete(memory.id, **WINDOW)
    assert library.memories.get(memory.id).status is Status.DELETED
    with pytest.raises(NotFound):
        library.memories.get(memory.id, ROBIN)
    build(library, "edge/k: x")
    assert library.memories.count(Filter()) == 1
    assert library.memories.count(Filter(state=State.DELETED)) == 1
    with pytest.raises(Conflict):
        library.memories.revise(memory.id, Edit(status=Status.ACTIVE), **WINDOW)


def test_forgetting_for_good_leaves_no_word_behind(library: Library) -> None:
    build(library, "edge: unmistakable")
    memory = only(library)
    library.memories.revise(memory.id, Edit(content="inimitable"), **WINDOW)
    with pytest.raises(Refused):
        library.memories.purge(memory.id, author=ROBIN, origin="native")
    library.memories.purge(memory.id, **WINDOW)
    library.upkeep.tidy()
    raw = library.path.read_bytes()
    for word in (b"unmistakable", b"inimitable", b"unmistak", b"inimit"):
        assert word not in raw
    with pytest.raises(NotFound):
        library.memories.get(memory.id)
    assert library.upkeep.problems() == []


def test_secrets_are_refused_masked_or_kept_in_every_text(library: Library) -> None:
    build(library, "edge")
    secret = "password: hunter2hunter2"
    draft = Draft(secret, "edge", key="k", title=secret, source=secret, tags=(secret,))
    with pytest.raises(Refused, match="credential vault"):
        library.memories.remember(draft, **WINDOW)
    masked = library.memories.remember(draft, secrets=Secrets.MASK, **WINDOW)
    for text in (masked.content, masked.title, masked.source, *masked.tags):
        assert "hunter2" not in text
    edit = Edit(content=secret + " again", title=secret)
    revised = library.memories.revise(masked.id, edit, secrets=Secrets.MASK, **WINDOW)
    assert "hunter2" not in revised.content + revised.title
    kept = library.memories.remember(Draft(secret, "edge"), secrets=Secrets.KEEP, **WINDOW)
    assert kept.content == secret


def test_readers_and_proposers_change_nothing(library: Library) -> None:
    build(library, "edge: x")
    head = library.journal.head()
    for access, words in ((Access.READ, "only read"), (Access.PROPOSE, "only propose")):
        author = Author("robin", AuthorKind.AGENT, access)
        with pytest.raises(Refused, match=words):
            library.memories.remember(Draft("y", "edge"), author=author, origin="native")
    assert library.journal.head() == head


def test_a_locked_author_sees_its_entity_alone(library: Library) -> None:
    build(library, "edge: x; core: y; : loose")

    def seen(chosen: Filter) -> list[str]:
        page = library.memories.browse(chosen, author=LOCKED)
        assert library.memories.count(chosen, author=LOCKED) == len(page)
        return [m.content for m in page]

    assert seen(Filter()) == ["x"]
    assert seen(Filter(entity="core")) == []
    foreign = library.memories.browse(Filter(entity="core"))[0]
    for reach in (library.memories.get, library.memories.history):
        with pytest.raises(NotFound):
            reach(foreign.id, LOCKED)
    library.memories.revise(foreign.id, Edit(entity="edge"), **WINDOW)
    assert [line.revision for line in library.memories.history(foreign.id, LOCKED)] == [2]
    with pytest.raises(Refused, match="locked"):
        library.memories.revise(
            foreign.id, Edit(entity="core"), author=LOCKED, origin="native"
        )  # fmt: skip


def test_lists_filter_and_order(library: Library, clock: Hand) -> None:
    build(library, "edge: one; core: two; core: three; : four")
    one = library.memories.browse(Filter(words="one"))[0]
    edit = Edit(pinned=True, tags=("t",), verified=True, confidence=0.9)
    library.memories.revise(one.id, edit, author=ROBIN, origin="native")

    def contents(chosen: Filter, order: Order = Order.NEWEST) -> list[str]:
        ids = library.memories.ids(chosen, order)
        page = library.memories.browse(chosen, order)
        assert list(ids) == [m.id for m in page]
        return [m.content for m in page]

    assert contents(Filter()) == ["one", "four", "three", "two"]
    assert contents(Filter(entity="core")) == ["three", "two"]
    assert contents(Filter(tag="t")) == contents(Filter(author="robin")) == ["one"]
    assert contents(Filter(verified_before=clock.at)) == ["one", "four", "three", "two"]
    assert contents(Filter(state=State.REVIEW), Order.DUE) == ["two", "three", "four"]
    assert contents(Filter(state=State.REVIEW, reason=Reason.NOT_VERIFIED)) == [
        "four", "three", "two",
    ]  # fmt: skip
    clock.advance(91)
    assert contents(Filter(state=State.REVIEW, reason=Reason.OVERDUE))[0] == "one"
    assert library.memories.count(Filter(), bound=2) == 2


def test_the_bell_rings_for_changes_and_not_for_looks(library: Library) -> None:
    rung: list[int] = []
    stop = library.bell.listen(lambda: rung.append(library.journal.head()))
    build(library, "edge: x")
    assert rung == [1, 2]
    memory = only(library)
    library.memories.revise(memory.id, Edit(content="x"), **WINDOW)
    library.memories.get(memory.id)
    stop()
    build(library, "edge: y")
    assert rung == [1, 2]


def test_the_journal_knows_who_did_it_and_through_which_door(library: Library) -> None:
    build(library, "edge")
    library.memories.remember(Draft("x", "edge"), author=ROBIN, origin="native")
    [line] = library.journal.newest(1)
    told = (line.author, line.author_kind, line.origin, line.deed)
    assert told == ("robin", "agent", "native", Deed.REMEMBER)
    assert library.journal.newest(10, author=PERSON.name)[0].deed is Deed.CREATE_ENTITY


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("katalysatr", "Der Katalysator läuft"),
        ("Katalysator", "Die Abgaskatalysatoren stehen still"),
        ("Fusionskatalysator", "Der Katalysator läuft"),
        ("Haeuser", "Das Haus am See"),
        ("Häuser", "Das Haus am See"),
        ("muehle", "Die Mühlen am Bach"),
        ("Müller", "Mr Mueller is the one who has it"),
        ("mueller", "Mr Müller is the one who has it"),
        ("restarts nightly", "The router restarted"),
        ("the rout", "The router restarted"),
        ("get_reply", "calls getHTTPReply first"),
        ("httpreply", "calls getHTTPReply first"),
        ("wifi", "the Wi-Fi of the house"),
        ("東", "東京都に住む"),
        ("京都", "東京都に住む"),
        ("192.168.1.17", "It listens at 192.168.1.17"),
        ("10.0.1", "It listens at 10.0.100.2"),
        ("zebra katalysatr giraffe", "Der Katalysator läuft"),
    ],
)
def test_a_list_is_narrowed_to_what_recall_finds(library: Library, words: str, text: str) -> None:
    for content in (text, "Etwas ganz anderes", "Port 17 of switch 10"):
        library.memories.remember(Draft(content), **WINDOW)
    assert [m.content for m in library.memories.browse(Filter(words=words))] == [text]
    assert library.memories.count(Filter(words=words)) == 1


def test_a_narrowed_list_keeps_its_order_and_its_other_filters(library: Library) -> None:
    build(library, "edge: telnet telnet telnet; core: telnet is off; edge: no telnets")
    found = library.memories.browse(Filter(words="telnet"))
    assert [m.content for m in found] == ["no telnets", "telnet is off", "telnet telnet telnet"]
    assert len(library.memories.ids(Filter(words="telnt", entity="edge"))) == 2


@pytest.mark.parametrize("words", ["zebra", "???", '"', "x OR (", " ".join("abcdefgh" * 400)])
def test_a_list_narrowed_to_what_is_nowhere_is_empty(library: Library, words: str) -> None:
    library.memories.remember(Draft("telnet"), **WINDOW)
    assert library.memories.browse(Filter(words=words)) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(exclude_categories=())))
def test_nothing_typed_whatever_disturbs_a_list(library: Library, words: str) -> None:
    build(library, "edge: the router; edge: Der Katalysator 1.2.3")
    library.memories.browse(Filter(words=words))


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.ARCHIVED])
def test_a_memory_does_not_live_again_without_its_entity(library: Library, status: Status) -> None:
    build(library, "shed: the lamp is red")
    library.graph.delete(["shed"], **WINDOW)
    with pytest.raises(Conflict, match="is gone"):
        library.memories.revise(1, Edit(status=status), **WINDOW)
    assert library.memories.get(1).status is Status.DELETED
