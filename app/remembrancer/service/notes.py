"""The desk for notes: remember under tags and supersede in one step, forget, classify."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Unpack

from remembrancer.core import crossing, names, secrets, tag_guard
from remembrancer.core import memory as values
from remembrancer.core.analyser import Indexed
from remembrancer.core.author import Author
from remembrancer.core.entity import Entity
from remembrancer.core.journal import Deed
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.core.tag_guard import TagAdvice
from remembrancer.service import weaving, writing
from remembrancer.service.desk import Doing
from remembrancer.service.notes_reading import NotesReading, shown
from remembrancer.service.one_path import Ledger


class Arrival(StrEnum):
    """What became of a text that was to be remembered."""

    NEW = "new"
    THERE = "there"
    REVIVED = "revived"


@dataclass(frozen=True, slots=True)
class NewNote:
    """A text to be remembered under its tags; the first that is no kind word is its entity."""

    text: str
    tags: tuple[str, ...]
    kind: Kind
    supersedes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """What was remembered; `secrets` are the kinds of what was masked in it."""

    memory: Memory
    arrival: Arrival
    superseded: tuple[int, ...]
    unknown: tuple[int, ...]
    secrets: tuple[str, ...]
    advice: tuple[TagAdvice, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """The ids that a change reached, those that are not there; a reason as kept, what it lost."""

    done: tuple[int, ...]
    unknown: tuple[int, ...]
    reason: str = ""
    secrets: tuple[str, ...] = ()


class NotesDesk(NotesReading):
    """Every verb is one transaction, whatever it touches; credentials are masked."""

    def remember(self, note: NewNote, *, reason: str, **doing: Unpack[Doing]) -> Kept:
        """Remember a text, and put away what it supersedes for `reason`.

        A text that its entity holds already stays one memory: an archived one comes back, and what
        the text supersedes is put away all the same.
        """
        author = doing["author"]
        draft, found = _draft(note, author)
        stems = writing.index_text(draft.entity, None, "", draft.content, draft.tags)
        advice = self._advice(draft.tags, author)
        touched = [m.entity for m in self.fetch(note.supersedes, author)]

        def work(ledger: Ledger) -> Kept:
            memory, arrival = self._arrive(ledger, draft, stems)
            older = [i for i in note.supersedes if i != memory.id]
            ledger.reason = reason
            gone = self._put_away(ledger, older, reason, memory.id)
            return Kept(memory, arrival, gone, _missing(older, gone), found, advice)

        return self._ground.path.walk(work, entities=[draft.entity, *touched], **doing)

    def forget(self, ids: Sequence[int], *, reason: str, **doing: Unpack[Doing]) -> Changed:
        """Archive memories; of one that is archived already the newest reason counts."""
        names.text(reason, "reason", names.SOURCE_LIMIT, empty=True)
        why, found = secrets.mask(reason)
        touched = [m.entity for m in self.fetch(ids, doing["author"])]

        def work(ledger: Ledger) -> Changed:
            done = self._put_away(ledger, ids, why, None)
            return Changed(done, _missing(ids, done), why, found)

        return self._ground.path.walk(work, entities=touched, reason=why, **doing)

    def classify(
        self, ids: Sequence[int], kind: Kind, *, same: frozenset[Kind], **doing: Unpack[Doing]
    ) -> Changed:
        """Give memories a kind; those whose kind is one of `same` keep theirs."""
        touched = [m.entity for m in self.fetch(ids, doing["author"])]

        def work(ledger: Ledger) -> Changed:
            found = self._seen(ledger, ids)
            for memory in found:
                if memory.kind not in same:
                    self._edit(ledger, memory, Edit(kind=kind), Deed.REVISE)
            done = tuple(m.id for m in found)
            return Changed(done, _missing(ids, done))

        return self._ground.path.walk(work, entities=touched, **doing)

    def _advice(self, tags: Sequence[str], author: Author) -> tuple[TagAdvice, ...]:
        with self._store.reading():
            narrow, notes = self._narrow(author), self._store.notes
            found = [
                tag_guard.advice(
                    tag, lambda: notes.names(narrow), lambda name: notes.living(name, narrow)
                )
                for tag in tags
            ]
        return tuple(each for each in found if each is not None)

    # --- inside the transaction

    def _arrive(self, ledger: Ledger, draft: Draft, stems: Indexed) -> tuple[Memory, Arrival]:
        entity = _entity(ledger, draft.entity)
        entity_id = None if entity is None else entity.id
        same = ledger.store.memories.by_content(entity_id, draft.content)
        if same is None:
            fresh = writing.blank(draft, entity, ledger.now, ledger.author.name)
            return writing.add(ledger, fresh, stems, self._ground.review_days()), Arrival.NEW
        if same.status is Status.ARCHIVED:
            edit = Edit(status=Status.ACTIVE)
            return self._edit(ledger, same, edit, Deed.REVIVE), Arrival.REVIVED
        return same, Arrival.THERE

    def _put_away(
        self, ledger: Ledger, ids: Sequence[int], reason: str, successor: int | None
    ) -> tuple[int, ...]:
        found = self._seen(ledger, ids)
        edit = Edit(status=Status.ARCHIVED, archived_reason=reason, superseded_by=successor)
        deed = Deed.ARCHIVE if successor is None else Deed.SUPERSEDE
        for memory in found:
            self._edit(ledger, memory, edit, deed)
        return tuple(m.id for m in found)

    def _seen(self, ledger: Ledger, ids: Sequence[int]) -> list[Memory]:
        return [m for m in ledger.store.memories.several(ids) if shown(m, ledger.author)]

    def _edit(self, ledger: Ledger, before: Memory, edit: Edit, deed: Deed) -> Memory:
        after = values.revised(before, edit, ledger.now, ledger.author.name, anew=True)
        assert after is not None
        if after.status is Status.ARCHIVED and deed is not Deed.REVISE:
            after = replace(after, archived_at=ledger.now, archived_by=ledger.author.name)
        return writing.put(ledger, before, after, self._ground.review_days(), deed)


def _entity(ledger: Ledger, name: str | None) -> Entity | None:
    """The entity of that name, made as a project when nobody created it yet."""
    if name is None:
        return None
    entity = ledger.store.entities.named(name)
    if entity is not None and not entity.ghost:
        return entity
    return weaving.make_entity(ledger, name, crossing.PROJECT, entity)


def _draft(note: NewNote, author: Author) -> tuple[Draft, tuple[str, ...]]:
    """What is to be stored, masked, and the kinds of what was masked."""
    names.text(note.text, "text", names.CONTENT_LIMIT)
    text, found = secrets.mask(note.text)
    tags = names.tags([unicodedata.normalize("NFC", tag) for tag in note.tags])
    # A label and its secret may have come apart into two tags.
    joined, more = secrets.mask(" ".join(tags))
    tags = names.tags(joined.split()) if more else tags
    entity = crossing.memo_entity(tags) or author.entity
    draft = Draft(text, entity, kind=note.kind, tags=tags)
    return values.check_draft(draft), tuple(dict.fromkeys((*found, *more)))


def _missing(ids: Sequence[int], found: Sequence[int]) -> tuple[int, ...]:
    known = set(found)
    return tuple(i for i in ids if i not in known)
