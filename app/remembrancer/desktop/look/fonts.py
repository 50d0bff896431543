"""The bundled typefaces: Inter for words, JetBrains Mono for code; the same on every machine."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from remembrancer.places import resource

WORDS, CODE = "Inter", "JetBrains Mono"
BASE_PIXELS = 13

NORMAL = QFont.Weight.Normal
MEDIUM = QFont.Weight.Medium
SEMIBOLD = QFont.Weight.DemiBold
BOLD = QFont.Weight.Bold


_FIRST = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf")


def load(app: QApplication) -> None:
    """Make the bundled typefaces known and the base font of `app`; loads the files only once."""
    load_first(app)
    _load_rest()


def load_first(app: QApplication) -> None:
    """Only what the first picture needs: reading them all would hold it up."""
    _load_first()
    app.setFont(font(BASE_PIXELS))


@cache
def _load_first() -> None:
    for name in _FIRST:
        QFontDatabase.addApplicationFont(str(resource("fonts", name)))


@cache
def _load_rest() -> None:
    for file in sorted(resource("fonts").glob("*.[ot]tf")):
        if file.name not in _FIRST:
            QFontDatabase.addApplicationFont(str(file))


def font(
    px: float, weight: QFont.Weight = NORMAL, mono: bool = False, italic: bool = False
) -> QFont:
    """A font of `px` pixels, unhinted so that letters keep their widths at every scale."""
    return QFont(_font(px, weight, mono, italic))


@cache
def _font(px: float, weight: QFont.Weight, mono: bool, italic: bool) -> QFont:
    # Families after the first are for letters that the bundled files lack.
    made = QFont([CODE, "monospace"] if mono else [WORDS, "sans-serif"])
    made.setPixelSize(round(px))
    made.setWeight(weight)
    made.setItalic(italic)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made
