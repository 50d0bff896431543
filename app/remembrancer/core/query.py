"""The search box's language: plain words, and `name:value` pairs that narrow the list."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DAYS = {"": 1, "d": 1, "w": 7, "m": 30, "y": 365}
_MOST_DAYS = 99_999
_TEXT_KEYS = ("entity", "kind", "state", "scope", "tag", "agent")
_CLOSED_WORDS = ("kind", "state", "scope")  # chosen from a fixed list, so their case says nothing

# A quoted part doubles its own quotes; one that was not closed yet reaches to the end.
_TOKEN = r'(?:(?P<key>[A-Za-z]+):)?"(?P<quoted>(?:[^"]|"")*)(?:"|\Z)|(?P<plain>\S+)'
_PAIR = r"(?P<key>[A-Za-z]+):(?P<value>\S+)"
_AGE = r">?(?P<count>[0-9]{1,5})(?P<unit>[dwmy]?)"


@dataclass(frozen=True, slots=True)
class Query:
    """What a search box asks for: free `words`, and filters that are None when not given.

    `stale_days` asks for memories not verified for more than so many days.
    """

    words: str = ""
    entity: str | None = None
    kind: str | None = None
    state: str | None = None
    scope: str | None = None
    tag: str | None = None
    agent: str | None = None
    stale_days: int | None = None

    def text(self) -> str:
        """The normalised text of the box; parsing it again gives this very query."""
        given = [(key, getattr(self, key)) for key in _TEXT_KEYS]
        pairs = [f"{key}:{_written(value)}" for key, value in given if value]
        if self.stale_days is not None:
            pairs.append(f"stale:>{self.stale_days}d")
        return " ".join([*pairs, self.words]).strip()


def parse(text: str) -> Query:
    """The query of a box's text, whatever it holds; of a repeated key the last one counts.

    Unknown keys, and known ones with a value that makes no sense, stay as plain words.
    """
    words: list[str] = []
    texts: dict[str, str] = {}
    stale: int | None = None
    for token in re.finditer(_TOKEN, text):
        key, value = _pair(token)
        if key == "stale" and (days := _days(value)) is not None:
            stale = days
        elif key in _TEXT_KEYS and value:
            texts[key] = value.lower() if key in _CLOSED_WORDS else value
        else:
            words.append(_plain(token))
    return Query(words=" ".join(words), stale_days=stale, **texts)


def _pair(token: re.Match[str]) -> tuple[str, str]:
    """The key and the value of a token, both empty when it is no pair."""
    if token["plain"] is None:
        return (token["key"] or "").lower(), token["quoted"].replace('""', '"').strip()
    pair = re.fullmatch(_PAIR, token["plain"])
    return (pair["key"].lower(), pair["value"]) if pair else ("", "")


def _days(value: str) -> int | None:
    age = re.fullmatch(_AGE, value.lower())
    days = int(age["count"]) * _DAYS[age["unit"]] if age else None
    return None if days is None or days > _MOST_DAYS else days


def _plain(token: re.Match[str]) -> str:
    """A word as it was typed; a quotation left open is closed, lest it swallow what follows."""
    if token["plain"] is not None:
        return token["plain"]
    return f'{token["key"]}:"{token["quoted"]}"' if token["key"] else f'"{token["quoted"]}"'


def _written(value: str) -> str:
    """A value as the box takes it: in quotes when it has blanks or quotes of its own."""
    if re.search(r'[\s"]', value):
        return '"' + value.replace('"', '""') + '"'
    return value
