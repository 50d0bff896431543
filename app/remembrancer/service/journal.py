"""The desk for the journal: what was done, by whom, and taking it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from remembrancer.core import policy
from remembrancer.core.errors import Conflict, NotFound
from remembrancer.core.journal import Deed, JournalLine
from remembrancer.service import masking, undoing
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.one_path import Ledger


class JournalDesk:
    """Reads the journal and undoes deeds, each undo being a new deed."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._journal = ground.store.journal

    def head(self) -> int:
        """The sequence of the newest line; 0 in an empty store."""
        return self._journal.head()

    def after(self, sequence: int, limit: int = 1_000) -> list[JournalLine]:
        """The lines after `sequence`, oldest first."""
        return self._journal.after(sequence, limit)

    def newest(
        self, limit: int = 50, before: int | None = None, author: str | None = None,
        words: str = "",
    ) -> list[JournalLine]:  # fmt: skip
        """The newest lines (before a sequence, by an author, holding words), newest first."""
        return self._journal.newest(limit, before, author, words)

    def batch(self, batch: int) -> list[JournalLine]:
        """The lines of one call, oldest first."""
        return self._journal.batch(batch)

    def authors(self) -> list[str]:
        """Everybody who ever wrote, by name."""
        return self._journal.authors()

    def undo(self, batch: int, *, force: bool = False, **doing: Unpack[Doing]) -> int:
        """Put back what stood before one call; returns the batch of the new deed.

        Raises Conflict when something in it was changed since, unless `force` overrides that.
        """
        policy.person_only(doing["author"], "undo a deed")

        def work(ledger: Ledger) -> int:
            every = self._journal.batch(batch)
            lines = [x for x in every if x.deed is not Deed.ATTEMPT]
            if not every:
                raise NotFound(f"The journal has no deed {batch}.", code="batch")
            if not force:
                self._unchanged_since(lines)
            days = self._ground.review_days()
            if not masking.let_out(ledger, batch, lines, days):
                for line in reversed(lines):
                    undoing.put_back(ledger, line, days)
            if not ledger.next:
                raise Conflict("There is nothing left to undo in this deed.", code="undone")
            return ledger.first

        return self._ground.path.walk(work, reason=f"Undo of {batch}", **doing)

    def _unchanged_since(self, lines: Sequence[JournalLine]) -> None:
        last = {(x.subject, x.subject_id): x for x in lines}
        for line in last.values():
            newest = self._journal.of(line.subject, line.subject_id, limit=1)[0]
            if newest.sequence > line.sequence:
                raise Conflict(
                    f"{line.label()!r} was changed since by {newest.author} "
                    f"({newest.deed}); undoing would overwrite that.",
                    code="changed_since",
                    sequence=newest.sequence,
                )
