"""The main job, start to end: a real file in, corrected by a person, seen and changed by agents."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON
from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.review.due import DuePage
from remembrancer.desktop.review.pane import ReviewPane
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

OURS = Path(__file__).parents[1] / "inputs" / "team.jsonl"
FIELD = Path(__file__).parents[3] / "shared" / "data" / "field" / "enthali-ids.jsonl"
BOUND = 60

# file, entities, relations, a memory in it, what it is corrected to, a question that finds it
CASES = [
    pytest.param(
        OURS, 3, 2, "Works from Lagos", "Works from Accra", "where does Mira work", id="ours"
    ),
    pytest.param(
        FIELD,
        13,
        12,
        "Based in Seattle, Washington",
        "Based in Portland, Oregon",
        "where is the company based",
        id="field",
        marks=pytest.mark.skipif(not FIELD.exists(), reason="the public sample file is not here"),
    ),
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def opened(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[[Path], Window]]:
    """Opens the window on a store, with its host running at a free port."""
    windows: list[tuple[Window, Library]] = []
    fonts.load(qapp)
    theme.apply(qapp, "light")

    def open_on(store: Path) -> Window:
        library = Library.open(store)
        preferences = PreferenceFile()
        preferences.change(port=0)
        window = Window(library, preferences)
        windows.append((window, library))
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        window.start_serving()
        qtbot.waitUntil(lambda: window.background.idle, timeout=BOUND * 1_000)
        return window

    yield open_on
    for window, library in windows:
        qtbot.waitUntil(lambda w=window: w.background.idle, timeout=BOUND * 1_000)
        window.shut()
        window.hide()
        window.deleteLater()
        library.close()


def run(*words: str) -> str:
    """One command, as a person would give it."""
    done = subprocess.run(
        [sys.executable, "-m", "remembrancer", *words],
        capture_output=True,
        text=True,
        timeout=BOUND,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def recalled(client: Client, question: str) -> str:
    result = await client.call_tool("memory_recall", {"query": question})
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


async def over_http(address: str, token: str, question: str, changed: tuple[str, str]) -> str:
    """Recall, then change the memory that says `changed[0]` to `changed[1]`."""
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=BOUND) as http:
        transport = streamable_http_client(address, http_client=http)
        info = types.Implementation(name="cursor", version="1")
        async with Client(transport, client_info=info) as client:
            text = await recalled(client, question)
            found = await client.call_tool("memory_review", {"query": changed[0]})
            item: dict[str, Any] = next(
                i for i in (found.structured_content or {})["items"] if i["content"] == changed[0]
            )
            await client.call_tool(
                "memory_revise",
                {"id": item["id"], "expectedRevision": item["revision"], "content": changed[1]},
            )
            return text


async def over_stdio(store: Path, question: str) -> str:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "remembrancer", "mcp", "--store", str(store)],
        env=dict(os.environ),
    )
    async with Client(server) as client:
        return await recalled(client, question)


def beside(qtbot: QtBot, work: Coroutine[Any, Any, str]) -> str:
    """What an agent gets while the window goes on living."""
    with ThreadPoolExecutor(1) as pool:
        future: Future[str] = pool.submit(lambda: asyncio.run(asyncio.wait_for(work, BOUND)))
        qtbot.waitUntil(future.done, timeout=BOUND * 1_000)
        return future.result()


@pytest.mark.parametrize(("file", "entities", "relations", "old", "new", "question"), CASES)
def test_a_memory_is_imported_reviewed_corrected_recalled_and_changed_by_an_agent(
    home: Path,
    opened: Callable[[Path], Window],
    qtbot: QtBot,
    file: Path,
    entities: int,
    relations: int,
    old: str,
    new: str,
    question: str,
) -> None:
    store = home / "memories.db"
    told = run("import", str(file), "--store", str(store))
    assert f"{entities} entities" in told
    assert f"{relations} relations" in told

    window = opened(store)
    place = window.pane("review")
    assert isinstance(place, ReviewPane)
    pane = place.page("due")
    assert isinstance(pane, DuePage)
    correct(pane, window, qtbot, old, new)

    _, token = window.library.agents.add("cursor", author=PERSON, origin="window")
    address = window.serving.address
    assert address is not None
    final = f"{new}, as an agent checked"
    assert new in beside(qtbot, over_http(address, token, question, (new, final)))
    qtbot.waitUntil(lambda: shown(pane, final), timeout=BOUND * 1_000)
    assert final in beside(qtbot, over_stdio(store, question))
    assert window.library.journal.newest(1, author="cursor")[0].origin == "native"


def correct(pane: DuePage, window: Window, qtbot: QtBot, old: str, new: str) -> None:
    """Find the memory among the cards, edit it with the keys, see the difference, verify it."""
    rows = range(pane.model.rowCount())
    row = next(r for r in rows if (m := pane.model.memory(r)) is not None and m.content == old)
    pane.list.choose_row(row)
    qtbot.keyClick(pane.list, Qt.Key.Key_E)
    pane.desk.editor.form.content.selectAll()
    qtbot.keyClicks(pane.desk.editor.form.content, new)
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(pane.desk.editor.form.content, Qt.Key.Key_Return, control)
    qtbot.waitUntil(lambda: shown(pane, new), timeout=BOUND * 1_000)
    qtbot.waitUntil(lambda: pane.desk.detail.difference.change_count() == 1, timeout=BOUND * 1_000)
    memory = pane.desk.detail.memory
    assert memory is not None
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: pane.model.row_of(memory.id) < 0, timeout=BOUND * 1_000)
    verified = window.library.memories.get(memory.id)
    assert (verified.content, verified.verified_by) == (new, "you")
    window.go("memories", memory_id=memory.id)
    qtbot.waitUntil(lambda: window.background.idle, timeout=BOUND * 1_000)


def shown(pane: DuePage, text: str) -> bool:
    """Whether the text stands in the window somewhere: in the detail of a place."""
    from remembrancer.desktop.memory.detail import MemoryDetail

    details = pane.window().findChildren(MemoryDetail)
    return any(d.memory is not None and d.memory.content == text for d in details)
