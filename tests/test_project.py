"""What must hold for the project as a whole: its dependencies, its shape, its resources."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from remembrancer import places

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {"pyproject.toml", "app", "resources", "tests", "packaging", "README.md"}

# Some builds of PySide6 take a reference of None with every void call and abort on Python 3.11,
# after about five thousand calls; a short run of the window does not show it.
MANY_VOID_CALLS = """
from PySide6.QtGui import QPainterPath
path = QPainterPath()
for _ in range(20_000):
    path.moveTo(1, 1)
"""


def test_qt_survives_twenty_thousand_void_calls() -> None:
    done = subprocess.run([sys.executable, "-c", MANY_VOID_CALLS], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def requirements(project: str) -> list[str]:
    """Every requirement of the project's file, in its order."""
    table = tomllib.loads(project)
    extras = table["project"].get("optional-dependencies", {}).values()
    groups = table.get("dependency-groups", {}).values()
    further = itertools.chain.from_iterable([*extras, *groups])
    return [*table["project"]["dependencies"], *further]


def unexplained(project: str) -> list[str]:
    """The requirements without a comment beside or above them.

    Lines of one package stand together under one comment.
    """
    found: list[str] = []
    lines = [line.strip() for line in project.splitlines()]
    explained = ""
    for requirement in requirements(project):
        number = next(n for n, line in enumerate(lines) if line.startswith(f'"{requirement}"'))
        name = re.split(r"[^\w-]", requirement)[0]
        if lines[number - 1].startswith("# ") or "#" in lines[number] or name == explained:
            explained = name
        else:
            found.append(name)
    return found


def test_a_requirement_without_a_sentence_is_found() -> None:
    project = """
    [project]
    dependencies = [
      # Arrays.
      "numpy>=1; python_version < '3.12'",
      "numpy>=2; python_version > '3.11'",
      "rapidfuzz",
    ]
    [project.optional-dependencies]
    extra = [
      "models",
    ]
    [dependency-groups]
    dev = [
      "pytest>=8",  # runs the tests
      "ruff",
    ]
    """
    assert unexplained(project) == ["rapidfuzz", "models", "ruff"]


def test_every_dependency_says_what_it_is_for() -> None:
    assert unexplained((ROOT / "pyproject.toml").read_text(encoding="utf-8")) == []


def files_of_the_checkout() -> list[str]:
    """Every file that git keeps or would keep; skips where there is no git checkout."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return done.stdout.splitlines()


def test_the_top_level_is_six_names_and_dot_names() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    names = {file.split("/")[0] for file in files_of_the_checkout()}
    assert {name for name in names if not name.startswith(".")} == TOP_LEVEL


def test_fonts_and_icons_are_there_with_their_licences() -> None:
    fonts = {file.name for file in places.resource("fonts").glob("*.[ot]tf")}
    assert fonts == {
        "Inter-Regular.otf",
        "Inter-Medium.otf",
        "Inter-SemiBold.otf",
        "Inter-Bold.otf",
        "Inter-Italic.otf",
        "JetBrainsMono-Regular.ttf",
        "JetBrainsMono-Medium.ttf",
    }
    for licence in ("fonts/LICENSE-Inter.txt", "fonts/LICENSE-JetBrainsMono.txt", "icons/LICENSE"):
        assert places.resource(*licence.split("/")).is_file()


def test_every_icon_takes_the_colour_of_the_theme() -> None:
    icons = list(places.resource("icons").glob("*.svg"))
    assert icons
    uncoloured = [icon.name for icon in icons if 'stroke="currentColor"' not in icon.read_text()]
    assert uncoloured == []
