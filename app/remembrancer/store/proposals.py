"""Rows to proposals, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from remembrancer.core import proposal as values
from remembrancer.core.proposal import Proposal, ProposalState
from remembrancer.store.connections import Connections

_HEAD = "SELECT id, agent_id, arguments, state, created_at, decided_at, reason FROM proposal"


class Proposals:
    """The proposals of one store, the decided ones too."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def insert(self, proposal: Proposal) -> int:
        """Write a new proposal and return its id."""
        about = proposal.subject
        text = (
            "INSERT INTO proposal (agent_id, deed, arguments, subject, subject_id, revision, state,"
            " fingerprint, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        row = (
            proposal.agent_id, str(about.deed), _written(proposal), str(about.subject),
            about.subject_id, about.revision, str(proposal.state),
            values.fingerprint(proposal.changes), proposal.created_at,
        )  # fmt: skip
        return self._db.insert(text, row)

    def decide(self, proposal: Proposal) -> None:
        """Write the state of a proposal, when and why it was decided, and its changes as edited."""
        text = (
            "UPDATE proposal SET state = ?, decided_at = ?, reason = ?, arguments = ? WHERE id = ?"
        )
        state, at, why = str(proposal.state), proposal.decided_at, proposal.reason
        self._db.sql(text, (state, at, why, _written(proposal), proposal.id))

    def get(self, proposal_id: int) -> Proposal | None:
        """The proposal with that id."""
        rows = self._db.sql(f"{_HEAD} WHERE id = ?", (proposal_id,))
        return _read(rows[0]) if rows else None

    def of_state(self, state: ProposalState, limit: int, after: int = 0) -> list[Proposal]:
        """The proposals of a state past an id, the oldest first."""
        text = f"{_HEAD} WHERE state = ? AND id > ? ORDER BY id LIMIT ?"
        return [_read(row) for row in self._db.sql(text, (str(state), after, limit))]

    def decided(self, limit: int, before: int | None = None) -> list[Proposal]:
        """What was decided, the newest proposals first, before an id."""
        text = f"{_HEAD} WHERE state <> 'waiting' AND id < ? ORDER BY id DESC LIMIT ?"
        return [_read(row) for row in self._db.sql(text, (before or 1 << 62, limit))]

    def alike(self, fingerprint: bytes) -> list[Proposal]:
        """The proposals with that fingerprint, the newest first."""
        text = f"{_HEAD} WHERE fingerprint = ? ORDER BY id DESC LIMIT 20"
        return [_read(row) for row in self._db.sql(text, (fingerprint,))]

    def count(self, agent_id: int | None = None, bound: int = 1_001) -> int:
        """How many wait, of one agent or of all; counting stops at `bound`."""
        mine = "" if agent_id is None else " AND agent_id = ?"
        given: list[Any] = [] if agent_id is None else [agent_id]
        inside = f"SELECT 1 FROM proposal WHERE state = 'waiting'{mine} LIMIT ?"
        return int(self._db.sql(f"SELECT count(*) FROM ({inside})", [*given, bound])[0][0])

    def forget(self, subject: str, subject_id: int) -> list[int]:
        """Remove the proposals that change a subject (for purging); returns their ids."""
        like = f'%"subject":"{subject}","id":{subject_id},%'
        rows = self._db.sql("SELECT id FROM proposal WHERE arguments LIKE ?", (like,))
        for row in rows:
            self._db.sql("DELETE FROM proposal WHERE id = ?", row)
        return [row[0] for row in rows]


def _written(proposal: Proposal) -> str:
    kept = {
        "author": proposal.author, "origin": proposal.origin, "said": proposal.said,
        "changes": [values.plain(each) for each in proposal.changes],
    }  # fmt: skip
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _read(row: Sequence[Any]) -> Proposal:
    id_, agent_id, arguments, state, created, decided, reason = row
    kept = json.loads(arguments)
    changes = tuple(values.from_plain(each) for each in kept["changes"])
    return Proposal(
        id_, agent_id, kept["author"], kept["origin"], kept["said"], changes,
        ProposalState(state), created, decided, reason,
    )  # fmt: skip
