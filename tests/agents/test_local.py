"""The host's door for local clients: private, short of words with strangers, one policy for all."""

from __future__ import annotations

import json
import os
import queue
import socket
import stat
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.echo import BOUND, Echo, House
from agents.test_stdio import HELLO, MODERN, NO_JSON, PARSE_ERROR
from doors.playing import patiently
from remembrancer import __version__, places
from remembrancer.agents.host import Host
from remembrancer.agents.local_terms import PROTOCOL
from remembrancer.core.author import PERSON, Access
from remembrancer.doors.bridge import Refused
from remembrancer.doors.links import Link, host_at

JOURNAL = "memory://journal"
BY_PERSON: Any = {"author": PERSON, "origin": "window"}
POLICY = {
    "dialect": "native",
    "language": "en",
    "readOnly": False,
    "scope": None,
    "answerBudget": 100_000,
}

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has neither such sockets nor modes")


def hello(house: House, **other: Any) -> dict[str, Any]:
    said = {"protocol": PROTOCOL, "version": __version__, "store": str(house.library.path)}
    return {**said, "agent": "stdio", "pid": 1, "policy": POLICY, **other}


def policy(**other: Any) -> dict[str, Any]:
    return {"policy": {**POLICY, **other}}


def told(house: House) -> dict[str, Any]:
    return json.loads(places.host_file(house.library.path).read_text())


class Guest:
    """A local client that was let in."""

    def __init__(self, house: House, **other: Any) -> None:
        link = host_at(str(places.host_file(house.library.path)), hello(house, **other))
        assert link is not None, "there is no host"
        self.link: Link = link
        self.answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self._id = 0
        self.modern = False

    def _read(self) -> None:
        for line in self.link.lines():
            self.answers.put(json.loads(line))
        self.answers.put(None)

    def open(self, era: str = "2025") -> Guest:
        self.modern = era == "2026"
        if not self.modern:
            self.ask("initialize", **HELLO)
            self.tell("notifications/initialized")
        return self

    def tell(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> None:
        params = {**(params or {}), **({"_meta": MODERN} if self.modern else {})}
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.link.send(json.dumps(message).encode() + b"\n")

    def answer(self) -> dict[str, Any]:
        answer = self.answers.get(timeout=BOUND)
        assert answer is not None, "the host hung up"
        return answer

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._id += 1
        self.tell(method, params, id=self._id)
        answer = self.answer()
        assert answer["id"] == self._id
        return answer

    def say(self, tool: str, **arguments: Any) -> str:
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        return answer["result"]["content"][0]["text"]

    def leave(self) -> None:
        self.link.cut()
        self._reader.join(BOUND)
        self.link.close()


@pytest.fixture
def ready(host: Host) -> Host:
    assert host.wait_until_ready(BOUND)
    return host


@pytest.fixture
def guest(house: House, ready: Host) -> Iterator[Guest]:
    guest = Guest(house)
    yield guest
    guest.leave()


eras = pytest.mark.parametrize("era", ["2025", "2026"])


# --- the way in


@posix
def test_the_way_in_is_this_users_alone_and_goes_with_the_host(house: House, host: Host) -> None:
    assert host.wait_until_ready(BOUND)
    file, path = places.host_file(house.library.path), Path(told(house)["socket"])
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (file, path, path.parent)]
    assert modes == [0o600, 0o600, 0o700]
    host.stop()
    assert not file.exists()
    assert not path.exists()


@posix
def test_a_folder_that_is_a_link_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "remembrancer").symlink_to(tmp_path / "theirs")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert places.socket_folder() == tmp_path / f"remembrancer-{os.getuid()}"


@posix
def test_a_folder_of_ours_that_stood_open_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "remembrancer").mkdir(mode=0o755)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert places.socket_folder() == tmp_path / "remembrancer"
    assert stat.S_IMODE((tmp_path / "remembrancer").stat().st_mode) == 0o700


@posix
def test_a_link_beside_the_store_is_replaced_and_not_followed(house: House, tmp_path: Path) -> None:
    theirs = tmp_path / "letter"
    theirs.write_text("mine")
    places.host_file(house.library.path).symlink_to(theirs)
    host = house.host()
    host.start()
    assert host.wait_until_ready(BOUND)
    assert "run" in told(house)
    assert host.stop()
    assert theirs.read_text() == "mine"


def test_the_newest_host_has_the_place_and_an_older_one_leaves_it_alone(
    house: House, ready: Host
) -> None:
    second = house.host()
    second.start()
    assert second.wait_until_ready(BOUND)
    mark = told(house)
    assert ready.stop()
    assert told(house) == mark
    guest = Guest(house).open()
    assert guest.say("echo", text="hi") == "hi"
    guest.leave()
    assert second.stop()


@pytest.fixture
def ported(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host without a folder for a socket: a path this long is none."""
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    host = house.host()
    host.start()
    assert host.wait_until_ready(BOUND)
    yield host
    assert host.stop()


@eras
@pytest.mark.usefixtures("ported")
def test_where_there_is_no_socket_a_port_with_a_secret_serves(house: House, era: str) -> None:
    assert {"port", "secret", "proof"} <= told(house).keys()
    guest = Guest(house).open(era)
    assert guest.say("echo", text="hi") == "hi"
    guest.leave()


@pytest.mark.usefixtures("ported")
@pytest.mark.parametrize("secret", ["", "guess", "\ud800"])
def test_a_port_is_closed_to_whoever_does_not_know_the_secret(house: House, secret: str) -> None:
    answer = spoken(told(house), json.dumps(hello(house, secret=secret)).encode())
    assert answer == b'{"ok": false, "error": "The secret is wrong."}\n'


@pytest.mark.usefixtures("ported")
def test_a_program_that_took_over_the_port_is_not_taken_for_the_host(house: House) -> None:
    file = places.host_file(house.library.path)
    places.write_private(file, json.dumps({**told(house), "proof": "another"}))
    assert host_at(str(file), hello(house)) is None


def spoken(where: dict[str, Any], line: bytes) -> bytes:
    """All that a host says to somebody who sends this line."""
    if "socket" in where:
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(where["socket"])
    else:
        peer = socket.create_connection(("127.0.0.1", where["port"]))
    with peer:
        peer.settimeout(BOUND)
        peer.sendall(line + b"\n")
        with peer.makefile("rb") as answers:
            return answers.read()


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"[" * 60_000,
        b"{}",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b" " * 70_000 + b"{}",
        b"x" * 9_000_000,
    ],
)
def test_who_does_not_say_hello_is_told_nothing(house: House, line: bytes) -> None:
    try:
        answer = spoken(told(house), line)
    except ConnectionError:  # hung up before it could say it all
        return
    assert json.loads(answer)["ok"] is False
    assert b"memories" not in answer


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    "other",
    [
        {"version": "0.0.1"},
        {"protocol": 0},
        {"store": "/elsewhere.db"},
        {"agent": "anna"},
        policy(dialect="klingon"),
        policy(language="fr"),
        policy(readOnly=1),
        policy(scope="\ud800"),
        policy(scope=""),
        policy(answerBudget=0),
        {"policy": None},
    ],
)
def test_a_hello_that_does_not_fit_is_refused(house: House, other: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        Guest(house, **other)


def test_who_is_slow_to_say_hello_is_hung_up_on(
    house: House, ready: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remembrancer.agents.local.SLOWEST_HELLO", 0.05)
    where = told(house)
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(BOUND)
        peer.connect(where["socket"])
        assert b'"ok": false' in peer.recv(1_000)


def test_only_so_many_come_in(house: House, guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remembrancer.agents.local.MOST", 1)
    with pytest.raises(Refused):
        Guest(house)
    assert guest.open().say("echo", text="still") == "still"


# --- what is served


@eras
def test_a_guest_is_served_as_on_stdio(house: House, guest: Guest, era: str) -> None:
    guest.open(era)
    agent = house.library.agents.named("stdio")
    assert agent is not None
    assert guest.say("whoami") == f"raven {agent.id} write en"
    assert guest.say("half") == "a?b"


@eras
def test_lines_that_are_no_json_are_answered_and_end_nothing(guest: Guest, era: str) -> None:
    guest.open(era)
    for line in NO_JSON:
        guest.link.send(line + b"\n")
        assert guest.answer()["error"]["code"] == PARSE_ERROR
        assert guest.say("echo", text="still") == "still"


def test_the_last_line_needs_no_end_and_is_answered(guest: Guest) -> None:
    guest.link.send(b'{"jsonrpc":"2.0","id":7,"method":"ping"}')
    guest.link.finish()
    assert guest.answer()["id"] == 7
    assert guest.answers.get(timeout=BOUND) is None


@eras
def test_a_call_under_way_is_answered_when_the_host_stops(
    house: House, ready: Host, era: str
) -> None:
    guest = Guest(house).open(era)
    guest.tell("tools/call", {"name": "wait", "arguments": {}}, id=9)
    assert house.made[0].waiting.wait(BOUND)
    stopping = threading.Thread(target=ready.stop)
    stopping.start()
    house.made[0].go_on.set()
    assert guest.answer()["result"]["content"][0]["text"] == "went on"
    assert guest.answers.get(timeout=BOUND) is None
    stopping.join(BOUND)
    guest.leave()


def test_two_guests_of_one_name_are_each_told_of_changes(house: House, ready: Host) -> None:
    guests = [Guest(house).open(), Guest(house).open()]
    for guest in guests:
        guest.ask("resources/subscribe", uri=JOURNAL)
    guests[1].ask("resources/unsubscribe", uri=JOURNAL)
    guests[1].ask("resources/subscribe", uri=JOURNAL)
    house.remember("thing")
    assert [guest.answer()["params"]["uri"] for guest in guests] == [JOURNAL, JOURNAL]
    assert [(each.agent, each.client) for each in ready.connected()] == [("stdio", "raven 1")] * 2
    for guest in guests:
        guest.leave()


def test_a_guest_is_here_for_as_long_as_it_is_connected(house: House, ready: Host) -> None:
    guest = Guest(house).open()
    assert guest.say("echo", text="hi") == "hi"
    assert [each.client for each in ready.connected()] == ["raven 1"]
    guest.leave()
    assert patiently(lambda: not ready.connected())


# --- one policy


def test_flags_narrow_what_the_agent_may(house: House, ready: Host) -> None:
    guest = Guest(house, **policy(readOnly=True, language="de", scope="cellar")).open()
    assert guest.say("whoami").endswith(" read de")
    assert guest.ask("resources/read", uri=JOURNAL)["error"]["message"] == "Resource not found"
    guest.leave()


def test_what_the_person_changes_counts_from_the_next_message_on(
    house: House, guest: Guest
) -> None:
    guest.open()
    assert guest.say("writers_only") == "written"
    agent = house.library.agents.named("stdio")
    assert agent is not None
    house.library.agents.change(
        agent.id, access=Access.READ, dialect="native", entity="cellar", **BY_PERSON
    )
    assert guest.say("whoami").endswith(" read en")
    with pytest.raises(Refused):
        Guest(house, **policy(scope="attic"))
    Guest(house, **policy(scope="cellar")).leave()
    house.library.agents.revoke(agent.id, **BY_PERSON)
    assert guest.ask("tools/list")["error"]["message"] == (
        "The agent 'stdio' was revoked; `remembrancer agent add stdio` lets it in again."
    )
    with pytest.raises(Refused):
        Guest(house)
    house.library.agents.add("stdio", **BY_PERSON)
    assert guest.say("echo", text="again") == "again"


def test_another_dialect_is_spoken_where_it_is_asked_for(house: House, ready: Host) -> None:
    guest = Guest(house, **policy(dialect="memo")).open()
    assert guest.say("echo", text="hi") == "hi"
    assert isinstance(house.made[1], Echo)
    guest.leave()
