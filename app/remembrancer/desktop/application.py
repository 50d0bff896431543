"""Where the application is put together: library, window, and the host after the first paint."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.single import Single
from remembrancer.desktop.window import Window

if TYPE_CHECKING:
    from types import TracebackType

    from remembrancer.core.errors import RemembrancerError
    from remembrancer.service.library import Library


def make_application() -> QApplication:
    """The one QApplication, with our fonts loaded."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication([*sys.argv[:1], "-style", "Fusion"])
        app.setProperty(theme.FUSION, True)
        app.setApplicationName("remembrancer")
        app.setApplicationDisplayName("Remembrancer")
        app.setDesktopFileName("remembrancer")
    QLocale.setDefault(QLocale(QLocale.Language.English))
    fonts.load_first(app)
    return app


def wear(app: QApplication, name: str) -> None:
    """Wear the theme that the preferences name."""
    if name == "system":
        theme.follow_system(app)
    else:
        theme.apply(app, name)


def run(store: Path, *, demo: bool = False) -> int:
    """Open the window on a store and stay until it is closed; returns the exit code.

    The window is seen first; the library opens behind it. Raises StoreProblem where it cannot.
    """
    app = make_application()
    single = Single(store)
    if single.raise_other():
        return 0
    preferences = PreferenceFile()
    wear(app, preferences.now.theme)
    window = Window(None, preferences)
    if demo:
        window.setWindowTitle("Remembrancer — demo")
    opening = _Opening(app, window, store)
    window.painted.connect(opening.begin)
    window.painted.connect(lambda: single.listen(window))
    _catch_the_unexpected(window)
    window.show()
    code = app.exec()
    opening.end()
    single.close()
    return code


class _Opening:
    """Opens the library once the window is seen, and closes it after the window."""

    def __init__(self, app: QApplication, window: Window, store: Path) -> None:
        self._app, self._window, self._store = app, window, store
        self._library: Library | None = None
        self._problem: RemembrancerError | None = None

    def begin(self) -> None:
        """Open the library and the window on it; a problem closes the window."""
        from remembrancer.core.errors import RemembrancerError
        from remembrancer.service.library import Library

        fonts.load(self._app)
        try:
            self._library = Library.open(self._store)
        except RemembrancerError as problem:
            self._problem = problem
            self._window.close()
            return
        self._window.open_on(self._library)
        self._window.start_serving()

    def end(self) -> None:
        """Close what was opened; raises what kept it from opening."""
        self._window.shut()
        if self._library is not None:
            self._library.close()
        if self._problem is not None:
            raise self._problem


def _catch_the_unexpected(window: Window) -> None:
    """Bugs are logged and told, and the window stays."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        import logging
        import threading

        logging.getLogger(__name__).critical("unexpected", exc_info=(kind, error, trace))
        sentence = "Something went wrong; the log has the details."
        if window.is_open and threading.current_thread() is threading.main_thread():
            window.tell(sentence, "bad")

    sys.excepthook = hook
