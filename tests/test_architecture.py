"""The import table of the house, its sizes, and what must not be loaded when: the law as a test."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_archon import archrule

APP = Path(__file__).parents[1] / "app" / "remembrancer"
FILES = sorted(APP.rglob("*.py"))

# room -> rooms and libraries it must never import, itself
FORBIDDEN = {
    "core": ["store", "formats", "service", "agents", "desktop", "doors"],
    "store": ["formats", "service", "agents", "desktop"],
    "formats": ["store", "service", "agents", "desktop"],
    "service": ["agents", "desktop"],
    "agents": ["store", "formats", "desktop"],
    "desktop": ["store", "formats"],
}
LIBRARIES = {
    "core": ["peewee", "pysqlite3", "sqlite3", "mcp*", "starlette*", "uvicorn*", "PySide6*"],
    "store": ["mcp*", "starlette*", "uvicorn*", "PySide6*", "pydantic*"],
    "formats": ["mcp*", "starlette*", "uvicorn*", "PySide6*"],
    "service": ["peewee", "mcp*", "starlette*", "uvicorn*", "PySide6*"],
    "agents": ["peewee", "PySide6*"],
    "desktop": ["peewee", "mcp*", "starlette*", "uvicorn*"],
}
# The doors stand beside the rooms: they put them together and hold no rule of their own.
DOORS = ["remembrancer.store*", "peewee", "PySide6*", "mcp*", "starlette*", "uvicorn*"]
# Where the application is put together, and the pane that shows the host.
HOST_KNOWN_BY = ("remembrancer.desktop.serving", "remembrancer.desktop.agents*")


@pytest.mark.parametrize("room", FORBIDDEN)
def test_a_room_imports_only_what_stands_beneath_it(room: str) -> None:
    above = [f"remembrancer.{other}*" for other in FORBIDDEN[room]]
    rule = archrule(room).match(f"remembrancer.{room}*")
    rule.should_not_import(*above, *LIBRARIES[room]).check("remembrancer", only_direct_imports=True)


def test_the_doors_go_through_the_service_alone() -> None:
    rule = archrule("doors").match("remembrancer.doors*")
    rule.should_not_import(*DOORS).check("remembrancer", only_direct_imports=True)


@pytest.mark.parametrize("room", ["core", "store", "formats", "service"])
def test_no_room_beneath_the_doors_reaches_qt_or_mcp_by_any_way(room: str) -> None:
    rule = archrule(room).match(f"remembrancer.{room}*")
    rule.should_not_import("PySide6*", "mcp*", "starlette*", "uvicorn*").check("remembrancer")


def test_only_where_the_application_is_put_together_the_window_knows_the_host() -> None:
    rule = archrule("host").match("remembrancer.desktop*").exclude(*HOST_KNOWN_BY)
    rule.should_not_import("remembrancer.agents*").check("remembrancer", only_direct_imports=True)


def test_no_file_is_longer_than_350_lines() -> None:
    long = {str(f.relative_to(APP)): n for f in FILES if (n := len(_lines(f))) > 350}
    assert long == {}


def test_functions_are_short() -> None:
    lengths = sorted(n for f in FILES for n in _function_lengths(f))
    assert statistics.median(lengths) <= 8
    assert lengths[int(len(lengths) * 0.9)] <= 25
    assert lengths[-1] <= 60


def test_no_class_is_longer_than_200_lines() -> None:
    long = {
        f"{f.relative_to(APP)}:{node.name}": length
        for f in FILES
        for node in ast.walk(ast.parse(f.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and (length := _length(node)) > 200
    }
    assert long == {}


def test_every_module_opens_with_a_sentence_of_purpose() -> None:
    silent = [
        str(f.relative_to(APP))
        for f in FILES
        if not ast.get_docstring(ast.parse(f.read_text(encoding="utf-8")))
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("loaded", "absent"),
    [
        ("remembrancer.desktop.application", ("mcp", "uvicorn", "starlette", "numpy", "pydantic")),
        ("remembrancer.service.library", ("PySide6", "mcp", "numpy", "pydantic", "rapidfuzz")),
        ("remembrancer.__main__", ("PySide6", "mcp", "numpy", "peewee", "pydantic")),
    ],
)
def test_a_door_loads_nothing_heavy_before_it_is_needed(
    loaded: str, absent: tuple[str, ...]
) -> None:
    code = f"import sys, {loaded}; print([m for m in {absent!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def _function_lengths(file: Path) -> list[int]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [_length(n) for n in ast.walk(tree) if isinstance(n, kinds)]


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
