"""The review place, driven by keys."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.clock import DAY
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.desktop.review.due import DuePage
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
def pane(due: list[Memory], window: Window, qtbot: QtBot) -> DuePage:
    window.go("review")
    settle(window, qtbot)
    return due_page(window)


def due_page(window: Window) -> DuePage:
    place = window.pane("review")
    assert isinstance(place, ReviewPane)
    found = place.page("due")
    assert isinstance(found, DuePage)
    return found


def titles(pane: DuePage) -> list[str]:
    found = [pane.model.memory(row) for row in range(pane.model.rowCount())]
    return [m.headline() for m in found if m is not None]


def press(pane: DuePage, window: Window, qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(pane.list, key)
    settle(window, qtbot)


def test_the_card_says_why_the_memory_is_due(pane: DuePage) -> None:
    card = pane.model.card(pane.model.memory(0))  # type: ignore[arg-type]
    assert card.reason.startswith("Never verified")
    assert "Never verified" in card.spoken()


def test_the_list_passes_qts_own_tests(pane: DuePage) -> None:
    QAbstractItemModelTester(
        pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal, pane.model
    )
    pane.model.remove(0)
    pane.model.insert(0, 1)


def test_y_verifies_and_moves_on_and_undo_brings_the_card_back(
    pane: DuePage, window: Window, library: Library, due: list[Memory], qtbot: QtBot
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
    pane: DuePage, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_A)
    press(pane, window, qtbot, Qt.Key.Key_L)
    assert library.memories.get(due[0].id).status is Status.ARCHIVED
    assert library.memories.get(due[1].id).postponed_until is not None
    assert titles(pane) == ["It sleeps at night"]
    assert library.review.count() == 1


def test_n_and_p_go_from_card_to_card_without_deciding(
    pane: DuePage, window: Window, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_N)
    assert pane.place.text() == "2 of 3"
    press(pane, window, qtbot, Qt.Key.Key_P)
    assert pane.place.text() == "1 of 3"
    assert len(titles(pane)) == 3


def test_e_corrects_the_words_and_saving_as_verified_moves_on(
    pane: DuePage, window: Window, library: Library, due: list[Memory], qtbot: QtBot
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
    pane: DuePage, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_E)
    qtbot.keyClicks(pane.desk.editor.form.content, "yal")
    settle(window, qtbot)
    assert library.memories.get(due[0].id).revision == 1
    assert "yal" in pane.desk.editor.form.content.toPlainText()


def test_a_decision_about_a_memory_that_an_agent_changed_is_refused_in_words(
    pane: DuePage, window: Window, library: Library, due: list[Memory], qtbot: QtBot
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
    pane: DuePage, window: Window, library: Library, qtbot: QtBot
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
    pane = due_page(window)
    assert pane.desk.currentWidget() is pane.empty


def test_the_revisions_of_a_memory_and_their_difference_are_shown(
    pane: DuePage, window: Window, library: Library, due: list[Memory], qtbot: QtBot
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
    pane: DuePage, window: Window, library: Library, due: list[Memory], qtbot: QtBot
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


def test_twenty_memories_are_reviewed_by_keys_alone_and_all_of_it_can_be_taken_back(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.create([NewEntity("nas", "device")], **AGENT)
    ids = [library.memories.remember(Draft(f"Disk {n}", "nas"), **AGENT).id for n in range(20)]
    began = library.journal.head()
    window.go("review")
    settle(window, qtbot)
    pane = due_page(window)
    pane.load()
    settle(window, qtbot)
    assert pane.sitting.strip.told.text() == "20 to decide"

    keys = [Qt.Key.Key_V] * 9 + [Qt.Key.Key_U] + [Qt.Key.Key_V] * 1
    keys += [Qt.Key.Key_A] * 3 + [Qt.Key.Key_D] + [Qt.Key.Key_1, Qt.Key.Key_S, Qt.Key.Key_3]
    for key in keys:
        press(pane, window, qtbot, key)
    for number in range(4):
        press(pane, window, qtbot, Qt.Key.Key_E)
        content = pane.desk.editor.form.content
        content.selectAll()
        qtbot.keyClicks(content, f"Bay {number}")
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        qtbot.keyClick(content, Qt.Key.Key_Return, both)
        settle(window, qtbot)

    summary = pane.sitting.summary
    assert summary.isVisible()
    assert summary.heading.text() == "Decided: 20"
    assert summary.texts() == [
        "Verified: 9",
        "Corrected: 4",
        "Archived: 3",
        "Deleted: 1",
        "Put off: 3",
    ]
    assert library.review.count() == 0
    assert deeds_since(library, began) == {
        "verify": 10 + 4, "restore": 1, "archive": 3, "delete": 1, "postpone": 3,
    }  # fmt: skip
    stored = library.memories.several(ids)
    assert sum(m.verified_by == "you" for m in stored) == 13
    assert sum(m.content.startswith("Bay") for m in stored) == 4
    waits = sorted(round((m.postponed_until - m.updated_at) / DAY) for m in stored
                   if m.postponed_until is not None)  # fmt: skip
    assert waits == [1, 7, 30]

    qtbot.keyClick(summary.list, Qt.Key.Key_U)
    settle(window, qtbot)
    assert library.review.count() == 20
    assert not summary.isVisible()
    assert {m.content for m in library.memories.several(ids)} == {f"Disk {n}" for n in range(20)}


def test_a_session_can_be_stopped_anywhere_and_gone_on_with(
    pane: DuePage, window: Window, due: list[Memory], qtbot: QtBot
) -> None:
    press(pane, window, qtbot, Qt.Key.Key_Escape)
    assert not pane.sitting.summary.isVisible()  # nothing was decided yet
    press(pane, window, qtbot, Qt.Key.Key_V)
    assert pane.sitting.strip.told.text() == "1 of 3 decided"
    assert "Verify" in pane.sitting.strip.undo_button.text()
    press(pane, window, qtbot, Qt.Key.Key_Escape)
    assert pane.sitting.summary.texts() == ["Verified: 1"]
    qtbot.keyClick(pane.sitting.summary.list, Qt.Key.Key_Escape)
    settle(window, qtbot)
    assert pane.list.isVisible()
    assert len(titles(pane)) == 2


def test_the_page_says_in_numbers_why_a_memory_is_due_and_what_a_decision_does(
    pane: DuePage, due: list[Memory]
) -> None:
    assert pane.why.ranking.text() == "Urgency 10: never verified (+10)."
    assert pane.why.plan.text().startswith("Verified: asked again in 90 days. Corrected: in 30.")
    card = pane.model.card(due[0])
    assert "written" in card.reason
    assert card.reason.startswith("Never verified")
    assert "recalled never" in card.reason


def test_what_only_an_agent_verified_says_by_whom(
    pane: DuePage, window: Window, library: Library, due: list[Memory], qtbot: QtBot
) -> None:
    library.memories.verify(due[1].id, **AGENT)
    settle(window, qtbot)
    card = pane.model.card(library.memories.get(due[1].id))
    assert card.reason.startswith("Verified by cursor, not by you")


def deeds_since(library: Library, sequence: int) -> dict[str, int]:
    return dict(Counter(str(line.deed) for line in library.journal.after(sequence)))
