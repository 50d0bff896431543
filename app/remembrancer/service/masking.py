"""How credentials are masked in what is stored already, history included, and let out again.

Texts of the past are masked in place, the present ones by a deed; what stood there is sealed under
the deed's batch, so that an undo can put all of it back until the originals are forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from remembrancer.core.errors import Refused
from remembrancer.core.journal import (
    Deed,
    JournalLine,
    Subject,
    memory_snapshot,
    snapshot_memory,
)
from remembrancer.core.memory import Memory, Status
from remembrancer.core.redaction import told
from remembrancer.core.screening import (
    Held,
    credentials_of,
    fingerprint,
    masked_column,
    texts_of,
)
from remembrancer.service import memories, undoing, weaving, writing
from remembrancer.service.one_path import Ledger
from remembrancer.store.screening import AGAIN, FORGOTTEN, Sealed

Wanted = dict[tuple[Subject, int], set[bytes]]

_ORDER = (Subject.AGENT, Subject.ENTITY, Subject.RELATION, Subject.MEMORY)
_ROW = "row"  # the sealed record of a memory that is a tombstone
_TEXTS = ("title", "content", "key", "source", "archived_reason", "archived_by", "verified_by")


def mask(ledger: Ledger, wanted: Wanted, days: int) -> int:
    """Mask the wanted credentials (by fingerprint) of each subject; returns how many were there."""
    ledger.store.search.forget_words()
    ledger.store.once.empty()
    ledger.outcome = "redacted"
    deed = _Masking(ledger, days)
    for subject, subject_id in sorted(wanted, key=lambda key: (_ORDER.index(key[0]), key[1])):
        deed.mask(subject, subject_id, wanted[subject, subject_id])
    if deed.sealed:
        ledger.store.screening.seal(ledger.first, ledger.now, deed.sealed)
    return deed.count


def let_out(ledger: Ledger, batch: int, lines: Sequence[JournalLine], days: int) -> bool:
    """Take a deed of masking back, or such an undo; False where the batch is neither."""
    sealed = ledger.store.screening.sealed(batch)
    if not sealed:
        return False
    places = {each.place for each in sealed}
    if FORGOTTEN in places:
        raise Refused("What was forgotten for good cannot be brought back.", code="purged")
    if places == {AGAIN}:
        mask(ledger, _wanted(sealed), days)
        return True
    again = [each for each in sealed if each.place == AGAIN]
    for each in sealed:
        if each.field != _ROW and each.place != AGAIN:
            ledger.store.screening.put(Held(*each))
    rows = {each.row_id: each.original for each in sealed if each.field == _ROW}
    for line in reversed(lines):
        _put_back(ledger, line, rows, days)
    ledger.store.screening.drop(batch)
    ledger.store.screening.seal(ledger.first, ledger.now, again)
    return True


def forget(ledger: Ledger, batch: int) -> None:
    """Drop the originals of a deed for good."""
    ledger.store.screening.drop(batch)
    ledger.store.screening.seal(batch, ledger.now, [Sealed(FORGOTTEN, 0, "", "")])


class _Masking:
    """One deed under way: what it took out, and how many credentials."""

    def __init__(self, ledger: Ledger, days: int) -> None:
        self._ledger = ledger
        self._days = days
        self.sealed: list[Sealed] = []
        self.count = 0

    def mask(self, subject: Subject, subject_id: int, wanted: set[bytes]) -> None:
        """Mask these credentials in everything that is kept of one subject."""
        screening = self._ledger.store.screening
        held = screening.held(subject, [subject_id])[subject_id]

        def chosen(credential: str) -> bool:
            return fingerprint(subject, subject_id, credential) in wanted

        known = _known(held, chosen)
        changed = [(each, masked_column(each, chosen, known)) for each in held]
        changed = [(each, text) for each, text in changed if text != each.text]
        if not changed:
            return
        self.count += len(known)
        prints = sorted(fingerprint(subject, subject_id, each).hex() for each in known)
        self.sealed.append(Sealed(AGAIN, subject_id, str(subject), ",".join(prints)))
        self._ledger.reason = told(sorted(set(known.values())))
        for each, text in changed:
            if each.place != subject:
                self._replace(each, text)
        own = {each.field: text for each, text in changed if each.place == subject}
        self._mask_own(subject, subject_id, own, [each for each, _ in changed])

    def _mask_own(
        self, subject: Subject, subject_id: int, own: dict[str, str], before: Sequence[Held]
    ) -> None:
        if subject is Subject.MEMORY:
            self._mask_memory(subject_id, own)
        elif subject is Subject.ENTITY:
            self._mask_entity(subject_id, own, before)
        else:
            self._mask_row(subject, subject_id, own, before)

    def _mask_memory(self, memory_id: int, own: dict[str, str]) -> None:
        """A new revision, also where only the past changed; a tombstone stays one."""
        memory = self._ledger.store.memories.get(memory_id)
        if memory is None:
            return
        if memory.status is Status.DELETED:
            kept = json.dumps(memory_snapshot(memory), ensure_ascii=False)
            self.sealed.append(Sealed(str(Subject.MEMORY), memory_id, _ROW, kept))
        after = _next(self._ledger, _with(memory, own))
        after = replace(after, content=self._free_content(after), key=self._free_key(after))
        writing.put(self._ledger, memory, after, self._days, Deed.REVISE)

    def _free_content(self, memory: Memory) -> str:
        found = self._ledger.store.memories.by_content

        def taken(text: str) -> bool:
            other = found(memory.entity_id, text)
            return other is not None and other.id != memory.id

        living = memory.status is not Status.DELETED
        return _numbered(memory.content, taken) if living else memory.content

    def _free_key(self, memory: Memory) -> str | None:
        found = self._ledger.store.memories.by_key

        def taken(text: str) -> bool:
            other = found(memory.entity_id, text)
            return other is not None and other.id != memory.id

        living = memory.status is not Status.DELETED
        return _numbered(memory.key, taken) if living and memory.key else memory.key

    def _mask_entity(self, entity_id: int, own: dict[str, str], before: Sequence[Held]) -> None:
        store = self._ledger.store
        entity = store.entities.get(entity_id)
        if entity is None or not own:
            self._mask_row(Subject.ENTITY, entity_id, own, before)
            return

        def taken(name: str) -> bool:
            other = store.entities.named(name)
            return other is not None and other.id != entity_id

        name = _numbered(own.get("name", entity.name), taken)
        weaving.change_entity(self._ledger, entity, name, own.get("type", entity.type))
        _index_tombstones(self._ledger, entity_id)

    def _mask_row(
        self, subject: Subject, subject_id: int, own: dict[str, str], before: Sequence[Held]
    ) -> None:
        """Change the columns in place, and leave a line that tells of it."""
        screening = self._ledger.store.screening
        for each in before:
            if each.place != subject or each.field not in own:
                continue
            text = own[each.field]
            if subject is Subject.RELATION:
                text = _numbered(text, lambda type_: screening.taken(subject_id, type_))
            self._replace(each, text)
        if subject is Subject.ENTITY:
            _index_tombstones(self._ledger, subject_id)
        _tell(self._ledger, subject, subject_id)

    def _replace(self, held: Held, text: str) -> None:
        self.sealed.append(Sealed(*held))
        self._ledger.store.screening.put(held._replace(text=text))


def _known(held: Sequence[Held], chosen: Callable[[str], bool]) -> dict[str, str]:
    """The chosen credentials in these texts, with their kinds."""
    texts = [text for each in held for _, text in texts_of(each)]
    found = credentials_of(texts)
    spans = [(text[s.start : s.end], s.kind) for text, each in found.items() for s in each]
    return {credential: kind for credential, kind in spans if chosen(credential)}


def _wanted(sealed: Sequence[Sealed]) -> Wanted:
    return {
        (Subject(each.field), each.row_id): {bytes.fromhex(p) for p in each.original.split(",")}
        for each in sealed
        if each.original
    }


def _put_back(ledger: Ledger, line: JournalLine, rows: dict[int, str], days: int) -> None:
    """Put one subject of a masking back, now that its past reads as before."""
    if line.subject is Subject.MEMORY:
        _put_memory_back(ledger, line, rows, days)
    elif line.subject is Subject.ENTITY and ledger.store.entities.get(line.subject_id):
        undoing.put_back(ledger, line, days)
        _index_tombstones(ledger, line.subject_id)
    else:
        _tell(ledger, line.subject, line.subject_id)


def _put_memory_back(ledger: Ledger, line: JournalLine, rows: dict[int, str], days: int) -> None:
    current = ledger.store.memories.get(line.subject_id)
    if current is not None and current.id in rows:
        earlier = snapshot_memory(json.loads(rows[current.id]))
        texts: dict[str, Any] = {name: getattr(earlier, name) for name in (*_TEXTS, "tags")}
        after = _next(ledger, replace(current, **texts))
        writing.put(ledger, current, after, days, Deed.RESTORE)
        return
    before = ledger.store.journal.of(line.subject, line.subject_id, line.sequence, 1)
    kept = before[0].snapshot if before else None
    if current is not None and kept is not None:
        memories.put_back(ledger, current, snapshot_memory(kept), days, Deed.RESTORE)


def _tell(ledger: Ledger, subject: Subject, subject_id: int) -> None:
    """Leave a line about a row that was changed in place, with what the newest one keeps."""
    newest = ledger.store.journal.of(subject, subject_id, limit=1)
    deed = {
        Subject.ENTITY: Deed.CHANGE_ENTITY,
        Subject.RELATION: newest[0].deed if newest else Deed.RELATE,
        Subject.AGENT: Deed.CHANGE_AGENT,
    }[subject]
    snapshot = newest[0].snapshot if newest else None
    entity_id = newest[0].entity_id if newest else None
    ledger.line(deed, subject, subject_id, snapshot, entity_id=entity_id)


def _with(memory: Memory, own: dict[str, str]) -> Memory:
    """The memory with these columns of its row."""
    fields: dict[str, Any] = {name: own[name] for name in _TEXTS if name in own}
    if "tags" in own:
        fields["tags"] = tuple(json.loads(own["tags"]))
    return replace(memory, **fields)


def _next(ledger: Ledger, memory: Memory) -> Memory:
    return replace(
        memory,
        author=ledger.author.name,
        revision=memory.revision + 1,
        updated_at=max(ledger.now, memory.updated_at + 1),
    )


def _numbered(text: str, taken: Callable[[str], bool]) -> str:
    """The text, or the first of "text (2)", "text (3)" and so on that is not taken."""
    number, found = 1, text
    while taken(found):
        number += 1
        found = f"{text} ({number})"
    return found


def _index_tombstones(ledger: Ledger, entity_id: int) -> None:
    """Take an entity's earlier name out of what the index holds of its deleted memories."""
    store = ledger.store
    gone = store.memories.several(store.screening.tombstones_of(entity_id))
    store.index_texts.set([(each.id, writing.memory_index_text(each)) for each in gone])
