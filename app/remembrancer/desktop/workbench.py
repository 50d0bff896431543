"""What every pane works with: the library, the worker, the feed, the deeds, the way around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.actions import Actions
from remembrancer.desktop.background import Background
from remembrancer.desktop.deeds import Deeds
from remembrancer.desktop.feed import Feed
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.service.library import Library


class Serving(Protocol):
    """The host as the window sees it: started after the first paint, so maybe not there yet."""

    @property
    def address(self) -> str | None:
        """Where agents reach it; None while it does not run."""
        ...

    @property
    def trouble(self) -> str:
        """Why it does not run, in a sentence; empty while all is well."""
        ...

    def start(self, port: int) -> None:
        """Start it, or start it anew on that port (0: any)."""
        ...

    def stop(self) -> None:
        """Stop it."""
        ...

    def connected(self) -> Sequence[object]:
        """Who is connected now."""
        ...


@dataclass(frozen=True)
class Workbench:
    """Handed to every pane.

    `go(place, **what)` opens a place ("memories", memory_id=7); `tell(sentence, tone)` shows a
    sentence above the panes (tone: info, ok, warning, bad); `problem(error)` shows a failure.
    """

    library: Library
    background: Background
    feed: Feed
    deeds: Deeds
    actions: Actions
    preferences: PreferenceFile
    go: Callable[..., None]
    tell: Callable[..., None]
    problem: Callable[[RemembrancerError], None]
    serving: Serving
