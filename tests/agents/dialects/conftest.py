"""The native dialect over an empty library, as an agent speaks it."""

from __future__ import annotations

import pytest

from agents.dialects.speaking import Speaker
from remembrancer.agents.dialects.native import Native
from remembrancer.service.library import Library


@pytest.fixture
def native(library: Library) -> Speaker:
    return Speaker(Native(library))
