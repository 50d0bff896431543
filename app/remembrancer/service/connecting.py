"""Ready-made configuration for the programs that agents run in: what to put into which file."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from remembrancer.core.author import Access, Agent
from remembrancer.places import default_store
from remembrancer.service.agents import ANSWER_BUDGET

SERVER = "remembrancer"
VARIABLE = "REMEMBRANCER_TOKEN"
PASTE = "PASTE-THE-TOKEN-HERE"
STDIO, HTTP = "stdio", "http"
NATIVE = "native"


class Secret(StrEnum):
    """Where a client gets the token from."""

    NONE = "none"  # it needs none: the command runs as the person
    VARIABLE = "variable"  # it reads the environment
    ASKED = "asked"  # it asks the person and keeps the answer
    PASTED = "pasted"  # it stands in the client's own file


@dataclass(frozen=True)
class ClientConfig:
    """What to put into `file` so that `client` reaches the library by `how` ("stdio", "http").

    `text` never holds a token: `with_token` fills it in where `secret` is PASTED. `prepare` is the
    shell line that sets the variable where `secret` is VARIABLE, else empty.
    """

    client: str
    file: str
    how: str
    text: str
    secret: Secret = Secret.NONE
    prepare: str = ""


def configurations(
    address: str | None,
    token_file: Path | None,
    command: Sequence[str],
    platform: str = sys.platform,
) -> list[ClientConfig]:
    """Every client's configuration: the one that spawns `command`, then the one over HTTP.

    Without an `address` there are only the first. `platform` is as in `sys.platform`.
    """
    found: list[ClientConfig] = []
    for client in _CLIENTS:
        file = client.file(platform)
        found.append(ClientConfig(client.name, file, STDIO, client.stdio(list(command))))
        if client.http is not None and address is not None:
            variable = client.secret is Secret.VARIABLE
            prepare = _prepare(token_file, platform) if variable else ""
            text = client.http(address)
            found.append(ClientConfig(client.name, file, HTTP, text, client.secret, prepare))
    return found


def with_token(config: ClientConfig, token: str) -> str:
    """The text of a configuration with the token where it must be pasted."""
    return config.text.replace(PASTE, token)


def address_for(address: str, dialect: str) -> str:
    """Where a dialect is served, given where the native one is."""
    return address if dialect == NATIVE else f"{address}/{dialect}"


def own_command(store: Path) -> list[str]:
    """The command and arguments that serve `store` on standard input and output."""
    # A client starts the command in a folder of its own.
    store = store.absolute()
    named = [] if store == default_store() else ["--store", str(store)]
    return [*_program(), *named, "mcp"]


def policy_flags(agent: Agent) -> list[str]:
    """The flags that give a command the policy of an agent."""
    flags = [] if agent.dialect == NATIVE else ["--dialect", agent.dialect]
    flags += ["--language", agent.language] if agent.language != "en" else []
    flags += ["--read-only"] if agent.access is Access.READ else []
    return flags + (["--scope", agent.entity] if agent.entity is not None else [])


def answer_flags(agent: Agent) -> list[str]:
    """The flags that let a command's answers be as long as those of an agent."""
    if agent.answer_budget == ANSWER_BUDGET:
        return []
    return ["--answer-budget", str(agent.answer_budget or "none")]


def _program() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable]
    # Beside the interpreter first: the search path may lead to another installation.
    beside = shutil.which(SERVER, path=str(Path(sys.executable).parent))
    script = beside or shutil.which(SERVER)
    return [script] if script else [sys.executable, "-m", SERVER]


def _prepare(token_file: Path | None, platform: str) -> str:
    if token_file is None:
        return ""
    if platform == "win32":
        quoted = str(token_file).replace("'", "''")
        return f"$env:{VARIABLE} = (Get-Content -Raw '{quoted}').Trim()"
    return f'export {VARIABLE}="$(cat {shlex.quote(str(token_file))})"'


# --- how each client writes it


@dataclass(frozen=True)
class _Client:
    """A client: its file by platform ("" for all others), and the makers of its texts."""

    name: str
    files: Mapping[str, str]
    stdio: Callable[[list[str]], str]
    http: Callable[[str], str] | None
    secret: Secret = Secret.PASTED

    def file(self, platform: str) -> str:
        return self.files.get(platform, self.files[""])


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _spawned(command: list[str], **more: object) -> dict[str, object]:
    return {**more, "command": command[0], "args": command[1:]}


def _under(*keys: str, **more: object) -> Callable[[list[str]], str]:
    """A maker of JSON that spawns a command, below `keys`."""

    def make(command: list[str]) -> str:
        return _json(_nested(keys, _spawned(command, **more)))

    return make


def _reached(
    *keys: str, url: str = "url", token: str = PASTE, **more: object
) -> Callable[[str], str]:
    """A maker of JSON that reaches an address, below `keys`."""

    def make(address: str) -> str:
        return _json(_nested(keys, {**more, url: address, "headers": _bearer(token)}))

    return make


def _nested(keys: Sequence[str], value: object) -> object:
    whole: object = {SERVER: value}
    for key in reversed(keys):
        whole = {key: whole}
    return whole


def _vs_code(address: str) -> str:
    asked = {
        "type": "promptString",
        "id": "remembrancer-token",
        "description": "Remembrancer token",
        "password": True,
    }
    headers = _bearer("${input:remembrancer-token}")
    server = {"type": "http", "url": address, "headers": headers}
    return _json({"inputs": [asked], "servers": {SERVER: server}})


def _codex_stdio(command: list[str]) -> str:
    arguments = ", ".join(_quoted(a) for a in command[1:])
    table = f"[mcp_servers.{SERVER}]"
    return f"{table}\ncommand = {_quoted(command[0])}\nargs = [{arguments}]"


def _codex_http(address: str) -> str:
    table = f"[mcp_servers.{SERVER}]"
    return f"{table}\nurl = {_quoted(address)}\nbearer_token_env_var = {_quoted(VARIABLE)}"


def _goose_stdio(command: list[str]) -> str:
    arguments = "".join(f"\n      - {_quoted(a)}" for a in command[1:])
    return _goose("stdio", f"cmd: {_quoted(command[0])}\n    args:{arguments}")


def _goose_http(address: str) -> str:
    header = f"Authorization: {_quoted('Bearer ' + PASTE)}"
    return _goose("streamable_http", f"uri: {_quoted(address)}\n    headers:\n      {header}")


def _goose(sort: str, rest: str) -> str:
    head = f"extensions:\n  {SERVER}:\n    name: {SERVER}\n    type: {sort}\n    enabled: true"
    return f"{head}\n    timeout: 300\n    {rest}"


def _opencode_stdio(command: list[str]) -> str:
    return _json(_nested(["mcp"], {"type": "local", "command": command, "enabled": True}))


def _quoted(text: str) -> str:
    # A JSON string is a string of TOML and of YAML too.
    return json.dumps(text, ensure_ascii=False)


_APPDATA, _SUPPORT = "%APPDATA%", "~/Library/Application Support"

_CLIENTS: tuple[_Client, ...] = (
    _Client(
        "Claude Code",
        {"": ".mcp.json (in the project) or ~/.claude.json"},
        _under("mcpServers", type="stdio"),
        _reached("mcpServers", token=f"${{{VARIABLE}}}", type="http"),
        Secret.VARIABLE,
    ),
    _Client(
        "Claude Desktop",
        {
            "": "~/.config/Claude/claude_desktop_config.json",
            "darwin": f"{_SUPPORT}/Claude/claude_desktop_config.json",
            "win32": rf"{_APPDATA}\Claude\claude_desktop_config.json",
        },
        _under("mcpServers"),
        None,  # its file knows no servers at an address
    ),
    _Client(
        "Cursor",
        {"": "~/.cursor/mcp.json"},
        _under("mcpServers"),
        _reached("mcpServers", token=f"${{env:{VARIABLE}}}"),
        Secret.VARIABLE,
    ),
    _Client(
        "VS Code",
        {
            "": "~/.config/Code/User/mcp.json or .vscode/mcp.json",
            "darwin": f"{_SUPPORT}/Code/User/mcp.json or .vscode/mcp.json",
            "win32": rf"{_APPDATA}\Code\User\mcp.json or .vscode\mcp.json",
        },
        _under("servers", type="stdio"),
        _vs_code,
        Secret.ASKED,
    ),
    _Client(
        "Windsurf",
        {"": "~/.codeium/windsurf/mcp_config.json"},
        _under("mcpServers"),
        _reached("mcpServers", url="serverUrl"),
    ),
    _Client(
        "Devin Desktop",
        {"": "~/.config/devin/mcp_config.json", "win32": rf"{_APPDATA}\devin\mcp_config.json"},
        _under("mcpServers"),
        _reached("mcpServers"),
    ),
    _Client(
        "Zed",
        {"": "~/.config/zed/settings.json", "win32": rf"{_APPDATA}\Zed\settings.json"},
        _under("context_servers"),
        _reached("context_servers"),
    ),
    _Client("Codex", {"": "~/.codex/config.toml"}, _codex_stdio, _codex_http, Secret.VARIABLE),
    _Client(
        "Gemini CLI",
        {"": "~/.gemini/settings.json"},
        _under("mcpServers"),
        _reached("mcpServers", type="http"),
    ),
    _Client(
        "LM Studio", {"": "~/.lmstudio/mcp.json"}, _under("mcpServers"), _reached("mcpServers")
    ),
    _Client(
        "Goose",
        {
            "": "~/.config/goose/config.yaml",
            "win32": rf"{_APPDATA}\Block\goose\config\config.yaml",
        },
        _goose_stdio,
        _goose_http,
    ),
    _Client(
        "opencode",
        {"": "~/.config/opencode/opencode.json"},
        _opencode_stdio,
        _reached("mcp", type="remote", enabled=True, oauth=False),
    ),
)
