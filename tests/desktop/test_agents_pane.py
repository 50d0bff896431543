"""The agents place, driven by keys: who may come in, with which token, and how to connect."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from remembrancer.agents.cost import tool_cost
from remembrancer.agents.dialects import DIALECTS
from remembrancer.core.author import PERSON, Access, Agent
from remembrancer.core.clock import SECOND
from remembrancer.core.entity import Scope
from remembrancer.core.kinds import Kind
from remembrancer.core.rules import Rule, Verdict
from remembrancer.desktop.agents.models import LOCK, TOOLS, Guest, VisitorModel
from remembrancer.desktop.agents.pane import AgentsPane
from remembrancer.desktop.agents.policy_dialog import PolicyDialog
from remembrancer.desktop.agents.rules_words import said
from remembrancer.desktop.window import Window
from remembrancer.service.connecting import PASTE, VARIABLE
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

from .conftest import settle
from .speaking import nameless

ME: Doing = {"author": PERSON, "origin": "test"}
ADDRESS = "http://127.0.0.1:9/mcp"


@pytest.fixture
def pane(library: Library, window: Window, qtbot: QtBot) -> AgentsPane:
    library.graph.create([NewEntity("nas", "device")], **ME)
    window.go("agents")
    settle(window, qtbot)
    found = window.pane("agents")
    assert isinstance(found, AgentsPane)
    return found


@pytest.fixture
def known(library: Library, pane: AgentsPane, window: Window, qtbot: QtBot) -> Agent:
    """An agent with a token file, chosen in the table."""
    return add(pane, window, qtbot, "cursor")


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def add(pane: AgentsPane, window: Window, qtbot: QtBot, name: str) -> Agent:
    dialog = new(pane, qtbot)
    qtbot.keyClicks(dialog.name, name)
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    settle(window, qtbot)
    chosen = pane.roster.chosen()
    assert chosen is not None
    return chosen


def new(pane: AgentsPane, qtbot: QtBot) -> PolicyDialog:
    qtbot.keyClick(pane.roster.add, Qt.Key.Key_Space)
    assert pane.roster.dialog is not None
    return pane.roster.dialog


def press(pane: AgentsPane, window: Window, qtbot: QtBot, button: str) -> None:
    qtbot.keyClick(getattr(pane.roster, button), Qt.Key.Key_Space)
    settle(window, qtbot)


def rows(pane: AgentsPane) -> list[str]:
    """The table of agents but for the characters of their tools."""
    return [" | ".join((*c[:TOOLS], *c[TOOLS + 1 :])) for c in pane.roster.model.cells]


def tools(pane: AgentsPane) -> list[str]:
    return [cells[TOOLS] for cells in pane.roster.model.cells]


def change(pane: AgentsPane, qtbot: QtBot) -> PolicyDialog:
    qtbot.keyClick(pane.roster.view, Qt.Key.Key_Return)
    assert pane.roster.dialog is not None
    return pane.roster.dialog


def test_without_agents_the_place_says_what_to_do(pane: AgentsPane) -> None:
    assert rows(pane) == []
    assert not pane.roster.view.isVisible()
    assert not pane.roster.revoke.isEnabled()


def test_an_agent_is_added_and_its_token_lies_in_a_private_file(
    pane: AgentsPane, window: Window, qtbot: QtBot, library: Library
) -> None:
    agent = add(pane, window, qtbot, "cursor")
    assert rows(pane) == ["cursor | write | native | — | —"]
    file = Path(pane.token.path.text())
    assert file.stat().st_mode & 0o077 == 0
    holder = library.agents.by_token(file.read_text(encoding="utf-8").strip())
    assert holder is not None
    assert holder.id == agent.id
    assert pane.roster.dialog is None


def test_a_policy_is_chosen_when_adding(
    pane: AgentsPane, window: Window, qtbot: QtBot, library: Library
) -> None:
    dialog = new(pane, qtbot)
    qtbot.keyClicks(dialog.name, "reader")
    dialog.access.choose("read")
    dialog.dialect.choose("memo")
    qtbot.keyClicks(dialog.entity, "nas")
    qtbot.keyClick(dialog.yes, Qt.Key.Key_Space)
    settle(window, qtbot)
    assert rows(pane) == ["reader | read | memo · English | nas | —"]


def test_every_dialect_that_is_served_can_be_chosen(pane: AgentsPane, qtbot: QtBot) -> None:
    dialog = new(pane, qtbot)
    choices = [dialog.dialect.itemData(row) for row in range(dialog.dialect.count())]
    assert choices == list(DIALECTS)


def test_only_a_dialect_with_two_languages_asks_for_one(
    pane: AgentsPane, window: Window, qtbot: QtBot, library: Library
) -> None:
    dialog = new(pane, qtbot)
    assert not dialog.language.isVisible()
    dialog.dialect.choose("memo")
    assert dialog.language.isVisible()
    dialog.language.choose("de")
    qtbot.keyClicks(dialog.name, "notes")
    qtbot.keyClick(dialog.yes, Qt.Key.Key_Space)
    settle(window, qtbot)
    assert rows(pane) == ["notes | write | memo · German | — | —"]
    agent = pane.roster.chosen()
    assert agent is not None
    assert library.agents.get(agent.id).language == "de"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_agent_is_shown_with_its_path_and_what_its_tools_cost(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library, dialect: str
) -> None:
    library.agents.change(known.id, access=Access.WRITE, dialect=dialect, entity=None, **ME)
    settle(window, qtbot)
    cost = tool_cost(library, library.agents.get(known.id))
    assert cost is not None
    assert tools(pane) == [f"{cost:,}"]
    facts = pane.roster.facts
    assert facts.path.text() == ("/mcp" if dialect == "native" else f"/mcp/{dialect}")
    assert facts.cost.text() == f"tools: {cost:,} characters"


def test_the_lock_of_agents_has_a_column_once_there_is_one(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    assert pane.roster.view.isColumnHidden(LOCK)
    long = "the entity with a long name"
    library.agents.change(known.id, access=Access.WRITE, dialect="native", entity=long, **ME)
    settle(window, qtbot)
    assert not pane.roster.view.isColumnHidden(LOCK)
    index = pane.roster.model.index(0, LOCK)
    assert index.data() == "the entity with…"
    assert long in index.data(Qt.ItemDataRole.ToolTipRole)


def test_the_sheet_says_what_a_dialect_would_cost(
    pane: AgentsPane, window: Window, qtbot: QtBot, library: Library
) -> None:
    dialog = new(pane, qtbot)
    for name in ("native", "memo"):
        dialog.dialect.choose(name)
        settle(window, qtbot)
        assert dialog.facts.path.text().endswith(name.replace("native", "mcp"))
        expected = tool_cost(library, dialog.policy().agent())
        assert dialog.facts.cost.text() == f"tools: {expected:,} characters"


def test_the_address_of_the_dialect_is_copied_while_the_server_runs(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.agents.change(known.id, access=Access.WRITE, dialect="memo", entity=None, **ME)
    settle(window, qtbot)
    assert pane.roster.facts._to_copy() == "/mcp/memo"
    pane.server.port.setValue(0)
    qtbot.keyClick(pane.server.switch, Qt.Key.Key_Space)
    assert pane.roster.facts._to_copy() == f"{window.serving.address}/memo"
    qtbot.keyClick(pane.server.switch, Qt.Key.Key_Space)


def test_a_dialect_of_a_later_version_is_kept_and_costs_nothing_known(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.agents.change(known.id, access=Access.WRITE, dialect="later", entity=None, **ME)
    settle(window, qtbot)
    assert rows(pane) == ["cursor | write | later | — | —"]
    assert tools(pane) == ["—"]
    dialog = change(pane, qtbot)
    assert dialog.policy().dialect == "later"


def test_an_agent_that_may_only_propose_stays_so_unless_it_is_changed(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.agents.change(known.id, access=Access.PROPOSE, dialect="native", entity=None, **ME)
    settle(window, qtbot)
    dialog = change(pane, qtbot)
    assert dialog.policy().access is Access.PROPOSE


def test_the_token_is_hidden_until_it_is_revealed_and_gone_once_closed(
    pane: AgentsPane, known: Agent, qtbot: QtBot
) -> None:
    assert pane.token.isVisible()
    assert pane.token.token.echoMode() is QLineEdit.EchoMode.Password
    qtbot.keyClick(pane.token.reveal, Qt.Key.Key_Space)
    assert pane.token.token.echoMode() is QLineEdit.EchoMode.Normal
    qtbot.keyClick(pane.token._close, Qt.Key.Key_Space)
    assert not pane.token.isVisible()
    assert pane.token.token.text() == ""


def test_a_name_that_is_taken_is_told_in_the_sheet(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot
) -> None:
    dialog = new(pane, qtbot)
    qtbot.keyClicks(dialog.name, "cursor")
    qtbot.keyClick(dialog.yes, Qt.Key.Key_Space)
    settle(window, qtbot)
    assert dialog.isVisible()
    assert "there already" in dialog._trouble.accessibleName()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert pane.roster.dialog is None


def test_a_new_token_ends_the_old_one(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    before = pane.token.token.text()
    press(pane, window, qtbot, "renew")
    assert library.agents.by_token(before) is not None  # it was only asked for
    question = pane.roster.question
    assert question is not None
    qtbot.keyClick(question.buttons()[0], Qt.Key.Key_Space)
    settle(window, qtbot)
    after = pane.token.token.text()
    assert library.agents.by_token(before) is None
    assert library.agents.by_token(after) is not None
    assert Path(pane.token.path.text()).read_text(encoding="utf-8").strip() == after


def test_a_policy_is_changed_and_changed_back_by_undo(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    dialog = change(pane, qtbot)
    assert not dialog.name.isEnabled()
    dialog.access.choose("read")
    dialog.dialect.choose("memo")
    dialog.language.choose("de")
    dialog.budget.choose("")
    qtbot.keyClick(dialog.yes, Qt.Key.Key_Space)
    settle(window, qtbot)
    changed = library.agents.get(known.id)
    assert (changed.access, changed.language, changed.answer_budget) == (Access.READ, "de", None)
    assert rows(pane) == ["cursor | read | memo · German | — | —"]
    again = change(pane, qtbot).policy()
    assert again.agent() == replace(changed, id=0, client_name="", client_version="")
    assert pane.roster.dialog is not None
    pane.roster.dialog.close()
    window.deeds.undo()
    settle(window, qtbot)
    assert rows(pane) == ["cursor | write | native | — | —"]
    assert library.agents.get(known.id) == known
    window.deeds.redo()
    settle(window, qtbot)
    assert library.agents.get(known.id) == changed


def test_revoking_ends_the_token_and_undo_lets_the_agent_in_again(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    token = pane.token.token.text()
    press(pane, window, qtbot, "revoke")
    assert library.agents.by_token(token) is None
    assert rows(pane) == ["cursor | revoked | native | — | —"]
    assert not pane.roster.revoke.isEnabled()
    window.deeds.undo()
    settle(window, qtbot)
    assert library.agents.by_token(token) is not None
    assert pane.roster.revoke.isEnabled()


def test_the_command_has_the_policy_of_the_agent_chosen(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.agents.change(
        known.id, access=Access.READ, dialect="memo", entity="nas", language="de",
        answer_budget=None, **ME,
    )  # fmt: skip
    settle(window, qtbot)
    server = json.loads(pane.connect_panel.text.toPlainText())["mcpServers"]["remembrancer"]
    arguments = server["args"]
    assert arguments[:2] == ["--store", str(library.path)]
    policy = "--dialect memo --language de --read-only --scope nas --answer-budget none"
    assert arguments[2:] == ["mcp", *policy.split()]


def test_an_address_never_shows_the_token_and_copying_fills_it_in(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot
) -> None:
    panel, token = pane.connect_panel, pane.token.token.text()
    panel.show_for(ADDRESS, known, panel._token_file)
    panel.client.choose("Zed")
    panel.how.choose("http")
    panel.refresh()
    assert PASTE in panel.text.toPlainText()
    assert token not in panel.text.toPlainText()
    qtbot.keyClick(panel.copy, Qt.Key.Key_Space)
    assert token in QGuiApplication.clipboard().text()
    panel.client.choose("Cursor")
    assert VARIABLE in panel.about.text()
    assert pane.token.path.text() in panel._prepared()
    assert token not in panel._prepared()


def test_a_way_that_a_client_does_not_have_is_told(pane: AgentsPane, qtbot: QtBot) -> None:
    panel = pane.connect_panel
    panel.show_for(ADDRESS, None, None)
    panel.client.choose("Zed")
    panel.how.choose("http")
    panel.refresh()
    assert PASTE in panel.about.text()
    panel.show_for(None, None, None)
    assert "server is off" in panel.about.text()
    panel.show_for(ADDRESS, None, None)
    panel.client.choose("Claude Desktop")
    assert panel.config() is None
    assert "use the command" in panel.about.text()
    assert not panel.copy.isEnabled()


def test_the_server_is_started_and_stopped(pane: AgentsPane, window: Window, qtbot: QtBot) -> None:
    assert pane.server.title.text() == "The MCP server is off"
    pane.server.port.setValue(0)
    qtbot.keyClick(pane.server.switch, Qt.Key.Key_Space)
    assert pane.server.address.text() == window.serving.address
    assert pane.server.title.text() == "The MCP server runs"
    qtbot.keyClick(pane.server.copy, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == window.serving.address
    qtbot.keyClick(pane.server.switch, Qt.Key.Key_Space)
    assert window.serving.address is None
    assert pane.server.title.text() == "The MCP server is off"


def test_a_port_that_is_taken_is_told(
    pane: AgentsPane, window: Window, qtbot: QtBot, taken_port: int
) -> None:
    pane.server.port.setValue(taken_port)
    qtbot.keyClick(pane.server.switch, Qt.Key.Key_Space)
    assert pane.server.title.text() == "The MCP server could not start"
    assert f"Port {taken_port} is in use" in pane.server.trouble.accessibleName()


def test_who_is_connected_is_listed_with_since_and_last_call(library: Library) -> None:
    model, now = VisitorModel(), library.clock()
    model.show([Guest("cursor", "cursor 1.2", now - 3 * 86_400 * SECOND, now - 120 * SECOND)], now)
    assert model.cells[0][:2] == ("cursor", "cursor 1.2")
    assert model.cells[0][3] == "2 m ago"
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)


def test_an_agent_that_another_door_adds_is_shown(
    pane: AgentsPane, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.agents.add("codex", **ME)
    qtbot.waitUntil(lambda: rows(pane) == ["codex | write | native | — | —"])


def test_the_table_passes_qts_own_tests(
    pane: AgentsPane, window: Window, qtbot: QtBot, library: Library
) -> None:
    model = pane.roster.model
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    add(pane, window, qtbot, "one")
    add(pane, window, qtbot, "two")
    press(pane, window, qtbot, "revoke")


def test_the_rules_of_an_agent_are_added_put_in_order_and_kept(
    pane: AgentsPane, known: Agent, window: Window, qtbot: QtBot, library: Library
) -> None:
    dialog = change(pane, qtbot)
    table = dialog.rules
    assert table.said.text() == "Whatever it changes passes."
    for _ in range(2):
        qtbot.mouseClick(table.add, Qt.MouseButton.LeftButton)
    table.rows[0].verdict.choose("refuse")
    table.rows[0].scope.choose("shared")
    table.rows[1].kind.choose("decision")
    qtbot.mouseClick(table.rows[1].up, Qt.MouseButton.LeftButton)
    assert table.said.text() == (
        "Memories of the kind “decision” wait for you. What is shared by all is refused. "
        "Everything else passes."
    )
    dialog.yes.click()
    settle(window, qtbot)
    kept = (Rule(Verdict.HOLD, Kind.DECISION), Rule(Verdict.REFUSE, scope=Scope.SHARED))
    assert library.agents.get(known.id).author().rules == kept
    assert rows(pane) == ["cursor | write, rules: 2 | native | — | —"]
    again = change(pane, qtbot)
    assert again.rules.rules() == kept
    qtbot.mouseClick(again.rules.rows[0].remove, Qt.MouseButton.LeftButton)
    again.yes.click()
    settle(window, qtbot)
    assert library.agents.get(known.id).author().rules == kept[1:]


def test_a_new_agent_may_only_propose_from_its_first_call_on(
    pane: AgentsPane, window: Window, qtbot: QtBot, library: Library
) -> None:
    dialog = new(pane, qtbot)
    qtbot.keyClicks(dialog.name, "newcomer")
    dialog.access.choose("propose")
    dialog.access.chosen.emit("propose")
    assert dialog.rules.said.text() == "Whatever it changes waits for you."
    qtbot.mouseClick(dialog.rules.add, Qt.MouseButton.LeftButton)
    dialog.rules.rows[0].verdict.choose("pass")
    dialog.rules.rows[0].kind.choose("lesson")
    assert nameless(dialog) == []
    dialog.yes.click()
    settle(window, qtbot)
    agent = library.agents.named("newcomer")
    assert agent is not None
    assert (agent.access, agent.author().rules) == (
        Access.PROPOSE, (Rule(Verdict.PASS, Kind.LESSON),),
    )  # fmt: skip


def test_an_agent_that_only_reads_needs_no_rules(pane: AgentsPane, qtbot: QtBot) -> None:
    dialog = new(pane, qtbot)
    dialog.access.choose("read")
    dialog.access.chosen.emit("read")
    assert dialog.rules.said.text() == "It only reads."
    assert not dialog.rules.add.isVisible()


def test_a_rule_for_everything_ends_what_is_said() -> None:
    rules = (Rule(Verdict.HOLD, Kind.FACT, Scope.GROUP), Rule(Verdict.HOLD), Rule(Verdict.PASS))
    assert said(Access.WRITE, rules) == (
        "Memories of the kind “fact” that are of a group wait for you. Everything waits for you. "
        "The rules after that never count."
    )
