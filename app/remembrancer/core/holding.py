"""What of an agent's deeds passes by itself, what waits for the person, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable

from remembrancer.core.author import Access, Author
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.core.rules import Rule, Verdict

_USUAL = {Access.WRITE: Verdict.PASS, Access.PROPOSE: Verdict.HOLD, Access.READ: Verdict.REFUSE}
_HARDER = (Verdict.PASS, Verdict.HOLD, Verdict.REFUSE)


def asks(author: Author) -> bool:
    """Whether the deeds of an author have to be looked at one by one."""
    return not author.is_person and (author.access is not Access.WRITE or bool(author.rules))


def verdict(author: Author, lines: Iterable[JournalLine]) -> Verdict:
    """What becomes of a call that would leave these lines: the hardest verdict on any of them.

    The first rule that covers a line decides it; without one the author's access does. What changed
    nothing passes.
    """
    found = (_of(author, line) for line in lines if line.deed is not Deed.ATTEMPT)
    return max(found, key=_HARDER.index, default=Verdict.PASS)


def _of(author: Author, line: JournalLine) -> Verdict:
    rules = (r.verdict for r in author.rules if _covers(r, line))
    return next(rules, _USUAL[author.access])


def _covers(rule: Rule, line: JournalLine) -> bool:
    kept = line.snapshot or {}
    of_kind = line.subject is Subject.MEMORY and kept.get("kind") == rule.kind
    if rule.kind is not None and not of_kind:
        return False
    return rule.scope is None or kept.get("scope") == rule.scope
