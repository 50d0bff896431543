"""Where the application is put together: library, window, and the host after the first paint."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from remembrancer import places
from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.single import Single
from remembrancer.desktop.stopping import Leaving
from remembrancer.desktop.window import Window

if TYPE_CHECKING:
    from types import TracebackType

    from remembrancer.core.errors import RemembrancerError
    from remembrancer.service.library import Library

_OPENING = "remembrancer.opening"  # the application's property that holds who opens windows


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
    wear(app, PreferenceFile().now.theme)
    opening = _Opening(app, store, single, demo=demo)
    opening.show()
    code = app.exec()
    try:
        opening.end()
    finally:
        opening.done()
    return code


def between_windows(work: Callable[[], str], saying: str) -> bool:
    """Close the store, let `work` be done in a thread, and open the window on the store again.

    The new window says what `work` gives, or why it failed; meanwhile the old one says `saying`.
    False, and nothing happens, where no application was put together by `run`.
    """
    app = QApplication.instance()
    opening = app.property(_OPENING) if app is not None else None
    if not isinstance(opening, _Opening):
        return False
    opening.reopen_after(work, saying)
    return True


class _Opening(QObject):
    """Opens the library once the window is seen, and closes it after the window."""

    _worked = Signal(str, str)
    _window: Window
    _leaving: Leaving

    def __init__(self, app: QApplication, store: Path, single: Single, *, demo: bool) -> None:
        super().__init__(app)
        self._app, self._store, self._single, self._demo = app, store, single, demo
        self._library: Library | None = None
        self._problem: RemembrancerError | None = None
        self._said: tuple[str, str] | None = None
        self._worked.connect(self._reopen, Qt.ConnectionType.QueuedConnection)
        app.setProperty(_OPENING, self)

    def show(self) -> None:
        """Show a window; the library is opened behind its first picture."""
        window = self._window = Window(None, PreferenceFile())
        if self._demo:
            window.setWindowTitle("Remembrancer — demo")
        window.painted.connect(self.begin)
        window.painted.connect(lambda: self._single.listen(window))
        _catch_the_unexpected(window)
        self._leaving = Leaving(self._app, window)
        window.show()

    def begin(self) -> None:
        """Open the library and the window on it; a problem is shown with what helps."""
        from remembrancer.core.errors import RemembrancerError
        from remembrancer.desktop.standing import Standing
        from remembrancer.service.library import Library

        fonts.load(self._app)
        try:
            self._library = Library.open(self._store, backups=places.backup_folder())
        except RemembrancerError as problem:
            self._show_trouble(problem)
            return
        self._window.open_on(self._library)
        Standing(self._window)
        self._window.start_serving()
        if not self._demo:
            self._library.backup_watch.start()
        if self._said is not None and self._said[0]:
            self._window.tell(*self._said)
            self._said = None

    def _show_trouble(self, problem: RemembrancerError) -> None:
        """Say in the window why the store could not be opened; `end` raises it, unless mended."""
        from remembrancer.desktop.trouble import Trouble

        self._problem = problem
        page = Trouble(problem, self._store, places.backup_folder())
        page.over.connect(self._try_again)
        page.left.connect(self._window.close)
        self._window.rail.setEnabled(False)
        self._window.stack.addWidget(page)
        self._window.stack.setCurrentWidget(page)

    def _try_again(self, sentence: str, tone: str) -> None:
        self._problem = None
        self._reopen(sentence, tone)

    def reopen_after(self, work: Callable[[], str], saying: str) -> None:
        """Let go of the store, do `work`, and open another window on the store."""
        self._window.tell(saying)
        self._window.setEnabled(False)
        self._window.repaint()
        self._let_go()
        threading.Thread(target=self._work, args=(work,), name="between-windows").start()

    def end(self) -> None:
        """Close what was opened; raises what kept it from opening."""
        self._let_go()
        if self._problem is not None:
            raise self._problem

    def done(self) -> None:
        """Nobody opens windows any more."""
        self._app.setProperty(_OPENING, None)
        self._single.close()
        self._leaving.done()
        self.deleteLater()

    def _let_go(self) -> None:
        self._window.shut()
        self._window.is_open = False  # it has nothing to shut any more
        if self._library is not None:
            self._library.close()
            self._library = None

    def _work(self, work: Callable[[], str]) -> None:
        from remembrancer.core.errors import RemembrancerError

        said = translate("Window", "Something went wrong; the log has the details."), "bad"
        try:
            said = work(), "ok"
        except RemembrancerError as problem:
            said = str(problem), "bad"
        except Exception:
            import logging

            logging.getLogger(__name__).exception("What was done between two windows failed")
        self._worked.emit(*said)

    def _reopen(self, sentence: str, tone: str) -> None:
        former, self._said = self._window, (sentence, tone)
        self._single.close()
        self._leaving.done()
        self.show()  # before the former one goes: the last window takes the application along
        former.close()
        former.deleteLater()


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
