"""Why a memory is due, and why it comes first, in the words of the window."""

from __future__ import annotations

from collections.abc import Sequence

from remembrancer.core.memory import Memory
from remembrancer.core.review import Reason
from remembrancer.core.risk import Cause, Factor
from remembrancer.desktop import words
from remembrancer.desktop.look.plain import translate
from remembrancer.service.review import Outlook

_SENTENCES = {
    Cause.CONTRADICTED: "contradicted under the same key ({0})",
    Cause.SERVED: "served to agents {0}×",
    Cause.EXPIRED: "expired {0} days ago",
    Cause.DOUBTED: "confidence {0} %",
    Cause.NEVER_VERIFIED: "never verified",
    Cause.ONLY_AN_AGENT: "verified by an agent, not by you",
    Cause.BINDING: "binding: agents follow it",
    Cause.AGE: "not verified for {0} days",
}

_SHORT = {
    Reason.EXPIRED: "Expired",
    Reason.OVERDUE: "Overdue",
    Reason.NOT_VERIFIED: "Never verified",
    Reason.LOW_CONFIDENCE: "Low confidence",
}


def ranking(factors: Sequence[Factor]) -> str:
    """The causes with their points: "Urgency 38: served to agents 14× (+22), …"."""
    total = round(sum(f.points for f in factors))
    told = ", ".join(_told(f) for f in factors if round(f.points))
    if not told:
        return translate("Why", "Nothing makes it more urgent than others.")
    return translate("Why", "Urgency {0}: {1}.").format(total, told)


def plan(outlook: Outlook) -> str:
    """What a decision does to the interval."""
    sentence = "Verified: asked again in {0} days. Corrected: in {1}. The interval is {2} days now."
    return translate("Why", sentence).format(outlook.confirmed, outlook.corrected, outlook.now)


def short(reason: Reason) -> str:
    """A reason in a word, where the dates beside it say the rest."""
    return translate("Why", _SHORT[reason])


def only_agent(memory: Memory) -> str:
    """That an agent alone verified a memory."""
    return translate("Why", "Verified by {0}, not by you").format(memory.verified_by)


def dates(memory: Memory, served: tuple[int, int] | None, now: int, *, verified: bool) -> str:
    """When a memory was written, verified and recalled: three dates that are easily confused.

    Where the reason beside them says that it never was `verified`, it is not said twice.
    """
    never = translate("Why", "never")
    written = words.age(memory.created_at, now)
    recalled = never if served is None else words.age(served[1], now)
    if not verified:
        return translate("Why", "written {0}, recalled {1}").format(written, recalled)
    checked = never if memory.verified_at is None else words.age(memory.verified_at, now)
    sentence = translate("Why", "written {0}, verified {1}, recalled {2}")
    return sentence.format(written, checked, recalled)


def _told(factor: Factor) -> str:
    said = translate("Why", _SENTENCES[factor.cause]).format(factor.amount)
    return translate("Why", "{0} (+{1})").format(said, round(factor.points))
