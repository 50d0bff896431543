"""The graph on one widget: painted from arrays, moved by mouse and keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEasingCurve, QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtCore import QVariantAnimation as Animation
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from remembrancer.desktop.graph import keys, seek, words
from remembrancer.desktop.graph.camera import Camera
from remembrancer.desktop.graph.overlay import Minimap, paint_legend
from remembrancer.desktop.graph.paint import Frame, GraphPainter, paint_above
from remembrancer.desktop.graph.pointer import Pointer
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.graph.state import NOBODY, ColourBy, GraphState, LegendEntry
from remembrancer.desktop.look import paint, theme
from remembrancer.desktop.look.plain import translate

REST_MILLISECONDS = 120  # without input, until everything is painted in full
FLIGHT_MILLISECONDS = 350
_COMFORTABLE = 70.0  # pixels a node has for itself where one flies to
