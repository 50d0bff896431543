"""What becomes of two things that are one: which memories move, collapse or collide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from remembrancer.core.memory import Memory, Status
from remembrancer.core.unlike import digits


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two memories that meet in a merge: the one of the entity that stays, and the other's."""

    ours: Memory
    theirs: Memory

    @property
    def stays(self) -> Memory:
        """Of two that say the same the one that stays: ours, unless only theirs is active."""
        active = Status.ACTIVE
        return self.theirs if self.ours.status is not active is self.theirs.status else self.ours

    @property
    def goes(self) -> Memory:
        """The other one."""
        return self.ours if self.stays is self.theirs else self.theirs


@dataclass(frozen=True, slots=True)
class Plan:
    """The memories of an entity that is merged: those that move, say the same, or share a key."""

    moved: tuple[Memory, ...]
    same: tuple[Meeting, ...]
    collisions: tuple[Meeting, ...]


def plan(ours: Iterable[Memory], theirs: Sequence[Memory]) -> Plan:
    """What becomes of `theirs` beside `ours`, the memories that are not deleted of two entities.

    What says the same as one of ours collapses into it. What only shares its key collides.
    """
    held = list(ours)
    contents = {memory.content: memory for memory in held}
    keys = {memory.key: memory for memory in held if memory.key is not None}
    moved, same, collisions = list[Memory](), list[Meeting](), list[Meeting]()
    for memory in theirs:
        if memory.content in contents:
            same.append(Meeting(contents[memory.content], memory))
        elif memory.key is not None and memory.key in keys:
            collisions.append(Meeting(keys[memory.key], memory))
        else:
            moved.append(memory)
    return Plan(tuple(moved), tuple(same), tuple(collisions))


def united(*tags: Sequence[str]) -> tuple[str, ...]:
    """The tags of several memories, each once, in their order."""
    return tuple(dict.fromkeys(tag for each in tags for tag in each))


def digits_differ(texts: Sequence[str]) -> bool:
    """Whether any two of these texts or names hold other numbers, so hardly mean the same."""
    return len({tuple(digits(text)) for text in texts}) > 1
