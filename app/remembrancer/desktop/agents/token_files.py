"""Which file holds whose token, found by asking the library whom each token belongs to."""

from __future__ import annotations

from pathlib import Path

from remembrancer.service.library import Library

LONGEST = 1_000  # bytes; what is longer is no token


def token_files(library: Library, folder: Path) -> dict[int, Path]:
    """agent id -> the file in `folder` with its present token; other files are passed over."""
    found: dict[int, Path] = {}
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        agent = library.agents.by_token(_token(file))
        if agent is not None:
            found[agent.id] = file
    return found


def _token(file: Path) -> str:
    try:
        with open(file, "rb") as stream:
            return stream.read(LONGEST).decode("ascii", "replace").strip()
    except OSError:
        return ""
