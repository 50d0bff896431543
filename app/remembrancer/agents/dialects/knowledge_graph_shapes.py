"""How the knowledge graph dialect shows entities and relations, and the sentences of its deeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from unicodedata import normalize

from remembrancer.agents.discretion import discreet
from remembrancer.core import secrets
from remembrancer.service.graph import Triple

if TYPE_CHECKING:
    from remembrancer.core.entity import Relation
    from remembrancer.service.graph_reading import Node

Row: TypeAlias = dict[str, Any]

MASKED = (
    "A text held a credential, which was masked before it was kept. Memory is no place for "
    "passwords, keys and tokens."
)
_SHOWN = 20  # names that a sentence holds


def entity_row(node: Node) -> Row:
    """An entity with its observations."""
    entity = node.entity
    return {
        "name": entity.name,
        "entityType": entity.type,
        "observations": list(node.observations),
    }


def relation_row(relation: Relation) -> Row:
    """A relation by the names of its ends."""
    return {"from": relation.source, "to": relation.target, "relationType": relation.type}


def triples(given: Iterable[Mapping[str, str]]) -> list[Triple]:
    """Relations as a caller names them, each once."""
    named = (Triple(each["from"], each["to"], each["relationType"]) for each in given)
    return list(dict.fromkeys(named))


def masked(given: object, kept: object) -> bool:
    """Whether a text of a call held a credential; looks at those that were not kept as they are."""
    known = set(_texts(kept))
    changed = [t for t in _texts(given) if t not in known and normalize("NFC", t) not in known]
    return any(secrets.find(text) for text in changed)


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(cast("Mapping[str, object]", value).values()))
    elif isinstance(value, (list, tuple)):
        for each in cast("Sequence[object]", value):
            yield from _texts(each)


def skipped(names: Sequence[str]) -> str:
    """What is said of entities that were not created because their names exist."""
    return (
        f"Skipped, because the names exist: {listed(names)}. Their observations were not added; "
        "call add_observations for those that are new."
    )


def entities_deleted(deleted: int, wanted: int, missing: Sequence[str]) -> str:
    """What became of the entities that were to go."""
    if not missing:
        return "Entities deleted successfully"
    return f"Deleted {deleted} of {wanted} entities. Not found: {listed(missing)}"


def observations_deleted(deleted: int, wanted: int, missing: Sequence[str]) -> str:
    """What became of the observations that were to go; `missing` names entities."""
    if deleted == wanted and not missing:
        return "Observations deleted successfully"
    told = f"Deleted {deleted} of {wanted} observations."
    return f"{told} Entities not found: {listed(missing)}" if missing else told


def relations_deleted(deleted: int, wanted: int) -> str:
    """What became of the relations that were to go."""
    if deleted == wanted:
        return "Relations deleted successfully"
    return f"Deleted {deleted} of {wanted} relations. The rest matched nothing."


def listed(names: Sequence[str]) -> str:
    """Names with commas, not endlessly many."""
    told = [discreet(name) for name in names[:_SHOWN]]
    some = ", ".join(name if len(name) <= 200 else name[:200] + "…" for name in told)
    return some if len(names) <= _SHOWN else f"{some} and {len(names) - _SHOWN:,} more"
