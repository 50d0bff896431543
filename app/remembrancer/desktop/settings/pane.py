"""Settings: what the person chooses, where things lie, upkeep, and what the program is made of."""

from __future__ import annotations

from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from remembrancer.desktop.fields import row, scrolled
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.settings.about_section import AboutSection
from remembrancer.desktop.settings.backups_section import BackupsSection
from remembrancer.desktop.settings.choices import ReviewSection, ServerSection, ThemeSection
from remembrancer.desktop.settings.judge_section import JudgeSection
from remembrancer.desktop.settings.meaning_section import MeaningSection
from remembrancer.desktop.settings.places_section import PlacesSection
from remembrancer.desktop.settings.screening_section import ScreeningSection
from remembrancer.desktop.settings.upkeep_section import UpkeepSection
from remembrancer.desktop.workbench import Workbench

TWO_COLUMNS = 860  # pixels of width from which the sections stand in two columns
WIDEST = 1_180


class SettingsPane(Pane):
    """The sections in two columns, or one below the other where the window is narrow."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.theme = ThemeSection(bench)
        self.server = ServerSection(bench)
        self.review = ReviewSection(bench)
        self.meaning = MeaningSection(bench)
        self.screening = ScreeningSection(bench)
        self.upkeep = UpkeepSection(bench)
        self.backups = BackupsSection(bench)
        self.places = PlacesSection(bench.library.path)
        self.judge = JudgeSection(bench)
        self.about = AboutSection(bench)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._build()

    def open(self, **what: object) -> None:
        """Show everything as it is now."""
        self.theme.refresh()
        self.server.refresh()
        self.review.refresh()
        self.meaning.refresh()
        self.judge.refresh()
        self.backups.refresh()
        self.screening.refresh()
        self.about.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.meaning.deaf()
        self.screening.deaf()
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= TWO_COLUMNS
        directions = QBoxLayout.Direction
        self._columns.setDirection(directions.LeftToRight if wide else directions.TopToBottom)

    def _build(self) -> None:
        self._columns.setContentsMargins(0, 0, 8, 0)
        self._columns.setSpacing(12)
        for sections in (
            (self.theme, self.server, self.backups, self.judge),
            (self.review, self.meaning, self.screening, self.upkeep, self.places, self.about),
        ):
            column = QVBoxLayout()
            column.setSpacing(12)
            for section in sections:
                column.addWidget(section)
            column.addStretch(1)
            self._columns.addLayout(column, 1)
        room = QWidget()
        room.setMaximumWidth(WIDEST)
        room.setLayout(self._columns)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 14, 16, 14)
        whole.setSpacing(12)
        whole.addWidget(row(Label(translate("Settings", "Settings"), "pane"), 1))
        whole.addWidget(scrolled(room), 1)
