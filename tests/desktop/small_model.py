"""A model of a few lines, so that the search by meaning runs where none is installed."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from remembrancer.core.models import Load
from remembrancer.core.vectors import Floats
from remembrancer.service.library import Library
from remembrancer.service.meaning import MeaningDesk

SECONDS = 20.0  # that anything may take


class Lengths:
    """A model to which texts of the same length mean the same; it reads while its gate is open."""

    dimensions = 128

    def __init__(self, name: str) -> None:
        self.name = name
        self.gate = threading.Event()
        self.gate.set()
        self.broken = False

    def load(self) -> Lengths:
        if self.broken:
            raise ImportError("a part is missing")
        return self

    def queries(self, texts: Sequence[str]) -> Floats:
        made = [np.random.default_rng(len(text)).normal(size=self.dimensions) for text in texts]
        return np.array(made, np.float32)

    def passages(self, texts: Sequence[str]) -> Floats:
        self.gate.wait(SECONDS)
        return self.queries(texts)


def give(library: Library, models: list[Lengths]) -> None:
    """Let these be the models that are installed, whatever comes to or goes from the list."""

    def installed() -> dict[str, Load]:
        return {model.name: model.load for model in models}

    library.meaning = MeaningDesk(library.memories._ground, installed)


def end(library: Library, models: list[Lengths]) -> None:
    """End the work, wherever it waits; before a window looks for threads that outlived it."""
    for model in models:
        model.gate.set()
    library.meaning.close()
