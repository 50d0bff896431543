"""The one path of every change: judged, written with its journal line, then announced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from remembrancer.core import policy, redaction, secrets
from remembrancer.core.author import Author
from remembrancer.core.clock import Clock
from remembrancer.core.errors import Refused
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.service.bell import Bell
from remembrancer.store.store import Store

T = TypeVar("T")


class Secrets(StrEnum):
    """What to do with a secret in a text: refuse the deed, mask the secret, keep it on purpose.

    `REDACT` masks without naming the kind of the secret in the text.
    """

    REFUSE = "refuse"
    MASK = "mask"
    REDACT = "redact"
    KEEP = "keep"


@dataclass
class Ledger:
    """One call under way, inside the writer's transaction; every change leaves a line here.

    `reason` and `outcome` are those of the lines to come.
    """

    store: Store
    author: Author
    origin: str
    now: int
    reason: str | None
    first: int = 0
    next: int = 0
    outcome: str | None = None

    def line(
        self,
        deed: Deed,
        subject: Subject,
        subject_id: int,
        snapshot: dict[str, Any] | None,
        *,
        entity_id: int | None = None,
        revision: int | None = None,
        outcome: str | None = None,
    ) -> int:
        """Add the journal line of one change and return its sequence."""
        if not self.next:
            self.first = self.next = self.store.journal.head() + 1
        line = JournalLine(
            self.next, self.now, self.author.name, self.author.kind, self.origin, deed,
            self.first, subject, subject_id, entity_id, revision, snapshot, self.reason,
            outcome or self.outcome, self.author.agent_id,
        )  # fmt: skip
        self.keep(line)
        self.next += 1
        return line.sequence

    def keep(self, line: JournalLine) -> None:
        """Write one line; an arrival of many gathers them instead."""
        self.store.journal.append(line)


class OnePath:
    """Walks every change, from whoever it comes, through judgement, transaction and bell."""

    def __init__(self, store: Store, bell: Bell, clock: Clock) -> None:
        self._store = store
        self._bell = bell
        self._clock = clock

    def walk(
        self,
        work: Callable[[Ledger], T],
        *,
        author: Author,
        origin: str,
        entities: Iterable[str | None] = (),
        reason: str | None = None,
    ) -> T:
        """Judge the author, run `work` in one transaction, ring the bell when it left a line.

        `entities` are the names the deed touches. Raises what `work` raises; then nothing is kept.
        """
        policy.judge(author, entities)
        ledgers: list[Ledger] = []

        def job() -> T:
            ledger = Ledger(self._store, author, origin, self._clock(), reason)
            result = work(ledger)
            ledgers[:] = [ledger]
            return result

        result = self._store.write(job)
        if ledgers and ledgers[0].next:
            self._bell.ring()
        return result


def screen(texts: Iterable[str], secrets_policy: Secrets) -> None:
    """Refuse a deed whose texts hold a credential, unless they are to be masked or kept."""
    if secrets_policy is Secrets.REFUSE and any(secrets.is_credential(t) for t in texts):
        raise Refused(
            "Memory is not a credential vault. Remove passwords, private keys and tokens "
            "before saving.",
            code="secret",
        )


def masked(text: str, secrets_policy: Secrets) -> str:
    """The text as it may be stored under that policy."""
    if secrets_policy is Secrets.REDACT:
        return redaction.redact(text)[0]
    return secrets.mask(text)[0] if secrets_policy is Secrets.MASK else text
