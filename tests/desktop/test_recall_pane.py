"""The recall place, driven by keys: it shows exactly what an agent would get, and why."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft
from remembrancer.core.recall import Question
from remembrancer.desktop.look.buttons import LinkButton
from remembrancer.desktop.look.plain import number
from remembrancer.desktop.recall.hit_model import Heading, HitFace
from remembrancer.desktop.recall.pane import RecallPane
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

from .conftest import settle

AGENT: Doing = {"author": Author("cursor", AuthorKind.AGENT), "origin": "native"}
ME: Doing = {"author": PERSON, "origin": "test"}
LONG = "The backup log says: " + "one file copied; " * 200


@pytest.fixture
def taught(library: Library) -> Library:
    """A nas with backups, a rule for everybody, and two opinions about one key."""
    library.graph.create([NewEntity("nas", "device"), NewEntity("rules", "policy")], **AGENT)
    library.scopes.set("rules", Scope.SHARED, expected=0, confirmed=True, **ME)
    for draft in (
        Draft("Ask before a backup is deleted.", "rules", "backup/when", kind=Kind.CONSTRAINT),
        Draft("The backup runs at night.", "nas", "backup/when", confidence=0.9),
        Draft("The backup needs two disks.", "nas"),
        Draft(LONG, "nas"),
        Draft("It is grey.", "nas"),
    ):
        library.memories.remember(draft, **AGENT)
    return library


@pytest.fixture
def pane(taught: Library, window: Window, qtbot: QtBot) -> RecallPane:
    return opened(window, qtbot)


def opened(window: Window, qtbot: QtBot) -> RecallPane:
    window.go("recall")
    found = window.pane("recall")
    assert isinstance(found, RecallPane)
    answered(found, window, qtbot)
    return found


def answered(pane: RecallPane, window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not pane.asking.waiting)
    settle(window, qtbot)


def ask(pane: RecallPane, window: Window, qtbot: QtBot, words: str, entity: str = "") -> None:
    pane.form.words.clear()
    pane.form.entity.clear()
    qtbot.keyClicks(pane.form.words, words)
    qtbot.keyClicks(pane.form.entity, entity)
    answered(pane, window, qtbot)


def lines(pane: RecallPane) -> list[str]:
    """The list as text: headings as they are, cards by their first words, why left out after."""
    found = []
    for row in range(pane.model.rowCount()):
        face = pane.model._rows[row]
        if isinstance(face, Heading):
            found.append(face.text)
        else:
            assert isinstance(face, HitFace)
            found.append(f"- {face.hit.memory.content[:20]} {face.left_out}".strip())
    return found


def test_what_is_copied_is_to_the_letter_what_an_agent_is_served(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    ask(pane, window, qtbot, "backup", "nas")
    qtbot.keyClick(pane.reading.context.copy, Qt.Key.Key_Space)
    served = taught.recall.ask(Question("backup", "nas"))
    assert QGuiApplication.clipboard().text() == served.context
    assert pane.reading.context.text.toPlainText() == served.context
    assert [h.memory.id for h in served.items] == [
        f.hit.memory.id for f in pane.model._rows if isinstance(f, HitFace) and not f.left_out
    ]


def test_the_length_stands_against_the_budget(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    ask(pane, window, qtbot, "backup", "nas")
    size = len(taught.recall.ask(Question("backup", "nas")).context)
    assert pane.reading.context.size_label.text() == f"{number(size)} of {number(6_000)} characters"
    assert f"{round(size / 60)} % of the budget" == pane.reading.context.bar.accessibleName()


def test_a_card_tells_how_it_applies_and_why_it_was_found(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    ask(pane, window, qtbot, "backup", "nas")
    first = pane.model.index(pane.model.first(), 0)
    spoken = first.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "constraint" in spoken
    assert "applies" in spoken
    assert "Shared across all devices · 1 word matches · Constraint" in spoken
    assert "always · score" in spoken


def test_what_does_not_fit_is_listed_with_the_reason(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    ask(pane, window, qtbot, "backup", "nas")
    pane.form.budget.setValue(2_000)
    answered(pane, window, qtbot)
    assert lines(pane)[0] == "3 memories served, in this order"
    assert lines(pane)[4] == "Left out: 1"
    assert lines(pane)[5].startswith("- The backup log says: Did not fit the budget: needs ")
    pane.form.limit.setValue(1)
    answered(pane, window, qtbot)
    assert lines(pane)[0] == "1 memory served"
    assert lines(pane)[-1].endswith("The limit of 1 was reached")


def test_the_budget_is_chosen_by_a_segment_or_typed(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.form.budgets.chosen.emit("16000")
    assert pane.form.question().max_characters == 16_000
    pane.form.budget.setFocus()
    pane.form.budget.selectAll()
    qtbot.keyClicks(pane.form.budget, "700")
    qtbot.keyClick(pane.form.budget, Qt.Key.Key_Tab)
    assert pane.form.question().max_characters == 700
    assert pane.form.budgets.current() == ""
    answered(pane, window, qtbot)


def test_related_entities_can_be_left_away(pane: RecallPane, window: Window, qtbot: QtBot) -> None:
    qtbot.keyClick(pane.form.related, Qt.Key.Key_Space)
    assert not pane.form.question().include_related
    answered(pane, window, qtbot)


def test_conflicting_values_stand_side_by_side_and_open_their_memory(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    ask(pane, window, qtbot, "backup", "nas")
    card = pane.reading.conflicts
    assert card.isVisible()
    links = card.findChildren(LinkButton)
    assert len(links) == 2
    assert links[0].mapTo(card, links[0].rect().topLeft()).y() == (
        links[1].mapTo(card, links[1].rect().topLeft()).y()
    )
    qtbot.keyClick(links[0], Qt.Key.Key_Space)
    settle(window, qtbot)
    assert window.place == "memories"


def test_warnings_and_scopes_are_shown(pane: RecallPane, window: Window, qtbot: QtBot) -> None:
    ask(pane, window, qtbot, "backup", "nas")
    assert any("conflicting values" in w for w in pane.reading.warnings())
    assert pane.reading.scopes.isVisible()
    ask(pane, window, qtbot, "grey")
    assert any("No target entity" in w for w in pane.reading.warnings())


def test_return_goes_to_the_hits_and_opens_the_one_that_is_chosen(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    ask(pane, window, qtbot, "disks", "nas")
    qtbot.keyClick(pane.form.words, Qt.Key.Key_Return)
    assert pane.hits.hasFocus()
    assert pane.model.hit(pane.hits.currentIndex().row()) is not None
    qtbot.keyClick(pane.hits, Qt.Key.Key_Return)
    settle(window, qtbot)
    assert window.place == "memories"


def test_the_arrow_keys_pass_over_the_headings(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    ask(pane, window, qtbot, "backup", "nas")
    pane.form.limit.setValue(1)
    answered(pane, window, qtbot)
    pane.hits.begin()
    qtbot.keyClick(pane.hits, Qt.Key.Key_Down)
    assert pane.hits.currentIndex().row() == 3
    assert pane.model.headings() == [0, 2]


def test_only_the_newest_question_is_answered(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    told: list[str] = []
    pane.asking.answered.connect(lambda question, _answer: told.append(question.query))
    pane.asking.ask(Question("one"), at_once=True)
    pane.asking._go()  # its time has come: the first is under way
    pane.asking.ask(Question("two"))
    pane.asking.ask(Question("three"), at_once=True)
    answered(pane, window, qtbot)
    assert told == ["three"]


def test_an_unknown_entity_is_told_as_an_agent_would_be_told(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    ask(pane, window, qtbot, "backup", "toaster")
    assert pane.empty.isVisible()
    assert not pane.reading.isVisible()
    ask(pane, window, qtbot, "backup", "nas")
    assert pane.hits.isVisible()
    assert pane.reading.isVisible()


@pytest.mark.qt_log_ignore("does not support")  # the offscreen platform raises no pop-up
def test_names_of_entities_are_completed(pane: RecallPane, window: Window, qtbot: QtBot) -> None:
    pane.form.entity.setFocus()
    qtbot.keyClicks(pane.form.entity, "na")
    completer = pane.form.entity.completer()
    qtbot.waitUntil(lambda: completer.completionCount() == 1)
    assert completer.completionModel().index(0, 0).data() == "nas"
    popup = completer.popup()
    assert popup is not None
    popup.hide()
    answered(pane, window, qtbot)


def test_an_empty_store_says_that_there_is_nothing_yet(window: Window, qtbot: QtBot) -> None:
    pane = opened(window, qtbot)
    assert pane.empty.isVisible()
    assert pane.model.rowCount() == 0


def test_what_an_agent_remembers_meanwhile_is_found_at_once(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    ask(pane, window, qtbot, "parrot")
    assert lines(pane) == ["1 memory served", "- Ask before a backup"]
    taught.memories.remember(Draft("The parrot is called Otto.", "nas"), **AGENT)
    qtbot.waitUntil(lambda: lines(pane)[-1] == "- The parrot is called")


def test_hidden_characters_are_spelled_out_and_markup_is_not_read(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    taught.memories.remember(Draft("zebra <b>x</b> \u202e back", "nas"), **ME)
    ask(pane, window, qtbot, "zebra")
    assert "zebra <b>x</b> ⟨RLO⟩ back" in pane.reading.context.text.toPlainText()


def test_a_question_from_another_place_is_filled_in(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    window.go("recall", query="disks", entity="nas")
    answered(pane, window, qtbot)
    assert pane.form.question() == Question("disks", "nas")
    assert pane.form.words.hasFocus()


def test_the_list_passes_qts_own_tests(pane: RecallPane, window: Window, qtbot: QtBot) -> None:
    QAbstractItemModelTester(
        pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal, pane.model
    )
    ask(pane, window, qtbot, "backup", "nas")
    ask(pane, window, qtbot, "nothing of the kind")
