"""`recall`: what an agent would get for a question, with the reasons."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from remembrancer.doors.opening import opened
from remembrancer.doors.telling import counted, plain, say, say_json

if TYPE_CHECKING:
    from remembrancer.core.recall import Hit, Recall


def recall(arguments: Namespace) -> int:
    """Ask the store and tell the answer."""
    from remembrancer.core.recall import Question

    question = Question(arguments.query, arguments.entity)
    if arguments.limit is not None:
        question = Question(arguments.query, arguments.entity, limit=arguments.limit)
    with opened(arguments) as library:
        answer = library.recall.ask(question)
    if arguments.json:
        say_json([_record(hit) for hit in answer.items])
    else:
        _tell(answer)
    return 0


def _record(hit: Hit) -> dict[str, Any]:
    """The memory's record with what recall says of it."""
    said = {name: getattr(hit, name) for name in ("applicability", "reasons", "score", "mandatory")}
    return {**plain(hit.memory), **plain(said)}


def _tell(answer: Recall) -> None:
    for hit in answer.items:
        _tell_hit(hit)
    for warning in answer.warnings:
        say(f"Note: {warning}")
    if answer.left:
        say(f"{counted(len(answer.left), 'memory', 'memories')} did not fit.")
    if not answer.items:
        say("Nothing is known about that.")


def _tell_hit(hit: Hit) -> None:
    memory = hit.memory
    say(f"{memory.id}  {memory.entity or 'unfiled'}  {memory.kind}  ({', '.join(hit.reasons)})")
    for line in memory.content.splitlines():
        say(f"    {line}")
