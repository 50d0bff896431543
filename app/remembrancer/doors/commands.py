"""The command line's grammar: every command, its arguments, and the door that it opens."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from remembrancer import __version__, formats, places
from remembrancer.doors.flags import add_flags

Commands = Any  # argparse does not name the type of its subparsers

_SIZE = re.compile(r"([0-9]{2,5})x([0-9]{2,5})")


def parser() -> argparse.ArgumentParser:
    """What reads the command line; the answer's `door` is called with the arguments."""
    top = argparse.ArgumentParser(
        prog=places.NAME, description="See, check and correct what AI agents remember.",
        allow_abbrev=False,
    )  # fmt: skip
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    top.add_argument("--store", metavar="FILE", help="the store (or REMEMBRANCER_STORE)")
    top.set_defaults(door=_door("showing", "window"))
    commands = top.add_subparsers(metavar="COMMAND", title="commands")
    for add in (_add_windows, _add_servers, _add_agents, _add_travel, _add_upkeep):
        add(commands)
    return top


def _door(module: str, name: str) -> Callable[[argparse.Namespace], int]:
    """A door whose module is loaded only when it is opened."""

    def go_through(arguments: argparse.Namespace) -> int:
        return int(getattr(import_module(f"remembrancer.doors.{module}"), name)(arguments))

    return go_through


def _command(
    commands: Commands, name: str, module: str, function: str, help: str
) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=help, allow_abbrev=False
    )
    # Left out of the answer unless given here, so that one before the command is not forgotten.
    made.add_argument(
        "--store", metavar="FILE", default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )  # fmt: skip
    made.set_defaults(door=_door(module, function))
    return made


def _add_windows(commands: Commands) -> None:
    _command(commands, "window", "showing", "window", "open the window and host the server")
    demo = _command(commands, "demo", "showing", "demo", "open the window on a store of examples")
    demo.add_argument("--make", action="store_true", help="only make the store and tell its path")
    picture = _command(
        commands, "picture", "showing", "picture", "paint one place of the window into a file"
    )
    picture.add_argument("place", metavar="PLACE")
    picture.add_argument("file", metavar="FILE.png")
    picture.add_argument("--demo", action="store_true", help="of the store of examples")
    picture.add_argument("--theme", choices=("light", "dark"), default="light")
    picture.add_argument("--size", type=_size, default=(1440, 900), metavar="WxH")


def _add_servers(commands: Commands) -> None:
    mcp = _command(
        commands, "mcp", "hosting", "mcp", "an MCP server on standard input and output"
    )  # fmt: skip
    add_flags(mcp)
    serve = _command(commands, "serve", "hosting", "serve", "the MCP server without a window")
    serve.add_argument("--port", type=_port, metavar="N", help="0 takes any that is free")
    add_flags(serve)


def _add_agents(commands: Commands) -> None:
    agent: argparse.ArgumentParser = commands.add_parser("agent", help="agents and their tokens")
    agent.add_argument("--store", metavar="FILE", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    deeds = agent.add_subparsers(metavar="DEED", required=True)
    add = _command(deeds, "add", "agents", "add", "let an agent in; tells its token's file")
    add.add_argument("name", metavar="NAME")
    add_flags(add)
    listing = _command(deeds, "list", "agents", "list_all", "who may come in")
    revoke = _command(deeds, "revoke", "agents", "revoke", "let an agent in no more")
    revoke.add_argument("name", metavar="NAME")
    _add_json(add, listing)


def _add_travel(commands: Commands) -> None:
    bring = _command(commands, "import", "travelling", "bring_in", "bring memories in from a file")
    bring.add_argument("file", metavar="FILE")
    bring.add_argument("--format", choices=tuple(formats.READERS), help="told from the file")
    bring.add_argument("--dry-run", action="store_true", help="report, and change nothing")
    bring.add_argument("--keep-secrets", action="store_true", help="do not mask credentials")
    send = _command(commands, "export", "travelling", "send_out", "write the store into a file")
    send.add_argument("file", metavar="FILE")
    send.add_argument("--format", choices=tuple(formats.WRITERS), default="jsonl")
    recall = _command(commands, "recall", "asking", "recall", "what an agent would get")
    recall.add_argument("query", metavar="QUERY")
    recall.add_argument("--entity", metavar="E", help="the entity it is about")
    recall.add_argument("--limit", type=_count, metavar="N", help="memories at most")
    recall.add_argument("--explain", action="store_true", help="tell what each score is made of")
    _add_json(bring, send, recall)


def _add_upkeep(commands: Commands) -> None:
    backup = _command(commands, "backup", "upkeep", "back_up", "a checked copy of the store")
    backup.add_argument("folder", metavar="FOLDER", nargs="?", help="instead of the usual one")
    restore = _command(commands, "restore", "upkeep", "restore", "put a backup back")
    restore.add_argument("file", metavar="FILE")
    doctor = _command(commands, "doctor", "mending", "doctor", "is the store sound, and what to do")
    doctor.add_argument(
        "--mend", action="store_true",
        help="save what can be read of a damaged store into a new one; the damaged files are kept",
    )  # fmt: skip
    doctor.add_argument(
        "--from-backup", action="store_true",
        help="with --mend: take in, too, what only the newest sound backup has",
    )  # fmt: skip
    _add_json(doctor)


def _add_json(*parsers: argparse.ArgumentParser) -> None:
    for each in parsers:
        each.add_argument("--json", action="store_true", help="answer in JSON")


def _size(text: str) -> tuple[int, int]:
    found = _SIZE.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError("say width and height in pixels, such as 1440x900")
    return int(found[1]), int(found[2])


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:6]) > 65_535:
        raise argparse.ArgumentTypeError("say a number from 0 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:9]) <= 10_000:
        raise argparse.ArgumentTypeError("say a number from 1 to 10000")
    return int(text)
