"""`recall`: what an agent would get for a question, with the reasons."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from remembrancer.doors.opening import opened
from remembrancer.doors.telling import counted, plain, say, say_json

if TYPE_CHECKING:
    from remembrancer.core.recall import Hit, Question, Recall
    from remembrancer.service.meaning import MeaningState


def recall(arguments: Namespace) -> int:
    """Ask the store and tell the answer."""
    from remembrancer.core.recall import Question

    question = Question(arguments.query, arguments.entity)
    if arguments.limit is not None:
        question = Question(arguments.query, arguments.entity, limit=arguments.limit)
    with opened(arguments) as library:
        meaning = library.meaning.state
        answer = library.recall.ask(question)
        now = library.clock()
    if arguments.json:
        say_json([_record(hit) for hit in answer.items])
    else:
        _tell(answer, (lambda hit: _explain(hit, question, now)) if arguments.explain else None)
        if arguments.explain:
            say(f"Found by: {signals(meaning)}.")
    return 0


def _record(hit: Hit) -> dict[str, Any]:
    """The memory's record with what recall says of it."""
    names = ("applicability", "reasons", "score", "mandatory", "standing")
    said = {name: getattr(hit, name) for name in names}
    signals = [{**each._asdict(), "signal": each.signal.value} for each in hit.evidence]
    return {**plain(hit.memory), **plain(said), "signals": signals}


def _tell(answer: Recall, explain: Callable[[Hit], None] | None) -> None:
    for hit in answer.items:
        _tell_hit(hit)
        if explain is not None:
            explain(hit)
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


def signals(meaning: MeaningState) -> str:
    """By which signals the answer was found, where meaning was that far."""
    from remembrancer.service.meaning import Standing

    return {
        Standing.LOADING: "words only; the model for meaning was not loaded yet",
        Standing.FAILED: "words only; the model for meaning cannot be used",
        Standing.MAKING: f"words; meaning is still being made: {int(meaning.share * 100)} %",
        Standing.READY: "words and meaning",
    }.get(meaning.standing, "words only")


def _explain(hit: Hit, question: Question, now: int) -> None:
    """What a score is made of, line by line, the last one the score itself."""
    from remembrancer.core.explaining import breakdown
    from remembrancer.core.ranking import STANDING_LIMIT

    found = breakdown(hit, question.query, now)
    for line in found.lines:
        say(f"    {line.amount:+9.3f}  {line.text()}")
    parts = ", ".join(f"{s.about or s.part} {s.amount:+.3f}" for s in found.shares)
    bounded = f" (kept within {STANDING_LIMIT})" if found.bounded else ""
    say(f"    {found.standing:9.3f}  standing: {parts}{bounded}")
    say(f"    {found.score:9.3f}  score: (1 {found.relevance:+.3f}) x {found.standing:.3f}")
