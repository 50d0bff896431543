"""Secrets in what is stored already: scanned for, masked, kept on purpose, forgotten for good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QWidget

from remembrancer.core.errors import RemembrancerError
from remembrancer.core.screening import Finding
from remembrancer.desktop.deeds import WINDOW
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.flow import FlowLayout, give_height_for_width
from remembrancer.desktop.look.labels import Banner, Label, Message, Symbol
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.look.question import Question
from remembrancer.desktop.settings import screening_words as words
from remembrancer.desktop.settings.choices import Section
from remembrancer.desktop.settings.meaning_bar import MeaningBar
from remembrancer.desktop.settings.screening_model import FindingModel
from remembrancer.desktop.settings.screening_rows import ROW_HEIGHT, FindingRows
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.long_reading import Standing
from remembrancer.service.screening import Masked, ScanState, SealedDeed

PAUSE = 300  # milliseconds at least between two looks at how far it is
SHOWN = 6  # rows that are in sight at once


@dataclass(frozen=True)
class Found:
    """What there is to show."""

    state: ScanState
    sealed: list[SealedDeed]


class _Ear(QObject):
    """Carries what is told on the thread that scans over to the window's; it has no parent."""

    heard = Signal()


class ScreeningSection(Section):
    """Nothing is masked without a word of the person; `deaf` ends the listening."""

    def __init__(self, bench: Workbench) -> None:
        told = translate(
            "Secrets",
            "New texts are screened as they come in. A scan looks through what is stored already, "
            "earlier revisions too. Hidden characters and texts that read like orders are kept, "
            "and marked where you read them.",
        )
        super().__init__(translate("Secrets", "Secrets and hidden characters"), told)
        self._bench = bench
        self.model = FindingModel(self)
        self.table = FindingRows(translate("Secrets", "Secrets found"))
        self.state = Label("", wrap=True)
        self.scan = KeyButton("search", translate("Secrets", "Scan now"))
        self.stop = KeyButton("x", translate("Secrets", "Stop"))
        self.bar = MeaningBar()
        self.mask_chosen = KeyButton("eye-off", translate("Secrets", "Mask chosen"))
        self.mask_all = KeyButton("shield", translate("Secrets", "Mask all"))
        self.keep = KeyButton("check", translate("Secrets", "Keep on purpose"))
        self.sealed = Label("", wrap=True)
        self.bring_back = KeyButton("undo-2", translate("Secrets", "Bring back"))
        self.forget = KeyButton("trash-2", translate("Secrets", "Forget for good…"))
        self.result = Banner()
        self._batches: list[int] = []
        self._mark = Symbol("shield", "faint", 16)
        self._look = QTimer(self, singleShot=True, interval=PAUSE)
        self._build()
        self._connect()

    def refresh(self) -> None:
        """Show how far it is, what was found, and what can be brought back."""
        self._bench.background.run(self._read, self._show, owner=self)

    def deaf(self) -> None:
        """Hear no more of the scan."""
        self._stop_listening()
        self._look.stop()

    def chosen(self) -> list[Finding]:
        """The findings that are chosen in the table."""
        rows = self.table.selectionModel().selectedRows()
        return [self.model.findings[index.row()] for index in sorted(rows, key=lambda i: i.row())]

    def _build(self) -> None:
        self.table.setModel(self.model)
        self.bar.setAccessibleName(translate("Secrets", "Looked at so far"))
        standing = row(self._mark, self.state, self.scan, self.stop)
        layout = standing.layout()
        assert isinstance(layout, QHBoxLayout)
        layout.setStretch(1, 1)
        self._deeds = _flow(self.mask_chosen, self.mask_all, self.keep)
        self._back = _flow(self.bring_back, self.forget)
        for part in (standing, self.bar, self.table, self._deeds):
            self.column.addWidget(part)
        for part in (self.sealed, self._back, self.result):
            self.column.addWidget(part)
        for part in (self.bar, self.table, self._deeds, self.sealed, self._back, self.stop):
            part.hide()

    def _connect(self) -> None:
        self.scan.clicked.connect(self._scan)
        self.stop.clicked.connect(self._bench.library.screening.stop)
        self.mask_chosen.clicked.connect(lambda: self._mask_these(self.chosen()))
        self.mask_all.clicked.connect(lambda: self._mask_these(list(self.model.findings)))
        self.keep.clicked.connect(self._keep)
        self.bring_back.clicked.connect(self._bring_back)
        self.forget.clicked.connect(self._ask)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.model.modelReset.connect(self._enable)
        self._look.timeout.connect(self.refresh)
        ear = _Ear()
        ear.heard.connect(self._soon)
        self._stop_listening = self._bench.library.screening.listen(lambda: ear.heard.emit())

    # --- showing

    def _read(self) -> Found:
        screening = self._bench.library.screening
        return Found(screening.state, screening.sealed())

    def _show(self, found: Found) -> None:
        state, moving = found.state, found.state.standing is Standing.UNDER_WAY
        self._mark.show_icon(*words.mark(state))
        self.state.setText(words.told(state, self._bench.library.clock()))
        self.bar.show_share(state.done, state.total)
        for part, on in ((self.bar, moving), (self.stop, moving), (self.scan, not moving)):
            part.setVisible(on)
        self.model.show(state.findings)
        self.table.setFixedHeight(min(len(state.findings), SHOWN) * ROW_HEIGHT + 4)
        for part in (self.table, self._deeds):
            part.setVisible(bool(state.findings))
        self._show_sealed(found.sealed)
        self._enable()

    def _show_sealed(self, sealed: Sequence[SealedDeed]) -> None:
        self._batches = [each.batch for each in sealed]
        self.sealed.setText(words.sealed(sum(each.texts for each in sealed)))
        for part in (self.sealed, self._back):
            part.setVisible(bool(sealed))

    def _enable(self) -> None:
        chosen = bool(self.table.selectionModel().selectedRows())
        self.mask_chosen.setEnabled(chosen)
        self.keep.setEnabled(chosen)

    def _soon(self) -> None:
        if self.isVisible() and not self._look.isActive():
            self._look.start()

    # --- doing

    def _scan(self) -> None:
        self.result.hide()
        self._bench.library.screening.begin()
        self.refresh()

    def _mask_these(self, findings: list[Finding]) -> None:
        screening = self._bench.library.screening
        name = translate("Secrets", "Mask {0} secrets").format(number(len(findings)))
        self._bench.deeds.do(
            name, lambda: screening.mask(findings, **WINDOW), self._masked, self._failed, self
        )

    def _masked(self, masked: Masked) -> None:
        self.result.show_message(Message("ok", words.masked(masked.count)))
        self.refresh()

    def _keep(self) -> None:
        chosen, screening = self.chosen(), self._bench.library.screening

        def done(_none: None) -> None:
            said = translate("Secrets", "Kept on purpose; a scan will not find them again.")
            self.result.show_message(Message("ok", said))
            self.refresh()

        self._bench.background.run(
            lambda: screening.keep(chosen, **WINDOW), done, self._failed, owner=self
        )

    def _bring_back(self) -> None:
        if self._batches:
            name = translate("Secrets", "Bring masked texts back")
            self._bench.deeds.undo_batch(self._batches[0], name)
            self.result.hide()
            self._look.start()

    def _ask(self) -> None:
        title = translate("Secrets", "Forget masked texts for good")
        box = Question(title, translate("Secrets", "Forget what was masked, for good?"), self)
        box.explain(
            translate(
                "Secrets",
                "Nobody can bring it back then. Backups and exports that were made before still "
                "hold it.",
            )
        )
        roles = QMessageBox.ButtonRole
        yes = box.addButton(translate("Secrets", "Forget for good"), roles.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        yes.clicked.connect(self._forget)
        box.open()

    def _forget(self) -> None:
        screening = self._bench.library.screening

        def done(_count: int) -> None:
            said = translate("Secrets", "Forgotten for good.")
            self.result.show_message(Message("ok", said))
            self.refresh()

        self._bench.background.run(
            lambda: screening.forget_originals(**WINDOW), done, self._failed, owner=self
        )

    def _failed(self, error: RemembrancerError) -> None:
        self.result.show_message(Message("bad", str(error)))
        self.refresh()


def _flow(*buttons: QWidget) -> QWidget:
    """Buttons side by side, in as many rows as they need."""
    room = QWidget()
    flow = FlowLayout(room)
    give_height_for_width(room)
    for button in buttons:
        flow.addWidget(button)
    return room
