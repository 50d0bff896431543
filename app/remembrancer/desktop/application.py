"""Where the application is put together: library, window, and the host after the first paint."""

from __future__ import annotations

import logging
import sys
import threading
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.single import Single
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

_log = logging.getLogger(__name__)


def make_application() -> QApplication:
    """The one QApplication, with our fonts loaded."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
        app.setApplicationName("remembrancer")
        app.setApplicationDisplayName("Remembrancer")
        app.setDesktopFileName("remembrancer")
    QLocale.setDefault(QLocale(QLocale.Language.English))
    fonts.load(app)
    return app


def wear(app: QApplication, name: str) -> None:
    """Wear the theme that the preferences name."""
    if name == "system":
        theme.follow_system(app)
    else:
        theme.apply(app, name)


def run(store: Path, *, demo: bool = False) -> int:
    """Open the window on a store and stay until it is closed; returns the exit code."""
    app = make_application()
    single = Single(store)
    if single.raise_other():
        return 0
    preferences = PreferenceFile()
    wear(app, preferences.now.theme)
    with Library.open(store) as library:
        window = Window(library, preferences)
        if demo:
            window.setWindowTitle("Remembrancer — demo")
        single.listen(window)
        _catch_the_unexpected(window)
        window.painted.connect(window.start_serving)
        window.show()
        code = app.exec()
        window.shut()
        single.close()
    return code


def _catch_the_unexpected(window: Window) -> None:
    """Bugs are logged and told, and the window stays."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.critical("unexpected", exc_info=(kind, error, trace))
        sentence = "Something went wrong; the log has the details."
        if threading.current_thread() is threading.main_thread():
            window.tell(sentence, "bad")

    sys.excepthook = hook
