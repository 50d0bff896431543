"""The nodes' pictures: every colour as a disc, ghosts as dashed rings, in three sizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

_SIZES = (8, 18, 40)  # diameter in pixels; a disc is never drawn at less than about half of it
_MARGIN = 2  # keeps neighbours in the atlas from bleeding into each other
_DIMMED = 0.26
_DASHES = 7


@dataclass(frozen=True, slots=True)
class Look:
    """What the pictures depend on: colours (the last one is the ghosts'), ground, pixel ratio."""

    palette: tuple[str, ...]
    ground: str
    ratio: float


class Sprites:
    """One pixmap with all pictures: a row for a size, two columns (clear, dimmed) for a colour."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._diameters = [max(round(size * look.ratio), 4) for size in _SIZES]
        cells = [diameter + 2 * _MARGIN for diameter in self._diameters]
        self._tops = [sum(cells[:row]) for row in range(len(cells))]
        self.pixmap = QPixmap(2 * len(look.palette) * cells[-1], sum(cells))
        self.pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self.pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, diameter in enumerate(self._diameters):
            for column in range(2 * len(look.palette)):
                place = QRectF(
                    column * (diameter + 2 * _MARGIN) + _MARGIN,
                    self._tops[row] + _MARGIN,
                    diameter,
                    diameter,
                )
                painter.setOpacity(_DIMMED if column % 2 else 1.0)
                self._draw(painter, place, column // 2)
        painter.end()

    def _draw(self, painter: QPainter, place: QRectF, group: int) -> None:
        if group == len(self.look.palette) - 1:
            draw_ghost(painter, place, QColor(self.look.palette[-1]), QColor(self.look.ground))
        else:
            draw_disc(painter, place, QColor(self.look.palette[group]), QColor(self.look.ground))

    def fill(
        self,
        rows: NDArray[np.float64],
        radii: NDArray[np.float64],
        groups: NDArray[np.int64],
        dimmed: NDArray[np.bool_],
    ) -> None:
        """Writes source rectangle, scale, rotation and opacity into rows of pixmap fragments."""
        wanted = 2 * radii * self.look.ratio
        size = np.searchsorted(np.array(self._diameters[:-1]) * 1.2, wanted)
        cell = np.array(self._diameters)[size] + 2 * _MARGIN
        rows[:, 2] = (2 * groups + dimmed) * cell
        rows[:, 3] = np.array(self._tops)[size]
        rows[:, 4] = rows[:, 5] = cell
        rows[:, 6] = rows[:, 7] = 2 * radii / (cell - 2 * _MARGIN)
        rows[:, 8], rows[:, 9] = 0, 1


def draw_disc(painter: QPainter, place: QRectF, colour: QColor, ground: QColor) -> None:
    """A disc, with a thin rim in the colour of the ground that sets it off from its neighbours."""
    rim = place.width() * 0.07
    painter.setPen(QPen(ground, rim))
    painter.setBrush(colour)
    painter.drawEllipse(place.adjusted(rim / 2, rim / 2, -rim / 2, -rim / 2))


def draw_ghost(painter: QPainter, place: QRectF, colour: QColor, ground: QColor) -> None:
    """A hollow ring of dashes: somebody is mentioned there, but nobody created it."""
    width = place.width() * 0.13
    inner = place.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    dash = np.pi * inner.width() / width / _DASHES
    pen.setDashPattern([dash * 0.62, dash * 0.38])
    painter.setPen(pen)
    painter.setBrush(ground)
    painter.drawEllipse(inner)
