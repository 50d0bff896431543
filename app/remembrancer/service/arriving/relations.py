"""The relations of a load, and the ghosts of names that only relations mention."""

from __future__ import annotations

from bisect import bisect_left

from remembrancer.core.entity import Entity, Relation
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.travel import RelationRecord
from remembrancer.service.arriving.site import Site, quoted, snapshot


class RelationsArriving:
    """Writes the relations of a load whose entities are there."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._living = [r for r in site.load.relations if r.deleted_at is None]
        self._before = frozenset(site.entities) - site.made
        self._next = site.whole.next_relation()
        self._seen: set[tuple[str, str, str]] = set()
        self._links: dict[int, set[tuple[int, str]]] = {}

    def run(self) -> None:
        """Write what is new."""
        self._make_ghosts()
        made = [self._relation(record) for record in self._living if self._new(record)]
        self._site.whole.put_relations((relation, None) for relation in made)
        for relation in made:
            self._site.ledger.line(
                Deed.RELATE, Subject.RELATION, relation.id, snapshot(relation),
                entity_id=relation.source_id,
            )  # fmt: skip
        self._site.counts.relations = len(made)

    def _new(self, record: RelationRecord) -> bool:
        triple = (record.source, record.target, record.type)
        if triple in self._seen:
            self._site.load.note(record.line, "The relation stands in the file before; kept once.")
            return False
        self._seen.add(triple)
        if not {record.source, record.target} <= self._before:
            return True
        source, target = self._ends(record)
        if source.id not in self._links:
            self._links[source.id] = self._site.whole.links(source.id)
        known = (target.id, record.type) in self._links[source.id]
        self._site.counts.known += known
        return not known

    def _relation(self, record: RelationRecord) -> Relation:
        source, target = self._ends(record)
        at = record.created_at or self._site.now
        self._next += 1
        return Relation(
            self._next - 1, source.id, target.id, source.name, target.name, record.type, at
        )

    def _ends(self, record: RelationRecord) -> tuple[Entity, Entity]:
        return self._site.entities[record.source], self._site.entities[record.target]

    def _make_ghosts(self) -> None:
        names = sorted(self._site.entities)
        made: list[Entity] = []
        for record in self._living:
            for name in (record.source, record.target):
                if name not in self._site.entities:
                    now = self._site.now
                    made.append(self._site.found(name, "", now, now, ghost=True))
                    self._site.load.note(record.line, _dangling(name, names))
        self._site.whole.put_entities((ghost, None) for ghost in made)
        self._site.counts.ghosts = len(made)


def _dangling(name: str, names: list[str]) -> str:
    """What is said of a name that nobody defines; a single longer name may be what was meant."""
    sentence = f"Nobody defines {quoted(name)}, which a relation names; it was kept as a ghost."
    start = bisect_left(names, name)
    longer = [n for n in names[start : start + 2] if n.startswith(name)]
    if len(longer) != 1:
        return sentence
    return f"{sentence[:-1]}. Perhaps {quoted(longer[0])} is meant."
