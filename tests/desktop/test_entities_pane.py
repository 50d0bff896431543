"""The place of entities: finding one, changing it, and agents who change it meanwhile."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractButton, QPushButton
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.memory import Draft
from remembrancer.desktop.entities.pane import EntitiesPane
from remembrancer.desktop.entities.reading import just_before
from remembrancer.desktop.entities.relations import grouped
from remembrancer.desktop.look.labels import Banner
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

from .conftest import settle
from .speaking import nameless

# The offscreen platform cannot raise the list of completions, and says so.
completing = pytest.mark.qt_log_ignore("propagateSizeHints", r"raise\(\)", "grabbing the keyboard")

AGENT: Doing = {"author": Author("cursor", AuthorKind.AGENT), "origin": "native"}
ME: Doing = {"author": PERSON, "origin": "test"}


@pytest.fixture
def filled(library: Library) -> Library:
    library.graph.create(
        [
            NewEntity("nas", "device", ("has four disks", "stands in the cellar")),
            NewEntity("media", "service"),
            NewEntity("web-01", "device"),
            NewEntity("atlas", "project"),
        ],
        **ME,
    )
    wanted = [Triple("nas", "media", "hosts"), Triple("nas", "ups", "powered by")]
    library.graph.relate(wanted, ghosts=True, **ME)
    return library


@pytest.fixture
def pane(filled: Library, window: Window, qtbot: QtBot) -> EntitiesPane:
    return opened(window, qtbot)


def opened(window: Window, qtbot: QtBot, **what: object) -> EntitiesPane:
    window.go("entities", **what)
    settle(window, qtbot)
    found = window.pane("entities")
    assert isinstance(found, EntitiesPane)
    return found


def names(pane: EntitiesPane) -> list[str]:
    model = pane.finder.model
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def shown(pane: EntitiesPane) -> str:
    entity = pane.detail.entity
    return entity.name if entity and pane.detail.isVisible() else ""


def press(window: Window, qtbot: QtBot, *keys: Qt.Key | str) -> None:
    """Press keys where the keyboard is, and wait for what comes of it."""
    for key in keys:
        focused = window.focusWidget()
        if isinstance(key, str):
            qtbot.keyClicks(focused, key)
        else:
            qtbot.keyClick(focused, key)
    settle(window, qtbot)


def answer(banner: Banner, words: str) -> None:
    found = [b for b in banner.findChildren(QPushButton) if b.text() == words]
    found[-1].click()


# --- finding


def test_the_first_entity_is_shown_and_the_arrows_go_through_the_list(
    pane: EntitiesPane, window: Window, qtbot: QtBot
) -> None:
    assert names(pane) == ["atlas", "media", "nas", "ups", "web-01"]
    assert shown(pane) == "atlas"
    press(window, qtbot, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert shown(pane) == "nas"


def test_a_search_leaves_what_holds_the_words_and_down_goes_to_the_list(
    pane: EntitiesPane, window: Window, qtbot: QtBot
) -> None:
    pane.focus_search()
    press(window, qtbot, "dev")
    assert names(pane) == ["nas", "web-01"]
    press(window, qtbot, Qt.Key.Key_Down)
    assert pane.finder.rows.hasFocus()
    assert shown(pane) == "nas"


def test_a_search_without_a_find_offers_everything_again(
    pane: EntitiesPane, window: Window, qtbot: QtBot
) -> None:
    pane.focus_search()
    press(window, qtbot, "zzz")
    assert names(pane) == []
    assert not pane.finder.rows.isVisible()
    button = [b for b in pane.finder.findChildren(QPushButton) if b.text() == "Show all entities"]
    button[0].click()
    settle(window, qtbot)
    assert len(names(pane)) == 5


def test_a_type_chip_leaves_the_entities_of_that_type(
    pane: EntitiesPane, window: Window, qtbot: QtBot
) -> None:
    pane.finder.types.chip("type:device").click()
    settle(window, qtbot)
    assert names(pane) == ["nas", "web-01"]


def test_pages_follow_as_the_list_is_scrolled(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.create([NewEntity(f"e{i:04}", "thing") for i in range(450)], **ME)
    pane = opened(window, qtbot)
    QAbstractItemModelTester(pane.finder.model)
    settle(window, qtbot)
    for _ in range(6):
        pane.finder.rows.scrollToBottom()
        settle(window, qtbot)
    assert names(pane) == [f"e{i:04}" for i in range(450)]


def test_an_entity_far_down_the_list_is_found_by_its_id(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.create([NewEntity(f"e{i:04}", "thing") for i in range(300)], **ME)
    wanted = library.graph.named("e0290")
    pane = opened(window, qtbot, entity_id=wanted.id)
    assert shown(pane) == "e0290"
    assert names(pane) == ["e0290"]
    assert pane.finder.rows.currentIndex().row() == 0


def test_an_entity_is_opened_by_its_name(window: Window, filled: Library, qtbot: QtBot) -> None:
    pane = opened(window, qtbot, name="media")
    assert shown(pane) == "media"
    assert pane.finder.rows.currentIndex().data() == "media"


@pytest.mark.parametrize("name", ["nas", "a", "\ue000", "é", "x\x01"])
def test_paging_right_before_a_name_begins_with_it(name: str) -> None:
    assert just_before(name) < name


def test_an_empty_store_says_what_an_entity_is(window: Window, qtbot: QtBot) -> None:
    pane = opened(window, qtbot)
    texts = [b.text() for b in pane.finder.findChildren(QPushButton) if b.isVisible()]
    assert "New entity" in texts
    assert shown(pane) == ""


# --- changing


@completing
def test_a_new_entity_is_named_typed_and_then_shown(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_N)
    press(window, qtbot, "printer", Qt.Key.Key_Tab, "gadget", Qt.Key.Key_Return)
    assert library.graph.named("printer").type == "gadget"
    assert shown(pane) == "printer"
    assert "printer" in names(pane)


def test_a_name_that_is_taken_is_told_beside_the_form(
    pane: EntitiesPane, window: Window, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_N)
    press(window, qtbot, "nas", Qt.Key.Key_Return)
    assert "there already" in pane.newcomer.trouble.accessibleName()
    press(window, qtbot, Qt.Key.Key_Escape)
    assert shown(pane) == "atlas"


def test_an_entity_is_renamed_and_stays_chosen(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_E)
    press(window, qtbot, "zeus", Qt.Key.Key_Return)
    assert names(pane) == ["media", "nas", "ups", "web-01", "zeus"]
    assert shown(pane) == "zeus"
    assert pane.finder.rows.currentIndex().data() == "zeus"
    assert library.graph.named("zeus").type == "project"


def test_a_taken_name_is_told_and_the_form_stays(
    pane: EntitiesPane, window: Window, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_E)
    press(window, qtbot, "nas", Qt.Key.Key_Return)
    assert pane.detail.head.editing
    assert "nas" in pane.detail.head.trouble.accessibleName()
    assert pane.detail.head.trouble.isVisible()


def test_a_deleted_entity_gives_way_to_the_next_and_comes_back_with_undo(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.choose(library.graph.named("nas").id)
    settle(window, qtbot)
    press(window, qtbot, Qt.Key.Key_Delete)
    assert "nas" not in names(pane)
    assert shown(pane) == "ups"
    assert "nas" in window.banner.accessibleName()
    window.deeds.undo()
    settle(window, qtbot)
    assert "nas" in names(pane)
    assert library.graph.open(["nas"]).nodes[0].observations == (
        "has four disks",
        "stands in the cellar",
    )


# --- relations


def test_relations_are_grouped_by_direction_and_type(filled: Library) -> None:
    nas = filled.graph.named("nas")
    filled.graph.relate([Triple("atlas", "nas", "needs"), Triple("nas", "atlas", "hosts")], **ME)
    found = grouped(nas.id, filled.map.relations(nas.id))
    assert [(out, type_, len(each)) for out, type_, each in found] == [
        (True, "hosts", 2),
        (True, "powered by", 1),
        (False, "needs", 1),
    ]


def test_the_name_at_the_other_end_goes_there(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.choose(library.graph.named("nas").id)
    settle(window, qtbot)
    chip = next(c for c in pane.detail.relations.chips() if c.relation.target == "media")
    chip.link.click()
    settle(window, qtbot)
    assert shown(pane) == "media"


@completing
def test_a_relation_is_added_by_keys_and_removed(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_R)
    press(window, qtbot, "uses", Qt.Key.Key_Tab, "web-01")
    assert pane.detail.relations.adder.other.offered() == ["web-01"]
    press(window, qtbot, Qt.Key.Key_Return)
    atlas = library.graph.named("atlas")
    assert [r.target for r in library.map.relations(atlas.id)] == ["web-01"]
    pane.detail.relations.chips()[0].remove.click()
    settle(window, qtbot)
    assert library.map.relations(atlas.id) == []
    assert pane.detail.relations.chips() == []


@completing
def test_a_relation_to_nobody_asks_first_and_then_makes_a_ghost(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_R)
    press(window, qtbot, "uses", Qt.Key.Key_Tab, "cloud", Qt.Key.Key_Return)
    assert "cloud" not in names(pane)
    answer(pane.detail.head.trouble, "Relate all the same")
    settle(window, qtbot)
    assert "cloud" in names(pane)
    assert library.graph.named("cloud").ghost


@completing
def test_a_ghost_says_so_and_is_created_with_a_type(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.choose(library.graph.named("ups").id)
    settle(window, qtbot)
    assert "nobody has created it" in pane.detail.head.hint.accessibleName()
    assert not pane.detail.scope.isVisible()
    pane.finder.rows.setFocus()
    press(window, qtbot, Qt.Key.Key_C)
    press(window, qtbot, "device", Qt.Key.Key_Return)
    ups = library.graph.named("ups")
    assert (ups.ghost, ups.type) == (False, "device")
    assert shown(pane) == "ups"


# --- scope


def test_sharing_needs_the_sentence_to_be_agreed_to(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.choose(library.graph.named("nas").id)
    settle(window, qtbot)
    everybody(pane)
    assert library.scopes.get("nas").scope is Scope.DEVICE
    assert (
        "2 memories of “nas” will apply to everybody" in pane.detail.scope.banner.accessibleName()
    )
    answer(pane.detail.scope.banner, "Share")
    settle(window, qtbot)
    assert library.scopes.get("nas").scope is Scope.SHARED
    assert not pane.detail.scope.banner.isVisible()


def everybody(pane: EntitiesPane) -> None:
    pane.detail.do("entity.scope")
    segments = pane.detail.scope.choice.findChildren(QAbstractButton)
    next(s for s in segments if s.text() == "Everybody").click()


@completing
def test_a_group_takes_members_by_name(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.detail.do("entity.scope")
    press(window, qtbot, Qt.Key.Key_Right, Qt.Key.Key_Space)
    pane.detail.scope.member.setFocus()
    press(window, qtbot, "nas", Qt.Key.Key_Return, "web-01", Qt.Key.Key_Return)
    assert pane.detail.scope.members() == ["nas", "web-01"]
    answer(pane.detail.scope.banner, "Share")
    settle(window, qtbot)
    assert library.scopes.get("atlas").members == ("nas", "web-01")


@completing
def test_a_member_that_is_not_there_is_told_and_nothing_changes(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.detail.do("entity.scope")
    press(window, qtbot, Qt.Key.Key_Right, Qt.Key.Key_Space)
    pane.detail.scope.member.setFocus()
    press(window, qtbot, "nowhere", Qt.Key.Key_Return)
    answer(pane.detail.scope.banner, "Share")
    settle(window, qtbot)
    assert "nowhere" in pane.detail.scope.banner.accessibleName()
    assert library.scopes.get("atlas").revision == 0


def test_a_scope_that_an_agent_set_meanwhile_is_a_conflict_and_can_be_looked_at(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    everybody(pane)
    library.scopes.set("atlas", Scope.GROUP, members=["nas"], expected=0, confirmed=True, **AGENT)
    settle(window, qtbot)
    assert pane.detail.scope.scope is Scope.SHARED  # the draft stays under the hands
    answer(pane.detail.scope.banner, "Share")
    settle(window, qtbot)
    assert "changed since you opened it" in pane.detail.scope.banner.accessibleName()
    answer(pane.detail.scope.banner, "Show what it is now")
    settle(window, qtbot)
    assert pane.detail.scope.scope is Scope.GROUP
    assert pane.detail.scope.members() == ["nas"]
    assert library.scopes.get("atlas").scope is Scope.GROUP


# --- agents meanwhile


def test_what_an_agent_creates_and_deletes_comes_and_goes_around_the_chosen_row(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    QAbstractItemModelTester(pane.finder.model)
    pane.choose(library.graph.named("nas").id)
    settle(window, qtbot)
    library.graph.create([NewEntity("beamer", "device", ("hums",))], **AGENT)
    library.graph.delete(["media"], **AGENT)
    settle(window, qtbot)
    assert names(pane) == ["atlas", "beamer", "nas", "ups", "web-01"]
    assert pane.finder.rows.currentIndex().data() == "nas"
    assert shown(pane) == "nas"


def test_a_memory_of_an_agent_is_put_on_top_of_the_cards(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.choose(library.graph.named("nas").id)
    settle(window, qtbot)
    QAbstractItemModelTester(pane.detail.memories.model)
    pane.finder.entered.emit()
    chosen = pane.detail.memories.cards.currentIndex().data()
    library.memories.remember(Draft("has a new fan", "nas"), **AGENT)
    settle(window, qtbot)
    model = pane.detail.memories.model
    assert model.index(0, 0).data() == "has a new fan"
    assert pane.detail.memories.cards.currentIndex().data() == chosen
    assert pane.finder.model.entity(2).memories == 3  # type: ignore[union-attr]


def test_an_agent_that_deletes_what_is_shown_leaves_no_ruin(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.delete(["atlas"], **AGENT)
    settle(window, qtbot)
    assert shown(pane) == "media"


def test_very_many_changes_at_once_keep_the_chosen_entity(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.choose(library.graph.named("nas").id)
    settle(window, qtbot)
    library.graph.create([NewEntity(f"a{i:04}", "thing") for i in range(60)], **AGENT)
    settle(window, qtbot)
    assert shown(pane) == "nas"
    assert pane.finder.rows.currentIndex().data() == "nas"
    assert len(names(pane)) == 65


def test_a_name_that_looks_the_same_is_offered_for_comparison(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.create([NewEntity("NAS", "device")], **AGENT)
    settle(window, qtbot)
    pane.choose(library.graph.named("nas").id)
    settle(window, qtbot)
    assert "NAS" in pane.detail.head.hint.accessibleName()
    answer(pane.detail.head.hint, "Look at it")
    settle(window, qtbot)
    assert shown(pane) == "NAS"


# --- going elsewhere


def test_return_on_a_memory_goes_to_it(
    pane: EntitiesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.choose(library.graph.named("nas").id)
    settle(window, qtbot)
    pane.finder.rows.setFocus()
    press(window, qtbot, Qt.Key.Key_Return, Qt.Key.Key_Return)
    assert window.place == "memories"


def test_every_control_has_a_name(pane: EntitiesPane, window: Window, qtbot: QtBot) -> None:
    assert nameless(pane) == []
