"""`backup`, `restore` and `doctor`: looking after the store's file."""

from __future__ import annotations

import re
from argparse import Namespace

from remembrancer import places
from remembrancer.doors.opening import opened, store_of
from remembrancer.doors.telling import say, say_json


def back_up(arguments: Namespace) -> int:
    """Make a checked copy of the store and tell its path."""
    chosen = arguments.folder
    folder = places.absolute(chosen) if chosen else places.private_folder(places.backup_folder())
    with opened(arguments) as library:
        say(str(library.upkeep.back_up(folder)))
    return 0


def restore(arguments: Namespace) -> int:
    """Put a backup back and tell where the former store is kept."""
    from remembrancer.service.restoring import put_back

    store = store_of(arguments)
    kept = put_back(places.absolute(arguments.file), store)
    say(f"The store {store} is what the backup holds.")
    if kept is not None:
        say(f"What it was before is kept in {kept}")
    return 0


def doctor(arguments: Namespace) -> int:
    """Examine the store and its places; 0 when all is sound."""
    from remembrancer.doors.examination import examine

    findings = examine(store_of(arguments))
    if arguments.json:
        say_json(findings)
        return 0 if findings.sound else 1
    for name, value in findings.facts.items():
        say(f"{_worded(name)}: {value}")
    for sentence in (*findings.problems, *findings.advice):
        say(f"- {sentence}")
    say("The store is sound." if findings.sound else "The store is not sound.")
    return 0 if findings.sound else 1


def _worded(name: str) -> str:
    """`nameOfThis` as "name of this"."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda capital: f" {capital[0].lower()}", name)
