"""A secret in every text that can come in by any door, and where a byte of it is found afterwards.

Looked for in the store's file and its log, in every index, in what is logged down to DEBUG, in
answers, in every export and in a backup. The secrets are made at run time.
"""

from __future__ import annotations

import io
import json
import logging
import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import (
    CallToolResult,
    Implementation,
    PromptReference,
    ResourceTemplateReference,
    TextContent,
)

from agents.dialects.rooms import SPOKEN, Room, name_of, room
from agents.dialects.speaking import connected
from faults import canary_calls as calls
from faults.row import Row
from notation import WINDOW, build
from remembrancer import formats
from remembrancer.__main__ import main
from remembrancer.agents.dialects import DIALECTS
from remembrancer.agents.host import Host
from remembrancer.agents.repeats import META
from remembrancer.core.author import Agent
from remembrancer.core.entity import Scope
from remembrancer.core.errors import RemembrancerError
from remembrancer.core.filters import Filter, Order
from remembrancer.core.keyed import Entry, Place
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit
from remembrancer.core.recall import Question
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library
from remembrancer.service.notes import NewNote
from remembrancer.service.one_path import Secrets

_SEED = "nas:project -feeds-> ups:device; nas: the disk is new; nas/fan: loud; ups: lasts long"
_LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CUTS = (60, 80, 100, 120, 200, 300, 500, 1_000)  # where texts are cut somewhere in the program
_PIECE = 12  # characters of a secret that count as a trace of it
_CLIENTS = ("mcp.client", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio")


@dataclass(frozen=True)
class Canary:
    """A text with a secret in it, and the secret."""

    kind: str
    text: str
    secret: str

    def trace_in(self, text: str) -> bool:
        """Whether any piece of the secret stands in a text, in whatever case."""
        low, secret = text.lower(), "".join(self.secret.split()).lower()
        if secret[:_PIECE] not in low and secret[-_PIECE:] not in low and len(secret) < 40:
            middle = range(1, max(len(secret) - _PIECE, 1))
            return any(secret[at : at + _PIECE] in low for at in middle)
        return any(secret[at : at + _PIECE] in low for at in range(0, len(secret) - _PIECE + 1))


def canaries(seed: int, cuts: Sequence[int] = _CUTS) -> list[Canary]:
    """One secret of each sort, and one at each place where texts may be cut; others by seed."""
    random_ = random.Random(seed)

    def some(count: int) -> str:
        return "".join(random_.choice(_LETTERS) for _ in range(count)) + "7x"

    token, password, phrase = "gh" + "p_" + some(36), some(14), some(14)
    lines = "\n".join(some(38) for _ in range(2))
    begin, end = ("-----" + word + " PRIVATE " + "KEY-----" for word in ("BEGIN", "END"))
    return [
        Canary("vendor token", f"use {token} there", token),
        Canary("labelled password", f"the password: {password}", password),
        Canary("private key", f"{begin}\n{lines}\n{end}", lines),
        Canary("German phrase", f"Das WLAN-Passwort lautet {phrase}", phrase),
        # Wherever a text is cut, a piece of a secret must not pass for none.
        *(Canary(f"cut at {at}", _words(at - 24) + token, token) for at in cuts),
    ]


def _words(length: int) -> str:
    """Harmless words of that length, a blank at the end."""
    return ("note " * length)[: length - 1] + " "


@dataclass
class Nets:
    """What was caught on the way: answers and lines of the log, each with where it came from."""

    canaries: list[Canary]
    answers: list[str] = field(default_factory=list[str])
    errors: list[str] = field(default_factory=list[str])
    logged: list[str] = field(default_factory=list[str])
    calls: int = 0
    rest: str = ""

    def answered(self, whence: str, said: object, *, error: bool) -> None:
        """Keep where an answer came from, if it holds a trace."""
        self.calls += 1
        text = said if isinstance(said, str) else repr(said)
        if self.trace(text):
            (self.errors if error else self.answers).append(f"{whence}: {text[:200]}")

    def trace(self, text: str) -> bool:
        """Whether a trace of any canary stands in a text."""
        return any(each.trace_in(text) for each in self.canaries)


class _Log(logging.Handler):
    """Catches everything that is logged, by whatever library, but by those of the clients."""

    def __init__(self, nets: Nets) -> None:
        super().__init__(logging.DEBUG)
        self._nets = nets

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith(_CLIENTS):
            return
        text = self.format(record) + repr(record.args)
        if self._nets.trace(text):
            self._nets.logged.append(f"{record.name}: {text[:200]}")


@contextmanager
def listening(nets: Nets) -> Iterator[None]:
    """Catch the log at DEBUG meanwhile."""
    handler, root = _Log(nets), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


# --- by the doors of agents


def speak(library: Library, nets: Nets, most: int | None = None) -> None:
    """Every text of every tool, prompt and resource of every dialect, through a real client.

    Each text gets one kind of secret in turn or, without `most`, every kind.
    """
    with room(library) as opened:
        for dialect, language in SPOKEN:
            name = name_of(dialect, language)
            agent, _ = library.agents.add(name, dialect=dialect, language=language, **WINDOW)
            client = opened.client(dialect, agent)
            _Speaking(opened, client, nets, name, most).everything()
            _named(opened, library, dialect, agent, nets)


@dataclass
class _Speaking:
    room: Room
    client: Client
    nets: Nets
    name: str
    most: int | None
    turn: int = 0

    def everything(self) -> None:
        for tool in self.room.portal.call(self.client.list_tools).tools:
            made = calls.arguments(tool.input_schema)
            for path in calls.texts(tool.input_schema):
                for each in self._kinds():
                    self._call(tool.name, calls.with_text(made, path, each.text), path)
            for path in calls.keys(tool.input_schema):
                for each in self._kinds():
                    self._call(tool.name, calls.with_key(made, path, each.text), (*path, "key"))
        for each in self.nets.canaries:
            self._beside(each)

    def _kinds(self) -> list[Canary]:
        if self.most is None:
            return self.nets.canaries
        self.turn += 1
        every = self.nets.canaries
        return [every[(self.turn + n) % len(every)] for n in range(self.most)]

    def _call(self, tool: str, arguments: dict[str, Any], path: calls.Path) -> None:
        def ask() -> object:
            return self.room.portal.call(self.client.call_tool, tool, arguments)

        self._ask(f"{self.name} {tool} {path}", ask)

    def _beside(self, canary: Canary) -> None:
        """Prompts, resources, completions and the name of a tool."""
        call, client, text = self.room.portal.call, self.client, canary.text
        uris = [f"memory://entity/{text}", f"remembrancer://{text}", text]
        asked: list[Callable[[], object]] = [
            lambda: call(self._keyed, text),
            *(lambda u=uri: call(client.read_resource, u) for uri in uris),
            lambda: call(client.call_tool, text, {}),
            lambda: call(client.get_prompt, text, {}),
        ]
        with suppress(MCPError):
            for prompt in call(client.list_prompts).prompts:
                named = [each.name for each in prompt.arguments or []]
                for name in named:
                    given = {n: text if n == name else "nas" for n in named if n != "task"}
                    asked.append(lambda p=prompt.name, g=given: call(client.get_prompt, p, g))
                    ref = PromptReference(type="ref/prompt", name=prompt.name)
                    given = {"name": name, "value": text}
                    asked.append(lambda r=ref, g=given: call(client.complete, r, g))
            for template in call(client.list_resource_templates).resource_templates:
                uri = ResourceTemplateReference(type="ref/resource", uri=template.uri_template)
                given = {"name": "name", "value": text}
                asked.append(lambda r=uri, g=given: call(client.complete, r, g))
        for each in asked:
            self._ask(f"{self.name} beside the tools", each)

    async def _keyed(self, key: str) -> object:
        """Whatever can be written, under a key that is a secret."""
        for tool in (await self.client.list_tools()).tools:
            if tool.annotations is not None and not tool.annotations.read_only_hint:
                made, meta = calls.arguments(tool.input_schema), {META: " ".join(key.split())}
                await self.client.call_tool(tool.name, made, meta=meta)  # type: ignore[arg-type]
        return None

    def _ask(self, whence: str, ask: Callable[[], object]) -> None:
        try:
            said = ask()
        except MCPError as error:
            self.nets.answered(whence, f"{error} {error.error}", error=True)
        except Exception as error:  # the client itself refused to send it
            self.nets.answered(f"{whence} (client)", type(error).__name__, error=True)
        else:
            refused = isinstance(said, CallToolResult) and bool(said.is_error)
            self.nets.answered(whence, said, error=refused)


def _named(opened: Room, library: Library, dialect: str, agent: Agent, nets: Nets) -> None:
    """Clients that call themselves by a secret, and write."""
    for canary in nets.canaries:
        info = Implementation(name=canary.text, version=canary.text)
        one = connected(library, DIALECTS[dialect](library), agent, "auto", client_info=info)
        with opened.portal.wrap_async_context_manager(one) as client:
            for tool in opened.portal.call(client.list_tools).tools:
                made = calls.arguments(tool.input_schema)
                said = opened.portal.call(client.call_tool, tool.name, made)
                texts = [b.text for b in said.content if isinstance(b, TextContent)]
                nets.answered(f"{dialect} client's name", " ".join(texts), error=True)


def knock(library: Library, nets: Nets) -> None:
    """Requests over HTTP that hold a secret where no tool looks: token, path, method, body."""
    _, token = library.agents.add("by HTTP", **WINDOW)
    host = Host(library, [DIALECTS["native"]])
    host.start()
    host.wait_until_ready(30)
    _, _, port = (host.address or "").rpartition(":")
    try:
        for canary in nets.canaries:
            text = " ".join(canary.text.split())
            hello = {"jsonrpc": "2.0", "id": 1, "method": text, "params": {"name": text}}
            for bearer in (text, token):
                for path in ("/mcp", f"/mcp/{quote(text)}", f"/mcp?token={quote(text)}"):
                    for body in (json.dumps(hello), text):
                        said = _request(int(port.partition("/")[0]), path, bearer, body)
                        nets.answered(f"HTTP {path[:20]}", said, error=True)
    finally:
        host.stop()


def _request(port: int, path: str, bearer: str, body: str) -> str:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        headers = {
            "Authorization": f"Bearer {bearer}", "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream", "User-Agent": bearer,
        }  # fmt: skip
        connection.request("POST", path, body.encode(), headers)
        return connection.getresponse().read().decode("utf-8", "replace")


# --- by the doors of the person


def command_line(path: Path, nets: Nets) -> None:
    """What is asked at the command line; what goes to standard error counts as an error."""
    for canary in nets.canaries:
        for words in (["recall", canary.text], ["recall", "disk", "--entity", canary.text]):
            out, err = io.StringIO(), io.StringIO()
            before = os.umask(0o077)
            with redirect_stdout(out), redirect_stderr(err):
                main(["--store", str(path), *words])
            os.umask(before)
            nets.answered("command line", out.getvalue(), error=False)
            nets.answered("command line", err.getvalue(), error=True)


def window(library: Library, nets: Nets) -> None:
    """The verbs that the window calls, each with every kind of secret in every text."""
    for canary in nets.canaries:
        for deed in _deeds(library, canary.text):
            try:
                nets.answered("window", deed(), error=False)
            except RemembrancerError as error:
                nets.answered("window", f"{error} {error.facts}", error=True)


def _deeds(library: Library, text: str) -> list[Callable[[], object]]:
    memories, graph = library.memories, library.graph
    agent = library.agents.all()[0]
    policy: dict[str, Any] = {"access": agent.access, "dialect": agent.dialect}
    note = NewNote("a note", ("nas",), Kind.FACT)
    drafts = [
        Draft(text), Draft("x", text), Draft("x", "nas", text), Draft("x", "nas", title=text),
        Draft("x", "nas", source=text), Draft("x", "nas", tags=("nas", text)),
    ]  # fmt: skip
    edits = [
        Edit(content=text), Edit(title=text), Edit(source=text), Edit(tags=(text,)),
        Edit(key=text), Edit(entity=text), Edit(archived_reason=text),
    ]  # fmt: skip
    return [
        *(lambda d=draft: memories.remember(d, **WINDOW) for draft in drafts),
        *(lambda e=edit: memories.revise(1, e, **WINDOW) for edit in edits),
        lambda: memories.remember(Draft("y", "new one"), entity_type=text, **WINDOW),
        lambda: memories.revise(1, Edit(pinned=True), reason=text, **WINDOW),
        lambda: memories.archive(1, why=text, **WINDOW),
        lambda: library.scoped.remove(1, text, expected=1, **WINDOW),
        lambda: memories.browse(Filter(words=text), Order.NEWEST, 5),
        lambda: library.recall.ask(Question(text, "nas")).context,
        lambda: library.recall.ask(Question("disk", text)).context,
        lambda: library.journal.newest(5, words=text),
        lambda: graph.create([NewEntity(text, "thing")], **WINDOW),
        lambda: graph.create([NewEntity("fresh", text, ("a",))], **WINDOW),
        lambda: graph.create([NewEntity("fresher", "thing", (text,))], **WINDOW),
        lambda: graph.relate([Triple("nas", "ups", text)], **WINDOW),
        lambda: graph.relate([Triple("nas", text, "feeds")], ghosts=True, **WINDOW),
        lambda: graph.relate([Triple("nas", text, "feeds")], strict=True, **WINDOW),
        lambda: graph.observe([("nas", [text])], **WINDOW),
        lambda: graph.observe([(text, ["a"])], strict=True, **WINDOW),
        lambda: graph.delete([text], **WINDOW),
        lambda: graph.change("nas", new_name=text, **WINDOW),
        lambda: graph.change("nas", new_type=text, **WINDOW),
        lambda: library.scopes.set(text, Scope.SHARED, expected=0, **WINDOW),
        lambda: library.scopes.set("nas", Scope.GROUP, members=[text], expected=0, **WINDOW),
        lambda: library.agents.add(text, **WINDOW),
        lambda: library.agents.add("robin", dialect=text, **WINDOW),
        lambda: library.agents.add("wren", entity=text, **WINDOW),
        lambda: library.agents.change(agent.id, entity=text, **policy, **WINDOW),
        lambda: library.keyed.write(Entry(Place("nas"), text, "note", "d", "c"), **WINDOW),
        lambda: library.keyed.archive(Place("nas"), "fan", text, **WINDOW),
        lambda: library.notes.remember(note, reason=text, **WINDOW),
        lambda: library.notes.remember(replace(note, tags=("nas", text)), reason="", **WINDOW),
        lambda: library.notes.remember(replace(note, text=text), reason="", **WINDOW),
        lambda: library.notes.forget([2], reason=text, **WINDOW),
    ]


def bring_in(library: Library, folder: Path, nets: Nets) -> None:
    """Files of every format with secrets in every text, into this store and into empty ones."""
    for file, format in _files(folder, nets.canaries):
        with Library.open(folder / f"from-{file.name}.db") as fresh:
            for each in (library, fresh):
                report = each.transfer.bring_in(file, format)
                nets.answered(f"import of {format}", report, error=False)
            look(fresh, folder, nets)


def _files(folder: Path, found: list[Canary]) -> list[tuple[Path, str]]:
    """Files of every format that is read, written from a store in which nothing was masked."""
    files: list[tuple[Path, str]] = []
    with Library.open(folder / "unmasked.db") as source:
        for each in found[:4]:
            _fill(source, each.text)
        _agents(source, [each.text for each in found[:4]])
        for format in formats.READERS:
            target = folder / f"in.{format}"
            if format in formats.WRITERS:
                source.transfer.send_out(target, format)
                files.append((target, format))
    entries = [
        {"content": t, "state": t, "created_at": "2026-01-01T00:00:00Z", "app": t,
         "categories": [t], t: t, "id": t}
        for t in (each.text for each in found)
    ]  # fmt: skip
    other = folder / "in.openmemory"
    other.write_text(json.dumps({"memories": entries}), encoding="utf-8")
    return [*files, (other, "openmemory")]


def _agents(library: Library, found: list[str]) -> None:
    """Agents as no desk lets them in any more."""
    for number, text in enumerate(found):
        agent, _ = library.agents.add(f"agent {number}", **WINDOW)
        values = (text, text, text, text, agent.id)
        sql = (
            "UPDATE agent SET name = ?, client_name = ?, client_version = ?, entity = ?"
            " WHERE id = ?"
        )
        library._store.write(lambda s=sql, v=values: library._store.connections.sql(s, v))


def _fill(library: Library, text: str) -> None:
    kept: dict[str, Any] = {**WINDOW, "secrets": Secrets.KEEP}
    library.graph.create([NewEntity(text, text, (text,)), NewEntity("b", "thing")], **kept)
    library.graph.relate([Triple(text, "b", text), Triple("b", "ghost " + text, text)],
                         ghosts=True, **kept)  # fmt: skip
    draft = Draft(f"fact {text}", text, text, text, source=text, tags=(text,))
    memory = library.memories.remember(draft, **kept)
    library.memories.revise(memory.id, Edit(title=f"new {text}"), reason=text, **kept)
    library.memories.archive(memory.id, **WINDOW)


# --- where traces are looked for


def look(library: Library, folder: Path, nets: Nets) -> list[str]:
    """The places in which a trace is found: file, log, indexes, exports, backup."""
    library.upkeep.tidy()
    files = [library.path, *_sent(library, folder)]
    wal = Path(f"{library.path}-wal")
    found = [
        file.name
        for file in [*files, *([wal] if wal.exists() else [])]
        if nets.trace(file.read_bytes().decode("utf-8", "replace"))
    ]
    found += [f"index {name}" for name in _indexes(library, nets)]
    nets.rest = ", ".join([nets.rest, *found]).strip(", ")
    return found


def _sent(library: Library, folder: Path) -> list[Path]:
    sent: list[Path] = []
    for format in formats.WRITERS:
        target = folder / f"{library.path.stem}-out.{format}"
        library.transfer.send_out(target, format)
        sent.append(target)
    return [*sent, library.backups.make(folder=folder / "backups").path]


def _indexes(library: Library, nets: Nets) -> Iterator[str]:
    """Indexes keep words apart and letters in threes, so their own terms are asked for."""
    sql = library._store.connections.sql
    terms = " ".join(str(row[0]) for row in sql("SELECT term FROM word"))
    for table, columns in (("memory", "words, stems, parts, content"), ("entity", "name, lookup")):
        rows = sql(f"SELECT {columns} FROM {table}")
        terms += " ".join(str(each) for row in rows for each in row)
    if nets.trace(terms):
        yield "words"
    for table in ("memory_index", "memory_letters", "entity_letters", "word_letters"):
        for each in nets.canaries:
            asked = each.secret.split("\n")[0].lower()
            quoted = '"' + asked.replace('"', '""') + '"'
            if table == "memory_index":
                text = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
            else:  # without places: every three letters in a row
                quoted = " AND ".join(f'"{asked[n : n + 3]}"' for n in range(len(asked) - 2))
                text = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
            if sql(text, (quoted,))[0][0]:
                yield table


def measure(
    folder: Path, seed: int = 1, most: int | None = None, cuts: Sequence[int] = _CUTS
) -> list[Row]:
    """The rows of the table: calls made by each door, and traces found in each place.

    With `most` each text of a tool gets so many kinds of secrets, else all of them.
    """
    nets = Nets(canaries(seed, cuts))
    with listening(nets):
        with Library.open(folder / "canary.db") as library:
            build(library, _SEED)
            speak(library, nets, most)
            knock(library, nets)
            window(library, nets)
            bring_in(library, folder, nets)
        command_line(folder / "canary.db", nets)
        with Library.open(folder / "canary.db") as library:
            resting = look(library, folder, nets)
    unmasked = nets.trace((folder / "unmasked.db").read_bytes().decode("utf-8", "replace"))
    said = f"a secret in every text of every door, {nets.calls:,} calls"
    return [
        _row(f"{said}: store, log of it, indexes, exports, backup", nets.rest.split(", "), resting),
        _row(f"{said}: error answers", nets.errors),
        _row(f"{said}: other answers", nets.answers),
        _row(f"{said}: what is logged at DEBUG", nets.logged),
        Row("the same search in a store that masked nothing", "traces", str(unmasked), unmasked),
    ]


def _row(what: str, *found: list[str]) -> Row:
    traces = [each for some in found for each in some if each]
    seen = f"{len(traces)} traces"
    if traces:
        seen += ": " + " | ".join(dict.fromkeys(traces))
    return Row(what, "0 traces", seen, not traces)
