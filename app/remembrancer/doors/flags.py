"""The flags that shape what an agent may do, the same at every door that lets one in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remembrancer.agents.local_terms import LANGUAGES

# A bridge reads these flags too, while its client waits: what is slow to load is loaded late.
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from remembrancer.agents.admission import Policy

BUDGET = 100_000  # characters an answer may have unless a flag says otherwise
DIALECT, LANGUAGE = "native", "en"  # unless a flag says otherwise


def policy_of(arguments: Namespace) -> Policy:
    """The policy of parsed arguments; raises BadValue for a scope that is no name."""
    from remembrancer.agents.admission import Policy

    return Policy.asked(
        arguments.dialect, arguments.language, arguments.read_only, arguments.scope,
        arguments.answer_budget,
    )  # fmt: skip


def add_flags(parser: ArgumentParser) -> None:
    """Let a command take the flags."""
    from remembrancer.agents.dialects import DIALECTS

    parser.add_argument(
        "--dialect", choices=tuple(DIALECTS), default=DIALECT,
        help="the vocabulary of tools (default: native)",
    )  # fmt: skip
    parser.add_argument(
        "--language", choices=LANGUAGES, default=LANGUAGE,
        help="the language of a dialect that has two (default: en)",
    )  # fmt: skip
    parser.add_argument("--read-only", action="store_true", help="nothing may be changed")
    parser.add_argument("--scope", metavar="NAME", help="only this entity may be touched or seen")
    parser.add_argument(
        "--answer-budget", type=_budget, default=BUDGET, metavar="N",
        help=f"characters an answer may have, or `none` (default: {BUDGET:,})",
    )  # fmt: skip


def budget_in(text: str) -> int | None:
    """The budget that the flag's text names; raises ValueError with a sentence."""
    if text == "none":
        return None
    if not text.isascii() or not text.isdigit() or int(text[:12]) < 1:
        raise ValueError("say a number of characters, or none")
    return int(text[:12])


def _budget(text: str) -> int | None:
    from argparse import ArgumentTypeError

    try:
        return budget_in(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
