"""How a tool of any dialect is made of its words, its hints and its schemas."""

from __future__ import annotations

from typing import Any

from mcp.types import Tool, ToolAnnotations


def made(
    name: str, title: str, hints: tuple[bool, bool, bool], description: str,
    arguments: dict[str, Any], answer: dict[str, Any] | None, *, open_world: bool = False,
) -> Tool:  # fmt: skip
    """A tool; `arguments` and `answer` are its JSON schemas, the title stands among the hints too.

    `hints`: whether it only reads, destroys, may be repeated; `open_world` says that it asks
    somebody outside.
    """
    reads, destroys, repeats = hints
    return Tool(
        name=name,
        title=title,
        description=description,
        input_schema=arguments,
        output_schema=answer,
        annotations=ToolAnnotations(
            title=title,
            read_only_hint=reads,
            destructive_hint=destroys,
            idempotent_hint=repeats,
            open_world_hint=open_world,
        ),
    )
