"""What the person writes on purpose although it looks like a secret is noted as spared."""

from __future__ import annotations

from collections.abc import Iterable

from remembrancer.core.journal import Subject
from remembrancer.core.screening import credentials_of, fingerprint
from remembrancer.service.one_path import Ledger, Secrets


def spare(ledger: Ledger, memory_id: int, texts: Iterable[str], policy: Secrets) -> None:
    """Note the credentials in what the person keeps in a memory, so that no scan finds them."""
    if policy is not Secrets.KEEP or not ledger.author.is_person:
        return
    for text, found in credentials_of(texts).items():
        for secret in found:
            mark = fingerprint(Subject.MEMORY, memory_id, text[secret.start : secret.end])
            ledger.store.screening.spare(Subject.MEMORY, memory_id, mark, ledger.now)
