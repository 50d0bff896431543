"""Which backups stay as time goes by."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.clock import DAY, MINUTE
from remembrancer.core.thinning import (
    CHANGES,
    GRACE,
    NEWEST,
    OLDEST,
    PAUSE,
    Made,
    Why,
    is_due,
    staying,
    staying_texts,
)

NOON = int(datetime(2026, 6, 17, 12, tzinfo=UTC).timestamp()) * 1_000_000

made = st.builds(
    Made,
    st.integers(-400 * 24, 40 * 24).map(lambda hours: NOON + hours * DAY // 24),
    st.sampled_from(Why),
    st.integers(1, 3),
)
many = st.frozensets(made, max_size=80)


def day(text: str, why: Why = Why.TIME) -> Made:
    return Made(int(datetime.fromisoformat(text + "T12:00+00:00").timestamp()) * 1_000_000, why)


@given(many.filter(bool))
def test_the_newest_always_stays(backups: frozenset[Made]) -> None:
    past = [each for each in backups if each.at <= NOON]
    stay = staying(backups, NOON)
    for part in (past, list(backups - set(past))):
        if part:
            assert max(part, key=lambda each: (each.at, each.number)).at in {e.at for e in stay}
    newest = sorted(past, key=lambda each: (each.at, each.number), reverse=True)
    assert {e.at for e in newest[:NEWEST]} <= {e.at for e in stay}


@given(many)
def test_thinning_twice_is_thinning_once(backups: frozenset[Made]) -> None:
    once = staying(backups, NOON)
    assert once <= backups
    assert staying(once, NOON) == once
    texts = staying_texts(backups, NOON)
    assert staying_texts(texts, NOON) == texts


@given(many, many)
def test_files_from_the_future_push_nothing_out(
    past: frozenset[Made], other: frozenset[Made]
) -> None:
    past = frozenset(e for e in past if e.at <= NOON)
    future = frozenset(e for e in other if e.at > NOON)
    assert staying(past | future, NOON) & past == staying(past, NOON)


def test_a_year_of_hourly_backups_becomes_five_newest_seven_days_four_weeks_six_months() -> None:
    end = datetime(2026, 6, 17, 12, tzinfo=UTC)
    every = {
        Made(int((end - timedelta(hours=n)).timestamp()) * 1_000_000, Why.TIME)
        for n in range(365 * 24)
    }
    stay = sorted(
        (datetime.fromtimestamp(e.at / 1e6, UTC) for e in staying(every, NOON)), reverse=True
    )
    assert [f"{at:%m-%d %H}" for at in stay] == [
        "06-17 12", "06-17 11", "06-17 10", "06-17 09", "06-17 08",
        "06-16 23", "06-15 23", "06-14 23", "06-13 23", "06-12 23", "06-11 23",
        "06-07 23", "05-31 23", "04-30 23", "03-31 23", "02-28 23", "01-31 23",
    ]  # fmt: skip


def test_thinned_day_by_day_there_is_always_one_of_each_of_six_months() -> None:
    kept: frozenset[Made] = frozenset()
    for number in range(400):
        now = NOON + number * DAY
        kept = staying(kept | {Made(now, Why.TIME)}, now)
    months = {datetime.fromtimestamp(e.at / 1e6, UTC).strftime("%Y-%m") for e in kept}
    assert len(months) == 6
    assert len(kept) <= 22


def test_what_was_made_before_a_great_deed_stays_a_month() -> None:
    ordinary = {Made(NOON - n * MINUTE, Why.TIME) for n in range(9)}
    before = Made(NOON - 20 * MINUTE, Why.IMPORT)
    assert before in staying(ordinary | {before}, NOON)
    assert before in staying(ordinary | {before}, before.at + GRACE - 1)
    assert before not in staying(ordinary | {before}, before.at + GRACE)


def test_what_was_made_before_forgetting_goes_after_a_week_and_stands_for_no_day() -> None:
    ordinary = {day(f"2026-06-{n:02}") for n in range(12, 18)}
    forgotten = day("2026-06-10", Why.PURGE)
    assert forgotten in staying(ordinary | {forgotten}, day("2026-06-16").at)
    assert forgotten not in staying(ordinary | {forgotten}, day("2026-06-17").at)


def test_another_is_due_after_a_day_or_two_hundred_changes_and_only_when_something_changed() -> (
    None
):
    assert is_due(None, 0, NOON) is None
    assert is_due(NOON - 9 * DAY, 0, NOON) is None
    assert is_due(None, 1, NOON) is Why.TIME
    assert is_due(NOON - OLDEST + 1, 1, NOON) is None
    assert is_due(NOON - OLDEST, 1, NOON) is Why.TIME
    assert is_due(NOON - PAUSE, CHANGES - 1, NOON) is None
    assert is_due(NOON - PAUSE, CHANGES, NOON) is Why.CHANGES
    assert is_due(NOON - PAUSE + 1, CHANGES, NOON) is None


def test_a_backup_from_the_future_counts_as_old() -> None:
    assert is_due(NOON + DAY, 1, NOON) is Why.TIME
