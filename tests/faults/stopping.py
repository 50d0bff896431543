"""How fast everything ends: servers on pipes, bridges, hosts and the window, with calls under way.

What is asked is the worst there is: a call that cannot be broken off, and clients that never leave.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from agents.echo import Echo
from faults.doors import HELLO, Posted
from faults.row import Row
from remembrancer import places
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library

MOST = 2.0  # seconds
BOUND = 60.0  # seconds after which what is waited for will not come
TESTS = Path(__file__).parents[1]

# The command itself, with a dialect that has a call which takes longer than anybody waits.
_COMMAND = """
import sys
from agents.echo import Echo
from remembrancer.agents import dialects
from remembrancer.__main__ import main
class Long(Echo):
    def wait(self, caller):
        print("waiting", file=sys.stderr, flush=True)
        return super().wait(caller)
dialects.DIALECTS["native"] = Long
sys.exit(main(sys.argv[1:]))
"""
# A client that has spawned a server, and another child that holds the server's pipe open.
_PARENT = """
import os, subprocess, sys
inside, outside = os.pipe()
server = subprocess.Popen(sys.argv[1:], stdin=inside, stdout=subprocess.PIPE)
other = subprocess.Popen(["sleep", "60"], pass_fds=[outside])
print(server.pid, other.pid, flush=True)
for line in sys.stdin:
    os.write(outside, line.encode())
"""

Words = list[str]


class Stage:
    """A store of its own in a folder, and the processes over it."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "memories.db"
        self.environment: Mapping[str, str] = {
            **os.environ,
            "REMEMBRANCER_HOME": str(folder / "home"),
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path]),
        }
        with Library.open(self.store) as library:
            _, self.token = library.agents.add("anna", author=PERSON, origin="window")
        self.port = _free_port()
        settings = places.private_folder(folder / "home" / "settings") / "settings.json"
        (folder / "home").chmod(0o700)
        places.write_private(settings, json.dumps({"serve": True, "port": self.port}))

    def words(self, *words: str) -> Words:
        """The command line for these words."""
        return [sys.executable, "-c", _COMMAND, "--store", str(self.store), *words]

    def start(self, words: Words) -> subprocess.Popen[bytes]:
        """A process with pipes."""
        pipe = subprocess.PIPE
        return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env=self.environment)

    def bridge(self) -> subprocess.Popen[bytes]:
        """The bridge to the host of the store, opened by an earlier client."""
        words = [sys.executable, "-m", "remembrancer", "--store", str(self.store), "mcp"]
        return _opened(self.start(words))


@contextmanager
def stage() -> Iterator[Stage]:
    """A stage in a folder that goes with it."""
    with tempfile.TemporaryDirectory() as folder:
        yield Stage(Path(folder))


def measure(restarts: int = 8, writes: int = 4_000) -> list[Row]:
    """Everything that ends, once each; `writes` are made while readers come and go."""
    rows = [ends(bridged) for ends in (without_input, without_parent) for bridged in (False, True)]
    rows += [told(door, name) for door in ("serve", "window") for name in ("SIGTERM", "SIGINT")]
    return [*rows, *restarted(restarts), *log_size(writes)]


def without_input(bridged: bool) -> Row:
    """A server on pipes, or a bridge, whose input ends while a call is under way."""
    return _row(f"{_server(bridged)} after its input ended", _eof(bridged))


def without_parent(bridged: bool) -> Row:
    """The same whose parent is killed, while somebody else holds the pipe open."""
    return _row(f"{_server(bridged)} after its parent was killed", _orphaned(bridged))


def told(door: str, name: str) -> Row:
    """A host with clients of every sort, and calls under way, after a signal of that name."""
    return _row(f"{door} with clients and calls, after {name}", _told(door, name))


def _server(bridged: bool) -> str:
    return "a bridge" if bridged else "a server on pipes"


def _row(what: str, seconds: float) -> Row:
    return Row(what, f"gone <= {MOST:.0f} s", f"{seconds:.2f} s", seconds <= MOST)


# --- a server on pipes


def _eof(bridged: bool) -> float:
    """Seconds until a server with a call under way has ended after its input did."""
    with stage() as on, ExitStack() as stack:
        if bridged:
            _hosted(on, stack)
        server = on.bridge() if bridged else _opened(on.start(on.words("mcp")))
        stack.callback(_close, server)
        _write(server, _call("wait"))
        if not bridged:
            _read_until(server, b"waiting")
        began = time.monotonic()
        assert server.stdin is not None
        server.stdin.close()
        server.wait(BOUND)
        return time.monotonic() - began


def _orphaned(bridged: bool) -> float:
    """Seconds until a server has ended whose parent was killed while its pipe stays open."""
    with stage() as on, ExitStack() as stack:
        if bridged:
            _hosted(on, stack)
        words = on.words("mcp")
        if bridged:
            words = [sys.executable, "-m", "remembrancer", "--store", str(on.store), "mcp"]
        parent = on.start([sys.executable, "-c", _PARENT, *words])
        stack.callback(_close, parent)
        assert parent.stdout is not None
        server, other = map(int, parent.stdout.readline().split())
        stack.callback(_killed, other)
        _write(parent, _opening() + _call("wait"))
        if not bridged:
            _read_until(parent, b"waiting")
        else:
            time.sleep(0.5)  # for the bridge to be up
        parent.kill()
        parent.wait(BOUND)
        return _seconds_until(lambda: not _alive(server))


# --- a host


def _told(door: str, name: str) -> float:
    """Seconds until a host with clients of every sort has ended after a signal."""
    with stage() as on, ExitStack() as stack:
        host = _hosted(on, stack, door)
        _clients(on, stack)
        began = time.monotonic()
        host.send_signal(getattr(signal, name))
        host.wait(BOUND)
        seconds = time.monotonic() - began
        assert host.returncode == 0, host.returncode
        return seconds


def _hosted(on: Stage, stack: ExitStack, door: str = "serve") -> subprocess.Popen[bytes]:
    words = on.words("window") if door == "window" else on.words("serve", "--port", str(on.port))
    host = on.start(words)
    stack.enter_context(_drained(host))
    stack.callback(host.kill)
    assert _seconds_until(places.host_file(on.store).exists) < BOUND, "no host"
    return host


@contextmanager
def _drained(host: subprocess.Popen[bytes]) -> Iterator[None]:
    """What a host says is read, so that it never waits for a reader."""
    assert host.stdout is not None
    assert host.stderr is not None
    threads = [
        threading.Thread(target=stream.read, daemon=True) for stream in (host.stdout, host.stderr)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        host.wait(BOUND)
        for thread in threads:
            thread.join(BOUND)
        _close(host)


class _Client(Posted):
    """A client of the host that can also listen."""

    def listen(self, port: int, there: threading.Event) -> None:
        """Be told of changes until the host ends."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=BOUND)
        with suppress(OSError, http.client.HTTPException):
            if self.modern:
                params = {"notifications": {"resourceSubscriptions": ["memory://journal"]}}
                body = self.body("subscriptions/listen", json.dumps(params)[1:-1], "7")
                headers = self._headers("subscriptions/listen", "")
                connection.request("POST", "/mcp", body, headers)
            else:
                connection.request("GET", "/mcp", headers=self._headers("", ""))
            response = connection.getresponse()
            there.set()
            response.read()
        connection.close()

    def wait(self, port: int, there: threading.Event) -> None:
        """Make the call that takes longer than anybody waits."""
        there.set()
        with suppress(OSError, http.client.HTTPException):
            self.call("wait", "{}")


def _clients(on: Stage, stack: ExitStack) -> None:
    """A listener and a caller of either era over HTTP, and a bridge with a call under way."""
    threads: list[threading.Thread] = []
    for era in ("2025", "2026"):
        client = _Client(era, on.port, "native", on.token)
        client.begin()
        for ask in (client.listen, client.wait):
            there = threading.Event()
            threads.append(threading.Thread(target=ask, args=(on.port, there), daemon=True))
            threads[-1].start()
            assert there.wait(BOUND), "a client did not come in"
    stack.callback(lambda: [thread.join(BOUND) for thread in threads])
    bridge = on.bridge()
    stack.callback(_close, bridge)
    _write(bridge, _call("wait"))
    time.sleep(0.3)  # for the calls to be under way


# --- a host that comes and goes


def restarted(times: int) -> list[Row]:
    """What is left of a host after it was started and stopped so often, with a client each time."""
    with stage() as on, Library.open(on.store) as library:
        host = Host(library, [Echo])
        port = _visited(host, on)
        _visited(host, on, port)  # what is opened once is open now
        threads, handles = _counts()
        for _ in range(times):
            _visited(host, on, port)
        threads_now, handles_now = _counts()
        more_threads, more_handles = threads_now - threads, handles_now - handles
        names = [each.name for each in threading.enumerate() if each.name.startswith("agents-")]
    return [
        Row(f"threads after {times} restarts", "0 of the host, 0 more", f"{names}, {more_threads}",
            not names and more_threads <= 0),
        Row(f"handles after {times} restarts", "0 more", str(more_handles), more_handles <= 0),
    ]  # fmt: skip


def _visited(host: Host, on: Stage, port: int = 0) -> int:
    port = host.start(port)
    assert host.wait_until_ready(BOUND)
    for era in ("2025", "2026"):
        door = Posted(era, port, "native", on.token)
        door.begin()
        assert door.call("whoami", "{}").status == 200
    assert host.stop()
    return port


def _counts() -> tuple[int, int]:
    return threading.active_count(), len(os.listdir("/proc/self/fd"))


# --- the log of the file

LARGEST_LOG = 16.0  # MB


def log_size(writes: int) -> list[Row]:
    """How large the log of the file gets while readers come and go, and stay."""
    with stage() as on:
        with Library.open(on.store) as library:
            passing = max(_written(library, on.store, writes // 2))
            reader = sqlite3.connect(str(on.store))
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM memory").fetchone()
            staying = max(_written(library, on.store, writes // 2))
            reader.execute("COMMIT")
            reader.close()
            after = list(_written(library, on.store, 20))[-1]
        closed = _log(on.store)
    return [
        Row(f"the log while readers come and go, {writes // 2} writes", f"<= {LARGEST_LOG:.0f} MB",
            f"{passing:.1f} MB", passing <= LARGEST_LOG),
        Row("the log after a reader that stayed has gone", f"<= {LARGEST_LOG:.0f} MB",
            f"{after:.1f} MB ({staying:.1f} MB while it stayed)", after <= LARGEST_LOG),
        Row("the log after the store was closed", "none", f"{closed:.1f} MB", closed == 0),
    ]  # fmt: skip


def _written(library: Library, store: Path, writes: int) -> Iterator[float]:
    """The size of the log after each write, while another thread reads and reads."""
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            library.journal.head()

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(writes):
            draft = Draft(f"{number} " + "The kettle is on the shelf; it is blue. " * 450)
            library.memories.remember(draft, author=PERSON, origin="window")
            yield _log(store)
    finally:
        over.set()
        reader.join()


def _log(store: Path) -> float:
    log = Path(f"{store}-wal")
    return log.stat().st_size / (1 << 20) if log.exists() else 0.0


# --- lines and processes


def _opening() -> bytes:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    return json.dumps(hello).encode() + b"\n" + json.dumps(begun).encode() + b"\n"


def _call(tool: str) -> bytes:
    params = {"name": tool, "arguments": {}}
    asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    return json.dumps(asked).encode() + b"\n"


def _opened(server: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    _write(server, _opening())
    assert server.stdout is not None
    assert b'"id":1' in server.stdout.readline()
    return server


def _write(process: subprocess.Popen[bytes], line: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(line)
    process.stdin.flush()


def _read_until(process: subprocess.Popen[bytes], word: bytes) -> None:
    assert process.stderr is not None
    while word not in (line := process.stderr.readline()):
        assert line, "it ended before"


def _close(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait(BOUND)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None and not stream.closed:
            with suppress(OSError):
                stream.close()


def _killed(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def _seconds_until(true: Callable[[], object]) -> float:
    began = time.monotonic()
    while not true() and time.monotonic() - began < BOUND:
        time.sleep(0.02)
    return time.monotonic() - began


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
