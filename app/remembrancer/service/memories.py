"""The desk for memories: remember, revise, verify, put away, bring back, forget."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Unpack

from remembrancer.core import memory as values
from remembrancer.core import policy
from remembrancer.core.clock import DAY
from remembrancer.core.entity import Entity
from remembrancer.core.errors import Conflict, NotFound
from remembrancer.core.journal import Deed, Subject, snapshot_memory
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.service import weaving, writing
from remembrancer.service.desk import Doing
from remembrancer.service.memory_reading import MemoryReading
from remembrancer.service.one_path import Ledger, Secrets, masked, screen
from remembrancer.service.sparing import spare


class MemoriesDesk(MemoryReading):
    """Every verb that changes something walks the one path and says who does it."""

    def remember(
        self, draft: Draft, *, secrets: Secrets = Secrets.REFUSE, entity_type: str | None = None,
        **doing: Unpack[Doing],
    ) -> Memory:  # fmt: skip
        """Remember a draft under its entity (None: unfiled).

        The entity must exist, unless `entity_type` says what an unknown one is created as.

        A key that the entity already has revises that memory with every field of the draft (only
        title and tags stay where the draft has none) and makes it active; the very same content
        gives the memory that holds it, unchanged.
        """
        draft = values.check_draft(draft)
        texts = values.texts(asdict(draft))
        screen([*texts, entity_type or ""], secrets)
        draft = Draft(**values.with_texts(asdict(draft), lambda t: masked(t, secrets)))
        type_ = None if entity_type is None else masked(entity_type, secrets)
        text = writing.index_text(draft.entity, draft.key, draft.title, draft.content, draft.tags)

        def work(ledger: Ledger) -> Memory:
            entity = self._entity(ledger, draft.entity, type_)
            memory = self._known(ledger, draft, entity)
            if memory is None:
                fresh = writing.blank(draft, entity, ledger.now, ledger.author.name)
                memory = writing.add(ledger, fresh, text, self._ground.review_days())
            spare(ledger, memory.id, texts, secrets)
            return memory

        return self._ground.path.walk(work, entities=[draft.entity], **doing)

    def revise(
        self,
        memory_id: int,
        edit: Edit,
        *,
        expected: int | None = None,
        secrets: Secrets = Secrets.REFUSE,
        reason: str | None = None,
        entity_type: str | None = None,
        **doing: Unpack[Doing],
    ) -> Memory:
        """Change a memory; `expected` is the revision the caller saw. No change: no revision.

        An entity it moves to must exist, unless `entity_type` says what it is created as.
        """
        edit = values.check_edit(edit)
        texts = values.texts(edit)
        screen([*texts, reason or "", entity_type or ""], secrets)
        edit = Edit(**values.with_texts(edit, lambda t: masked(t, secrets)))
        reason = None if reason is None else masked(reason, secrets)
        type_ = None if entity_type is None else masked(entity_type, secrets)
        seen = self.get(memory_id, doing["author"])

        def work(ledger: Ledger) -> Memory:
            if edit.get("entity") is not None:
                self._entity(ledger, edit.get("entity"), type_)
            spare(ledger, memory_id, texts, secrets)
            return self._revise(ledger, memory_id, edit, expected)

        touched = [seen.entity, edit["entity"]] if "entity" in edit else [seen.entity]
        return self._ground.path.walk(work, entities=touched, reason=reason, **doing)

    def verify(
        self, memory_id: int, *, expected: int | None = None, **doing: Unpack[Doing]
    ) -> Memory:
        """Say that a memory is still true now."""
        return self.revise(memory_id, Edit(verified=True), expected=expected, **doing)

    def archive(
        self, memory_id: int, *, why: str | None = None, expected: int | None = None,
        **doing: Unpack[Doing],
    ) -> Memory:  # fmt: skip
        """Hide a memory from every default view."""
        edit = Edit(status=Status.ARCHIVED, archived_reason=why)
        return self.revise(memory_id, edit, expected=expected, reason=why, **doing)

    def revive(
        self, memory_id: int, *, expected: int | None = None, **doing: Unpack[Doing]
    ) -> Memory:
        """Bring an archived memory back into view."""
        return self.revise(memory_id, Edit(status=Status.ACTIVE), expected=expected, **doing)

    def postpone(
        self, memory_id: int, days: int, *, expected: int | None = None, **doing: Unpack[Doing]
    ) -> Memory:
        """Let a memory not be due again for `days`."""
        until = self._ground.clock() + days * DAY
        return self.revise(memory_id, Edit(postponed_until=until), expected=expected, **doing)

    def delete(
        self, memory_id: int, *, expected: int | None = None, **doing: Unpack[Doing]
    ) -> Memory:
        """Make a tombstone of a memory; the window can bring it back."""
        seen = self.get(memory_id, doing["author"])

        def work(ledger: Ledger) -> Memory:
            memory = self._current(ledger, memory_id, expected)
            if memory.status is Status.DELETED:
                return memory
            return writing.bury(ledger, memory, self._ground.review_days())

        return self._ground.path.walk(work, entities=[seen.entity], **doing)

    def restore(
        self, memory_id: int, revision: int, *, expected: int | None = None, **doing: Unpack[Doing]
    ) -> Memory:
        """Put the text and fields of an earlier revision back, as a new revision."""
        seen = self.get(memory_id, doing["author"])

        def work(ledger: Ledger) -> Memory:
            current = self._current(ledger, memory_id, expected)
            earlier = _revision(ledger, memory_id, revision)
            return put_back(ledger, current, earlier, self._ground.review_days(), Deed.RESTORE)

        return self._ground.path.walk(work, entities=[seen.entity], **doing)

    def purge(self, memory_id: int, **doing: Unpack[Doing]) -> None:
        """Forget a memory for good: row, index, receipts and the words of its history."""
        policy.person_only(doing["author"], "forget a memory for good")
        self.get(memory_id, doing["author"])

        def work(ledger: Ledger) -> None:
            _erase(ledger, self._current(ledger, memory_id, None))

        self._ground.path.walk(work, **doing)

    # --- inside the transaction

    def _entity(
        self, ledger: Ledger, name: str | None, created_as: str | None = None
    ) -> Entity | None:
        if name is None:
            return None
        entity = ledger.store.entities.named(name)
        if entity is not None and not entity.ghost:
            return entity
        if created_as is None:
            raise NotFound("Entity not found; create it first", code="entity")
        return weaving.make_entity(ledger, name, created_as, entity)

    def _known(self, ledger: Ledger, draft: Draft, entity: Entity | None) -> Memory | None:
        """The memory that a draft means, brought up to it when its key says so."""
        memories = ledger.store.memories
        entity_id = entity.id if entity else None
        keyed = memories.by_key(entity_id, draft.key) if draft.key is not None else None
        if keyed is not None:
            edit = Edit(
                content=draft.content, kind=draft.kind, source=draft.source,
                confidence=draft.confidence, pinned=draft.pinned, expires_at=draft.expires_at,
                title=draft.title or keyed.title, tags=draft.tags or keyed.tags,
                status=Status.ACTIVE,
            )  # fmt: skip
            return self._revise(ledger, keyed.id, edit, None)
        same = memories.by_content(entity_id, draft.content) if entity else None
        if same is not None and draft.key is not None and same.key != draft.key:
            writing.free(memories, writing.blank(draft, entity, ledger.now, ""))
        return same

    def _revise(self, ledger: Ledger, memory_id: int, edit: Edit, expected: int | None) -> Memory:
        before = self._current(ledger, memory_id, expected)
        after = values.revised(before, edit, ledger.now, ledger.author.name)
        if "entity" in edit and edit["entity"] != before.entity:
            after = self._moved(ledger, before, after, edit["entity"])
        if after is None:
            return before
        if Status.DELETED is before.status is not after.status:
            _home(ledger, after)
        deed = _deed(before, after, edit)
        return writing.put(ledger, before, after, self._ground.review_days(), deed)

    def _moved(
        self, ledger: Ledger, before: Memory, after: Memory | None, name: str | None
    ) -> Memory:
        entity = self._entity(ledger, name)
        after = after or replace(
            before,
            revision=before.revision + 1,
            author=ledger.author.name,
            updated_at=max(ledger.now, before.updated_at + 1),
        )
        id_, name = (entity.id, entity.name) if entity else (None, None)
        return replace(after, entity_id=id_, entity=name)

    def _current(self, ledger: Ledger, memory_id: int, expected: int | None) -> Memory:
        memory = ledger.store.memories.get(memory_id)
        if memory is None:
            raise NotFound("Memory not found", code="memory")
        if expected is not None and memory.revision != expected:
            raise Conflict(
                "Memory changed since you opened it. Refresh before editing.",
                code="memory_changed",
                revision=memory.revision,
                author=memory.author,
            )
        return memory


def put_back(ledger: Ledger, current: Memory, earlier: Memory, days: int, deed: Deed) -> Memory:
    """Write the fields of an earlier state over the current one, as a new revision."""
    entity = _home(ledger, earlier)
    after = replace(
        earlier,
        id=current.id,
        entity=entity.name if entity else None,
        author=ledger.author.name,
        revision=current.revision + 1,
        created_at=current.created_at,
        updated_at=max(ledger.now, current.updated_at + 1),
    )
    return writing.put(ledger, current, after, days, deed)


def _revision(ledger: Ledger, memory_id: int, revision: int) -> Memory:
    for line in ledger.store.journal.of(Subject.MEMORY, memory_id):
        if line.revision == revision and line.snapshot is not None and not line.removal:
            return snapshot_memory(line.snapshot)
    raise NotFound(f"Memory {memory_id} has no revision {revision}.", code="revision")


def _erase(ledger: Ledger, memory: Memory) -> None:
    """Take a memory out of every table and index, and its words out of its history."""
    store = ledger.store
    store.search.forget_words()
    store.memories.erase(memory.id)
    store.extras.forget_receipts(memory.id)
    store.once.empty()
    for proposal_id in store.proposals.forget(Subject.MEMORY, memory.id):
        store.journal.empty_snapshots(Subject.PROPOSAL, proposal_id)
    store.screening.forget_memory(memory.id)
    store.journal.empty_snapshots(Subject.MEMORY, memory.id)
    ledger.line(Deed.PURGE, Subject.MEMORY, memory.id, None, entity_id=memory.entity_id)


def _home(ledger: Ledger, memory: Memory) -> Entity | None:
    """The entity of a memory that is to live; raises Conflict when that is gone."""
    entity = None if memory.entity_id is None else ledger.store.entities.get(memory.entity_id)
    if memory.entity_id is not None and entity is None:
        raise Conflict(
            f"The entity {memory.entity!r} of memory {memory.id} is gone; restore it first.",
            code="entity_gone",
        )
    return entity


def _deed(before: Memory, after: Memory, edit: Edit) -> Deed:
    if after.status is not before.status:
        if after.superseded_by is not None:
            return Deed.SUPERSEDE
        return Deed.ARCHIVE if after.status is Status.ARCHIVED else Deed.REVIVE
    if edit.get("verified"):
        return Deed.VERIFY
    return Deed.POSTPONE if set(edit) == {"postponed_until"} else Deed.REVISE
