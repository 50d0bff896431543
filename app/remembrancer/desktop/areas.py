"""The areas between which F6 moves the keyboard: the rail, the list of a place, and its page."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

_BY_TAB = Qt.FocusPolicy.TabFocus


def areas(rail: QWidget, pane: QWidget) -> list[QWidget]:
    """The rail, then the halves of the place, or the place itself where it has no halves."""
    split = next((s for s in pane.findChildren(QSplitter) if s.isVisibleTo(pane)), None)
    if split is None:
        return [rail, pane]
    halves = (split.widget(number) for number in range(split.count()))
    return [rail, *(half for half in halves if half is not None and half.isVisible())]


def next_area(rail: QWidget, pane: QWidget) -> None:
    """Give the keyboard to the area after the one that has it; one without controls is passed."""
    rooms = areas(rail, pane)
    focused = QApplication.focusWidget()
    here = next((n for n, room in enumerate(rooms) if _holds(room, focused)), -1)
    for step in range(1, len(rooms) + 1):
        wanted = _first(rooms[(here + step) % len(rooms)])
        if wanted is not None:
            wanted.setFocus(Qt.FocusReason.TabFocusReason)
            return


def _holds(room: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and (room is focused or room.isAncestorOf(focused))


def _first(room: QWidget) -> QWidget | None:
    """The first control of a room that the keyboard can stand on."""
    each = room.nextInFocusChain()
    while each is not None and each is not room:
        able = each.isVisible() and each.isEnabled() and bool(each.focusPolicy() & _BY_TAB)
        if able and room.isAncestorOf(each):
            return each
        each = each.nextInFocusChain()
    return None
