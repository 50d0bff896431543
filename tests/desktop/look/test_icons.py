"""Icons come in the colour and size that were asked for, and follow the theme."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QApplication

from remembrancer.desktop.look import icons, theme


def strongest(drawn: QPixmap) -> QColor:
    """The colour of the most opaque pixel."""
    image = drawn.toImage()
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return max((image.pixelColor(x, y) for x, y in places), key=QColor.alpha)


def test_an_icon_is_drawn_in_the_colour_asked_for() -> None:
    assert strongest(icons.pixmap("check", "#ff0000", 32, stroke=3)).name() == "#ff0000"


def test_an_icon_has_as_many_pixels_as_the_screen_needs() -> None:
    drawn = icons.pixmap("check", "#000000", 18, dpr=2.0)
    assert (drawn.size(), drawn.devicePixelRatio()) == (QSize(36, 36), 2.0)


def test_the_same_icon_is_drawn_only_once() -> None:
    one, two = (icons.pixmap("pin", "#123456", 16, 1.0) for _ in range(2))
    assert one.cacheKey() == two.cacheKey()


def test_an_unknown_name_gives_a_circle_and_no_error() -> None:
    drawn = icons.pixmap("no-such-icon", "#000000", 16, 1.0).toImage()
    assert drawn == icons.pixmap(icons.FALLBACK, "#000000", 16, 1.0).toImage()


def test_an_icon_of_a_button_changes_colour_with_the_theme(app: QApplication) -> None:
    icon = icons.icon("check", "accent")
    colors = []
    for name in ("light", "dark"):
        theme.apply(app, name)
        colors.append(strongest(icon.pixmap(64, 64)).name())
    assert colors == [theme.THEMES[name].color("accent").name() for name in ("light", "dark")]


@pytest.mark.parametrize(
    ("agent", "icon"), [("claude-code", "terminal"), ("you", "user"), ("somebody", "bot")]
)
def test_each_agent_has_an_icon(agent: str, icon: str) -> None:
    assert icons.for_agent(agent) == icon
    assert icons.exists(icon)


@pytest.mark.parametrize(
    "name",
    [
        "arrow-up",
        "brain",
        "check",
        "chevron-down",
        "chevron-up",
        "circle",
        "circle-alert",
        "circle-check",
        "info",
        "pin",
        "triangle-alert",
        "x",
    ],
)
def test_every_icon_that_the_blocks_themselves_use_is_bundled(name: str) -> None:
    assert icons.exists(name)
