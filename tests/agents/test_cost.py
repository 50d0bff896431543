"""What an agent pays for knowing its tools is what it is told of them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from pydantic_core import to_json

from agents.dialects.contracts import listed, told
from remembrancer.agents.cost import tool_cost
from remembrancer.agents.dialects import DIALECTS
from remembrancer.core.author import PERSON, Access
from remembrancer.service.library import Library

ME: Any = {"author": PERSON, "origin": "window"}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_cost_is_that_of_the_answer_a_client_gets(
    library: Library, dialect: str, language: str
) -> None:
    agent, _ = library.agents.add("robin", dialect=dialect, language=language, **ME)
    answer = told(listed(library, dialect, language=language))
    answer.pop("_meta")  # the server's name, which every answer of 2026 carries
    assert tool_cost(library, agent) == len(to_json(answer).decode())


def test_a_dialect_that_is_not_there_costs_nothing_known(library: Library) -> None:
    agent, _ = library.agents.add("robin", **ME)
    later = library.agents.change(agent.id, access=Access.WRITE, dialect="later", entity=None, **ME)
    assert tool_cost(library, later) is None


def test_nothing_heavy_is_loaded_before_something_is_counted() -> None:
    code = "import sys, remembrancer.agents.cost; print({'mcp', 'jsonschema'} & {*sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert loaded.stdout.strip() == b"set()"
