"""One language of memo: its sentences, its words for kinds, and how it writes times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from remembrancer.agents.dialects.memo_texts import TEXTS
from remembrancer.core import kinds
from remembrancer.core.kinds import Kind


@dataclass(frozen=True, slots=True)
class Speech:
    """One language of memo: its sentences, its words for kinds, its way to write times."""

    language: str

    @property
    def vocabulary(self) -> str:
        """The language's column in the table of kinds."""
        return kinds.MEMO_DE if self.language == "de" else kinds.MEMO_EN

    def __call__(self, key: str, **facts: object) -> str:
        """A sentence with its places filled."""
        return TEXTS[key][0 if self.language == "de" else 1].format(**facts)

    def count(self, number: int, thing: str) -> str:
        """A number of things: "1 entry", "3 entries"."""
        return f"{number} {self(f'{thing}|' if number == 1 else f'{thing}|s')}"

    def kind(self, kind: Kind) -> str:
        """The word under which a kind is shown."""
        return kinds.word(kind, self.vocabulary)

    def kinds(self) -> tuple[str, ...]:
        """The words of all kinds, `unsorted` last."""
        return kinds.words(self.vocabulary)


def moment(at: int) -> str:
    """A time in UTC, to the second."""
    return f"{datetime(1970, 1, 1) + timedelta(seconds=at // 1_000_000):%Y-%m-%d %H:%M:%S}"


def day(at: int) -> str:
    """The day of a time, in UTC."""
    return moment(at)[:10]
