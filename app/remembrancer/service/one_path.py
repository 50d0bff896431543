"""The one path of every change: judged, written with its journal line, then announced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from remembrancer.core import holding, policy, redaction, secrets
from remembrancer.core.author import Author
from remembrancer.core.clock import Clock
from remembrancer.core.errors import Refused
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.service.bell import Bell
from remembrancer.service.holding import Held, look_at, propose, waiting
from remembrancer.service.once import Step, this_step
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

    `reason` and `outcome` are those of the lines to come; `mark` tells the first of them by the
    idempotency key of the call. `lines` are those that an agent's deeds left, where its policy has
    to look at each.
    """

    store: Store
    author: Author
    origin: str
    now: int
    reason: str | None
    first: int = 0
    next: int = 0
    outcome: str | None = None
    mark: str | None = None
    lines: list[JournalLine] = field(default_factory=list[JournalLine])

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
        if holding.asks(self.author):
            self.lines.append(line)
        self.next += 1
        return line.sequence

    def keep(self, line: JournalLine) -> None:
        """Write one line; an arrival of many gathers them instead."""
        self.store.journal.append(line, self.mark if line.sequence == self.first else None)


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
        What has to wait for the person is kept as a proposal, and raises Waiting.
        """
        policy.judge(author, entities)
        # The step is taken here: another thread may run the job, and a job may be tried twice.
        step = this_step()
        return self._attempt(work, lambda: Ledger(self._store, author, origin, 0, reason), step)

    def _attempt(
        self, work: Callable[[Ledger], T], fresh: Callable[[], Ledger], step: Step | None
    ) -> T:
        """One transaction upon a `fresh` ledger, and what follows from it."""
        ledger = fresh()
        try:
            result = self._store.write(lambda: self._job(ledger, work, step))
        except Held as held:
            self._hold(fresh(), held)
        if ledger.next:
            self._bell.ring()
        return result

    def _job(self, ledger: Ledger, work: Callable[[Ledger], T], step: Step | None) -> T:
        ledger.now = self._clock()
        if step is None:
            return self._done(ledger, work)
        ledger.mark = step.mark
        return step.run(self._store, ledger.now, lambda: self._done(ledger, work))

    def _done(self, ledger: Ledger, work: Callable[[Ledger], T]) -> T:
        result = work(ledger)
        if ledger.lines:
            look_at(ledger)
        return result

    def _hold(self, ledger: Ledger, held: Held) -> NoReturn:
        """Keep what was tried and taken back as a proposal."""

        def job() -> int:
            ledger.now = self._clock()
            return propose(ledger, held.changes)

        made = self._store.write(job)
        if ledger.next:
            self._bell.ring()
        raise waiting(made)


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
