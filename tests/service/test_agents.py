"""An agent's policy is changed as a whole, checked, and put back by undo."""

from __future__ import annotations

from typing import Any

import pytest

from remembrancer.core.author import PERSON, Access, Agent
from remembrancer.core.errors import BadValue
from remembrancer.service.library import Library

ME: Any = {"author": PERSON, "origin": "window"}


@pytest.fixture
def agent(library: Library) -> Agent:
    return library.agents.add("robin", language="de", answer_budget=5_000, **ME)[0]


def change(library: Library, agent: Agent, **more: Any) -> Agent:
    return library.agents.change(
        agent.id, access=Access.READ, dialect="memo", entity="nas", **more, **ME
    )


def test_language_and_budget_stay_unless_they_are_named(library: Library, agent: Agent) -> None:
    after = change(library, agent)
    assert (after.access, after.dialect, after.entity) == (Access.READ, "memo", "nas")
    assert (after.language, after.answer_budget) == ("de", 5_000)


@pytest.mark.parametrize("budget", [1, 400_000, None])
def test_language_and_budget_are_changed(
    library: Library, agent: Agent, budget: int | None
) -> None:
    after = change(library, agent, language="en", answer_budget=budget)
    assert (after.language, after.answer_budget) == ("en", budget)
    assert library.agents.get(agent.id) == after


def test_undo_puts_the_whole_policy_back(library: Library, agent: Agent) -> None:
    change(library, agent, language="en", answer_budget=None)
    library.journal.undo(library.journal.head(), **ME)
    assert library.agents.get(agent.id) == agent


@pytest.mark.parametrize("wrong", [{"language": "fr"}, {"language": ""}, {"answer_budget": 0}])
def test_what_no_agent_can_have_is_refused(
    library: Library, agent: Agent, wrong: dict[str, Any]
) -> None:
    with pytest.raises(BadValue):
        change(library, agent, **wrong)
    with pytest.raises(BadValue):
        library.agents.add("other", **wrong, **ME)
    assert library.agents.all() == [agent]
