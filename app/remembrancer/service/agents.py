"""The desk for agents: who may come in, under which policy, with which token."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Final, Unpack

from remembrancer.core import names, policy
from remembrancer.core.author import Access, Agent
from remembrancer.core.errors import BadValue, Conflict, NotFound
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.rules import Rule, written
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.one_path import Ledger, Secrets, masked, screen
from remembrancer.service.undoing import agent_snapshot

NAME_LIMIT = 80
CLIENT_LIMIT = 120
ANSWER_BUDGET = 100_000
LANGUAGES = ("en", "de")


class Keep(Enum):
    """For a value that may also be None: leave it as it is."""

    IT = "it"


KEEP: Final = Keep.IT


class AgentsDesk:
    """Only the person adds, changes or revokes agents; tokens are kept as hashes alone."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._agents = ground.store.agents

    def all(self) -> list[Agent]:
        """Every agent, the revoked ones too, by name."""
        return self._agents.all()

    def get(self, agent_id: int) -> Agent:
        """The agent with that id."""
        agent = self._agents.get(agent_id)
        if agent is None:
            raise NotFound("There is no such agent.", code="agent")
        return agent

    def named(self, name: str) -> Agent | None:
        """The agent of that name that was not revoked."""
        return self._agents.named(name)

    def by_token(self, token: str) -> Agent | None:
        """The agent that holds this token, unless it was revoked."""
        return self._agents.by_token(_hash(token))

    def add(
        self, name: str, *, access: Access = Access.WRITE, dialect: str = "native",
        entity: str | None = None, language: str = "en",
        answer_budget: int | None = ANSWER_BUDGET, rules: Sequence[Rule] = (),
        **doing: Unpack[Doing],
    ) -> tuple[Agent, str]:  # fmt: skip
        """Let a new agent in; returns it with its token, which is told only this once."""
        policy.person_only(doing["author"], "let an agent in")
        _check(language, answer_budget)
        screen([name, dialect, entity or ""], Secrets.REFUSE)
        token = secrets.token_urlsafe(32)
        agent = Agent(
            0, _name(name), "", "", access, dialect,
            None if entity is None else names.entity_name(entity), language, answer_budget,
            None, None, None, written(rules),
        )  # fmt: skip

        def work(ledger: Ledger) -> Agent:
            if ledger.store.agents.named(agent.name) is not None:
                raise Conflict(f"An agent named {agent.name!r} is there already.", code="name")
            made = replace(agent, id=ledger.store.agents.insert(agent, _hash(token)))
            ledger.line(Deed.ADD_AGENT, Subject.AGENT, made.id, agent_snapshot(made))
            return made

        return self._ground.path.walk(work, **doing), token

    def new_token(self, agent_id: int, **doing: Unpack[Doing]) -> str:
        """Give an agent another token; the old one ends at once."""
        policy.person_only(doing["author"], "give an agent a token")
        token = secrets.token_urlsafe(32)

        def work(ledger: Ledger) -> None:
            agent = self.get(agent_id)
            ledger.store.agents.set_token(agent_id, _hash(token))
            ledger.line(Deed.CHANGE_AGENT, Subject.AGENT, agent_id, agent_snapshot(agent))

        self._ground.path.walk(work, **doing)
        return token

    def change(
        self, agent_id: int, *, access: Access, dialect: str, entity: str | None,
        language: str | None = None, answer_budget: int | Keep | None = KEEP,
        rules: Sequence[Rule] | Keep = KEEP, **doing: Unpack[Doing],
    ) -> Agent:  # fmt: skip
        """Give an agent another policy; language, budget and rules stay unless they are named."""
        policy.person_only(doing["author"], "change an agent's policy")
        screen([dialect, entity or ""], Secrets.REFUSE)
        _check(language, answer_budget)

        def work(ledger: Ledger) -> Agent:
            agent = self.get(agent_id)
            budget = agent.answer_budget if isinstance(answer_budget, Keep) else answer_budget
            after = replace(
                agent, access=access, dialect=dialect, entity=entity or None,
                language=language or agent.language, answer_budget=budget,
                rules=agent.rules if isinstance(rules, Keep) else written(rules),
            )  # fmt: skip
            return self._put(ledger, after, Deed.CHANGE_AGENT)

        return self._ground.path.walk(work, **doing)

    def revoke(self, agent_id: int, **doing: Unpack[Doing]) -> Agent:
        """Let an agent in no more; its token ends at once."""
        policy.person_only(doing["author"], "revoke an agent")

        def work(ledger: Ledger) -> Agent:
            after = replace(self.get(agent_id), revoked_at=ledger.now)
            return self._put(ledger, after, Deed.REVOKE_AGENT)

        return self._ground.path.walk(work, **doing)

    def seen(self, agent_id: int, client_name: str, client_version: str) -> None:
        """Keep when an agent was here and what its client calls itself; no deed of anybody."""
        now = self._ground.clock()
        client_name, client_version = (
            masked(said, Secrets.MASK) for said in (client_name, client_version)
        )

        def work() -> None:
            agent = self.get(agent_id)
            self._agents.update(
                replace(
                    agent,
                    client_name=client_name[:CLIENT_LIMIT] or agent.client_name,
                    client_version=client_version[:CLIENT_LIMIT],
                    first_seen=agent.first_seen or now,
                    last_seen=now,
                )
            )

        self._ground.store.write(work)

    def _put(self, ledger: Ledger, agent: Agent, deed: Deed) -> Agent:
        ledger.store.agents.update(agent)
        ledger.line(deed, Subject.AGENT, agent.id, agent_snapshot(agent))
        return agent


def _hash(token: str) -> bytes:
    # A digest look-up: comparing costs the same whatever the token's first letters are.
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _check(language: str | None, answer_budget: int | Keep | None) -> None:
    if language is not None and language not in LANGUAGES:
        raise BadValue(f"The language of an agent is one of {', '.join(LANGUAGES)}.")
    if isinstance(answer_budget, int) and answer_budget < 1:
        raise BadValue("The answers of an agent need a budget of at least one character, or none.")


def _name(name: str) -> str:
    name = " ".join(names.text(name, "name of the agent", NAME_LIMIT).split())
    if not name or not name.isprintable() or any(c in name for c in "/\\:"):
        raise BadValue("The name of an agent needs letters, and none of / \\ : in it.")
    return name
