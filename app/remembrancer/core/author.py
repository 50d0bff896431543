"""Who writes: the person, an agent under its policy, or an importer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from remembrancer.core import rules as policies
from remembrancer.core.rules import Rule


class AuthorKind(StrEnum):
    """What sort of author it is; only a person may purge, accept or undo for others."""

    PERSON = "person"
    AGENT = "agent"
    IMPORTER = "importer"


class Access(StrEnum):
    """How far an author's deeds go by themselves."""

    READ = "read"
    PROPOSE = "propose"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Author:
    """One writer. `entity` locks it to that entity's name; `agent_id` is its record.

    `rules` say more about its deeds than its access does.
    """

    name: str
    kind: AuthorKind
    access: Access = Access.WRITE
    entity: str | None = None
    agent_id: int | None = None
    rules: tuple[Rule, ...] = ()

    @property
    def is_person(self) -> bool:
        """Whether this is the person at the window or the command line."""
        return self.kind is AuthorKind.PERSON


PERSON = Author("you", AuthorKind.PERSON)


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent's record: what it may do, and when it was here (microseconds UTC).

    `rules` are written as `core.rules` writes them.
    """

    id: int
    name: str
    client_name: str
    client_version: str
    access: Access
    dialect: str
    entity: str | None
    language: str
    answer_budget: int | None
    first_seen: int | None
    last_seen: int | None
    revoked_at: int | None
    rules: str = policies.NONE

    def author(self, client_name: str = "") -> Author:
        """The author of its deeds; the name a client declares is provenance only."""
        name = client_name or self.client_name or self.name
        rules = policies.read(self.rules)
        return Author(name, AuthorKind.AGENT, self.access, self.entity, self.id, rules)
