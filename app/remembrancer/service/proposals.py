"""The desk for proposals: what waits for the person, and what she decides about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from remembrancer.core import memory as memory_values
from remembrancer.core import policy
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.errors import BadValue, Conflict, NotFound, Refused
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.core.memory import Memory
from remembrancer.core.proposal import Change, Proposal, ProposalState
from remembrancer.service.accepting import Carrying
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.one_path import Ledger, Secrets, masked, screen

COUNT_BOUND = 1_000

Edits = Mapping[int, Mapping[str, Any]]


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

    def decision(self, proposal_id: int) -> JournalLine | None:
        """The line of the journal in which a proposal was decided, while it stands so."""
        with self._store.reading():
            lines = self._store.journal.of(Subject.PROPOSAL, proposal_id, limit=1)
        return next((x for x in lines if x.deed in (Deed.ACCEPT, Deed.REFUSE)), None)

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
        self, proposal_id: int, *, edits: Edits | None = None, without: Iterable[int] = (),
        over: bool | Mapping[int, int] = False, secrets: Secrets = Secrets.REFUSE,
        **doing: Unpack[Doing],
    ) -> Proposal:  # fmt: skip
        """Carry a proposal out; the agent is the author of what it changes.

        `edits` are fields of its changes as the person edited them, by their place; `without` are
        the places of changes that are left out. Raises Conflict with the code `target_changed` when
        a field that it changes was changed since; `over` lets the proposed value count then, for
        every memory or for those at the revision that the person saw (id -> revision).
        """
        policy.person_only(doing["author"], "accept a proposal")
        edited = {place: _checked(fields, secrets) for place, fields in (edits or {}).items()}
        leave = frozenset(without)

        def work(ledger: Ledger) -> Proposal:
            proposal = self._waiting(proposal_id)
            changes = [c.with_fields(edited.get(i, {})) for i, c in enumerate(proposal.changes)]
            kept = [c for i, c in enumerate(changes) if i not in leave]
            return self._carry_out(ledger, replace(proposal, changes=tuple(kept)), over)

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
        """Accept several as one deed; returns why some could not be, by their ids."""
        policy.person_only(doing["author"], "accept proposals")

        def accept(ledger: Ledger, proposal_id: int) -> object:
            return self._carry_out(ledger, self._waiting(proposal_id), over=False)

        return self._each(ids, accept, "Proposals accepted", doing)

    def refuse_all(
        self, ids: Sequence[int], *, why: str = "", **doing: Unpack[Doing]
    ) -> dict[int, str]:
        """Refuse several as one deed; returns why some could not be, by their ids."""
        policy.person_only(doing["author"], "refuse proposals")
        screen([why], Secrets.REFUSE)
        reason = why.strip() or None

        def refuse(ledger: Ledger, proposal_id: int) -> object:
            found = self._waiting(proposal_id)
            return self._decide(ledger, found, ProposalState.REFUSED, reason)

        return self._each(ids, refuse, reason, doing)

    def _each(
        self, ids: Sequence[int], decide: Callable[[Ledger, int], object], reason: str | None,
        doing: Doing,
    ) -> dict[int, str]:  # fmt: skip
        failed: dict[int, str] = {}

        def one(ledger: Ledger, proposal_id: int) -> None:
            author, first, following = ledger.author, ledger.first, ledger.next
            try:
                self._store.apart(lambda: decide(ledger, proposal_id))
            except (BadValue, Conflict, NotFound, Refused) as error:
                failed[proposal_id] = str(error)
                ledger.author, ledger.first, ledger.next = author, first, following

        def work(ledger: Ledger) -> None:
            for proposal_id in ids:
                one(ledger, proposal_id)

        self._ground.path.walk(work, reason=reason, **doing)
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

    def _carry_out(
        self, ledger: Ledger, proposal: Proposal, over: bool | Mapping[int, int]
    ) -> Proposal:
        if not proposal.changes:
            raise Refused("Nothing of the proposal is left; refuse it instead.", code="empty")
        decided = self._decide(ledger, proposal, ProposalState.ACCEPTED, None)
        person, ledger.author = ledger.author, _agent(proposal)
        carrying = Carrying(ledger, self._ground.review_days(), over)
        for change in proposal.changes:
            carrying.carry_out(change)
        ledger.author = person
        return decided

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
    return memory_values.with_texts(checked, lambda text: masked(text, secrets))
