"""The bridge carries every line, outlives its host, and ends when its client does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from doors.playing import BOUND, Bridged, Played, alive, children, patiently
from remembrancer import __version__
from remembrancer.agents.lines import LONGEST_LINE
from remembrancer.doors import bridge
from remembrancer.doors.shortcut import DIRECT, over_the_bridge

LOST = {"code": -32000, "message": "Remembrancer restarted; call again."}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raven", "version": "1"},
}
HEAVY = (
    "argparse", "asyncio", "hashlib", "mcp", "peewee", "platformdirs", "pydantic", "subprocess",
    "remembrancer.core",
)  # fmt: skip


# --- which way to go


def asked_for(played: Played, words: list[str]) -> dict[str, Any] | None:
    """What a host that refuses everybody is told for these words, if anything."""
    hellos: list[dict[str, Any]] = []
    host = threading.Thread(target=lambda: hellos.append(played.take(ok=False)))
    host.start()
    assert over_the_bridge(words) is None
    played.wake()
    host.join(BOUND)
    return hellos[0] or None


def test_a_host_is_told_what_the_command_asks_for(played: Played, store_path: Path) -> None:
    words = ["--store", str(store_path), "mcp", "--scope=cellar", "--answer-budget", "none"]
    hello = asked_for(played, [*words, "--dialect", "memo", "--read-only", "--language", "de"])
    assert hello is not None
    assert hello.pop("pid") == os.getpid()
    assert hello == {
        "protocol": 1,
        "version": __version__,
        "store": str(store_path.resolve()),
        "agent": "stdio",
        "secret": "s",
        "policy": {
            "dialect": "memo",
            "language": "de",
            "readOnly": True,
            "scope": "cellar",
            "answerBudget": None,
        },
    }


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["serve"],
        ["mcp", "mcp"],
        ["mcp", "--help"],
        ["mcp", "--dial", "memo"],
        ["mcp", "--scope"],
        ["mcp", "--read-only=yes"],
        ["mcp", "--answer-budget", "few"],
        ["--read-only", "mcp"],
        ["recall", "mcp"],
    ],
)
def test_other_words_are_left_to_the_long_way(
    played: Played, store_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("REMEMBRANCER_STORE", str(store_path))
    assert asked_for(played, words) is None


def test_a_server_that_a_bridge_started_is_none(
    played: Played, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DIRECT, "1")
    assert asked_for(played, ["mcp", "--store", str(store_path)]) is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file modes")
@pytest.mark.parametrize("how", ["open", "link", "pipe", "nonsense", "folder"])
def test_a_file_that_is_not_this_users_alone_is_not_believed(
    played: Played, store_path: Path, tmp_path: Path, how: str
) -> None:
    said = played.file.read_text()
    played.file.unlink()
    if how == "open":
        played.file.write_text(said)
        played.file.chmod(0o644)
    elif how == "link":
        (tmp_path / "theirs").write_text(said)
        (tmp_path / "theirs").chmod(0o600)
        played.file.symlink_to(tmp_path / "theirs")
    elif how == "pipe":
        os.mkfifo(played.file, 0o600)
    elif how == "folder":
        played.file.mkdir(mode=0o700)
    else:
        played.file.write_text("[" * 4_000)
        played.file.chmod(0o600)
    assert asked_for(played, ["mcp", "--store", str(store_path)]) is None


def test_the_short_way_loads_nothing_slow() -> None:
    code = (
        "import sys, remembrancer.__main__, remembrancer.doors.shortcut as short\n"
        "assert short.over_the_bridge(['mcp', '--store', 'nowhere.db']) is None\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_line_is_too_long_for_the_bridge_where_it_is_for_the_server() -> None:
    assert bridge.LONGEST_LINE == LONGEST_LINE


# --- carrying


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
        b'{"jsonrpc":"2.0","id":"\xff"}',
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r',
        b'{"id":true,"method":"ping","params":5}',
    ],
)
def test_every_line_passes_unharmed(played: Played, bridged: Bridged, line: bytes) -> None:
    bridged.say(line)
    assert played.hear() == line
    played.say(line)
    assert bridged.hear() == line


def test_a_line_that_is_too_long_stays_so_and_the_next_one_is_whole(
    played: Played, bridged: Bridged
) -> None:
    bridged.say(b"x" * (3 * LONGEST_LINE))
    bridged.say(b"y" * LONGEST_LINE)
    assert len(played.hear()) > LONGEST_LINE
    assert played.hear() == b"y" * LONGEST_LINE


def test_much_can_be_under_way_in_both_directions(played: Played, bridged: Bridged) -> None:
    lines = [str(number).encode() * 20_000 for number in range(100)]
    for line in lines:
        bridged.say(line)
        assert played.hear() == line
        played.say(line)
        assert bridged.hear() == line


# --- a host that goes


def opened(played: Played, bridged: Bridged) -> None:
    bridged.tell("initialize", 1, **HELLO)
    assert played.heard()["method"] == "initialize"
    played.answer(1, serverInfo={})
    assert bridged.heard()["id"] == 1
    bridged.tell("notifications/initialized")
    assert played.heard()["method"] == "notifications/initialized"


def greeted_again(played: Played) -> bool:
    """Whether the handshake of `opened` is said again."""
    methods = ["initialize", "notifications/initialized"]
    return [played.heard()["method"] for _ in methods] == methods


def test_a_handshake_is_said_again_to_another_host_unseen(played: Played, bridged: Bridged) -> None:
    opened(played, bridged)
    played.hang_up()
    played.take()
    assert played.heard()["params"] == HELLO
    assert played.heard()["method"] == "notifications/initialized"
    played.answer(1, serverInfo={})
    bridged.tell("ping", 2)
    assert played.heard()["id"] == 2
    played.answer(2)
    assert bridged.heard() == {"jsonrpc": "2.0", "id": 2, "result": {}}


@pytest.mark.parametrize("id", [7, "seven", 'o"dd\\ü', -1])
def test_what_was_under_way_and_is_no_call_is_answered_as_lost(
    played: Played, bridged: Bridged, id: object
) -> None:
    bridged.tell("tools/list", 5)
    bridged.tell("tools/list", id)
    assert [played.heard()["id"] for _ in range(2)] == [5, id]
    played.answer(5)
    played.say(b'{"jsonrpc":"2.0","id":7,"resu', end=b"")
    played.hang_up()
    assert bridged.heard()["id"] == 5
    assert bridged.heard() == {"jsonrpc": "2.0", "id": id, "error": LOST}
    played.take()
    bridged.tell("tools/list", id)
    assert played.heard()["id"] == id


# --- calls that are sent again


def key_in(message: dict[str, Any]) -> str:
    return message["params"]["_meta"]["remembrancer/idempotency-key"]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": "remember", "arguments": {"text": "ä 😀 \\n"}},
        {"_meta": {}, "name": "remember"},
        {"arguments": {"_meta": {"params": {}}, "params": {"_meta": {}}}, "_meta": {"a": [1]}},
        {"arguments": {"text": '"params":{ "_meta":{'}},
    ],
)
def test_a_call_gets_a_key_and_is_otherwise_as_the_client_said_it(
    played: Played, bridged: Bridged, params: dict[str, Any]
) -> None:
    bridged.tell("tools/call", 1, **params)
    heard = played.heard()
    assert len(key_in(heard)) == 32
    heard["params"]["_meta"].pop("remembrancer/idempotency-key")
    assert heard["params"] == {**params, "_meta": params.get("_meta", {})}


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":5}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":1,"a":2}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","par\\u0061ms":{}}',
        b'{"jsonrpc":"2.0","method":"tools/call","params":{}}',
        b'{"jsonrpc":"2.0","id":1,"method":"other","params":{"a":"tools/call"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
        b'{"_meta":{"remembrancer/idempotency-key":"mine"}}}',
    ],
)
def test_a_call_that_is_strange_or_has_a_key_passes_unharmed(
    played: Played, bridged: Bridged, line: bytes
) -> None:
    bridged.say(line)
    assert played.hear() == line


def test_a_call_under_way_is_sent_again_under_the_same_key(
    played: Played, bridged: Bridged
) -> None:
    opened(played, bridged)
    bridged.tell("tools/call", 2, name="remember")
    first = played.heard()
    played.hang_up()
    played.take()
    assert greeted_again(played)
    assert played.heard() == first
    played.answer(1)
    played.answer(2, content=[])
    assert bridged.heard() == {"jsonrpc": "2.0", "id": 2, "result": {"content": []}}
    bridged.tell("tools/call", 3, name="remember")
    assert key_in(played.heard()) != key_in(first)


def test_a_call_that_was_cancelled_is_not_sent_again(played: Played, bridged: Bridged) -> None:
    bridged.tell("tools/call", 2)
    bridged.tell("notifications/cancelled", requestId=2)
    assert [played.heard()["method"] for _ in range(2)] == ["tools/call", "notifications/cancelled"]
    played.hang_up()
    played.take()
    bridged.tell("ping", 3)
    assert played.heard()["id"] == 3


def test_a_call_that_ends_every_server_is_given_up(played: Played, bridged: Bridged) -> None:
    bridged.tell("tools/call", 2)
    keys = set[str]()
    for _ in range(3):
        keys.add(key_in(played.heard()))
        played.hang_up()
        played.take()
    assert bridged.heard() == {"jsonrpc": "2.0", "id": 2, "error": LOST}
    assert len(keys) == 1
    bridged.tell("ping", 3)
    assert played.heard()["id"] == 3


def test_a_handshake_under_way_is_not_lost_but_said_again(played: Played, bridged: Bridged) -> None:
    bridged.tell("initialize", 1, **HELLO)
    played.hear()
    played.hang_up()
    played.take()
    assert played.heard()["method"] == "initialize"
    played.answer(1, serverInfo={})
    assert bridged.heard()["id"] == 1


def test_a_standing_subscription_is_renewed(played: Played, bridged: Bridged) -> None:
    opened(played, bridged)
    for id, method, uri in (
        (2, "resources/subscribe", "memory://a"),
        (3, "resources/subscribe", "memory://b"),
        (4, "resources/unsubscribe", "memory://a"),
    ):
        bridged.tell(method, id, uri=uri)
        played.answer(played.heard()["id"])
        assert bridged.heard()["id"] == id
    played.hang_up()
    played.take()
    assert greeted_again(played)
    renewed = played.heard()
    assert (renewed["method"], renewed["params"]) == ("resources/subscribe", {"uri": "memory://b"})
    played.answer(1)
    played.answer(renewed["id"])
    played.say(b'{"jsonrpc":"2.0","method":"told"}')
    assert bridged.heard()["method"] == "told"


def test_what_the_client_says_meanwhile_waits_for_the_next_host(
    played: Played, bridged: Bridged
) -> None:
    bridged.tell("ping", 0)
    played.hear()
    played.vanish()
    assert bridged.heard()["error"] == LOST
    for number in range(1, 20):
        bridged.tell("ping", number)
    played.appear()
    played.take()
    assert [played.heard()["id"] for _ in range(1, 20)] == [*range(1, 20)]


def test_several_hosts_may_come_and_go(played: Played, bridged: Bridged) -> None:
    opened(played, bridged)
    for number in range(2, 6):
        played.hang_up()
        played.take()
        assert greeted_again(played)
        played.answer(1)
        bridged.tell("ping", number)
        assert played.heard()["id"] == number
        played.answer(number)
        assert bridged.heard()["id"] == number


# --- a server of its own


def test_a_host_that_refuses_leaves_the_store_to_a_server_of_ones_own(
    played: Played, store_path: Path
) -> None:
    client = Bridged(store_path)
    played.take(ok=False, error="This host is another release.")
    client.tell("initialize", 1, **HELLO)
    assert client.heard()["result"]["serverInfo"]["name"] == "remembrancer"
    assert children(client.process.pid) == []
    assert client.hang_up() == 0


def test_where_no_host_comes_back_a_server_of_its_own_goes_on_and_ends_with_it(
    played: Played, bridged: Bridged
) -> None:
    opened(played, bridged)
    bridged.tell("tools/call", 2, name="nothing")
    played.hear()
    played.hang_up()
    played.take(ok=False, error="This host is another release.")
    played.hang_up()
    bridged.tell("tools/list", 3)
    assert {bridged.heard()["id"] for _ in range(2)} == {2, 3}
    (own,) = children(bridged.process.pid)
    assert bridged.hang_up() == 0
    assert not alive(own)


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_bridge_that_is_killed_leaves_no_server_behind(played: Played, bridged: Bridged) -> None:
    played.vanish()
    bridged.tell("ping", 1)
    answer = bridged.heard()
    if "error" in answer:  # it was on its way when the host went
        bridged.tell("ping", 2)
        answer = bridged.heard()
    assert "result" in answer
    (own,) = children(bridged.process.pid)
    bridged.process.send_signal(signal.SIGKILL)
    assert patiently(lambda: not alive(own))


def test_a_server_of_its_own_that_may_not_serve_ends_the_bridge(
    played: Played, bridged: Bridged, store_path: Path
) -> None:
    played.vanish()
    store_path.write_bytes(b"these are my notes " * 1_000)
    bridged.tell("ping", 1)
    assert json.loads(bridged.hear())["error"] == LOST
    assert bridged.process.wait(30) == 1
    assert bridged.process.stderr is not None
    assert bridged.process.stderr.read().startswith(b"remembrancer: ")


# --- the end


def test_the_last_answers_still_come_and_then_it_ends(played: Played, bridged: Bridged) -> None:
    bridged.tell("ping", 1)
    bridged.process.stdin.close()  # type: ignore[union-attr]
    assert played.heard()["id"] == 1
    assert played.hear() == b""
    played.answer(1)
    played.hang_up()
    assert bridged.heard()["id"] == 1
    assert bridged.process.wait(30) == 0


def test_it_ends_although_its_host_does_not(played: Played, bridged: Bridged) -> None:
    bridged.tell("ping", 1)
    assert bridged.hang_up() == 0


def test_it_ends_while_there_is_no_host(played: Played, bridged: Bridged) -> None:
    played.vanish()
    assert bridged.hang_up() == 0


def test_it_ends_when_nobody_reads_its_answers(played: Played, bridged: Bridged) -> None:
    assert bridged.process.stdout is not None
    bridged.process.stdout.close()
    played.say(b"hello")
    assert bridged.process.wait(30) == 0
