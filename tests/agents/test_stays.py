"""A client goes on after its host was ended and started anew; nobody else goes on in its place."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import httpx2
import pytest

from agents.echo import BOUND, House
from agents.test_host import bounded, call, client_of, said
from remembrancer.agents import sessions
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON
from remembrancer.core.clock import DAY, SECOND
from remembrancer.core.stay import Stay
from remembrancer.service import stays
from remembrancer.service.library import Library

BY_PERSON: Any = {"author": PERSON, "origin": "window"}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raven", "version": "2.1"},
}


def post(url: str, token: str, session: str | None, method: str, **params: Any) -> httpx2.Response:
    headers = {
        "authorization": f"Bearer {token}",
        "accept": "application/json, text/event-stream",
        **({"mcp-session-id": session} if session else {}),
    }
    with httpx2.Client(headers=headers, timeout=BOUND) as client:
        return client.post(url, json=call(method, params))


def started_anew(house: House, port: int) -> tuple[Library, Host]:
    """What another process would have: a library and a host that share nothing with the former."""
    house.library.close()
    library = Library.open(house.library.path)
    house.library = library
    host = house.host()
    host.start(port)
    assert host.wait_until_ready(BOUND)
    return library, host


def ended(library: Library, host: Host) -> None:
    assert host.stop()
    library.close()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_of_either_era_survives_a_new_host_under_its_own_name(
    house: House, host: Host, mode: str
) -> None:
    async def go_on() -> None:
        async with client_of(host, house.token, mode) as client:
            assert (await said(client, "whoami")).startswith("raven 1")
            port = host.port or 0
            assert host.stop()
            library, second = started_anew(house, port)
            assert (await said(client, "whoami")).startswith("raven 1")
            assert await said(client, "echo", text="again") == "again"
            assert [each.client for each in second.connected()] == ["raven 2.1"]
        ended(library, second)

    bounded(go_on())


def test_a_session_is_known_again_before_its_first_call_and_keeps_its_own_name(
    house: House, host: Host
) -> None:
    opened = post(host.address or "", house.token, None, "initialize", **HELLO)
    session, port = opened.headers["mcp-session-id"], host.port or 0
    assert host.stop()
    library, second = started_anew(house, port)
    url = second.address or ""
    assert post(url, house.token, session, "tools/list").status_code == 200
    ended(library, second)


def test_a_remembered_session_is_of_use_to_its_own_agent_alone(house: House, host: Host) -> None:
    eve = house.library.agents.add("eve", **BY_PERSON)[1]
    opened = post(host.address or "", house.token, None, "initialize", **HELLO)
    session, port = opened.headers["mcp-session-id"], host.port or 0
    assert host.stop()
    library, second = started_anew(house, port)
    url = second.address or ""
    assert post(url, eve, session, "tools/list").status_code == 404
    assert post(url, "guess", session, "tools/list").status_code == 401
    assert post(url, house.token, session[:-1] + "x", "tools/list").status_code == 404
    assert post(url, house.token, session, "tools/list").status_code == 200
    library.agents.revoke(house.anna.id, **BY_PERSON)
    assert post(url, house.token, session, "tools/list").status_code == 401
    ended(library, second)


def test_a_client_that_said_goodbye_is_forgotten_for_good(house: House, host: Host) -> None:
    url, port = host.address or "", host.port or 0
    session = post(url, house.token, None, "initialize", **HELLO).headers["mcp-session-id"]
    headers = {"authorization": f"Bearer {house.token}", "mcp-session-id": session}
    assert httpx2.delete(url, headers=headers).status_code == 200
    assert post(url, house.token, session, "tools/list").status_code == 404
    assert host.stop()
    library, second = started_anew(house, port)
    assert post(url, house.token, session, "tools/list").status_code == 404
    ended(library, second)


def test_neither_a_session_nor_a_token_stands_in_the_file(house: House, host: Host) -> None:
    session = post(host.address or "", house.token, None, "initialize", **HELLO).headers[
        "mcp-session-id"
    ]
    assert host.stop()
    house.library.close()
    kept = b"".join(file.read_bytes() for file in every_file(house.library.path))
    assert hashlib.sha256(session.encode()).digest() in kept
    assert session.encode() not in kept
    assert house.token.encode() not in kept


def every_file(store: Path) -> list[Path]:
    return [file for file in store.parent.glob(f"{store.name}*") if file.is_file()]


@pytest.mark.parametrize("of_one", [True, False])
def test_where_too_many_sessions_are_held_the_most_silent_goes_on_without(
    house: House, host: Host, monkeypatch: pytest.MonkeyPatch, of_one: bool
) -> None:
    monkeypatch.setattr(sessions, "MOST_OF_ONE" if of_one else "MOST", 2)
    url = host.address or ""
    opened = [
        post(url, house.token, None, "initialize", **HELLO).headers["mcp-session-id"]
        for _ in range(4)
    ]
    assert [post(url, house.token, each, "tools/list").status_code for each in opened] == [200] * 4


# --- the desk


def stay(agent: int, at: int) -> Stay:
    return Stay(agent, "name", "raven", "1", at, at)


def settled(library: Library) -> None:
    """Once something was written, what was posted before is written too."""
    library.upkeep.tidy()


def test_a_stay_is_forgotten_after_a_week_of_silence(library: Library, clock: Any) -> None:
    library.stays.keep(b"session", stay(1, clock.at))
    settled(library)
    clock.advance(6.9)
    assert library.stays.find(b"session", 1) is not None
    assert library.stays.find(b"session", 2) is None
    clock.advance(0.2)
    assert library.stays.find(b"session", 1) is None


def test_so_many_stays_of_an_agent_are_kept_and_so_many_in_all(
    library: Library, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stays, "MOST_OF_ONE", 3)
    monkeypatch.setattr(stays, "MOST", 5)
    for number in range(8):
        library.stays.keep(b"%d" % number, stay(number % 2, clock.at + number * SECOND))
    settled(library)
    found = [n for n in range(8) if library.stays.find(b"%d" % n, n % 2)]
    assert found == [3, 4, 5, 6, 7]
    for number in range(8, 13):
        library.stays.keep(b"%d" % number, stay(7, clock.at + number * SECOND))
    settled(library)
    found = [n for n in range(13) if any(library.stays.find(b"%d" % n, a) for a in (0, 1, 7))]
    assert found == [6, 7, 10, 11, 12]
    assert DAY * 7 == stays.AGE
