"""What a vocabulary of tools is: its words, and how it answers a call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from mcp.types import (
    CallToolResult,
    Completion,
    GetPromptResult,
    Prompt,
    PromptReference,
    Resource,
    ResourceTemplate,
    ResourceTemplateReference,
    Tool,
)

from remembrancer.agents.answers import failure
from remembrancer.agents.caller import Caller
from remembrancer.core.errors import RemembrancerError

NATIVE = "native"


def path_of(dialect: str) -> str:
    """The path at which the host serves a dialect."""
    return "/mcp" if dialect == NATIVE else f"/mcp/{dialect}"


Completed = ResourceTemplateReference | PromptReference


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked before a call may pass: in words, and the arguments that it then has.

    `message` alone tells what is agreed to: an answer counts for exactly this message.
    """

    message: str
    arguments: dict[str, Any]


class Dialect(ABC):
    """One vocabulary of MCP tools over the store.

    A subclass sets the class variables. `trimmed` names, per tool, the properties whose text loses
    the blanks around it before its length is checked; at any depth, and in lists of texts too.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    instructions: ClassVar[str]
    tools: tuple[Tool, ...]
    trimmed: ClassVar[Mapping[str, frozenset[str]]] = MappingProxyType({})

    @property
    def path(self) -> str:
        """The path at which the host serves this dialect."""
        return path_of(self.name)

    def offered(self, caller: Caller) -> tuple[Tool, ...]:
        """The members of `tools` that this caller is told of and may call; all, unless redefined.

        It may depend on the caller's language and policy, and on nothing else.
        """
        return self.tools

    @abstractmethod
    def call(self, tool: str, arguments: dict[str, Any], caller: Caller) -> CallToolResult:
        """Answer one call, in a worker thread.

        The arguments are checked against the tool's schema and hold its defaults. What is made of
        a RemembrancerError says `failed`.
        """

    def failed(self, tool: str, error: RemembrancerError, caller: Caller) -> CallToolResult:
        """What a client reads when a call fails; also for arguments that the schema refuses."""
        return failure(str(error))

    @property
    def asks(self) -> bool:
        """Whether it ever puts a question to the person."""
        return type(self).question is not Dialect.question

    def question(
        self, tool: str, arguments: dict[str, Any], error: RemembrancerError, caller: Caller
    ) -> Question | None:
        """What a person could be asked so that a call which failed with `error` passes after all.

        `arguments` are the checked ones. Asked only where the client can show a question.
        """
        return None

    # --- resources

    def resources(self) -> tuple[Resource, ...]:
        """The resources that this dialect adds to the journal; every change announces them all."""
        return ()

    def templates(self) -> tuple[ResourceTemplate, ...]:
        """The patterns of the URIs at which `resource_at` finds more."""
        return ()

    def recent(self, caller: Caller) -> tuple[Resource, ...]:
        """Of the resources behind `templates()` those worth listing, in a worker thread."""
        return ()

    def resource_at(self, uri: str, caller: Caller) -> Resource | None:
        """The resource behind `templates()` at a URI, if this caller may know of it; in a worker.

        What is returned was looked at with intent: the client reads it or wants to hear of it.
        """
        return None

    def read(self, uri: str, caller: Caller) -> str:
        """The text of one of `resources()`, or of what `resource_at` found; in a worker thread."""
        raise NotImplementedError

    def changed(self, uris: Collection[str], since: int, until: int) -> set[str]:
        """Which of these URIs of `resource_at` changed by the journal's lines in (since, until].

        In a worker thread; only URIs that somebody asked to hear of are given.
        """
        return set()

    # --- prompts and completion

    def prompts(self) -> tuple[Prompt, ...]:
        """The prompts that a person may begin with; their arguments are texts."""
        return ()

    def prompt(self, name: str, arguments: dict[str, str], caller: Caller) -> GetPromptResult:
        """One of `prompts()`, in a worker thread; a RemembrancerError says what is wrong with it.

        The arguments are known ones and the required are there.
        """
        raise NotImplementedError

    def complete(self, what: Completed, argument: str, begun: str, caller: Caller) -> Completion:
        """How an argument of a prompt or a template may go on from `begun`; in a worker thread."""
        return Completion(values=[])
