"""Tool calls as they go wrong: made from each tool's schema, then bent, by a real client."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent, Tool

from agents.dialects.rooms import SPOKEN, Room, room
from notation import WINDOW, build
from remembrancer.core.author import Access
from remembrancer.core.journal import Deed
from remembrancer.service.library import Library

BUDGET = 100_000  # characters of an answer
SKETCH = (
    "nas:device -feeds-> switch:device; ann:person; nas: 4 GB; nas/disk: two; nas: laut; ann: Tee"
)
SILENCE = "silence"
UNSAYABLE = (
    "failed inside Remembrancer",
    "Traceback",
    "nternal error",
    "sqlite",
    "peewee",
    "Error(",
)

# The queries of which plain full-text search raises more than half.
QUERIES = (
    "router", "pre-edit", "don't", "GB/s", '"', '""', "*", "rout*", "NEAR(",
    "NEAR(a b, 99999999999)",
    "name:", "nope:x", "AND", "NOT", "a OR", "(", "^", "{name}: x", "-name : x", "\0", "a\0b", "",
    "   ", "x" * 100_000, " ".join(["a"] * 20_000), '"' + 'a" "' * 5_000 + '"', "(" * 500, "\u202e",
    "ＲＯＵＴＥＲ", "😀", "'; drop table memory;--",
)  # fmt: skip
NAMES = (
    "Müller", "Mu\u0308ller", "müller", "MÜLLER", "Müller ", "Müller\u200b", "\u202eMüller",
    "Мuller",
    "straße", "STRASSE", "", "   ", "a\0b", "\ud800", "x" * 1_001, "ﬁle", "file", "İ", "i̇",
)  # fmt: skip
TEXTS = (
    "nas", "ann", "switch", "4 GB", "laut", "disk", "two", "Tee", "neu", "m-1", "m-3", "unfiled",
    "1", "12 ", "1_000", "0x10", "-1", "1.0", "true", "null", '["nas"]', '{"a":1}', "[" * 500,
    "../../x",
    "2026-01-01", "9999-99-99", "1e999", "NaN", "\udfff\ud800", "\x07\x1b[31m", "\r\n", "=1+1",
    "%s%n",
    "AKIA" + "Q3EGRIPTH2X7KLMN", "y" * 200_001, "😀" * 700, *QUERIES, *NAMES,
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 1.0, 1.5, 2**53, 2**63, 2**70, -(2**63), float("nan"),
    float("inf"), 10**4_000, "", [], {}, [[]], [None], {"": None}, {"\0": 1}, ["a"] * 5_000,
    "12 ", "1_000", {"a": {"b": {"c": []}}},
)  # fmt: skip


def _deep(levels: int) -> object:
    value: object = "bottom"
    for _ in range(levels):
        value = [value]
    return value


texts = st.sampled_from(TEXTS) | st.text(
    st.characters(codec=None, exclude_categories=()), max_size=12
)
odd = st.sampled_from(ODD) | st.just(_deep(40)) | texts


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that mostly are what a schema asks for."""
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return st.one_of([fitting(each) for each in schema[union]])
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    kinds = schema.get("type", "string")
    if isinstance(kinds, list):
        return st.one_of([fitting({**schema, "type": kind}) for kind in kinds])
    return _of_kind(kinds, schema)


def _of_kind(kind: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    plain = {
        "integer": st.integers(1, 8) | st.sampled_from([low, schema.get("maximum", 9)]),
        "number": st.floats(0, 1) | st.sampled_from([low, schema.get("maximum", 9)]),
        "boolean": st.booleans(),
        "null": st.none(),
        "string": texts,
    }
    if kind == "array":
        return st.lists(bent(schema.get("items", {})), max_size=3)
    return _object(schema) if kind == "object" else plain[kind]


def bent(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """The same, of which one in nine is anything at all."""
    return st.integers(0, 8).flatmap(lambda n: odd if n == 0 else fitting(schema))


@st.composite
def _object(draw: st.DrawFn, schema: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = schema.get("properties", {})
    required = schema.get("required", ())
    made: dict[str, Any] = {}
    for name, each in properties.items():
        if draw(st.integers(0, 15)) < (15 if name in required else 6):
            made[name] = draw(bent(each))
    if draw(st.integers(0, 15)) == 0:
        made[draw(texts)] = draw(odd)
    return made


def calls(tools: Sequence[Tool]) -> st.SearchStrategy[tuple[str, Any]]:
    """A tool's name and what is given to it."""
    one = st.sampled_from(list(tools))
    return one.flatmap(lambda tool: st.tuples(st.just(tool.name), _object(tool.input_schema)))


@dataclass
class Told:
    """What came of the calls so far."""

    examples: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        return f"{self.examples:,} calls, {self.refused:,} refused, {len(self.wrong)} wrong" + (
            f": {self.wrong[0]}" if self.wrong else ""
        )


def tried(examples: int) -> Told:
    """So many bent calls, spread over every vocabulary under two policies."""
    told = Told()
    policies = [(Access.WRITE, None), (Access.READ, "nas")]
    each = max(examples // (len(SPOKEN) * 4), 1)
    for access, entity in policies:
        for dialect, language in SPOKEN:
            with tempfile.TemporaryDirectory() as folder, _opened(Path(folder)) as (library, here):
                _try(
                    here,
                    library,
                    (dialect, language, access, entity),
                    each * (3 if entity is None else 1),
                    told,
                )
                told.wrong += [f"{dialect}: {problem}" for problem in library.upkeep.problems()]
    return told


@contextmanager
def _opened(folder: Path) -> Iterator[tuple[Library, Room]]:
    with Library.open(folder / "memories.db") as library:
        build(library, SKETCH)
        with room(library) as here:
            yield library, here


def _try(
    here: Room,
    library: Library,
    who: tuple[str, str, Access, str | None],
    examples: int,
    told: Told,
) -> None:
    dialect, language, access, entity = who
    agent, _ = library.agents.add(
        "ada", dialect=dialect, language=language, access=access, entity=entity,
        answer_budget=BUDGET, **WINDOW,
    )  # fmt: skip
    client = here.client(dialect, agent)
    tools = here.portal.call(client.list_tools).tools

    @settings(
        max_examples=examples, derandomize=True, database=None, deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )  # fmt: skip
    @given(calls(tools))
    def run(call: tuple[str, Any]) -> None:
        told.examples += 1
        before = library.journal.head()
        refused, problem = _outcome(here, client, *call)
        if problem == SILENCE and call[0] == "memory_get":  # whose answer may be null
            problem = ""
        told.refused += refused
        changed = [x.deed for x in library.journal.after(before) if x.deed is not Deed.ATTEMPT]
        if refused and changed:
            problem = f"a refused call left {changed}"
        if problem:
            told.wrong.append(f"{dialect} {language} {call[0]} {str(call[1])[:300]!r}: {problem}")

    run()


def _outcome(here: Room, client: Client, tool: str, arguments: Any) -> tuple[bool, str]:
    """Whether a call was refused, and what is wrong with the answer."""
    try:
        result = here.portal.call(client.call_tool, tool, arguments)
    except MCPError as error:
        return True, "" if error.error.code == -32602 else f"{error.error}"
    except UnicodeEncodeError:  # the client itself cannot say it
        return False, ""
    except Exception as error:  # what must not be
        return False, repr(error)[:300]
    return bool(result.is_error), _fault(result)


def _fault(result: CallToolResult) -> str:
    blocks = [block.text for block in result.content if isinstance(block, TextContent)]
    try:
        json.dumps(
            [blocks, result.structured_content], allow_nan=False, ensure_ascii=False
        ).encode()
    except ValueError as error:
        return f"no JSON: {error}"
    text = "\n".join(blocks)
    if not text.strip() and result.structured_content is None:
        return SILENCE
    if len(text) > BUDGET:
        return f"{len(text):,} characters"
    found = [each for each in UNSAYABLE if result.is_error and each in text]
    return f"it says {text[:300]!r}" if found or (result.is_error and len(text) > 4_000) else ""
