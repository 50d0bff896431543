"""A score taken apart as a list: every signal with its amount, the sum, the standing, the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, QPersistentModelIndex, Qt

from remembrancer.core.explaining import Breakdown, Part, Share
from remembrancer.core.memory import Memory
from remembrancer.core.ranking import STANDING_LIMIT
from remembrancer.core.recall import Hit
from remembrancer.desktop import words as all_words
from remembrancer.desktop.look.cards import CARD_ROLE, percent
from remembrancer.desktop.look.plain import one_line, tooltip, translate

_Index = QModelIndex | QPersistentModelIndex
_PARTS = {
    Part.SELECTED: "Belongs to the selected entity",
    Part.PINNED: "Pinned",
    Part.CONSTRAINT: "Constraint",
}


@dataclass(frozen=True)
class SignalFace:
    """A row: words, a number, and a bar from -1 to 1 (None: no bar).

    `total` rows add up what stands above them; `other` is the memory that the row leads to.
    """

    text: str
    value: str
    bar: float | None = None
    total: bool = False
    other: int | None = None

    def spoken(self) -> str:
        """The row as one line for a screen reader."""
        return f"{one_line(self.text)}, {self.value}"


class SignalModel(QAbstractTableModel):
    """One column; a row is a `SignalFace` under CARD_ROLE."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[SignalFace] = ()

    def show(self, rows: Sequence[SignalFace]) -> None:
        """Show these rows instead."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def face(self, row: int) -> SignalFace | None:
        """The row at a place; None beyond the last."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        face = self._rows[index.row()]
        if role == CARD_ROLE:
            return face
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return face.spoken()
        return tooltip(face.text) if role == Qt.ItemDataRole.ToolTipRole else None


def faces(found: Breakdown, hit: Hit, asked: bool, now: int) -> list[SignalFace]:
    """A breakdown as rows; `asked` tells whether there were words at all."""
    total = translate("Recall", "Standing")
    if found.bounded:
        total = translate("Recall", "Standing, kept within {0}").format(percent(STANDING_LIMIT))
    score = translate("Recall", "Score")
    if hit.mandatory:
        score = translate("Recall", "Score; pinned and constraints stand before all scores")
    return [
        *_signals(found, asked),
        SignalFace(translate("Recall", "Sum"), decimal(1 + found.relevance), total=True),
        *(_share(share, hit.memory, now) for share in found.shares),
        SignalFace(total, f"× {decimal(found.standing)}", total=True),
        SignalFace(score, decimal(found.score), total=True),
    ]


def formula(found: Breakdown) -> str:
    """The score as it comes about, in one line."""
    relevance, standing = decimal(1 + found.relevance), decimal(found.standing)
    return f"{relevance} × {standing} = {decimal(found.score)}"


def decimal(amount: float, places: int = 2) -> str:
    """A number as the reader's country writes it."""
    return QLocale().toString(float(amount), "f", places)


def _signals(found: Breakdown, asked: bool) -> Iterator[SignalFace]:
    most = max((abs(line.amount) for line in found.lines), default=1.0)
    for line in found.lines:
        text = translate("Recall", line.sentence).format(one_line(line.asked), one_line(line.seen))
        value, bar = decimal(line.amount), line.amount / max(most, 1.0)
        yield SignalFace(text, value, bar, other=line.other)
    if not found.lines:
        none = "No word of the question stands in it" if asked else "Nothing was asked"
        yield SignalFace(translate("Recall", none), decimal(0), 0.0)
    within = translate("Recall", "Within reach of the question")
    yield SignalFace(within, decimal(1), 1 / max(most, 1.0))


def _share(share: Share, memory: Memory, now: int) -> SignalFace:
    value = f"{'+' if share.amount >= 0 else '−'}{decimal(abs(share.amount) * 100, 1)} %"
    return SignalFace(_part(share, memory, now), value, share.amount / STANDING_LIMIT)


def _part(share: Share, memory: Memory, now: int) -> str:
    if share.part is Part.CONFIDENCE:
        text = translate("Recall", "Confidence: {0}")
        return text.format(percent(memory.confidence))
    if share.part is Part.DOUBT:
        return translate("Recall", "Doubt: {0}").format(translate("Recall", share.about))
    if share.part is Part.FRESHNESS:
        when = all_words.moment(memory.updated_at, now)
        return translate("Recall", "Freshness: last changed {0}").format(when)
    return translate("Recall", _PARTS[share.part])
