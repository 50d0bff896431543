"""Who may do what: every way of asking at every path, and every tool under every policy."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import socket
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from faults.doors import HELLO, MODERN, Door, Lined, Posted, over_socket
from faults.row import Row
from remembrancer.agents.dialect import path_of
from remembrancer.agents.dialects import DIALECTS
from remembrancer.agents.host import Host
from remembrancer.agents.local_terms import STDIO
from remembrancer.agents.stdio import serve_stdio
from remembrancer.core.author import PERSON, Access, Agent
from remembrancer.core.errors import NotFound
from remembrancer.core.memory import Draft
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

BOUND = 20.0  # seconds
BY_PERSON: Any = {"author": PERSON, "origin": "window"}
OWN, OTHER, HIDDEN = "cellar", "attic", "zqgarden"
MARK = "zq"  # stands in every word of what is not the locked agent's
DOORS = ("http 2025", "http 2026", "stdio 2026", "socket 2026")
SAID = "The shelf holds jar number 1. shelf x"  # of its own entity
LEAST_ABLE = 15  # tools that change something for who may, or the calls would show nothing
_CONTENT = ("entity", "group_member", "relation", "memory", "tag")


# --- the house


@dataclass
class Estate:
    """A host over a library of three entities; every word of two of them bears the mark."""

    library: Library
    host: Host
    ids: dict[str, int]

    @property
    def port(self) -> int:
        """Where it is served."""
        return self.host.port or 0

    def contents(self) -> str:
        """A digest of everything that is remembered."""
        with sqlite3.connect(str(self.library.path)) as conn:
            found = [conn.execute(f"SELECT * FROM {table}").fetchall() for table in _CONTENT]
        conn.close()
        return hashlib.sha256(repr([sorted(rows, key=repr) for rows in found]).encode()).hexdigest()

    def agent(self, name: str, **policy: Any) -> tuple[Agent, str]:
        """A new agent and its token."""
        return self.library.agents.add(name, **policy, **BY_PERSON)


@contextmanager
def estate() -> Iterator[Estate]:
    """The house, served."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        library = stack.enter_context(Library.open(Path(folder, "memories.db")))
        host = Host(library, tuple(DIALECTS.values()))
        host.start()
        stack.callback(host.stop)
        if not host.wait_until_ready(BOUND):
            raise RuntimeError("the host did not start")
        yield Estate(library, host, _furnished(library))


def _furnished(library: Library) -> dict[str, int]:
    kinds = ((OWN, "room"), (OTHER, "zqroom"), (HIDDEN, "zqplace"))
    library.graph.create([NewEntity(name, kind) for name, kind in kinds], **BY_PERSON)
    links = (
        Triple(OWN, OWN, "shelf"),
        Triple(OTHER, HIDDEN, "zqlooks_upon"),
        Triple(HIDDEN, OTHER, "zqholds"),
    )
    library.graph.relate(links, **BY_PERSON)
    ids: dict[str, int] = {}
    for entity in (OWN, OTHER, HIDDEN):
        mark = "" if entity == OWN else "zq"
        for number in range(3):
            draft = Draft(
                f"The {mark}shelf holds {mark}jar number {mark}{number}. shelf {mark}x",
                entity=entity, key=f"{mark}key-{number}", title=f"{mark}title {number}",
                source=f"{mark}hand", tags=(f"{mark}tag",),
            )  # fmt: skip
            ids[entity] = library.memories.remember(draft, **BY_PERSON).id
    library.memories.remember(Draft("A zqloose zqnote about a shelf"), **BY_PERSON)
    return ids


# --- the measures


def measure(doors: Iterable[str] = DOORS, dialects: Iterable[str] = tuple(DIALECTS)) -> list[Row]:
    """Every access case at every path, then every tool of these dialects through these doors."""
    doors, dialects = tuple(doors), tuple(dialects)
    rows = [strangers()]
    for access in (Access.READ, Access.PROPOSE):
        rows.append(kept(access, doors, dialects))
    rows.append(shut(dialects))
    rows.append(locked(doors, dialects))
    return rows


def kept(access: Access, doors: tuple[str, ...], dialects: tuple[str, ...]) -> Row:
    """What every tool changes for an agent that may not write; and for one that may, to compare."""
    calls, wrote, ours = 0, list[str](), 0
    with estate() as house:
        for dialect, way in itertools.product(dialects, doors):
            name, speaks = f"{access}-{dialect}-{way}", _language(way)
            agent, token = house.agent(name, access=access, dialect=dialect, language=speaks)
            with opened(house, way, agent, token) as door:
                before, head = house.contents(), house.library.journal.head()
                for tool, arguments in every_call(house, dialect):
                    door.call(tool, json.dumps(arguments))
                    calls += 1
                    now, line = house.contents(), house.library.journal.head()
                    ours += line - head
                    if now != before or (access is Access.READ and line != head):
                        wrote.append(f"{dialect} {tool} by {way}")
                    before, head = now, line
    able = _able(dialects)
    what = f"{calls} calls of every tool with a token that may {access}"
    seen = f"{wrote or 'nothing'} changed, {ours} lines; with one that may write {len(able)} tools"
    return Row(what, "0 changes of what is remembered", seen, not wrote and len(able) >= LEAST_ABLE)


def _able(dialects: tuple[str, ...]) -> set[str]:
    """The tools that change something by the same calls of an agent that may write."""
    able = set[str]()
    with estate() as house:
        for dialect in dialects:
            agent, token = house.agent(f"writer-{dialect}", dialect=dialect)
            with opened(house, "http 2026", agent, token) as door:
                for tool, arguments in every_call(house, dialect):
                    before = house.contents()
                    door.call(tool, json.dumps(arguments))
                    if house.contents() != before:
                        able.add(f"{dialect} {tool}")
    return able


def shut(dialects: tuple[str, ...]) -> Row:
    """What every tool answers to tokens that open nothing there."""
    let_in, calls = list[str](), 0
    with estate() as house:
        for dialect in dialects:
            elsewhere = next(name for name in DIALECTS if name != dialect)
            gone, revoked = house.agent(f"gone-{dialect}", dialect=dialect)
            house.library.agents.revoke(gone.id, **BY_PERSON)
            tokens = {
                "revoked": revoked,
                "of another dialect": house.agent(f"other-{dialect}", dialect=elsewhere)[1],
                "guessed": "A" * 43,
                "the digest": hashlib.sha256(revoked.encode()).hexdigest(),
            }
            for (name, token), era in itertools.product(tokens.items(), ("2025", "2026")):
                door = Posted(era, house.port, dialect, token)
                for tool, arguments in every_call(house, dialect):
                    heard = door.call(tool, json.dumps(arguments))
                    calls += 1
                    if heard.status not in (401, 403) or MARK in heard.text:
                        let_in.append(f"{dialect} {tool}: {name} {heard.status}")
    bound = "0 answered"
    return Row(
        f"{calls} calls with a token that opens nothing", bound, f"{let_in or 0}", not let_in
    )


def locked(doors: tuple[str, ...], dialects: tuple[str, ...]) -> Row:
    """Where words of other entities reach an agent that is locked to one."""
    told, asked = list[str](), 0
    with estate() as house:
        for dialect, way in itertools.product(dialects, doors):
            name, speaks = f"locked-{dialect}-{way}", _language(way)
            agent, token = house.agent(name, dialect=dialect, entity=OWN, language=speaks)
            with opened(house, way, agent, token) as door:
                for what, text in _everything(house, door, dialect):
                    asked += 1
                    if MARK in text.lower():
                        at = text.lower().index(MARK)
                        told.append(f"{dialect} {what} by {way}: {text[max(0, at - 30) : at + 30]}")
    seen = f"{len(told)} {told[:5]}" if told else "0"
    return Row(
        f"{asked} answers to an agent locked to one entity", "0 words of others", seen, not told
    )


def _language(way: str) -> str:
    return "de" if way == "http 2025" else "en"  # the names of some tools are in one alone


def _everything(house: Estate, door: Door, dialect: str) -> Iterator[tuple[str, str]]:
    """(what was asked, all that was answered) for everything that can be asked."""
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        yield method, door.ask(method).text
    made = DIALECTS[dialect](house.library)
    uris = ["memory://journal", *(str(each.uri) for each in made.resources())]
    uris += [f"memory://entity/{name}" for name in (OWN, OTHER)]
    for uri in uris:
        params = json.dumps({"uri": uri})[1:-1]
        yield uri, door.ask("resources/read", params, uri).text
        if not door.modern:
            yield f"subscribe {uri}", door.ask("resources/subscribe", params).text
    for prompt in made.prompts():
        for name in (OWN, OTHER):
            given = {each.name: name for each in prompt.arguments or ()}
            params = json.dumps({"name": prompt.name, "arguments": given})[1:-1]
            yield prompt.name, door.ask("prompts/get", params, prompt.name).text
        for each in prompt.arguments or ():
            reference = {"type": "ref/prompt", "name": prompt.name}
            yield f"completion of {each.name}", _completed(door, reference, each.name)
    for template in made.templates():
        reference = {"type": "ref/resource", "uri": template.uri_template}
        yield "completion of a resource", _completed(door, reference, "name")
    for tool, arguments in every_call(house, dialect):
        yield f"{tool} {arguments}", door.call(tool, json.dumps(arguments)).text


def _completed(door: Door, reference: dict[str, str], argument: str) -> str:
    params = {"ref": reference, "argument": {"name": argument, "value": ""}}
    return door.ask("completion/complete", json.dumps(params)[1:-1]).text


# --- arguments out of schemas


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a call is about, and how much of what may be given is given."""

    entity: str
    id: int
    key: str
    full: bool
    flag: bool
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    fresh: str = ""
    revision: int = 1


# Words that a dialect knows for what a schema leaves open.
_WORDS: dict[str, dict[str, str]] = {
    "native": {},
    "knowledge_graph": {},
    "memcore": {"name": "key-0", "type": "project"},
    "memo": {"kind": "decision", "art": "entscheidung"},
    "brain": {"memory_typ": "entscheidung", "scope_typ": "global"},
}
_LAST = ("delete_entit", "delete_brain", "vergess", "forget")  # or there is nothing left to call
_CONTENTS = ("content", "contents", "inhalt", "text", "observations")
_NAMES = ("name", "names", "entityName", "entityNames", "from", "to", "members", "scope",
          "scope_ID", "scope_modul")  # fmt: skip
_IDS = ("id", "ID", "ids", "supersedes", "ersetzt")
_NUMBERS = {"limit": 50, "maxChars": 20_000, "page": 1, "seite": 1, "agent_ID": 1}


def every_call(house: Estate, dialect: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tool with arguments that fit it, about what is its own and about what is not."""
    own = Wanted(OWN, house.ids[OWN], "key-0", full=False, flag=False)
    other = Wanted(OTHER, house.ids[OTHER], "key-1", full=False, flag=True)
    hidden = replace(own, id=house.ids[HIDDEN], full=True, flag=True)
    wanted = (own, other, replace(own, full=True), replace(other, full=True), hidden)
    tools = DIALECTS[dialect](house.library).tools
    for tool in sorted(tools, key=lambda each: any(word in each.name for word in _LAST)):
        for number, each in enumerate(wanted):
            now = replace(
                each,
                words=_WORDS[dialect],
                fresh=f"fresh {dialect} {tool.name} {number}",
                revision=_revision(house.library, each, tool.name),
            )
            yield tool.name, _value("", tool.input_schema, now)


def _revision(library: Library, wanted: Wanted, tool: str) -> int:
    try:
        if "scope" in tool:
            return library.scopes.get(wanted.entity).revision
        return library.memories.get(wanted.id).revision
    except NotFound:  # what was called before has deleted it
        return 1


def _value(name: str, schema: dict[str, Any], wanted: Wanted) -> Any:
    if "enum" in schema:
        return schema["enum"][-1 if wanted.flag else 0]
    if name in ("expiresAt", "expected_updated_at"):
        return None
    if "anyOf" in schema:
        return _value(name, schema["anyOf"][0], wanted)
    match schema.get("type"):
        case "object":
            known: dict[str, Any] = schema.get("properties", {})
            needed = schema.get("required", [])
            chosen = [each for each in known if wanted.full or each in needed]
            if "entityName" in known and "observations" in known:  # what is to be deleted
                return {"entityName": wanted.entity, "observations": [SAID]}
            made = {each: _value(each, known[each], wanted) for each in chosen}
            return {**made, "name": wanted.fresh} if "entityType" in known else made
        case "array":
            return [_value(name, schema.get("items", {}), wanted)]
        case "boolean":
            return wanted.flag
        case "integer":
            least = int(schema.get("minimum", 0))
            if name in ("revision", "expectedRevision"):
                return wanted.revision
            return wanted.id if name in _IDS else max(least, _NUMBERS.get(name, least))
        case "number":
            return schema.get("default", 0.5)
        case _:
            return _text(name, schema, wanted)


def _text(name: str, schema: dict[str, Any], wanted: Wanted) -> str:
    if name in wanted.words:
        return wanted.words[name]
    if name in _IDS:
        return str(wanted.id)
    if name in _CONTENTS:
        return wanted.fresh
    if name in _NAMES:
        return wanted.entity
    if name == "key":
        return wanted.key
    return str(schema.get("default") or "shelf")


# --- doors for an agent


@contextmanager
def opened(house: Estate, way: str, agent: Agent, token: str) -> Iterator[Door]:
    """A door of that sort for that agent, begun."""
    kind, era = way.split()
    opening = {"http": _posted, "stdio": _standard, "socket": _socket}[kind]
    with opening(house, era, agent, token) as door:
        door.begin()
        yield door


@contextmanager
def _posted(house: Estate, era: str, agent: Agent, token: str) -> Iterator[Door]:
    yield Posted(era, house.port, agent.dialect, token)


@contextmanager
def _standard(house: Estate, era: str, agent: Agent, token: str) -> Iterator[Door]:
    server_in, client_out = os.pipe()
    client_in, server_out = os.pipe()
    dialect = DIALECTS[agent.dialect](house.library)

    def serve() -> None:
        with os.fdopen(server_in, "rb") as stdin, os.fdopen(server_out, "wb") as stdout:
            serve_stdio(house.library, dialect, lambda: agent, stdin, stdout)

    server = threading.Thread(target=serve)
    server.start()
    with os.fdopen(client_in, "rb") as answers, os.fdopen(client_out, "wb", 0) as out:
        door = Lined("stdio", era, out.write, iter(answers))
        try:
            yield door
        finally:
            out.close()
            server.join(BOUND)
            door.reader.join(BOUND)


@contextmanager
def _socket(house: Estate, era: str, agent: Agent, token: str) -> Iterator[Door]:
    _let_stdio_be_as(house.library, agent)
    read_only = agent.access is Access.READ
    with over_socket(
        house.library, agent.dialect, era, read_only=read_only, scope=agent.entity
    ) as door:
        yield door


def _let_stdio_be_as(library: Library, agent: Agent) -> None:
    record = library.agents.named(STDIO) or library.agents.add(STDIO, **BY_PERSON)[0]
    library.agents.change(
        record.id, access=agent.access, dialect=agent.dialect, entity=agent.entity, **BY_PERSON
    )


# --- strangers

_INIT = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
_NEW = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": MODERN}}
_JSON = "Content-Type: application/json"
_BOTH = "Accept: application/json, text/event-stream"


@dataclass(frozen=True, slots=True)
class Case:
    """One way of asking that must be refused; `shown` says whether with a good token."""

    name: str
    lines: tuple[str, ...] = ()
    body: bytes = json.dumps(_INIT).encode()
    method: str = "POST"
    host: str | None = ""  # the right one; None is none
    shown: bool = True
    length: int | None = None


CASES = (
    Case("no credentials", shown=False),
    Case("no credentials, 2026", ("MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"),
         json.dumps(_NEW).encode(), shown=False),
    Case("a wrong token", ("Authorization: Bearer nobody",), shown=False),
    Case("an empty token", ("Authorization: Bearer ",), shown=False),
    Case("another scheme", ("Authorization: Basic {token}",), shown=False),
    Case("a token without a scheme", ("Authorization: {token}",), shown=False),
    Case("a token in the query and a cookie", ("Cookie: token={token}",), shown=False),
    Case("two tokens", ("Authorization: Bearer nobody",)),
    Case("a rebound name", host="evil.example"),
    Case("a rebound name with the port", host="evil.example:{port}"),
    Case("no host", host=None),
    Case("another port", host="localhost:1"),
    Case("no number for a port", host="127.0.0.1:evil.example"),
    Case("two hosts", ("Host: 127.0.0.1:{port}",)),
    Case("all addresses", host="0.0.0.0:{port}"),
    Case("another family", host="[::1]:{port}"),
    Case("a foreign page", ("Origin: https://evil.example",)),
    Case("a page of a file", ("Origin: null",)),
    Case("a page of this machine", ("Origin: http://localhost:3000",)),
    Case("a page of this very server", ("Origin: http://127.0.0.1:{port}",)),
    Case("a browser", ("Sec-Fetch-Site: same-site",)),
    Case("a question before a request of a page",
         ("Origin: https://evil.example", "Access-Control-Request-Method: POST"), b"", "OPTIONS"),
    Case("a packed body", ("Content-Encoding: gzip",)),
    Case("5 MB said and sent", body=b" " * 5_000_000),
    Case("5 MB said", body=b" ", length=5_000_000),
    Case("two lengths", ("Content-Length: 5",)),
    Case("a length and chunks", ("Transfer-Encoding: chunked",)),
    Case("200 kB of headers", ("X-Big: " + "a" * 200_000,)),
    Case("another method", method="PUT"),
    Case("a proxy's method", method="CONNECT"),
)  # fmt: skip
PATHS = (*(path_of(name) for name in DIALECTS), "/mcp/", "/health", "/", "/nowhere", "/mcp/../mcp")


def strangers() -> Row:
    """How many of the cases were answered anything but a refusal, at any path."""
    answered = list[str]()
    with estate() as house:
        tokens = {path_of(name): house.agent(f"a-{name}", dialect=name)[1] for name in DIALECTS}
        for case, path in itertools.product(CASES, PATHS):
            answer = _asked(house.port, case, path, tokens.get(path, tokens["/mcp"]))
            refused = answer.startswith(b"HTTP/1.1 4") or not answer
            if not refused or b'"result"' in answer or b"access-control" in answer.lower():
                answered.append(f"{case.name} at {path}: {answer[:40]!r}")
    what = f"{len(CASES)} access cases at {len(PATHS)} paths"
    return Row(what, "0 answered", f"{answered or 0}", not answered)


def _asked(port: int, case: Case, path: str, token: str) -> bytes:
    def fill(text: str) -> str:
        return text.replace("{port}", str(port)).replace("{token}", token)

    host = [] if case.host is None else [f"Host: {fill(case.host) or f'127.0.0.1:{port}'}"]
    shown = [f"Authorization: Bearer {token}"] if case.shown else []
    length = f"Content-Length: {len(case.body) if case.length is None else case.length}"
    head = [f"{case.method} {path} HTTP/1.1", *host, *shown, _JSON, _BOTH, "Connection: close",
            length, *map(fill, case.lines), "", ""]  # fmt: skip
    answer = b""
    with socket.create_connection(("127.0.0.1", port), BOUND) as peer, suppress(ConnectionError):
        with suppress(OSError):  # what is refused need not be read to its end
            peer.sendall("\r\n".join(head).encode() + case.body)
        while piece := peer.recv(65_536):
            answer += piece
    return answer
