"""The one path, with a backup before what the person cannot easily take back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from remembrancer.core.author import Author
from remembrancer.core.errors import StoreProblem
from remembrancer.core.thinning import Why
from remembrancer.service.backups import BULK, BackupsDesk
from remembrancer.service.one_path import Ledger, OnePath
from remembrancer.store import upkeep

T = TypeVar("T")
_log = logging.getLogger(__name__)


class _BackupFirst(Exception):
    """Ends the attempt of a deed, so that nothing of it is kept before the backup is there."""

    def __init__(self, why: Why) -> None:
        self.why = why


class CarefulPath(OnePath):
    """Tries a deed of the person; where it deletes much or forgets, a backup comes before it.

    How much a deed does shows only when it is done, so it is done twice where that is needed.
    """

    backups: BackupsDesk

    def walk(
        self,
        work: Callable[[Ledger], T],
        *,
        author: Author,
        origin: str,
        entities: Iterable[str | None] = (),
        reason: str | None = None,
    ) -> T:
        """Walk the one path; what makes a backup necessary waits until there is one.

        Raises StoreProblem when nothing can be forgotten for good because no backup can be made.
        """
        named = tuple(entities)

        def attempt(ledger: Ledger) -> T:
            result = work(ledger)
            why = self._missing(ledger)
            if why is not None:
                raise _BackupFirst(why)
            return result

        if author.is_person:
            try:
                return super().walk(
                    attempt, author=author, origin=origin, entities=named, reason=reason
                )
            except _BackupFirst as first:
                self._back_up(first.why)
        return super().walk(work, author=author, origin=origin, entities=named, reason=reason)

    def _missing(self, ledger: Ledger) -> Why | None:
        """What a backup is needed for before this deed, if it is and there is none."""
        if not ledger.next:
            return None
        deleted, purged = upkeep.removals(self._store.connections, ledger.first)
        why = Why.PURGE if purged else Why.DELETION if deleted > BULK else None
        if why is None:
            return None
        return None if self.backups.is_ready(why, ledger.first - 1) else why

    def _back_up(self, why: Why) -> None:
        try:
            self.backups.make(why)
        except StoreProblem:
            if why is Why.PURGE:
                raise
            _log.exception("A deletion goes on without a backup; it can be undone")
