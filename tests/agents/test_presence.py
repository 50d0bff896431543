"""A client is here from its first request until half an hour of silence."""

from __future__ import annotations

import pytest

from remembrancer.agents.presence import MOST, MOST_OF_ONE, SILENCE, Presence
from remembrancer.core.author import Access, Agent
from remembrancer.core.clock import SECOND


def agent(id: int, name: str) -> Agent:
    return Agent(id, name, "", "", Access.WRITE, "native", None, "en", None, None, None, None)


ANNA, BEN = agent(1, "anna"), agent(2, "ben")


class Hours:
    def __init__(self) -> None:
        self.at = 0

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def hours() -> Hours:
    return Hours()


@pytest.fixture
def presence(hours: Hours) -> Presence:
    return Presence(hours)


def here(presence: Presence) -> list[str]:
    return [f"{each.agent}: {each.client}" for each in presence.connected()]


def test_a_client_without_a_session_is_known_by_what_it_declares(presence: Presence) -> None:
    visit = presence.arrive(ANNA, "raven", "2")
    assert presence.arrive(ANNA, "raven", "2") is visit
    assert presence.arrive(BEN, "raven", "2") is not visit
    assert presence.arrive(ANNA, "crow", "") is not visit
    assert here(presence) == ["anna: raven 2", "ben: raven 2", "anna: crow"]


def test_a_session_is_found_by_its_own_agent_only(presence: Presence) -> None:
    visit = presence.open(b"key", ANNA)
    assert presence.find(b"key", ANNA) is visit
    assert presence.find(b"key", BEN) is None
    presence.close(b"key")
    assert presence.find(b"key", ANNA) is None


def test_a_silent_client_is_gone_after_half_an_hour(presence: Presence, hours: Hours) -> None:
    presence.arrive(ANNA, "raven", "")
    hours.at = SILENCE * SECOND
    assert here(presence) == ["anna: raven"]
    hours.at += 1
    assert here(presence) == []


def test_a_client_whose_request_is_open_stays(presence: Presence, hours: Hours) -> None:
    visit = presence.arrive(ANNA, "raven", "")
    with presence.request(visit):
        hours.at = 10 * SILENCE * SECOND
        assert here(presence) == ["anna: raven"]
    assert here(presence) == []


def test_no_more_are_kept_than_there_is_room_for(presence: Presence) -> None:
    for number in range(MOST + 10):
        presence.arrive(agent(number % 8, "raven"), f"{number}", "")
    assert len(here(presence)) == MOST
    assert here(presence)[0] == "raven: 10"


def test_an_agent_of_many_names_takes_no_room_from_others(presence: Presence) -> None:
    presence.arrive(BEN, "crow", "")
    for number in range(MOST + 10):
        presence.arrive(ANNA, f"raven {number}", "")
    assert len(here(presence)) == MOST_OF_ONE + 1
    assert here(presence)[0] == "ben: crow"
