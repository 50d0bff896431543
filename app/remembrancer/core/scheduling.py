"""When a memory is looked at again: confirming lengthens its interval, correcting shortens it.

Only the person's confirmation counts. An agent may say that a memory is verified: it leaves the
agents' own queue for the interval in force, and is shown as verified by that agent. But the
interval does not grow by it, and the person is asked all the same, unless the person confirmed the
very same words within the interval. An agent can therefore never approve what it wrote itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from remembrancer.core.author import PERSON, Author
from remembrancer.core.clock import DAY
from remembrancer.core.errors import BadValue
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.core.review import due_at

Steps = tuple[int, ...]
STEPS: Steps = (30, 90, 180, 365)
EVERY = "every"  # the key of the steps of kinds that have none of their own
SNOOZES = (1, 7, 30)  # days for which a memory can be put off
LONGEST = 36_500
MOST_STEPS = 12


def check_steps(steps: Steps) -> Steps:
    """The steps as they are kept: days, each longer than the one before. Raises BadValue."""
    rising = all(a < b for a, b in pairwise(steps))
    if not 1 <= len(steps) <= MOST_STEPS or not rising:
        raise BadValue(f"Give 1 to {MOST_STEPS} numbers of days, each larger than the one before.")
    if steps[0] < 1 or steps[-1] > LONGEST:
        raise BadValue("The review interval must be 1 to 36,500 days.")
    return steps


def read_steps(text: str | None) -> dict[str, Steps]:
    """The steps by kind, as the store's settings hold them; what cannot be read is as unset."""
    try:
        kept = json.loads(text or "{}")
        return {str(kind): check_steps(tuple(int(d) for d in days)) for kind, days in kept.items()}
    except (ValueError, TypeError, AttributeError, BadValue):
        return {}


def write_steps(steps: Mapping[str, Steps]) -> str:
    """The same as text."""
    return json.dumps({kind: list(days) for kind, days in steps.items()})


def steps_of(memory: Memory, steps: Mapping[str, Steps]) -> Steps:
    """The steps that hold for a memory: those of its kind, or of every kind."""
    return steps.get(memory.kind) or steps.get(EVERY) or STEPS


def sooner(memory: Memory) -> bool:
    """Whether a memory is asked about twice as often: agents have to follow it."""
    return memory.pinned or memory.kind is Kind.CONSTRAINT


def longer(memory: Memory, steps: Steps, days: int) -> int:
    """Days of the next longer interval; `days` is the interval where the memory has none."""
    now = _whole(memory, days)
    return _share(memory, next((s for s in steps if s > now), max(now, steps[-1])))


def shorter(memory: Memory, steps: Steps, days: int) -> int:
    """Days of the next shorter interval; the first step is the shortest, unless it is less yet."""
    now = _whole(memory, days)
    return _share(memory, next((s for s in reversed(steps) if s < now), min(now, steps[0])))


def confirmed_days(memory: Memory, now: int, steps: Steps, days: int) -> int | None:
    """The interval (days; None: the general one) once the person confirms the memory at `now`.

    The first confirmation keeps the interval in force, or half of it where agents have to follow
    the memory. A later one takes the next step, if at least half of the interval has passed: who
    confirms twice in a row has looked only once.
    """
    if memory.verified_at is None or memory.verified_by != PERSON.name:
        half = memory.review_days is None and sooner(memory)
        return max(days // 2, 1) if half else memory.review_days
    passed = now - memory.verified_at
    if passed * 2 < (memory.review_days or days) * DAY:
        return memory.review_days
    return longer(memory, steps, days)


def paced(before: Memory, after: Memory, author: Author, steps: Steps, days: int) -> Memory:
    """`after` with the interval that this change of `before` gives it.

    An interval that the change itself sets stays. New words shorten the interval: by whomever,
    where the memory has one of its own; where it has none, by the person alone. What the person
    confirmed although it stays due (it is doubted, or its expiry has passed) is put off for its
    interval, so that a decision ends the matter.
    """
    if after.review_days != before.review_days:
        return after
    confirms = author.is_person and after.verified_at not in (None, before.verified_at)
    if after.content != before.content:
        if before.review_days is not None or author.is_person:
            after = replace(after, review_days=shorter(before, steps, days))
    elif confirms and after.verified_at is not None:
        kept = confirmed_days(before, after.verified_at, steps, days)
        after = replace(after, review_days=kept)
    if confirms and after.verified_at is not None and due_at(after, days) <= after.verified_at:
        until = after.verified_at + (after.review_days or days) * DAY
        after = replace(after, postponed_until=until)
    return after


def _whole(memory: Memory, days: int) -> int:
    if memory.review_days is None:
        return days
    return memory.review_days * (2 if sooner(memory) else 1)


def _share(memory: Memory, days: int) -> int:
    return max(days // 2, 1) if sooner(memory) else days
