"""From a fresh checkout to the running demonstration or the tests, with one command.

    python3 packaging/dev.py run             the window on a store of its own, full of examples
    python3 packaging/dev.py test [...]      the tests; further words go to pytest

Only the standard library is used, because nothing else is there yet. What is missing goes into
the checkout's own folder `.venv`; as root on Debian or Ubuntu the few system libraries that Qt
needs are installed too, and everywhere else they are named.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import importlib.util
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PICTURES = ROOT / ".remembrancer" / "pictures"
SHOWN = (
    "review", "memories", "graph", "entities", "activity", "proposals", "recall", "agents",
    "settings",
)  # fmt: skip
THEMES = ("light", "dark")

# The file that Qt loads, and the Debian packages that bring it, the newer name first.
WINDOW_LIBRARIES = {
    "libGL.so.1": ("libgl1",),
    "libEGL.so.1": ("libegl1",),
    "libxkbcommon.so.0": ("libxkbcommon0",),
    "libglib-2.0.so.0": ("libglib2.0-0t64", "libglib2.0-0"),
    "libfontconfig.so.1": ("libfontconfig1",),
    "libdbus-1.so.3": ("libdbus-1-3",),
    "libgssapi_krb5.so.2": ("libgssapi-krb5-2",),
}
DISPLAY_LIBRARIES = {
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0",),
    "libxcb-cursor.so.0": ("libxcb-cursor0",),
    "libxcb-icccm.so.4": ("libxcb-icccm4",),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1",),
    "libxcb-shape.so.0": ("libxcb-shape0",),
}
NO_DISPLAY = (
    "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), "
    "so the window is painted into pictures and the server runs without it."
)
USAGE = "Say `python3 packaging/dev.py run`, or `test` and what pytest should know."


def main(words: list[str]) -> int:
    """Do what `words` ask for and return the exit code."""
    # Older Pythons reach this line and deserve a sentence rather than a traceback.
    if sys.version_info < (3, 11):  # noqa: UP036
        stop(f"Remembrancer needs Python 3.11 or newer; this is {platform.python_version()}.")
    if words == ["run"]:
        return run()
    if words[:1] == ["test"]:
        return test(words[1:])
    say(USAGE)
    return 2


def run() -> int:
    """Show the demonstration: in its window, or in pictures where there is no display."""
    if has_display(os.environ, sys.platform):
        prepare(WINDOW_LIBRARIES | DISPLAY_LIBRARIES)
        return subprocess.call(remembrancer("demo"), cwd=ROOT)
    say(NO_DISPLAY)
    prepare(WINDOW_LIBRARIES)
    store = make_demo()
    paint_pictures()
    return serve(store)


def test(arguments: list[str]) -> int:
    """Run the tests without a screen and return pytest's exit code."""
    prepare(WINDOW_LIBRARIES, "dev")
    command = [str(venv_python()), "-m", "pytest", *arguments]
    return subprocess.call(command, cwd=ROOT, env=screenless(os.environ))


def say(sentence: str) -> None:
    """Tell the person something now, in the right order with what commands print."""
    print(sentence, flush=True)


def stop(sentence: str) -> NoReturn:
    """End with a sentence on standard error and exit code 1."""
    raise SystemExit(sentence)


# What the demonstration does without a display


def has_display(environment: Mapping[str, str], system: str) -> bool:
    """Whether a window can be seen; Windows and macOS always have a screen."""
    if system in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def screenless(environment: Mapping[str, str]) -> dict[str, str]:
    """The same environment with Qt painting into memory."""
    return {**environment, "QT_QPA_PLATFORM": "offscreen"}


def remembrancer(*words: str) -> list[str]:
    """The command line of one of the program's doors."""
    return [str(venv_python()), "-m", "remembrancer", *words]


def make_demo() -> str:
    """Make the demonstration's store and return its path."""
    done = subprocess.run(
        remembrancer("demo", "--make"), cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8"
    )
    if done.returncode or not done.stdout.strip():
        stop("The demonstration's store could not be made.")
    return done.stdout.strip().splitlines()[-1]


def paint_pictures() -> None:
    """Paint every place of the window in every theme, and say where the pictures are."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    say("Painting the window ...")
    painted = [paint(place, theme) for place in SHOWN for theme in THEMES]
    say(f"{sum(painted)} of {len(painted)} pictures are in {PICTURES}")


def paint(place: str, theme: str) -> bool:
    """Paint one place; a failure is told and does not keep the server from starting."""
    file = PICTURES / f"{place}-{theme}.png"
    command = remembrancer("picture", place, str(file), "--demo", "--theme", theme)
    worked = subprocess.call(command, cwd=ROOT, env=screenless(os.environ)) == 0
    if not worked:
        say(f"The picture {file.name} could not be painted.")
    return worked


def serve(store: str) -> int:
    """Run the server in the foreground until Ctrl-C, or until it ends by itself."""
    # A polite request to end counts as Ctrl-C, so that the server never outlives this program.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    command = remembrancer("serve", "--store", store)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as server:
        try:
            return listen(server)
        except KeyboardInterrupt:
            say("\nThe server is stopped.")
            return 0
        finally:
            server.terminate()


def listen(server: subprocess.Popen[str]) -> int:
    """Tell how to reach the server, then pass on whatever it prints, and return its exit code."""
    assert server.stdout is not None  # it was started with a pipe
    say(how_to_reach(server.stdout.readline()))
    for line in server.stdout:
        say(line.rstrip())
    return server.wait()


def how_to_reach(line: str) -> str:
    """The server's first line, one of JSON, as sentences; any other line as it is."""
    try:
        told = json.loads(line)
        address, token = told["address"], told["tokenFile"]
    except (ValueError, KeyError, TypeError):
        return line.strip() or "The server said nothing."
    return (
        f"The server listens at {address}\n"
        f"The token that agents show it is in {token}\n"
        "Press Ctrl-C to stop it."
    )


# The private environment


def prepare(libraries: Mapping[str, tuple[str, ...]], *groups: str) -> None:
    """Make sure that the private environment and the system libraries are there."""
    if sys.platform == "linux":
        ensure_libraries(libraries)
    wanted, present = stamp(groups), read_stamp()
    if not covers(present, wanted):
        make_environment(present, wanted)
        install(groups)
        stamp_file().write_text(json.dumps(wanted), encoding="utf-8")


def stamp(groups: Iterable[str]) -> dict[str, str]:
    """What the environment depends on: it is made anew when any of this is different."""
    project = (ROOT / "pyproject.toml").read_bytes()
    return {
        "project": hashlib.sha256(project).hexdigest(),
        "python": f"{platform.python_version()} in {sys.base_prefix}",
        # The scripts of an environment hold its path, so a copied checkout needs its own.
        "root": str(ROOT),
        "groups": " ".join(sorted(groups)),
    }


def stamp_file() -> Path:
    return VENV / "remembrancer.json"


def read_stamp() -> dict[str, str]:
    """The stamp of the environment that is there; empty where none was finished."""
    try:
        return dict(json.loads(stamp_file().read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def same_base(present: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """Whether the two stamps differ in their dependency groups at most."""
    return all(present.get(name) == wanted[name] for name in ("project", "python", "root"))


def covers(present: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """Whether the environment holds all that is wanted; more groups do no harm."""
    missing = set(wanted["groups"].split()) - set(present.get("groups", "").split())
    return same_base(present, wanted) and not missing


def make_environment(present: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Make an empty environment, unless the present one only lacks a dependency group."""
    if same_base(present, wanted):
        return
    ensure_venv_module()
    say(f"Making the private environment {VENV}")
    checked([sys.executable, "-m", "venv", "--clear", str(VENV)], "It could not be made.")


def venv_python() -> Path:
    """The interpreter of the private environment."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(groups: Iterable[str]) -> None:
    """Install the project as it stands in the checkout, and the wanted dependency groups."""
    say("Installing what Remembrancer needs; the first time this takes a minute or two ...")
    pip = [str(venv_python()), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    # Spelled out here because Debian's pip is older than its option --group.
    requirements = [line for group in groups for line in group_requirements(group)]
    checked([*pip, "--editable", str(ROOT), *requirements], "The installation failed.")


def group_requirements(group: str) -> list[str]:
    """The requirements of one dependency group of pyproject.toml."""
    # Not at the top: Pythons before 3.11 lack the module, and main tells them so.
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(project["dependency-groups"][group])


def checked(command: list[str], otherwise: str) -> None:
    """Run a command that must work, showing only its errors; else end with `otherwise`."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    none = subprocess.DEVNULL
    if subprocess.call(command, stdin=none, stdout=none, env=environment):
        stop(f"{otherwise} The command was: {' '.join(command)}")


# What the system must bring


def loads(library: str) -> bool:
    """Whether the system's loader finds a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def ensure_libraries(libraries: Mapping[str, tuple[str, ...]]) -> None:
    """Install the libraries of Qt that are missing, or stop and say how to."""
    missing = [name for name in libraries if not loads(name)]
    if missing:
        bring(f"Qt needs {', '.join(missing)}", [libraries[name] for name in missing])


def ensure_venv_module() -> None:
    """Debian's python3 makes no environments before a further package is installed."""
    if importlib.util.find_spec("ensurepip") is None:
        own = f"python3.{sys.version_info.minor}-venv"
        bring("Python's module venv is incomplete", [(own, "python3-venv")])


def bring(reason: str, wanted: list[tuple[str, ...]]) -> None:
    """Install one package of each tuple as root on Debian, else stop with the command."""
    if not shutil.which("apt-get"):
        names = ", ".join(candidates[-1] for candidates in wanted)
        stop(f"{reason}. Install what your system calls: {names} (these are Debian's names).")
    if os.geteuid() != 0:
        stop(f"{reason}. Please run: sudo {' '.join(apt_install(chosen(wanted, apt_knows)))}")
    say(f"{reason}; installing what is missing with apt-get ...")
    checked(["apt-get", "-qq", "update"], "The package lists could not be fetched.")
    checked(apt_install(chosen(wanted, apt_knows)), "The packages could not be installed.")
    importlib.invalidate_caches()


def apt_install(packages: list[str]) -> list[str]:
    return ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]


def apt_knows(package: str) -> bool:
    """Whether this release of Debian or Ubuntu has a package of that name."""
    quiet = subprocess.DEVNULL
    return subprocess.call(["apt-cache", "show", package], stdout=quiet, stderr=quiet) == 0


def chosen(wanted: Iterable[tuple[str, ...]], known: Callable[[str], bool]) -> list[str]:
    """The first known name of each tuple, or its last, which every release should have."""
    return [next(filter(known, names), names[-1]) for names in wanted]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
