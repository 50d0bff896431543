"""The place of activity: the journal live, in words, with differences and undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.memory import Draft, Edit, Memory
from remembrancer.desktop.activity.pane import ActivityPane
from remembrancer.desktop.look.plain import number
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

from .conftest import settle
from .speaking import nameless

CURSOR: Doing = {"author": Author("cursor", AuthorKind.AGENT), "origin": "native"}
CLAUDE: Doing = {"author": Author("claude-code", AuthorKind.AGENT), "origin": "memcore"}
ME: Doing = {"author": PERSON, "origin": "window"}


@pytest.fixture
def disk(library: Library) -> Memory:
    library.graph.create([NewEntity("nas", "device")], **CLAUDE)
    disk = library.memories.remember(Draft("Four disks", "nas", title="Disks"), **CLAUDE)
    return library.memories.revise(disk.id, Edit(content="Five disks", confidence=0.9), **CURSOR)


@pytest.fixture
def pane(disk: Memory, window: Window, qtbot: QtBot) -> ActivityPane:
    return opened(window, qtbot)


def opened(window: Window, qtbot: QtBot) -> ActivityPane:
    window.go("activity")
    settle(window, qtbot)
    found = window.pane("activity")
    assert isinstance(found, ActivityPane)
    return found


def sentences(pane: ActivityPane) -> list[str]:
    model = pane.column.model
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def press(window: Window, qtbot: QtBot, *keys: Qt.Key | str) -> None:
    for key in keys:
        if isinstance(key, str):
            qtbot.keyClicks(window.focusWidget(), key)
        else:
            qtbot.keyClick(window.focusWidget(), key)
    settle(window, qtbot)


def said(pane: ActivityPane) -> list[str]:
    rows = pane.detail.lines.rows()
    return [str(rows.index(row).data()) for row in range(rows.rowCount())]


def test_calls_are_told_in_words_with_the_newest_first(pane: ActivityPane) -> None:
    assert sentences(pane) == [
        "cursor revised a memory about nas",
        "claude-code remembered a memory about nas",
        "claude-code created “nas”",
    ]


def test_the_words_say_what_a_call_did_to_how_many(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.create([NewEntity("a", "x", ("1", "2", "3")), NewEntity("b", "x")], **CURSOR)
    library.graph.observe([("a", ["4", "5"]), ("b", ["6"])], **CURSOR)
    library.graph.relate([Triple("a", "b", "near"), Triple("b", "a", "near")], **CURSOR)
    library.scopes.set("b", Scope.SHARED, expected=0, confirmed=True, **ME)
    library.graph.delete(["a"], **ME)
    pane = opened(window, qtbot)
    assert sentences(pane) == [
        "you deleted “a”, its 5 memories and its 2 relations",
        "you set the scope of “b”",
        "cursor made 2 relations",
        "cursor remembered 3 memories about a and b",
        "cursor created 2 entities and remembered 3 memories",
    ]
    assert pane.column.model.call(1).about == "its memories apply to everybody"  # type: ignore[union-attr]


def test_a_revision_is_shown_with_its_difference_and_fields(pane: ActivityPane) -> None:
    change = pane.detail.change
    assert change.diff.isVisible()
    assert change.diff.change_count() == 1
    fields = change.table.fields
    cells = [
        [fields.index(row, column).data() for column in range(fields.columnCount())]
        for row in range(fields.rowCount())
    ]
    assert cells == [["Confidence", "50 %", "90 %"]]
    QAbstractItemModelTester(fields)


def test_what_was_remembered_is_shown_as_text(
    pane: ActivityPane, window: Window, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_Down)
    assert pane.detail.change.text.toPlainText() == "Four disks"
    assert said(pane) == ["Remembered Disks"]


def test_return_goes_into_the_lines_and_again_to_the_memory(
    pane: ActivityPane, window: Window, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_Return)
    assert pane.detail.lines.hasFocus()
    press(window, qtbot, Qt.Key.Key_Return)
    assert window.place == "memories"


def test_o_on_a_relation_goes_to_its_entity(
    pane: ActivityPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.relate([Triple("nas", "ups", "powered by")], ghosts=True, **CURSOR)
    settle(window, qtbot)
    pane.column.rows.choose_row(0)
    settle(window, qtbot)
    assert said(pane) == ["Entity created ups", "Related nas → powered by → ups"]
    pane.column.rows.setFocus()
    press(window, qtbot, Qt.Key.Key_O)
    assert window.place == "entities"


def test_new_calls_come_in_by_themselves_at_the_top(
    pane: ActivityPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    QAbstractItemModelTester(pane.column.model)
    library.graph.observe([("nas", ["hums"])], **CURSOR)
    settle(window, qtbot)
    assert sentences(pane)[0] == "cursor remembered a memory about nas"
    assert not pane.column.news.isVisible()
    assert pane.detail.call.done == "revised a memory about nas"  # type: ignore[union-attr]


def test_new_calls_wait_behind_a_pill_while_the_person_looks_at_another(
    pane: ActivityPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    QAbstractItemModelTester(pane.column.model)
    press(window, qtbot, Qt.Key.Key_Down, Qt.Key.Key_Down)
    before = sentences(pane)
    library.graph.observe([("nas", ["hums"])], **CURSOR)
    library.graph.observe([("nas", ["glows"])], **CLAUDE)
    settle(window, qtbot)
    assert sentences(pane) == before
    assert pane.column.news.text() == "2 new — show"
    press(window, qtbot, Qt.Key.Key_T)
    assert sentences(pane)[2:] == before
    assert not pane.column.news.isVisible()
    assert pane.column.rows.currentIndex().row() == 4  # still the call that was looked at


def test_u_takes_a_call_back_and_the_list_says_so(
    pane: ActivityPane, window: Window, library: Library, disk: Memory, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_U)
    assert library.memories.get(disk.id).content == "Four disks"
    assert sentences(pane)[0] == "you took back: restored a memory about nas"
    assert pane.detail.undo.text() == "Taken back"
    assert not pane.detail.undo.isEnabled()
    window.deeds.undo()
    settle(window, qtbot)
    assert library.memories.get(disk.id).content == "Five disks"
    assert pane.detail.undo.isEnabled()


def test_a_call_that_was_overtaken_is_only_taken_back_all_the_same(
    pane: ActivityPane, window: Window, library: Library, disk: Memory, qtbot: QtBot
) -> None:
    press(window, qtbot, Qt.Key.Key_Down)
    press(window, qtbot, Qt.Key.Key_U)
    assert "changed since by cursor" in window.banner.accessibleName()
    assert library.memories.get(disk.id).content == "Five disks"
    buttons = window.banner.findChildren(QPushButton)
    next(b for b in buttons if b.text() == "Undo all the same").click()
    settle(window, qtbot)
    assert library.graph.open(["nas"]).nodes[0].observations == ()


def test_an_author_chip_leaves_the_calls_of_that_author(
    pane: ActivityPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    pane.column.filters.authors.chip("by:claude-code").click()
    settle(window, qtbot)
    assert [s.split()[0] for s in sentences(pane)] == ["claude-code", "claude-code"]
    library.graph.observe([("nas", ["hums"])], **CURSOR)
    settle(window, qtbot)
    assert len(sentences(pane)) == 2
    assert not pane.column.news.isVisible()


def test_words_find_what_was_written_and_no_names_of_fields(
    pane: ActivityPane, window: Window, qtbot: QtBot
) -> None:
    pane.focus_search()
    press(window, qtbot, "five")
    assert sentences(pane) == ["cursor revised a memory about nas"]
    pane.column.filters.search.setText("confidence")
    settle(window, qtbot)
    assert sentences(pane) == []
    reset = [b for b in pane.findChildren(QPushButton) if b.text() == "Show everything"]
    reset[0].click()
    settle(window, qtbot)
    assert len(sentences(pane)) == 3


def test_a_door_leaves_what_came_through_it(
    pane: ActivityPane, window: Window, library: Library, disk: Memory, qtbot: QtBot
) -> None:
    library.memories.verify(disk.id, **ME)
    settle(window, qtbot)
    pane.column.filters.doors.choose("window")
    settle(window, qtbot)
    assert sentences(pane) == ["you verified a memory about nas"]
    pane.column.filters.doors.choose("agents")
    settle(window, qtbot)
    assert len(sentences(pane)) == 3


def test_something_rare_is_looked_for_far_back_in_steps(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.create([NewEntity("first", "x")], **ME)
    for turn in range(30):
        texts = [f"{turn} {each}" for each in range(80)]
        library.graph.observe([("first", texts)], **CURSOR)
    pane = opened(window, qtbot)
    pane.column.filters.doors.choose("window")
    qtbot.waitUntil(lambda: sentences(pane) == ["you created “first”"], timeout=10_000)


def test_pages_follow_as_the_list_is_scrolled(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    for turn in range(300):
        library.graph.create([NewEntity(f"e{turn}", "x")], **CURSOR)
    pane = opened(window, qtbot)
    QAbstractItemModelTester(pane.column.model)
    for _ in range(8):
        pane.column.rows.scrollToBottom()
        settle(window, qtbot)
    found = sentences(pane)
    assert found == [f"cursor created “e{turn}”" for turn in reversed(range(300))]


def test_a_call_of_very_many_lines_is_one_row(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.create([NewEntity(f"e{i}", "x") for i in range(1_500)], **CURSOR)
    library.graph.create([NewEntity("last", "x")], **CURSOR)
    pane = opened(window, qtbot)
    assert sentences(pane) == ["cursor created “last”", f"cursor changed {number(1_500)} things"]
    press(window, qtbot, Qt.Key.Key_Down)
    assert len(said(pane)) == 400


def test_a_flood_of_changes_is_read_anew(
    pane: ActivityPane, window: Window, library: Library, qtbot: QtBot
) -> None:
    library.graph.create([NewEntity(f"e{i}", "x") for i in range(700)], **CURSOR)
    settle(window, qtbot)
    assert sentences(pane)[0] == "cursor changed 700 things"
    assert pane.detail.call.done == "revised a memory about nas"  # type: ignore[union-attr]


def test_an_empty_journal_says_what_will_stand_here(window: Window, qtbot: QtBot) -> None:
    pane = opened(window, qtbot)
    assert not pane.column.rows.isVisible()
    assert sentences(pane) == []


def test_what_was_forgotten_for_good_shows_no_words(
    pane: ActivityPane, window: Window, library: Library, disk: Memory, qtbot: QtBot
) -> None:
    library.memories.purge(disk.id, **ME)
    settle(window, qtbot)
    for row in range(pane.column.model.rowCount()):
        pane.column.rows.choose_row(row)
        settle(window, qtbot)
        assert "disks" not in pane.detail.change.text.toPlainText() or not (
            pane.detail.change.text.isVisible()
        )


def test_every_control_has_a_name(pane: ActivityPane, window: Window, qtbot: QtBot) -> None:
    assert nameless(pane) == []
