"""Entities as resources: listed, read within a budget, completed, and announced when changed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceTemplateReference, TextResourceContents

from agents.dialects.speaking import ERAS, connected
from remembrancer.agents.dialects.native import Native
from remembrancer.core.author import PERSON, Agent
from remembrancer.core.entity import Scope
from remembrancer.core.memory import Draft
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

Era = Literal["auto", "legacy"]
eras = pytest.mark.parametrize("mode", ERAS)
JOURNAL = "memory://journal"
EDGE, CORE = "memory://entity/edge", "memory://entity/core"
NAME = ResourceTemplateReference(uri="memory://entity/{name}")
ME: Any = {"author": PERSON, "origin": "window"}
BOUND = 20.0


def agent(library: Library, **policy: Any) -> Agent:
    return library.agents.add(f"robin {len(library.agents.all())}", **policy, **ME)[0]


def create(library: Library, *names: str) -> None:
    library.graph.create([NewEntity(name, "device") for name in names], **ME)


def remember(library: Library, entity: str, content: str, **more: Any) -> int:
    return library.memories.remember(Draft(content, entity, **more), **ME).id


def speak(library: Library, mode: Era, talk: Callable[[Client], Any], **policy: Any) -> Any:
    async def speaking() -> Any:
        async with connected(library, Native(library), agent(library, **policy), mode) as client:
            return await talk(client)

    return asyncio.run(asyncio.wait_for(speaking(), BOUND))


def listed(library: Library, mode: Era, **policy: Any) -> list[str]:
    async def talk(client: Client) -> list[str]:
        return [each.uri for each in (await client.list_resources()).resources]

    return speak(library, mode, talk, **policy)


def read(library: Library, uri: str, mode: Era = "auto", **policy: Any) -> Any:
    async def talk(client: Client) -> Any:
        [contents] = (await client.read_resource(uri)).contents
        assert isinstance(contents, TextResourceContents)
        assert (contents.uri, contents.mime_type) == (uri, "application/json")
        return json.loads(contents.text)

    return speak(library, mode, talk, **policy)


def unknown(library: Library, uri: str, mode: Era, **policy: Any) -> None:
    """Assert that there is no such resource for this agent."""

    async def talk(client: Client) -> None:
        with pytest.raises(MCPError, match="Resource not found"):
            await client.read_resource(uri)

    speak(library, mode, talk, **policy)


def completed(library: Library, begun: str, **policy: Any) -> tuple[list[str], bool | None]:
    async def talk(client: Client) -> Any:
        found = await client.complete(NAME, {"name": "name", "value": begun})
        return found.completion.values, found.completion.has_more

    return speak(library, "auto", talk, **policy)


# --- listing and reading


@eras
def test_the_most_recently_changed_entities_are_listed_first(library: Library, mode: Era) -> None:
    create(library, "edge", "core", "cellar")
    remember(library, "core", "it is old")
    library.graph.relate([Triple("cellar", "attic", "leads to")], ghosts=True, **ME)
    library.graph.delete(["edge"], **ME)
    assert listed(library, mode) == [JOURNAL, "memory://entity/cellar", CORE]


def test_no_more_than_fifty_entities_are_listed(library: Library) -> None:
    create(library, *[f"n{n}" for n in range(60)])
    uris = listed(library, "auto")
    assert len(uris) == 51
    assert uris[1] == "memory://entity/n59"


@eras
def test_there_is_one_template_of_entities(library: Library, mode: Era) -> None:
    async def talk(client: Client) -> list[str]:
        found = (await client.list_resource_templates()).resource_templates
        return [each.uri_template for each in found]

    assert speak(library, mode, talk) == [NAME.uri]


@eras
def test_an_entity_is_read_with_its_memories_and_relations(library: Library, mode: Era) -> None:
    create(library, "edge", "core")
    remember(library, "edge", "two uplinks", key="wan")
    archived = remember(library, "edge", "three uplinks")
    library.memories.archive(archived, **ME)
    library.graph.relate([Triple("core", "edge", "feeds")], **ME)
    found = read(library, EDGE, mode)
    assert found["createdAt"] <= found["updatedAt"]
    assert {k: v for k, v in found.items() if not k.endswith("At")} == {
        "name": "edge",
        "entityType": "device",
        "scope": "device",
        "scopeRevision": 0,
        "members": [],
        "relations": [{"from": "core", "to": "edge", "relationType": "feeds"}],
        "memories": [
            {
                "id": 1, "key": "wan", "kind": "fact", "content": "two uplinks", "revision": 1,
                "verifiedAt": None, "pinned": False,
            }
        ],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a/b?c#d", "memory://entity/a%2Fb%3Fc%23d"),
        ("Büro 2", "memory://entity/B%C3%BCro%202"),
        ("Büro 2", "memory://entity/Bu%cc%88ro 2"),  # decomposed, and not encoded throughout
        ("100%", "memory://entity/100%25"),
    ],
)
def test_any_name_can_be_in_a_uri(library: Library, name: str, uri: str) -> None:
    create(library, name)
    assert read(library, uri)["name"] == name


@eras
@pytest.mark.parametrize("name", ["nobody", "", "%ff", "attic", "edge/", "%00"])
def test_what_nobody_created_is_no_resource(library: Library, mode: Era, name: str) -> None:
    create(library, "edge")
    library.graph.relate([Triple("edge", "attic", "leads to")], ghosts=True, **ME)
    unknown(library, f"memory://entity/{name}", mode)


def test_a_large_entity_keeps_to_the_answer_and_says_what_is_left(library: Library) -> None:
    observations = tuple(f"{n} ".ljust(100, "ö") for n in range(200))
    library.graph.create([NewEntity("edge", "device", observations)], **ME)
    links = [Triple("edge", "edge", f"r{n}") for n in range(300)]
    library.graph.relate(links, **ME)
    found = read(library, EDGE, answer_budget=8_000)
    assert len(json.dumps(found, ensure_ascii=False, separators=(",", ":"))) <= 8_000
    kept = len(found["memories"])
    assert 10 < kept < 200
    assert f"{200 - kept} of the 200 memories" in found["left"]
    assert f"offset={kept}" in found["left"]
    assert found["relationsLeft"] == 300 - len(found["relations"])
    whole = read(library, EDGE, answer_budget=None)
    assert (len(whole["memories"]), len(whole["relations"])) == (200, 300)
    assert "left" not in whole


# --- under a lock


@eras
def test_a_locked_agent_knows_of_its_own_entity_alone(library: Library, mode: Era) -> None:
    create(library, "edge", "core")
    library.graph.relate([Triple("core", "edge", "feeds")], **ME)
    library.scopes.set("edge", Scope.GROUP, members=["core"], expected=0, confirmed=True, **ME)
    assert listed(library, mode, entity="edge") == [EDGE]
    found = read(library, EDGE, mode, entity="edge")
    assert (found["relations"], found["members"]) == ([], [])
    unknown(library, CORE, mode, entity="edge")


def test_a_lock_on_an_entity_that_is_gone_shows_nothing(library: Library) -> None:
    assert listed(library, "auto", entity="edge") == []


# --- completing names


def test_a_name_is_completed_whatever_the_case(library: Library) -> None:
    create(library, "Edge 1", "edge 2", "EDGE 3", "ledge", "Äpfel", "äpfel 2")
    library.graph.relate([Triple("ledge", "edge of nowhere", "near")], ghosts=True, **ME)
    assert completed(library, "eDg") == (["Edge 1", "edge 2", "EDGE 3"], False)
    assert completed(library, "Äp") == (["Äpfel", "äpfel 2"], False)
    assert completed(library, "x%_") == ([], False)


def test_completion_gives_a_hundred_names_and_says_that_there_are_more(library: Library) -> None:
    create(library, *[f"node {n:03}" for n in range(150)], *[f"a node {n:03}" for n in range(400)])
    expected = [f"node {n:03}" for n in range(100)]
    assert completed(library, "NODE") == (expected, True)
    assert completed(library, "node 14") == ([f"node {n}" for n in range(140, 150)], False)
    values, more = completed(library, "")
    assert (len(values), more) == (100, True)


def test_completion_under_a_lock_knows_one_name(library: Library) -> None:
    create(library, "edge", "edge 2")
    assert completed(library, "E", entity="edge") == (["edge"], False)
    assert completed(library, "c", entity="edge") == ([], False)


@eras
def test_nothing_else_is_completed(library: Library, mode: Era) -> None:
    create(library, "edge")

    async def talk(client: Client) -> list[list[str]]:
        other = ResourceTemplateReference(uri="memory://other/{name}")
        asked = [(other, "name"), (NAME, "size")]
        found = [await client.complete(r, {"name": n, "value": ""}) for r, n in asked]
        return [each.completion.values for each in found]

    assert speak(library, mode, talk) == [[], []]


# --- being told


class Heard:
    """What a subscribed client heard of, by URI."""

    def __init__(self) -> None:
        self.uris: Counter[str] = Counter()
        self._news = asyncio.Event()

    def note(self, uri: str) -> None:
        self.uris[uri] += 1
        self._news.set()

    async def until(self, **times: int) -> None:
        """Wait until the resources called so were heard of so many times each."""
        wanted = {{"journal": JOURNAL, "edge": EDGE, "core": CORE}[k]: n for k, n in times.items()}
        while any(self.uris[uri] < count for uri, count in wanted.items()):
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), BOUND)
        assert self.uris == Counter(wanted)


@asynccontextmanager
async def hearing(library: Library, mode: Era, *uris: str, **policy: Any) -> AsyncIterator[Heard]:
    """A client that wants to hear of these resources."""
    heard = Heard()

    async def note(message: Any) -> None:
        updated = getattr(message, "method", "") == "notifications/resources/updated"
        if updated and mode == "legacy":
            heard.note(message.params.uri)

    who = agent(library, **policy)
    async with connected(library, Native(library), who, mode, message_handler=note) as client:
        if mode == "legacy":
            for uri in uris:
                await client.subscribe_resource(uri)
            yield heard
            return
        async with client.listen(resource_subscriptions=uris) as events:
            assert events.honored.resource_subscriptions == list(uris)
            noting = asyncio.create_task(_note_all(events, heard))
            yield heard
            noting.cancel()


async def _note_all(events: AsyncIterator[Any], heard: Heard) -> None:
    async for event in events:
        heard.note(event.uri)


def follow(
    library: Library, mode: Era, *steps: tuple[Callable[[], object], bool], uri: str = EDGE
) -> None:
    """Do one thing after the other; each time the entity is heard of, or nothing but the journal.

    The journal is announced before the entities, so what is not heard by the next step never came.
    """

    async def following() -> None:
        async with hearing(library, mode, JOURNAL, uri) as heard:
            entity = 0
            for count, (step, told) in enumerate(steps, 1):
                await asyncio.to_thread(step)
                entity += told
                await heard.until(journal=count, edge=entity)

    asyncio.run(following())


legacy_too = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


@eras
@legacy_too
def test_a_client_hears_of_an_entity_only_when_that_entity_changes(
    library: Library, mode: Era
) -> None:
    create(library, "edge", "core", "cellar")
    follow(
        library,
        mode,
        (lambda: remember(library, "core", "elsewhere"), False),
        (lambda: remember(library, "edge", "here"), True),
        (lambda: library.memories.archive(2, **ME), True),
        (lambda: library.memories.archive(1, **ME), False),
        (lambda: library.graph.relate([Triple("core", "edge", "feeds")], **ME), True),
        (lambda: library.graph.relate([Triple("core", "cellar", "feeds")], **ME), False),
        (lambda: library.graph.unrelate([Triple("core", "edge", "feeds")], **ME), True),
        (lambda: library.graph.change("edge", new_type="router", **ME), True),
        (lambda: library.graph.delete(["core"], **ME), False),
        (lambda: library.scopes.set("edge", Scope.GROUP, expected=0, confirmed=True, **ME), True),
    )


@eras
@legacy_too
def test_a_client_hears_when_an_entity_goes_and_comes_back(library: Library, mode: Era) -> None:
    create(library, "edge", "core")
    remember(library, "edge", "moves")
    follow(
        library,
        mode,
        (lambda: library.memories.revise(1, {"entity": "core"}, **ME), True),
        (lambda: library.graph.change("edge", new_name="edge 1", **ME), True),
        (lambda: remember(library, "core", "elsewhere"), False),
        (lambda: create(library, "edge"), True),
        (lambda: remember(library, "edge", "new"), True),
        (lambda: library.graph.delete(["edge"], **ME), True),
        (lambda: create(library, "edge"), True),
    )


@eras
@legacy_too
def test_a_client_hears_of_what_another_process_does(library: Library, mode: Era) -> None:
    create(library, "edge", "core")

    def elsewhere(entity: str) -> None:
        with Library.open(library.path) as other:
            remember(other, entity, "from elsewhere")

    follow(library, mode, (lambda: elsewhere("core"), False), (lambda: elsewhere("edge"), True))


@eras
@legacy_too
def test_a_locked_agent_hears_of_its_own_entity_alone(library: Library, mode: Era) -> None:
    create(library, "edge", "core")

    async def following() -> None:
        async with hearing(library, mode, EDGE, entity="edge") as heard:
            await asyncio.to_thread(remember, library, "core", "elsewhere")
            await asyncio.to_thread(remember, library, "edge", "here")
            await heard.until(edge=1)

    asyncio.run(following())


def test_what_a_2026_client_may_not_know_of_is_not_agreed_to(library: Library) -> None:
    create(library, "edge", "core")

    async def talk(client: Client) -> Any:
        wanted = [JOURNAL, CORE, EDGE, "memory://entity/nobody"]
        async with client.listen(resource_subscriptions=wanted) as events:
            return events.honored.resource_subscriptions

    assert speak(library, "auto", talk, entity="edge") == [EDGE]


@legacy_too
def test_an_earlier_client_cannot_subscribe_to_what_it_may_not_know_of(library: Library) -> None:
    create(library, "edge", "core")

    async def talk(client: Client) -> None:
        for uri in (JOURNAL, CORE, "memory://entity/nobody"):
            with pytest.raises(MCPError, match="Resource not found"):
                await client.subscribe_resource(uri)

    speak(library, "legacy", talk, entity="edge")
