"""Vectors of meaning: as bytes, compared exactly, and found among many by their signs."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.core.models import QUESTION_LENGTH, Model, readable

Floats = NDArray[np.float32]

_STEP = 65_536  # vectors of a scan that are looked at together, so that they stay in the cache
_LEAST_ROOM = 1_024  # vectors
_CANDIDATES = 800  # vectors near by their signs that are worth an exact look
_FEW = 1_000  # vectors that are looked at exactly without asking their signs
# What all memories of a store have in common sets none of them apart, so most of it is taken away.
_COMMON = 0.85
_UNSURE = 30  # vectors from which on more is known than guessed about what they have in common


def unit(vectors: NDArray[np.floating[Any]]) -> Floats:
    """The same rows with length 1; what is no number counts as 0, and so a row may be all 0."""
    rows = np.nan_to_num(vectors.astype(np.float32), posinf=0, neginf=0)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(length, 1e-12)).astype(np.float32, copy=False)


def packed(vectors: Floats) -> list[bytes]:
    """Each row as one signed byte a dimension; its length is lost, its direction kept."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    rows = np.rint(vectors * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)
    return [row.tobytes() for row in rows]


def unpacked(rows: Sequence[bytes], dimensions: int) -> Floats:
    """The rows of what `packed` gave, with length 1."""
    numbers = np.frombuffer(b"".join(rows), np.int8).reshape(len(rows), dimensions)
    return unit(numbers.astype(np.float32))


class Signs:
    """One bit a dimension of many vectors: finds the few that are worth an exact look.

    A vector counts as its difference from `centre`, about which they lie. The bits lie word after
    word, not vector after vector, so that a scan goes straight through memory; those of 1,000,000
    vectors with 512 dimensions take 64 MB. Any thread may search while one changes it.
    """

    def __init__(self, centre: Floats) -> None:
        self.centre = centre
        self._words = -(-len(centre) // 64)
        self._bits = np.zeros((self._words, _LEAST_ROOM), np.uint64)
        self._ids = np.zeros(_LEAST_ROOM, np.int64)
        self._size = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._size

    def some(self, most: int) -> list[int]:
        """The ids of `most` vectors, from everywhere among them."""
        with self._lock:
            step = -(-self._size // most) if most > 0 else 0
            return self._ids[: self._size : step or 1].tolist()

    def put(self, ids: Sequence[int], vectors: Floats) -> None:
        """Take vectors in, in the place of those that had these ids."""
        with self._lock:
            self._drop(ids)
            self._make_room(len(ids))
            end = self._size + len(ids)
            self._bits[:, self._size : end] = self._signs(vectors).T
            self._ids[self._size : end] = ids
            self._size = end

    def drop(self, ids: Sequence[int]) -> None:
        """Forget the vectors with these ids."""
        with self._lock:
            self._drop(ids)

    def nearest(self, query: Floats, most: int, among: Iterable[int] | None = None) -> list[int]:
        """The ids of about `most` vectors whose signs differ least from the query's.

        Only where the query is strong, in half of the dimensions: the others tell more of chance.
        """
        with self._lock:
            ids, bits = self._ids[: self._size], self._bits[:, : self._size]
        strength = np.abs(query - self.centre)
        heeded = self._words_of(strength[np.newaxis] >= np.median(strength))[0]
        differing = _differing(self._signs(query[np.newaxis])[0], heeded, bits)
        if among is not None:
            chosen = np.flatnonzero(np.isin(ids, np.fromiter(among, np.int64)))
            ids, differing = ids[chosen], differing[chosen]
        # Seen twice is what was moved at this very moment.
        return np.unique(ids[_least(differing, most)]).tolist()

    def _signs(self, vectors: Floats) -> NDArray[np.uint64]:
        """On which side of the centre some rows are."""
        return self._words_of(vectors > self.centre)

    def _words_of(self, flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
        """Rows of flags as bits, padded to whole words: (rows, words)."""
        padded = np.zeros((len(flags), self._words * 8), np.uint8)
        bits = np.packbits(flags, axis=1)
        padded[:, : bits.shape[1]] = bits
        return padded.view(np.uint64)

    def _drop(self, ids: Sequence[int]) -> None:
        """Let the last vectors take the places of those that go."""
        gone = np.flatnonzero(np.isin(self._ids[: self._size], np.asarray(ids, np.int64)))
        left = self._size - len(gone)
        holes = gone[gone < left]
        movers = np.setdiff1d(np.arange(left, self._size), gone, assume_unique=True)
        self._bits[:, holes] = self._bits[:, movers]
        self._ids[holes] = self._ids[movers]
        self._size = left

    def _make_room(self, more: int) -> None:
        room = len(self._ids)
        if self._size + more <= room:
            return
        grown = max(self._size + more, room + room // 2)
        bits = np.zeros((self._words, grown), np.uint64)
        bits[:, : self._size] = self._bits[:, : self._size]
        self._bits, self._ids = bits, np.resize(self._ids, grown)


def _differing(
    query: NDArray[np.uint64], heeded: NDArray[np.uint64], bits: NDArray[np.uint64]
) -> NDArray[np.uint16]:
    """In how many of the bits that are heeded each column of words differs from the query."""
    found = np.zeros(bits.shape[1], np.uint16)
    for start in range(0, len(found), _STEP):
        part = found[start : start + _STEP]
        words = bits[:, start : start + _STEP]
        for word, wanted, heed in zip(words, query, heeded, strict=True):
            part += _ones((word ^ wanted) & heed)
    return found


def _least(values: NDArray[np.uint16], most: int) -> NDArray[np.intp]:
    """Where the `most` least values are; a few less than that where many are equal."""
    if len(values) <= most:
        return np.arange(len(values))
    up_to = np.cumsum(np.bincount(values))
    bound = int(np.searchsorted(up_to, most, side="right"))
    under, level = np.flatnonzero(values < bound), np.flatnonzero(values == bound)
    return np.concatenate([under, level[: most - len(under)]])


@cache
def _counts() -> NDArray[np.uint8]:
    return np.array([number.bit_count() for number in range(1 << 16)], np.uint8)


def _ones(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many bits of each word are set; numpy knows by itself from 2.0 on."""
    if hasattr(np, "bitwise_count"):
        return np.bitwise_count(words)
    return _counts()[words.view(np.uint16)].reshape(-1, 4).sum(axis=1, dtype=np.uint8)


class Meanings:
    """The vectors that one model made of memories, each kept elsewhere as packed bytes.

    A cosine is that of what sets two texts apart from the other memories: unlike ones are about 0.
    """

    def __init__(self, model: Model) -> None:
        self.model, self.name, self.dimensions = model, model.name, model.dimensions
        self.query = lru_cache(64)(self._query)
        self._signs = Signs(np.zeros(self.dimensions, np.float32))

    def __len__(self) -> int:
        return len(self._signs)

    def made(self, texts: Sequence[str]) -> list[bytes]:
        """The packed vectors of some memories' texts."""
        return packed(unit(self.model.passages(texts)))

    def fresh(self, sample: Collection[bytes]) -> Signs:
        """Signs about the centre of a sample of packed vectors, to be filled and then taken on."""
        rows = unpacked(list(sample), self.dimensions)
        return Signs(rows.sum(axis=0) / (len(rows) + _UNSURE))

    def take_on(self, signs: Signs) -> None:
        """Search among these from now on."""
        self._signs = signs

    def put(self, held: Mapping[int, bytes], signs: Signs | None = None) -> None:
        """Take in the packed vectors of some memories, in the place of their former ones."""
        rows = unpacked(list(held.values()), self.dimensions)
        (self._signs if signs is None else signs).put(list(held), rows)

    def drop(self, ids: Sequence[int]) -> None:
        """Forget the vectors of these memories."""
        self._signs.drop(ids)

    def some(self, most: int) -> list[int]:
        """About `most` memories from everywhere in the store."""
        return self._signs.some(most)

    def candidates(
        self, query: Floats, most: int, among: Collection[int] | None = None
    ) -> Collection[int]:
        """The memories that hold about the `most` nearest to a query, in no order."""
        if among is not None and len(among) <= _FEW:
            return among
        return self._signs.nearest(query, max(_CANDIDATES, 2 * most), among)

    def cosines(self, query: Floats, held: Sequence[bytes]) -> list[float]:
        """How near each packed vector is to a query: from -1 to 1."""
        common = self._signs.centre * np.float32(_COMMON)
        own = unit(unpacked(held, self.dimensions) - common)
        return (own @ unit(query[np.newaxis] - common)[0]).tolist()

    def _query(self, text: str) -> Floats | None:
        """The vector of a question with length 1; None where it has no meaning."""
        asked = readable(text, QUESTION_LENGTH)
        vector = unit(self.model.queries([asked]))[0] if asked else np.zeros(1, np.float32)
        return vector if vector.any() else None
