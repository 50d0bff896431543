"""Gives every memory its vector, step by step, and keeps up with what is written meanwhile.

Vectors are made outside any transaction and written a few at a time. Several processes may do so
for the same store: what another one wrote is taken over instead of made again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from remembrancer.core import models
from remembrancer.core.models import Model
from remembrancer.core.vectors import Meanings
from remembrancer.service.meaning_gate import Gate
from remembrancer.store.store import Store
from remembrancer.store.vectors import Told, Vectors

_BATCH = 16  # memories between two looks at what is new, and of one transaction
_STEP = 4  # memories that a model is given at once, unless they are long
_LONG = 1_000  # characters of them, between two looks at whether to end
_PAGE = 5_000  # memories whose vectors are read together
_LINES = 2_000  # lines of the journal that are read together
_AHEAD = 8  # batches that are left to another process that is met at the same work
_REST = 0.25  # of the time that making took, in which others have the processor


class Making:
    """The work for one store and one model, on one thread. `told` hears (done, total).

    `loaded` says that every vector in the file was read, `idle` that every memory has one.
    """

    def __init__(
        self, store: Store, model: Model, gate: Gate, told: Callable[[int, int], None]
    ) -> None:
        self.meanings = Meanings(model)
        self.loaded = self.idle = False
        self.total = 0
        self._store, self._vectors = store, Vectors(store.connections)
        self._gate, self._told = gate, told
        self._basis = 0  # vectors that the centre of the signs was taken from
        self._doubt: tuple[int, int] | None = None
        self._due: deque[list[int]] = deque()
        self._read_to = self._version = 0

    def step(self) -> bool:
        """Follow what was written and give some memories their vectors; whether all have one."""
        # The centre of a few vectors is not that of many.
        if not self.loaded or self._basis * 4 < min(len(self.meanings), _PAGE):
            self._survey()
        self._follow()
        if self._due:
            self._attend(self._due.popleft())
            return False
        return self.idle or self._finished()

    def _survey(self) -> None:
        """Read every vector in the file, newest first, and note which memories have none."""
        self._read_to = self._gate.ask(self._store.journal.head)
        some = self._gate.ask(lambda: self._vectors.some(self.meanings, _PAGE))
        signs, self._basis = self.meanings.fresh(some), len(some)
        missing: list[int] = []
        for page in self._pages():
            held = {memory_id: data for memory_id, data in page if data is not None}
            missing += [memory_id for memory_id, _ in page if memory_id not in held]
            self.meanings.put(held, signs)
        self.meanings.take_on(signs)
        self._due = deque(_batches(missing))
        self.total = len(self.meanings) + len(missing)
        self.idle, self.loaded = False, True

    def _pages(self) -> Iterable[list[tuple[int, bytes | None]]]:
        below = 1 << 62
        read = self._vectors.below
        while page := self._gate.ask(partial(read, self.meanings, below, _PAGE)):
            yield page
            below = page[-1][0]

    def _follow(self) -> None:
        """Put what the journal says was touched before all that is still due."""
        version = self._gate.ask(self._store.data_version)
        if version == self._version:
            return
        touched = self._touched()
        self._version = version
        if touched:
            self._due.extendleft(reversed(_batches(sorted(touched, reverse=True))))
            self.total = self._gate.ask(self._vectors.living)
            self.idle = False

    def _touched(self) -> set[int]:
        """The memories of all lines of the journal that were not yet read."""
        found: set[int] = set()
        while True:
            read = partial(self._vectors.touched, self._read_to, _LINES)
            last, ids = self._gate.ask(read)
            if last == self._read_to:
                return found
            self._read_to = last
            found.update(ids)

    def _attend(self, ids: list[int]) -> None:
        """Take over the vectors that these memories have, and make the others."""
        held = self._held(ids)
        missing = [memory_id for memory_id in ids if memory_id not in held]
        self.meanings.drop(missing)
        self.meanings.put(held)
        told = self._gate.ask(lambda: self._vectors.told(missing, models.LENGTH))
        if told:
            began = time.monotonic()
            self._make(told)
            self._gate.wait((time.monotonic() - began) * _REST)
        self._told(len(self.meanings), self.total)

    def _make(self, told: Sequence[Told]) -> None:
        made = list(zip(told, self._made(told), strict=True))
        keep = partial(self._vectors.keep, self.meanings, made)
        if self._gate.ask(lambda: self._store.write(keep)) < len(made):
            # Somebody else is at the same work: leave it what comes next, and take it over later.
            self._due.rotate(-_AHEAD)
        self.meanings.put(self._held([t.memory_id for t in told]))

    def _made(self, told: Sequence[Told]) -> list[bytes]:
        data: list[bytes] = []
        for texts in _parts([models.said(t.title, t.content) for t in told]):
            self._gate.pass_by()
            data += self.meanings.made(texts)
        return data

    def _held(self, ids: list[int]) -> dict[int, bytes]:
        return self._gate.ask(lambda: self._vectors.held(self.meanings, ids))

    def _finished(self) -> bool:
        """Say that all is done; where the numbers differ, read everything once more before."""
        self.total = self._gate.ask(self._vectors.living)
        numbers = len(self.meanings), self.total
        if self._basis * 10 < 9 * min(numbers[0], _PAGE):
            self._survey()
            return False
        if numbers[0] != numbers[1] and self._doubt != numbers:
            self._doubt = numbers
            self._survey()
            return False
        self.idle = True
        self._told(*numbers)
        return True


def _batches(ids: Sequence[int]) -> list[list[int]]:
    return [list(ids[start : start + _BATCH]) for start in range(0, len(ids), _BATCH)]


def _parts(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts in their order, as many at once as a model answers for in a moment."""
    part: list[str] = []
    for text in texts:
        if part and (len(part) == _STEP or sum(map(len, part)) + len(text) > _LONG):
            yield part
            part = []
        part.append(text)
    if part:
        yield part
