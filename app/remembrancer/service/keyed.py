"""The desk for memories by scope and name: write, put away, bring back, look up, search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Unpack

from remembrancer.core import crossing, kinds, names, redaction
from remembrancer.core import memory as values
from remembrancer.core.entity import Entity
from remembrancer.core.errors import Conflict, StoreProblem
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.keyed import Entry, Place, Written, clipped
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.service import weaving, writing
from remembrancer.service.desk import Doing
from remembrancer.service.keyed_reading import KeyedReading
from remembrancer.service.one_path import Ledger, Secrets, masked, screen

SOURCE = "memcore"  # of what is written here first
REASON_LIMIT = 2_000

ARCHIVED, STALE = "entry_archived", "stale_version"  # the codes of refusals that are kept on record


class KeyedDesk(KeyedReading):
    """Every verb names a scope and, in it, an entry; one without a key has the name `m-<id>`."""

    def write(
        self, entry: Entry, *, expected_at: int | None = None,
        secrets: Secrets = Secrets.REFUSE, **doing: Unpack[Doing],
    ) -> Written:  # fmt: skip
        """Write an entry: a new memory, or a new revision of the one that has its name.

        An update changes type, description and content and leaves all else; the same again is a
        revision too. `expected_at` is the updated_at (microseconds) that the caller saw, which
        counts for nothing where there is no such entry. An unknown entity is created. Raises
        Conflict with the code `entry_archived` or `stale_version`, which leaves a line of its own
        in the journal, and `content_elsewhere`.
        """
        draft, codes = _draft(entry, secrets)

        def work(ledger: Ledger) -> Written:
            entity = _entity(ledger, draft.entity)
            known = self._there(entity, draft)
            if known is not None:
                _refuse(known, expected_at)
                _tell(ledger, codes)
                return Written(self._rewrite(ledger, known, draft, entry.type), codes)
            entity = entity or _created(ledger, draft.entity)
            _tell(ledger, codes)
            fresh = writing.blank(draft, entity, ledger.now, ledger.author.name)
            text = writing.memory_index_text(fresh)
            return Written(writing.add(ledger, fresh, text, self._ground.review_days()), codes)

        try:
            return self._ground.path.walk(work, entities=[draft.entity], **doing)
        except Conflict as conflict:
            self._keep_attempt(conflict, draft.entity, doing)
            raise

    def archive(
        self, place: Place, name: str, reason: str, *, secrets: Secrets = Secrets.REFUSE,
        **doing: Unpack[Doing],
    ) -> Written | None:  # fmt: skip
        """Hide an entry from normal reads; None when there is none. Once hidden, no deed."""

        def edit(why: str) -> Edit:
            return Edit(status=Status.ARCHIVED, archived_reason=why)

        return self._turn(place, name, reason, secrets, edit, Deed.ARCHIVE, doing)

    def restore(
        self, place: Place, name: str, reason: str, *, secrets: Secrets = Secrets.REFUSE,
        **doing: Unpack[Doing],
    ) -> Written | None:  # fmt: skip
        """Bring an archived entry back; None when there is none. One in view stays, no deed."""

        def edit(_why: str) -> Edit:
            return Edit(status=Status.ACTIVE)

        return self._turn(place, name, reason, secrets, edit, Deed.REVIVE, doing)

    # --- inside the transaction

    def _there(self, entity: Entity | None, draft: Draft) -> Memory | None:
        if entity is None and draft.entity is not None:
            return None
        return self._named(entity.id if entity else None, draft.key or "")

    def _rewrite(self, ledger: Ledger, known: Memory, draft: Draft, type_: str) -> Memory:
        edit = Edit(content=draft.content, title=draft.title)
        if kinds.word(known.kind, kinds.MEMCORE) != type_:  # one only shown by that word stays
            edit["kind"] = draft.kind
        return self._put(ledger, known, edit, Deed.REVISE)

    def _put(self, ledger: Ledger, known: Memory, edit: Edit, deed: Deed) -> Memory:
        after = values.revised(known, edit, ledger.now, ledger.author.name, anew=True)
        return writing.put(ledger, known, after or known, self._ground.review_days(), deed)

    def _turn(
        self, place: Place, name: str, reason: str, secrets: Secrets,
        edit: Callable[[str], Edit], deed: Deed, doing: Doing,
    ) -> Written | None:  # fmt: skip
        """Give an entry another status, unless it has it already."""
        why = names.text(reason, "reason", REASON_LIMIT)
        (why, name), codes = _screened([why, name], secrets)
        place = _screened_place(place, secrets)

        def work(ledger: Ledger) -> Written | None:
            known = self._known(place, name)
            if known is None or known.status is edit(why).get("status"):
                return known and Written(known, codes)
            return Written(self._put(ledger, known, edit(why), deed), codes)

        return self._ground.path.walk(work, entities=[place.entity], reason=why, **doing)

    def _keep_attempt(self, conflict: Conflict, entity: str | None, doing: Doing) -> None:
        """Let the journal tell of a refused change; the refusal stands, whatever comes of that."""
        if conflict.code not in (ARCHIVED, STALE):
            return
        memory_id = conflict.facts.get("id")

        def work(ledger: Ledger) -> None:
            memory = self._store.memories.get(memory_id) if isinstance(memory_id, int) else None
            if memory is not None:
                ledger.line(
                    Deed.ATTEMPT, Subject.MEMORY, memory.id, None, entity_id=memory.entity_id,
                    revision=memory.revision, outcome="conflict",
                )  # fmt: skip

        with suppress(StoreProblem):
            self._ground.path.walk(work, entities=[entity], reason=conflict.code, **doing)


def _draft(entry: Entry, secrets: Secrets) -> tuple[Draft, tuple[str, ...]]:
    """The entry as a draft in its stored form, and the codes of what was masked in it."""
    place = entry.place.entity
    texts = [entry.content, entry.description, entry.name, place or ""]
    (content, description, name, entity), codes = _screened(texts, secrets)
    draft = Draft(
        content,
        None if place is None else entity,
        key=name,
        title=clipped(description),  # a marker may be longer than what it stands for
        kind=kinds.kind(entry.type, kinds.MEMCORE),
        source=SOURCE,
    )
    return values.check_draft(draft), codes


def _screened(texts: Sequence[str], secrets: Secrets) -> tuple[list[str], tuple[str, ...]]:
    """The texts as they may be stored, and the codes of what was masked in them."""
    screen(texts, secrets)
    if secrets is not Secrets.REDACT:
        return [masked(text, secrets) for text in texts], ()
    redacted = [redaction.redact(text) for text in texts]
    codes = dict.fromkeys(code for _, found in redacted for code in found)
    return [text for text, _ in redacted], tuple(codes)


def _screened_place(place: Place, secrets: Secrets) -> Place:
    if place.entity is None:
        return place
    (entity,), _ = _screened([place.entity], secrets)
    return Place(entity)


def _entity(ledger: Ledger, name: str | None) -> Entity | None:
    """The created entity of that name."""
    return None if name is None else weaving.there(ledger, name, strict=False)


def _created(ledger: Ledger, name: str | None) -> Entity | None:
    """A new entity, as what memcore creates when it mentions one first."""
    if name is None:
        return None
    return weaving.make_entity(ledger, name, crossing.PROJECT, ledger.store.entities.named(name))


def _refuse(known: Memory, expected_at: int | None) -> None:
    """Raise Conflict for what may not be updated as it stands."""
    if known.status is Status.ARCHIVED:
        raise Conflict("The entry is archived; restore it first.", code=ARCHIVED, id=known.id)
    if expected_at is not None and known.updated_at != expected_at:
        raise Conflict("The entry changed since you read it.", code=STALE, id=known.id)


def _tell(ledger: Ledger, codes: Iterable[str]) -> None:
    """Let the lines to come say what was masked."""
    found = tuple(codes)
    if found:
        ledger.outcome, ledger.reason = "redacted", redaction.told(found)
