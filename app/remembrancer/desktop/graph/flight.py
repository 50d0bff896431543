"""A flight of the camera from one view to another."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from remembrancer.desktop.graph.camera import Camera

MILLISECONDS = 350


class Flight(QVariantAnimation):
    """Runs only while one flies; `valueChanged` says that `view()` is another one now."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._start = self._goal = Camera()
        self.setDuration(MILLISECONDS)
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setEasingCurve(QEasingCurve.Type.InOutCubic)

    def begin(self, start: Camera, goal: Camera) -> None:
        """Sets out from a view, which may change afterwards, to another."""
        self._start, self._goal = replace(start), goal
        self.start()

    def view(self) -> Camera:
        """Where one is now."""
        share = float(self.currentValue())
        return self._goal if share >= 1 else self._start.towards(self._goal, share)

    @property
    def under_way(self) -> bool:
        """Whether one flies at all."""
        return self.state() == QVariantAnimation.State.Running
