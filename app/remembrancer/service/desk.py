"""What every desk of the library stands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from remembrancer.core import review
from remembrancer.core.author import Author
from remembrancer.core.clock import Clock
from remembrancer.service.one_path import OnePath
from remembrancer.store.store import Store


class Doing(TypedDict):
    """Who does it, and through which door: what every verb that changes something is told."""

    author: Author
    origin: str


@dataclass(frozen=True)
class Ground:
    """The store, the one path to change it, the clock, and the review interval in days."""

    store: Store
    path: OnePath
    clock: Clock

    def review_days(self) -> int:
        """The interval for memories that have none of their own."""
        return int(self.store.extras.setting("review_days") or review.REVIEW_DAYS)
