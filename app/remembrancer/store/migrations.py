"""The file's versions: an ordered list of named steps, each run once, in one transaction."""

from __future__ import annotations

from collections.abc import Callable

from remembrancer.store import schema

Execute = Callable[[str], object]
STEPS: list[Callable[[Execute], None]] = []


def step(function: Callable[[Execute], None]) -> Callable[[Execute], None]:
    """Add `function` as the next version of the file."""
    STEPS.append(function)
    return function


@step
def first_tables(execute: Execute) -> None:
    """The tables, indexes and triggers of the first version."""
    for statement in statements(schema.FIRST):
        execute(statement)


def statements(text: str) -> list[str]:
    """The single statements of a script; a trigger's body stays whole."""
    found: list[str] = []
    part = ""
    for line in text.strip().splitlines():
        part += line + "\n"
        trigger = "CREATE TRIGGER" in part
        if line.rstrip().endswith("END;" if trigger else ";"):
            found.append(part.strip())
            part = ""
    return found


def pending(version: int) -> list[Callable[[Execute], None]]:
    """The steps that a file of `version` still needs."""
    return STEPS[version:]
