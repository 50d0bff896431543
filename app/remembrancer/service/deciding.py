"""How a pair that is both kept is noted inside a transaction, and asked about again."""

from __future__ import annotations

from typing import Any

from remembrancer.core.conflicts import Pair, Sort
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.service.one_path import Ledger


def keep_both(ledger: Ledger, pair: Pair, name: str) -> None:
    """Note that the person keeps both of a pair, with a line that names it."""
    kept_id = ledger.store.conflicts.keep_both(pair, ledger.now)
    kept: dict[str, Any] = {
        "sort": str(pair.sort), "one": pair.one, "other": pair.other, "mark": pair.mark.hex(),
        "name": name,
    }  # fmt: skip
    ledger.line(Deed.KEEP_BOTH, Subject.CONFLICT, kept_id, kept)


def turn(ledger: Ledger, line: JournalLine) -> None:
    """Take a decision back, or make one again that was taken back."""
    kept = line.snapshot or {}
    if line.deed is Deed.KEEP_BOTH:
        ledger.store.conflicts.ask_again(line.subject_id)
        ledger.line(Deed.ASK_AGAIN, Subject.CONFLICT, line.subject_id, kept)
    else:
        mark = bytes.fromhex(str(kept["mark"]))
        pair = Pair(Sort(kept["sort"]), int(kept["one"]), int(kept["other"]), mark)
        keep_both(ledger, pair, str(kept["name"]))
