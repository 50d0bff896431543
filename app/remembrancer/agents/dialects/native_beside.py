"""What the native dialect has beside its tools: entities as resources, prompts, questions."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from mcp.types import (
    Completion,
    GetPromptResult,
    Prompt,
    PromptReference,
    Resource,
    ResourceTemplate,
)

from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Completed, Dialect, Question
from remembrancer.agents.dialects.native_confirming import sharing
from remembrancer.agents.dialects.native_names import beginning
from remembrancer.agents.dialects.native_prompts import PROMPTS, Prompts
from remembrancer.agents.dialects.native_resources import TEMPLATE, EntityResources
from remembrancer.core.errors import RemembrancerError

if TYPE_CHECKING:
    from remembrancer.service.library import Library


class BesideTools(Dialect):
    """Hands the hooks of a dialect to those who know the answers."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._entities = EntityResources(library)
        self._prompts = Prompts(library)

    def question(
        self, tool: str, arguments: dict[str, Any], error: RemembrancerError, caller: Caller
    ) -> Question | None:
        return sharing(tool, arguments, error)

    def templates(self) -> tuple[ResourceTemplate, ...]:
        return (TEMPLATE,)

    def recent(self, caller: Caller) -> tuple[Resource, ...]:
        return self._entities.recent(caller)

    def resource_at(self, uri: str, caller: Caller) -> Resource | None:
        return self._entities.at(uri, caller)

    def read(self, uri: str, caller: Caller) -> str:
        return self._entities.read(uri, caller)

    def changed(self, uris: Collection[str], since: int, until: int) -> set[str]:
        return self._entities.changed(uris, since, until)

    def prompts(self) -> tuple[Prompt, ...]:
        return PROMPTS

    def prompt(self, name: str, arguments: dict[str, str], caller: Caller) -> GetPromptResult:
        return self._prompts.give(name, arguments, caller)

    def complete(self, what: Completed, argument: str, begun: str, caller: Caller) -> Completion:
        known = (TEMPLATE.uri_template, "name")
        if isinstance(what, PromptReference):
            entity = any(what.name == prompt.name for prompt in PROMPTS) and argument == "entity"
        else:
            entity = (what.uri, argument) == known
        return beginning(self._library, begun, caller.author) if entity else Completion(values=[])
