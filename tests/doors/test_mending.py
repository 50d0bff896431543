"""The doors at a store that is not as it should be: what they say, and what they leave alone."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import closing
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from notation import build, sketch
from remembrancer.__main__ import main
from remembrancer.service.library import Library

PAGE = 4096


@pytest.fixture
def filled(store_path: Path) -> Path:
    with Library.open(store_path) as library:
        build(library, "nas: 4 GB; nas: two disks; nas -holds-> ann")
    return store_path


@pytest.fixture
def damaged(filled: Path) -> Path:
    with closing(sqlite3.connect(filled)) as conn:
        text = "SELECT rootpage FROM sqlite_master WHERE name = 'memory_due'"
        root = conn.execute(text).fetchone()[0]
    with filled.open("r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(bytes(PAGE))
    return filled


@pytest.fixture
def newer(filled: Path) -> Path:
    with closing(sqlite3.connect(filled)) as conn:
        conn.execute("PRAGMA user_version = 999")
    return filled


def lying(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def test_the_doctor_tells_of_damage_and_changes_nothing(
    damaged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = lying(damaged.parent)
    assert main(["doctor", "--json", "--store", str(damaged)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert "is damaged" in found["problems"][0]
    assert any("doctor --mend" in advice for advice in found["advice"])
    assert lying(damaged.parent) == before


def test_the_doctor_leaves_a_sound_store_as_it_is(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = lying(filled.parent)
    assert main(["doctor", "--store", str(filled)]) == 0
    assert "The store is sound." in capsys.readouterr().out
    assert lying(filled.parent) == before


def test_the_doctor_tells_of_a_newer_version_and_changes_nothing(
    newer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = lying(newer.parent)
    assert main(["doctor", "--json", "--store", str(newer)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["problems"] == []
    assert any("newer version" in advice for advice in found["advice"])
    assert lying(newer.parent) == before


def test_the_doctor_tells_of_an_end_in_the_middle_and_leaves_the_trace(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = Path(f"{filled}-open")
    mark.touch()
    before = lying(filled.parent)
    assert main(["doctor", "--json", "--store", str(filled)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert any("ended in the middle" in advice for advice in found["advice"])
    assert lying(filled.parent) == before


def test_the_doctor_mends_and_tells_what_came_back(
    damaged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--mend", "--store", str(damaged)]) == 0
    told = capsys.readouterr().out
    assert "was damaged" in told
    assert "The damaged files are kept in" in told
    assert main(["doctor", "--mend", "--json", "--store", str(damaged)]) == 0
    assert json.loads(capsys.readouterr().out)["how"] == "sound"
    assert main(["doctor", "--store", str(damaged)]) == 0
    with Library.open(damaged) as library:
        assert "nas: two disks" in sketch(library)


def test_the_servers_refuse_a_damaged_store_and_say_what_to_do(
    damaged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with damaged.open("r+b") as file:
        file.write(bytes(100))
    before = lying(damaged.parent)
    for words in (["mcp"], ["serve", "--port", "0"], ["recall", "nas"]):
        assert main([*words, "--store", str(damaged)]) == 1
        told = capsys.readouterr().err
        assert "Nothing was changed" in told
        assert "remembrancer doctor --mend" in told
    assert lying(damaged.parent) == before


def test_an_agent_reads_a_store_of_a_newer_version_and_is_refused_with_the_reason(
    newer: Path, home: Path
) -> None:
    before = newer.read_bytes()
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "remembrancer", "mcp", "--store", str(newer)],
        env={**os.environ},
    )

    async def talk() -> tuple[str, str]:
        async with Client(server) as client:
            found = await client.call_tool("memory_recall", {"query": "disks"})
            kept = await client.call_tool("memory_remember", {"content": "x", "entityName": "nas"})
        assert kept.is_error
        return str(found.content), str(kept.content)

    found, kept = asyncio.run(talk())
    assert "two disks" in found
    assert "newer version" in kept
    assert "Update the program" in kept
    assert newer.read_bytes() == before
