"""The bundled typefaces are the ones that are drawn."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo
from PySide6.QtWidgets import QApplication

from remembrancer.desktop.look import fonts


def test_words_are_drawn_in_the_bundled_face() -> None:
    assert QFontInfo(fonts.font(13)).family() == "Inter"


def test_code_is_drawn_in_the_bundled_monospaced_face() -> None:
    info = QFontInfo(fonts.font(12, mono=True))
    assert (info.family(), info.fixedPitch()) == ("JetBrains Mono", True)


def test_a_font_has_the_size_weight_and_slant_that_were_asked_for() -> None:
    made = fonts.font(20, fonts.SEMIBOLD, italic=True)
    assert (made.pixelSize(), made.weight(), made.italic()) == (20, QFont.Weight.DemiBold, True)
    assert made.hintingPreference() == QFont.HintingPreference.PreferNoHinting


def test_changing_a_font_leaves_the_next_one_as_it_should_be() -> None:
    fonts.font(13).setUnderline(True)
    assert not fonts.font(13).underline()


def test_loading_twice_adds_no_face_twice(app: QApplication) -> None:
    before = QFontDatabase.families()
    fonts.load(app)
    assert QFontDatabase.families() == before
    assert app.font().pixelSize() == fonts.BASE_PIXELS
