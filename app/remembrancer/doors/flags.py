"""The flags that shape what an agent may do, the same at every door that lets one in."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remembrancer.agents.dialects import DIALECTS
from remembrancer.core import names
from remembrancer.core.author import Access

if TYPE_CHECKING:
    from remembrancer.core.author import Agent

BUDGET = 100_000  # characters an answer may have unless a flag says otherwise
LANGUAGES = ("en", "de")


@dataclass(frozen=True)
class Policy:
    """What the flags ask for."""

    access: Access
    dialect: str
    entity: str | None
    language: str
    answer_budget: int | None

    @classmethod
    def of(cls, arguments: Namespace) -> Policy:
        """The policy of parsed arguments."""
        access = Access.READ if arguments.read_only else Access.WRITE
        budget = arguments.answer_budget
        scope = None if arguments.scope is None else names.entity_name(arguments.scope)
        return cls(access, arguments.dialect, scope, arguments.language, budget)

    def holds_for(self, agent: Agent) -> bool:
        """Whether an agent's record says the same."""
        return self == Policy(
            agent.access, agent.dialect, agent.entity, agent.language, agent.answer_budget
        )


def add_flags(parser: ArgumentParser) -> None:
    """Let a command take the flags."""
    parser.add_argument(
        "--dialect", choices=tuple(DIALECTS), default="native",
        help="the vocabulary of tools (default: native)",
    )  # fmt: skip
    parser.add_argument(
        "--language", choices=LANGUAGES, default="en",
        help="the language of a dialect that has two (default: en)",
    )  # fmt: skip
    parser.add_argument("--read-only", action="store_true", help="nothing may be changed")
    parser.add_argument("--scope", metavar="NAME", help="only this entity may be touched or seen")
    parser.add_argument(
        "--answer-budget", type=_budget, default=BUDGET, metavar="N",
        help=f"characters an answer may have, or `none` (default: {BUDGET:,})",
    )  # fmt: skip


def _budget(text: str) -> int | None:
    if text == "none":
        return None
    if not text.isascii() or not text.isdigit() or int(text[:12]) < 1:
        raise ArgumentTypeError("say a number of characters, or none")
    return int(text[:12])
