"""`window`, `demo` and `picture`: the doors that load Qt, each only when it is opened."""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module
from pathlib import Path

from remembrancer import places
from remembrancer.core.errors import RemembrancerError
from remembrancer.doors.opening import store_of
from remembrancer.doors.telling import say


def window(arguments: Namespace) -> int:
    """Open the window, or raise the one that is open on this store."""
    store = store_of(arguments)
    if store == places.default_store():
        places.private_folder(store.parent)
    return _run(store, demo=False)


def demo(arguments: Namespace) -> int:
    """Open the window on a store of its own that shows every feature."""
    store = make_demo()
    if arguments.make:
        say(str(store))
        return 0
    return _run(store, demo=True)


def picture(arguments: Namespace) -> int:
    """Paint one place of the window into a file."""
    _need_qt()
    from remembrancer.desktop.picture import paint

    store = make_demo() if arguments.demo else store_of(arguments)
    paint(
        arguments.place, places.absolute(arguments.file), store, arguments.theme, arguments.size
    )  # fmt: skip
    return 0


def make_demo() -> Path:
    """The demonstration's store, filled when it is new."""
    from remembrancer.service.demo import fill
    from remembrancer.service.library import Library

    store = places.demo_store()
    places.private_folder(store.parent)
    with Library.open(store) as library:
        fill(library)
    return store


def _run(store: Path, *, demo: bool) -> int:
    _need_qt()
    from remembrancer.desktop.application import run

    return run(store, demo=demo)


def _need_qt() -> None:
    try:
        import_module("PySide6.QtWidgets")
    except ImportError as error:
        raise RemembrancerError(f"The window cannot be opened: {error}.") from error
