"""The numbers of the rail: how many memories are due, how many proposals wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remembrancer.desktop.window import Window

_DUE, _WAITING = 1_000, 99  # beyond these a number says only that there are more


def count(window: Window) -> None:
    """Count anew in the background, and show it."""
    rail, library = window.rail, window.library

    def show_due(number: int) -> None:
        rail.set_badge("review", f"{_DUE}+" if number >= _DUE else str(number or ""))

    def show_waiting(number: int) -> None:
        rail.set_badge("proposals", f"{_WAITING}+" if number > _WAITING else str(number or ""))

    run = window.background.run
    run(library.review.count, show_due, owner=window)
    run(lambda: library.proposals.count(_WAITING + 1), show_waiting, owner=window)
