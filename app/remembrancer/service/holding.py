"""How a deed that has to wait becomes a proposal: tried, looked at, taken back, written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remembrancer.core import holding
from remembrancer.core import proposal as values
from remembrancer.core.errors import Refused, Waiting
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.proposal import Change, Proposal, ProposalState
from remembrancer.core.rules import Verdict

if TYPE_CHECKING:
    from remembrancer.service.one_path import Ledger

MOST = 1_000  # proposals of one agent that may wait at a time


def waiting(proposal_id: int) -> Waiting:
    """What the agent is told of a proposal of its own."""
    return Waiting(
        f"Proposed, and waiting for the person (proposal {proposal_id}). Nothing has changed yet; "
        "do not send it again.",
        code="waiting",
        proposal=proposal_id,
    )


class Held(Exception):
    """Raised inside the transaction, so that what was tried is taken back."""

    def __init__(self, changes: Sequence[Change]) -> None:
        super().__init__("held")
        self.changes = tuple(changes)


def look_at(ledger: Ledger) -> None:
    """Let what an agent's call has done stand, or raise: Held what waits, Refused what may not be.

    Inside the transaction, after the work.
    """
    verdict = holding.verdict(ledger.author, ledger.lines)
    if verdict is Verdict.REFUSE:
        raise Refused(
            "The person does not let this agent change that; nothing was changed.", code="rule"
        )
    if verdict is Verdict.HOLD:
        raise Held(_changes(ledger))


def _changes(ledger: Ledger) -> list[Change]:
    """The lines as changes: of each subject the last, upon what was there before the call."""
    last = {(x.subject, x.subject_id): x for x in ledger.lines if x.deed is not Deed.ATTEMPT}
    found: list[Change] = []
    for line in last.values():
        before = ledger.store.journal.of(
            line.subject, line.subject_id, before=ledger.first, limit=1
        )
        found.append(values.change(line, before[0] if before else None))
    return [c for c in found if c.base is not None or not c.removal]


def propose(ledger: Ledger, changes: Sequence[Change]) -> int:
    """Write what waits as a proposal with its line, and return its id.

    What waits already is that proposal; what the person refused before is Refused.
    """
    if ledger.author.agent_id is None:
        raise Refused(
            "This connection may only propose changes, and the person knows no agent by that name; "
            "nothing was changed.",
            code="propose_only",
        )
    alike = ledger.store.proposals.alike(values.fingerprint(changes))
    waiting = [p for p in alike if p.state is ProposalState.WAITING]
    if waiting:
        return waiting[0].id
    if alike and alike[0].state is ProposalState.REFUSED:
        why = f" ({alike[0].reason})" if alike[0].reason else ""
        raise Refused(
            f"The person refused this before{why}; do not propose it again.", code="refused_before"
        )
    agent_id = ledger.author.agent_id
    if ledger.store.proposals.count(agent_id, MOST) >= MOST:
        raise Refused(
            f"{MOST} proposals of this agent wait for the person; try again when some were "
            "decided.",
            code="too_many_wait",
        )
    fresh = Proposal(
        0, agent_id, ledger.author.name, ledger.origin, ledger.reason, tuple(changes),
        ProposalState.WAITING, ledger.now,
    )  # fmt: skip
    made = ledger.store.proposals.insert(fresh)
    ledger.line(Deed.PROPOSE, Subject.PROPOSAL, made, {"name": fresh.label(), "id": made})
    return made
