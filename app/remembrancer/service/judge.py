"""The desk for the judge: any OpenAI-compatible server that says how two memories stand.

Nobody is contacted unless an address and a model are set. What is sent are the notes of two
memories and nothing else. A failure is silence for a while, never an error of the caller.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from remembrancer.core import judging
from remembrancer.core.author import Author
from remembrancer.core.judging import JudgeState, Outcome, PairVerdict, Standing, Word
from remembrancer.core.memory import Memory
from remembrancer.core.policy import person_only
from remembrancer.service.judge_endpoint import Failure, Silent
from remembrancer.service.judge_session import Patience, Session, endpoint_of
from remembrancer.service.judge_settings import JudgeSettings, SettingsShelf

PAIRS = 5  # that are asked about in one call
SAMPLE = (
    "Der Server im Keller hat 4 GB Speicher.",
    "Der Server im Keller hat jetzt 8 GB Speicher.",
)

_DEED = "set up the judge"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying the judge with two sentences of ours: a word, or why there is none."""

    word: Word | None = None
    failure: Failure | None = None
    status: int = 0


class JudgeDesk:
    """Asks the judge and remembers for a while that it failed; `monotonic` counts seconds."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._shelf = SettingsShelf()
        self._monotonic = monotonic
        self._patience = Patience(monotonic)

    def settings(self) -> JudgeSettings:
        """How the judge is set up at this moment."""
        return self._shelf.now()

    def state(self) -> JudgeState:
        """Whether the judge can be asked at this moment, and if not, why."""
        settings = self._shelf.now()
        endpoint = endpoint_of(self._shelf, settings)
        left = self._patience.left(endpoint) if endpoint is not None else 0
        if left > 0:
            return JudgeState(Standing.LOCKED, seconds=math.ceil(left))
        return settings.state()

    def pairs(self, memories: Sequence[Memory]) -> list[PairVerdict]:
        """A verdict on every pair, in the order of the memories.

        The first five pairs whose notes differ are asked about in both directions, each question
        within the budget; the others are named as not asked.
        """
        session = self._session()
        notes = [session.note(memory) for memory in memories]
        verdicts: list[PairVerdict] = []
        left = PAIRS
        for (a, first), (b, second) in combinations(zip(memories, notes, strict=True), 2):
            if first == second:
                verdicts.append(PairVerdict(a.id, b.id, Outcome.SAME_NOTE))
            elif left == 0:
                verdicts.append(PairVerdict(a.id, b.id, Outcome.NOT_ASKED))
            else:
                left -= 1
                there, back = session.both_ways(first, second)
                outcome = judging.outcome(there, back)
                verdicts.append(PairVerdict(a.id, b.id, outcome, there, back))
        return verdicts

    def hints(self, new: Memory, old: Sequence[Memory]) -> dict[int, Word]:
        """How `new` stands to each of the older ones, by their ids, as far as the budget goes.

        What was not answered is left out. Never raises.
        """
        try:
            return self._hinted(new, old)
        except Exception as wrong:
            # Its kind alone: what it says might quote a memory or the key.
            _log.warning("The judge could not be asked: %s", type(wrong).__name__)
            return {}

    def trial(self) -> Trial:
        """Ask about two sentences of ours, locked or not; an answer ends the lock."""
        session = self._session()
        try:
            return Trial(session.tried(*SAMPLE))
        except Silent as silent:
            return Trial(failure=silent.failure, status=silent.status)

    def set_address(self, text: str, author: Author) -> None:
        """Set the address, with or without /v1; empty takes it away."""
        person_only(author, _DEED)
        self._shelf.keep_address(text)

    def set_model(self, text: str, author: Author) -> None:
        """Set the model by its id; empty takes it away."""
        person_only(author, _DEED)
        self._shelf.keep_model(text)

    def set_key(self, text: str, author: Author) -> None:
        """Keep a key for the present address, apart from the store; empty forgets it."""
        person_only(author, _DEED)
        self._shelf.keep_key(text)

    def switch(self, on: bool, author: Author) -> None:
        """Switch the judge on or off."""
        person_only(author, _DEED)
        self._shelf.keep_off(not on)

    def _session(self) -> Session:
        return Session(self._shelf, self._shelf.now(), self._patience, self._monotonic)

    def _hinted(self, new: Memory, old: Sequence[Memory]) -> dict[int, Word]:
        session = self._session()
        mine, until = session.note(new), session.budget()
        notes = {memory.id: session.note(memory) for memory in old}
        answers = {
            id_: session.word(theirs, mine, until)
            for id_, theirs in notes.items()
            if theirs != mine
        }
        return {id_: word for id_, word in answers.items() if word is not None}
