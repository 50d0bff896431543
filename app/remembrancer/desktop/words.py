"""Times, reasons and deeds in the words of the window."""

from __future__ import annotations

from datetime import UTC, datetime

from remembrancer.core.clock import DAY, SECOND
from remembrancer.core.journal import Deed, JournalLine
from remembrancer.core.memory import Memory
from remembrancer.core.review import Reason
from remembrancer.desktop.look.plain import translate

_MINUTE, _HOUR = 60 * SECOND, 3_600 * SECOND
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def age(at: int, now: int) -> str:
    """How long ago, as short as a card wants it: "now", "5 m", "3 h", "94 d"."""
    passed = max(now - at, 0)
    if passed < _MINUTE:
        return translate("Words", "now")
    if passed < _HOUR:
        return translate("Words", "{0} m").format(passed // _MINUTE)
    if passed < DAY:
        return translate("Words", "{0} h").format(passed // _HOUR)
    return translate("Words", "{0} d").format(passed // DAY)


def moment(at: int, now: int) -> str:
    """When, as a list wants it: the time today, else the day, with the year when it is another."""
    then = datetime.fromtimestamp(at / SECOND, UTC).astimezone()
    today = datetime.fromtimestamp(now / SECOND, UTC).astimezone()
    day = f"{then.day} {_MONTHS[then.month - 1]}"
    if then.date() == today.date():
        return f"{then:%H:%M}"
    if then.year == today.year:
        return f"{day}, {then:%H:%M}"
    return f"{day} {then.year}"


def full_moment(at: int | None) -> str:
    """When, to the minute, with the year; a dash for never."""
    if at is None:
        return "—"
    then = datetime.fromtimestamp(at / SECOND, UTC).astimezone()
    return f"{then.day} {_MONTHS[then.month - 1]} {then.year}, {then:%H:%M}"


def due(memory: Memory, reason: Reason, now: int) -> str:
    """One reason of review as a sentence about this memory."""
    if reason is Reason.EXPIRED:
        days = (now - (memory.expires_at or now)) // DAY
        return translate("Words", "Expired {0} days ago").format(days)
    if reason is Reason.NOT_VERIFIED:
        return translate("Words", "Never verified")
    if reason is Reason.OVERDUE and memory.verified_at is not None:
        days = (now - memory.verified_at) // DAY
        return translate("Words", "Not verified for {0} days").format(days)
    if reason is Reason.OVERDUE:
        days = (now - memory.updated_at) // DAY
        return translate("Words", "Untouched for {0} days").format(days)
    return translate("Words", "Low confidence ({0} %)").format(round(memory.confidence * 100))


REASON_LOOK = {
    Reason.EXPIRED: ("bad", "hourglass"),
    Reason.NOT_VERIFIED: ("muted", "circle-help"),
    Reason.OVERDUE: ("warn", "hourglass"),
    Reason.LOW_CONFIDENCE: ("warn", "triangle-alert"),
}

# deed -> (icon, what happened, tone)
DEED_LOOK: dict[Deed, tuple[str, str, str]] = {
    Deed.REMEMBER: ("sparkles", "Remembered", "ok"),
    Deed.REVISE: ("pencil", "Revised", "muted"),
    Deed.VERIFY: ("circle-check", "Verified as still true", "ok"),
    Deed.ARCHIVE: ("archive", "Archived", "warn"),
    Deed.REVIVE: ("archive-restore", "Brought back", "ok"),
    Deed.POSTPONE: ("clock", "Put off", "muted"),
    Deed.SUPERSEDE: ("git-merge", "Superseded", "warn"),
    Deed.DELETE: ("trash-2", "Deleted", "bad"),
    Deed.RESTORE: ("rotate-ccw", "Restored", "ok"),
    Deed.PURGE: ("trash-2", "Forgotten for good", "bad"),
    Deed.CREATE_ENTITY: ("plus", "Entity created", "ok"),
    Deed.CHANGE_ENTITY: ("pencil", "Entity changed", "muted"),
    Deed.DELETE_ENTITY: ("trash-2", "Entity deleted", "bad"),
    Deed.RESTORE_ENTITY: ("rotate-ccw", "Entity restored", "ok"),
    Deed.SET_SCOPE: ("share-2", "Scope set", "muted"),
    Deed.RELATE: ("link", "Related", "ok"),
    Deed.UNRELATE: ("unlink", "Relation removed", "bad"),
    Deed.ADD_AGENT: ("bot", "Agent let in", "ok"),
    Deed.CHANGE_AGENT: ("bot", "Agent changed", "muted"),
    Deed.REVOKE_AGENT: ("circle-x", "Agent revoked", "bad"),
    Deed.ATTEMPT: ("circle-x", "Refused: nothing was changed", "warn"),
    Deed.PROPOSE: ("inbox", "Proposed, waiting for you", "muted"),
    Deed.ACCEPT: ("circle-check", "Proposal accepted", "ok"),
    Deed.REFUSE: ("circle-x", "Proposal refused", "warn"),
    Deed.KEEP_BOTH: ("copy-check", "Both kept as they are", "ok"),
    Deed.ASK_AGAIN: ("rotate-ccw", "To be asked about again", "muted"),
}


def deed(line: JournalLine) -> tuple[str, str, str]:
    """(icon, what happened, tone) of a journal line."""
    icon, text, tone = DEED_LOOK[line.deed]
    return icon, translate("Words", text), tone
