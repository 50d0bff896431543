"""For every tool of every vocabulary: who may only read writes nothing, who is locked sees no more.

What a locked agent is told must be the same whether others have memories or not: each of its calls
is made in two libraries that differ in nothing but what others have.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Awaitable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, PromptReference

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]
from pydantic import BaseModel

from agents.dialects.rooms import LANGUAGES, SPOKEN, name_of, room
from agents.dialects.rows import (
    CASES,
    ENGLISH,
    MARKS,
    MINE,
    NAMED,
    OTHER,
    OWN,
    ROWS,
    TARGETS,
    THEIRS,
    calls,
)
from agents.dialects.voices import WORD, everything
from conftest import BEGINNING
from notation import WINDOW, build
from remembrancer.agents.dialects import DIALECTS
from remembrancer.core.author import Access
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Draft
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

_INNER = "failed inside Remembrancer"
SECRET = "password: hunter2hunter2"


def frozen() -> int:
    """A clock that stands still, so that answers can be compared."""
    return BEGINNING


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two stores with the same of one's own; what others had was forgotten in the second."""
    folder = tmp_path_factory.mktemp("secret-folder")
    full, alone = folder / "full.db", folder / "alone.db"
    with Library.open(full, frozen) as library:
        _own_and_others(library)
    shutil.copy(full, alone)
    with Library.open(alone, frozen) as library:
        _forget_others(library)
    return full, alone


def _own_and_others(library: Library) -> None:
    def put(entity: str | None, text: str, **more: Any) -> int:
        return library.memories.remember(Draft(text, entity, **more), **WINDOW).id

    build(library, f"{OWN}:modul; {OTHER}:flumtype")
    put(OWN, MINE.text, key=MINE.key, title="Own title", tags=(OWN, MINE.tag))
    library.memories.archive(put(OWN, f"{WORD} beta"), why="old", **WINDOW)
    put(OTHER, THEIRS.text, key="quibkey", title="wibtitle", tags=(OTHER, "snorktag"))
    library.memories.archive(put(OTHER, f"{WORD} glarf beta"), why="glarf", **WINDOW)
    put(OTHER, f"{WORD} alpha glarf", key=MINE.key, pinned=True)  # alike, and in conflict
    put(None, f"{WORD} alpha loose glarf", tags=("snorktag", MINE.tag))
    build(library, f"{OWN} -near-> {OTHER}; {OTHER} -near-> {OWN}; {OTHER} = shared")
    build(library, "crowdx; " + OWN + " = {crowdx}")
    crowd = [NewEntity(f"crowdx{n}", "flumtype", (f"{WORD} glarf {n}",)) for n in range(40)]
    library.graph.create(crowd, **WINDOW)


def _forget_others(library: Library) -> None:
    # The doing of a later batch must not lie in the journal of what one's own history shows.
    for memory in library.memories.browse(Filter(state=State.ALL), limit=500):
        if memory.entity != OWN:
            library.memories.purge(memory.id, **WINDOW)
    names = [node.name for node in library.map.drawing()[0] if node.name != OWN]
    library.graph.delete(names, **WINDOW)


def dump(path: Path, *, of_others: str | None = None) -> list[tuple[Any, ...]]:
    """What a store holds, apart from who was here and what was served; or of other entities."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as conn:
        # What an index holds stands in its tables; only the engine that wrote it can open it.
        real = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        kept = [row[0] for row in conn.execute(real) if row[0] not in ("agent", "receipt")]
        if of_others is None:
            return [(t, *row) for t in sorted(kept) for row in conn.execute(f"SELECT * FROM {t}")]
        own = f"(SELECT id FROM entity WHERE name = '{of_others}')"
        where = {"memory": f"entity_id IS NULL OR entity_id NOT IN {own}"}
        where["entity"] = f"id NOT IN {own}"
        # What links one's own entity goes with it.
        where["relation"] = f"source_id NOT IN {own} AND target_id NOT IN {own}"
        where["group_member"] = f"group_id NOT IN {own} AND member_id NOT IN {own}"
        return [
            (t, *row)
            for t, which in where.items()
            for row in conn.execute(f"SELECT * FROM {t} WHERE {which}")
        ]


def test_every_tool_of_every_vocabulary_has_its_rows(library: Library) -> None:
    assert ROWS.keys() >= DIALECTS.keys()
    for dialect, language in SPOKEN:
        with room(library) as opened:
            agent, _ = library.agents.add(
                f"{dialect} {language}", dialect=dialect, language=language, **WINDOW
            )
            client = opened.client(dialect, agent)
            offered = opened.portal.call(client.list_tools).tools
        english = ENGLISH if (dialect in LANGUAGES and language == "en") else {}
        assert {t.name for t in offered} == {english.get(t, t) for t in ROWS[dialect]}


def is_refusal(result: CallToolResult) -> bool:
    said = everything(result)
    return bool(result.is_error) or said.startswith(("Fehler", "Error", '{"ok":false'))


@pytest.mark.parametrize(("dialect", "language", "tool"), CASES, ids=NAMED)
def test_who_may_only_read_writes_nothing_and_is_told_so(
    stores: tuple[Path, Path], tmp_path: Path, dialect: str, language: str, tool: str
) -> None:
    path = Path(shutil.copy(stores[0], tmp_path / "memories.db"))
    writes = {t.name for t in tools_of(path, dialect, language) if not t.annotations.read_only_hint}
    with Library.open(path, frozen) as library, room(library) as opened:
        reader = opened.voice(dialect, language, access=Access.READ)
        head, before = library.journal.head(), dump(path)
        for target, name, arguments in calls(dialect, language, tool):
            result = reader.result(name, arguments)
            assert _INNER not in everything(result)
            if name in writes:
                assert is_refusal(result), (arguments, everything(result))
                assert re.search(r"\w+ \w+", everything(result))
            elif target is MINE:
                assert not result.is_error, everything(result)
        assert library.journal.head() == head
        assert dump(path) == before


def tools_of(path: Path, dialect: str, language: str) -> list[Any]:
    with Library.open(path, frozen) as library, room(library) as opened:
        agent, _ = library.agents.add("ada", dialect=dialect, language=language, **WINDOW)
        client = opened.client(dialect, agent)
        return list(opened.portal.call(client.list_tools).tools)


@pytest.mark.parametrize(("dialect", "language", "tool"), CASES, ids=NAMED)
def test_who_is_locked_is_told_the_same_whether_there_are_others_or_not(
    stores: tuple[Path, Path], tmp_path: Path, dialect: str, language: str, tool: str
) -> None:
    for number, (target, name, arguments) in enumerate(calls(dialect, language, tool)):
        heard: list[str] = []
        for store in stores:
            folder = tmp_path / f"{number}-{store.stem}"
            folder.mkdir()
            path = Path(shutil.copy(store, folder / "secret-folder.db"))
            heard.append(_said_under_lock(path, dialect, language, name, arguments))
        full, alone = heard
        assert full == alone, arguments
        assert "secret-folder" not in full
        assert _INNER not in full
        if target is MINE:
            assert [mark for mark in MARKS if mark in full.casefold()] == []


def _said_under_lock(
    path: Path, dialect: str, language: str, tool: str, arguments: dict[str, Any]
) -> str:
    """What a locked agent hears; what others have is the same afterwards."""
    before = dump(path, of_others=OWN)
    with Library.open(path, frozen) as library, room(library) as opened:
        locked = opened.voice(dialect, language, entity=OWN)
        said = everything(locked.result(tool, arguments))
    assert dump(path, of_others=OWN) == before
    return said


@pytest.mark.parametrize(("dialect", "language", "tool"), CASES, ids=NAMED)
def test_no_credential_in_any_text_of_any_call_reaches_the_store(
    stores: tuple[Path, Path], tmp_path: Path, dialect: str, language: str, tool: str
) -> None:
    for number, (_, name, arguments) in enumerate(calls(dialect, language, tool)):
        for place, said in enumerate(_with_secret(arguments)):
            path = Path(shutil.copy(stores[0], tmp_path / f"{number}-{place}.db"))
            with Library.open(path, frozen) as library, room(library) as opened:
                writer = opened.voice(dialect, language)
                told = everything(writer.result(name, said))
            assert _INNER not in told
            assert "hunter2" not in str(dump(path)), said


def _with_secret(value: Any) -> Iterator[Any]:
    """The same value, once for each text in it, with a credential there."""
    if isinstance(value, str):
        yield SECRET
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from ({**value, name: changed} for changed in _with_secret(each))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from ([*value[:i], changed, *value[i + 1 :]] for changed in _with_secret(each))


@pytest.mark.parametrize(("dialect", "language"), SPOKEN, ids=[name_of(*s) for s in SPOKEN])
@pytest.mark.parametrize("lock", [OWN, "fresh"])
def test_a_locked_agent_that_calls_everything_leaves_others_as_they_are(
    stores: tuple[Path, Path], tmp_path: Path, dialect: str, language: str, lock: str
) -> None:
    path = Path(shutil.copy(stores[0], tmp_path / "memories.db"))
    before = dump(path, of_others=lock)
    with Library.open(path, frozen) as library, room(library) as opened:
        locked = opened.voice(dialect, language, entity=lock)
        every = [call for tool in ROWS[dialect] for call in calls(dialect, language, tool)]
        # Those about others come last, since they bring the words of others in themselves.
        for target, name, arguments in sorted(every, key=lambda call: call[0] is THEIRS):
            told = everything(locked.result(name, arguments))
            assert _INNER not in told
            if target is MINE:
                assert [mark for mark in MARKS if mark in told.casefold()] == [], (name, arguments)
    assert dump(path, of_others=lock) == before


@pytest.mark.parametrize(("dialect", "language"), SPOKEN, ids=[name_of(*s) for s in SPOKEN])
def test_a_fault_of_the_store_tells_a_locked_agent_no_path(
    stores: tuple[Path, Path], tmp_path: Path, dialect: str, language: str
) -> None:
    path = Path(shutil.copy(stores[0], tmp_path / "secret-folder.db"))
    with Library.open(path, frozen) as library, room(library) as opened:
        locked = opened.voice(dialect, language, entity=OWN)
        with closing(sqlite3.connect(path)) as damaged:
            damaged.execute("ALTER TABLE memory RENAME TO lost")
        for tool in ROWS[dialect]:
            name, arguments = next(
                (n, a) for t, n, a in calls(dialect, language, tool) if t is MINE
            )
            assert "secret-folder" not in everything(locked.result(name, arguments)), name


@pytest.mark.parametrize(("dialect", "language"), SPOKEN, ids=[name_of(*s) for s in SPOKEN])
def test_what_a_locked_agent_is_offered_beside_tools_names_no_others(
    stores: tuple[Path, Path], tmp_path: Path, dialect: str, language: str
) -> None:
    heard: list[str] = []
    for store in stores:
        path = Path(shutil.copy(store, tmp_path / store.name))
        with Library.open(path, frozen) as library, room(library) as opened:
            agent, _ = library.agents.add(
                "ada", dialect=dialect, language=language, entity=OWN, **WINDOW
            )
            client = opened.client(dialect, agent)
            heard.append("\n".join(opened.portal.call(_beside_tools, client)))
    assert heard[0] == heard[1]
    told = heard[0].casefold().replace(OTHER, "")  # which the test itself asks for
    assert [mark for mark in MARKS if mark in told] == []
    assert str(tmp_path) not in heard[0]


async def _beside_tools(client: Client) -> list[str]:
    """All that a client can hear of without calling a tool, about one's own and about others."""
    resources = (await client.list_resources()).resources
    offers_prompts = client.server_capabilities.prompts is not None
    prompts = (await client.list_prompts()).prompts if offers_prompts else []
    asked: list[Awaitable[BaseModel]] = [client.list_tools()]
    templates = (await client.list_resource_templates()).resource_templates
    uris = [str(each.uri) for each in resources]
    for target in TARGETS:
        uris += [re.sub(r"\{.*?\}", target.entity, each.uri_template) for each in templates]
        for prompt in prompts:
            names = [each.name for each in prompt.arguments or ()]
            asked.append(client.get_prompt(prompt.name, dict.fromkeys(names, target.entity)))
            about = PromptReference(name=prompt.name)
            begun = ("", target.entity[:3])
            asked += [
                client.complete(about, {"name": name, "value": value})
                for name in names
                for value in begun
            ]
    asked += [client.read_resource(uri) for uri in uris]
    return [*map(str, resources), *map(str, prompts), *[await _heard(each) for each in asked]]


async def _heard(asked: Awaitable[BaseModel]) -> str:
    try:
        return (await asked).model_dump_json()
    except MCPError as error:
        return str(error)
