"""The cards of an answer: how a hit is painted, and the list that carries them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from remembrancer.desktop.look import fonts, icons, paint, theme
from remembrancer.desktop.look.cards import CARD_ROLE, CardDelegate, CardList, paint_ground, percent
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.desktop.recall import words
from remembrancer.desktop.recall.hit_model import Heading, HitFace, HitModel

HEADING_HEIGHT, HIT_HEIGHT = 32, 122
_CHIP = 19.0


class HitDelegate(CardDelegate):
    """Paints `HitFace` and `Heading`."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        heading = isinstance(index.data(CARD_ROLE), Heading)
        return QSize(240, HEADING_HEIGHT if heading else HIT_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        face = index.data(CARD_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)  # type: ignore[attr-defined]
        if isinstance(face, Heading):
            place = rect.adjusted(14, 4, -10, 0)
            paint.words(painter, place, face.text, fonts.font(12, fonts.SEMIBOLD), "muted")
        elif isinstance(face, HitFace):
            state = option.state  # type: ignore[attr-defined]
            _paint_hit(painter, rect.adjusted(12.5, 4.5, -8.5, -4.5), face, state)
        painter.restore()


def _paint_hit(painter: QPainter, rect: QRectF, face: HitFace, state: QStyle.StateFlag) -> None:
    chosen = bool(state & QStyle.StateFlag.State_Selected)
    paint_ground(painter, rect, state, rest="bg" if face.left_out else "panel")
    inner = rect.adjusted(14, 10, -14, -10)
    end = _paint_score(painter, inner, face)
    _paint_pills(painter, QRectF(inner.left(), inner.top(), end - inner.left() - 8, _CHIP), face)
    title = QRectF(inner.left(), inner.top() + 24, inner.width(), 20)
    font = fonts.font(13, fonts.SEMIBOLD if chosen else fonts.MEDIUM)
    ink = "muted" if face.left_out else "text"
    paint.words(painter, title, one_line(face.hit.memory.headline(200)), font, ink)
    _paint_reasons(painter, QRectF(inner.left(), inner.top() + 49, inner.width(), 18), face)
    _paint_foot(painter, QRectF(inner.left(), inner.bottom() - 17, inner.width(), 18), face)


def _paint_score(painter: QPainter, rect: QRectF, face: HitFace) -> float:
    """The score at the upper right; returns where it begins."""
    text, font = words.score(face.hit), fonts.font(11)
    paint.words(
        painter, QRectF(rect.left(), rect.top(), rect.width(), _CHIP), text, font, "faint",
        paint.RIGHT,
    )  # fmt: skip
    return rect.right() - paint.advance(text, font)


def _paint_pills(painter: QPainter, rect: QRectF, face: HitFace) -> None:
    """The kind, how it stands to the question, and its entity, as far as there is room."""
    worn, memory = theme.current(), face.hit.memory
    word, tone = words.applicability(face.hit)
    ground = {"ok": "okbg", "warn": "warnbg"}.get(tone, "key")
    entity = memory.entity or translate("Recall", "unfiled")
    left = rect.left()
    for text, ink, fill in (
        (str(memory.kind), *worn.kind(memory.kind)),
        (word, worn.color(tone), worn.color(ground)),
        (entity, worn.color("muted"), worn.color("key")),
    ):
        left = _paint_pill(painter, QRectF(left, rect.top(), rect.right() - left, _CHIP), text,
                           ink, fill)  # fmt: skip


def _paint_pill(painter: QPainter, rect: QRectF, text: str, ink: QColor, fill: QColor) -> float:
    font = fonts.font(11, fonts.SEMIBOLD)
    shown = paint.elided(one_line(text, 60), font, rect.width() - 18)
    if rect.width() < 40:
        return rect.left()
    pill = QRectF(rect.left(), rect.top(), paint.advance(shown, font) + 17, _CHIP)
    paint.rounded(painter, pill, _CHIP / 2, fill=fill)
    paint.words(painter, pill, shown, font, ink, paint.CENTRE)
    return pill.right() + 6


def _paint_reasons(painter: QPainter, rect: QRectF, face: HitFace) -> None:
    icon = "circle-x" if face.left_out else "circle-check"
    tone = "warn" if face.left_out else "ok"
    at = QPointF(rect.left(), rect.center().y() - 7)
    paint.symbol(painter, at, icon, tone, 14, 2)
    text = face.left_out or words.reasons(face.hit)
    rest = rect.adjusted(20, 0, 0, 0)
    paint.words(painter, rest, text, fonts.font(12), tone if face.left_out else "muted")


def _paint_foot(painter: QPainter, rect: QRectF, face: HitFace) -> None:
    """Who wrote it, or why it was found where the line above says why it was left out."""
    memory = face.hit.memory
    share = min(1.0, max(0.0, memory.confidence))
    paint.words(painter, rect, percent(share), fonts.font(11), "muted", paint.RIGHT)
    track = QRectF(rect.right() - 110, rect.center().y() - 2.5, 72, 5)
    paint.rounded(painter, track, 2.5, fill="track")
    tone = "ok" if share > 0.6 else "warn" if share > 0.4 else "bad"
    filled = QRectF(track.left(), track.top(), track.width() * share, 5)
    paint.rounded(painter, filled, 2.5, fill=tone)
    text = words.reasons(face.hit) if face.left_out else memory.author
    icon = "info" if face.left_out else icons.for_agent(memory.author)
    paint.symbol(painter, QPointF(rect.left(), rect.center().y() - 6.5), icon, "muted", 13, 2)
    place = QRectF(rect.left() + 20, rect.top(), track.left() - rect.left() - 30, rect.height())
    paint.words(painter, place, one_line(text, 200), fonts.font(11), "muted")


class HitList(CardList):
    """The list of an answer, whose headings are lower than its cards."""

    def __init__(self, model: HitModel, parent: QWidget | None = None) -> None:
        super().__init__(translate("Recall", "What is recalled"), parent=parent)
        self._model = model
        self.setModel(model)
        self.setItemDelegate(HitDelegate(parent=self))
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(HEADING_HEIGHT)
        rows.setDefaultSectionSize(HIT_HEIGHT)
        model.modelReset.connect(self._fit_rows)

    def begin(self) -> None:
        """Put the keyboard on the first card."""
        if self._model.first() >= 0:
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if not self.selectionModel().hasSelection():
                self.choose_row(self._model.first())

    def _fit_rows(self) -> None:
        # A reset keeps the height that a row had, whatever stands there now.
        headings = set(self._model.headings())
        for row in range(self._model.rowCount()):
            self.setRowHeight(row, HEADING_HEIGHT if row in headings else HIT_HEIGHT)
