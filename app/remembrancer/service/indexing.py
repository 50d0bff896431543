"""The desk for the index: what an earlier analyser indexed is indexed anew, in the background.

The words of a memory are told to the index when it is written. When the analyser learns something,
every memory is gone through once more, a page at a time, beside whatever else is done meanwhile.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from remembrancer.core.analyser import VERSION, Indexed
from remembrancer.core.errors import RemembrancerError
from remembrancer.service.desk import Ground
from remembrancer.service.writing import memory_index_text

PAGE = 200  # memories of one short transaction
_VERSION, _REACHED = "analyser", "analyser_reached"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexState:
    """How far the index is: ids up to `done` of `total`; `current` when nothing is left."""

    done: int
    total: int
    current: bool

    @property
    def percent(self) -> int:
        """The share that is done, in whole percent."""
        return 100 if self.current else self.done * 100 // max(self.total, 1)


class IndexingDesk:
    """Brings the index up to the analyser; may be used from any thread."""

    def __init__(self, ground: Ground) -> None:
        self._store = ground.store
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def state(self) -> IndexState:
        """How far it is; asking costs little."""
        total = self._store.note_index.size()
        if self._is_current():
            return IndexState(total, total, True)
        return IndexState(min(self._reached(), total), total, False)

    def start(self) -> None:
        """Begin in the background, if there is anything to do; it ends with the library."""
        if self._thread is None and not self._stop.is_set() and not self._is_current():
            self._thread = threading.Thread(target=self._quietly, name="indexing", daemon=True)
            self._thread.start()

    def bring_up(self, told: Callable[[int, int], bool] = lambda done, total: True) -> bool:
        """Index anew what needs it; `told` hears of each page and may end it by answering False.

        Returns whether the index is current. What was done is kept: the next call goes on there.
        """
        while not self._is_current():
            if self._stop.is_set() or not told(self._reached(), self._store.note_index.size()):
                return False
            self._page()
        return True

    def close(self) -> None:
        """End the work in the background; it goes on when the store is opened again."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _quietly(self) -> None:
        try:
            self.bring_up()
        except RemembrancerError:
            # The next opening tries again; until then the words of before find the memories.
            _log.exception("The index could not be brought up to date")

    def _is_current(self) -> bool:
        return self._store.extras.setting(_VERSION) == str(VERSION)

    def _reached(self) -> int:
        version, _, reached = (self._store.extras.setting(_REACHED) or "").partition(":")
        return int(reached) if version == str(VERSION) else 0

    def _page(self) -> None:
        """Index the next memories anew. The words are looked at before the transaction begins."""
        after = self._reached()
        with self._store.reading():
            ids = self._store.index_texts.ids_after(after, PAGE)
            found = self._store.memories.several(ids)
        texts = [(memory.id, memory.revision, memory_index_text(memory)) for memory in found]
        self._store.write(lambda: self._put(after, ids[-1] if ids else None, texts))

    def _put(self, after: int, last: int | None, texts: list[tuple[int, int, Indexed]]) -> None:
        if self._reached() != after:
            return  # another process was here first
        if last is None:
            self._store.extras.set_setting(_VERSION, str(VERSION))
            return
        # Who changed a memory meanwhile has indexed it himself.
        revisions = self._store.index_texts.revisions([memory_id for memory_id, _, _ in texts])
        fresh = [(i, text) for i, revision, text in texts if revisions.get(i) == revision]
        self._store.index_texts.set(fresh)
        self._store.extras.set_setting(_REACHED, f"{VERSION}:{last}")
