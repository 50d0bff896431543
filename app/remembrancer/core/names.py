"""Names and texts as they may be stored: what is refused, and what counts as the same."""

from __future__ import annotations

import re
import unicodedata

from remembrancer.core.errors import BadValue

NAME_LIMIT = 1_000
TYPE_LIMIT = 200
KEY_LIMIT = 500
TITLE_LIMIT = 500
CONTENT_LIMIT = 200_000
SOURCE_LIMIT = 2_000
TAG_LIMIT = 200
TAGS_LIMIT = 64

_SURROGATE = re.compile("[\ud800-\udfff]")


def text(value: str, what: str, limit: int, *, empty: bool = False) -> str:
    """`value` itself, once it is sure that it can be stored: no lone surrogate, no NUL, in length.

    `what` names the field in the sentence of a BadValue; `limit` is in characters.
    """
    if _SURROGATE.search(value):
        raise BadValue(f"The {what} holds half of a character pair; send it as valid Unicode.")
    if "\0" in value:
        raise BadValue(f"The {what} holds a NUL character; remove it.")
    if not value and not empty:
        raise BadValue(f"The {what} must not be empty.")
    if len(value) > limit:
        raise BadValue(f"The {what} has {len(value):,} characters; at most {limit:,} are kept.")
    return value


def entity_name(value: str) -> str:
    """The identity of an entity's name: its NFC form, 1 to 1,000 characters, not blank."""
    name = unicodedata.normalize("NFC", text(value, "name of the entity", NAME_LIMIT))
    if not name.strip():
        raise BadValue("The name of the entity must not be blank.")
    return name


def lookup_key(name: str) -> str:
    """What look-alike names share: NFKC, case-folded, format characters dropped, blanks joined."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    kept = "".join(c for c in folded if unicodedata.category(c) not in ("Cf", "Cc") or c.isspace())
    return " ".join(kept.split())


def tags(values: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Tags trimmed, without blanks and repetitions, in the order given."""
    kept = dict.fromkeys(text(t, "tag", TAG_LIMIT, empty=True).strip() for t in values)
    kept.pop("", None)
    if len(kept) > TAGS_LIMIT:
        raise BadValue(f"A memory takes at most {TAGS_LIMIT} tags.")
    return tuple(kept)
