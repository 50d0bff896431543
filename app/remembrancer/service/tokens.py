"""Token files: an agent's token in a file of its own that only this user can read."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from remembrancer.places import private_folder, write_private

_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_LONGEST = 1_000  # bytes; what is longer is no token


def token_file(folder: Path, name: str) -> Path:
    """The file for the token of the agent `name`; a name is data, never a path.

    Names that a file cannot have, or that differ only by case, get files of their own.
    """
    if _PLAIN.fullmatch(name):
        return folder / f"agent-{name}.token"
    mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]
    return folder / f"agent-{plain}-{mark}.token"


def write_token(folder: Path, name: str, token: str) -> Path:
    """Keep a token (mode 0600, in a folder of mode 0700) and return its file."""
    file = token_file(private_folder(folder), name)
    write_private(file, token + "\n")
    return file


def read_token(folder: Path, name: str) -> str:
    """The token kept for an agent; empty where there is none."""
    try:
        with open(token_file(folder, name), "rb") as stream:
            return stream.read(_LONGEST).decode("ascii", "replace").strip()
    except OSError:
        return ""


def forget_token(folder: Path, name: str) -> None:
    """Remove the file of an agent's token, if it is there."""
    token_file(folder, name).unlink(missing_ok=True)
