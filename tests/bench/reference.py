"""The knowledge graph dialect beside the reference server: one battery of calls, then a race.

    python tests/bench/reference.py PATH [sizes]

PATH is the reference's `dist/index.js`, or a folder in which
`npm install @modelcontextprotocol/server-memory@2026.8.31` was run. Both speak over stdio.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import sentence, words

PACKAGE = Path("node_modules/@modelcontextprotocol/server-memory/dist/index.js")
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
Answer = dict[str, Any]


class Client:
    """A process that is spoken to in lines; what it answers is not parsed unless asked for."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **env}, bufsize=0,
        )  # fmt: skip
        self._held = bytearray()
        self._id = 0
        self.request("initialize", HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: Answer) -> bytes:
        """The line that answers a request."""
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return self._line()

    def call(self, tool: str, arguments: Answer) -> bytes:
        """The line that answers the call of a tool."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def close(self) -> None:
        """Hang up and wait for the process."""
        self._stdin.close()
        self._process.wait(20)
        self._stdout.close()

    @property
    def _stdin(self) -> Any:
        return self._process.stdin

    @property
    def _stdout(self) -> Any:
        return self._process.stdout

    def _send(self, message: Answer) -> None:
        line = memoryview(json.dumps(message).encode() + b"\n")
        while line:
            line = line[os.write(self._stdin.fileno(), line) :]

    def _line(self) -> bytes:
        start = 0
        while (end := self._held.find(b"\n", start)) < 0:
            start = len(self._held)
            piece = os.read(self._stdout.fileno(), 1 << 20)
            if not piece:
                raise EOFError("the server ended")
            self._held += piece
        line = bytes(self._held[:end])
        del self._held[: end + 1]
        return line


def reference(script: Path, folder: Path) -> Client:
    """The reference server over a file of its own."""
    return Client(["node", str(script)], {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")})


def ours(folder: Path) -> Client:
    """The dialect over a store of its own."""
    flags = ["--dialect", "knowledge_graph", "--answer-budget", "none"]
    store = str(folder / "memories.db")
    return Client([sys.executable, "-m", "remembrancer", "mcp", "--store", store, *flags], {})


# --- the battery


def entity(name: str, *observations: str, kind: str = "t") -> Answer:
    """An entity as the tools take it."""
    return {"name": name, "entityType": kind, "observations": list(observations)}


def link(source: str, kind: str, target: str) -> Answer:
    """A relation as the tools take it."""
    return {"from": source, "to": target, "relationType": kind}


READ: tuple[str, Answer] = ("read_graph", {})


def create(*entities: Answer) -> tuple[str, Answer]:
    """A call."""
    return "create_entities", {"entities": list(entities)}


def relate(*relations: Answer) -> tuple[str, Answer]:
    """A call."""
    return "create_relations", {"relations": list(relations)}


def observe(**contents: list[str]) -> tuple[str, Answer]:
    """A call."""
    added = [{"entityName": name, "contents": texts} for name, texts in contents.items()]
    return "add_observations", {"observations": added}


def forget(**texts: list[str]) -> tuple[str, Answer]:
    """A call."""
    gone = [{"entityName": name, "observations": each} for name, each in texts.items()]
    return "delete_observations", {"deletions": gone}


def search(query: str) -> tuple[str, Answer]:
    """A call."""
    return "search_nodes", {"query": query}


# Calls that both must answer alike, word for word.
ALIKE: list[tuple[str, Answer]] = [
    READ,
    create(),
    create(entity("Ada", "likes tea", 'says "no"\n\ttwice'), entity("b")),
    create(entity("Ada")),
    create(entity("c", "Ärger im Büro"), entity("日本", "東京タワー", kind="Land")),
    create(entity("😀", "\x01\x1f\x7f\u2028 </script>", kind="")),
    create(entity(" d ", "  "), entity("e", *map(str, range(40)))),
    relate(),
    relate(link("Ada", "knows", "b"), link("b", "is", "b")),
    relate(link("Ada", "knows", "b"), link("c", "near", "Ada"), link("c", "", "日本")),
    observe(),
    observe(b=["x", "y"]),
    observe(b=["y", "z"], c=[]),
    observe(c=["lost"], nobody=["x"]),
    READ,
    *map(search, ["LIKES T", "ärg", "ÄRGER", "京タ", "land", 'says "no"', "x", "tea likes"]),
    *map(search, ["100%", "", " ", "*", "a", "39", "</SCRIPT", "q" * 2_048, "nobody", "is"]),
    ("open_nodes", {"names": ["c", "Ada", "nobody", "c"]}),
    ("open_nodes", {"names": []}),
    forget(b=["x"]),
    forget(b=["y", "z"]),
    ("delete_relations", {"relations": [link("c", "near", "Ada")]}),
    ("delete_entities", {"entityNames": ["日本"]}),
    ("delete_entities", {"entityNames": []}),
    forget(),
    READ,
    ("open_nodes", {"names": ["c"]}),
]

_ONCE = "what comes twice in one call is kept once"
_REPORTED = "what matched nothing is reported (the reference's next version has these sentences)"
_ENDS = "both ends of a relation must exist (so they must in the reference's next version)"
_EMPTY = "an empty name or observation is refused"
_WORDS = "a call that breaks the schema is refused in other words"

# Calls that we answer differently on purpose, each with the reason.
DELIBERATE: list[tuple[str, tuple[str, Answer]]] = [
    ("what is skipped is said", create(entity("b", "new fact"))),
    (_ONCE, create(entity("d"), entity("d", "second"))),
    (_ONCE, relate(link("d", "r", "c"), link("d", "r", "c"))),
    (_ONCE, observe(c=["q", "q"])),
    ("NFC and NFD are one name", create(entity("Zu\u0308rich", "See"))),
    ("NFC and NFD are one name", create(entity("Z\u00fcrich", "Lake"))),
    ("credentials are masked", create(entity("key", "password: hunter2hunter2"))),
    (_EMPTY, create(entity(""))),
    (_EMPTY, create(entity("x", ""))),
    (_ENDS, relate(link("Ada", "knows", "nobody"))),
    (_REPORTED, forget(b=["x", "nothing"])),
    (_REPORTED, forget(nobody=["x"])),
    (_REPORTED, ("delete_relations", {"relations": [link("c", "near", "Ada")]})),
    (_REPORTED, ("delete_entities", {"entityNames": ["Ada", "nobody"]})),
    ("the query has a greatest length", search("q" * 2_049)),
    (_WORDS, ("search_nodes", {})),
    (_WORDS, ("create_entities", {"entities": [{"name": "x"}]})),
    ("an unknown argument is refused", ("read_graph", {"limit": 1})),
    ("an unknown tool is an error of the protocol", ("nothing", {})),
]


def battery(script: Path) -> bool:
    """Print each difference between the answers of the two; whether all are deliberate ones."""
    with tempfile.TemporaryDirectory() as folder:
        both = (reference(script, Path(folder)), ours(Path(folder)))

        def differs(call: tuple[str, Answer], reason: str) -> bool:
            theirs, own = (_shown(client.call(*call)) for client in both)
            if theirs == own:
                return False
            print(f"{reason}: {call[0]} {json.dumps(call[1], ensure_ascii=False)[:100]}")
            for name in theirs.keys() | own.keys():
                if theirs.get(name) != own.get(name):
                    print(f"    {name:<11} reference: {theirs.get(name)!r:.160}")
                    print(f"    {name:<11} ours:      {own.get(name)!r:.160}")
            return True

        odd = sum([differs(call, "NOT AGREED") for call in ALIKE])
        meant = sum([differs(call, reason) for reason, call in DELIBERATE])
        for client in both:
            client.close()
    print(f"{len(ALIKE) - odd} of {len(ALIKE)} answers are the same, word for word;")
    print(f"{meant} of {len(DELIBERATE)} others differ on purpose")
    return not odd


def _shown(line: bytes) -> Answer:
    """What is compared: the texts, the structured content, whether it is an error."""
    answer = json.loads(line)
    if "error" in answer:
        return {"protocol error": answer["error"]["code"]}
    result = answer["result"]
    return {
        "texts": [block["text"] for block in result["content"]],
        "structured": result.get("structuredContent"),
        "error": bool(result.get("isError")),
    }


# --- the race

BOUNDS = {  # operation -> least ratio at 100, 1,000, 10,000 entities
    "create 1": (1, 1, 30),
    "create 20": (1, 1, 30),
    "search": (1, 1, 12),
    "read_graph": (1, 1, 1),
    "read_graph after a write": (1, 1, 1),
}


def race(script: Path, entities: int, rounds: int) -> None:
    """Print medians of both at one size; who is first changes from operation to operation."""
    with tempfile.TemporaryDirectory() as folder:
        racers = {"reference": reference(script, Path(folder)), "ours": ours(Path(folder))}
        for client in racers.values():
            _fill(client, entities)
        found = _samples(racers, rounds)
        for client in racers.values():
            client.close()
    for operation, samples in found.items():
        _row(entities, operation, samples)


def _fill(client: Client, entities: int) -> None:
    rng, vocabulary = random.Random(1), words()
    for start in range(0, entities, 500):
        names = range(start, min(start + 500, entities))
        made = [
            entity(f"item {n}", *(sentence(rng, vocabulary, 6) for _ in range(3))) for n in names
        ]
        client.call(*create(*made))
        links = [link(f"item {n}", "follows", f"item {max(n - 7, 0)}") for n in names]
        client.call(*relate(*links))
    client.call(*create(*(entity(f"needle {n}", "a zyxwvu in the hay") for n in range(5))))


def _samples(racers: dict[str, Client], rounds: int) -> dict[str, dict[str, list[float]]]:
    rng = random.Random(2)
    number = iter(range(10**9))
    names = list(racers)
    found: dict[str, dict[str, list[float]]] = {o: {n: [] for n in names} for o in BOUNDS}

    def add(client: Client, count: int) -> bytes:
        made = [entity(f"new {next(number)}", "a fresh observation") for _ in range(count)]
        return client.call(*create(*made))

    operations: dict[str, Callable[[Client], bytes]] = {
        "create 1": lambda client: add(client, 1),
        "create 20": lambda client: add(client, 20),
        "search": lambda client: client.call(*search("ZYXwvu")),
        "read_graph": lambda client: client.call("read_graph", {}),
        "read_graph after a write": lambda client: client.call("read_graph", {}),
    }
    for turn in range(rounds + 1):
        for operation, run in operations.items():
            rng.shuffle(names)
            for name in names:
                if operation.endswith("write"):
                    add(racers[name], 1)
                began = time.perf_counter()
                run(racers[name])
                if turn:  # the first round warms up
                    taken = (time.perf_counter() - began) * 1_000
                    found[operation][name].append(taken)
    return found


def _row(entities: int, operation: str, samples: dict[str, list[float]]) -> None:
    theirs, own = (statistics.median(samples[name]) for name in ("reference", "ours"))
    bound = BOUNDS[operation][{100: 0, 1_000: 1}.get(entities, 2)]
    verdict = "ok" if theirs / own >= bound else "SHORT"
    ratio = f"{theirs / own:8.2f}x   {verdict} (at least {bound}x)"
    print(f"{entities:>7,} {operation:<26}{theirs:9.2f} ms {own:9.2f} ms {ratio}", flush=True)


def main(arguments: list[str]) -> int:
    """Run the battery and the race against the reference at a path."""
    path = Path(arguments[0])
    script = path / PACKAGE if path.is_dir() else path
    agreed = battery(script)
    print(f"{'entities':>7} {'operation':<26}{'reference':>11} {'ours':>12}")
    for size in [int(n) for n in arguments[1:]] or [100, 1_000, 10_000]:
        race(script, size, rounds=21 if size < 10_000 else 11)
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
