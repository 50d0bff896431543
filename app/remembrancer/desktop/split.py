"""Two halves of a place with a handle between them, which is found again where it was left."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from remembrancer.desktop.preferences import PreferenceFile

_HANDLE = 8


class Split(QSplitter):
    """Keeps its sizes in the preferences under `name`; `usual` are those of the first time."""

    def __init__(
        self, preferences: PreferenceFile, name: str, left: QWidget, right: QWidget,
        usual: tuple[int, int],
    ) -> None:  # fmt: skip
        super().__init__(Qt.Orientation.Horizontal)
        self._preferences, self._name = preferences, name
        self.addWidget(left)
        self.addWidget(right)
        self.setChildrenCollapsible(False)
        self.setStretchFactor(1, 1)
        self.setHandleWidth(_HANDLE)
        self.setSizes(preferences.now.splits.get(name) or list(usual))
        self.splitterMoved.connect(lambda _at, _number: self._keep())

    def _keep(self) -> None:
        splits = {**self._preferences.now.splits, self._name: self.sizes()}
        self._preferences.change(splits=splits)
