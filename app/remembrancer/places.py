"""Where data, settings, tokens, backups and resources live on this machine.

The environment can move them: `REMEMBRANCER_HOME` names a folder that holds everything of one
installation, `REMEMBRANCER_STORE` names the store alone. Asking for a place creates nothing;
`private_folder` and `write_private` do.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

NAME = "remembrancer"
HOME_VARIABLE = "REMEMBRANCER_HOME"
STORE_VARIABLE = "REMEMBRANCER_STORE"


def resource(*parts: str) -> Path:
    """The file or folder of the program's own resources, such as `resource("icons", "pin.svg")`."""
    package = Path(__file__).resolve().parent
    installed = package / "_resources"
    # A checkout has no copy inside the package: the folder beside app/ is the original.
    base = installed if installed.is_dir() else package.parents[1] / "resources"
    return base.joinpath(*parts)


def home() -> Path | None:
    """The folder that REMEMBRANCER_HOME names, or None where the platform decides."""
    named = os.environ.get(HOME_VARIABLE)
    return absolute(named) if named else None


def data_folder() -> Path:
    """The folder of the stores."""
    moved = home()
    if moved:
        return moved / "data"
    if sys.platform == "linux" and not os.environ.get("XDG_DATA_HOME"):
        # What platformdirs says too, without the time it takes to import: a client waits for it.
        return Path.home() / ".local" / "share" / NAME
    import platformdirs

    return platformdirs.user_data_path(NAME, appauthor=False)


def settings_folder() -> Path:
    """The folder of the person's settings."""
    moved = home()
    if moved:
        return moved / "settings"
    import platformdirs

    return platformdirs.user_config_path(NAME, appauthor=False)


def settings_file() -> Path:
    """The file of the person's settings."""
    return settings_folder() / "settings.json"


def backup_folder() -> Path:
    """The folder of the backups, unless the person names another."""
    return (home() or data_folder()) / "backups"


def token_folder() -> Path:
    """The folder of the files that hold the agents' tokens."""
    return (home() or data_folder()) / "tokens"


def default_store() -> Path:
    """The store of somebody who names none."""
    return data_folder() / "memories.db"


def demo_store() -> Path:
    """The store of the demonstration, apart from the person's own."""
    return data_folder() / "demo.db"


def chosen_store(given: str | None) -> Path:
    """The store to open: the one given, else the environment's, else the default."""
    named = given or os.environ.get(STORE_VARIABLE)
    return absolute(named) if named else default_store()


def host_file(store: Path) -> Path:
    """The file beside a store that tells where its host lets local clients in, while one runs.

    It stands beside the store because a client's environment may name other folders than ours.
    """
    return Path(f"{store.resolve()}-host")


def socket_folder() -> Path | None:
    """A folder for sockets, made for this user alone (0700), or None where none can be had.

    A folder that is a link, or another user's, is not taken.
    """
    import tempfile

    running = os.environ.get("XDG_RUNTIME_DIR")
    if running and os.path.isabs(running) and _made_private(Path(running) / NAME):
        return Path(running) / NAME
    if sys.platform == "win32":
        return None
    shared = Path(tempfile.gettempdir()) / f"{NAME}-{os.getuid()}"
    return shared if _made_private(shared) else None


def _made_private(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        ours = stat.S_ISDIR(found.st_mode) and _owned(found)
        if ours and stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)
    except OSError:
        return False
    return ours


def _owned(found: os.stat_result) -> bool:
    return sys.platform == "win32" or found.st_uid == os.getuid()


def absolute(text: str) -> Path:
    """`text` as a path that a later change of the working folder cannot move; `~` is expanded."""
    return Path(text).expanduser().absolute()


def private_folder(path: Path) -> Path:
    """Make `path` a folder for this user alone (mode 0700) and return it.

    A folder outside our own places that exists already keeps its mode: it is the person's, and
    may be one that others need, such as /tmp.
    """
    born = not path.is_dir()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if born or _is_ours(path):
        path.chmod(0o700)
    return path


def _is_ours(path: Path) -> bool:
    ours = (data_folder(), settings_folder(), backup_folder(), token_folder())
    return any(path.absolute().is_relative_to(place) for place in ours)


def write_private(path: Path, text: str, *, follow: bool = True) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all, readable by this user alone (0600).

    The folder must exist. A link is followed, so that the file it points to changes, or replaced
    where `follow` is false. Raises OSError when the file cannot be written; the former content is
    then still there.
    """
    target = path.resolve() if follow else path
    with _draft_beside(target) as draft, open(draft, "wb") as file:
        file.write(text.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    sync_folder(target.parent)


@contextmanager
def _draft_beside(target: Path) -> Generator[Path, None, None]:
    """A new empty file of mode 0600 that takes the place of `target` unless something fails."""
    import tempfile

    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder last through a power cut, where the platform can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    # Some network file systems refuse; the file itself is safe then all the same.
    with suppress(OSError):
        os.fsync(handle)
    os.close(handle)
