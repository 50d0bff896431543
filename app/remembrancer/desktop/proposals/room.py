"""Room on a card that is moved up and down where it is higher than its place."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QWidget

from remembrancer.desktop.fields import scrolled


def on_card(room: QWidget) -> QScrollArea:
    """`room` to be moved up and down; the card below it stays in sight."""
    scroll = scrolled(room)
    scroll.viewport().setAutoFillBackground(False)
    room.setAutoFillBackground(False)
    return scroll
