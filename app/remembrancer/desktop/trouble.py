"""The page that stands in the window when the store cannot be opened: what is wrong, what helps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QMessageBox,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from remembrancer.core.errors import RemembrancerError, StoreDamaged
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import Label, Symbol
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.question import Question

if TYPE_CHECKING:
    from remembrancer.service.salvaging import Mended

_WIDE = 640  # pixels that the words take at most
_SHOWN = 12  # lines of what an examination found
Said = tuple[str, str]  # a sentence and its tone


class Trouble(QWidget):
    """Says why the store could not be opened; `over` tells that it can be tried again, with what
    is to be said then and in which tone. `left` tells that the person gives up for now.
    """

    over = Signal(str, str)
    left = Signal()
    _step = Signal(str)
    _done = Signal(object, object)

    def __init__(
        self, problem: RemembrancerError, store: Path, backups: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._store, self._backups = store, backups
        self._told: Callable[[Said], None] = self._finish
        self.damaged = isinstance(problem, StoreDamaged)
        self.heading = Label(self._heading(), "title")
        self.sentence = Label(str(problem), wrap=True)
        self.progress = Label("", "muted", wrap=True)
        self.bar = QProgressBar()
        self.examine = KeyButton("search", translate("Trouble", "Examine"))
        self.salvage = KeyButton(
            "archive-restore", translate("Trouble", "Salvage what can be read…"), primary=True
        )
        self.put_back = KeyButton("history", translate("Trouble", "Put a backup back…"))
        self.again = KeyButton("rotate-ccw", translate("Trouble", "Try again"))
        self.quit = KeyButton("x", translate("Trouble", "Quit"))
        self._build()
        self._connect()

    def _heading(self) -> str:
        if self.damaged:
            return translate("Trouble", "The store is damaged")
        return translate("Trouble", "The store cannot be opened")

    def _build(self) -> None:
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(translate("Trouble", "Work under way"))
        self.bar.hide()
        self.examine.setVisible(self.damaged)
        self.salvage.setVisible(self.damaged)
        self.again.setVisible(not self.damaged)
        room = QWidget()
        room.setMaximumWidth(_WIDE)
        column = QVBoxLayout(room)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(Symbol("triangle-alert", "bad" if self.damaged else "warn", 40))
        column.addWidget(self.heading)
        column.addWidget(self.sentence)
        column.addSpacing(8)
        column.addLayout(self._buttons())
        column.addWidget(self.bar)
        column.addWidget(self.progress)
        column.addStretch(3)
        outer = QHBoxLayout(self)
        outer.addStretch(1)
        outer.addWidget(room, 100)
        outer.addStretch(1)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.salvage, self.put_back, self.examine, self.again, self.quit):
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _connect(self) -> None:
        self.examine.clicked.connect(self._examine)
        self.salvage.clicked.connect(self._ask)
        self.put_back.clicked.connect(self._choose)
        self.again.clicked.connect(lambda: self.over.emit("", "info"))
        self.quit.clicked.connect(self.left)
        queued = Qt.ConnectionType.QueuedConnection
        self._step.connect(self.progress.setText, queued)
        self._done.connect(self._deliver, queued)

    # --- what the buttons do

    def _examine(self) -> None:
        from remembrancer.service.salvaging import damage_of

        def work() -> Said:
            found = damage_of(self._store)
            return "\n".join(found[:_SHOWN]) or translate("Trouble", "Nothing was found."), "info"

        self._run(work, self._show, translate("Trouble", "Examining the file…"))

    def _ask(self) -> None:
        title = translate("Trouble", "Salvage what can be read")
        box = Question(
            title,
            translate("Trouble", "Write everything that can be read into a new store?"), self,
        )  # fmt: skip
        box.explain(
            translate(
                "Trouble",
                "The damaged files are kept, all of them, in a folder of their own beside it.",
            )
        )
        also = QCheckBox(translate("Trouble", "Take in what only the newest sound backup has"))
        box.setCheckBox(also)
        yes = box.addButton(translate("Trouble", "Salvage"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(translate("Trouble", "Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(yes)
        box.accepted.connect(lambda: self.mend(take_missing=also.isChecked()))
        box.open()

    def mend(self, *, take_missing: bool = False) -> None:
        """Salvage in a thread; what is under way stands below the buttons."""
        from remembrancer.service.salvaging import mend

        def told(step: str, count: int) -> None:
            with suppress(RuntimeError):  # the window was closed meanwhile
                self._step.emit(_step(step, count))

        def work() -> Said:
            report = mend(self._store, self._backups, take_missing=take_missing, told=told)
            return _sentence(report), "ok" if not report.lost else "warning"

        self._run(work, self._finish, translate("Trouble", "Salvaging…"))

    def _choose(self) -> None:
        dialog = QFileDialog(self, translate("Trouble", "Put a backup back"), str(self._backups))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.restore(Path(path)))
        dialog.open()

    def restore(self, backup: Path) -> None:
        """Put a backup back in a thread; the present files are kept beside it."""
        from remembrancer.service.restoring import put_back

        def work() -> Said:
            kept = put_back(backup, self._store, self._backups)
            told = translate("Trouble", "The backup was put back. The former store is kept in {0}")
            return told.format(kept), "ok"

        self._run(work, self._finish, translate("Trouble", "Putting the backup back…"))

    # --- one work at a time, in a thread

    def _run(self, work: Callable[[], Said], told: Callable[[Said], None], saying: str) -> None:
        self._told = told
        self._wait(True)
        self.progress.setText(saying)
        threading.Thread(target=self._work, args=(work,), name="mending").start()

    def _work(self, work: Callable[[], Said]) -> None:
        said: Said | None = None
        problem: str | None = None
        try:
            said = work()
        except (RemembrancerError, OSError) as error:
            problem = str(error)
        except Exception:
            import logging

            logging.getLogger(__name__).exception("What was begun for a damaged store failed")
            problem = translate("Trouble", "Something went wrong; the log has the details.")
        with suppress(RuntimeError):  # the window was closed meanwhile
            self._done.emit(said, problem)

    def _deliver(self, said: Said | None, problem: str | None) -> None:
        self._wait(False)
        if said is None:
            self._show((problem or "", "bad"))
        else:
            self._told(said)

    def _wait(self, waiting: bool) -> None:
        self.bar.setVisible(waiting)
        for button in (self.examine, self.salvage, self.put_back, self.again, self.quit):
            button.setEnabled(not waiting)

    def _show(self, said: Said) -> None:
        self.progress.set_tone("bad" if said[1] == "bad" else "muted")
        self.progress.setText(said[0])

    def _finish(self, said: Said) -> None:
        self.over.emit(*said)


def _step(step: str, count: int) -> str:
    words = {
        "copying": translate("Trouble", "Copying the damaged files…"),
        "indexes": translate("Trouble", "Making the indexes anew…"),
        "index": translate("Trouble", "Making the index of words anew…"),
    }
    return words.get(step) or translate("Trouble", "{0}: {1} rows").format(step, f"{count:,}")


def _sentence(report: Mended) -> str:
    if report.how == "sound":
        return translate("Trouble", "The store is sound; nothing had to be mended.")
    if report.how == "indexes":
        told = translate("Trouble", "The indexes were made anew; nothing is lost.")
    else:
        told = translate("Trouble", "{0} rows were saved, {1} lost.")
        told = told.format(f"{report.found:,}", f"{report.lost:,}")
    kept = translate("Trouble", "The damaged files are kept in {0}").format(report.kept)
    return f"{told} {kept}"
