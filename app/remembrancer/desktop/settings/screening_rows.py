"""The list of secrets found: where each stands and of which sort, and below it an excerpt."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from remembrancer.core.screening import Finding
from remembrancer.desktop.look import fonts, paint
from remembrancer.desktop.look.cards import CardList, paint_row_ground
from remembrancer.desktop.look.plain import one_line
from remembrancer.desktop.settings import screening_words as words
from remembrancer.desktop.settings.screening_model import FINDING_ROLE

ROW_HEIGHT = 54
_EDGE, _LINE = 2.0, 19.0
_LONGEST = 200  # characters of an excerpt

_Index = QModelIndex | QPersistentModelIndex


class FindingRows(CardList):
    """Two lines each; many can be chosen."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, compact=True, many=True, parent=parent)
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(ROW_HEIGHT)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        self.setMouseTracking(True)
        self.setItemDelegate(_FindingDelegate(self))


class _FindingDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(240, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        finding = index.data(FINDING_ROLE)
        if not isinstance(finding, Finding):
            return
        rect = QRectF(option.rect).adjusted(1, _EDGE, -1, -_EDGE)  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_ground(painter, rect, option.state)  # type: ignore[attr-defined]
        body = rect.adjusted(10, 5, -10, -5)
        _paint_head(painter, QRectF(body.left(), body.top(), body.width(), _LINE), finding)
        foot = QRectF(body.left(), body.bottom() - _LINE, body.width(), _LINE)
        excerpt = one_line(finding.excerpt, _LONGEST)
        paint.words(painter, foot, excerpt, fonts.font(12), "muted")
        painter.restore()


def _paint_head(painter: QPainter, line: QRectF, finding: Finding) -> None:
    small = fonts.font(11)
    when = words.when(finding)
    paint.words(painter, line, when, small, "faint", paint.RIGHT)
    room = line.adjusted(0, 0, -paint.advance(when, small) - 10, 0)
    sort, font = words.sort(finding.kind), fonts.font(10.5, fonts.SEMIBOLD)
    wide = paint.advance(sort, font) + 14
    pill = QRectF(room.right() - wide, room.center().y() - 8.5, wide, 17)
    paint.rounded(painter, pill, 8.5, fill="warnbg")
    paint.words(painter, pill, sort, font, "warn", paint.CENTRE)
    where = room.adjusted(0, 0, -wide - 10, 0)
    paint.words(painter, where, words.place(finding), fonts.font(13, fonts.SEMIBOLD), "text")
