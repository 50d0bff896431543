"""A thread that loads a model and gives memories their vectors, and what it knows for who asks."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, TypeVar

from remembrancer.core import ranking
from remembrancer.core.errors import StoreProblem
from remembrancer.core.models import Load
from remembrancer.service.meaning_gate import Ended, Gate
from remembrancer.store.store import Store
from remembrancer.store.vectors import Vectors

if TYPE_CHECKING:
    from remembrancer.core.vectors import Floats, Meanings
    from remembrancer.service.meaning_making import Making

T = TypeVar("T")

_PAUSE = 0.5  # seconds between two looks at a store in which all is done
_SAMPLE = 256  # memories that tell how near a question is to any of them
_PATIENCE = 30.0  # seconds until a store that refused is tried again
_log = logging.getLogger(__name__)


class Worker:
    """Works for one store with one model until it is ended; `told` hears (done, total).

    `failed` says that the model could not be used. Heavy libraries are imported by the thread.
    """

    def __init__(
        self, store: Store, name: str, load: Load, told: Callable[[int, int], None]
    ) -> None:
        self.name = name
        self.failed = False
        self._store, self._vectors = store, Vectors(store.connections)
        self._load, self._told = load, told
        self._making: Making | None = None
        self._gate = Gate(store)
        self._news = threading.Event()
        self._settling = threading.Condition()
        self._wanted = self._settled = 0
        self._thread = threading.Thread(target=self._run, name="meaning", daemon=True)
        self._thread.start()

    @property
    def making(self) -> Making | None:
        """The work, once it is so far that questions can be answered."""
        making = self._making
        return making if making is not None and making.loaded and not self.failed else None

    def wake(self) -> None:
        """Look now for what is new in the store."""
        self._news.set()

    def settle(self, seconds: float) -> bool:
        """Wait until all that was written before has its vector; whether that came to be."""
        with self._settling:
            self._wanted += 1
            wanted = self._wanted
            self.wake()
            self._settling.wait_for(lambda: self._settled >= wanted or self._over, seconds)
            return self._settled >= wanted

    def end(self) -> None:
        """Touch the store no more once this returns. The thread ends with the text it is at."""
        self._gate.shut()
        self.wake()
        if self._thread is not threading.current_thread():
            self._thread.join(1)

    # --- answers, on any thread

    def nearest(
        self, text: str, most: int, among: Collection[int] | None
    ) -> list[tuple[int, float]]:
        """The memories with the largest cosines to a question, largest first."""
        meanings, query = self._asked(text)
        if meanings is None or query is None:
            return []
        found = self._cosines(meanings, query, meanings.candidates(query, most, among))
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:most]

    def of(self, text: str, ids: Iterable[int]) -> dict[int, float]:
        """The cosines of these memories, as far as they have a vector, to a question."""
        meanings, query = self._asked(text)
        if meanings is None or query is None:
            return {}
        return self._cosines(meanings, query, ids)

    def spread(self, text: str) -> tuple[float, float]:
        """Mean and standard deviation of the cosines that memories have to a question."""
        meanings, query = self._asked(text)
        if meanings is None or query is None:
            return 0.0, 1.0
        return ranking.spread(self._cosines(meanings, query, meanings.some(_SAMPLE)).values())

    def _asked(self, text: str) -> tuple[Meanings | None, Floats | None]:
        meanings = self.making.meanings if self.making else None
        return meanings, None if meanings is None else meanings.query(text)

    def _cosines(self, meanings: Meanings, query: Floats, ids: Iterable[int]) -> dict[int, float]:
        held = self._vectors.known(meanings, ids)
        return dict(zip(held, meanings.cosines(query, list(held.values())), strict=True))

    # --- the thread

    @property
    def _over(self) -> bool:
        return self.failed or self._gate.is_shut

    def _run(self) -> None:
        try:
            self._work()
        except Ended:
            pass
        except Exception as wrong:
            self.failed = True
            # Its kind alone: what it says might quote a memory.
            _log.warning("The search by meaning gave up: %s", type(wrong).__name__)
        with self._settling:
            self._settling.notify_all()

    def _work(self) -> None:
        from remembrancer.service.meaning_making import Making

        self._making = Making(self._store, self._load(), self._gate, self._told)
        while True:
            self._news.clear()
            wanted = self._wanted
            try:
                if self._making.step():
                    self._rest(wanted)
            except StoreProblem as problem:
                _log.warning("The search by meaning has to wait: %s", type(problem).__name__)
                self._gate.wait(_PATIENCE)

    def _rest(self, settled: int) -> None:
        """All that was written up to a wish for it is done: say so, and wait for news."""
        with self._settling:
            self._settled = settled
            self._settling.notify_all()
        self._news.wait(_PAUSE)
