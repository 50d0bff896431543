"""The bridge: lines between a client's pipes and whoever serves the store, who may come and go.

Standard library only, and of that only what loads fast: a client waits for it to start.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from remembrancer.doors.ending import when_parent_ends
from remembrancer.doors.repeatable import repeatable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from remembrancer.doors.links import Link

PATIENCE = 4.0  # seconds in which another host may come before a server of our own is started
LAST_ANSWERS = 1.4  # seconds for the last answers once the client has hung up
LONGEST_LINE = 1 << 20  # bytes; a longer one is cut there, and its server refuses what is left
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.25  # seconds between two looks for a host
_MOST_WAITING = 2 * LONGEST_LINE  # bytes of the client that wait for a server
_MOST_REPEATED = 4 * LONGEST_LINE  # bytes of calls that could be sent again
_TRIES = 3  # servers that are sent one call: it may be what ended the last one
_LOST = "Remembrancer restarted; call again."
_ANSWER = re.compile(rb'\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?[0-9]+),"(?:result|error)":')

Id = str | int


class Bridge:
    """Serves one client over a link until it hangs up.

    `find` gives a link to a host or None, or raises Refused; `start` one to a server of our own.
    Three threads: one reads the client, one writes to the link, and the caller's reads the link.
    """

    def __init__(self, link: Link, find: Callable[[], Link | None], start: Callable[[], Link]):
        self._link: Link | None = link
        self._find = find
        self._start = start
        self._own = False
        self._talk = Conversation()
        self._replay: deque[bytes] = deque()
        self._waiting: deque[bytes | None] = deque()  # None is the end
        self._weight = 0  # bytes that wait
        self._changed = threading.Condition()
        self._hung_up = threading.Event()

    def serve(self) -> int:
        """Carry lines until the end; returns the exit code."""
        for work in (self._read_client, self._write_link):
            threading.Thread(target=work, daemon=True).start()
        when_parent_ends(lambda: os._exit(0))  # nobody is left to be told anything
        link = self._link
        try:
            while link is not None:
                self._carry(link)
                link = self._next(link)
        except OSError:  # the client reads no more
            return 0
        return 0 if self._hung_up.is_set() else 1

    def _carry(self, link: Link) -> None:
        for line in link.lines():
            with self._changed:
                shown = self._talk.answered(line)
            if shown:
                _write(1, line)

    def _next(self, broken: Link) -> Link | None:
        """The link after one that broke, or None at the end."""
        with self._changed:
            self._link = None
            self._replay.clear()
            lost = self._talk.lost()
        broken.close()
        for line in lost:
            _write(1, line)
        link = self._another()
        if link is None:
            self._give_up()
            return None
        with self._changed:
            self._replay.extend(self._talk.again())
            self._link = link
            self._changed.notify_all()
        return link

    def _another(self) -> Link | None:
        if self._own:  # a server of our own ends only with us, or because it cannot serve
            return None
        deadline, pause = time.monotonic() + PATIENCE, _FIRST_PAUSE
        while time.monotonic() < deadline and not self._hung_up.is_set():
            try:
                link = self._find()
            except Refused:
                break
            if link is not None:
                return link
            self._hung_up.wait(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        if self._hung_up.is_set():
            return None
        self._own = True
        with suppress(OSError):
            return self._start()
        return None

    def _give_up(self) -> None:
        with self._changed:
            for line in self._waiting:
                if line is not None:
                    self._talk.sent(line)
            lost = self._talk.lost(every=True)
        for line in lost:
            _write(1, line)

    # --- in the thread that reads the client

    def _read_client(self) -> None:
        for line in _lines(0):
            with self._changed:
                self._changed.wait_for(lambda: self._weight < _MOST_WAITING)
                self._waiting.append(line)
                self._weight += len(line)
                self._changed.notify_all()
        self._hung_up.set()
        with self._changed:
            self._waiting.append(None)
            self._changed.notify_all()
        time.sleep(LAST_ANSWERS)
        with self._changed:
            link = self._link
        if link is not None:
            link.cut()

    # --- in the thread that writes to the link

    def _write_link(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._link and (self._replay or self._waiting))
                link, line = self._link, self._taken()
                self._changed.notify_all()
            if link is None:
                continue
            # Who reads the link sees that it broke, and counts what was under way as lost.
            with suppress(OSError, ValueError):
                link.finish() if line is None else link.send(line)

    def _taken(self) -> bytes | None:
        if self._replay:
            return self._replay.popleft()
        line = self._waiting.popleft()
        if line is not None:
            self._weight -= len(line)
            line = self._talk.sent(line)
        return line


class _Repeat:
    """A call that may be sent again, and how often it was sent."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.sent = 1


class Conversation:
    """What the client said that another server must know, and what it still waits for.

    Earlier clients have something to say again: they open with a handshake, and subscribe for as
    long as they stay. Of all clients the calls under way are sent again, under the keys that let
    them be carried out once.
    """

    def __init__(self) -> None:
        self._opening: tuple[Id, bytes] | None = None
        self._opened: bytes | None = None
        self._subscribed: dict[str, bytes] = {}
        self._pending: dict[Id, str] = {}
        self._repeats: dict[Id, _Repeat] = {}
        self._unseen: set[Id] = set()
        self._replays = 0

    def sent(self, line: bytes) -> bytes:
        """What a server is sent for a line of the client, which is on its way there."""
        said = object_in(line)
        method, id = said.get("method"), said.get("id")
        if not isinstance(method, str):  # what is no message either its server will say
            return line
        if isinstance(id, str | int) and not isinstance(id, bool):
            self._pending[id] = method
            self._remember(method, id, line, said.get("params"))
            return self._with_key(id, line, said)
        if method == "notifications/initialized":
            self._opened = line
        elif method == "notifications/cancelled":
            self._cancelled(said.get("params"))
        return line

    def answered(self, line: bytes) -> bool:
        """A line came from a server; whether the client should see it."""
        found = _ANSWER.match(line)
        if found is None:
            return True
        id = json.loads(found[1])
        if id in self._unseen:
            self._unseen.remove(id)
            return False
        self._pending.pop(id, None)
        self._repeats.pop(id, None)
        return True

    def lost(self, *, every: bool = False) -> list[bytes]:
        """The answers for what a server took with it.

        What `again` will say anew, a handshake or a call, is no loss, unless `every` is set.
        """
        if every:
            self._repeats.clear()
        tired = [id for id, repeat in self._repeats.items() if repeat.sent >= _TRIES]
        for id in tired:
            del self._repeats[id]
        lost = [
            id
            for id, method in self._pending.items()
            if every or (method != "initialize" and id not in self._repeats)
        ]
        for id in lost:
            del self._pending[id]
        self._unseen.clear()
        return [_error(id) for id in lost]

    def again(self) -> list[bytes]:
        """The lines that bring another server to where the last one was."""
        greeting: list[bytes] = []
        if self._opening is not None:
            id, opening = self._opening
            if id not in self._pending:
                self._unseen.add(id)
            subscribed = [self._again(uri) for uri in self._subscribed]
            greeting = [opening, *([self._opened] if self._opened else []), *subscribed]
        for repeat in self._repeats.values():
            repeat.sent += 1
        return greeting + [repeat.line for repeat in self._repeats.values()]

    def _with_key(self, id: Id, line: bytes, said: dict[str, Any]) -> bytes:
        keyed = repeatable(line, said, LONGEST_LINE)
        if keyed is None:
            return line
        if sum(len(repeat.line) for repeat in self._repeats.values()) < _MOST_REPEATED:
            self._repeats[id] = _Repeat(keyed)
        return keyed

    def _cancelled(self, params: object) -> None:
        id = cast("dict[str, Any]", params).get("requestId") if isinstance(params, dict) else None
        if isinstance(id, str | int):
            self._repeats.pop(id, None)
            self._pending.pop(id, None)

    def _remember(self, method: str, id: Id, line: bytes, params: object) -> None:
        uri = cast("dict[str, Any]", params).get("uri") if isinstance(params, dict) else None
        if method == "initialize":
            self._opening, self._opened = (id, line), None
            self._subscribed.clear()
        elif method == "resources/subscribe" and isinstance(uri, str):
            self._subscribed[uri] = line
        elif method == "resources/unsubscribe" and isinstance(uri, str):
            self._subscribed.pop(uri, None)

    def _again(self, uri: str) -> bytes:
        # Under an id of our own: the client's may be in use for something else by now.
        said = json.loads(self._subscribed[uri])
        self._replays += 1
        said["id"] = f"remembrancer-bridge-{self._replays}"
        self._unseen.add(said["id"])
        return json.dumps(said).encode() + b"\n"


class Refused(Exception):
    """A host is there and does not let us in."""


def object_in(text: bytes) -> dict[str, Any]:
    """The JSON object that a text holds; an empty one if it holds none."""
    try:
        said: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", said) if isinstance(said, dict) else {}


def _error(id: Id) -> bytes:
    error = {"code": -32000, "message": _LOST}
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": error}).encode() + b"\n"


def _lines(descriptor: int) -> Iterator[bytes]:
    """The lines read from a file descriptor, with their ends; what is too long is cut."""
    with suppress(OSError), open(descriptor, "rb", closefd=False) as client:
        while line := client.readline(LONGEST_LINE + 1):
            cut = line
            while cut[-1:] != b"\n" and (cut := client.readline(LONGEST_LINE)):
                pass
            yield line if line[-1:] == b"\n" else line + b"\n"


def _write(descriptor: int, line: bytes) -> None:
    while line:
        line = line[os.write(descriptor, line) :]
