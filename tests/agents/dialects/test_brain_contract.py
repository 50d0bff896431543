"""What brain offers is its contract, field by field, in both eras of the protocol."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agents.dialects.contracts import agrees, beside, contract, cost, kept, listed, told
from agents.dialects.speaking import ERAS, connected, text_of
from remembrancer.agents.dialects.brain import Brain
from remembrancer.core.author import PERSON
from remembrancer.service.library import Library


@pytest.mark.parametrize("mode", ERAS)
def test_the_tools_are_those_of_the_contract(library: Library, mode: Any) -> None:
    agrees(told(listed(library, "brain", mode))["tools"], contract(kept("brain")))


@pytest.mark.skipif(
    not beside("brain").exists(), reason="the shared contract does not lie beside this"
)
def test_the_kept_contract_is_the_shared_one() -> None:
    assert contract(kept("brain")) == contract(beside("brain"))


def test_every_tool_is_described_and_its_schemas_are_sound(library: Library) -> None:
    for tool in Brain(library).tools:
        assert tool.description
        assert tool.output_schema
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)


def test_an_agent_pays_little_for_knowing_the_tools(library: Library) -> None:
    assert cost(listed(library, "brain")) <= 12_000


def test_the_instructions_are_short(library: Library) -> None:
    assert 0 < len(Brain(library).instructions) < 1_000


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_writes_reads_changes_and_deletes(library: Library, mode: Any) -> None:
    async def use() -> None:
        agent, _ = library.agents.add("ada", dialect="brain", author=PERSON, origin="window")
        async with connected(library, Brain(library), agent, mode) as client:

            async def records(tool: str, **arguments: Any) -> list[dict[str, Any]]:
                result = await client.call_tool(tool, arguments)
                assert not result.is_error, text_of(result)
                assert result.structured_content is not None
                return result.structured_content["datensaetze"]

            new = {"titel": "Netz", "inhalt": "MTU ist 1500", "agent_ID": agent.id}
            place = {"scope_typ": "modul", "scope_modul": "netz", "scope_ID": "7"}
            [made] = await records("insert_brain_memory", **new, **place)
            assert {name: made[name] for name in (*new, *place)} == {**new, **place}
            assert await records("select_brain_memory", agent_ID=agent.id) == [made]
            assert await records("select_brain_memory", agent_ID=agent.id + 1) == []
            seen = {"ID": made["ID"], "revision": made["revision"]}
            [changed] = await records("update_brain_memory", **seen, titel="Netzwerk")
            assert (changed["titel"], changed["revision"]) == ("Netzwerk", 2)
            stale = await client.call_tool("delete_brain_memory", seen)
            assert stale.is_error
            assert "inzwischen geändert" in text_of(stale)
            [gone] = await records("delete_brain_memory", ID=made["ID"], revision=2, grund="alt")
            assert gone["status"] == "geloescht"
            assert await records("select_brain_memory", ID=made["ID"]) == []

    asyncio.run(use())
