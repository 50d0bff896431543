"""Before all memories of an entity apply to others, the person is asked where that can be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import (
    CallToolResult,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    TextContent,
)

from agents.dialects.speaking import ERAS, connected
from remembrancer.agents.dialects.native import Native
from remembrancer.core.author import PERSON, Access
from remembrancer.core.entity import Scope
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

Era = Literal["auto", "legacy"]
Action = Literal["accept", "decline", "cancel"]
eras = pytest.mark.parametrize("mode", ERAS)
ME: Any = {"author": PERSON, "origin": "window"}
BOUND = 20.0
REFUSED = "Error: Invalid scope: confirm sharing all memories of this entity explicitly"
SHARE: dict[str, Any] = {"entityName": "edge", "scope": "shared", "expectedRevision": 0}
ACCEPTED: Any = {"confirm": ElicitResult(action="accept")}


class Person:
    """Answers what it is asked, and remembers the question."""

    def __init__(self, action: Action = "accept") -> None:
        self.action: Action = action
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        self.asked.append(params.message)
        content: Any = {} if self.action == "accept" else None
        return ElicitResult(action=self.action, content=content)


@pytest.fixture(autouse=True)
def filled(library: Library) -> None:
    names = ["edge", "core", "cellar", 'odd"\nname?']
    library.graph.create([NewEntity(name, "device") for name in names], **ME)


def speak(
    library: Library, mode: Era, talk: Callable[[Client], Any], person: Person | None = None,
    **policy: Any,
) -> Any:  # fmt: skip
    async def speaking() -> Any:
        name = f"robin {len(library.agents.all())}"
        agent, _ = library.agents.add(name, **policy, **ME)
        asking: Any = {} if person is None else {"elicitation_callback": person}
        async with connected(library, Native(library), agent, mode, **asking) as client:
            return await talk(client)

    return asyncio.run(asyncio.wait_for(speaking(), BOUND))


def set_scope(
    library: Library, mode: Era, person: Person | None, arguments: dict[str, Any], **policy: Any
) -> str:
    """The first text of the answer."""

    async def talk(client: Client) -> str:
        return text_of(await client.call_tool("memory_set_scope", arguments))

    return speak(library, mode, talk, person, **policy)


def text_of(result: CallToolResult) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


def scope(library: Library) -> Scope:
    return library.scopes.get("edge").scope


@eras
def test_who_accepts_shares(library: Library, mode: Era) -> None:
    person = Person()
    told = set_scope(library, mode, person, SHARE)
    assert told == '{"entityName":"edge","scope":"shared","revision":1,"members":[]}'
    assert person.asked == [
        'Share all memories of "edge" with every entity? They then apply there too: those of '
        "today and all that will come."
    ]
    assert library.journal.newest(1)[0].author.startswith("mcp")


@eras
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_who_does_not_accept_leaves_it_as_it_is(
    library: Library, mode: Era, action: Action
) -> None:
    person = Person(action)
    arguments = {**SHARE, "confirmSharing": False}
    assert set_scope(library, mode, person, arguments) == REFUSED
    assert len(person.asked) == 1
    assert scope(library) is Scope.DEVICE


@eras
def test_a_client_that_cannot_ask_is_told_as_ever(library: Library, mode: Era) -> None:
    assert set_scope(library, mode, None, SHARE) == REFUSED
    assert set_scope(library, mode, None, {**SHARE, "confirmSharing": True}).startswith("{")


@eras
def test_the_members_of_a_group_are_named(library: Library, mode: Era) -> None:
    person = Person()
    arguments = {**SHARE, "scope": "group", "members": ["core", "cellar", "core"]}
    told = set_scope(library, mode, person, arguments)
    assert '"members":["cellar","core"]' in told
    assert person.asked[0].startswith(
        'Share all memories of "edge" with "cellar", "core"? They then'
    )


def test_a_long_list_of_members_is_cut_short(library: Library) -> None:
    names = [f"n{n:02}" for n in range(20)]
    library.graph.create([NewEntity(name, "device") for name in names], **ME)
    person = Person()
    set_scope(library, "auto", person, {**SHARE, "scope": "group", "members": names})
    assert '"n11" and 8 more?' in person.asked[0]


def test_a_name_cannot_look_like_a_part_of_the_question(library: Library) -> None:
    person = Person()
    set_scope(library, "auto", person, {**SHARE, "entityName": 'odd"\nname?'})
    assert person.asked[0].startswith('Share all memories of "odd\\"�name?" with')
    assert "\n" not in person.asked[0]


@eras
def test_nobody_is_asked_when_it_fails_anyway_or_is_confirmed(library: Library, mode: Era) -> None:
    person = Person()
    told = set_scope(library, mode, person, {**SHARE, "expectedRevision": 7})
    assert told.startswith("Error: Scope changed")
    assert "not found" in set_scope(library, mode, person, {**SHARE, "entityName": "nobody"})
    assert "one of" in set_scope(library, mode, person, {**SHARE, "scope": "all"})
    assert "may only read" in set_scope(library, mode, person, SHARE, access=Access.READ)
    assert "locked" in set_scope(library, mode, person, SHARE, entity="core")
    assert set_scope(library, mode, person, {**SHARE, "confirmSharing": True}).startswith("{")
    assert person.asked == []


@eras
def test_what_still_stands_against_it_is_said_after_the_answer(library: Library, mode: Era) -> None:
    arguments = {**SHARE, "scope": "group", "members": ["nobody"]}
    assert set_scope(library, mode, Person(), arguments).startswith("Error: Entity not found")
    assert scope(library) is Scope.DEVICE


@eras
def test_a_change_while_the_person_thinks_is_not_overwritten(library: Library, mode: Era) -> None:
    class Slow(Person):
        async def __call__(self, context: Any, params: Any) -> ElicitResult:
            members = ["core"]
            await asyncio.to_thread(
                lambda: library.scopes.set(
                    "edge", Scope.GROUP, members=members, expected=0, confirmed=True, **ME
                )
            )
            return await super().__call__(context, params)

    assert set_scope(library, mode, Slow(), SHARE).startswith("Error: Scope changed")
    assert scope(library) is Scope.GROUP


# --- what a client of 2026 carries between the question and the answer


async def ask(client: Client, **more: Any) -> InputRequiredResult:
    result = await client.session.call_tool(
        "memory_set_scope", {**SHARE, **more}, allow_input_required=True
    )
    assert isinstance(result, InputRequiredResult)
    assert set(result.input_requests or {}) == {"confirm"}
    return result


async def answer(client: Client, state: str | None, **more: Any) -> CallToolResult:
    result = await client.session.call_tool(
        "memory_set_scope",
        {**SHARE, **more},
        input_responses=ACCEPTED,
        request_state=state,
        allow_input_required=True,
    )
    assert isinstance(result, CallToolResult)
    return result


def test_an_answer_to_no_question_is_asked_again(library: Library) -> None:
    async def talk(client: Client) -> None:
        result = await client.session.call_tool(
            "memory_set_scope", SHARE, input_responses=ACCEPTED, allow_input_required=True
        )
        assert isinstance(result, InputRequiredResult)

    speak(library, "auto", talk, Person())
    assert scope(library) is Scope.DEVICE


def test_an_answer_without_the_capability_counts_for_nothing(library: Library) -> None:
    async def talk(client: Client) -> str:
        return text_of(await answer(client, None))

    assert speak(library, "auto", talk) == REFUSED


@pytest.mark.parametrize("change", [lambda s: s[:-4] + "AAAA", lambda s: "a" * 64, lambda s: ""])
def test_a_forged_state_is_refused(library: Library, change: Callable[[str], str]) -> None:
    async def talk(client: Client) -> None:
        state = (await ask(client)).request_state
        assert state is not None
        assert "edge" not in state
        with pytest.raises(MCPError, match="Invalid or expired requestState"):
            await answer(client, change(state))

    speak(library, "auto", talk, Person())
    assert scope(library) is Scope.DEVICE


def test_a_state_counts_for_the_call_that_was_asked_about(library: Library) -> None:
    async def talk(client: Client) -> None:
        state = (await ask(client)).request_state
        with pytest.raises(MCPError, match="Invalid or expired requestState"):
            await answer(client, state, entityName="core")

    speak(library, "auto", talk, Person())
