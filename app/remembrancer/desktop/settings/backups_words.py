"""What is said of backups: why each was made, its size, what was done since, how they are."""

from __future__ import annotations

from remembrancer.core.clock import DAY, MINUTE
from remembrancer.core.thinning import Why
from remembrancer.desktop import words
from remembrancer.desktop.look.plain import number, translate
from remembrancer.service.backups import BackupState, Since
from remembrancer.service.backups_folder import Backup

_REASONS = {
    Why.HAND: "By hand",
    Why.TIME: "Daily",
    Why.CHANGES: "After many changes",
    Why.MIGRATION: "Before an update",
    Why.IMPORT: "Before an import",
    Why.RESTORE: "Before putting back",
    Why.DELETION: "Many deletions",
    Why.PURGE: "Before forgetting",
}
_UNITS = ("B", "kB", "MB", "GB", "TB")
_HOUR = 60 * MINUTE


def reason(why: Why) -> str:
    """Why a backup was made."""
    return translate("Backups", _REASONS[why])


def memories(backup: Backup) -> str:
    """How many memories a backup holds."""
    return (
        translate("Backups", "unreadable") if backup.look is None else number(backup.look.memories)
    )


def size(count: int) -> str:
    """A number of bytes in the largest unit that leaves a whole number."""
    shown, unit = float(count), 0
    while shown >= 1_000 and unit < len(_UNITS) - 1:
        shown, unit = shown / 1_000, unit + 1
    digits = 1 if unit > 1 and shown < 10 else 0
    return f"{shown:.{digits}f} {_UNITS[unit]}"


def state(found: BackupState, now: int) -> tuple[str, str, str]:
    """(icon, tone, sentence) of how the backups are."""
    if found.busy:
        return "hourglass", "muted", translate("Backups", "Backing up…")
    if found.last_at is None and found.next_at is None:
        told = translate("Backups", "None yet: there is nothing to back up.")
        return "circle", "faint", told
    if found.last_at is None:
        return "circle", "warn", translate("Backups", "None yet; the first is made in a moment.")
    age = _ago(found.last_at, now)
    if found.next_at is None:
        told = translate("Backups", "Last backup: {0}. Nothing changed since.")
        return "circle-check", "ok", told.format(age)
    told = translate("Backups", "Last backup: {0}. The next: in {1} at the latest.")
    return "circle-check", "ok", told.format(age, _left(found.next_at - now))


def question(backup: Backup) -> str:
    """What is asked before a backup is put back."""
    asked = translate("Backups", "Put back the backup of {0}?")
    return asked.format(words.full_moment(backup.at))


def consequence(backup: Backup, since: Since | None) -> str:
    """What happens when it is put back, and what would no longer be there."""
    return "\n\n".join((_undone(since), _holds(backup), translate(
        "Backups", "The window closes the store, puts the backup in its place and opens it again. "
        "The present store is kept beside it and as a backup of its own, so this can be reversed. "
        "Agents have to connect again.",
    )))  # fmt: skip


def done(backup: Backup) -> str:
    """What is said once it was put back."""
    told = translate("Backups", "The store is what the backup of {0} holds.")
    return told.format(words.full_moment(backup.at))


def _holds(backup: Backup) -> str:
    return translate("Backups", "Memories in the backup: {0}.").format(memories(backup))


def _undone(since: Since | None) -> str:
    if since is None:
        return translate(
            "Backups", "It is of another store: everything that is here now gives way."
        )
    if since == Since(0, 0, 0):
        return translate("Backups", "No memory was added, changed or removed since.")
    told = translate("Backups", "Memories since then: {0} added, {1} changed, {2} removed.")
    return told.format(number(since.added), number(since.changed), number(since.removed))


def _ago(at: int, now: int) -> str:
    age = words.age(at, now)
    return age if age == words.age(now, now) else translate("Backups", "{0} ago").format(age)


def _left(span: int) -> str:
    if span < _HOUR:
        return translate("Words", "{0} m").format(max(span // MINUTE, 1))
    return translate("Words", "{0} h").format(min(span, DAY) // _HOUR)
