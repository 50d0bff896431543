"""Names that look alike: the same but for case, blanks and signs, or but for one letter.

Names whose digits differ are never called look-alikes: server-12 is not server-13.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from remembrancer.core import names
from remembrancer.core.unlike import digits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]

_SHORTEST = 5  # signs of a name that may differ from another in one letter
_LONGEST = 80
_NEIGHBOURS = 8  # names of one code that are compared with each
_BETWEEN = re.compile(r"[\W_]+")

_Key = tuple[str, tuple[str, ...]]


def look_alikes(found: Sequence[str]) -> list[tuple[int, int, int]]:
    """(place, place, distance) of names that look alike, the closest first.

    The distance is 0 for names that are the same but for case, blanks and signs; it is 1 where a
    letter is added, left out, another one, or has changed places with the next.
    """
    keys = [_key(name) for name in found]
    pairs = ((*pair, _distance(keys[pair[0]], keys[pair[1]])) for pair in _candidates(keys))
    return sorted((pair for pair in pairs if pair[2] <= 1), key=lambda p: (p[2], p[0], p[1]))


def _key(name: str) -> _Key:
    folded = names.lookup_key(name)
    return _BETWEEN.sub("", folded) or folded, tuple(digits(name))


def _distance(one: _Key, other: _Key) -> int:
    from rapidfuzz.distance import OSA

    if one[1] != other[1]:
        return 2
    distance: Any = OSA.distance(one[0], other[0], score_cutoff=1)
    return int(distance)


def _candidates(keys: Sequence[_Key]) -> list[tuple[int, int]]:
    """Pairs of places that have a code in common, each once."""
    import numpy as np

    codes, places = array("q"), array("q")
    for place, key in enumerate(keys):
        for code in _codes(key):
            codes.append(code)
            places.append(place)
    code, at = np.asarray(codes, np.int64), np.asarray(places, np.int64)
    order = np.argsort(code, kind="stable")
    code, at = code[order], at[order]
    pairs: set[tuple[int, int]] = set()
    for step in range(1, _NEIGHBOURS + 1):
        same = np.nonzero(code[step:] == code[:-step])[0]
        pairs.update(zip(at[same].tolist(), at[same + step].tolist(), strict=True))
    return [pair for pair in pairs if pair[0] != pair[1]]


def _codes(key: _Key) -> Iterator[int]:
    """Numbers of a name and of what is left without one of its letters: look-alikes share one."""
    name, runs = key
    yield hash((name, runs))
    if _SHORTEST <= len(name) <= _LONGEST:
        shorter = {name[:n] + name[n + 1 :] for n, sign in enumerate(name) if not sign.isnumeric()}
        yield from (hash((each, runs)) for each in shorter)
