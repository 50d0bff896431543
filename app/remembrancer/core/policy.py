"""What an author's policy lets pass, and what of the store it may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from remembrancer.core.author import Access, Author
from remembrancer.core.errors import Refused
from remembrancer.core.filters import Filter


def judge(author: Author, entities: Iterable[str | None]) -> None:
    """Let a deed of `author` on these entities (None: unfiled) pass, or raise Refused."""
    if author.access is Access.READ:
        raise Refused("This connection may only read; nothing was changed.", code="read_only")
    if any(not sees(author, name) for name in entities):
        raise Refused(
            f"This connection is locked to the entity {author.entity!r}; nothing was changed.",
            code="locked",
        )


def sees(author: Author, entity: str | None) -> bool:
    """Whether an entity (None: unfiled) lies within what `author` may touch and see."""
    return author.entity is None or author.entity == entity


def narrowed(chosen: Filter, author: Author) -> Filter | None:
    """The filter as far as `author` may see; None when that leaves nothing."""
    if author.entity is None:
        return chosen
    inside = chosen.entity is None or chosen.entity == author.entity
    return replace(chosen, entity=author.entity) if inside else None


def person_only(author: Author, deed: str) -> None:
    """Raise Refused unless the author is the person; `deed` names what was wanted."""
    if not author.is_person:
        raise Refused(f"Only the person may {deed}.", code="person_only")
