"""The queue of review in SQL: what waits for the person, and what is known about it cheaply."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from remembrancer.core.clock import DAY
from remembrancer.core.risk import Standing
from remembrancer.store.connections import Connections

_PART = 500

# What only agents verified: the person is asked, unless the person confirmed the very same words
# within the interval. The person's name is that of core.author.PERSON.
_ONLY_AGENTS = """
SELECT m.id FROM memory m
WHERE m.status = 'active' AND m.verified_at IS NOT NULL AND m.verified_by <> 'you'
  AND m.due_at > ?1 AND coalesce(m.postponed_until, 0) <= ?1
  AND NOT EXISTS (
    SELECT 1 FROM journal j WHERE j.subject = 'memory' AND j.subject_id = m.id
      AND j.deed = 'verify' AND j.author_kind = 'person'
      AND j.at > ?1 - coalesce(m.review_days, ?2) * ?3
      AND json_extract(j.snapshot, '$.content') = m.content)
"""
_DUE = "SELECT id FROM memory WHERE status = 'active' AND due_at <= ?1"
# Each is bounded by an index: the longest due, what was served lately, what binds, what expired.
_CANDIDATES = (
    f"{_DUE} ORDER BY due_at, id LIMIT ?2",
    "SELECT m.id FROM (SELECT DISTINCT memory_id FROM"
    " (SELECT memory_id FROM receipt ORDER BY last_at DESC LIMIT ?2)) r"
    " JOIN memory m ON m.id = r.memory_id WHERE m.status = 'active' AND m.due_at <= ?1",
    "SELECT id FROM (SELECT id, due_at FROM memory WHERE status = 'active' AND pinned = 1"
    " ORDER BY updated_at DESC, id DESC LIMIT ?2) WHERE due_at <= ?1",
    "SELECT id FROM (SELECT id, due_at FROM memory WHERE status = 'active'"
    " AND kind = 'constraint' ORDER BY updated_at DESC, id DESC LIMIT ?2) WHERE due_at <= ?1",
    "SELECT id FROM (SELECT id, due_at FROM memory WHERE status = 'active'"
    " AND expires_at IS NOT NULL AND expires_at <= ?1 ORDER BY expires_at DESC LIMIT ?2)"
    " WHERE due_at <= ?1",
)
# Same key, other words, and one of the two entities applies to the other.
_AGAINST = """
SELECT m.id, count(*) FROM memory m
JOIN memory o INDEXED BY memory_keys_alike
  ON o.key = m.key AND o.status = 'active' AND o.entity_id IS NOT m.entity_id
  AND o.digest <> m.digest
LEFT JOIN entity em ON em.id = m.entity_id
LEFT JOIN entity eo ON eo.id = o.entity_id
WHERE m.id IN ({marks}) AND m.key IS NOT NULL AND (
  em.scope = 'shared' OR eo.scope = 'shared'
  OR EXISTS (SELECT 1 FROM group_member g WHERE g.group_id = m.entity_id
             AND g.member_id = o.entity_id AND em.scope = 'group')
  OR EXISTS (SELECT 1 FROM group_member g WHERE g.group_id = o.entity_id
             AND g.member_id = m.entity_id AND eo.scope = 'group'))
GROUP BY m.id
"""
_ROW = (
    "SELECT id, kind, confidence, pinned, expires_at, verified_at, verified_by, updated_at, due_at"
    " FROM memory WHERE id IN ({marks})"
)
_SERVED = (
    "SELECT memory_id, sum(served), max(last_at) FROM receipt"
    " WHERE memory_id IN ({marks}) GROUP BY memory_id"
)


class Reviewing:
    """Reads what a person has to look at. `now` is microseconds, `days` the general interval."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def only_agents(self, now: int, days: int, limit: int) -> list[int]:
        """What is not due, but verified by none but agents; the longest ago first."""
        order = "ORDER BY m.verified_at, m.id LIMIT ?4"
        rows = self._db.sql(f"{_ONLY_AGENTS} {order}", (now, days, DAY, limit))
        return [row[0] for row in rows]

    def count(self, now: int, days: int, bound: int) -> int:
        """How many memories wait for the person; counting stops at `bound`."""
        text = f"SELECT count(*) FROM ({_DUE} LIMIT ?2)"
        due = int(self._db.sql(text, (now, bound))[0][0])
        more = 0 if due >= bound else len(self.only_agents(now, days, bound - due))
        return due + more

    def waiting(self, ids: Sequence[int], now: int, days: int) -> set[int]:
        """Those of these memories that wait for the person."""
        found: set[int] = set()
        for part in _parts(ids):
            marks = ",".join(str(int(i)) for i in part)
            # By their ids: the plus keeps SQLite from walking everything that is due.
            by_id = "SELECT id FROM memory WHERE +status = 'active' AND +due_at <= ?1"
            due = self._db.sql(f"{by_id} AND id IN ({marks})", (now,))
            agents = self._db.sql(f"{_ONLY_AGENTS} AND m.id IN ({marks})", (now, days, DAY))
            found.update(row[0] for row in (*due, *agents))
        return found

    def candidates(self, now: int, limit: int) -> list[int]:
        """The due memories among which the most urgent are looked for.

        The `limit` longest due, and half as many of each other sort.
        """
        found: dict[int, None] = {}
        longest, *others = _CANDIDATES
        for text, most in ((longest, limit), *((other, limit // 2) for other in others)):
            found.update(dict.fromkeys(row[0] for row in self._db.sql(text, (now, most))))
        return list(found)

    def all_due(self, now: int) -> array[int]:
        """Everything that is due, the longest first, eight bytes each."""
        rows = self._db.sql(f"{_DUE} ORDER BY due_at, id", (now,))
        return array("q", (row[0] for row in rows))

    def standings(self, ids: Sequence[int]) -> list[Standing]:
        """What is known about these memories; unknown ones are left out."""
        found: list[Standing] = []
        for part in _parts(ids):
            served = {row[0]: row[1:] for row in self._in(_SERVED, part)}
            against = {row[0]: row[1] for row in self._in(_AGAINST, part)}
            for row in self._in(_ROW, part):
                receipts: tuple[Any, ...] = served.get(row[0], (0, 0))
                values: tuple[Any, ...] = (*row, *receipts, against.get(row[0], 0))
                found.append(Standing(*values))
        return found

    def served(self, ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        """memory id -> (times served to agents, last when), for those that were."""
        return {row[0]: (row[1], row[2]) for part in _parts(ids) for row in self._in(_SERVED, part)}

    def _in(self, text: str, ids: Sequence[int]) -> list[tuple[Any, ...]]:
        return self._db.sql(text.format(marks=",".join("?" * len(ids))), list(ids))


def _parts(ids: Sequence[int]) -> list[Sequence[int]]:
    return [ids[start : start + _PART] for start in range(0, len(ids), _PART)]
