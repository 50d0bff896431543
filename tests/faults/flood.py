"""Clients that begin and never go on: how a normal call fares meanwhile, and when they are gone."""

from __future__ import annotations

import itertools
import json
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from faults.doors import Posted
from faults.row import Row
from faults.serving import Served

MOST_MILLISECONDS = 100.0  # for a normal call meanwhile
MOST_MEGABYTES = 20.0  # of memory on top
LATEST = 2.0  # seconds after the deadline
CALLS = 20
LARGE = 3_900_000

Begun = Callable[[Served], bytes]


def measure(half_open: int = 300, bodies: int = 60, slowest: float = 10.0) -> list[Row]:
    """Flood a server whose deadlines are `slowest` seconds, once in each way."""
    with tempfile.TemporaryDirectory() as folder, Served(Path(folder), slowest=slowest) as served:
        call = _caller(served)
        for _ in range(CALLS):
            call()
        rows = _flooded(served, call, "half-open connections", half_open, HALF_OPEN, slowest)
        return rows + _flooded(served, call, "stalled bodies", bodies, BODIES, slowest)


def _flooded(
    served: Served,
    call: Callable[[], float],
    what: str,
    many: int,
    ways: list[Begun],
    slowest: float,
) -> list[Row]:
    before, began = served.rss, time.monotonic()
    peers = [_begun(served, way) for way in itertools.islice(itertools.cycle(ways), many)]
    calls = sorted(call() for _ in range(CALLS))
    most = served.rss
    last = began
    for peer in peers:
        last = max(last, _gone(peer, began + slowest + LATEST))
    calls.append(call())
    most = max(most, served.rss)
    left = sum(not _is_gone(peer) for peer in peers)
    for peer in peers:
        peer.close()
    typical = calls[CALLS // 2]
    return [
        Row(
            f"a call during {many} {what}", f"< {MOST_MILLISECONDS:.0f} ms",
            f"median {typical:.0f} ms, longest {max(calls):.0f} ms", typical < MOST_MILLISECONDS,
        ),
        Row(
            f"{many} {what} that are still there", f"0 after {slowest + LATEST:.0f} s",
            f"{left}, the last one after {last - began:.1f} s", left == 0,
        ),
        Row(
            f"memory for {many} {what}", f"< {MOST_MEGABYTES:.0f} MB more",
            f"{most - before:.1f} MB", most - before < MOST_MEGABYTES,
        ),
    ]  # fmt: skip


def _caller(served: Served) -> Callable[[], float]:
    """What does one normal call and returns its milliseconds."""
    door = Posted("2026", served.port, "native", served.token)

    def call() -> float:
        began = time.perf_counter()
        heard = door.call("memory_search_nodes", json.dumps({"query": "anything"}))
        assert heard.status == 200, heard.text
        return (time.perf_counter() - began) * 1_000

    return call


def _begun(served: Served, way: Begun) -> socket.socket:
    peer = socket.create_connection(("127.0.0.1", served.port), 5)
    peer.settimeout(1)
    with suppress(OSError):  # it may be hung up on before it has said it all
        peer.sendall(way(served))
    return peer


def _gone(peer: socket.socket, until: float) -> float:
    """When it was seen to be closed, or the time until which it was waited for."""
    while not _is_gone(peer) and time.monotonic() < until:
        time.sleep(0.02)
    return time.monotonic()


def _is_gone(peer: socket.socket) -> bool:
    peer.setblocking(False)
    try:
        while peer.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


# --- what they say before they fall silent


def _head(served: Served, *lines: str, token: bool = True, host: str = "") -> bytes:
    shown = [f"Authorization: Bearer {served.token}"] if token else []
    told = [
        "POST /mcp HTTP/1.1",
        f"Host: {host or f'127.0.0.1:{served.port}'}",
        "Content-Type: application/json",
        *shown,
        *lines,
    ]
    return "\r\n".join(told).encode()


def _chunked(length: int) -> bytes:
    return b"\r\n\r\n" + f"{length:x}\r\n".encode() + b" " * length


HALF_OPEN: list[Begun] = [
    lambda served: b"",
    lambda served: b"POST /mcp HT",
    lambda served: _head(served),
    lambda served: _head(served, "Content-Length: 900000") + b"\r\n\r\n{",
    lambda served: _head(served, "Content-Length: 900000", token=False) + b"\r\n\r\n{",
]
BODIES: list[Begun] = [
    lambda served: _head(served, "Content-Length: 4000000") + b"\r\n\r\n" + b" " * LARGE,
    lambda served: (
        _head(served, "Content-Length: 4000000", host="evil.example") + b"\r\n\r\n" + b" " * LARGE
    ),
    lambda served: (
        _head(served, "Content-Length: 4000000", token=False) + b"\r\n\r\n" + b" " * LARGE
    ),
    lambda served: _head(served, "Transfer-Encoding: chunked") + _chunked(LARGE),
    lambda served: _head(served, "Transfer-Encoding: chunked") + _chunked(1_000_000),
    lambda served: _head(served, "Content-Length: 1000000") + b"\r\n\r\n" + b" " * 990_000,
    lambda served: _head(served, "Content-Length: 60000") + b"\r\n\r\n" + b" " * 59_000,
]
