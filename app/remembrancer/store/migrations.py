"""The file's versions: an ordered list of named steps, each run once, in one transaction."""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.analyser import VERSION
from remembrancer.store import (
    schema,
    schema_conflicts,
    schema_letters,
    schema_reviewing,
    schema_trust,
    schema_vectors,
    schema_words,
)

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


@step
def letters(execute: Execute) -> None:
    """The index of three letters in a row, over memories and entities."""
    for statement in statements(schema_letters.SECOND):
        execute(statement)
    if sqlite3.sqlite_version_info >= (3, 42):
        for statement in statements(schema_letters.DELETE_AT_ONCE):
            execute(statement)


@step
def agents_of_lines(execute: Execute) -> None:
    """Which agent's deed a line is: names alone do not tell two agents apart."""
    execute("ALTER TABLE journal ADD COLUMN agent_id INTEGER")
    execute(
        "CREATE INDEX journal_agent ON journal (agent_id, subject, subject_id)"
        " WHERE agent_id IS NOT NULL"
    )


@step
def words_and_parts(execute: Execute) -> None:
    """The index in columns of words, stems and parts, and the table of its words."""
    for statement in statements(schema_words.FOURTH):
        execute(statement)
    if sqlite3.sqlite_version_info >= (3, 42):
        execute(schema_words.DELETE_AT_ONCE)
    # What there is already was indexed otherwise, and is indexed anew in the background.
    execute(
        f"INSERT INTO setting (name, value) SELECT 'analyser', '{VERSION}'"
        " WHERE NOT EXISTS (SELECT 1 FROM memory)"
    )


@step
def vectors(execute: Execute) -> None:
    """The vectors of meaning, made where that is switched on."""
    for statement in statements(schema_vectors.VECTORS):
        execute(statement)


@step
def trust(execute: Execute) -> None:
    """What calls did once, the stays of clients, what masking sealed and what was spared."""
    for statement in statements(schema_trust.TRUST):
        execute(statement)


@step
def rules_of_agents(execute: Execute) -> None:
    """What of an agent's deeds passes, waits or is refused, beside its access."""
    execute("ALTER TABLE agent ADD COLUMN rules TEXT NOT NULL DEFAULT '[]'")


@step
def queue_of_review(execute: Execute) -> None:
    """Indexes for what the person is asked about first."""
    for statement in statements(schema_reviewing.REVIEWING):
        execute(statement)


@step
def conflicts(execute: Execute) -> None:
    """Former names of merged entities, and the pairs that the person keeps both of."""
    for statement in statements(schema_conflicts.CONFLICTS):
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
