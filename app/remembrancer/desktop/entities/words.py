"""Entities, scopes and relations in the words of the window."""

from __future__ import annotations

from remembrancer.core.entity import Entity, Relation, Scope
from remembrancer.desktop.look.plain import number, one_line, translate


def scope(value: Scope) -> str:
    """A scope as a badge says it."""
    if value is Scope.GROUP:
        return translate("Entities", "group")
    return translate("Entities", "shared") if value is Scope.SHARED else ""


def type_name(value: str) -> str:
    """A type; an entity may have none."""
    return one_line(value, 60) or translate("Entities", "no type")


def memories(count: int) -> str:
    """A number of memories."""
    if count == 1:
        return translate("Entities", "1 memory")
    return translate("Entities", "{0} memories").format(number(count))


def entities(count: int) -> str:
    """A number of entities."""
    if count == 1:
        return translate("Entities", "1 entity")
    return translate("Entities", "{0} entities").format(number(count))


def quoted(name: str) -> str:
    """A name within a sentence."""
    return f"“{one_line(name, 40)}”"


def spoken(entity: Entity) -> str:
    """An entity as one line for a screen reader."""
    ghost = translate("Entities", "ghost") if entity.ghost else ""
    parts = (
        one_line(entity.name),
        ghost or type_name(entity.type),
        scope(entity.scope),
        "" if entity.ghost else memories(entity.memories),
    )
    return ", ".join(part for part in parts if part)


def relation(value: Relation) -> str:
    """A relation as a sentence."""
    return " ".join(one_line(part, 60) for part in (value.source, value.type, value.target))


def sharing(name: str, count: int, wanted: Scope, members: list[str]) -> str:
    """What a scope would mean, as the sentence that the person agrees to."""
    known = memories(count) if count else translate("Entities", "Memories")
    what = translate("Entities", "{0} of {1}").format(known, quoted(name))
    if wanted is Scope.DEVICE:
        return translate("Entities", "{0} will apply only to itself.").format(what)
    if wanted is Scope.SHARED:
        return translate("Entities", "{0} will apply to everybody.").format(what)
    if not members:
        return translate("Entities", "{0} will apply to a group without members yet.").format(what)
    listed = ", ".join(one_line(m, 40) for m in members[:6])
    if len(members) > 6:
        listed = translate("Entities", "{0} and {1} more").format(listed, number(len(members) - 6))
    return translate("Entities", "{0} will also apply to {1}.").format(what, listed)
