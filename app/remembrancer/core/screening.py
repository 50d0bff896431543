"""Which texts a record holds, the credentials in them, and the same record with some masked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from remembrancer.core import secrets
from remembrancer.core.journal import Subject

AROUND = 48  # characters on each side of a credential that an excerpt shows
_LEAST = 8  # characters of a credential that is masked wherever it stands again
# Words of ours in records, which no one can choose.
_OURS = frozenset({"kind", "status", "scope", "access", "dialect", "language"})
# Columns that hold records as JSON.
RECORDS = frozenset({"snapshot", "arguments", "row", "tags"})

Chosen = Callable[[str], bool]


class Held(NamedTuple):
    """One text of a row: which table, which row, which column."""

    place: str
    row_id: int
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One credential in all that is kept of one subject; the credential itself is not told.

    `places` are where it stands, `count` how often; `excerpt` is the first text around it, with
    every credential in it masked. `label` says what the subject is, masked too. `at` is when the
    subject was last written, in microseconds UTC.
    """

    subject: Subject
    subject_id: int
    fingerprint: bytes
    kind: str
    places: tuple[str, ...]
    count: int
    excerpt: str
    label: str
    at: int

    @property
    def key(self) -> tuple[Subject, int, bytes]:
        """What tells it apart from all others."""
        return self.subject, self.subject_id, self.fingerprint


def fingerprint(subject: Subject, subject_id: int, credential: str) -> bytes:
    """What a credential of a subject is known by; another subject has another one for it.

    Eight bytes: too few to try passwords against.
    """
    told = f"{subject}\0{subject_id}\0{credential}".encode("utf-8", "replace")
    return hashlib.blake2b(told, digest_size=8, person=b"spared").digest()


def texts_of(held: Held) -> Iterator[tuple[str, str]]:
    """(field, text) of every text in a column; of a record in it, each of its fields."""
    if held.field not in RECORDS:
        yield held.field, held.text
        return
    yield from _leaves(_read(held.text), held.field)


def credentials_of(texts: Iterable[str]) -> dict[str, tuple[secrets.Secret, ...]]:
    """Each different text that holds credentials, with these."""
    found = {text: secrets.find(text) for text in dict.fromkeys(texts)}
    return {text: each for text, each in found.items() if each}


def suspicious(texts: Iterable[str]) -> bool:
    """Whether one of some texts may hold a credential: quicker than to look at each of them."""
    return bool(secrets.find(("\n" * 5).join(dict.fromkeys(texts))))


def excerpt(text: str, found: Sequence[secrets.Secret], which: int) -> str:
    """The surroundings of one of the credentials found in a text, with every one masked."""
    marks = [f"[REDACTED:{secret.kind}]" for secret in found]
    ends = [0, *(secret.end for secret in found)]
    gaps = [text[end : secret.start] for end, secret in zip(ends, found, strict=False)]
    before = "".join(gap + mark for gap, mark in zip(gaps, marks[:which], strict=False))
    before += gaps[which]
    behind = zip([*gaps[which + 1 :], text[ends[-1] :]], [*marks[which + 1 :], ""], strict=True)
    after = "".join(gap + mark for gap, mark in behind)
    head, tail = before[-AROUND:], after[:AROUND]
    shown = f"{'…' * (head != before)}{head}{marks[which]}{tail}{'…' * (tail != after)}"
    return secrets.mask(shown)[0]


def masked_text(text: str, chosen: Chosen) -> str:
    """The text with those of its credentials masked that are `chosen`."""
    pieces: list[str] = []
    last = 0
    for secret in secrets.find(text):
        if chosen(text[secret.start : secret.end]):
            pieces += text[last : secret.start], f"[REDACTED:{secret.kind}]"
            last = secret.end
    return "".join([*pieces, text[last:]])


def without(text: str, known: Mapping[str, str]) -> str:
    """The text without these credentials (and their kinds), wherever they stand in it again."""
    for credential, kind in known.items():
        if len(credential) >= _LEAST:
            text = text.replace(credential, f"[REDACTED:{kind}]")
    return text


def masked_column(held: Held, chosen: Chosen, known: Mapping[str, str]) -> str:
    """A column with the chosen credentials masked in every text of it."""

    def change(text: str) -> str:
        return without(masked_text(text, chosen), known)

    if held.field not in RECORDS:
        return change(held.text)
    record = _read(held.text)
    after = _changed(record, change)
    if after == record:
        return held.text
    return json.dumps(after, ensure_ascii=False, separators=(",", ":"))


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _leaves(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _leaves(each, name)
    elif isinstance(value, dict):
        for key, each in cast("dict[str, Any]", value).items():
            if key not in _OURS:
                yield from _leaves(each, key)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_changed(each, change) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        return {k: v if k in _OURS else _changed(v, change) for k, v in held.items()}
    return value
