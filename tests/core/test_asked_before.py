"""What was fetched after a question comes first when the question is asked again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from remembrancer.core.asked_before import AskedBefore
from remembrancer.core.entity import Scope
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory, Status


def memory(number: int, content: str, tags: tuple[str, ...] = ()) -> Memory:
    return Memory(
        number, None, None, Scope.DEVICE, None, "", content, Kind.FACT, "", 0.5, False, None, None,
        None, None, None, 0, tags, Status.ACTIVE, None, None, None, None, "robin", 1, 0, 0,
    )  # fmt: skip


LAMP = memory(1, "Die Lampen am Leuchtturm blinken")
PUMP = memory(2, "The pump runs at night")


@pytest.fixture
def session() -> AskedBefore:
    return AskedBefore()


def test_the_same_words_in_any_order_and_case_lead_to_what_was_fetched(
    session: AskedBefore,
) -> None:
    session.asked("Lampe Leuchtturm")
    session.fetched([LAMP, PUMP])
    assert session.before("leuchtturm LAMPE lampe?") == (1,)
    assert session.before("lampe") == ()
    assert session.before("lampe leuchtturm nacht") == ()


def test_the_latest_fetched_comes_first(session: AskedBefore) -> None:
    session.asked("pump night")
    session.fetched([PUMP])
    session.fetched([memory(3, "another pump")])
    assert session.before("night pump") == (3, 2)


@pytest.mark.parametrize("query", ["the", "at", "12", "???", '"pump" OR night'])
def test_fillers_numbers_and_explicit_syntax_teach_nothing(
    session: AskedBefore, query: str
) -> None:
    session.asked(query)
    session.fetched([memory(2, "The pump at 12, the night"), LAMP])
    assert session.before(query) == ()


def test_a_tag_counts_as_text(session: AskedBefore) -> None:
    session.asked("nachtfrost")
    session.fetched([memory(4, "kalt", ("nachtfrost",))])
    assert session.before("nachtfrost") == (4,)


def test_without_a_question_nothing_is_linked(session: AskedBefore) -> None:
    session.fetched([LAMP])
    assert session.before("lampe") == ()


def test_only_the_last_eight_questions_wait(session: AskedBefore) -> None:
    session.asked("pump")
    for number in range(8):
        session.asked(f"topic{number}")
    session.fetched([PUMP])
    assert session.before("pump") == ()


def test_answers_are_bounded(session: AskedBefore) -> None:
    session.asked("pump")
    session.fetched([memory(n, "pump") for n in range(1, 200)])
    assert len(session.before("pump")) == 50


def test_many_threads_may_ask_and_fetch(session: AskedBefore) -> None:
    def work(number: int) -> None:
        session.asked(f"pump night {number % 3}")
        session.fetched([PUMP])
        session.before("pump")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(200)))
    assert session.before("pump night 1") == (2,)
