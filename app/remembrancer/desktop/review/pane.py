"""The review place."""

from __future__ import annotations

from remembrancer.desktop.pane import Pane


class ReviewPane(Pane):
    """What is due."""
