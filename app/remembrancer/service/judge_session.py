"""Asking a judge one question after the other: the time there is, and patience after failures."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import TypeVar

from remembrancer.core import judging
from remembrancer.core.judging import Standing, Word
from remembrancer.core.memory import Memory
from remembrancer.service.judge_address import Address
from remembrancer.service.judge_endpoint import Endpoint, Failure, Silent
from remembrancer.service.judge_settings import JudgeSettings, SettingsShelf

T = TypeVar("T")


class Patience:
    """Knows of one server, the last one asked, whether it was probed and until when it is left
    alone; another address, model or key begins afresh. `monotonic` counts seconds."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._endpoint: Endpoint | None = None
        self._probed = False
        self._until = -math.inf

    def left(self, endpoint: Endpoint) -> float:
        """Seconds for which the server is not asked; 0 or less when it may be."""
        with self._lock:
            return self._until - self._monotonic() if endpoint == self._endpoint else 0.0

    def probed(self, endpoint: Endpoint) -> bool:
        """Whether it has offered its model and not failed since."""
        with self._lock:
            return self._probed and endpoint == self._endpoint

    def answered(self, endpoint: Endpoint) -> None:
        """It answered: from now on it may be asked without a probe."""
        with self._lock:
            self._endpoint, self._probed, self._until = endpoint, True, -math.inf

    def failed(self, endpoint: Endpoint, seconds: float) -> None:
        """It failed: leave it alone for so long, then probe it anew."""
        with self._lock:
            self._endpoint, self._probed = endpoint, False
            self._until = self._monotonic() + seconds


class Session:
    """The questions of one call, under the settings as they were when it began."""

    def __init__(
        self,
        shelf: SettingsShelf,
        settings: JudgeSettings,
        patience: Patience,
        monotonic: Callable[[], float],
    ) -> None:
        self.endpoint = endpoint_of(shelf, settings)
        self._bounds = settings.bounds
        self._patience = patience
        self._monotonic = monotonic

    def note(self, memory: Memory) -> str:
        """What the judge sees of a memory."""
        return judging.note(memory, int(self._bounds.zeichen))

    def budget(self) -> float:
        """The moment until which a budget that begins now reaches."""
        return self._monotonic() + self._bounds.budget

    def word(self, first: str, second: str, until: float) -> Word | None:
        """How the second note stands to the first; None where there is no answer by `until`."""
        if self.endpoint is None or self._patience.left(self.endpoint) > 0:
            return None
        try:
            return self._asked(self.endpoint, judging.prompt(first, second), until)
        except Silent:
            return None

    def both_ways(self, first: str, second: str) -> tuple[Word | None, Word | None]:
        """How the second stands to the first, and the first to the second; a budget for each."""
        there = self.word(first, second, self.budget())
        return there, self.word(second, first, self.budget())

    def tried(self, first: str, second: str) -> Word | None:
        """The same, probed first and asked whether locked or not; Silent says what is wrong."""
        if self.endpoint is None:
            raise Silent(Failure.UNREACHABLE)
        self._patience.failed(self.endpoint, 0)
        return self._asked(self.endpoint, judging.prompt(first, second), self.budget())

    def _asked(self, endpoint: Endpoint, prompt: str, until: float) -> Word | None:
        bounds = self._bounds
        if bounds.probe and not self._patience.probed(endpoint):
            self._timed(endpoint, endpoint.probe, bounds.probe, until)
            self._patience.answered(endpoint)
        answer = self._timed(
            endpoint, lambda seconds: endpoint.ask(prompt, seconds), bounds.frist, until
        )
        self._patience.answered(endpoint)
        return judging.read(answer)

    def _timed(
        self, endpoint: Endpoint, ask: Callable[[float], T], usual: float, until: float
    ) -> T:
        """Ask within `usual` seconds and not beyond `until`; a failure is remembered."""
        left = until - self._monotonic()
        if left <= 0:
            raise Silent(Failure.LATE)
        try:
            return ask(min(usual, left))
        except Silent as silent:
            # What had less than half of its time is not to blame for being late.
            fair = min(usual, self._bounds.budget) / 2
            if silent.failure is not Failure.LATE or left >= fair:
                self._patience.failed(endpoint, self._pause(silent))
            raise

    def _pause(self, silent: Silent) -> float:
        refused = silent.failure is Failure.REFUSED
        return self._bounds.sperre_kurz if refused else self._bounds.sperre


def endpoint_of(shelf: SettingsShelf, settings: JudgeSettings) -> Endpoint | None:
    """The server and model of some settings; None unless all is set, usable and switched on."""
    address = Address.found(settings.address)
    if address is None or settings.state().standing is not Standing.READY:
        return None
    return Endpoint(address, settings.model, shelf.key(settings))
