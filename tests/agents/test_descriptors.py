"""Lines over pipes, sockets and files: whole, in order, however much there is of them."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mcp import types

from agents.echo import BOUND
from remembrancer.agents.descriptors import BACKLOG, Descriptors

Ends = tuple[int, int]  # what reads, what writes


def _pipe(_folder: Path) -> Ends:
    return os.pipe()


def _sockets(_folder: Path) -> Ends:
    one, other = socket.socketpair()
    return one.detach(), other.detach()


def _file(folder: Path) -> Ends:
    path = folder / "lines"
    writes = os.open(path, os.O_WRONLY | os.O_CREAT)
    return os.open(path, os.O_RDONLY), writes


Kind = Callable[[Path], Ends]
kinds = pytest.mark.parametrize("kind", [_pipe, _sockets, _file])


@pytest.fixture
def opened() -> Iterator[list[int]]:
    found: list[int] = []
    yield found
    for descriptor in found:
        os.close(descriptor)


def ping(number: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number


def pour(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


@kinds
def test_every_message_is_heard_in_order_and_then_the_end(
    kind: Kind, tmp_path: Path, opened: list[int]
) -> None:
    reads, writes = kind(tmp_path)
    opened.append(reads)
    count = 5 * BACKLOG

    def client() -> None:
        for number in range(count):
            pour(writes, ping(number))
        os.close(writes)

    client_thread = threading.Thread(target=client)
    client_thread.start()
    if kind is _file:  # a file has an end as soon as it is read
        client_thread.join(BOUND)

    async def listen() -> list[int | str]:
        wire = Descriptors(reads, os.open(os.devnull, os.O_WRONLY))
        return [m.id async for m in wire.messages() if isinstance(m, types.JSONRPCRequest)]

    assert asyncio.run(asyncio.wait_for(listen(), BOUND)) == list(range(count))
    client_thread.join(BOUND)


@kinds
@pytest.mark.parametrize("blocking", [True, False])
def test_short_and_long_lines_arrive_whole_and_in_order(
    kind: Kind, blocking: bool, tmp_path: Path, opened: list[int]
) -> None:
    reads, writes = kind(tmp_path)
    opened.append(reads)
    os.set_blocking(writes, blocking)
    lines = [b"%d:" % n + b"x" * (5_000_000 if n % 7 == 3 else n) + b"\n" for n in range(20)]

    async def tell() -> None:
        nothing, end = os.pipe()
        opened.extend((nothing, end))
        wire = Descriptors(nothing, writes)
        for line in lines:
            await wire.send(line)
        while wire._output.under_way:
            await asyncio.sleep(0)
        wire.finish()

    told = threading.Thread(target=lambda: (asyncio.run(tell()), os.close(writes)))
    told.start()
    if kind is _file:
        told.join(BOUND)
    heard = b""
    while piece := os.read(reads, 1 << 16):
        heard += piece
    told.join(BOUND)
    assert heard == b"".join(lines)


@pytest.mark.parametrize("kind", [_pipe, _sockets])
@pytest.mark.parametrize("length", [10, 1_000_000])
def test_who_reads_no_more_is_noticed(
    kind: Kind, length: int, tmp_path: Path, opened: list[int]
) -> None:
    reads, writes = kind(tmp_path)
    opened.append(writes)
    os.close(reads)

    async def tell() -> None:
        nothing, end = os.pipe()
        opened.extend((nothing, end))
        wire = Descriptors(nothing, writes)
        await wire.send(b"x" * length)
        await asyncio.wait_for(wire.gone.wait(), BOUND)

    asyncio.run(tell())
