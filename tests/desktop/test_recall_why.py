"""The recall place takes a score apart, and explains why another memory is not served."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.core.recall import Question
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.plain import number
from remembrancer.desktop.recall.pane import RecallPane
from remembrancer.desktop.recall.signal_list import SignalList
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

from .conftest import settle
from .speaking import nameless

AGENT: Doing = {"author": Author("cursor", AuthorKind.AGENT), "origin": "native"}
ME: Doing = {"author": PERSON, "origin": "test"}
LONG = f"the backup says {'word ' * 39_000}"


@pytest.fixture
def taught(library: Library) -> Library:
    """A nas with a rule, two notes on one backup, and somebody else's."""
    library.graph.create([NewEntity("nas", "device"), NewEntity("far", "device")], **AGENT)
    for draft in (
        Draft("Ask before a backup is deleted.", "nas", kind=Kind.CONSTRAINT, pinned=True),
        Draft("The backups run on 10.0.0.1 at night.", "nas", confidence=0.9),
        Draft("It is grey.", "nas"),
        Draft("The backup of another house.", "far"),
    ):
        library.memories.remember(draft, **AGENT)
    return library


@pytest.fixture
def pane(taught: Library, window: Window, qtbot: QtBot) -> RecallPane:
    window.go("recall", query="backup 10.0.0.1", entity="nas")
    found = window.pane("recall")
    assert isinstance(found, RecallPane)
    answered(found, window, qtbot)
    return found


def answered(pane: RecallPane, window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(pane.still)
    settle(window, qtbot)


def named(library: Library, content: str) -> Memory:
    found = (library.memories.get(n) for n in range(1, 10))
    return next(m for m in found if m.content == content)


def rows(view: SignalList) -> list[str]:
    model = view.signals()
    return [model.index(n, 0).data() for n in range(model.rowCount())]


def ask_why(pane: RecallPane, window: Window, qtbot: QtBot, text: str) -> str:
    """Name a memory as a person does, and read the sentence."""
    qtbot.keyClick(pane, Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    assert pane.why_not.box.hasFocus()
    pane.why_not.box.clear()
    qtbot.keyClicks(pane.why_not.box, text)
    answered(pane, window, qtbot)
    return pane.why_not.card.sentence.text()


# --- what a score is made of


def test_a_hit_shows_each_signal_the_sum_the_standing_and_the_score(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.hits.choose_row(2)
    qtbot.keyClick(pane, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert pane.hit_side.isVisible()
    told = rows(pane.hit_side.score.signals)
    starts = [
        "10: as a word", "0: as a word", "1: as a word", "Exactly 10.0.0.1",
        "backup: as a word, backups", "Written together with memory 1", "Sum", "Standing",
        "Confidence: 90 %, +2.7 %", "Doubt: Not verified, −1.8 %", "Score",
        "Within reach of the question, 1.00", "Belongs to the selected entity, +6.0 %",
    ]  # fmt: skip
    for start in starts:
        assert any(row.startswith(start) for row in told), (start, told)
    hit = pane.model.hit(2)
    assert hit is not None
    assert told[-1] == f"Score, {hit.score:.2f}"
    assert pane.hit_side.score.formula.text().endswith(f"= {hit.score:.2f}")


def test_what_is_pinned_and_binding_says_so_and_that_scores_do_not_count(
    pane: RecallPane,
) -> None:
    told = rows(pane.hit_side.score.signals)
    assert "Pinned, +12.0 %" in told
    assert "Constraint, +9.0 %" in told
    assert any(row.startswith("Standing, kept within 25 %, × 1.25") for row in told)
    assert told[-1].startswith("Score; pinned and constraints stand before all scores")


def test_return_on_what_was_written_together_chooses_the_other_memory(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.hits.choose_row(2)
    pane.turn("hit")
    signals = pane.hit_side.score.signals
    told = rows(signals)
    place = next(n for n, row in enumerate(told) if row.startswith("Written together"))
    signals.setFocus()
    signals.choose_row(place)
    qtbot.keyClick(signals, Qt.Key.Key_Return)
    first = named(window.library, "Ask before a backup is deleted.")
    assert pane.model.row_of(first.id) == pane.hits.currentIndex().row()


def test_a_click_on_it_does_the_same_and_a_click_elsewhere_nothing(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.hits.choose_row(2)
    pane.turn("hit")
    signals = pane.hit_side.score.signals
    settle(window, qtbot)
    wanted: list[int] = []
    signals.wanted.connect(wanted.append)
    for start in ("Sum", "Written together"):
        place = next(n for n, row in enumerate(rows(signals)) if row.startswith(start))
        spot = signals.visualRect(signals.model().index(place, 0)).center()
        qtbot.mouseMove(signals.viewport(), spot)
        qtbot.mouseClick(signals.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert wanted == [named(window.library, "Ask before a backup is deleted.").id]


def test_a_memory_that_is_not_in_the_list_is_opened(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.hit_side.wanted.emit(named(window.library, "The backup of another house.").id)
    settle(window, qtbot)
    assert window.place == "memories"


def test_without_words_it_is_said_that_nothing_was_asked(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.form.words.clear()
    answered(pane, window, qtbot)
    assert rows(pane.hit_side.score.signals)[0] == "Nothing was asked, 0.00"
    pane.form.words.setText("zebra")
    answered(pane, window, qtbot)
    none = "No word of the question stands in it, 0.00"
    assert rows(pane.hit_side.score.signals)[0] == none


def test_a_hit_that_was_left_out_is_taken_apart_as_well(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.form.limit.setValue(1)
    answered(pane, window, qtbot)
    pane.hits.choose_row(3)
    assert pane.hit_side.place.text() == "The limit of 1 was reached"
    assert any(row.startswith("Exactly 10.0.0.1") for row in rows(pane.hit_side.score.signals))


def test_what_was_not_even_tried_is_listed_and_the_answer_stays_to_the_letter(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    taught.graph.observe([("nas", [f"backup {n}" for n in range(60)])], **AGENT)
    pane.form.limit.setValue(2)
    answered(pane, window, qtbot)
    served = taught.recall.ask(Question("backup 10.0.0.1", "nas", limit=2))
    assert pane.reading.context.text.toPlainText() == served.context
    faces = [pane.model.face(n) for n in range(pane.model.rowCount())]
    why = [face.left_out for face in faces if face is not None and face.left_out]
    assert len(why) == 60
    assert why[0] == "The limit of 2 was reached"
    assert why[-1] == "Beaten by so many that it was not tried"


def test_without_a_hit_it_says_how_to_choose_one(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.turn("hit")
    pane.form.entity.clear()
    pane.form.words.setText("zebra")
    answered(pane, window, qtbot)
    assert pane.hit_side.currentIndex() == 1
    assert nameless(pane) == []


def test_it_is_told_to_whom_a_memory_was_served_and_how_often(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    pane.turn("hit")
    card = pane.hit_side.receipts
    assert "No agent was served" in card.told.text()
    for name in ("wren", "wren", "robin"):
        author = Author(name, AuthorKind.AGENT)
        taught.recall.serve(Question("deleted", "nas"), author)
    qtbot.waitUntil(lambda: len(taught.memories.receipts(1)) == 2)
    pane.form.words.setText("ask before")
    answered(pane, window, qtbot)
    model = card.model
    told = [[model.index(r, c).data() for c in range(2)] for r in range(model.rowCount())]
    assert told == [["wren", "2 times"], ["robin", "once"]]
    assert card.view.isVisible()


# --- why not this one


def test_a_memory_is_named_by_its_number_or_by_its_words(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    far = named(window.library, "The backup of another house.")
    told = "Not served: it is about far, which does not apply to nas."
    assert ask_why(pane, window, qtbot, f"m-{far.id}") == told
    assert pane.why_not.model.rowCount() == 1
    assert ask_why(pane, window, qtbot, "another house") == told
    assert pane.why_not.card.pairs() == ["What applies: nas · device"]
    assert not pane.why_not.card.score.isVisible()


def test_every_verdict_is_a_sentence_of_its_own(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    grey = named(taught, "It is grey.")
    run = named(taught, "The backups run on 10.0.0.1 at night.")
    assert ask_why(pane, window, qtbot, f"m-{run.id}") == "It is served: place 2 of 2."
    none = "Not served: it has none of the words asked for."
    assert ask_why(pane, window, qtbot, f"m-{grey.id}") == none
    assert "Looked for: backup" in pane.why_not.card.pairs()
    taught.memories.revise(grey.id, Edit(expires_at=taught.clock() + 1), **ME)
    assert ask_why(pane, window, qtbot, f"m-{grey.id}").startswith("Not served: it expired on ")
    edit = Edit(status=Status.ARCHIVED, archived_reason="painted")
    taught.memories.revise(grey.id, edit, **ME)
    answered(pane, window, qtbot)
    assert ask_why(pane, window, qtbot, f"m-{grey.id}").startswith("Not served: you archived it")
    assert pane.why_not.card.pairs() == ["Reason: painted"]
    taught.memories.delete(grey.id, **ME)
    assert ask_why(pane, window, qtbot, f"m-{grey.id}").startswith("Not served: it was deleted")


def test_one_that_was_beaten_or_did_not_fit_tells_its_numbers_and_its_score(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    run = named(taught, "The backups run on 10.0.0.1 at night.")
    pane.form.limit.setValue(1)
    told = ask_why(pane, window, qtbot, f"m-{run.id}")
    assert told == "Not served: place 2 of 2, after the limit of 1 was reached."
    names = [pair.split(":")[0] for pair in pane.why_not.card.pairs()]
    assert names == ["Its score", "Last one served"]
    assert pane.why_not.card.score.isVisible()
    pane.form.limit.setValue(12)
    long = taught.memories.remember(Draft(LONG, "nas"), **AGENT)
    told = ask_why(pane, window, qtbot, f"m-{long.id}")
    assert told.startswith(f"Not served: it needs {number(195_000)[:3]}")
    assert "Its place: 3 of 3" in pane.why_not.card.pairs()


def test_the_explanation_follows_the_question(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    grey = named(window.library, "It is grey.")
    ask_why(pane, window, qtbot, f"m-{grey.id}")
    pane.form.words.setText("grey")
    answered(pane, window, qtbot)
    assert pane.why_not.card.sentence.text() == "It is served: place 2 of 2."


def test_the_explained_memory_is_opened_by_its_link_or_by_return(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    grey = named(window.library, "It is grey.")
    ask_why(pane, window, qtbot, f"m-{grey.id}")
    link = pane.why_not.card.head.open_link
    assert link.accessibleName() == f"Open memory {grey.id}"
    qtbot.keyClick(link, Qt.Key.Key_Space)
    settle(window, qtbot)
    assert window.place == "memories"
    window.go("recall")
    answered(pane, window, qtbot)
    qtbot.keyClick(pane.why_not.box, Qt.Key.Key_Down)
    assert pane.why_not.list.hasFocus()
    qtbot.keyClick(pane.why_not.list, Qt.Key.Key_Return)
    settle(window, qtbot)
    assert window.place == "memories"


def test_another_place_may_ask_about_a_memory(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    grey = named(window.library, "It is grey.")
    window.go("memories")
    settle(window, qtbot)
    window.go("recall", explain=grey.id)
    answered(pane, window, qtbot)
    assert pane.why_not.isVisible()
    assert pane.why_not.card.head.number.text() == f"m-{grey.id}"
    assert pane.form.question().query == "backup 10.0.0.1"


def test_what_is_not_there_is_said_and_an_emptied_box_begins_anew(
    pane: RecallPane, window: Window, qtbot: QtBot
) -> None:
    pane.turn("other")
    assert pane.why_not.empty.isVisible()
    ask_why(pane, window, qtbot, "m-777")
    assert pane.why_not.empty.isVisible()
    assert not pane.why_not.list.isVisible()
    ask_why(pane, window, qtbot, "grey")
    assert pane.why_not.card.isVisible()
    pane.why_not.box.clear()
    answered(pane, window, qtbot)
    assert pane.why_not.empty.isVisible()


def test_hidden_characters_and_markup_of_a_memory_stay_words(
    pane: RecallPane, window: Window, qtbot: QtBot, taught: Library
) -> None:
    odd = taught.memories.remember(Draft("<b>zebra</b> \u202e back", "nas"), **ME)
    ask_why(pane, window, qtbot, f"m-{odd.id}")
    assert pane.why_not.card.head.title.text() == "<b>zebra</b> ⟨RLO⟩ back"


@pytest.mark.parametrize("page", ["reading", "hit", "other"])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_page_names_its_controls_and_paints_in_both_themes(
    pane: RecallPane, window: Window, qtbot: QtBot, qapp: QApplication, page: str, name: str
) -> None:
    theme.apply(qapp, name)
    ask_why(pane, window, qtbot, "backup")
    pane.turn(page)
    settle(window, qtbot)
    assert nameless(window) == []
    assert not pane.grab().isNull()
    theme.apply(qapp, "light")


def test_the_lists_pass_qts_own_tests(pane: RecallPane, window: Window, qtbot: QtBot) -> None:
    for model in (
        pane.model, pane.hit_side.score.signals.signals(), pane.hit_side.receipts.model,
        pane.why_not.model, pane.why_not.card.score.signals.signals(),
    ):  # fmt: skip
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    ask_why(pane, window, qtbot, "backup")
    pane.form.words.setText("disks")
    answered(pane, window, qtbot)
    window.library.recall.serve(Question("deleted", "nas"), Author("wren", AuthorKind.AGENT))
    pane.form.words.setText("deleted")
    answered(pane, window, qtbot)
    ask_why(pane, window, qtbot, "zebra")
