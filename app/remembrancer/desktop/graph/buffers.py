"""Arrays that QPainter reads in place, without an object for every line or picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from shiboken6 import Shiboken


class Buffer:
    """A growing (n, columns) array of float64 that Qt takes for a C array of one of its classes."""

    def __init__(self, qt_class: type, columns: int) -> None:
        self._class = qt_class
        self._rows = np.empty((16, columns))

    def take(self, count: int) -> NDArray[np.float64]:
        """Room for `count` rows, to be filled before the pointer is used."""
        if len(self._rows) < count:
            self._rows = np.empty((count + count // 4, self._rows.shape[1]))
        return self._rows[:count]

    def pointer(self) -> Any:
        """The first row as a Qt object; it lives only as long as this buffer does."""
        return Shiboken.wrapInstance(self._rows.ctypes.data, self._class)
