"""Where the host lets local clients in: a private socket, and the file beside the store about it.

Windows, and a machine without a private folder, get a loopback port with a secret instead.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
import socket
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from remembrancer import places

log = logging.getLogger(__name__)

LONGEST_PATH = 100  # bytes; the system's own bound is 104 or 108
BACKLOG = 16
_CREDENTIALS = struct.Struct("3i")  # process, user, group


@dataclass(frozen=True)
class Address:
    """A socket that listens, and what it takes to reach it.

    A client over a port shows that it read the file by `secret`, the host by `proof`: another
    program may get the port once this one has gone. Both are empty where a folder guards a socket.
    `run` tells one host's file from another's.
    """

    listening: socket.socket
    path: Path | None
    secret: str = ""
    proof: str = ""
    run: str = field(default_factory=lambda: secrets.token_hex(8))

    def text(self) -> str:
        """What the file beside the store says."""
        if self.path is not None:
            return json.dumps({"run": self.run, "socket": str(self.path)})
        port = self.listening.getsockname()[1]
        said = {"run": self.run, "port": port, "secret": self.secret, "proof": self.proof}
        return json.dumps(said)

    def publish(self, store: Path) -> None:
        """Tell it beside the store; what another host told there is forgotten."""
        places.write_private(places.host_file(store), self.text(), follow=False)

    def withdraw(self, store: Path) -> None:
        """Tell it no more, unless another host has taken the place meanwhile."""
        file = places.host_file(store)
        with suppress(OSError):
            if file.read_text(encoding="utf-8") == self.text():
                file.unlink()
                if self.path is not None:
                    self.path.unlink()


def listening_for(store: Path) -> Address:
    """A new address for the host of a store; raises OSError where none can be had."""
    path = _socket_path(store)
    if path is not None:
        return Address(_at_path(path), path)
    return Address(_at_port(), None, secrets.token_urlsafe(24), secrets.token_urlsafe(24))


def is_ours(peer: socket.socket) -> bool:
    """Whether the other end of a socket is this user, as far as the system can tell."""
    if sys.platform != "linux" or peer.family != socket.AF_UNIX:
        return True
    raw = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return _CREDENTIALS.unpack(raw)[1] == os.getuid()


def _socket_path(store: Path) -> Path | None:
    folder = places.socket_folder() if hasattr(socket, "AF_UNIX") else None
    if folder is None:
        return None
    digest = hashlib.sha256(os.fsencode(store.resolve())).hexdigest()[:16]
    path = folder / f"{digest}.sock"
    return path if len(os.fsencode(path)) <= LONGEST_PATH else None


def _at_path(path: Path) -> socket.socket:
    if sys.platform == "win32":
        raise OSError("there are no sockets with a path here")
    path.unlink(missing_ok=True)  # left behind by a host that was killed, or has to give way
    listening = socket.socket(socket.AF_UNIX)
    try:
        listening.bind(str(path))
        path.chmod(0o600)  # before anybody can connect
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _at_port() -> socket.socket:
    # The protocol must be named, or asyncio leaves Nagle's algorithm on and answers wait 40 ms.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.bind(("127.0.0.1", 0))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening
