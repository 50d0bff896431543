"""Memo's board, titles, showing and keeping over a store of a size, as its tools answer."""

from __future__ import annotations

import itertools
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import row, store, timed

from remembrancer.agents.caller import Caller
from remembrancer.agents.dialects.memo import Memo
from remembrancer.core.author import Author, AuthorKind
from remembrancer.service.library import Library

ROBIN = Caller(Author("robin", AuthorKind.AGENT), "bench", 100_000, "en")
_TOPICS = {"tag": "", "limit": 0, "page": 1, "all": False}
_NEW = {"tags": "bench", "kind": "pitfall", "supersedes": ""}


def main(memories: int) -> None:
    """Measure every tool that counts or lists, on a copy of a store of that size."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(store(memories), folder))
        with Library.open(path) as library:
            print(f"{memories:,} memories{'median':>41} {'p95':>9}")
            measure(library, Memo(library, "bench"))


def measure(library: Library, memo: Memo) -> None:
    """Print one row a call."""
    number = itertools.count()

    def call(tool: str, **arguments: Any) -> Callable[[], object]:
        return lambda: memo.call(tool, arguments, ROBIN)

    def remember() -> object:
        text = f"a note about the gateway, number {next(number)} at {time.time_ns()}"
        return memo.call("remember", {"text": text, **_NEW}, ROBIN)

    def board_after_a_note() -> object:
        remember()
        return memo.call("topics", _TOPICS, ROBIN)

    began = time.perf_counter()
    board = library.notes.board(ROBIN.author)
    row("board, counted for the first time", (time.perf_counter() - began) * 1_000, 0)
    row("board", *timed(call("topics", **_TOPICS)), bound=100)
    largest = board.tags[0].tag
    row("titles of the largest tag", *timed(call("topics", **{**_TOPICS, "tag": largest})))
    row("an unknown tag", *timed(call("topics", **{**_TOPICS, "tag": "gatewoy"})))
    ids = ",".join(str(n) for n in range(1, 60))
    row("show 59 entries", *timed(call("show", ids=ids, full=False)))
    row("remember", *timed(remember))
    row("remember, then the board", *timed(board_after_a_note))


main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
