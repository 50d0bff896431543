"""The demonstration: a small invented store that shows every feature, as if used for months."""

from __future__ import annotations

from remembrancer.service.demo.script import Scene, scenes
from remembrancer.service.demo.stage import Stage
from remembrancer.service.library import Library
from remembrancer.store.store import Store

PARTS = ("people", "home_lab", "web_shop", "lately")
HELD = "proposals"  # the part of which the agents' deeds wait for the person


def fill(library: Library) -> bool:
    """Let the last 200 days happen in an empty library; False when it is not empty.

    The same at every call, as seen from the library's clock; all of it or nothing, but for what
    waits at the end: each proposal is a call of its own.
    """
    if library.journal.head():
        return False
    stage = Stage(library.clock())
    store = Store(library.path)
    past = Library(store, stage.clock)
    try:
        store.write(lambda: _perform(stage, past))
        for scene in scenes(HELD):
            stage.play_held(scene)
    finally:
        past.close()
    library.bell.ring()
    return True


def _perform(stage: Stage, past: Library) -> None:
    stage.enter(past)
    for scene in _in_order():
        stage.play(scene)
    stage.leave()


def _in_order() -> list[Scene]:
    """The scenes of every part, the earliest first, and verifications where they are due."""
    told = [scene for part in PARTS for scene in scenes(part)]
    checks = [check for scene in told for check in scene.later_checks()]
    return sorted([*told, *checks], key=lambda scene: -scene.days)
