"""A store full of texts made to hurt: every place shows them as words and stays awake."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtGui import Qt as Markup
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTextBrowser, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from faults import hostile_text
from remembrancer.core.author import PERSON
from remembrancer.core.display import PARAGRAPH_CHARACTERS, SHOWN_CHARACTERS, ends
from remembrancer.core.memory import Draft, Memory
from remembrancer.desktop.look import links
from remembrancer.desktop.look.browser import SafeBrowser
from remembrancer.desktop.look.exact_edit import ExactEdit
from remembrancer.desktop.look.markdown import blocks, fragments
from remembrancer.desktop.look.question import Question
from remembrancer.desktop.memory.editor import MemoryEditor
from remembrancer.desktop.window import PLACES, Window
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library

from .conftest import settle

ME: Doing = {"author": PERSON, "origin": "test"}
SIZE = 3_000
ESCAPED = '<div style="white-space: pre-wrap">'  # how our tooltips begin
WIDEST = 1_100  # pixels that the left and the right side of a place may ask for together
SPELLED = 9  # what a hidden character may grow to when it is spelled out


@pytest.fixture(scope="module")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    """A store full of the catalogue, made once; tests get a copy of it."""
    path = tmp_path_factory.mktemp("hostile") / "hostile.db"
    with Library.open(path) as library:
        return path, hostile_text.fill(library, SIZE)


@pytest.fixture
def store_path(hostile_store: tuple[Path, dict[str, int]], tmp_path: Path) -> Path:
    return Path(shutil.copy(hostile_store[0], tmp_path / "memories.db"))


@pytest.fixture
def ids(hostile_store: tuple[Path, dict[str, int]]) -> dict[str, int]:
    return hostile_store[1]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[QUrl]:
    """What was handed to the desktop to be opened."""
    urls: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url) is None)
    return urls


def read_as_markup(window: QWidget) -> Iterator[str]:
    """Every widget below `window` that reads its words as markup, or shows a picture of theirs."""
    for widget in window.findChildren(QWidget):
        tip = widget.toolTip()
        if Markup.mightBeRichText(tip) and not tip.startswith(
            '<div style="white-space: pre-wrap">'
        ):
            yield f"{type(widget).__name__}: tooltip {tip[:60]}"
        if isinstance(widget, QLabel) and widget.textFormat() is not Qt.TextFormat.PlainText:
            yield f"{type(widget).__name__}: {widget.text()[:60]}"
        if isinstance(widget, QTextEdit):
            pieces = fragments(widget.document())
            if any(piece.charFormat().isImageFormat() for piece in pieces):
                yield f"{type(widget).__name__}: a picture"


def too_much(window: QWidget) -> Iterator[str]:
    """Every widget below `window` that is given more than can be laid out quickly."""
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QTextEdit | QPlainTextEdit):
            longest = max(block.length() for block in blocks(widget.document()))
            if longest > 2 * PARAGRAPH_CHARACTERS + 1 and not isinstance(widget, QTextBrowser):
                yield f"{type(widget).__name__}: a line of {longest}"
            count = widget.document().characterCount()
            # The editor has it all, and lays out only what is in sight.
            if count > SHOWN_CHARACTERS * SPELLED and not isinstance(widget, ExactEdit):
                yield f"{type(widget).__name__}: {widget.document().characterCount()}"
        elif isinstance(widget, QLabel) and len(widget.text()) > SHOWN_CHARACTERS:
            yield f"{type(widget).__name__}: {len(widget.text())}"


@pytest.mark.parametrize("place", PLACES)
def test_no_place_reads_markup_grows_with_a_text_or_opens_anything(
    ids: dict[str, int], window: Window, qtbot: QtBot, opened: list[QUrl], place: str
) -> None:
    width = window.width()
    window.go(place)
    settle(window, qtbot)
    window.pane(place).pose()
    settle(window, qtbot)
    assert list(read_as_markup(window)) == []
    assert list(too_much(window)) == []
    assert window.pane(place).minimumSizeHint().width() <= WIDEST
    assert window.width() == width
    assert opened == []


def test_every_page_of_every_hostile_memory_is_plain_and_bounded(
    ids: dict[str, int], window: Window, qtbot: QtBot, opened: list[QUrl]
) -> None:
    for name in ("tags", "file picture", "links", "nested tables", "one run", "table rows"):
        window.go("memories", memory_id=ids[name])
        settle(window, qtbot)
        detail = window.pane("memories").desk.detail  # type: ignore[attr-defined]
        assert detail.memory is not None
        assert detail.memory.id == ids[name]
        detail.compare()
        settle(window, qtbot)
        assert list(read_as_markup(window)) == []
        assert list(too_much(window)) == []
        assert window.pane("memories").minimumSizeHint().width() <= WIDEST
    assert opened == []


# --- the editor


@pytest.mark.parametrize(
    ("name", "size"), [("one run", 200_000), ("mixed line ends", 20_000), ("emoji flood", 20_000)]
)
def test_a_huge_text_is_edited_and_what_was_not_touched_is_stored_exactly(
    library: Library, window: Window, qtbot: QtBot, name: str, size: int
) -> None:
    text = hostile_text.texts(size)[name][:-1]
    memory = library.memories.remember(Draft(text, source="you"), **ME)
    editor = edit(memory, window, qtbot)
    assert not editor.is_dirty()
    assert list(too_much(editor)) == []
    qtbot.keyClicks(editor.form.content, "q")
    assert editor.is_dirty()
    editor.save()
    settle(window, qtbot)
    assert library.memories.get(memory.id).content == "q" + text


def edit(memory: Memory, window: Window, qtbot: QtBot) -> MemoryEditor:
    window.go("memories", memory_id=memory.id)
    settle(window, qtbot)
    desk = window.pane("memories").desk  # type: ignore[attr-defined]
    desk.edit()
    qtbot.waitUntil(lambda: not desk.editor.form.content.filling, timeout=20_000)
    settle(window, qtbot)
    desk.editor.form.content.moveCursor(desk.editor.form.content.textCursor().MoveOperation.Start)
    return desk.editor


@pytest.fixture
def editing(qtbot: QtBot) -> ExactEdit:
    made = ExactEdit()
    qtbot.addWidget(made)
    made.show()
    return made


def test_breaks_for_the_eye_come_and_go_without_touching_the_text(
    editing: ExactEdit, qtbot: QtBot
) -> None:
    text = "x" * 9_000 + "\nend"
    editing.show_text(text)
    assert editing.blockCount() > 3
    cursor = editing.textCursor()
    cursor.setPosition(editing.document().findBlockByNumber(1).position())
    editing.setTextCursor(cursor)
    qtbot.keyClick(editing, Qt.Key.Key_Backspace)
    assert editing.stored_text() == text
    editing.undo()
    assert editing.stored_text() == text
    qtbot.keyClick(editing, Qt.Key.Key_Return)
    assert editing.stored_text().count("\n") == 2
    qtbot.keyClick(editing, Qt.Key.Key_Return)
    assert editing.stored_text().count("\n") == 3
    editing.undo()
    editing.undo()
    assert editing.stored_text() == text


def test_what_is_copied_from_the_editor_is_what_is_stored(editing: ExactEdit) -> None:
    text = "a\u00a0b\r\n" + "y" * 5_000 + "\u2028z\r\nlast"
    editing.show_text(text)
    editing.selectAll()
    editing.copy()
    clipboard = QGuiApplication.clipboard()
    assert clipboard.text() == text
    assert not clipboard.mimeData().hasHtml()


def test_only_plain_text_is_taken_in(editing: ExactEdit) -> None:
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    assert not editing.canInsertFromMimeData(data)
    data.setText("one\r\ntwo" + "w" * 9_000)
    editing.insertFromMimeData(data)
    assert editing.stored_text() == "one\ntwo" + "w" * 9_000
    assert max(block.length() for block in blocks(editing.document())) <= PARAGRAPH_CHARACTERS + 1
    assert ends(editing.stored_text()).usual == "\n"


# --- reading


def test_a_long_text_is_read_part_by_part(qtbot: QtBot) -> None:
    browser = SafeBrowser("text")
    qtbot.addWidget(browser)
    text = "".join(f"line {number}\n" for number in range(6_000))
    browser.show_plain(text)
    assert "line 0" in browser.toPlainText()
    assert "line 5999" not in browser.toPlainText()
    read = ""
    while "Next part" in browser.toPlainText():
        read += browser.toPlainText().rpartition("\n")[0]
        browser.anchorClicked.emit(QUrl(last_link(browser)))
    assert "line 5999" in browser.toPlainText()
    assert len(read) > 20_000


def last_link(browser: SafeBrowser) -> str:
    found = [piece.charFormat().anchorHref() for piece in fragments(browser.document())]
    return [link for link in found if link][-1]


def test_the_text_of_a_memory_is_copied_as_it_is_stored(
    ids: dict[str, int], library: Library, window: Window, qtbot: QtBot
) -> None:
    for name in ("bidi", "line ends", "one run"):
        window.go("memories", memory_id=ids[name])
        settle(window, qtbot)
        detail = window.pane("memories").desk.detail  # type: ignore[attr-defined]
        detail.copy.click()
        stored = library.memories.get(ids[name]).content
        assert QGuiApplication.clipboard().text() == stored
        detail.pages.plain.selectAll()
        detail.pages.plain.copy()
        assert QGuiApplication.clipboard().text() == stored
        assert not QGuiApplication.clipboard().mimeData().hasHtml()


# --- links


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "file://host.invalid/share/x",
        "smb://host.invalid/x",
        "\\\\host.invalid\\share",
        "//host.invalid/share",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://host.invalid/",
        "mailto:a@b.c",
        "http:",
        "https://bank.example@evil.example/",
        "https://a.example/" + "x" * 5_000,
        "remembrancer",
    ],
)
def test_what_is_no_plain_web_address_is_never_opened(
    qtbot: QtBot, opened: list[QUrl], address: str
) -> None:
    browser = SafeBrowser("text")
    qtbot.addWidget(browser)
    browser.show_markdown("words")
    browser.anchorClicked.emit(QUrl(address))
    assert browser.findChildren(Question) == []
    assert browser.toPlainText() == "words"
    assert opened == []


def test_a_web_address_is_opened_once_the_person_has_seen_all_of_it(
    qtbot: QtBot, opened: list[QUrl]
) -> None:
    browser = SafeBrowser("text")
    qtbot.addWidget(browser)
    url = QUrl("https://b\u00fccher.example/" + "p" * 150 + "?q=<b>")
    browser.anchorClicked.emit(url)
    box = browser.findChildren(Question)[0]
    assert opened == []
    assert box.textFormat() is Qt.TextFormat.PlainText
    assert "xn--bcher-kva.example" in box.text()
    whole = box.informativeText().replace("\n", "")
    assert whole == url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
    next(b for b in box.buttons() if b.text() == "Cancel").click()
    assert opened == []
    again = links.ask(url, browser)
    assert again is not None
    next(b for b in again.buttons() if b.text() == "Open").click()
    assert opened == [url]
