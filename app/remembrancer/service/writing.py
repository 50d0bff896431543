"""How a memory is written: row, tags, index text and journal line in one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from remembrancer.core import review
from remembrancer.core.analyser import Indexed, indexed
from remembrancer.core.entity import Entity, Scope
from remembrancer.core.errors import Conflict
from remembrancer.core.journal import Deed, Subject, memory_snapshot
from remembrancer.core.memory import Draft, Memory, Status
from remembrancer.service import review_pace
from remembrancer.service.one_path import Ledger
from remembrancer.store.memories import Memories


def index_text(
    entity: str | None, key: str | None, title: str, content: str, tags: Sequence[str]
) -> Indexed:
    """What the index holds of a memory: the words and stems of all that a search may look for."""
    return indexed("\n".join([entity or "", key or "", title, content, " ".join(tags)]))


def memory_index_text(memory: Memory) -> Indexed:
    """The index text of a memory."""
    return index_text(memory.entity, memory.key, memory.title, memory.content, memory.tags)


def blank(draft: Draft, entity: Entity | None, now: int, author: str) -> Memory:
    """The first revision of a draft, without an id yet."""
    return Memory(
        id=0, entity_id=entity.id if entity else None, entity=entity.name if entity else None,
        scope=entity.scope if entity else Scope.DEVICE, key=draft.key, title=draft.title,
        content=draft.content, kind=draft.kind, source=draft.source,
        confidence=draft.confidence, pinned=draft.pinned, expires_at=draft.expires_at,
        verified_at=None, verified_by=None, review_days=draft.review_days, postponed_until=None,
        due_at=0, tags=draft.tags, status=Status.ACTIVE, archived_at=None, archived_by=None,
        archived_reason=None, superseded_by=None, author=author, revision=1,
        created_at=now, updated_at=now,
    )  # fmt: skip


def add(
    ledger: Ledger, memory: Memory, text: Indexed, days: int, deed: Deed = Deed.REMEMBER
) -> Memory:
    """Write a new memory with its line; `text` is its index text. Returns it with its id."""
    memory = replace(memory, due_at=review.due_at(memory, days))
    free(ledger.store.memories, memory)
    memory = replace(memory, id=ledger.store.memories.insert(memory, text))
    _line(ledger, memory, deed, memory)
    return memory


def put(ledger: Ledger, before: Memory, after: Memory, days: int, deed: Deed) -> Memory:
    """Write `after` over `before` with its line; a removal's line keeps what was there."""
    after = review_pace.paced(ledger, before, after, days, deed)
    after = replace(after, due_at=review.due_at(after, days))
    free(ledger.store.memories, after)
    ledger.store.memories.update(after, memory_index_text(after), before.tags != after.tags)
    _line(ledger, after, deed, before if deed is Deed.DELETE else after)
    return after


def bury(ledger: Ledger, memory: Memory, days: int) -> Memory:
    """Make a tombstone of a memory."""
    after = replace(
        memory,
        status=Status.DELETED,
        author=ledger.author.name,
        revision=memory.revision + 1,
        updated_at=max(ledger.now, memory.updated_at + 1),
    )
    return put(ledger, memory, after, days, Deed.DELETE)


def index_anew(ledger: Ledger, entity_id: int) -> None:
    """Give the index the words of an entity's memories again, after its name changed."""
    living = ledger.store.memories.living_of(entity_id)
    ledger.store.index_texts.set([(each.id, memory_index_text(each)) for each in living])


def free(memories: Memories, memory: Memory) -> None:
    """Raise Conflict when another living memory of the entity has this content or key."""
    if memory.status is Status.DELETED or memory.entity_id is None:
        return
    same = memories.by_content(memory.entity_id, memory.content)
    if same is not None and same.id != memory.id:
        raise Conflict(
            "This content already exists under another memory; edit it instead",
            code="content_elsewhere",
            id=same.id,
        )
    if memory.key is None:
        return
    keyed = memories.by_key(memory.entity_id, memory.key)
    if keyed is not None and keyed.id != memory.id:
        raise Conflict(
            f"The key {memory.key!r} already names memory {keyed.id} of this entity.",
            code="key_elsewhere",
            id=keyed.id,
        )


def _line(ledger: Ledger, memory: Memory, deed: Deed, shown: Memory) -> None:
    ledger.line(
        deed,
        Subject.MEMORY,
        memory.id,
        memory_snapshot(shown),
        entity_id=memory.entity_id,
        revision=memory.revision,
    )
    if memory.entity_id is not None:
        ledger.store.entities.touch(memory.entity_id, ledger.now)
