"""The graph place: drawing, searching, flying, and what an agent adds."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.desktop.graph.pane import GraphPane
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

from .conftest import settle

AGENT: Doing = {"author": Author("cursor", AuthorKind.AGENT), "origin": "native"}
ME: Doing = {"author": PERSON, "origin": "test"}


@pytest.fixture
def linked(library: Library) -> Library:
    names = ("nas", "router", "printer", "switch")
    library.graph.create([NewEntity(n, "device") for n in names], **ME)
    links = [Triple("router", n, "feeds") for n in ("nas", "printer", "switch")]
    library.graph.relate([*links, Triple("nas", "Cloud", "copies to")], ghosts=True, **ME)
    return library


@pytest.fixture
def pane(linked: Library, window: Window, qtbot: QtBot) -> GraphPane:
    window.go("graph")
    found = window.pane("graph")
    assert isinstance(found, GraphPane)
    rest(found, window, qtbot)
    return found


def rest(pane: GraphPane, window: Window, qtbot: QtBot) -> None:
    settle(window, qtbot)
    qtbot.waitUntil(pane.still, timeout=20_000)
    settle(window, qtbot)


def names(pane: GraphPane) -> list[str]:
    return sorted(pane.canvas.state.scene.names)


def test_entities_ghosts_and_relations_are_drawn(pane: GraphPane) -> None:
    scene = pane.canvas.state.scene
    assert names(pane) == ["Cloud", "nas", "printer", "router", "switch"]
    assert len(scene.edges) == 4
    assert [n for n, ghost in zip(scene.names, scene.ghosts, strict=True) if ghost] == ["Cloud"]
    assert scene.placed().all()


def test_the_search_flies_to_an_entity_and_tells_of_it(
    pane: GraphPane, window: Window, qtbot: QtBot, linked: Library
) -> None:
    pane.focus_search()
    qtbot.keyClicks(pane.search, "rout")
    qtbot.keyClick(pane.search, Qt.Key.Key_Return)
    settle(window, qtbot)
    assert pane.card.isVisible()
    assert pane.card.name.text() == "router"
    assert pane.card.links.text() == "3 relations"


def test_a_name_that_is_nowhere_is_said(pane: GraphPane, window: Window, qtbot: QtBot) -> None:
    pane.search.setText("zebra")
    qtbot.keyClick(pane.search, Qt.Key.Key_Return)
    assert window.banner.isVisible()


def test_positions_are_kept_and_used_again(
    pane: GraphPane, window: Window, qtbot: QtBot, linked: Library
) -> None:
    nodes, _ = linked.map.drawing()
    assert all(n.x is not None for n in nodes)
    before = {n.name: (n.x, n.y) for n in nodes}
    pane.load()
    rest(pane, window, qtbot)
    after = {n.name: (n.x, n.y) for n in linked.map.drawing()[0]}
    assert after == before


def test_what_an_agent_adds_appears_and_the_rest_stays(
    pane: GraphPane, window: Window, qtbot: QtBot, linked: Library
) -> None:
    linked.graph.create([NewEntity("camera", "device")], **AGENT)
    linked.graph.relate([Triple("switch", "camera", "feeds")], **AGENT)
    rest(pane, window, qtbot)
    assert "camera" in names(pane)


def test_the_list_of_neighbours_goes_where_the_lines_go(
    pane: GraphPane, window: Window, qtbot: QtBot, linked: Library
) -> None:
    pane.open(entity_id=linked.graph.named("router").id)
    settle(window, qtbot)
    pane.card.neighbours.setCurrentIndex(pane.card.neighbours.model().index(0, 0))
    pane.card.neighbours.activated.emit(pane.card.neighbours.currentIndex())
    settle(window, qtbot)
    assert pane.card.name.text() == "nas"


def test_opening_an_entity_leads_to_its_place(
    pane: GraphPane, window: Window, qtbot: QtBot, linked: Library
) -> None:
    pane.canvas.opened.emit(linked.graph.named("nas").id)
    settle(window, qtbot)
    assert window.place == "entities"


def test_an_empty_graph_says_what_to_do(window: Window, qtbot: QtBot) -> None:
    window.go("graph")
    settle(window, qtbot)
    found = window.pane("graph")
    assert isinstance(found, GraphPane)
    assert found.empty.isVisible()
