"""The review place, driven by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.desktop.review.pane import ReviewPane
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

from .conftest import settle

AGENT: Doing = {"author": Author("cursor", AuthorKind.AGENT), "origin": "native"}
ME: Doing = {"author": PERSON, "origin": "test"}


@pytest.fixture
def due(library: Library) -> list[Memory]:
    """Three memories of an agent, none of them ever verified."""
    library.graph.create([NewEntity("nas", "device")], **AGENT)
    texts = ("The share is called backup", "It has two disks", "It sleeps at night")
    return [library.memories.remember(Draft(t, "nas"), **AGENT) for t in texts]


@pytest.fixture
def pane(due: list[Memory], window: Window, qtbot: QtBot) -> ReviewPane:
    window.go("review")
    settle(window, qtbot)
    found = window.pane("review")
    assert isinstance(found, ReviewPane)
    return found


def titles(pane: ReviewPane) -> list[str]:
    found = [pane.model.memory(row) for row in range(pane.model.rowCount())]
    return [m.headline() for m in found if m is not None]


def press(pane: ReviewPane, window: Window, qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(pane.list, key)
    settle(window, qtbot)


def test_the_card_says_why_the_memory_is_due(pane: ReviewPane) -> None:
    card = pane.model.card(pane.model.memory(0))  # type: ignore[arg-type]
    assert card.reason == "Never verified"
    assert "Never verified" in card.spoken()


def test_the_list_passes_qts_own_tests(pane: ReviewPane) -> None:
    QAbstractItemModelTester(
        pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal, pane.model
    )
    pane.model.remove(0)
    pane.model.insert(0, 1)


def test_y_verifies_and_moves_on_and_undo_brings_the_card_back(
    pane: ReviewPane, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_Y)
    assert titles(pane) == ["It has two disks", "It sleeps at night"]
    assert library.memories.get(due[0].id).verified_by == "you"
    assert pane.desk.detail.memory is not None
    assert pane.desk.detail.memory.id == due[1].id
    assert "Verify" in window.actions_table["edit.undo"].text()
    window.actions_table["edit.undo"].trigger()
    settle(window, qtbot)
    assert library.memories.get(due[0].id).verified_at is None
    assert titles(pane)[0] == "The share is called backup"


def test_a_archives_and_l_puts_off(
    pane: ReviewPane, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_A)
    press(pane, window, qtbot, Qt.Key.Key_L)
    assert library.memories.get(due[0].id).status is Status.ARCHIVED
    assert library.memories.get(due[1].id).postponed_until is not None
    assert titles(pane) == ["It sleeps at night"]
    assert library.review.count() == 1


def test_n_and_p_go_from_card_to_card_without_deciding(
    pane: ReviewPane, window: Window, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_N)
    assert pane.place.text() == "2 of 3"
    press(pane, window, qtbot, Qt.Key.Key_P)
    assert pane.place.text() == "1 of 3"
    assert len(titles(pane)) == 3


def test_e_corrects_the_words_and_saving_as_verified_moves_on(
    pane: ReviewPane, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_E)
    pane.desk.editor.form.content.selectAll()
    qtbot.keyClicks(pane.desk.editor.form.content, "The share is called archive")
    ctrl_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(pane.desk.editor.form.content, Qt.Key.Key_Return, ctrl_shift)
    settle(window, qtbot)
    corrected = library.memories.get(due[0].id)
    assert (corrected.content, corrected.revision) == ("The share is called archive", 2)
    assert corrected.verified_by == "you"
    assert titles(pane) == ["It has two disks", "It sleeps at night"]


def test_letters_typed_in_the_editor_are_no_decisions(
    pane: ReviewPane, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_E)
    qtbot.keyClicks(pane.desk.editor.form.content, "yal")
    settle(window, qtbot)
    assert library.memories.get(due[0].id).revision == 1
    assert "yal" in pane.desk.editor.form.content.toPlainText()


def test_a_decision_about_a_memory_that_an_agent_changed_is_refused_in_words(
    pane: ReviewPane, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    seen = due[0]
    library.memories.revise(seen.id, Edit(content="The share is called b2"), **AGENT)
    pane.desk.detail.memory = seen  # the window has not heard of it yet
    pane.verify()
    settle(window, qtbot)
    assert (
        "changed since you opened it"
        in window.banner.accessibleDescription()
        + " ".join(label.text() for label in window.banner.findChildren(type(pane.place)))
        or window.banner.isVisible()
    )
    assert library.memories.get(seen.id).verified_at is None


def test_what_an_agent_writes_waits_behind_a_pill(
    pane: ReviewPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    library.memories.remember(Draft("It hums", "nas"), **AGENT)
    settle(window, qtbot)
    assert len(titles(pane)) == 3
    assert pane.pill.isVisible()
    qtbot.mouseClick(pane.pill, Qt.MouseButton.LeftButton)
    settle(window, qtbot)
    assert len(titles(pane)) == 4


def test_an_empty_queue_says_so(window: Window, qtbot: QtBot) -> None:
    window.go("review")
    settle(window, qtbot)
    pane = window.pane("review")
    assert isinstance(pane, ReviewPane)
    assert pane.desk.currentWidget() is pane.empty


def test_the_revisions_of_a_memory_and_their_difference_are_shown(
    pane: ReviewPane, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    library.memories.revise(due[0].id, Edit(content="The share is called archive"), **AGENT)
    settle(window, qtbot)
    assert pane.desk.detail.history.timeline.rows().rowCount() == 2
    pane.desk.detail.compare()
    assert pane.desk.detail.difference.change_count() == 1
    pane.desk.detail.restore_wanted.emit(1)
    settle(window, qtbot)
    restored = library.memories.get(due[0].id)
    assert (restored.content, restored.revision) == ("The share is called backup", 3)


def test_any_two_revisions_can_be_compared(
    pane: ReviewPane, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    for text in ("The share is called archive", "The share is called b2"):
        library.memories.revise(due[0].id, Edit(content=text), **AGENT)
    settle(window, qtbot)
    pages = pane.desk.detail.pages
    pane.desk.detail.show_changes()
    assert [pages.old.itemText(n) for n in range(3)] == [
        "r3 · cursor",
        "r2 · cursor",
        "r1 · cursor",
    ]
    pages.old.setCurrentIndex(2)
    pages.old.activated.emit(2)
    left, right = pages.difference.sides()
    assert "backup" in left.toPlainText()
    assert "b2" in right.toPlainText()
