"""The catalogue of bad input at every door: an answer, a live server, the same store."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from faults import calls, files
from faults.calls import NAMES, QUERIES
from faults.doors import Door, Heard, House, doors
from faults.row import Row
from notation import build
from remembrancer.agents.dialects import DIALECTS
from remembrancer.service.library import Library

# dialect -> a tool that reads, the member that is its text, a call of it that is good
READING = {
    "native": ("memory_recall", "query"),
    "memcore": ("memory_search", "query"),
    "knowledge_graph": ("search_nodes", "query"),
    "memo": ("recall", "query"),
    "brain": ("select_brain_memory", "query"),
}
# dialect -> a tool that writes, and its arguments with %s for one text in JSON
WRITING = {
    "native": (
        "memory_create_entities",
        '{"entities":[{"name":%s,"entityType":"t","observations":[]}]}',
    ),
    "memcore": ("memory_write", '{"scope":"nas","type":"user","name":%s,"content":"c"}'),
    "knowledge_graph": (
        "create_entities",
        '{"entities":[{"name":%s,"entityType":"t","observations":[]}]}',
    ),
    "memo": ("remember", '{"text":%s,"tags":"nas"}'),
    "brain": ("insert_brain_memory", '{"titel":%s,"inhalt":"i"}'),
}
# What stands where a number, an id or a list is wanted; all of it is refused, or taken as it says.
VALUES = (
    '"12 "', '"1_000"', "1.0", "true", str(2**63), str(2**70), "-1", '""', "NaN", "Infinity",
    "-Infinity", "1e999", "9" * 4_000, "9" * 5_000, "[" * 40 + "]" * 40,
    "[" * 100_000 + "]" * 100_000, "null", "{}",
    '"\\ud800"', '"a\\u0000b"', '{"a":1,"a":2}', '"[1]"',
)  # fmt: skip
NEVER = re.compile(
    r"Traceback|[Ii]nternal (server )?error|failed inside|sqlite|peewee|\bException\b"
)
_DEEP = "[" * 100_000 + "]" * 100_000


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that is said at a door; `refused`: it must be, `kept`: nothing may change."""

    name: str
    say: Callable[[Door], Heard]
    refused: bool = True


@dataclass
class Found:
    """What came of the cases so far."""

    examples: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        first = f": {self.wrong[0]}" if self.wrong else ""
        return f"{self.examples:,} cases, {len(self.wrong)} wrong{first}"


def cases(dialect: str) -> Iterator[Case]:
    """Everything of the catalogue that goes through a door to this dialect."""
    yield from _frames(dialect)
    yield from _messages(dialect)
    yield from _texts(dialect)
    yield from _others()


def _frames(dialect: str) -> Iterator[Case]:
    """Bytes that are no message."""
    good = '{"jsonrpc":"2.0","id":7,"method":"ping","params":{}}'
    bodies = {
        "nothing": b"", "blanks": b"   \r", "a word": b"hello", "half": b"{", "a number": b"5",
        "a list": b"[]", "a batch": f"[{good},{good}]".encode(), "an empty object": b"{}",
        "no version": b'{"id":3,"method":"ping"}',
        "method 5": b'{"jsonrpc":"2.0","id":3,"method":5}',
        "params list": b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[1]}',
        "trailing": good.encode() + b" trailing",
        "a byte order mark": b"\xef\xbb\xbf" + good.encode(),
        "invalid UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
        "UTF-16": good.encode("utf-16"),
        "100,000 brackets": b"[" * 100_000, "digits": b"9" * 10_000, "a NUL": b"\0",
        "2 MB of blanks": b" " * (2 << 20), "2 MB of a word": b"x" * (2 << 20),
    }  # fmt: skip
    for name, body in bodies.items():
        yield Case(name, lambda door, body=body: door.hear(body))
    for id in ("1.0", "true", "null", "{}", "[1]", "1e999", "NaN", '"\\ud800"'):
        yield Case(f"the id {id}", lambda door, id=id: _read(door, dialect, id=id))
    for id in (str(2**70), '""', "-1", '"12 "'):
        yield Case(f"the id {id}", lambda door, id=id: _read(door, dialect, id=id), refused=False)


def _messages(dialect: str) -> Iterator[Case]:
    """Messages whose frame is wrong, or too large."""
    for token in ("NaN", "1e999", "[]", "{}", "1.5", "true", '"\\ud800"', "null"):
        meta = f'"progressToken":{token}'
        yield Case(f"the token {token}", lambda door, m=meta: _read(door, dialect, meta=m))
    for name, meta in {"NaN": "NaN", "1e999": "[1e999]", "deep": _DEEP}.items():
        yield Case(f"{name} in _meta", lambda door, m=f'"x":{meta}': _read(door, dialect, meta=m))
    for name in ("\\u0000\\u0007\\u001b[31m\\u202e", "n" * 100_000, "Mu\u0308ller\u200b"):
        told = f'"io.modelcontextprotocol/clientInfo":{{"name":"{name}","version":"1"}}'
        yield Case(
            f"the client {name[:20]}",
            lambda door, m=told: _read(door, dialect, meta=m),
            refused=False,
        )
    tool, text = READING[dialect]
    for given in ("[]", '"x"', "5", "true"):
        yield Case(f"arguments {given}", lambda door, a=given: door.call(tool, a))
    for size in (2 << 20, 50 << 20):
        large = f'{{"{text}":"{"x" * size}"}}'
        yield Case(f"{size >> 20} MB", lambda door, a=large: door.call(tool, a))
    once = f'{{"{text}":"a","{text}":"b"}}'
    yield Case("the same name twice", lambda door: door.call(tool, once), refused=False)


def _texts(dialect: str) -> Iterator[Case]:
    """Texts, names and values in the arguments of a tool that reads, and of one that writes."""
    tool, text = READING[dialect]
    for query in QUERIES:
        said = json.dumps({text: query})
        yield Case(
            f"the query {query[:20]!r}", lambda door, a=said: door.call(tool, a), refused=False
        )
    writer, template = WRITING[dialect]
    for name in NAMES:
        said = template % json.dumps(name)
        yield Case(
            f"the name {name[:20]!r}", lambda door, a=said: door.call(writer, a), refused=False
        )
    for value in VALUES:
        said = f'{{"{text}":"a","limit":{value}}}'
        yield Case(
            f"a limit of {value[:20]}", lambda door, a=said: door.call(tool, a), refused=False
        )
        said = template % value
        yield Case(
            f"a name of {value[:20]}", lambda door, a=said: door.call(writer, a), refused=False
        )
        said = f'{{"{text}":"a","nobody\u00e9":{value}}}'
        yield Case(f"unknown {value[:20]}", lambda door, a=said: door.call(tool, a))


def _others() -> Iterator[Case]:
    """Methods, tools, resources and prompts that are not there."""
    yield Case("an unknown method", lambda door: door.ask("no/such"))
    yield Case("a method of 100,000 characters", lambda door: door.ask("x" * 100_000))
    for tool in ("nope", "", "a" * 10_000):
        yield Case(f"the tool {tool[:9]}", lambda door, t=tool: door.call(t, "{}"))
    for uri in ("memory://nope", "file:///etc/passwd", "memory://entity/%00%ff", "", "x" * 300_000):
        said = f'"uri":{json.dumps(uri)}'
        yield Case(
            f"the resource {uri[:20]}", lambda door, p=said, u=uri: door.ask("resources/read", p, u)
        )
    yield Case("an unknown prompt", lambda door: door.ask("prompts/get", '"name":"nope"', "nope"))


def _read(door: Door, dialect: str, **more: str) -> Heard:
    tool, text = READING[dialect]
    return door.call(tool, f'{{"{text}":"nas"}}', **more)


def at_doors(dialects: Iterable[str], chosen: slice = slice(None)) -> Found:
    """The cases at all doors to these dialects."""
    found = Found()
    for dialect in dialects:
        with tempfile.TemporaryDirectory() as folder, _library(Path(folder)) as library:
            with doors(library, dialect) as house:
                _at(house, found, chosen)
            found.wrong += library.upkeep.problems()
    return found


def _library(folder: Path) -> Library:
    return build(
        Library.open(folder / "memories.db"), "nas: 4 GB; nas: laut; ann:person -owns-> nas"
    )


def _at(house: House, found: Found, chosen: slice) -> None:
    for case in list(cases(house.dialect))[chosen]:
        for door in house.doors:
            found.examples += 1
            before = fingerprint(house.library)
            problem = _problem(case, door, house)
            kept = fingerprint(house.library) == before
            if not problem[0] and problem[1] and not kept:
                problem = ("it was refused, and the store is another", True)
            if problem[0]:
                found.wrong.append(f"{house.dialect}, {door.name}, {case.name}: {problem[0]}")


def _problem(case: Case, door: Door, house: House) -> tuple[str, bool]:
    """What is wrong with the answer, and whether it was a refusal."""
    try:
        heard = case.say(door)
        after = _read(door, house.dialect)
    except (OSError, TimeoutError) as silence:
        return f"silence: {silence!r}", True
    refused = is_refusal(heard)
    told = fault_of(heard)
    if not told and is_refusal(after):
        told = f"a good call failed afterwards: {after.text[:200]}"
    if not told and case.refused and not refused:
        told = f"it was not refused: {heard.text[:200]}"
    return told, refused


def is_refusal(heard: Heard) -> bool:
    """Whether this says no."""
    message = heard.message
    return (
        heard.status >= 400 or "error" in message or bool(message.get("result", {}).get("isError"))
    )


def fault_of(heard: Heard) -> str:
    """What no answer may be; empty for one that may."""
    text = heard.text
    if not text.strip():
        return f"silence, with status {heard.status}"
    if heard.status >= 500 or heard.message.get("error", {}).get("code") == -32603:
        return f"a failure of ours: {heard.status} {text[:200]}"
    if is_refusal(heard) and (NEVER.search(text) or len(text) > 8_000):
        return f"no sentence to act on: {text[:200]}"
    return ""


def fingerprint(library: Library) -> str:
    """All that a store holds but who was here when, as one number."""
    with tempfile.NamedTemporaryFile() as file:
        library.transfer.send_out(Path(file.name))
        lines = Path(file.name).read_bytes().splitlines()[1:]
    kept = [line for line in lines if not line.startswith(b'{"record":"agent"')]
    return hashlib.sha256(b"\n".join(kept)).hexdigest()


def measure(examples: int = 10_000) -> list[Row]:
    """Bad input at every door, bent calls of every tool, spoilt files of every format.

    `examples` is how many calls are bent; a quarter as many files are spoilt.
    """
    few = examples < 1_000
    found = at_doors(["native"] if few else DIALECTS, slice(0, None, 5) if few else slice(None))
    told = calls.tried(examples)
    seen = files.tried(examples // 4)
    bound = (
        "every one a sentence or success, the server alive, a refusal leaves the store as it was"
    )
    return [
        Row("R9 the catalogue of bad input at six doors", bound, str(found), not found.wrong),
        Row("R9 bent calls of every tool of every dialect", bound, str(told), not told.wrong),
        Row("R9 spoilt files of every format", bound, str(seen), not seen.wrong),
    ]
