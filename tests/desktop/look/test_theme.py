"""Colours can be read by everybody in every theme, and a switch reaches the whole window."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from remembrancer.core.kinds import Kind
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.labels import Label

READABLE, SEEN = 4.5, 3.0

# ink: the grounds it stands on somewhere in the window
TEXT_PAIRS = {
    "text": "panel bg rail sel hover key btn code track warnbg badbg okbg delrow delmark addrow"
    " addmark gap",
    "muted": "panel bg rail sel hover key btn track code",
    "faint": "panel bg rail sel hover",
    "accent": "panel bg sel",
    "accenttext": "accentbg sel panel",
    "onaccent": "accent pressed",
    "warn": "panel bg sel hover warnbg",
    "bad": "panel bg sel hover badbg delrow",
    "ok": "panel bg sel hover okbg addrow",
}
# shapes without words: dots, bars, rings, icons
SHAPE_PAIRS = {"accent": "panel bg rail btn", "ok": "panel rail track", "warn": "panel track"}

each_theme = pytest.mark.parametrize("worn", theme.THEMES.values(), ids=lambda worn: worn.name)


def luminance(color: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(part) for part in color.getRgbF()[:3])  # type: ignore[index]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def poor(worn: theme.Theme, pairs: dict[str, str], least: float) -> list[str]:
    return [
        f"{ink} on {ground}: {value:.2f}"
        for ink, grounds in pairs.items()
        for ground in grounds.split()
        if (value := contrast(worn.color(ink), worn.color(ground))) < least
    ]


@each_theme
def test_every_ink_can_be_read_on_every_ground_it_stands_on(worn: theme.Theme) -> None:
    assert poor(worn, TEXT_PAIRS, READABLE) == []


@each_theme
def test_shapes_without_words_stand_out_from_their_ground(worn: theme.Theme) -> None:
    assert poor(worn, SHAPE_PAIRS, SEEN) == []


@each_theme
@pytest.mark.parametrize("kind", Kind)
def test_every_kind_can_be_read_on_its_own_ground(worn: theme.Theme, kind: Kind) -> None:
    assert kind.value in worn.kinds
    assert contrast(*worn.kind(kind)) >= READABLE


@each_theme
def test_the_eight_categories_stand_out_and_differ_from_each_other(worn: theme.Theme) -> None:
    colors = [worn.category(number) for number in range(8)]
    assert all(contrast(color, worn.color("bg")) >= SEEN for color in colors)
    distances = [
        sum((a - b) ** 2 for a, b in zip(one.getRgb(), other.getRgb(), strict=True)) ** 0.5  # type: ignore[arg-type]
        for one, other in combinations(colors, 2)
    ]
    assert min(distances) > 50


def test_the_ninth_category_is_the_first_again() -> None:
    worn = theme.current()
    assert worn.category(8) == worn.category(0)


def test_both_themes_name_the_same_colours() -> None:
    light, dark = theme.THEMES["light"], theme.THEMES["dark"]
    assert light.tokens.keys() == dark.tokens.keys()
    assert light.kinds.keys() == dark.kinds.keys()


def test_a_kind_nobody_knows_looks_like_an_unsorted_one() -> None:
    worn = theme.current()
    assert worn.kind("riddle") == worn.kind("unsorted")


def test_applying_a_theme_colours_the_palette_and_the_labels(
    app: QApplication, qtbot: QtBot
) -> None:
    label = Label("words", "muted")
    qtbot.addWidget(label)
    theme.apply(app, "dark")
    dark = theme.THEMES["dark"]
    assert app.palette().color(QPalette.ColorRole.Base) == dark.color("panel")
    assert ink_of(label) == dark.color("muted")


def ink_of(label: QLabel) -> QColor:
    label.ensurePolished()
    return label.palette().color(QPalette.ColorRole.WindowText)


def test_who_watches_hears_of_every_switch_until_it_is_gone(app: QApplication) -> None:
    class Keeper(QObject):
        def keep(self, worn: theme.Theme) -> None:
            heard.append(worn.name)

    heard: list[str] = []
    keeper = Keeper()
    theme.watch(keeper.keep)
    theme.apply(app, "dark")
    theme.apply(app, "light")
    del keeper
    theme.apply(app, "dark")
    assert heard == ["dark", "light"]


def test_an_unknown_theme_is_refused_and_nothing_changes(app: QApplication) -> None:
    with pytest.raises(KeyError):
        theme.apply(app, "sepia")
    assert theme.current().name == "light"


def test_following_the_desktop_wears_what_it_prefers(app: QApplication) -> None:
    theme.follow_system(app)
    app.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.current().name == "dark"
    app.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Unknown)
    assert theme.current().name == "light"


def test_a_chosen_theme_stays_when_the_desktop_changes(app: QApplication) -> None:
    theme.follow_system(app)
    theme.apply(app, "light")
    app.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.current().name == "light"
