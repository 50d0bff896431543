"""What a text holds that its reader does not see, and what in it reads like an order to a model.

Both are only flagged: a memory keeps every character. The time grows with the length of a text and
with nothing else, since no pattern looks further than a line or some hundred characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from remembrancer.core.order_rules import ENOUGH, worth_trying
from remembrancer.core.sign_names import sign_name

LONGEST = 65_536  # characters in which orders are looked for
MOST = 1_000  # hidden characters that are named


class FlagKind(StrEnum):
    """Why a part of a text is flagged."""

    HIDDEN = "hidden"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Flag:
    """A flagged part of a text, as a half-open range of characters.

    `name` is that of the hidden character, such as "ZWSP", or of the sort of order.
    """

    kind: FlagKind
    start: int
    end: int
    name: str


# An emoji may carry a variation selector, be joined to the next one or, as a flag, spell a region
# in tags; Han letters have selectors of their own, and several scripts need the joiners.
_PICTURE = "[\u2190-\u27bf\u2934-\u2935\u2b05-\u2b55\U0001f000-\U0001faff]"
_SIGN = "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299]"
_HAN = "[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_JOINING = "[\u0600-\u06ff\u0700-\u08ff\u0900-\u0dff\u0e80-\u0fff\u1000-\u109f\u1780-\u17ff]"
_HARMLESS = (
    f"(?<={_PICTURE})\ufe0f?\u200d(?={_PICTURE})|(?<={_PICTURE})[\ufe0e\ufe0f](?![\ufe00-\ufe0f])"
    f"|(?<={_SIGN})[\ufe0e\ufe0f](?![\ufe00-\ufe0f])"
    "|(?<=\U0001f3f4)[\U000e0030-\U000e007a]{1,6}\U000e007f"
    f"|(?<={_HAN})[\ufe00-\ufe02\U000e0100-\U000e01ef](?![\ufe00-\ufe0f\U000e0100-\U000e01ef])"
    f"|(?<={_JOINING})[\u200c\u200d](?={_JOINING})|(?<=[\u1800-\u18af])[\u180b-\u180f]"
)
_MARKS = "\u200e\u200f\u061c"  # ordinary beside letters that run from right to left
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_HIDDEN = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SUSPECT = re.compile(_HIDDEN)  # many times quicker where there is nothing, as there mostly is
_UNSEEN = re.compile(f"(?:{_HARMLESS})|(?P<hidden>{_HIDDEN})")


def flags(text: str) -> list[Flag]:
    """Everything to be flagged in a text, by place."""
    found = [*hidden(text), *orders(text)]
    return sorted(found, key=lambda flag: (flag.start, flag.end))


def kinds(text: str) -> frozenset[FlagKind]:
    """Which kinds of flags a text has, for a list."""
    return frozenset(flag.kind for flag in flags(text))


def hidden(text: str) -> list[Flag]:
    """The characters that no reader sees, at most 1,000; those that scripts and emoji need pass."""
    if not _SUSPECT.search(text):
        return []
    ordinary = _MARKS if _RIGHT_TO_LEFT.search(text) else ""
    found: list[Flag] = []
    for match in _UNSEEN.finditer(text):
        if match["hidden"] and match["hidden"] not in ordinary:
            name = sign_name(match["hidden"])
            found.append(Flag(FlagKind.HIDDEN, match.start(), match.end(), name))
            if len(found) == MOST:
                break
    return found


def orders(text: str) -> list[Flag]:
    """The parts of a text that together read like an order to a model; nothing where they do not.

    Looked for in the text as a model reads it, without hidden characters; tags are letters to it.
    """
    seen, places = _as_read(text[:LONGEST])
    found: list[tuple[int, int, str]] = []
    points = 0
    low = seen.lower()
    for rule in worth_trying(low):
        matches = [m.span() for m in rule.pattern.finditer(low)]
        points += rule.points if matches else 0
        found += ((start, end, rule.name) for start, end in matches)
    if points < ENOUGH:
        return []
    return [
        Flag(FlagKind.ORDER, places[start], places[end - 1] + 1, name)
        for start, end, name in sorted(found)
    ]


def _as_read(text: str) -> tuple[str, list[int] | range]:
    """The text without hidden characters, tags as their letters, and where each one stands."""
    if not _SUSPECT.search(text):
        return _folded(text), range(len(text))
    read: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        code = ord(sign)
        if 0xE0020 <= code < 0xE007F:
            sign = chr(code - 0xE0000)
        elif _UNSEEN.match(sign):
            continue
        read.append(sign)
        places.append(place)
    return _folded("".join(read)), places


def _folded(text: str) -> str:
    # A capital that becomes two letters in lower case would move all places behind it.
    return text.replace("\u0130", "I")
