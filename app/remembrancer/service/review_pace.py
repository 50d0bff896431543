"""The interval of review as a deed leaves it, by the steps that the store's settings hold."""

from __future__ import annotations

from remembrancer.core import scheduling
from remembrancer.core.journal import Deed
from remembrancer.core.memory import Memory
from remembrancer.core.scheduling import Steps
from remembrancer.service.one_path import Ledger
from remembrancer.store.store import Store

SETTING = "review_steps"
_PACED = frozenset({Deed.REVISE, Deed.VERIFY})  # what puts earlier states back changes nothing


def steps(store: Store) -> dict[str, Steps]:
    """The steps by kind that the person chose."""
    return scheduling.read_steps(store.extras.setting(SETTING))


def paced(ledger: Ledger, before: Memory, after: Memory, days: int, deed: Deed) -> Memory:
    """`after` with the interval of review that this deed gives it."""
    same = before.content == after.content and before.verified_at == after.verified_at
    if deed not in _PACED or same:
        return after
    chosen = scheduling.steps_of(after, steps(ledger.store))
    return scheduling.paced(before, after, ledger.author, chosen, days)
