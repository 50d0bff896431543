"""How one line of the journal is taken back: the state before it is written again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from remembrancer.core.author import Access
from remembrancer.core.entity import Entity, Scope
from remembrancer.core.errors import Conflict, Refused
from remembrancer.core.journal import (
    Deed,
    JournalLine,
    Subject,
    relation_snapshot,
    snapshot_memory,
)
from remembrancer.core.memory import Status
from remembrancer.core.proposal import ProposalState
from remembrancer.service import burial, deciding, memories, writing
from remembrancer.service.one_path import Ledger


def put_back(ledger: Ledger, line: JournalLine, days: int) -> None:
    """Write what stood before `line` again; nothing when it stands already."""
    earlier = ledger.store.journal.of(line.subject, line.subject_id, before=line.sequence, limit=1)
    before = None if not earlier or earlier[0].removal else earlier[0].snapshot
    if line.deed is Deed.PURGE:
        raise Refused("What was forgotten for good cannot be brought back.", code="purged")
    if line.subject is Subject.MEMORY:
        _memory(ledger, line, before, days)
    elif line.subject is Subject.ENTITY:
        _entity(ledger, line, before)
    elif line.subject is Subject.RELATION:
        _relation(ledger, line, before)
    elif line.subject is Subject.PROPOSAL:
        _proposal(ledger, line)
    elif line.subject is Subject.CONFLICT:
        deciding.turn(ledger, line)
    else:
        _agent(ledger, line, before)


def _memory(ledger: Ledger, line: JournalLine, before: dict[str, Any] | None, days: int) -> None:
    current = ledger.store.memories.get(line.subject_id)
    if current is None:
        raise Refused("What was forgotten for good cannot be brought back.", code="purged")
    if before is not None:
        memories.put_back(ledger, current, snapshot_memory(before), days, Deed.RESTORE)
    elif current.status is not Status.DELETED:
        writing.bury(ledger, current, days)


def _entity(ledger: Ledger, line: JournalLine, before: dict[str, Any] | None) -> None:
    living = ledger.store.entities.get(line.subject_id)
    if before is None:
        if living is not None:
            _alone(ledger, living)
            burial.bury_entity(ledger, living, 0, _merged_into(ledger, line))
        return
    entity = _from_snapshot(before, ledger.now)
    if entity.ghost and living is not None and not living.ghost:
        _alone(ledger, living, links=False)
    named = ledger.store.entities.exactly(entity.name)
    if named is not None and named.id != entity.id:
        raise Conflict(f"An entity named {entity.name!r} is there again.", code="name_taken")
    ledger.store.entities.update(entity)
    if living is not None and living.name != entity.name:
        writing.index_anew(ledger, entity.id)
    members = ledger.store.entities.several(int(i) for i in before.get("member_ids") or ())
    ledger.store.entities.set_members(entity.id, [m.id for m in members])
    burial.put_entity(ledger, entity, Deed.RESTORE_ENTITY if living is None else line.deed)


def _merged_into(ledger: Ledger, line: JournalLine) -> int | None:
    """Where the name of an entity led while it was buried, before `line`."""
    earlier = ledger.store.journal.of(line.subject, line.subject_id, before=line.sequence, limit=1)
    into = (earlier[0].snapshot or {}).get(burial.MERGED_INTO) if earlier else None
    return None if into is None else int(into)


def _alone(ledger: Ledger, entity: Entity, *, links: bool = True) -> None:
    """Raise Conflict when an entity that is to go has gained memories (or `links`) since."""
    kept = len(ledger.store.memories.living_of(entity.id))
    linked = len(ledger.store.relations.touching([entity.id])) if links else 0
    if kept or linked:
        raise Conflict(
            f"{entity.name!r} has gained {kept} memories and {linked} relations since; "
            "undoing would take them away.",
            code="changed_since",
        )


def _relation(ledger: Ledger, line: JournalLine, before: dict[str, Any] | None) -> None:
    kept = line.snapshot or {}
    source, target = int(kept["source_id"]), int(kept["target_id"])
    living = ledger.store.relations.triple(source, target, str(kept["type"]))
    if before is None:
        if living is not None:
            burial.bury_relation(ledger, living)
        return
    if living is not None:
        return
    if ledger.store.entities.get(source) is None or ledger.store.entities.get(target) is None:
        raise Conflict(f"One end of {line.label()!r} is gone; restore it first.", code="end_gone")
    ledger.store.relations.revive(line.subject_id)
    revived = ledger.store.relations.triple(source, target, str(kept["type"]))
    if revived is not None:
        snapshot = relation_snapshot(revived)
        ledger.line(Deed.RELATE, Subject.RELATION, revived.id, snapshot, entity_id=source)


def _proposal(ledger: Ledger, line: JournalLine) -> None:
    """Let what was decided wait again; what was proposed the agent's person refuses instead."""
    proposal = ledger.store.proposals.get(line.subject_id)
    if proposal is None or proposal.state is ProposalState.WAITING or line.deed is Deed.PROPOSE:
        return
    ledger.store.proposals.decide(
        replace(proposal, state=ProposalState.WAITING, decided_at=None, reason=None)
    )
    ledger.line(Deed.PROPOSE, Subject.PROPOSAL, proposal.id, line.snapshot)


def _agent(ledger: Ledger, line: JournalLine, before: dict[str, Any] | None) -> None:
    agent = ledger.store.agents.get(line.subject_id)
    if agent is None:
        return
    if before is None:
        after = replace(agent, revoked_at=ledger.now)
    else:
        after = replace(
            agent,
            access=Access(before["access"]),
            dialect=str(before["dialect"]),
            entity=before["entity"],
            language=str(before["language"]),
            answer_budget=before["answer_budget"],
            rules=str(before.get("rules") or agent.rules),
            revoked_at=before["revoked_at"],
        )
    ledger.store.agents.update(after)
    snapshot = agent_snapshot(after)
    ledger.line(Deed.CHANGE_AGENT, Subject.AGENT, agent.id, snapshot)


def agent_snapshot(agent: Any) -> dict[str, Any]:
    """An agent's policy as plain values; its token is in no journal."""
    fields = ("id", "name", "access", "dialect", "entity", "language", "answer_budget", "rules")
    return {**{f: getattr(agent, f) for f in fields}, "revoked_at": agent.revoked_at}


def _from_snapshot(kept: dict[str, Any], now: int) -> Entity:
    return Entity(
        int(kept["id"]), str(kept["name"]), str(kept["type"]), Scope(kept["scope"]),
        int(kept["scope_revision"]), bool(kept["ghost"]), int(kept["created_at"]), now,
    )  # fmt: skip
