"""What a bridge leads to: a host over its private socket, or a server of the bridge's own."""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from remembrancer.doors.bridge import Refused, object_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PATIENCE = 2.0  # seconds for a host to answer the hello
_LONGEST_FILE = 4096  # bytes
_LONGEST_ANSWER = 1 << 16
_LAST = 0.2  # seconds for a server of our own to end once it was told to


class Link:
    """One server, as far as a bridge knows it; `cut`, `send` and `finish` from another thread."""

    _answers: BinaryIO

    def lines(self) -> Iterator[bytes]:
        """Its whole lines, with their ends, until it ends."""
        # Half a line is what a server left that was killed; the client must not see it.
        with suppress(OSError, ValueError):
            while (line := self._answers.readline())[-1:] == b"\n":
                yield line

    def send(self, line: bytes) -> None:
        """Send a line; an OSError or ValueError says that the link is broken."""
        raise NotImplementedError

    def finish(self) -> None:
        """Say that nothing more will be sent."""
        raise NotImplementedError

    def cut(self) -> None:
        """End the link now, whatever is under way."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of it."""
        raise NotImplementedError


def host_at(file: str, hello: Mapping[str, Any]) -> Link | None:
    """A link to the host that the file beside a store tells of, or None when there is none.

    Raises Refused when it is there and does not let us in.
    """
    where = _read(file)
    if where is None:
        return None
    try:
        peer = _connected(where)
    except (OSError, ValueError):
        return None
    link = _Host(peer)
    try:
        link.greet({**hello, "secret": where.get("secret", "")}, where.get("proof", ""))
    except OSError:
        link.close()
        return None
    except Refused:
        link.close()
        raise
    return link


def own_server(command: Sequence[str], environment: Mapping[str, str]) -> Link:
    """A link to a server that this starts; it ends when the link does, or this process."""
    import subprocess

    pipe = subprocess.PIPE
    started = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment)
    return _Own(started)


def _read(file: str) -> dict[str, Any] | None:
    """What the file says, if it is this user's alone."""
    # Whatever else stands there: no link is followed, and no pipe waited for.
    how = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(file, how)
    except OSError:
        return None
    try:
        return object_in(os.read(handle, _LONGEST_FILE)) if _is_private(handle) else None
    except OSError:
        return None
    finally:
        os.close(handle)


def _is_private(handle: int) -> bool:
    found = os.fstat(handle)
    if sys.platform == "win32":  # where modes say nothing, and a store lies in the user's folder
        return True
    closed = not stat.S_IMODE(found.st_mode) & 0o077
    return stat.S_ISREG(found.st_mode) and closed and found.st_uid == os.getuid()


def _connected(where: Mapping[str, Any]) -> socket.socket:
    match where:
        case {"socket": str(path)} if sys.platform != "win32":
            peer = socket.socket(socket.AF_UNIX)
            address: Any = path
        case {"port": int(port)}:
            peer = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            address = ("127.0.0.1", port)
        case _:
            raise ValueError("the file tells no address")
    peer.settimeout(PATIENCE)
    try:
        peer.connect(address)
    except (OSError, ValueError, OverflowError):
        peer.close()
        raise
    return peer


class _Host(Link):
    """A host at the other end of a socket."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self._answers = peer.makefile("rb")

    def greet(self, hello: Mapping[str, Any], proof: str) -> None:
        """Say who this is; raises Refused or OSError."""
        self.send(json.dumps(hello).encode() + b"\n")
        said = object_in(self._answers.readline(_LONGEST_ANSWER))
        if "ok" not in said:
            raise OSError("no answer to the hello")
        if not said["ok"]:
            raise Refused
        if said.get("proof") != proof:
            raise OSError("another program answers there")
        self._peer.settimeout(None)

    def send(self, line: bytes) -> None:
        """Send a line."""
        self._peer.sendall(line)

    def finish(self) -> None:
        """Close this half of the socket."""
        self._peer.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """Close both halves, which wakes whoever reads."""
        with suppress(OSError):
            self._peer.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the socket."""
        self.cut()  # whoever still writes there gives up
        with suppress(OSError):
            self._answers.close()
            self._peer.close()


class _Own(Link):
    """A server at the other end of two pipes; without us its input ends, and so does it."""

    def __init__(self, started: Any) -> None:
        self._started = started
        self._input: BinaryIO = started.stdin
        self._answers = started.stdout

    def send(self, line: bytes) -> None:
        """Send a line."""
        self._input.write(line)
        self._input.flush()

    def finish(self) -> None:
        """Close its input."""
        self._input.close()

    def cut(self) -> None:
        """End the process."""
        self._started.terminate()

    def close(self) -> None:
        """See to it that the process has ended."""
        import subprocess

        try:
            self._started.wait(_LAST)
        except subprocess.TimeoutExpired:
            self._started.kill()
            self._started.wait()
        with suppress(OSError, ValueError):
            self._input.close()
