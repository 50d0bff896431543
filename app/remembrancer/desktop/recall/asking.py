"""Asks the library while the person types: one question at a time, and only the newest counts."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from remembrancer.core.errors import RemembrancerError
from remembrancer.core.explaining import Whole
from remembrancer.core.recall import Question
from remembrancer.desktop.background import Background
from remembrancer.desktop.fields import DEBOUNCE
from remembrancer.service.library import Library
from remembrancer.service.meaning import MeaningState, Standing


class Asking(QObject):
    """`answered` tells (question, Whole), `failed` (question, error); never of a stale one.

    `meaning` is how far the search by meaning was when the last answer was asked for.
    """

    answered = Signal(object, object)
    failed = Signal(object, object)

    def __init__(self, library: Library, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._library, self._background = library, background
        self._newest: Question | None = None
        self._under_way = False
        self.meaning = MeaningState(Standing.OFF)
        self._rest = QTimer(self, singleShot=True, interval=DEBOUNCE)
        self._rest.timeout.connect(self._go)

    def ask(self, question: Question, *, at_once: bool = False) -> None:
        """Ask this instead of whatever was asked before."""
        self._newest = question
        self._rest.start(0 if at_once else DEBOUNCE)

    @property
    def waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._under_way or self._rest.isActive()

    def _go(self) -> None:
        question = self._newest
        if question is None or self._under_way:
            return  # the answer under way asks again when it is stale
        self._under_way = True
        self._background.run(
            lambda: self._answer(question),
            lambda answer: self._arrived(question, answer),
            lambda error: self._arrived(question, error),
            owner=self,
        )

    def _answer(self, question: Question) -> tuple[MeaningState, Whole]:
        # Looked at before: meaning that is ready a moment later took no part.
        return self._library.meaning.state, whole(self._library, question)

    def _arrived(
        self, question: Question, result: tuple[MeaningState, Whole] | RemembrancerError
    ) -> None:
        self._under_way = False
        if question is not self._newest:
            if not self._rest.isActive():
                self._go()
        elif isinstance(result, RemembrancerError):
            self.failed.emit(question, result)
        else:
            self.meaning, found = result
            self.answered.emit(question, found)


def whole(library: Library, question: Question) -> Whole:
    """What an agent gets to the letter, and what was found beyond all that was tried for it."""
    answer = library.recall.ask(question)
    if not answer.left:
        return Whole(answer)
    tried = {hit.memory.id for hit in (*answer.items, *answer.left)}
    found = library.recall.ask(replace(question, thorough=True))
    every = (*found.items, *found.left)
    return Whole(answer, tuple(hit for hit in every if hit.memory.id not in tried))
