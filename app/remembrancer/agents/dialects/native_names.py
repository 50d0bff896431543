"""Names of entities as they may go on from what was begun."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp.types import Completion

from remembrancer.core.author import Author

if TYPE_CHECKING:
    from remembrancer.service.library import Library

MOST = 100
_PAGE = 200
_PAGES = 20  # looked through for one initial, however few of their names fit
_LAST = "\U0010ffff"


def beginning(library: Library, begun: str, author: Author) -> Completion:
    """At most a hundred names that begin so, by name; the case of letters is all one.

    Under a lock there is only the entity's own name.
    """
    wanted = unicodedata.normalize("NFC", begun).casefold()
    if author.entity is not None:
        own = [author.entity] if author.entity.casefold().startswith(wanted) else []
        return Completion(values=own, has_more=False)
    found: list[str] = []
    for name in _names(library, wanted):
        if name.casefold().startswith(wanted):
            found.append(name)
        if len(found) > MOST:
            break
    return Completion(values=sorted(found[:MOST], key=_order), has_more=len(found) > MOST)


def _names(library: Library, wanted: str) -> Iterator[str]:
    """Names among which those are that begin with `wanted`, without reading all there are."""
    if not wanted:
        yield from _pages(library, "", "")
        return
    # The store finds a part of a name whatever the case of its ASCII letters.
    part = wanted[: next((i for i, sign in enumerate(wanted) if not sign.isascii()), None)]
    for initial in sorted({wanted[0], wanted[0].upper()[0], wanted[0].lower()[0]}):
        for name in _pages(library, part, _just_before(initial)):
            if not name.startswith(initial):
                break
            yield name


def _pages(library: Library, part: str, after: str) -> Iterator[str]:
    for _ in range(_PAGES):
        page = library.map.entities(part, limit=_PAGE, after=after)
        yield from (entity.name for entity in page if not entity.ghost)
        if len(page) < _PAGE:
            return
        after = page[-1].name


def _just_before(initial: str) -> str:
    """A text that stands before every name with this initial, and after those before it."""
    code = ord(initial) - 1
    return (chr(0xD7FF) if 0xD800 <= code <= 0xDFFF else chr(max(code, 0))) + _LAST


def _order(name: str) -> tuple[str, str]:
    return name.casefold(), name
