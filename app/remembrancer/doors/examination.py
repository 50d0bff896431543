"""What the doctor looks at: the file, its index, its places, permissions, agents, tokens."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remembrancer import places
from remembrancer.core.errors import StoreProblem

if TYPE_CHECKING:
    from remembrancer.service.indexing import IndexState
    from remembrancer.service.library import Library


@dataclass
class Findings:
    """`problems` make the store unsound; `advice` is worth following and does not."""

    path: str
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    problems: list[str] = field(default_factory=list[str])
    advice: list[str] = field(default_factory=list[str])
    sound: bool = True


def examine(store: Path) -> Findings:
    """Look at the store and everything around it; nothing is made and nothing is changed."""
    findings = Findings(str(store))
    if store.exists():
        _look_at_store(store, findings)
    else:
        findings.advice.append(f"There is no store at {store} yet; it is made at the first use.")
    _look_at_places(store, findings)
    findings.sound = not findings.problems
    return findings


def _look_at_store(store: Path, findings: Findings) -> None:
    from remembrancer.service.inspecting import inspect

    try:
        seen = inspect(store)
        findings.problems += seen.damage
        findings.advice += [caution.sentence for caution in seen.cautions]
        if seen.older:
            findings.facts["version"] = seen.version
            findings.advice.append(
                "An earlier version wrote the store; it is backed up and brought to this version "
                "when it is opened next."
            )
        elif seen.left:
            findings.facts["version"] = seen.version
            findings.advice.append(
                "The last program that had the store open ended in the middle. It is sound, and is "
                "examined again before anything is written."
            )
        elif not findings.problems:
            _look_inside(store, findings)
    except StoreProblem as problem:
        findings.problems.append(str(problem))
    if findings.problems:
        findings.advice.append(
            "Make no changes. `remembrancer doctor --mend` saves what can be read into a new store "
            "and keeps the damaged files; or put the newest sound backup back with `remembrancer "
            "restore FILE` (the present store is kept beside it)."
        )


def _look_inside(store: Path, findings: Findings) -> None:
    from remembrancer.service.library import Library

    with Library.open(store, renews=False) as library:
        if library.read_only is not None:
            findings.advice.append(library.read_only)
        else:
            findings.facts["searchIndex"] = search_index(library.indexing.state)
            findings.problems += library.upkeep.problems()
        findings.facts.update(library.upkeep.facts())
        _look_at_agents(library, findings)


def search_index(state: IndexState) -> str:
    """How far the search index is; while it is being renewed the words of before find memories."""
    if state.current:
        return "up to date"
    return f"renewed to {state.percent} %; that goes on while the store is open"


def _look_at_agents(library: Library, findings: Findings) -> None:
    agents = [a for a in library.agents.all() if a.revoked_at is None]
    findings.facts["agents"] = len(agents)
    for agent in agents:
        if agent.entity is not None and not library.graph.open([agent.entity]).nodes:
            findings.advice.append(
                f"The agent {agent.name!r} is locked to the entity {agent.entity!r}, which is not "
                "there; create the entity, or revoke the agent and add it anew."
            )


def _look_at_places(store: Path, findings: Findings) -> None:
    places_of = {
        "backups": places.backup_folder(),
        "tokens": places.token_folder(),
        "settings": places.settings_folder(),
    }
    findings.facts.update({name: str(path) for name, path in places_of.items()})
    if os.name == "nt":
        return  # there the folders of a user are closed to others by themselves
    tokens = places.token_folder()
    files = [*tokens.iterdir()] if tokens.is_dir() else []
    for path in [store, *(Path(f"{store}{end}") for end in ("-wal", "-shm")), tokens, *files]:
        _look_at_mode(path, findings)
    for path in (store.parent, *places_of.values()):
        if path.exists() and not os.access(path, os.W_OK):
            findings.problems.append(f"{path} may not be written to; change its permissions.")


def _look_at_mode(path: Path, findings: Findings) -> None:
    if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
        mode = "700" if path.is_dir() else "600"
        findings.advice.append(
            f"Other users of this machine can reach {path}; run `chmod {mode} {path}`."
        )
