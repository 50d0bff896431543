"""Each test of the graph begins in the light theme, with a small graph on a canvas."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.graph.drawing import Mouse, make_scene
from remembrancer.desktop.graph.canvas import GraphCanvas
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.look import fonts, theme


@pytest.fixture(autouse=True)
def _dressed(qapp: QApplication) -> Iterator[None]:
    fonts.load(qapp)
    theme.apply(qapp, "light")
    yield
    theme.apply(qapp, "light")


@pytest.fixture
def new_canvas(qtbot: QtBot) -> Callable[..., GraphCanvas]:
    """Makes canvases of 800 by 600 pixels that fly instantly."""

    def make(scene: GraphScene | None = None, width: int = 800, height: int = 600) -> GraphCanvas:
        canvas = GraphCanvas()
        qtbot.addWidget(canvas)
        canvas.animations = False
        canvas.resize(width, height)
        canvas.set_scene(make_scene() if scene is None else scene)
        canvas.show()
        qtbot.waitExposed(canvas)
        return canvas

    return make


@pytest.fixture
def canvas(new_canvas: Callable[..., GraphCanvas]) -> GraphCanvas:
    """A canvas with the small graph."""
    return new_canvas()


@pytest.fixture
def mouse(canvas: GraphCanvas) -> Mouse:
    """A mouse on that canvas."""
    return Mouse(canvas)
