"""What memo offers is its contract, field by field, in two languages and both protocol eras."""

from __future__ import annotations

import asyncio
import json
import string
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agents.dialects.contracts import agrees, beside, contract, cost, kept, listed, told
from agents.dialects.memo_speech import LANGUAGES
from agents.dialects.speaking import ERAS, Speaker, connected, limited, text_of
from remembrancer.agents.dialects.memo import Memo
from remembrancer.agents.dialects.memo_texts import TEXTS
from remembrancer.agents.dialects.memo_tools import ENGLISH_TOOLS, GERMAN_TOOLS
from remembrancer.core import kinds
from remembrancer.core.author import PERSON, Access
from remembrancer.service.library import Library


def table(name: str) -> dict[str, str]:
    """One of the tables of the contract."""
    return json.loads(kept("memo").read_text("utf-8"))[name]


def english() -> list[dict[str, Any]]:
    """The contract, translated by its own tables; titles are not part of them."""
    names, parameters = table("english_names"), table("english_parameters")
    titles = {tool.name: tool.title for tool in ENGLISH_TOOLS}
    tools = contract(kept("memo"))
    for tool in tools:
        schema = tool["inputSchema"]
        tool["name"] = names[tool["name"]]
        tool["title"] = titles[tool["name"]]
        schema["properties"] = {parameters[n]: s for n, s in schema["properties"].items()}
        schema["required"] = [parameters[name] for name in schema["required"]]
        if tool["name"] == "consolidate":
            schema["properties"]["kind"]["default"] = "all"
    return tools


@pytest.mark.parametrize("mode", ERAS)
def test_the_german_tools_are_those_of_the_contract(library: Library, mode: Any) -> None:
    agrees(told(listed(library, "memo", mode, "de"))["tools"], contract(kept("memo")))


@pytest.mark.parametrize("mode", ERAS)
def test_the_english_tools_are_its_translation(library: Library, mode: Any) -> None:
    agrees(told(listed(library, "memo", mode, "en"))["tools"], english())


@pytest.mark.skipif(
    not beside("memo").exists(), reason="the shared contract does not lie beside this"
)
def test_the_kept_contract_is_the_shared_one() -> None:
    def read(path: Path) -> Any:
        return json.loads(path.read_text("utf-8"))

    assert read(kept("memo")) == read(beside("memo"))


def test_the_words_for_kinds_are_those_of_the_contract() -> None:
    assert list(table("kinds")) == list(kinds.words(kinds.MEMO_DE))
    assert list(table("kinds").values()) == list(kinds.words(kinds.MEMO_EN))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_agent_pays_little_for_knowing_the_tools(library: Library, language: str) -> None:
    assert cost(listed(library, "memo", language=language)) <= 11_800


@pytest.mark.parametrize("tools", [GERMAN_TOOLS, ENGLISH_TOOLS], ids=LANGUAGES)
def test_every_tool_is_described_and_its_schemas_are_sound(tools: Any) -> None:
    for tool in tools:
        assert tool.description
        assert tool.output_schema
        assert '"title"' not in json.dumps([tool.input_schema, tool.output_schema])
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)


def test_the_instructions_are_short(library: Library) -> None:
    assert 0 < len(Memo(library).instructions) < 1_000


def test_one_language_is_offered_never_both(library: Library) -> None:
    memo = Memo(library)
    assert memo.offered(limited(language="de")) == GERMAN_TOOLS
    assert memo.offered(limited(language="en")) == ENGLISH_TOOLS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_is_offered_what_reads(library: Library, language: str) -> None:
    offered = Memo(library).offered(limited(language=language, access=Access.READ))
    german = ["verdichten", "pruefe", "recall", "themen", "zeige"]
    english = ["consolidate", "check", "recall", "topics", "show"]
    assert [tool.name for tool in offered] == (german if language == "de" else english)


def test_every_sentence_has_both_languages_with_the_same_places_to_fill() -> None:
    def places(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    for key, (german, english) in TEXTS.items():
        assert places(german) == places(english), key
        assert german.isascii(), key


def test_the_memory_is_called_by_its_setting_or_the_machine(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Harbour")
    monkeypatch.delenv("MEMORY_NAME", raising=False)
    machine = Memo(library)
    monkeypatch.setenv("MEMORY_NAME", "tower")
    named = Memo(library)
    for memo, own, foreign in ((machine, "harbour", "tower"), (named, "Tower", "harbour")):
        assert not memo.call("show", {"ids": f"{own}#1", "full": False}, limited()).is_error
        told = Speaker(memo, limited()).refused("show", ids=f"{foreign}#1")
        assert f"belongs to the memory {foreign}" in told


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_uses_every_tool_in_german(library: Library, mode: Any) -> None:
    async def use() -> None:
        agent, _ = library.agents.add(
            "ada", dialect="memo", language="de", author=PERSON, origin="window"
        )
        async with connected(library, Memo(library), agent, mode) as client:

            async def told(tool: str, **arguments: Any) -> str:
                result = await client.call_tool(tool, arguments)
                assert not result.is_error
                assert result.structured_content is not None
                return text_of(result)

            first = await told("remember", text="Der Turm blinkt alle 5 s", tags="turm")
            assert first.startswith("Gespeichert #1 [")
            second = await told("remember", text="Der Turm blinkt alle 7 s", tags="turm")
            assert "#1 (" in second
            assert "fallstrick: #1" in await told("einordnen", ids="1", art="fallstrick")
            assert "2 Treffer fuer 'turm'" in await told("recall", query="turm")
            assert "Gruppe 1: 2 Eintraege" in await told("verdichten", schwelle=0.3)
            assert "Kein Urteil" in await told("pruefe", ids="1,2")
            assert "turm" in await told("themen")
            assert "Als veraltet markiert: #1" in await told("vergessen", ids="#1")
            assert "[VERALTET: veraltet]" in await told("zeige", ids="1")
            foreign = await client.call_tool("zeige", {"ids": "elsewhere#1"})
            assert foreign.is_error

    asyncio.run(use())
