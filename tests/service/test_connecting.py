"""Ready-made configuration: every client's text in its own notation, and never a secret in it."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from remembrancer.core.author import Access, Agent
from remembrancer.places import default_store
from remembrancer.service.connecting import (
    HTTP,
    PASTE,
    STDIO,
    VARIABLE,
    ClientConfig,
    Secret,
    address_for,
    configurations,
    own_command,
    policy_flags,
    with_token,
)

ADDRESS = "http://127.0.0.1:8757/mcp"
TOKEN_FILE = Path("/home/me/my tokens/cursor")
COMMAND = ["/opt/a b/remembrancer", "mcp", "--scope", 'the "big" nas']


def config(client: str, how: str, platform: str = "linux") -> ClientConfig:
    found = configurations(ADDRESS, TOKEN_FILE, COMMAND, platform)
    return next(c for c in found if (c.client, c.how) == (client, how))


def data(client: str, how: str) -> Any:
    return json.loads(config(client, how).text)


def test_every_client_has_a_command_and_all_but_one_an_address() -> None:
    found = configurations(ADDRESS, TOKEN_FILE, COMMAND)
    by_command = [c.client for c in found if c.how == STDIO]
    by_address = [c.client for c in found if c.how == HTTP]
    assert by_command == [
        "Claude Code", "Claude Desktop", "Cursor", "VS Code", "Windsurf", "Devin Desktop", "Zed",
        "Codex", "Gemini CLI", "LM Studio", "Goose", "opencode",
    ]  # fmt: skip
    assert set(by_command) - set(by_address) == {"Claude Desktop"}


def test_without_an_address_only_commands_are_offered() -> None:
    assert {c.how for c in configurations(None, None, COMMAND)} == {STDIO}


@pytest.mark.parametrize("client", ["Claude Code", "Claude Desktop", "Cursor", "Gemini CLI"])
def test_a_command_stands_whole_below_the_servers(client: str) -> None:
    server = data(client, STDIO)["mcpServers"]["remembrancer"]
    assert [server["command"], *server["args"]] == COMMAND


def test_claude_code_takes_the_token_from_the_environment() -> None:
    server = data("Claude Code", HTTP)["mcpServers"]["remembrancer"]
    assert server == {
        "type": "http",
        "url": ADDRESS,
        "headers": {"Authorization": "Bearer ${REMEMBRANCER_TOKEN}"},
    }


def test_cursor_names_the_variable_in_its_own_way() -> None:
    server = data("Cursor", HTTP)["mcpServers"]["remembrancer"]
    assert server["headers"] == {"Authorization": "Bearer ${env:REMEMBRANCER_TOKEN}"}


def test_vs_code_asks_for_the_token_and_hides_it() -> None:
    whole = data("VS Code", HTTP)
    assert whole["inputs"][0]["password"] is True
    asked = "Bearer ${input:" + whole["inputs"][0]["id"] + "}"
    assert whole["servers"]["remembrancer"]["headers"]["Authorization"] == asked
    assert data("VS Code", STDIO)["servers"]["remembrancer"]["type"] == "stdio"


def test_windsurf_has_its_own_key_for_the_address() -> None:
    assert data("Windsurf", HTTP)["mcpServers"]["remembrancer"]["serverUrl"] == ADDRESS
    assert data("Devin Desktop", HTTP)["mcpServers"]["remembrancer"]["url"] == ADDRESS


def test_zed_speaks_of_context_servers() -> None:
    assert data("Zed", HTTP)["context_servers"]["remembrancer"]["url"] == ADDRESS


def test_codex_gets_toml_that_names_the_variable() -> None:
    server = tomllib.loads(config("Codex", STDIO).text)["mcp_servers"]["remembrancer"]
    assert [server["command"], *server["args"]] == COMMAND
    server = tomllib.loads(config("Codex", HTTP).text)["mcp_servers"]["remembrancer"]
    assert server == {"url": ADDRESS, "bearer_token_env_var": VARIABLE}


def test_goose_gets_yaml() -> None:
    assert config("Goose", STDIO).text == (
        "extensions:\n"
        "  remembrancer:\n"
        "    name: remembrancer\n"
        "    type: stdio\n"
        "    enabled: true\n"
        "    timeout: 300\n"
        '    cmd: "/opt/a b/remembrancer"\n'
        "    args:\n"
        '      - "mcp"\n'
        '      - "--scope"\n'
        '      - "the \\"big\\" nas"'
    )
    assert config("Goose", HTTP).text.endswith(
        "    type: streamable_http\n"
        "    enabled: true\n"
        "    timeout: 300\n"
        '    uri: "http://127.0.0.1:8757/mcp"\n'
        "    headers:\n"
        '      Authorization: "Bearer PASTE-THE-TOKEN-HERE"'
    )


def test_opencode_takes_the_command_as_one_list() -> None:
    server = data("opencode", STDIO)["mcp"]["remembrancer"]
    assert server == {"type": "local", "command": COMMAND, "enabled": True}
    assert data("opencode", HTTP)["mcp"]["remembrancer"]["type"] == "remote"


def test_a_token_is_only_where_it_must_be_pasted() -> None:
    for each in configurations(ADDRESS, TOKEN_FILE, COMMAND):
        pasted = each.secret is Secret.PASTED
        assert (PASTE in each.text) == pasted
        assert ("s3cret" in with_token(each, "s3cret")) == pasted
        assert bool(each.prepare) == (each.secret is Secret.VARIABLE)


def test_the_variable_is_set_from_the_file_so_that_no_command_line_holds_the_token() -> None:
    line = config("Cursor", HTTP).prepare
    assert line == f"export {VARIABLE}=\"$(cat '/home/me/my tokens/cursor')\""
    there = config("Cursor", HTTP, "win32").prepare
    assert there.startswith("$env:REMEMBRANCER_TOKEN = (Get-Content -Raw '")


def test_files_are_those_of_the_platform() -> None:
    name = "Claude Desktop"
    assert config(name, STDIO, "darwin").file.startswith("~/Library/Application Support/Claude/")
    assert config(name, STDIO, "win32").file == r"%APPDATA%\Claude\claude_desktop_config.json"


def test_a_dialect_has_an_address_of_its_own() -> None:
    assert address_for(ADDRESS, "native") == ADDRESS
    assert address_for(ADDRESS, "memo") == f"{ADDRESS}/memo"


def test_the_command_names_the_store_unless_it_is_the_usual_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path))
    other = tmp_path / "other.db"
    assert own_command(default_store())[-1] == "mcp"
    assert "--store" not in own_command(default_store())
    assert own_command(other)[-3:] == ["--store", str(other), "mcp"]


def test_a_command_that_is_not_installed_is_run_through_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    python = str(tmp_path / "python")
    assert own_command(default_store()) == [python, "-m", "remembrancer", "mcp"]


def test_the_policy_of_an_agent_becomes_flags() -> None:
    free = Agent(1, "a", "", "", Access.WRITE, "native", None, "en", None, None, None, None)
    bound = Agent(2, "b", "", "", Access.READ, "memo", "nas", "de", None, None, None, None)
    assert policy_flags(free) == []
    assert policy_flags(bound) == [
        "--dialect", "memo", "--language", "de", "--read-only", "--scope", "nas",
    ]  # fmt: skip
