"""What a screen reader finds in a widget: its controls and their names."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

CONTROLS = {
    QAccessible.Role.Button,
    QAccessible.Role.CheckBox,
    QAccessible.Role.RadioButton,
    QAccessible.Role.ComboBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.SpinBox,
    QAccessible.Role.Table,
    QAccessible.Role.List,
    QAccessible.Role.Tree,
    QAccessible.Role.Slider,
    QAccessible.Role.Link,
}


def walk(widget: QWidget) -> Iterator[QWidget]:
    """Every widget that can be seen."""
    for child in widget.findChildren(QWidget):
        if child.isVisibleTo(widget):
            yield child


def spoken(widget: QWidget) -> tuple[QAccessible.Role, str]:
    """What kind of thing a screen reader says it is, and its name."""
    interface = QAccessible.queryAccessibleInterface(widget)
    assert isinstance(interface, QAccessibleInterface)
    return interface.role(), interface.text(QAccessible.Text.Name)


def nameless(whole: QWidget) -> list[str]:
    """The controls in sight below `whole` that a screen reader could not name."""
    found: list[str] = []
    for widget in walk(whole):
        if widget.objectName().startswith("qt_") or type(widget).__name__ == "QScrollBar":
            continue
        inside = isinstance(widget.parent(), QWidget) and _is_part(widget)
        role, name = spoken(widget)
        focusable = widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        if not inside and not name and (role in CONTROLS or focusable):
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__} ({role})")
    return found


def _is_part(widget: QWidget) -> bool:
    """The line edit of a spin box, the clear button of a line edit: parts speak as their whole."""
    parent = widget.parent()
    kinds = ("QSpinBox", "QDoubleSpinBox", "QDateEdit", "QComboBox", "QLineEdit", "QTableView")
    return any(parent.inherits(kind) for kind in kinds) if parent is not None else False
