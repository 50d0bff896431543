"""The journal as one Qt signal: what changed since the window last looked, whoever did it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from remembrancer.core.errors import RemembrancerError
from remembrancer.core.journal import JournalLine, Subject
from remembrancer.service.library import Library

POLL = 250  # milliseconds between two looks for what other processes wrote
GATHER = 80  # milliseconds in which rings are taken together
PAGE = 500


@dataclass(frozen=True)
class Changes:
    """What is new: the journal's lines, and whether there were too many to tell them apart."""

    lines: tuple[JournalLine, ...]
    many: bool = False

    def memory_ids(self) -> frozenset[int]:
        """The memories that changed."""
        return frozenset(x.subject_id for x in self.lines if x.subject is Subject.MEMORY)

    def entity_ids(self) -> frozenset[int]:
        """The entities that changed themselves, or whose memories and relations did."""
        own = {x.subject_id for x in self.lines if x.subject is Subject.ENTITY}
        return frozenset(own | {x.entity_id for x in self.lines if x.entity_id is not None})

    def of(self, *subjects: Subject) -> bool:
        """Whether something of these sorts changed."""
        return self.many or any(x.subject in subjects for x in self.lines)


class Feed(QObject):
    """Emits `changed` after every commit, of this process at once, of others within a moment."""

    changed = Signal(object)
    _rang = Signal()

    def __init__(self, library: Library, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._seen = library.journal.head()
        self._version = library.version()
        self._gather = QTimer(self, singleShot=True, interval=GATHER)
        self._gather.timeout.connect(self.look)
        self._poll = QTimer(self, interval=POLL)
        self._poll.timeout.connect(self._listen_to_others)
        self._poll.start()
        self._rang.connect(self._soon, Qt.ConnectionType.QueuedConnection)
        self._stop_listening = library.bell.listen(self._rang.emit)

    def look(self) -> None:
        """Read what is new now and tell it."""
        lines = self._library.journal.after(self._seen, PAGE)
        if not lines:
            return
        many = len(lines) == PAGE
        self._seen = self._library.journal.head() if many else lines[-1].sequence
        self.changed.emit(Changes(tuple(lines), many))

    def close(self) -> None:
        """Stop looking."""
        self._stop_listening()
        self._poll.stop()
        self._gather.stop()

    def _soon(self) -> None:
        if not self._gather.isActive():
            self._gather.start()

    def _listen_to_others(self) -> None:
        try:
            version = self._library.version()
        except RemembrancerError:
            return  # the store is busy or gone for a moment; the next look tells
        if version != self._version:
            self._version = version
            self._soon()
