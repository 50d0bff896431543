"""Backups in Settings: how they stand, all of them in a table, one more now, one put back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMessageBox

from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop import application
from remembrancer.desktop.fields import ROW, row, table
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import Banner, Label, Message, Symbol
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.question import Question
from remembrancer.desktop.settings import backups_words as words
from remembrancer.desktop.settings.backups_model import BackupModel
from remembrancer.desktop.settings.choices import Section
from remembrancer.desktop.settings.places_section import open_folder
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.backups import BackupState, Since
from remembrancer.service.backups_folder import Backup
from remembrancer.service.restoring import put_back

LOOK = 15_000  # milliseconds between two looks, while the section is in sight
SHOWN = 6  # rows that are in sight at once


@dataclass(frozen=True)
class Found:
    """What there is to show."""

    state: BackupState
    backups: list[Backup]
    carried: str


class BackupsSection(Section):
    """`opening` shows a folder in the desktop's own file manager."""

    def __init__(self, bench: Workbench, opening: Callable[[Path], bool] = open_folder) -> None:
        told = translate(
            "Backups",
            "Made by itself at least once a day when something changed, and before what is hard "
            "to take back. Each is checked. Kept are the 5 newest and one of each of 7 days, "
            "4 weeks and 6 months; beside them a text of everything, once a week.",
        )
        super().__init__(translate("Backups", "Backups"), told)
        self._bench, self._opening = bench, opening
        self.model = BackupModel(self)
        self.table = table(self.model, translate("Backups", "Backups"), 1)
        self.make = KeyButton("save", translate("Backups", "Back up now"))
        self.show_folder = KeyButton("folder-open", translate("Backups", "Show the folder"))
        self.put_back = KeyButton("archive-restore", translate("Backups", "Put back…"))
        self.state = Label("", wrap=True)
        self.carried = Label("", "small", wrap=True)
        self.result = Banner()
        self._mark = Symbol("circle", "faint", 16)
        self._look = QTimer(self, interval=LOOK)
        self._build()
        self._connect()

    def refresh(self) -> None:
        """Show the backups as they are now."""
        self._bench.background.run(self._read, self._show, owner=self)

    def chosen(self) -> Backup | None:
        """The backup that is chosen in the table."""
        rows = self.table.selectionModel().selectedRows()
        return self.model.backups[rows[0].row()] if rows else None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._look.stop()

    def _build(self) -> None:
        standing = row(self._mark, self.state)
        layout = standing.layout()
        assert isinstance(layout, QHBoxLayout)
        layout.setStretch(1, 1)
        for part in (standing, self.carried, self.table):
            self.column.addWidget(part)
        self.column.addWidget(row(self.make, self.show_folder, self.put_back, 1))
        self.column.addWidget(self.result)
        self.carried.hide()
        self.table.hide()
        self.put_back.setEnabled(False)

    def _connect(self) -> None:
        self.make.clicked.connect(self._make)
        self.show_folder.clicked.connect(self._show_folder)
        self.put_back.clicked.connect(self._ask)
        self._look.timeout.connect(self.refresh)
        self.table.activated.connect(lambda _index: self._ask())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.model.modelReset.connect(self._enable)

    def _read(self) -> Found:
        backups = self._bench.library.backups
        return Found(backups.state, backups.all(), backups.notice)

    def _show(self, found: Found) -> None:
        icon, tone, sentence = words.state(found.state, self._bench.library.clock())
        self._mark.show_icon(icon, tone)
        self.state.setText(sentence)
        if found.state.failure:
            lead = translate("Backups", "The last attempt failed.")
            self.result.show_message(Message("bad", found.state.failure, lead))
        told = translate(
            "Backups", "{0} carries what is in the folder of the backups to other machines."
        )
        self.carried.setText(told.format(found.carried))
        self.carried.setVisible(bool(found.carried))
        self.model.show(found.backups)
        self.table.setFixedHeight((min(len(found.backups), SHOWN) + 1) * ROW)
        self.table.setVisible(bool(found.backups))

    def _enable(self) -> None:
        backup = self.chosen()
        self.put_back.setEnabled(backup is not None and backup.look is not None)

    def _make(self) -> None:
        self.make.setEnabled(False)
        self.result.show_message(Message("info", translate("Backups", "Backing up…")))
        backups = self._bench.library.backups
        self._bench.background.run(backups.make, self._made, self._failed, owner=self)

    def _made(self, backup: Backup) -> None:
        self.make.setEnabled(True)
        told = translate("Backups", "Backed up to {0}").format(backup.path)
        self.result.show_message(Message("ok", told))
        self.refresh()

    def _failed(self, error: RemembrancerError) -> None:
        self.make.setEnabled(True)
        self.result.show_message(Message("bad", str(error)))

    def _show_folder(self) -> None:
        folder = self._bench.library.backups.folder
        self._opening(folder if folder.is_dir() else folder.parent)

    def _ask(self) -> None:
        backup = self.chosen()
        if backup is None or backup.look is None:
            return
        backups = self._bench.library.backups

        def ask(since: Since | None) -> None:
            self._put_back(backup, since)

        self._bench.background.run(lambda: backups.since(backup), ask, self._failed, owner=self)

    def _put_back(self, backup: Backup, since: Since | None) -> None:
        title = translate("Backups", "Put a backup back")
        box = Question(title, words.question(backup), self)
        box.explain(words.consequence(backup, since))
        roles = QMessageBox.ButtonRole
        yes = box.addButton(translate("Backups", "Put back"), roles.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        yes.clicked.connect(lambda: self._reopen(backup))
        box.open()

    def _reopen(self, backup: Backup) -> None:
        store, folder = self._bench.library.path, self._bench.library.backups.folder

        def work() -> str:
            put_back(backup.path, store, folder)
            return words.done(backup)

        application.between_windows(work, translate("Backups", "Putting the backup back…"))
