"""The desk for proposals: what waits for the person, and what she decides about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from remembrancer.core import memory as memory_values
from remembrancer.core import policy
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.errors import Conflict, NotFound, Refused
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.memory import Memory
from remembrancer.core.proposal import Change, Proposal, ProposalState
from remembrancer.service.accepting import Carrying
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.one_path import Ledger, Secrets, screen

COUNT_BOUND = 1_000


class ProposalsDesk:
    """Only the person decides; the deed is then signed by the agent that proposed it."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

    def waiting(self, limit: int = 200, after: int = 0) -> list[Proposal]:
        """What waits, the oldest first, past the id of a proposal."""
        with self._store.reading():
            return self._store.proposals.of_state(ProposalState.WAITING, limit, after)

    def decided(self, limit: int = 200, before: int | None = None) -> list[Proposal]:
        """What was decided, the newest first."""
        with self._store.reading():
            return self._store.proposals.decided(limit, before)

    def count(self, bound: int = COUNT_BOUND) -> int:
        """How many wait; counting stops at `bound`."""
        with self._store.reading():
            return self._store.proposals.count(bound=bound)

    def get(self, proposal_id: int) -> Proposal:
        """One proposal; NotFound when there is none."""
        with self._store.reading():
            return self._get(proposal_id)

    def target(self, change: Change) -> Memory | None:
        """The memory that a change is about as it is now, if it is about one that is there."""
        if change.subject is not Subject.MEMORY or change.base is None:
            return None
        with self._store.reading():
            return self._store.memories.get(change.subject_id)

    def stale(self, proposal: Proposal) -> bool:
        """Whether something it changes was changed since it was proposed."""
        now = ((c, self.target(c)) for c in proposal.changes)
        return any(m is not None and m.revision != c.revision for c, m in now)

    def accept(
        self, proposal_id: int, *, edits: Mapping[int, Mapping[str, Any]] | None = None,
        without: Iterable[int] = (), over: bool = False, secrets: Secrets = Secrets.REFUSE,
        **doing: Unpack[Doing],
    ) -> Proposal:  # fmt: skip
        """Carry a proposal out; the agent is the author of what it changes.

        `edits` are fields of its changes as the person edited them, by their place; `without` are
        the places of changes that are left out. Raises Conflict with the code `target_changed` when
        a field that it changes was changed since; `over` lets the proposed value count then.
        """
        policy.person_only(doing["author"], "accept a proposal")
        edited = {place: _checked(fields, secrets) for place, fields in (edits or {}).items()}
        leave = frozenset(without)

        def work(ledger: Ledger) -> Proposal:
            proposal = self._waiting(proposal_id)
            changes = [c.with_fields(edited.get(i, {})) for i, c in enumerate(proposal.changes)]
            kept = [c for i, c in enumerate(changes) if i not in leave]
            if not kept:
                raise Refused("Nothing of the proposal is left; refuse it instead.", code="empty")
            decided = replace(proposal, changes=tuple(kept))
            self._decide(ledger, decided, ProposalState.ACCEPTED, None)
            person = ledger.author
            ledger.author = _agent(proposal)
            carrying = Carrying(ledger, self._ground.review_days(), over)
            for change in kept:
                carrying.carry_out(change)
            ledger.author = person
            return decided

        why = f"Proposal {proposal_id} accepted"
        return self._ground.path.walk(work, reason=why, **doing)

    def refuse(self, proposal_id: int, *, why: str = "", **doing: Unpack[Doing]) -> Proposal:
        """Turn a proposal down, for a reason that its agent is told; it is not proposed again."""
        policy.person_only(doing["author"], "refuse a proposal")
        screen([why], Secrets.REFUSE)

        def work(ledger: Ledger) -> Proposal:
            return self._decide(
                ledger, self._waiting(proposal_id), ProposalState.REFUSED, why.strip() or None
            )

        return self._ground.path.walk(work, reason=why or None, **doing)

    def accept_all(self, ids: Sequence[int], **doing: Unpack[Doing]) -> dict[int, str]:
        """Accept several, each by itself; returns why some could not be, by their ids."""
        return self._each(ids, lambda i: self.accept(i, **doing))

    def refuse_all(self, ids: Sequence[int], **doing: Unpack[Doing]) -> dict[int, str]:
        """Refuse several, each by itself; returns why some could not be, by their ids."""
        return self._each(ids, lambda i: self.refuse(i, **doing))

    def _each(self, ids: Sequence[int], decide: Callable[[int], object]) -> dict[int, str]:
        failed: dict[int, str] = {}
        for each in ids:
            try:
                decide(each)
            except (Conflict, NotFound, Refused) as error:
                failed[each] = str(error)
        return failed

    # --- inside the transaction

    def _get(self, proposal_id: int) -> Proposal:
        found = self._store.proposals.get(proposal_id)
        if found is None:
            raise NotFound(f"There is no proposal {proposal_id}.", code="proposal")
        return found

    def _waiting(self, proposal_id: int) -> Proposal:
        found = self._get(proposal_id)
        if found.state is not ProposalState.WAITING:
            raise Conflict(f"Proposal {proposal_id} was {found.state} already.", code="decided")
        return found

    def _decide(
        self, ledger: Ledger, proposal: Proposal, state: ProposalState, why: str | None
    ) -> Proposal:
        decided = replace(proposal, state=state, decided_at=ledger.now, reason=why)
        ledger.store.proposals.decide(decided)
        deed = Deed.ACCEPT if state is ProposalState.ACCEPTED else Deed.REFUSE
        kept = {"id": proposal.id, "name": proposal.label(), "agent": proposal.author}
        ledger.line(deed, Subject.PROPOSAL, proposal.id, kept)
        return decided


def _agent(proposal: Proposal) -> Author:
    """The author of what is carried out: the agent, with the person's leave."""
    return Author(proposal.author, AuthorKind.AGENT, Access.WRITE, None, proposal.agent_id or None)


def _checked(fields: Mapping[str, Any], secrets: Secrets) -> dict[str, Any]:
    """Edited fields of a memory in their stored form; BadValue says which one cannot be."""
    checked: Any = memory_values.check_edit(memory_values.Edit(**dict(fields)))  # pyright: ignore[reportArgumentType]
    screen(memory_values.texts(checked), secrets)
    return dict(checked)
