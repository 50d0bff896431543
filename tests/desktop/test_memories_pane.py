"""The memories place: the list, its filters, and the editor beside agents who write as well."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.errors import NotFound
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.desktop.memories.pane import MemoriesPane
from remembrancer.desktop.recall.pane import RecallPane
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

from .conftest import settle

AGENT: Doing = {"author": Author("cursor", AuthorKind.AGENT), "origin": "native"}
ME: Doing = {"author": PERSON, "origin": "test"}


@pytest.fixture
def kept(library: Library) -> list[Memory]:
    library.graph.create([NewEntity("nas", "device"), NewEntity("router", "device")], **ME)
    drafts = (
        Draft("The share is called backup", "nas", tags=("disk",)),
        Draft("Uplink is fibre", "router", kind=Kind.CONSTRAINT, pinned=True),
        Draft("Prefers short answers"),
    )
    return [library.memories.remember(d, **ME) for d in drafts]


@pytest.fixture
def pane(kept: list[Memory], window: Window, qtbot: QtBot) -> MemoriesPane:
    window.go("memories")
    settle(window, qtbot)
    found = window.pane("memories")
    assert isinstance(found, MemoriesPane)
    return found


def shown(pane: MemoriesPane) -> list[str]:
    found = [pane.model.memory(row) for row in range(pane.model.rowCount())]
    return [m.content for m in found if m is not None]


def search(pane: MemoriesPane, window: Window, qtbot: QtBot, text: str) -> list[str]:
    pane.filters.set_text(text)
    pane.load()
    settle(window, qtbot)
    return shown(pane)


def test_the_newest_memory_stands_first_and_is_shown(pane: MemoriesPane) -> None:
    assert shown(pane)[0] == "Prefers short answers"
    assert pane.desk.detail.memory is not None
    assert pane.desk.detail.memory.content == "Prefers short answers"
    assert pane.count.text() == "3 memories"


def test_the_list_passes_qts_own_tests(pane: MemoriesPane) -> None:
    QAbstractItemModelTester(
        pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal, pane.model
    )
    pane.load()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("backup", ["The share is called backup"]),
        ("entity:router", ["Uplink is fibre"]),
        ("kind:constraint", ["Uplink is fibre"]),
        ("tag:disk", ["The share is called backup"]),
        ("state:pinned", ["Uplink is fibre"]),
        ("state:archived", []),
        ("agent:nobody", []),
        ('"" AND ( OR *', []),
    ],
)
def test_the_search_box_filters_by_words_and_pairs(
    pane: MemoriesPane, window: Window, qtbot: QtBot, text: str, found: list[str]
) -> None:
    assert search(pane, window, qtbot, text) == found


def test_a_chip_writes_its_state_into_the_box(
    pane: MemoriesPane, window: Window, qtbot: QtBot
) -> None:
    qtbot.mouseClick(pane.filters.states.chip("pinned"), Qt.MouseButton.LeftButton)
    assert pane.filters.text() == "state:pinned"
    pane.load()
    settle(window, qtbot)
    assert shown(pane) == ["Uplink is fibre"]


def test_nothing_found_says_what_to_try(pane: MemoriesPane, window: Window, qtbot: QtBot) -> None:
    pane.desk.detail.memory = None
    search(pane, window, qtbot, "zebra")
    assert pane.desk.currentWidget() is pane.empty


def test_delete_leaves_a_tombstone_that_undo_brings_back(
    pane: MemoriesPane, window: Window, library: Library, kept: list[Memory], qtbot: QtBot
) -> None:
    qtbot.keyClick(pane.list, Qt.Key.Key_Delete)
    settle(window, qtbot)
    assert library.memories.get(kept[2].id).status is Status.DELETED
    assert "Prefers short answers" not in shown(pane)
    window.deeds.undo()
    settle(window, qtbot)
    assert library.memories.get(kept[2].id).status is Status.ACTIVE
    assert "Prefers short answers" in shown(pane)
    window.deeds.redo()
    settle(window, qtbot)
    assert library.memories.get(kept[2].id).status is Status.DELETED


def test_forgetting_for_good_asks_first(
    pane: MemoriesPane, window: Window, library: Library, kept: list[Memory], qtbot: QtBot
) -> None:
    pane.deeds.purge()
    box = pane.findChild(QMessageBox)
    assert box is not None
    next(b for b in box.buttons() if b.text() == "Forget").click()
    settle(window, qtbot)
    with pytest.raises(NotFound):
        library.memories.get(kept[2].id)


def test_a_new_memory_is_written_with_the_keyboard(
    pane: MemoriesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    window.actions_table["edit.new"].trigger()
    qtbot.keyClicks(pane.desk.editor.form.content, "The door code changes in May")
    qtbot.keyClicks(pane.desk.editor.form.entity, "nas")
    qtbot.keyClick(
        pane.desk.editor.form.content, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
    )
    settle(window, qtbot)
    assert shown(pane)[0] == "The door code changes in May"
    assert pane.desk.detail.memory is not None
    assert pane.desk.detail.memory.entity == "nas"


def test_a_text_that_cannot_be_saved_says_why_and_stays(
    pane: MemoriesPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    window.actions_table["edit.new"].trigger()
    qtbot.keyClicks(pane.desk.editor.form.content, "x")
    qtbot.keyClicks(pane.desk.editor.form.entity, "nobody")
    pane.desk.editor.save()
    settle(window, qtbot)
    assert pane.desk.editor.banner.isVisible()
    assert pane.desk.editor.form.content.toPlainText() == "x"
    pane.desk.editor.form.fill(Draft(""))


@pytest.fixture
def torn(
    pane: MemoriesPane, window: Window, library: Library, kept: list[Memory], qtbot: QtBot
) -> MemoriesPane:
    """The person has typed, and an agent has changed the same memory meanwhile."""
    pane.desk.edit()
    pane.desk.editor.form.content.setPlainText("Prefers long answers")
    library.memories.revise(kept[2].id, Edit(content="Prefers no answers"), **AGENT)
    settle(window, qtbot)
    return pane


def test_what_an_agent_changed_meanwhile_is_told_and_nothing_typed_is_lost(
    torn: MemoriesPane,
) -> None:
    assert torn.desk.editor.banner.isVisible()
    assert torn.desk.editor.form.content.toPlainText() == "Prefers long answers"
    torn.desk.editor.banner.pressed.emit("compare")
    assert torn.desk.editor.difference.change_count() == 1
    torn.desk.editor.form.fill(Draft(""))


def test_take_theirs_shows_their_words(torn: MemoriesPane) -> None:
    torn.desk.editor.banner.pressed.emit("theirs")
    assert torn.desk.editor.form.content.toPlainText() == "Prefers no answers"
    assert not torn.desk.editor.is_dirty()


def test_keep_mine_writes_over_theirs_as_a_further_revision(
    torn: MemoriesPane, window: Window, library: Library, kept: list[Memory], qtbot: QtBot
) -> None:
    torn.desk.editor.banner.pressed.emit("mine")
    settle(window, qtbot)
    saved = library.memories.get(kept[2].id)
    assert (saved.content, saved.revision) == ("Prefers long answers", 3)
    contents = [(line.snapshot or {})["content"] for line in library.memories.history(saved.id)]
    assert contents == ["Prefers long answers", "Prefers no answers", "Prefers short answers"]


def test_unsaved_words_hold_the_person_back_from_leaving(
    pane: MemoriesPane, window: Window, qtbot: QtBot
) -> None:
    pane.desk.edit()
    pane.desk.editor.form.title.setText("New title")
    window.go("review")
    assert window.place == "memories"
    qtbot.keyClick(pane.desk.editor.form.title, Qt.Key.Key_Escape)
    window.go("review")
    assert window.place == "review"


def test_a_change_by_an_agent_shows_in_place_without_moving_the_list(
    pane: MemoriesPane, window: Window, library: Library, kept: list[Memory], qtbot: QtBot
) -> None:
    before = shown(pane)
    library.memories.revise(kept[0].id, Edit(content="The share is called b2"), **AGENT)
    settle(window, qtbot)
    after = shown(pane)
    assert after == [
        t.replace("The share is called backup", "The share is called b2") for t in before
    ]


def test_the_key_w_asks_why_the_chosen_memory_is_not_served(
    pane: MemoriesPane, window: Window, qtbot: QtBot
) -> None:
    chosen = pane.desk.memory
    assert chosen is not None
    qtbot.keyClick(pane.list, Qt.Key.Key_W)
    recall = window.pane("recall")
    assert isinstance(recall, RecallPane)
    qtbot.waitUntil(recall.still)
    settle(window, qtbot)
    assert window.place == "recall"
    assert recall.pages.current() == "other"
    assert recall.why_not.box.text() == f"m-{chosen.id}"
    assert recall.why_not.card.sentence.text()


def test_while_words_are_not_saved_the_key_w_leads_nowhere(
    pane: MemoriesPane, window: Window, qtbot: QtBot
) -> None:
    qtbot.keyClick(pane.list, Qt.Key.Key_E)
    qtbot.keyClicks(pane.desk.editor.form.content, "w")
    qtbot.keyClick(pane.list, Qt.Key.Key_W)
    assert window.place == "memories"
    assert pane.desk.editing
    pane.desk.editor.form.fill(Draft(""))
