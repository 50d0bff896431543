"""What a dialect offers, and the contract that it has to be: kept beside the tests."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, Literal

from mcp.types import ListToolsResult

from agents.dialects.speaking import connected
from remembrancer.agents.dialects import DIALECTS
from remembrancer.core.author import PERSON
from remembrancer.service.library import Library

HERE = Path(__file__)


def kept(dialect: str) -> Path:
    """The contract as it lies beside the tests."""
    return HERE.with_name(f"{dialect}_contract.json")


def beside(dialect: str) -> Path:
    """The shared contract, where it lies beside the project."""
    return HERE.parents[4] / "shared" / "contracts" / f"{dialect}.json"


def contract(path: Path) -> list[dict[str, Any]]:
    """The tools of a contract."""
    return json.loads(path.read_text("utf-8"))["tools"]


def listed(
    library: Library, dialect: str, mode: Literal["auto", "legacy"] = "auto", language: str = "en"
) -> ListToolsResult:
    """What a client is told of a dialect's tools."""

    async def listing() -> ListToolsResult:
        agent, _ = library.agents.add(
            "ada", dialect=dialect, language=language, author=PERSON, origin="window"
        )
        async with connected(library, DIALECTS[dialect](library), agent, mode) as client:
            return await client.list_tools()

    return asyncio.run(listing())


def told(result: ListToolsResult) -> dict[str, Any]:
    """The answer as it goes over the wire."""
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


def cost(result: ListToolsResult) -> int:
    """The characters that an agent pays for knowing the tools."""
    return len(json.dumps(told(result), separators=(",", ":")))


def agrees(tools: list[dict[str, Any]], agreed: list[dict[str, Any]]) -> None:
    """Assert that these tools are those of the contract, field by field and in order."""
    assert [t["name"] for t in tools] == [t["name"] for t in agreed]
    for tool, one in zip(tools, agreed, strict=True):
        assert tool["title"] == one["title"]
        assert _bare(tool["inputSchema"]) == one["inputSchema"]
        assert tool["annotations"] == {"title": one["title"], **one["annotations"]}


def _bare(schema: Any) -> Any:
    """A schema without what a model is told beside it."""
    if isinstance(schema, list):
        return [_bare(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    texts = {k for k, v in schema.items() if k == "description" and isinstance(v, str)}
    return {k: _bare(v) for k, v in schema.items() if k not in texts}
