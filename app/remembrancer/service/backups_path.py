"""The one path, with a backup before what the person cannot easily take back."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from remembrancer.core.errors import StoreProblem
from remembrancer.core.thinning import Why
from remembrancer.service.backups import BULK, BackupsDesk
from remembrancer.service.once import Step
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

    def _attempt(
        self, work: Callable[[Ledger], T], fresh: Callable[[], Ledger], step: Step | None
    ) -> T:
        """One transaction; what makes a backup necessary waits until there is one.

        Raises StoreProblem when nothing can be forgotten for good because no backup can be made.
        """
        if not fresh().author.is_person:
            return super()._attempt(work, fresh, step)
        try:
            return super()._attempt(lambda ledger: self._careful(ledger, work), fresh, step)
        except _BackupFirst as first:
            self._back_up(first.why)
        return super()._attempt(work, fresh, step)

    def _careful(self, ledger: Ledger, work: Callable[[Ledger], T]) -> T:
        result = work(ledger)
        why = self._missing(ledger)
        if why is not None:
            raise _BackupFirst(why)
        return result

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
