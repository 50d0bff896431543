"""The answer as a list: what was served in its order, then what was left out and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from remembrancer.core.explaining import Whole
from remembrancer.core.recall import Hit, Question
from remembrancer.desktop.look.cards import CARD_ROLE, percent
from remembrancer.desktop.look.plain import one_line, tooltip, translate
from remembrancer.desktop.recall import words

_Index = QModelIndex | QPersistentModelIndex
HIT_ROLE = CARD_ROLE + 1


@dataclass(frozen=True)
class HitFace:
    """A hit as its card shows it; `left_out` says why it was not served, empty if it was."""

    hit: Hit
    place: int
    left_out: str = ""

    def spoken(self) -> str:
        """The card as one line for a screen reader."""
        memory = self.hit.memory
        parts = (
            self.left_out or str(self.place), memory.kind, memory.headline(200),
            memory.entity or "", words.applicability(self.hit)[0], words.reasons(self.hit),
            words.score(self.hit), percent(memory.confidence),
        )  # fmt: skip
        return ", ".join(one_line(part) for part in parts if part)


@dataclass(frozen=True)
class Heading:
    """A line between the cards."""

    text: str


class HitModel(QAbstractTableModel):
    """One column; a row is a `HitFace` or a `Heading` under CARD_ROLE."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[HitFace | Heading] = []

    def show(self, whole: Whole, question: Question) -> None:
        """Show an answer instead."""
        answer, why = whole.answer, words.left_out(whole, question)
        left = {h.memory.id: h for h in (*answer.left, *whole.beyond)}
        served = [HitFace(h, i + 1) for i, h in enumerate(answer.items)]
        beyond = [HitFace(left[i], 0, sentence) for i, sentence in why.items()]
        self.beginResetModel()
        self._rows = [Heading(_served(len(served))), *served] if served else []
        if beyond:
            self._rows += [Heading(_left(len(beyond))), *beyond]
        self.endResetModel()

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self._rows = []
        self.endResetModel()

    def hit(self, row: int) -> Hit | None:
        """The hit at a row; None at a heading."""
        face = self.face(row)
        return face.hit if face is not None else None

    def face(self, row: int) -> HitFace | None:
        """The card at a row; None at a heading."""
        face = self._rows[row] if 0 <= row < len(self._rows) else None
        return face if isinstance(face, HitFace) else None

    def headings(self) -> list[int]:
        """The rows that are no cards."""
        return [i for i, each in enumerate(self._rows) if isinstance(each, Heading)]

    def first(self) -> int:
        """The row of the first card; -1 when there is none."""
        return next((i for i, each in enumerate(self._rows) if isinstance(each, HitFace)), -1)

    def row_of(self, memory_id: int) -> int:
        """Where a memory stands; -1 when it is not there."""
        for number, each in enumerate(self._rows):
            if isinstance(each, HitFace) and each.hit.memory.id == memory_id:
                return number
        return -1

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def flags(self, index: _Index) -> Qt.ItemFlag:
        # The arrow keys pass over what is not enabled.
        if not index.isValid() or isinstance(self._rows[index.row()], Heading):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        face = self._rows[index.row()]
        if role == CARD_ROLE:
            return face
        heading = isinstance(face, Heading)
        if role == Qt.ItemDataRole.DisplayRole:
            return face.text if heading else face.hit.memory.headline(200)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return face.text if heading else face.spoken()
        if role == Qt.ItemDataRole.ToolTipRole and not heading:
            return tooltip("\n".join(face.hit.reasons))
        return face.hit if role == HIT_ROLE and not heading else None


def _served(count: int) -> str:
    if count == 1:
        return translate("Recall", "1 memory served")
    return translate("Recall", "{0} memories served, in this order").format(count)


def _left(count: int) -> str:
    return translate("Recall", "Left out: {0}").format(count)
