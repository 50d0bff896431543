"""Every figure of trust in one table: what was tried, what must hold, what was seen.

    python tests/bench/trust.py [--small | --full] [--only NAME ...]

It takes about half an hour; with --small, the counts of the tests, a few minutes; with --full,
those of a release and the soak of thirty minutes, two hours. Exit code 1 if a row is not held.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # no figure needs a screen

from faults import shim
from faults.row import Row

_WIDTHS = (64, 22, 44)  # characters of what, bound and seen


@dataclass(frozen=True)
class Figure:
    """A module of tests/faults, and the counts that `measure` is called with."""

    name: str
    small: dict[str, Any] = field(default_factory=dict[str, Any])
    usual: dict[str, Any] = field(default_factory=dict[str, Any])
    full: dict[str, Any] = field(default_factory=dict[str, Any])
    needs_shim: bool = False


# Without counts of its own a module measures as it does by itself.
FIGURES = (
    Figure("killing", {"rounds": 3}, {"rounds": 200}, {"rounds": 1_000}),
    Figure(
        "power_loss",
        {"images": 18, "deeds": 150},
        {"images": 150},
        {"images": 450},
        needs_shim=True,
    ),
    Figure("io_errors", {"runs": 21}, {"runs": 84}, {"runs": 168}, needs_shim=True),
    Figure("full_disk"),
    Figure("lost_updates", {"sessions": 8, "changes": 2}),
    Figure("once", {"commits": 4}, {"commits": 100}, needs_shim=True),
    Figure("soak", {"agents": 4, "calls": 90, "seconds": 0, "growth": 0.2}, {"seconds": 300}),
    Figure("damage", {"places": 4, "memories": 250}, {"places": 16}),
    Figure("backups", {"backups": 3, "megabytes": 0}),
    Figure("access_matrix"),
    Figure("flood"),
    Figure("stopping"),
    Figure("canary"),
    Figure("secret_figures"),
    Figure("catalogue"),
    Figure("hostile_text"),
)


def main(arguments: list[str]) -> int:
    """Print the table; returns the exit code."""
    reader = argparse.ArgumentParser(description=__doc__)
    size = reader.add_mutually_exclusive_group()
    size.add_argument("--small", action="store_true", help="with the counts of the tests")
    size.add_argument("--full", action="store_true", help="with the counts of a release")
    names = [figure.name for figure in FIGURES]
    reader.add_argument("--only", nargs="+", choices=names, metavar="NAME", default=names)
    given = reader.parse_args(arguments)
    length = "small" if given.small else "full" if given.full else "usual"
    _line("what", "bound", "seen", "held")
    rows = [row for each in FIGURES if each.name in given.only for row in _measured(each, length)]
    broken = sum(not row.held for row in rows)
    print(f"\n{len(rows) - broken} of {len(rows)} figures held")
    return 1 if broken or not rows else 0


def _measured(figure: Figure, length: str) -> list[Row]:
    """The rows of one figure, printed as they are known."""
    began = time.perf_counter()
    print(f"\n{figure.name}", end="", flush=True)
    missing = shim.missing() if figure.needs_shim else None
    if missing is not None:
        print(f": left out, {missing}")
        return []
    try:
        measure = importlib.import_module(f"faults.{figure.name}").measure
    except ModuleNotFoundError as error:
        print(f": not there ({error.name})")
        return []
    counts = getattr(figure, length) or (figure.usual if length == "full" else {})
    rows = _rows(figure.name, measure, counts)
    print(f" ({time.perf_counter() - began:.0f} s)")
    for row in rows:
        _line(row.what, row.bound, row.seen, "yes" if row.held else "NO")
    return rows


def _rows(name: str, measure: Callable[..., list[Row]], counts: dict[str, Any]) -> list[Row]:
    """What it measures; one that breaks is a figure that is not held."""
    with tempfile.TemporaryDirectory(prefix=f"trust-{name}-") as folder:
        # Those that need a folder to work in take it first.
        wanted = next(iter(signature(measure).parameters), "")
        place = [Path(folder)] if wanted in ("folder", "tmp_path") else []
        try:
            return measure(*place, **counts)
        except Exception as error:
            return [Row(f"{name}: measuring", "ends", f"{type(error).__name__}: {error}", False)]


def _line(*cells: str) -> None:
    columns = [textwrap.wrap(c, w) or [""] for c, w in zip(cells, _WIDTHS, strict=False)]
    height = max(map(len, columns))
    for at in range(height):
        parts = (c[at] if at < len(c) else "" for c in columns)
        told = "  ".join(f"{part:<{w}}" for part, w in zip(parts, _WIDTHS, strict=True))
        print(f"{told}  {cells[-1]}" if at == 0 else told.rstrip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
