"""One deed through every door leaves the same line in the journal, but for who did it and where."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pytestqt.qtbot import QtBot

from remembrancer.agents.dialects import DIALECTS
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON
from remembrancer.core.filters import Filter
from remembrancer.core.journal import Deed, JournalLine
from remembrancer.core.memory import Draft
from remembrancer.desktop.memories.pane import MemoriesPane
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

from .conftest import settle

ME: Doing = {"author": PERSON, "origin": "test"}
TEXT = "The share is called backup"
BOUND = 60


class Doors:
    """Each method lets the same text in through one door."""

    def __init__(self, window: Window, qtbot: QtBot, folder: Path) -> None:
        self.window, self.qtbot, self.folder = window, qtbot, folder
        self.library: Library = window.library

    def editor(self) -> None:
        """A person types it."""
        self.window.go("memories", new=True, entity="nas")
        pane = self.window.pane("memories")
        assert isinstance(pane, MemoriesPane)
        self.qtbot.keyClicks(pane.desk.editor.form.content, TEXT)
        pane.desk.editor.form.source.setText("unspecified")
        pane.desk.editor.form.confidence.setValue(50)
        pane.desk.editor.save_button.click()
        settle(self.window, self.qtbot)

    def remember(self) -> None:
        """An agent remembers it over HTTP."""
        self._called("memory_remember", {"entityName": "nas", "content": TEXT})

    def observations(self) -> None:
        """An agent adds it to the graph over HTTP."""
        self._called(
            "memory_add_observations", {"observations": [{"entityName": "nas", "contents": [TEXT]}]}
        )

    def file(self) -> None:
        """A file brings it."""
        line = {"type": "entity", "name": "nas", "entityType": "device", "observations": [TEXT]}
        path = self.folder / "graph.jsonl"
        path.write_text(json.dumps(line) + "\n", encoding="utf-8")
        self.library.transfer.bring_in(path, **ME)

    def command(self) -> None:
        """The command line imports it, in a process of its own."""
        self.folder.mkdir(exist_ok=True)
        line = {"type": "entity", "name": "nas", "entityType": "device", "observations": [TEXT]}
        path = self.folder / "graph.jsonl"
        path.write_text(json.dumps(line) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "remembrancer", "import", str(path)]
        command += ["--store", str(self.library.path)]
        subprocess.run(command, check=True, capture_output=True, timeout=BOUND)

    def desk(self) -> None:
        """Another program that stands on the library."""
        self.library.memories.remember(Draft(TEXT, "nas"), **ME)

    def _called(self, tool: str, arguments: dict[str, Any]) -> None:
        _, token = self.library.agents.add("cursor", **ME)
        host = Host(self.library, tuple(DIALECTS.values()))
        host.start()
        try:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(asyncio.run, _call(host.address or "", token, tool, arguments)).result()
        finally:
            host.stop()


async def _call(address: str, token: str, tool: str, arguments: dict[str, Any]) -> None:
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=BOUND) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content


def essence(line: JournalLine) -> dict[str, Any]:
    """A line without what differs by its nature: who, through which door, when, and its source."""
    kept = dict(line.snapshot or {})
    for field in ("author", "source", "created_at", "updated_at"):
        kept.pop(field)
    return {
        "deed": line.deed,
        "subject": line.subject,
        "subject_id": line.subject_id,
        "entity_id": line.entity_id,
        "revision": line.revision,
        "snapshot": kept,
    }


DOORS: list[Callable[[Doors], None]] = [
    Doors.editor,
    Doors.remember,
    Doors.observations,
    Doors.file,
    Doors.command,
    Doors.desk,
]


@pytest.mark.parametrize("door", DOORS, ids=lambda d: d.__name__)
def test_the_same_text_leaves_the_same_line_whatever_door_it_came_through(
    library: Library, window: Window, qtbot: QtBot, tmp_path: Path, door: Callable[[Doors], None]
) -> None:
    library.graph.create([NewEntity("nas", "device")], **ME)
    door(Doors(window, qtbot, tmp_path))
    line = next(x for x in library.journal.newest(10) if x.deed is Deed.REMEMBER)
    nas = library.graph.named("nas").id
    assert essence(line) == {
        "deed": Deed.REMEMBER,
        "subject": "memory",
        "subject_id": 1,
        "entity_id": nas,
        "revision": 1,
        "snapshot": {
            "id": 1, "entity_id": nas, "entity": "nas", "scope": "device", "key": None,
            "title": "", "content": TEXT, "kind": "fact", "confidence": 0.5, "pinned": False,
            "expires_at": None, "verified_at": None, "verified_by": None, "review_days": None,
            "postponed_until": None, "due_at": 0, "tags": [], "status": "active",
            "archived_at": None, "archived_by": None, "archived_reason": None,
            "superseded_by": None, "revision": 1,
        },
    }  # fmt: skip
    assert [m.content for m in library.memories.browse(Filter(words="share"))] == [TEXT]
