"""The review place: what is due, what conflicts, how healthy the store is, one page at a time."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from remembrancer.desktop.feed import Changes
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.chips import SegmentedControl
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.workbench import Workbench

# page -> (name, module and class of it); a page is imported when first opened.
PAGES: dict[str, tuple[str, str]] = {
    "due": ("Due", "review.due:DuePage"),
    "conflicts": ("Conflicts", "conflicts.pane:ConflictsPage"),
    "health": ("Health", "health.pane:HealthPage"),
}


def pages() -> list[str]:
    """The pages that are there, in their order."""
    return [key for key, (_, where) in PAGES.items() if _is_there(where)]


class ReviewPane(Pane):
    """Holds the pages of review; what the window asks of a place it asks of the page that shows."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._pages: dict[str, Pane] = {}
        self._build()
        self.turn("due")

    def page(self, key: str) -> Pane:
        """The page of that key, made when it is not there yet."""
        if key not in self._pages:
            module, name = PAGES[key][1].split(":")
            made = getattr(import_module(f"remembrancer.desktop.{module}"), name)
            self._pages[key] = made(self.bench)
            self.stack.addWidget(self._pages[key])
        return self._pages[key]

    @property
    def current(self) -> str:
        """The key of the page that shows."""
        shown = self.stack.currentWidget()
        return next(key for key, page in self._pages.items() if page is shown)

    def present(self) -> Pane:
        """The page that shows."""
        return self._pages[self.current]

    def turn(self, key: str) -> bool:
        """Show a page; False when the present one must stay."""
        if self._pages and self.current != key and not self.present().may_leave():
            self.pages.choose(self.current)
            return False
        self.stack.setCurrentWidget(self.page(key))
        self.pages.choose(key)
        return True

    def open(self, **what: object) -> None:
        page = what.pop("page", self.current)
        if self.turn(str(page) if page in PAGES else self.current):
            self.present().open(**what)

    def changed(self, changes: Changes) -> None:
        for page in self._pages.values():
            page.changed(changes)

    def focus_search(self) -> None:
        self.present().focus_search()

    def may_leave(self) -> bool:
        return self.present().may_leave()

    def pose(self) -> None:
        self.present().pose()

    def still(self) -> bool:
        return self.present().still()

    def closeEvent(self, event: QCloseEvent) -> None:
        for page in self._pages.values():
            page.close()
        super().closeEvent(event)

    def _build(self) -> None:
        there = [(key, translate("Review", PAGES[key][0])) for key in pages()]
        self.pages = SegmentedControl(there, name=translate("Review", "Pages of review"))
        self.pages.setVisible(len(there) > 1)
        self.stack = QStackedWidget()
        head = row(Label(translate("Review", "Review"), "pane"), self.pages, 1, gap=16)
        head.setContentsMargins(16, 14, 16, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.stack, 1)
        self.pages.chosen.connect(lambda key: self.open(page=key))


def _is_there(where: str) -> bool:
    module = f"remembrancer.desktop.{where.split(':')[0]}"
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
