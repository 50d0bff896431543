"""Real clients of every vocabulary, connected at once to one library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client import Client
from mcp.types import CallToolResult

from agents.dialects.speaking import connected
from agents.dialects.voices import GraphVoice, NativeVoice, Voice
from agents.dialects.voices_scoped import BrainVoice, MemcoreVoice, MemoVoice
from notation import WINDOW
from remembrancer.agents.dialects import DIALECTS
from remembrancer.core.author import Access, Agent
from remembrancer.service.library import Library

VOICES: dict[str, type[Voice]] = {
    "native": NativeVoice,
    "knowledge_graph": GraphVoice,
    "memcore": MemcoreVoice,
    "memo": MemoVoice,
    "brain": BrainVoice,
}
LANGUAGES = {"memo": ("de", "en")}  # every other dialect speaks one
SPOKEN = [(dialect, lang) for dialect in DIALECTS for lang in LANGUAGES.get(dialect, ("en",))]


def name_of(dialect: str, language: str) -> str:
    """How a vocabulary is called in a test's name."""
    return f"{dialect}-{language}" if dialect in LANGUAGES else dialect


NAMES = [name_of(*spoken) for spoken in SPOKEN]


@dataclass(frozen=True)
class Room:
    """An event loop in a thread of its own, in which clients are connected to one library."""

    portal: BlockingPortal
    library: Library
    stack: ExitStack

    def client(
        self, dialect: str, agent: Agent, mode: Literal["auto", "legacy"] = "auto"
    ) -> Client:
        """A client that stays connected until the room is left."""
        connection = connected(self.library, DIALECTS[dialect](self.library), agent, mode)
        return self.stack.enter_context(self.portal.wrap_async_context_manager(connection))

    def voice(
        self, dialect: str, language: str = "en", *, access: Access = Access.WRITE,
        entity: str | None = None, budget: int | None = 100_000,
    ) -> Voice:  # fmt: skip
        """A new agent under a policy, connected and ready to speak."""
        name = name_of(dialect, language)
        agent, _ = self.library.agents.add(
            f"{name} {len(self.library.agents.all())}", dialect=dialect, language=language,
            access=access, entity=entity, answer_budget=budget, **WINDOW,
        )  # fmt: skip
        client = self.client(dialect, agent)

        def ask(tool: str, arguments: dict[str, Any]) -> CallToolResult:
            return self.portal.call(client.call_tool, tool, arguments)

        return VOICES[dialect](name, ask)

    def everybody(self) -> dict[str, Voice]:
        """One agent of every vocabulary, all connected at once."""
        return {name_of(*spoken): self.voice(*spoken) for spoken in SPOKEN}

    def at_once(self, works: Sequence[Callable[[], None]]) -> None:
        """Do all of it at the same time, each in a thread of its own."""
        with ThreadPoolExecutor(len(works)) as pool:
            for done in [pool.submit(work) for work in works]:
                done.result()


@contextmanager
def room(library: Library) -> Iterator[Room]:
    """A room for clients of a library."""
    with start_blocking_portal() as portal, ExitStack() as stack:
        yield Room(portal, library, stack)
