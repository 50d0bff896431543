"""The one command for a fresh checkout: what it decides, without installing anything."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging" / "dev.py"


def load(script: Path) -> ModuleType:
    """The script as a module; its folder is no package."""
    spec = importlib.util.spec_from_file_location("remembrancer_dev", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script in a checkout of its own, with a project file and no environment yet."""
    module = load(SCRIPT)
    (tmp_path / "pyproject.toml").write_text('[dependency-groups]\ndev = ["pytest>=8", "ruff"]\n')
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    return module


@pytest.fixture
def commands(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that must work, written down here instead of being run."""
    written: list[str] = []
    monkeypatch.setattr(dev, "checked", lambda command, _: written.append(" ".join(command)))
    monkeypatch.setattr(dev, "ensure_libraries", lambda _: None)
    return written


def test_a_library_that_the_loader_finds_is_not_missing(dev: ModuleType) -> None:
    assert not dev.loads("libremembrancer-no-such-thing.so.1")
    if sys.platform == "linux":
        assert dev.loads("libc.so.6")


def test_the_screenless_window_asks_for_no_display_library(dev: ModuleType) -> None:
    assert not set(dev.WINDOW_LIBRARIES) & set(dev.DISPLAY_LIBRARIES)
    assert not [name for name in dev.WINDOW_LIBRARIES if "xcb" in name]


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ({"libglib2.0-0", "libgl1"}, ["libgl1", "libglib2.0-0"]),
        ({"libglib2.0-0t64", "libgl1"}, ["libgl1", "libglib2.0-0t64"]),
        (set[str](), ["libgl1", "libglib2.0-0"]),
    ],
)
def test_each_release_gets_the_package_names_that_it_knows(
    dev: ModuleType, release: set[str], expected: list[str]
) -> None:
    wanted = [dev.WINDOW_LIBRARIES[name] for name in ("libGL.so.1", "libglib-2.0.so.0")]
    assert dev.chosen(wanted, release.__contains__) == expected


def test_somebody_who_is_not_root_is_told_the_exact_command(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(dev.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(dev, "apt_knows", lambda _: True)
    with pytest.raises(SystemExit) as end:
        dev.bring("Qt needs libEGL.so.1", [("libegl1",)])
    assert str(end.value) == (
        "Qt needs libEGL.so.1. Please run: "
        "sudo apt-get install -y -qq --no-install-recommends libegl1"
    )


def test_a_system_without_apt_is_told_the_names(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev.shutil, "which", lambda _: None)
    with pytest.raises(SystemExit, match=r"libglib2\.0-0 \(these are Debian's names\)"):
        dev.bring("Qt needs libglib-2.0.so.0", [("libglib2.0-0t64", "libglib2.0-0")])


def test_root_installs_what_is_missing_after_one_update(
    dev: ModuleType, commands: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(dev.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(dev, "apt_knows", lambda _: True)
    dev.bring("Qt needs two libraries", [("libgl1",), ("libegl1",)])
    assert commands == [
        "apt-get -qq update",
        "apt-get install -y -qq --no-install-recommends libgl1 libegl1",
    ]


def test_the_first_time_an_environment_is_made_and_filled(
    dev: ModuleType, commands: list[str]
) -> None:
    dev.VENV.mkdir()
    dev.prepare({}, "dev")
    made, filled = commands
    assert made == f"{sys.executable} -m venv --clear {dev.VENV}"
    assert filled.endswith(f"--editable {dev.ROOT} pytest>=8 ruff")


def test_a_finished_environment_is_used_again(dev: ModuleType, commands: list[str]) -> None:
    dev.VENV.mkdir()
    dev.prepare({}, "dev")
    commands.clear()
    dev.prepare({}, "dev")
    dev.prepare({})
    assert commands == []


def test_an_environment_made_for_the_window_only_gains_the_test_tools(
    dev: ModuleType, commands: list[str]
) -> None:
    dev.VENV.mkdir()
    dev.prepare({})
    commands.clear()
    dev.prepare({}, "dev")
    assert len(commands) == 1
    assert "-m pip" in commands[0]


def test_a_changed_project_file_another_python_or_a_moved_checkout_start_afresh(
    dev: ModuleType, commands: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    present = dev.stamp([])
    for name in ("project", "python", "root"):
        assert not dev.covers({**present, name: "another"}, present)
    (dev.ROOT / "pyproject.toml").write_text("[project]\n")
    assert not dev.covers(present, dev.stamp([]))


@pytest.mark.parametrize("left", ["", "[1, 2]", '"half', '{"groups": "dev"}'])
def test_a_broken_stamp_counts_as_no_environment(dev: ModuleType, left: str) -> None:
    dev.VENV.mkdir()
    dev.stamp_file().write_text(left)
    assert not dev.covers(dev.read_stamp(), dev.stamp([]))


@pytest.mark.parametrize(
    ("environment", "system", "seen"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_window_opens_where_it_can_be_seen(
    dev: ModuleType, environment: dict[str, str], system: str, seen: bool
) -> None:
    assert dev.has_display(environment, system) is seen


def test_without_a_display_one_sentence_says_what_happens_instead(dev: ModuleType) -> None:
    assert dev.NO_DISPLAY == (
        "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), "
        "so the window is painted into pictures and the server runs without it."
    )


def test_the_servers_line_becomes_directions(dev: ModuleType) -> None:
    line = '{"address": "http://127.0.0.1:8765/mcp", "tokenFile": "/home/eva/token"}\n'
    assert dev.how_to_reach(line) == (
        "The server listens at http://127.0.0.1:8765/mcp\n"
        "The token that agents show it is in /home/eva/token\n"
        "Press Ctrl-C to stop it."
    )
    assert dev.how_to_reach("The port is taken.\n") == "The port is taken."
    assert dev.how_to_reach("") == "The server said nothing."


@pytest.mark.parametrize("words", [[], ["walk"], ["run", "fast"]])
def test_wrong_usage_is_told_with_exit_code_two(words: list[str]) -> None:
    command = [sys.executable, str(SCRIPT), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout.startswith("Say `python3 packaging/dev.py run`")
