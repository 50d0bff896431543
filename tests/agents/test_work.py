"""Work for a request that is cancelled is not begun, or its reading is broken off."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.echo import BOUND
from remembrancer.agents import work as work_module
from remembrancer.agents.work import SURE, OneClient, Pool, Workers


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


@pytest.mark.parametrize(("short", "here"), [(BOUND, True), (0.0, False)])
def test_for_one_client_work_that_was_short_is_done_without_another_thread(
    short: float, here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_module, "SHORT", short)

    async def ask() -> list[bool]:
        with ThreadPoolExecutor(1) as pool:
            workers = OneClient(pool, lambda thread: None)
            own = threading.current_thread()
            return [
                await workers.run_known("a", threading.current_thread) is own
                for _ in range(SURE + 2)
            ]

    assert asyncio.run(ask()) == [False] * SURE + [here] * 2


def test_what_one_sort_of_work_took_says_nothing_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work_module, "SHORT", BOUND)

    async def ask() -> None:
        with ThreadPoolExecutor(1) as pool:
            workers = OneClient(pool, lambda thread: None)
            for _ in range(SURE):
                await workers.run_known("a", str)
            own = threading.current_thread()
            assert await workers.run_known("b", threading.current_thread) is not own
            with pytest.raises(ZeroDivisionError):
                await workers.run_known("a", divmod, 7, 0)
            assert await workers.run_known("a", threading.current_thread) is own

    asyncio.run(ask())


# --- threads that nobody waits for


def test_a_pool_has_no_more_threads_than_it_may_and_uses_those_it_has() -> None:
    pool = Pool(2, "some")
    names = {pool.submit(lambda: threading.current_thread().name).result(BOUND) for _ in range(20)}
    assert names <= {"some_0", "some_1"}
    with pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 7, 0).result(BOUND)
    assert pool.close(BOUND)
    with pytest.raises(RuntimeError):
        pool.submit(str)


def test_a_pool_that_is_closed_lets_go_what_has_not_begun_and_waits_for_nobody_long() -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[str] = []
    pool = Pool(1, "some")

    def work() -> None:
        begun.set()
        go_on.wait(BOUND)
        done.append("work")

    pool.submit(work)
    pool.submit(done.append, "never")
    assert begun.wait(BOUND)
    assert all(thread.daemon for thread in pool._threads)
    assert not pool.close(0.01)
    go_on.set()
    assert pool.close(BOUND)
    assert done == ["work"]
