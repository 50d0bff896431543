"""A library with two agents, and a host of it that runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.echo import House
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON
from remembrancer.service.library import Library


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Library.open(tmp_path / "memories.db") as library:
        anna, token = library.agents.add("anna", language="de", author=PERSON, origin="window")
        _, memo = library.agents.add("ben", dialect="memo", author=PERSON, origin="window")
        yield House(library, anna, token, memo)


@pytest.fixture
def host(house: House) -> Iterator[Host]:
    host = house.host()
    host.start()
    yield host
    assert host.stop()
