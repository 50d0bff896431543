"""Where one looks from: the centre and the zoom between the world and the screen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Sides = tuple[float, float, float, float]  # left, top, right, bottom

_NEAREST, _FARTHEST = 60.0, 1e-4  # pixels for one unit of the world
_FIT = 0.9  # how much of the window a fitted picture takes up
_LARGEST_FIT = 2.0


@dataclass(slots=True)
class Camera:
    """The world's point (`x`, `y`) is in the middle of a window of `width` by `height` pixels."""

    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0
    width: float = 1.0
    height: float = 1.0

    def to_screen(self, positions: Floats) -> Floats:
        """(n, 2) pixels from (n, 2) places in the world."""
        middle = (self.width / 2 - self.x * self.zoom, self.height / 2 - self.y * self.zoom)
        return positions * self.zoom + middle

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """The place in the world under a pixel."""
        return (
            (x - self.width / 2) / self.zoom + self.x,
            (y - self.height / 2) / self.zoom + self.y,
        )

    def zoom_at(self, x: float, y: float, factor: float) -> None:
        """Zooms so that the place under the pixel stays under it."""
        place = self.to_world(x, y)
        self.zoom = min(max(self.zoom * factor, _FARTHEST), _NEAREST)
        after = self.to_world(x, y)
        self.x += place[0] - after[0]
        self.y += place[1] - after[1]

    def pan(self, dx: float, dy: float) -> None:
        """Moves the picture by so many pixels."""
        self.x -= dx / self.zoom
        self.y -= dy / self.zoom

    def fitted(self, bounds: Sides | None, margins: Sides = (0.0, 0.0, 0.0, 0.0)) -> Camera:
        """The view that shows all within `bounds`, with `margins` of so many pixels kept free."""
        if bounds is None:
            return replace(self, x=0.0, y=0.0, zoom=1.0)
        left, top, right, bottom = bounds
        width = max(self.width - margins[0] - margins[2], 1.0)
        height = max(self.height - margins[1] - margins[3], 1.0)
        across, down = width / max(right - left, 1e-9), height / max(bottom - top, 1e-9)
        zoom = min(max(min(across, down) * _FIT, _FARTHEST), _LARGEST_FIT)
        x = (left + right) / 2 - (margins[0] - margins[2]) / 2 / zoom
        y = (top + bottom) / 2 - (margins[1] - margins[3]) / 2 / zoom
        return replace(self, x=x, y=y, zoom=zoom)

    def resized(self, width: float, height: float) -> Camera:
        """The same view in a window of another size."""
        scale = min(width / self.width, height / self.height)
        return replace(self, zoom=self.zoom * scale, width=width, height=height)

    def towards(self, other: Camera, share: float) -> Camera:
        """The view on the way to another: `share` 0 is here, 1 is there."""
        zoom = math.exp(math.log(self.zoom) * (1 - share) + math.log(other.zoom) * share)
        if abs(self.zoom / other.zoom - 1) < 1e-6:
            part = share
        else:  # so that the goal moves over the screen in a straight line
            part = (1 / self.zoom - 1 / zoom) / (1 / self.zoom - 1 / other.zoom)
        x, y = self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part
        return replace(self, x=x, y=y, zoom=zoom)
