"""Fields that several panes share: numbers, names of entities, tables, and copying."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QTableView,
    QWidget,
)

from remembrancer.core.entity import Entity
from remembrancer.desktop.background import Background
from remembrancer.desktop.look import fonts, icons, paint
from remembrancer.desktop.look.buttons import IconButton, KeyButton
from remembrancer.desktop.look.plain import one_line, tooltip, translate
from remembrancer.service.library import Library

OFFERED = 12  # names that a completion offers
DEBOUNCE = 150  # milliseconds of rest before typing counts
COPIED = 1_500  # milliseconds for which a button says that it copied
ROW = 34
SHORT = 160  # characters of a name in a list
DISPLAY = Qt.ItemDataRole.DisplayRole


class NumberBox(QSpinBox):
    """A whole number between two bounds; arrow keys change it, and typing counts when it ends."""

    def __init__(self, low: int, high: int, value: int, name: str, step: int = 1) -> None:
        super().__init__()
        self.setRange(low, high)
        self.setSingleStep(step)
        self.setValue(value)
        self.setAccessibleName(name)
        self.setFont(fonts.font(13))
        self.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFixedSize(78, 32)
        self.setFrame(False)
        self.lineEdit().setStyleSheet("background: transparent; border: none; padding: 0 8px")

    def paintEvent(self, event: QPaintEvent) -> None:
        here = self.lineEdit().hasFocus()
        painter = paint.painter_on(self)
        line = "accent" if here else "line"
        fill = "panel" if self.isEnabled() else "bg"
        paint.rounded(painter, paint.inner(self), 7, fill=fill, line=line)
        painter.end()


class SearchBox(QLineEdit):
    """Words to look for; `to_the_list` tells that Return or Down leaves it for what was found."""

    to_the_list = Signal()

    def __init__(self, hint: str, name: str) -> None:
        """`hint` stands in the empty box, `name` is for screen readers."""
        super().__init__()
        self.setPlaceholderText(hint)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.addAction(icons.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.returnPressed.connect(self.to_the_list)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.to_the_list.emit()
        else:
            super().keyPressEvent(event)


class NameModel(QStringListModel):
    """Names in a list: each as one short line, with all of it in the tooltip.

    What a completion takes over is the name itself.
    """

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = DISPLAY) -> Any:
        name = super().data(index, Qt.ItemDataRole.EditRole)
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(name or "", SHORT)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(name or "")
        return name if role == Qt.ItemDataRole.EditRole else None


class EntityBox(QLineEdit):
    """The name of an entity, completed from the library; `named` tells it after each change."""

    named = Signal(str)

    def __init__(self, library: Library, background: Background, name: str, hint: str) -> None:
        super().__init__()
        self._library, self._background = library, background
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setClearButtonEnabled(True)
        self._names = NameModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        # The library has filtered already, by its own idea of what is alike.
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        popup = completer.popup()
        if popup is not None:
            popup.setAccessibleName(name)
        self.setCompleter(completer)
        self._rest = QTimer(self, singleShot=True, interval=DEBOUNCE)
        self._rest.timeout.connect(self._look)
        self.textEdited.connect(lambda _text: self._rest.start())
        self.textChanged.connect(lambda text: self.named.emit(text.strip()))

    def entity(self) -> str | None:
        """The name as it stands; None when there is none."""
        return self.text().strip() or None

    def _look(self) -> None:
        text = self.text().strip()
        if not text:
            self._names.setStringList([])
            return
        self._background.run(
            lambda: self._library.map.entities(text, limit=OFFERED), self._offer, owner=self
        )

    def _offer(self, found: list[Entity]) -> None:
        names = [e.name for e in found if not e.ghost]
        self._names.setStringList(names)
        if self.hasFocus() and names and names != [self.text().strip()]:
            self.completer().complete()


class CopyButton(KeyButton):
    """Copies what `text` gives at that moment, and says so for a while."""

    def __init__(self, text: Callable[[], str], label: str = "") -> None:
        self._words = label or translate("Copy", "Copy")
        super().__init__("copy", self._words)
        self._text = text
        self._again = QTimer(self, singleShot=True, interval=COPIED)
        self._again.timeout.connect(lambda: self.set_label(self._words, "copy"))
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.set_label(translate("Copy", "Copied"), "check")
        self._again.start()


class CopyIcon(IconButton):
    """The same as an icon alone, for the end of a line."""

    def __init__(self, text: Callable[[], str], name: str) -> None:
        super().__init__("copy", name, flat=True)
        self._text, self._name = text, name
        self._again = QTimer(self, singleShot=True, interval=COPIED)
        self._again.timeout.connect(lambda: self.set_name(self._name, "copy"))
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.set_name(translate("Copy", "Copied"), "check")
        self._again.start()


def table(model: QAbstractItemModel, name: str, wide: int = 0) -> QTableView:
    """A quiet table of text over `model` whose column `wide` takes the room that is left."""
    view = QTableView()
    view.setModel(model)
    view.setAccessibleName(name)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setTabKeyNavigation(False)
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setFrameShape(QTableView.Shape.NoFrame)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(ROW)
    header = view.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
    view.setStyleSheet(_TABLE)
    return view


_TABLE = """
QTableView { background: transparent; border: none; outline: 0;
  selection-background-color: palette(midlight); selection-color: palette(text) }
QTableView::item { padding: 0 10px; border-bottom: 1px solid palette(mid) }
QTableView::item:selected { background: palette(midlight); color: palette(text) }
QTableView::item:focus { border: 1px solid palette(highlight) }
QHeaderView { background: transparent }
QHeaderView::section { background: transparent; border: none; padding: 6px 10px;
  border-bottom: 1px solid palette(mid); color: palette(placeholder-text);
  font-size: 11px; font-weight: 600 }
"""


def row(*widgets: QWidget | int, gap: int = 8) -> QWidget:
    """Widgets side by side; a number between them is a stretch."""
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(gap)
    for each in widgets:
        if isinstance(each, int):
            line.addStretch(each)
        else:
            line.addWidget(each)
    return holder


def scrolled(room: QWidget) -> QScrollArea:
    """`room` as wide as its place, to be moved up and down where it is higher."""
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QScrollArea.Shape.NoFrame)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(room)
    return scroll
