"""Paints one place of the window into a file, without a screen and always the same way."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import (
    QEvent,
    QEventLoop,
    QMessageLogContext,
    QSize,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QApplication

from remembrancer.core.clock import SECOND
from remembrancer.core.errors import BadValue, StoreProblem
from remembrancer.desktop.application import make_application
from remembrancer.desktop.look import fonts
from remembrancer.desktop.look import theme as themes
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.window import PLACES, Window
from remembrancer.service.library import Library

SIZE = (1440, 900)
LONGEST = 20.0  # seconds until a picture is taken even of something that still moves
CALM = 6  # looks in a row at which nothing may move
LOOK = 40  # milliseconds between two looks
SINCE = 15 * 60 * SECOND  # how long after the last deed the picture is taken


def paint(
    place: str, file: Path, store: Path, theme: str = "light", size: tuple[int, int] = SIZE
) -> None:
    """Open the window on `store`, go to `place`, and save what it looks like as a PNG.

    The same store gives the same picture: the clock stands a quarter of an hour after the last
    deed, the person's preferences are not read, and no server runs. Raises BadValue for a place
    or theme that there is not, StoreProblem for a store or file that cannot be opened or written.
    """
    _check(place, theme)
    with _hushed():
        _paint(place, file, store, theme, size)


def _paint(place: str, file: Path, store: Path, theme: str, size: tuple[int, int]) -> None:
    app = _application()
    themes.apply(app, theme)
    clock = _StoppedClock()
    with tempfile.TemporaryDirectory() as folder, Library.open(store, clock) as library:
        clock.stop_after(library)
        window = Window(library, PreferenceFile(Path(folder) / "settings.json"))
        try:
            picture = _pose(window, place, size)
        finally:
            _end(window)
    if not picture.save(str(file), "PNG"):  # type: ignore[call-overload]
        raise StoreProblem(f"The picture could not be written to {file}.")


@contextmanager
def _hushed() -> Generator[None]:
    """Without what the offscreen platform says at each window: that it has no window manager."""

    def tell(_kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        if "propagateSizeHints" not in text:
            sys.stderr.write(f"{text}\n")

    before = qInstallMessageHandler(tell)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


class _StoppedClock:
    """A clock that stands still; it runs with the world until it is stopped."""

    def __init__(self) -> None:
        self._at: int | None = None

    def __call__(self) -> int:
        return time.time_ns() // 1_000 if self._at is None else self._at

    def stop_after(self, library: Library) -> None:
        """Stand a while after the last deed of a library."""
        newest = library.journal.newest(1)
        if newest:
            self._at = newest[0].at + SINCE


def _check(place: str, theme: str) -> None:
    if place not in PLACES:
        known = ", ".join(PLACES)
        raise BadValue(f"There is no place {place!r}; choose one of {known}.")
    if theme not in themes.THEMES:
        raise BadValue(f"There is no theme {theme!r}; choose light or dark.")


def _application() -> QApplication:
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = make_application()
    fonts.load(app)
    app.setCursorFlashTime(0)
    return app


def _pose(window: Window, place: str, size: tuple[int, int]) -> QPixmap:
    # Without a window of the platform nothing outside can move or size it.
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    window.setFixedSize(QSize(*size))  # of exactly that size, however little room it leaves
    window.show()
    window.go(place)
    _wait(window, window.pane(place))
    window.pane(place).pose()
    _wait(window, window.pane(place))
    _tidy(window)
    return window.grab()


def _end(window: Window) -> None:
    # Not closed as by the person: no pane may hold the picture up with a question.
    window.shut()
    window.hide()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]


def _tidy(window: Window) -> None:
    """What belongs to a moment rather than to the place goes."""
    window.banner.hide()
    lines = (translate("Window", "2 agents connected"), translate("Window", "port 8757"))
    window.rail.set_server("ok", translate("Window", "MCP server on"), lines)
    focused = QApplication.focusWidget()
    if focused is not None:
        focused.clearFocus()
    QApplication.processEvents()


def _wait(window: Window, pane: Pane) -> None:
    """Let events happen until nothing moved for several looks, or for too long."""
    loop, timer = QEventLoop(), QTimer(interval=LOOK)
    until, quiet, last = time.monotonic() + LONGEST, 0, QImage()

    def look() -> None:
        nonlocal quiet, last
        now = window.grab().toImage()
        calm = window.background.idle and pane.still() and now == last
        quiet, last = quiet + 1 if calm else 0, now
        if quiet >= CALM or time.monotonic() > until:
            loop.quit()

    timer.timeout.connect(look)
    timer.start()
    loop.exec()
    timer.stop()
