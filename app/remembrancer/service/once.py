"""One effect a key: a call that is sent again under the same key changes nothing more.

The transaction of a deed notes the key together with what the deed gave. So a caller that does not
know whether its call went through, because the answer was lost or the commit was reported as
failed, sends it again and gets what the first one gave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from remembrancer.core import keeping, secrets
from remembrancer.core.clock import DAY
from remembrancer.core.errors import BadValue, Refused
from remembrancer.store.once import Done
from remembrancer.store.store import Store

T = TypeVar("T")

KEPT = 7 * DAY  # how long a key is known
LONGEST_KEY = 200  # characters


class DoneAlready(Refused):
    """The call was carried out before, and what it gave is no longer kept."""


@dataclass
class Occasion:
    """One call with a key: `call` is the digest of all it asks; `walks` counts its deeds so far.

    `repeated` becomes true when a deed of it turns out to have been done before.
    """

    agent_id: int
    key: str
    call: bytes
    walks: int = 0
    repeated: bool = False

    def step(self) -> Step:
        """The next deed of the call, under a key of its own."""
        self.walks += 1
        return Step(self, self.key if self.walks == 1 else f"{self.key}#{self.walks}")


@dataclass(frozen=True)
class Step:
    """One deed of a call with a key."""

    occasion: Occasion
    key: str

    @property
    def mark(self) -> str:
        """What the deed's first line in the journal is marked with."""
        return f"{self.occasion.agent_id}:{self.key}"

    def run(self, store: Store, now: int, work: Callable[[], T]) -> T:
        """Inside the writer's transaction: what the deed gave before, or what it gives now."""
        done = store.once.done(self.occasion.agent_id, self.key)
        if done is not None:
            return self._again(done)
        result = work()
        store.once.forget(now - KEPT)
        kept = Done(self.occasion.call, keeping.line(result))
        store.once.keep(self.occasion.agent_id, self.key, kept, now)
        return result

    def _again(self, done: Done) -> T:  # pyright: ignore[reportInvalidTypeVarUse]
        if done.call != self.occasion.call:
            raise Refused(
                "This idempotency key was used for another call; choose a new one for each call.",
                code="key_reused",
            )
        self.occasion.repeated = True
        if done.outcome is None:
            raise DoneAlready(
                "This call was carried out before; nothing was done again.", code="done_already"
            )
        return keeping.value(done.outcome)


def kept(key: str) -> str:
    """How a key stands in the file: as it is or, should it hold a credential, as its digest."""
    if not secrets.find(key):
        return key
    return hashlib.blake2b(key.encode(), digest_size=20).hexdigest()


_here: ContextVar[Occasion | None] = ContextVar("occasion", default=None)


@contextmanager
def once(agent_id: int | None, key: str, call: bytes) -> Generator[Occasion]:
    """Let what is done within this context, in this thread, have its effect once a key.

    `agent_id` is None for the person. Raises BadValue for what is no key.
    """
    if not 0 < len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise BadValue(
            f"An idempotency key has 1 to {LONGEST_KEY} characters of printable ASCII.", code="key"
        )
    occasion = Occasion(agent_id or 0, kept(key), call)
    token = _here.set(occasion)
    try:
        yield occasion
    finally:
        _here.reset(token)


def this_step() -> Step | None:
    """The step of the call that this thread is carrying out, if it came with a key."""
    occasion = _here.get()
    return None if occasion is None else occasion.step()
