"""The desk for the graph: entities, observations, relations; reading, searching, drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, Unpack

from remembrancer.core import names
from remembrancer.core import secrets as credentials
from remembrancer.core.entity import Entity, Relation
from remembrancer.service import burial, weaving
from remembrancer.service.desk import Doing
from remembrancer.service.graph_reading import GraphReading, Node
from remembrancer.service.one_path import Ledger, Secrets, masked, screen
from remembrancer.service.weaving import identity

T = TypeVar("T")
Told = Callable[[int], None]


def nobody(_done: int) -> None:
    """Who does not want to hear how far a deed is."""


@dataclass(frozen=True, slots=True)
class NewEntity:
    """An entity to be created, with its first observations."""

    name: str
    type: str
    observations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation by names."""

    source: str
    target: str
    type: str


class GraphDesk(GraphReading):
    """Creates, links, deletes and reads what memories are about."""

    def create(
        self, wanted: Sequence[NewEntity], *, secrets: Secrets = Secrets.REFUSE,
        told: Told = nobody, **doing: Unpack[Doing],
    ) -> list[Entity]:  # fmt: skip
        """Create the entities that are not there yet, with their observations; returns those.

        An existing name is passed over whole; a ghost of that name becomes the entity. `told`, here
        and below, hears in the thread that writes how many are done.
        """
        made = self.create_nodes(wanted, secrets=secrets, told=told, **doing)
        return [node.entity for node in made]

    def create_nodes(
        self, wanted: Sequence[NewEntity], *, secrets: Secrets = Secrets.REFUSE,
        told: Told = nobody, **doing: Unpack[Doing],
    ) -> list[Node]:  # fmt: skip
        """The same, returned with the observations as they were kept."""
        secrets = _needed(secrets, (t for w in wanted for t in (w.name, w.type, *w.observations)))
        checked = [_checked(w, secrets) for w in wanted]

        def work(ledger: Ledger) -> list[Node]:
            created = [self._create(ledger, w) for w in _telling(checked, told)]
            return [node for node in created if node is not None]

        return self._ground.path.walk(work, entities=[w.name for w in checked], **doing)

    def relate(
        self, wanted: Sequence[Triple], *, secrets: Secrets = Secrets.REFUSE,
        ghosts: bool = False, strict: bool = False, told: Told = nobody, **doing: Unpack[Doing],
    ) -> list[Relation]:  # fmt: skip
        """Link entities; returns the relations that are new. Repeated ones are passed over.

        A missing end: passed over, or with `ghosts` made as a ghost, or with `strict` NotFound.
        """
        secrets = _needed(secrets, (t for w in wanted for t in (w.source, w.target, w.type)))
        checked = [_checked_triple(w, secrets, ghosts) for w in wanted]

        def work(ledger: Ledger) -> list[Relation]:
            made = [self._relate(ledger, w, ghosts, strict) for w in _telling(checked, told)]
            return [r for r in made if r is not None]

        ends = [n for w in checked for n in (w.source, w.target)]
        return self._ground.path.walk(work, entities=ends, **doing)

    def observe(
        self, wanted: Sequence[tuple[str, Sequence[str]]], *, secrets: Secrets = Secrets.REFUSE,
        strict: bool = False, revive: bool = False, told: Told = nobody, **doing: Unpack[Doing],
    ) -> list[tuple[str, list[str]]]:  # fmt: skip
        """Add observations to entities: (name, those that were new) for each that is there.

        An unknown entity is passed over, or with `strict` NotFound. A text that a hidden memory
        holds is no new one, or with `revive` is shown again and counts.
        """
        secrets = _needed(secrets, (t for name, texts in wanted for t in (name, *texts)))
        checked = [(identity(masked(n, secrets)), _contents(texts, secrets)) for n, texts in wanted]

        def work(ledger: Ledger) -> list[tuple[str, list[str]]]:
            days = self._ground.review_days()
            found: list[tuple[str, list[str]]] = []
            for name, contents in _telling(checked, told):
                entity = weaving.there(ledger, name, strict)
                if entity is not None:
                    added = weaving.observe(ledger, entity, contents, days, revive=revive)
                    found.append((name, added))
            return found

        return self._ground.path.walk(work, entities=[n for n, _ in checked], **doing)

    def delete(self, wanted: Sequence[str], **doing: Unpack[Doing]) -> list[str]:
        """Make tombstones of entities with their memories and relations; returns their names."""
        checked = list(dict.fromkeys(identity(n) for n in wanted))

        def work(ledger: Ledger) -> list[str]:
            found = [ledger.store.entities.named(n) for n in checked]
            gone = [e for e in found if e is not None and not e.ghost]
            for entity in gone:
                burial.bury_entity(ledger, entity, self._ground.review_days())
            return [e.name for e in gone]

        return self._ground.path.walk(work, entities=checked, **doing)

    def forget(
        self, wanted: Sequence[tuple[str, Sequence[str]]], *, shown: bool = False,
        **doing: Unpack[Doing],
    ) -> list[tuple[str, int]]:  # fmt: skip
        """Make tombstones of observations by their exact text: (name, how many) where known.

        With `shown` what is archived or expired is not there.
        """
        checked = [(identity(n), tuple(dict.fromkeys(texts))) for n, texts in wanted]

        def work(ledger: Ledger) -> list[tuple[str, int]]:
            days = self._ground.review_days()
            found: list[tuple[str, int]] = []
            for name, contents in checked:
                entity = weaving.there(ledger, name, strict=False)
                if entity is not None:
                    gone = weaving.forget(ledger, entity, contents, days, shown=shown)
                    found.append((name, gone))
            return found

        return self._ground.path.walk(work, entities=[n for n, _ in checked], **doing)

    def unrelate(self, wanted: Sequence[Triple], **doing: Unpack[Doing]) -> list[Relation]:
        """Make tombstones of relations; returns those that were there."""
        checked = [Triple(identity(w.source), identity(w.target), w.type) for w in wanted]

        def work(ledger: Ledger) -> list[Relation]:
            found = [self._triple(ledger, w) for w in dict.fromkeys(checked)]
            gone = [r for r in found if r is not None]
            for relation in gone:
                burial.bury_relation(ledger, relation)
            return gone

        ends = [n for w in checked for n in (w.source, w.target)]
        return self._ground.path.walk(work, entities=ends, **doing)

    def change(
        self, name: str, *, new_name: str | None = None, new_type: str | None = None,
        **doing: Unpack[Doing],
    ) -> Entity:  # fmt: skip
        """Rename an entity or give it another type."""
        screen([t for t in (new_name, new_type) if t is not None], Secrets.REFUSE)
        new_name = None if new_name is None else names.entity_name(new_name)
        if new_type is not None:
            names.text(new_type, "type of the entity", names.TYPE_LIMIT, empty=True)

        def work(ledger: Ledger) -> Entity:
            entity = self.named(name)
            type_ = entity.type if new_type is None else new_type
            return weaving.change_entity(ledger, entity, new_name or entity.name, type_)

        touched = [identity(name), new_name or identity(name)]
        return self._ground.path.walk(work, entities=touched, **doing)

    # --- inside the transaction

    def _create(self, ledger: Ledger, wanted: NewEntity) -> Node | None:
        known = ledger.store.entities.named(wanted.name)
        if known is not None and not known.ghost:
            return None
        entity = weaving.make_entity(ledger, wanted.name, wanted.type, known)
        days = self._ground.review_days()
        for content in wanted.observations:
            weaving.add(ledger, entity, content, days)
        return Node(entity, wanted.observations)

    def _relate(
        self, ledger: Ledger, wanted: Triple, ghosts: bool, strict: bool
    ) -> Relation | None:
        ends = [weaving.end_of(ledger, n, ghosts, strict) for n in (wanted.source, wanted.target)]
        if ends[0] is None or ends[1] is None:
            return None
        return weaving.make_relation(ledger, ends[0], ends[1], wanted.type)

    def _triple(self, ledger: Ledger, wanted: Triple) -> Relation | None:
        source = ledger.store.entities.named(wanted.source)
        target = ledger.store.entities.named(wanted.target)
        if source is None or target is None:
            return None
        return ledger.store.relations.triple(source.id, target.id, wanted.type)


_APART = "\n" * 5  # more line ends than any credential holds in a row


def _needed(policy: Secrets, texts: Iterable[str]) -> Secrets:
    """The policy, or KEEP where nothing is to be masked.

    Looking through all texts of a call at once is many times faster than through each.
    """
    if policy is Secrets.MASK and not credentials.find(_APART.join(texts)):
        return Secrets.KEEP
    return policy


def _checked(wanted: NewEntity, secrets: Secrets) -> NewEntity:
    screen([wanted.name, wanted.type, *wanted.observations], secrets)
    type_ = names.text(wanted.type, "type of the entity", names.TYPE_LIMIT, empty=True)
    return NewEntity(
        names.entity_name(masked(wanted.name, secrets)),
        masked(type_, secrets),
        tuple(_contents(wanted.observations, secrets)),
    )


def _checked_triple(wanted: Triple, secrets: Secrets, ghosts: bool) -> Triple:
    """The triple in its stored form; an end that may become a ghost must be a possible name."""
    screen([wanted.source, wanted.target, wanted.type], secrets)
    type_ = names.text(wanted.type, "type of the relation", names.TYPE_LIMIT, empty=True)
    end = names.entity_name if ghosts else identity
    source, target = (end(masked(n, secrets)) for n in (wanted.source, wanted.target))
    return Triple(source, target, masked(type_, secrets))


def _contents(texts: Sequence[str], secrets: Secrets) -> list[str]:
    screen(texts, secrets)
    checked = [names.text(t, "content", names.CONTENT_LIMIT) for t in texts]
    return list(dict.fromkeys(masked(t, secrets) for t in checked))


def _telling(things: Sequence[T], told: Told) -> Iterator[T]:
    """The same things, and before each how many are done."""
    for done, thing in enumerate(things):
        told(done)
        yield thing
