"""Taking back what a session of review decided: many deeds, put back in one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from remembrancer.core.journal import Deed, JournalLine
from remembrancer.service import undoing
from remembrancer.service.one_path import Ledger


@dataclass(frozen=True)
class TakenBack:
    """How many deeds were put back, and how many stay since somebody changed them afterwards."""

    undone: int
    kept: int


def take_back(ledger: Ledger, batches: Iterable[int], days: int) -> TakenBack:
    """Put back what stood before these deeds, the latest first, all in the ledger's one deed."""
    ours = set(batches)
    undone = kept = 0
    for batch in sorted(ours, reverse=True):
        every = ledger.store.journal.batch(batch)
        lines = [x for x in every if x.deed is not Deed.ATTEMPT]
        if not lines or not all(_last_is_ours(ledger, line, ours) for line in lines):
            kept += 1
            continue
        for line in reversed(lines):
            undoing.put_back(ledger, line, days)
        undone += 1
    return TakenBack(undone, kept)


def _last_is_ours(ledger: Ledger, line: JournalLine, ours: set[int]) -> bool:
    newest = ledger.store.journal.of(line.subject, line.subject_id, limit=1)[0]
    return newest.batch in ours or newest.batch == ledger.first
