"""How an accepted proposal is carried out: each change upon what is there now, fields apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from remembrancer.core import memory as values
from remembrancer.core.entity import Entity, Scope
from remembrancer.core.errors import Conflict
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Memory, Status
from remembrancer.core.proposal import FOLLOWS, Change
from remembrancer.service import burial, weaving, writing
from remembrancer.service.one_path import Ledger


@dataclass
class Carrying:
    """One proposal being carried out inside a transaction.

    What it would have made had ids of its own; `ids` says which ones that became. With `over` a
    field that was changed meanwhile takes the proposed value all the same: of every memory, or of
    those that stand at the revision which the person saw, by their ids.
    """

    ledger: Ledger
    days: int
    over: bool | Mapping[int, int] = False
    ids: dict[tuple[Subject, int], int] = field(default_factory=dict[tuple[Subject, int], int])

    def carry_out(self, change: Change) -> None:
        """Do what the change says; raises Conflict when it no longer can be."""
        if change.subject is Subject.MEMORY:
            self._memory(change)
        elif change.subject is Subject.ENTITY:
            self._entity(change)
        elif change.subject is Subject.RELATION:
            self._relation(change)

    # --- memories

    def _memory(self, change: Change) -> None:
        if change.base is None:
            made = self._remember(change.after)
            self.ids[change.subject, change.subject_id] = made.id
            return
        current = self.ledger.store.memories.get(change.subject_id)
        if current is None or (current.status is Status.DELETED and not change.removal):
            raise Conflict(
                f"The memory {change.subject_id} is gone meanwhile; restore it first, or refuse "
                "the proposal.",
                code="target_gone",
            )
        if not change.removal:
            self._revise(current, change)
        elif current.status is not Status.DELETED:
            self._unchanged(current, change)
            writing.bury(self.ledger, current, self.days)

    def _remember(self, kept: Mapping[str, Any]) -> Memory:
        store = self.ledger.store
        entity = None if kept.get("entity") is None else store.entities.named(str(kept["entity"]))
        if kept.get("entity") is not None and (entity is None or entity.ghost):
            raise Conflict(
                f"The entity {kept['entity']!r} is gone meanwhile; create it first.",
                code="entity_gone",
            )
        draft = values.check_draft(
            Draft(
                str(kept["content"]), entity.name if entity else None, key=kept.get("key"),
                title=str(kept.get("title") or ""), kind=Kind(kept["kind"]),
                source=str(kept["source"]), confidence=kept["confidence"],
                pinned=bool(kept["pinned"]), expires_at=kept.get("expires_at"),
                review_days=kept.get("review_days"), tags=tuple(kept.get("tags") or ()),
            )
        )  # fmt: skip
        fresh = writing.blank(draft, entity, self.ledger.now, self.ledger.author.name)
        return writing.add(self.ledger, fresh, writing.memory_index_text(fresh), self.days)

    def _revise(self, current: Memory, change: Change) -> None:
        wanted = change.fields()
        entity = wanted.pop("entity", current.entity)
        if not self._overruled(current):
            self._apart(current, change, {**wanted, "entity": entity})
        fields: dict[str, Any] = {n: _live(n, v) for n, v in wanted.items()}
        if fields.get("superseded_by") is not None:
            key = Subject.MEMORY, int(fields["superseded_by"])
            fields["superseded_by"] = self.ids.get(key, fields["superseded_by"])
        after = replace(
            current,
            **fields,
            author=self.ledger.author.name,
            revision=current.revision + 1,
            updated_at=max(self.ledger.now, current.updated_at + 1),
        )
        writing.put(self.ledger, current, self._moved(after, entity), self.days, change.deed)

    def _overruled(self, current: Memory) -> bool:
        if isinstance(self.over, bool):
            return self.over
        return self.over.get(current.id) == current.revision

    def _apart(self, current: Memory, change: Change, wanted: Mapping[str, Any]) -> None:
        """Raise Conflict where somebody else changed a field that the proposal changes, too."""
        base = change.base or {}
        apart = FOLLOWS if "content" in wanted else ()
        both = [
            name for name, value in wanted.items()
            if name not in apart
            and _plain(getattr(current, name)) not in (base.get(name), value)
        ]  # fmt: skip
        if both:
            raise Conflict(
                f"{', '.join(both)} of memory {current.id} changed since this was proposed; "
                "compare the three and say which one counts.",
                code="target_changed",
                id=current.id,
                fields=tuple(both),
            )

    def _unchanged(self, current: Memory, change: Change) -> None:
        if not self._overruled(current) and current.revision != change.revision:
            raise Conflict(
                f"Memory {current.id} changed since its deletion was proposed.",
                code="target_changed",
                id=current.id,
                fields=(),
            )

    def _moved(self, after: Memory, name: str | None) -> Memory:
        if name == after.entity:
            return after
        entity = None if name is None else weaving.there(self.ledger, name, strict=True)
        return replace(
            after,
            entity_id=entity.id if entity else None,
            entity=entity.name if entity else None,
        )

    # --- entities and relations

    def _entity(self, change: Change) -> None:
        store, kept = self.ledger.store, change.after
        named = store.entities.named(str(kept["name"]))
        if change.base is None or change.deed is Deed.CREATE_ENTITY:
            if named is None or (named.ghost and not kept["ghost"]):
                weaving.make_entity(
                    self.ledger, str(kept["name"]), str(kept["type"]), named,
                    ghost=bool(kept["ghost"]),
                )  # fmt: skip
            return
        current = store.entities.get(change.subject_id)
        if current is None:
            if not change.removal:
                raise Conflict(f"The entity {kept['name']!r} is gone.", code="target_gone")
        elif change.removal:
            burial.bury_entity(self.ledger, current, self.days)
        elif change.deed is Deed.SET_SCOPE:
            self._scope(current, kept)
        else:
            weaving.change_entity(self.ledger, current, str(kept["name"]), str(kept["type"]))

    def _scope(self, entity: Entity, kept: Mapping[str, Any]) -> None:
        store = self.ledger.store
        found = [store.entities.named(str(name)) for name in kept.get("members") or ()]
        members = [m for m in found if m is not None and m.id != entity.id]
        store.entities.set_members(entity.id, [m.id for m in members])
        after = replace(
            entity,
            scope=Scope(kept["scope"]),
            scope_revision=entity.scope_revision + 1,
            updated_at=self.ledger.now,
        )
        burial.put_entity(self.ledger, after, Deed.SET_SCOPE)

    def _relation(self, change: Change) -> None:
        store, kept = self.ledger.store, change.after
        ends = [store.entities.named(str(kept[name])) for name in ("source", "target")]
        source, target = ends
        if source is None or target is None:
            if change.removal:
                return
            raise Conflict(
                "One end of the proposed relation is gone meanwhile.", code="target_gone"
            )
        if not change.removal:
            weaving.make_relation(self.ledger, source, target, str(kept["type"]))
            return
        there = store.relations.triple(source.id, target.id, str(kept["type"]))
        if there is not None:
            burial.bury_relation(self.ledger, there)


def _live(name: str, value: Any) -> Any:
    if name == "kind":
        return Kind(value)
    if name == "status":
        return Status(value)
    return tuple(value) if name == "tags" else value


def _plain(value: Any) -> Any:
    """A field of a memory as a snapshot has it."""
    return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value
