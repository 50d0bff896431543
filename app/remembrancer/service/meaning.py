"""The desk for meaning: finds memories that say what a question asks in other words.

It is an extra: without a model installed and switched on, every answer is empty and nothing runs.
Nothing leaves the machine.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from remembrancer.core import models
from remembrancer.core.author import PERSON, Author
from remembrancer.core.errors import BadValue
from remembrancer.core.models import Load
from remembrancer.core.policy import person_only
from remembrancer.service import meaning_settings
from remembrancer.service.desk import Ground
from remembrancer.service.meaning_worker import Worker

T = TypeVar("T")

_DEED = "set up the search by meaning"
_log = logging.getLogger(__name__)


class Standing(StrEnum):
    """How far the search by meaning is."""

    OFF = "off"
    NOT_INSTALLED = "not_installed"
    LOADING = "loading"  # the model, then the vectors that the store has
    MAKING = "making"  # memories have no vector yet; the others are found
    READY = "ready"
    FAILED = "failed"  # the model could not be used; switching it on tries again


@dataclass(frozen=True, slots=True)
class MeaningState:
    """Where it stands: with which model, and how many memories of how many have a vector."""

    standing: Standing
    model: str = ""
    done: int = 0
    total: int = 0

    @property
    def takes_part(self) -> bool:
        """Whether questions are answered by meaning, of all memories or of some."""
        return self.standing in (Standing.MAKING, Standing.READY)

    @property
    def share(self) -> float:
        """The share of the memories that can be found by meaning, from 0 to 1."""
        if not self.takes_part:
            return 0.0
        return min(self.done / self.total, 1.0) if self.total else 1.0


class MeaningDesk:
    """Asks what memories mean. Where it is switched on, the first use of the desk begins the work.

    Answers never raise, whatever the text; what is not ready is left out of them.
    """

    def __init__(
        self, ground: Ground, installed: Callable[[], dict[str, Load]] = models.installed
    ) -> None:
        self._store = ground.store
        self._installed = installed
        self._loads: dict[str, Load] = {}  # looking for packages takes half a millisecond
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._closed = False
        self._listeners: dict[int, Callable[[int, int], None]] = {}

    def models(self) -> tuple[str, ...]:
        """The names of the models that are installed, the best first."""
        return tuple(self._installed())

    @property
    def state(self) -> MeaningState:
        """Where it stands at this moment; asking costs little."""
        worker = self._working()
        if worker is None:
            on = meaning_settings.now().on and not self._closed
            return MeaningState(Standing.NOT_INSTALLED if on else Standing.OFF)
        making = worker.making
        if making is None:
            standing = Standing.FAILED if worker.failed else Standing.LOADING
            return MeaningState(standing, worker.name)
        standing = Standing.READY if making.idle else Standing.MAKING
        return MeaningState(standing, worker.name, len(making.meanings), making.total)

    @property
    def ready(self) -> bool:
        """Whether questions are answered; `state.share` tells of how many of the memories."""
        return self.state.takes_part

    def switch(self, on: bool, author: Author = PERSON) -> None:
        """Switch it on or off, on this machine. Switched on again it tries a failed model again."""
        person_only(author, _DEED)
        meaning_settings.keep(replace(meaning_settings.now(), on=on))
        self._retire(lambda worker: worker.failed)
        self._working()

    def choose(self, model: str, author: Author = PERSON) -> None:
        """Choose a model by its name; empty is the best that is installed. Vectors are remade."""
        person_only(author, _DEED)
        if model and model not in self._installed():
            raise BadValue(f"The model {model!r} is not installed.")
        meaning_settings.keep(replace(meaning_settings.now(), model=model))
        self._working()

    def start(self) -> None:
        """Begin, if it is switched on, without waiting for the first question."""
        self._working()

    def nearest(
        self, query: str, most: int, ids: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """At most `most` memories with their cosines to a question, the nearest first.

        A cosine is that of what sets both apart from the other memories: unlike ones are about 0.
        Among `ids`, else of every entity and state but the deleted. Empty while it is not ready.
        """
        if most < 1:
            return []
        return self._answer(lambda worker: worker.nearest(query, most, ids), [])

    def of(self, query: str, ids: Iterable[int]) -> dict[int, float]:
        """The exact cosines of these memories to a question, as far as they have a vector."""
        return self._answer(lambda worker: worker.of(query, ids), {})

    def spread(self, query: str) -> tuple[float, float]:
        """Mean and standard deviation of the cosines that memories have to a question."""
        return self._answer(lambda worker: worker.spread(query), (0.0, 1.0))

    def listen(self, listener: Callable[[int, int], None]) -> Callable[[], None]:
        """Tell `listener` (done, total), on the thread that works; what is returned ends that."""
        with self._lock:
            number = max(self._listeners, default=0) + 1
            self._listeners[number] = listener
        return lambda: self._stop(number)

    def wake(self) -> None:
        """Look for new memories at once rather than in half a second; made for the doorbell."""
        worker = self._worker
        if worker is not None:
            worker.wake()

    def settle(self, seconds: float) -> bool:
        """Wait until all that was written so far has its vector; whether that came to be."""
        worker = self._working()
        return worker is not None and worker.settle(seconds)

    def close(self) -> None:
        """End the work. The store must not be closed before this returned: the work reads it."""
        self._closed = True
        self._retire(lambda _: True)

    def _answer(self, question: Callable[[Worker], T], nothing: T) -> T:
        try:
            worker = self._working()
            return nothing if worker is None else question(worker)
        except Exception as wrong:
            # Its kind alone: what it says might quote the question.
            _log.warning("A question was not answered by meaning: %s", type(wrong).__name__)
            return nothing

    def _working(self) -> Worker | None:
        """Who works as the settings want it at this moment; None where nobody is to."""
        settings = meaning_settings.now()
        wanted = settings.on and not self._closed
        self._loads = self._loads or (self._installed() if wanted else {})
        loads = self._loads if wanted else {}
        name = settings.model if settings.model in loads else next(iter(loads), None)
        worker = self._worker
        if worker is not None and worker.name == name:
            return worker
        self._retire(lambda worker: worker.name != name)
        return None if name is None else self._hired(name, loads[name])

    def _hired(self, name: str, load: Load) -> Worker | None:
        with self._lock:
            if self._worker is None and not self._closed:
                self._worker = Worker(self._store, name, load, self._tell)
            return self._worker

    def _retire(self, wanted: Callable[[Worker], bool]) -> None:
        with self._lock:
            worker = self._worker
            if worker is None or not wanted(worker):
                return
            self._worker = None
        # Outside the lock: a listener that is called meanwhile may ask this desk.
        worker.end()

    def _tell(self, done: int, total: int) -> None:
        for listener in list(self._listeners.values()):
            try:
                listener(done, total)
            except Exception:
                _log.exception("A listener to the making of vectors failed")

    def _stop(self, number: int) -> None:
        with self._lock:
            self._listeners.pop(number, None)
