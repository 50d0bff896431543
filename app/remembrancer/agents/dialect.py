"""What a vocabulary of tools is: its words, and how it answers a call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from mcp.types import CallToolResult, Resource, Tool

from remembrancer.agents.answers import failure
from remembrancer.agents.caller import Caller
from remembrancer.core.errors import RemembrancerError

NATIVE = "native"


def path_of(dialect: str) -> str:
    """The path at which the host serves a dialect."""
    return "/mcp" if dialect == NATIVE else f"/mcp/{dialect}"


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

    def resources(self) -> tuple[Resource, ...]:
        """The resources that this dialect adds to the journal; every change announces them all."""
        return ()

    def read(self, uri: str, caller: Caller) -> str:
        """The text of one of `resources()`, in a worker thread."""
        raise NotImplementedError
