"""Who a client on stdio is: one agent of the store, under its record and its command's flags."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from remembrancer.agents.local_terms import STDIO
from remembrancer.core import names
from remembrancer.core.author import PERSON, Access, Agent
from remembrancer.core.errors import Conflict, Refused, RemembrancerError

if TYPE_CHECKING:
    from remembrancer.service.library import Library

ORIGIN = "command line"
_WIDTH = (Access.READ, Access.PROPOSE, Access.WRITE)


@dataclass(frozen=True)
class Policy:
    """What a command's flags ask for."""

    access: Access
    dialect: str
    entity: str | None
    language: str
    answer_budget: int | None

    @classmethod
    def asked(
        cls, dialect: str, language: str, read_only: bool, scope: str | None, budget: int | None
    ) -> Policy:
        """The policy of flags as they are written; raises BadValue for what is no name."""
        access = Access.READ if read_only else Access.WRITE
        entity = None if scope is None else names.entity_name(scope)
        return cls(access, dialect, entity, language, budget)

    def holds_for(self, agent: Agent) -> bool:
        """Whether an agent's record says the same."""
        return self == Policy(
            agent.access, agent.dialect, agent.entity, agent.language, agent.answer_budget
        )


class Standing:
    """What the agent `stdio` may do on one connection, now.

    The record, which the person can change, bounds the access and the lock; the flags may only
    narrow them. The vocabulary, its language and the budget are the flags' alone, because many
    clients share the agent and each speaks its own. For one thread at a time.
    """

    def __init__(self, library: Library, policy: Policy) -> None:
        self._library = library
        self._policy = policy
        self._version: int | None = None
        self._agent: Agent | None = None

    def agent(self) -> Agent:
        """The agent under both; raises Refused where the person lets it in no more.

        The store is asked again only after something was committed there.
        """
        version = self._library.version()
        if self._agent is None or version != self._version:
            self._agent = None
            self._agent = _within(named(self._library, STDIO), self._policy)
            self._version = version
        return self._agent


def named(library: Library, name: str) -> Agent:
    """The agent of that name, made at the first use; raises Refused if it was revoked."""
    agent = library.agents.named(name)
    if agent is not None:
        return agent
    if any(each.name == name for each in library.agents.all()):
        raise Refused(
            f"The agent {name!r} was revoked; `remembrancer agent add {name}` lets it in again.",
            code="revoked",
        )
    if library.read_only is not None:  # nobody can be let in for good, but may read
        return Agent(
            0, name, "", "", Access.WRITE, "native", None, "en", None, None, None, None
        )  # fmt: skip
    with suppress(Conflict):  # another process was first
        library.agents.add(name, author=PERSON, origin=ORIGIN)
    agent = library.agents.named(name)
    if agent is None:
        raise RemembrancerError(f"The agent {name!r} could not be made; try again.")
    return agent


def _within(record: Agent, policy: Policy) -> Agent:
    if record.entity is not None and policy.entity not in (None, record.entity):
        # Which entity it is locked to is not told to whoever asks for another.
        raise Refused(f"The agent {record.name!r} is locked to another entity.", code="locked")
    return replace(
        record,
        access=min(record.access, policy.access, key=_WIDTH.index),
        entity=record.entity or policy.entity,
        dialect=policy.dialect,
        language=policy.language,
        answer_budget=policy.answer_budget,
    )
