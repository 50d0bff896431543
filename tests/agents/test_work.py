"""Work for a request that is cancelled is not begun, or its reading is broken off."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.echo import BOUND
from remembrancer.agents.work import Workers


def test_work_returns_and_raises_what_it_does_itself() -> None:
    async def both() -> None:
        with ThreadPoolExecutor(1) as pool:
            workers = Workers(pool, lambda thread: None)
            assert await workers.run(divmod, 7, 2) == (3, 1)
            with pytest.raises(ZeroDivisionError):
                await workers.run(divmod, 7, 0)

    asyncio.run(both())


def test_cancelled_work_that_runs_is_broken_off_and_what_waits_never_begins() -> None:
    begun, broken_off = threading.Event(), threading.Event()
    threads: list[threading.Thread] = []
    done: list[str] = []

    def break_off(thread: threading.Thread) -> None:
        threads.append(thread)
        broken_off.set()

    def read() -> threading.Thread:
        begun.set()
        broken_off.wait(BOUND)
        done.append("read")
        return threading.current_thread()

    async def cancel_both() -> None:
        with ThreadPoolExecutor(1) as pool:
            workers = Workers(pool, break_off)
            reading = asyncio.create_task(workers.run(read))
            waiting = asyncio.create_task(workers.run(done.append, "never"))
            await asyncio.to_thread(begun.wait, BOUND)
            waiting.cancel()
            reading.cancel()
            await asyncio.wait({reading, waiting})
            assert reading.cancelled()
            assert waiting.cancelled()
            assert threads == [await workers.run(threading.current_thread)]

    asyncio.run(cancel_both())
    assert done == ["read"]
