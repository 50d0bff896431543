"""Foreign text is read without anything being fetched, followed or hidden."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, QUrl
from PySide6.QtGui import QAccessible, QColor, QImage, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look import theme
from remembrancer.desktop.look.browser import SafeBrowser
from remembrancer.desktop.look.markdown import blocks, fragments

NOTE = "Some words of this text are only to be seen in its source."


@pytest.fixture
def browser(qtbot: QtBot) -> SafeBrowser:
    made = SafeBrowser("Memory")
    qtbot.addWidget(made)
    made.resize(500, 400)
    return made


@pytest.fixture
def red_picture(tmp_path: Path) -> Path:
    image = QImage(80, 80, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff0000"))
    file = tmp_path / "red.png"
    image.save(str(file))
    return file


def has_red(browser: SafeBrowser) -> bool:
    image = browser.grab().toImage()
    colors = (
        image.pixelColor(x, y)
        for x in range(0, image.width(), 8)
        for y in range(0, image.height(), 8)
    )
    return any(color == QColor("#ff0000") for color in colors)


@pytest.mark.parametrize(
    "text",
    [
        "![alt]({url})",
        "![alt]({path})",
        "![alt][ref]\n\n[ref]: {url}",
        "[![alt]({url})](http://example.org)",
        "<img src='{url}'>",
        "<p style=\"background-image: url('{url}')\">x</p>",
        "![alt](http://127.0.0.1:9/red.png)",
        "![alt](data:image/png;base64,iVBORw0KGgo=)",
    ],
)
def test_no_picture_is_loaded(browser: SafeBrowser, red_picture: Path, text: str) -> None:
    url = QUrl.fromLocalFile(str(red_picture)).toString()
    browser.show_markdown(text.format(url=url, path=red_picture))
    assert not has_red(browser)
    assert not any(piece.charFormat().isImageFormat() for piece in fragments(browser.document()))


@pytest.mark.skipif(sys.platform != "linux", reason="the watch is a feature of Linux")
def test_a_picture_file_is_not_even_opened(browser: SafeBrowser, red_picture: Path) -> None:
    browser.show()
    with opened_times(red_picture) as times:
        browser.show_markdown(f"![a]({red_picture}) ![b]({red_picture.as_uri()})")
        browser.textCursor().insertImage(str(red_picture))
        browser.grab()
        assert times() == 0
        red_picture.read_bytes()
        assert times() == 1


@contextmanager
def opened_times(file: Path) -> Iterator[Callable[[], int]]:
    """Tells how often `file` was opened since it was asked last."""
    system = ctypes.CDLL(None)
    watch: int = system.inotify_init1(os.O_NONBLOCK)
    assert system.inotify_add_watch(watch, bytes(file), 0x20) > 0  # IN_OPEN

    def times() -> int:
        try:
            return len(os.read(watch, 4096)) // 16
        except BlockingIOError:
            return 0

    yield times
    os.close(watch)


def test_the_document_gives_no_resource_even_when_asked(
    browser: SafeBrowser, red_picture: Path
) -> None:
    image = QTextDocument.ResourceType.ImageResource
    style = QTextDocument.ResourceType.StyleSheetResource
    for url in (QUrl.fromLocalFile(str(red_picture)), QUrl(str(red_picture)), QUrl("red.png")):
        assert browser.document().resource(image.value, url).size() == QSize(1, 1)
        assert browser.loadResource(style.value, url).size() == QSize(1, 1)


def test_a_picture_that_got_in_all_the_same_is_not_drawn(
    browser: SafeBrowser, red_picture: Path
) -> None:
    for name in (str(red_picture), QUrl.fromLocalFile(str(red_picture)).toString()):
        browser.document().clear()
        browser.textCursor().insertImage(name)
        assert not has_red(browser)


def test_a_picture_is_named_in_words(browser: SafeBrowser) -> None:
    browser.show_markdown("see ![the plan](https://example.org/plan.png) here")
    assert browser.toPlainText() == "see [picture: the plan https://example.org/plan.png] here"


def test_html_is_shown_as_it_is_written(browser: SafeBrowser) -> None:
    browser.show_markdown("a <script>alert(1)</script> <b>b</b> <!-- c -->")
    assert browser.toPlainText() == "a <script>alert(1)</script> <b>b</b> <!-- c -->"


def test_a_link_is_told_and_not_followed(browser: SafeBrowser, qtbot: QtBot) -> None:
    browser.show_markdown("[here](file:///etc/passwd)")
    with qtbot.waitSignal(browser.link_chosen) as told:
        browser.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert told.args == ["file:///etc/passwd"]
    assert browser.toPlainText() == "here"
    assert not browser.openLinks()


def test_going_to_another_source_leaves_the_text_as_it_is(
    browser: SafeBrowser, tmp_path: Path
) -> None:
    (tmp_path / "other.md").write_text("other")
    browser.show_markdown("mine")
    browser.setSource(QUrl.fromLocalFile(str(tmp_path / "other.md")))
    browser.reload()
    assert browser.toPlainText() == "mine"


def test_the_target_of_a_link_is_shown_before_it_is_chosen(browser: SafeBrowser) -> None:
    browser.highlighted.emit(QUrl("http://example.org/<b>"))
    assert "http://example.org/" in browser.toolTip()
    assert "<b>" not in browser.toolTip()


@pytest.mark.parametrize("text", ["a\u202eb", "a&#8238;b", "a&#x202E;b", "`a\u202eb`"])
def test_hidden_characters_are_spelled_out_however_they_came_in(
    browser: SafeBrowser, text: str
) -> None:
    browser.show_markdown(text)
    assert browser.toPlainText() == "a⟨RLO⟩b"


@pytest.mark.parametrize(
    "text",
    [
        'words [link](http://example.org "obey the title")',
        "words\n\n[//]: # (obey this comment)",
        "| a | b |\n|---|---|\n| c | d | obey the surplus cell |",
        "```python obey the fence\nx\n```",
    ],
)
def test_words_that_markdown_swallows_are_mentioned(browser: SafeBrowser, text: str) -> None:
    browser.show_markdown(text)
    assert "obey" not in browser.toPlainText()
    assert browser.toPlainText().endswith(NOTE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words, *stressed*, **strong**, ~~gone~~ and `code` &copy; AT&amp;T",
        "# One\n## Two\n- a\n- [x] b\n1. c\n\n> quote\n\n---\nend",
        "```python\ndef f(x):\n    return x\n```\n\nafter",
        "[link](http://example.org/page) and https://example.org and <https://example.com>",
        "| a | b |\n|---|:-:|\n| c | d |",
        "intra*word*stress and snake_case_words and a\\\nbreak",
        "![alt](https://example.org/x.png)",
    ],
)
def test_ordinary_markdown_gets_no_such_note(browser: SafeBrowser, text: str) -> None:
    browser.show_markdown(text)
    assert NOTE not in browser.toPlainText()


def test_what_looks_like_front_matter_is_shown(browser: SafeBrowser) -> None:
    browser.show_markdown("---\nobey: me\n---\nwords")
    assert "obey: me" in browser.toPlainText()


def test_a_long_text_is_shown_in_parts_and_says_so(browser: SafeBrowser) -> None:
    browser.show_markdown("word " * 20_000)
    assert len(browser.toPlainText()) < 20_300
    assert "Part 1 of 9: characters 1 to 12" in browser.toPlainText()
    assert "Next part" in browser.toPlainText()


@pytest.mark.parametrize(
    "text", [">" * 5_000, "[" * 20_000, "- " * 3_000, "*a " * 6_000, "`" * 9_001, "x" * 100_000]
)
def test_hostile_markdown_is_shown_all_the_same(browser: SafeBrowser, text: str) -> None:
    browser.show_markdown(text)
    browser.grab()


def test_plain_text_is_shown_as_it_is_written(browser: SafeBrowser) -> None:
    browser.show_plain("**not bold** <b>x</b>\u200b")
    assert browser.toPlainText() == "**not bold** <b>x</b>⟨ZWSP⟩"


def test_plain_text_after_markdown_keeps_nothing_of_its_look(browser: SafeBrowser) -> None:
    browser.show_plain("words")
    fresh = browser.grab().toImage()
    browser.show_markdown("# Heading\n`code`")
    browser.show_plain("words")
    assert browser.grab().toImage() == fresh


def test_headings_code_and_quotes_have_their_look(browser: SafeBrowser) -> None:
    browser.show_markdown("# One\n\n`code` words\n\n> quote")
    looks = {piece.text(): piece.charFormat() for piece in fragments(browser.document())}
    worn = theme.current()
    assert looks["One"].font().pixelSize() > looks[" words"].font().pixelSize()
    assert looks["code"].background().color() == worn.color("code")
    assert looks["quote"].foreground().color() == worn.color("muted")


def test_a_table_behind_a_code_block_has_no_empty_line(browser: SafeBrowser) -> None:
    browser.show_markdown("```\nx\n```\n\n| Name | Port |\n|---|---|\n| a | b |")
    texts = [block.text() for block in blocks(browser.document())]
    assert texts[texts.index("Name") - 1] == "x"


def test_a_switch_of_theme_recolours_what_is_shown(browser: SafeBrowser, app: QApplication) -> None:
    browser.show_markdown("[link](m:1)")
    theme.apply(app, "dark")
    [link] = [p for p in fragments(browser.document()) if p.charFormat().isAnchor()]
    assert link.charFormat().foreground().color() == theme.THEMES["dark"].color("accent")


def test_a_screen_reader_hears_the_name_and_the_text(browser: SafeBrowser) -> None:
    browser.show_markdown("some **words**")
    face = QAccessible.queryAccessibleInterface(browser)
    assert face.text(QAccessible.Text.Name) == "Memory"
    assert "some words" in face.text(QAccessible.Text.Value)
