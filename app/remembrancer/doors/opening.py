"""How a door opens the store, and the files of the tokens that belong to that store."""

from __future__ import annotations

import hashlib
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from remembrancer import places
from remembrancer.doors.telling import complain

if TYPE_CHECKING:
    from remembrancer.service.library import Library


def store_of(arguments: Namespace) -> Path:
    """The store that the arguments or the environment name."""
    return places.chosen_store(arguments.store)


def opened(arguments: Namespace) -> Library:
    """The library over that store, made when it is not there."""
    from remembrancer.service.library import Library

    store = store_of(arguments)
    if store == places.default_store():
        places.private_folder(store.parent)
    library = Library.open(store, backups=places.backup_folder())
    for sentence in (library.read_only, *(caution.sentence for caution in library.cautions)):
        if sentence is not None:
            complain(sentence)
    return library


def token_name(library: Library, agent: str) -> str:
    """The name under which an agent's token is kept: two stores may have agents of one name."""
    if library.path == places.default_store().resolve():
        return agent
    mark = hashlib.sha256(str(library.path).encode("utf-8", "replace")).hexdigest()[:8]
    return f"{agent}-{mark}"
