"""`backup`, `restore` and `doctor`: looking after the store's file."""

from __future__ import annotations

import re
from argparse import Namespace

from remembrancer import places
from remembrancer.doors.opening import opened, store_of
from remembrancer.doors.telling import complain, say, say_json


def back_up(arguments: Namespace) -> int:
    """Make a checked copy of the store and tell its path."""
    from remembrancer.service.backups_folder import carried_by

    folder = places.absolute(arguments.folder) if arguments.folder else None
    with opened(arguments) as library:
        say(str(library.backups.make(folder=folder).path))
    carried = carried_by(folder or places.backup_folder())
    if carried:
        complain(f"{carried} carries what is in that folder to other machines.")
    return 0


def restore(arguments: Namespace) -> int:
    """Put a backup back and tell where the former store is kept."""
    from remembrancer.service.restoring import put_back

    store = store_of(arguments)
    kept = put_back(places.absolute(arguments.file), store, places.backup_folder())
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
