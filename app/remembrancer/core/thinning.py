"""Which backups stay: the newest ones, then one a day, a week and a month, fewer the older."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from remembrancer.core.clock import DAY, MINUTE, SECOND

NEWEST, DAILY, WEEKLY, MONTHLY = 5, 7, 4, 6
GRACE = 30 * DAY  # what was made before something great happened is often missed late
FORGOTTEN = 7 * DAY  # and what holds words that were to be forgotten goes soon
OLDEST = DAY  # a changed store has a backup that is no older
CHANGES = 200  # lines of the journal after which there is another
PAUSE = 5 * MINUTE  # at least, between two that are made for the number of changes


class Why(StrEnum):
    """What a backup was made for; `HAND` is the person's wish."""

    HAND = ""
    TIME = "daily"
    CHANGES = "changes"
    MIGRATION = "migration"
    IMPORT = "import"
    RESTORE = "restore"
    DELETION = "deletion"
    PURGE = "purge"


_GREAT = frozenset({Why.MIGRATION, Why.IMPORT, Why.RESTORE, Why.DELETION})


@dataclass(frozen=True, slots=True)
class Made:
    """One backup: when (microseconds UTC) and why, and the how manieth of that moment."""

    at: int
    why: Why = Why.HAND
    number: int = 1


def staying(backups: Iterable[Made], now: int) -> frozenset[Made]:
    """Those that stay: 5 newest, the newest of each of 7 days, 4 weeks and 6 months (UTC).

    Besides, the newest one before a migration, an import, a restore and a great deletion stays for
    30 days. One that was made before a memory was forgotten for good stays for 7 days, or while it
    is among the 5 newest, and stands for no day, week or month. Backups from the future, which a
    clock that was wrong has left, are counted apart, so that they push out nothing.
    """
    made = sorted(backups, key=_order, reverse=True)
    past = [each for each in made if each.at <= now]
    future = [each for each in made if each.at > now]
    return frozenset(_generations(past, now) | _generations(future, now))


def staying_texts(texts: Iterable[Made], now: int) -> frozenset[Made]:
    """Those text exports that stay: the newest of each of 4 weeks and 6 months (UTC)."""
    made = sorted(texts, key=_order, reverse=True)
    stay: set[Made] = set()
    for part in ([e for e in made if e.at <= now], [e for e in made if e.at > now]):
        stay |= _first_of(part, _week, WEEKLY) | _first_of(part, _month, MONTHLY)
    return frozenset(stay)


def is_due(made_at: int | None, changes: int, now: int) -> Why | None:
    """Why another backup is due now, if it is.

    `made_at` is the newest one's time, those from the future aside; None where there is none.
    `changes` are the journal's lines since.
    """
    if changes <= 0:
        return None
    if made_at is None or made_at > now or now - made_at >= OLDEST:
        return Why.TIME
    return Why.CHANGES if changes >= CHANGES and now - made_at >= PAUSE else None


def _generations(made: Sequence[Made], now: int) -> set[Made]:
    """Of backups sorted from the newest: those that stay."""
    lasting = [each for each in made if each.why is not Why.PURGE]
    return {
        *made[:NEWEST],
        *_first_of(lasting, _day, DAILY),
        *_first_of(lasting, _week, WEEKLY),
        *_first_of(lasting, _month, MONTHLY),
        *_before_great_deeds(made, now),
        *(e for e in made if e.why is Why.PURGE and now - e.at < FORGOTTEN),
    }


def _first_of(made: Sequence[Made], span: Callable[[int], object], most: int) -> set[Made]:
    """The newest of each of the `most` newest spans that have one."""
    found: dict[object, Made] = {}
    for each in made:
        key = span(each.at)
        if key not in found and len(found) < most:
            found[key] = each
    return set(found.values())


def _before_great_deeds(made: Sequence[Made], now: int) -> set[Made]:
    found: dict[Why, Made] = {}
    for each in made:
        if each.why in _GREAT and now - each.at < GRACE:
            found.setdefault(each.why, each)
    return set(found.values())


def _order(made: Made) -> tuple[int, int]:
    return made.at, made.number


def _day(at: int) -> object:
    return _utc(at).date()


def _week(at: int) -> object:
    return _utc(at).isocalendar()[:2]


def _month(at: int) -> object:
    then = _utc(at)
    return then.year, then.month


def _utc(at: int) -> datetime:
    return datetime.fromtimestamp(at / SECOND, UTC)
