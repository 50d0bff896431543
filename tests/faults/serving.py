"""`remembrancer serve` in a process of its own, as a measure needs it: its port, token and size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

BOUND = 60.0  # seconds after which what is waited for will not come

# The command itself, with deadlines that a measure need not wait out.
_COMMAND = """
import sys
from remembrancer.agents import doorway, gate
from remembrancer.__main__ import main
doorway.SLOWEST_HEADERS = gate.SLOWEST_BODY = float(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""


class Served:
    """A store that is served over HTTP for as long as the context lasts."""

    def __init__(
        self, folder: Path, *flags: str, slowest: float = 10.0, port: int | None = None
    ) -> None:
        self.store = folder / "memories.db"
        self.home = folder / "home"
        asked = ["--store", str(self.store), "serve", *flags]
        if port is not None:
            asked += ["--port", str(port)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", _COMMAND, str(slowest), *asked],
            stdout=subprocess.PIPE,
            env=self.environment(),
        )
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.address: str = told["address"]
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.token = Path(told["tokenFile"]).read_text().strip()

    def environment(self) -> Mapping[str, str]:
        """What a process of the same installation is started with."""
        return {**os.environ, "REMEMBRANCER_HOME": str(self.home)}

    def __enter__(self) -> Served:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.end()

    def end(self) -> int:
        """Ask it to end, and return its exit code."""
        self.process.terminate()
        code = self.process.wait(BOUND)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    @property
    def rss(self) -> float:
        """What it takes of the memory, in MB (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(
            int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")
        )

    @property
    def handles(self) -> int:
        """How many files and sockets it has open (Linux)."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
