"""The memo dialect: eight tools over tagged notes, in German or in English."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from mcp.types import CallToolResult, TextContent, Tool

from remembrancer.agents.answers import failure
from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.dialects import memo_browsing as browsing
from remembrancer.agents.dialects import memo_comparing as comparing
from remembrancer.agents.dialects import memo_finding as finding
from remembrancer.agents.dialects import memo_keeping as keeping
from remembrancer.agents.dialects.memo_lines import Lines, Reply, listed, missing, some
from remembrancer.agents.dialects.memo_questions import OpenQuestions
from remembrancer.agents.dialects.memo_reading import Reader
from remembrancer.agents.dialects.memo_speech import Speech
from remembrancer.agents.dialects.memo_texts import TEXTS
from remembrancer.agents.dialects.memo_tools import (
    ENGLISH,
    ENGLISH_TOOLS,
    GERMAN_TOOLS,
    INSTRUCTIONS,
    PARAMETERS,
)
from remembrancer.core import kinds
from remembrancer.core.author import Access
from remembrancer.core.errors import RemembrancerError, StoreProblem
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.service.desk import Doing
from remembrancer.service.note_search import NoteQuestion
from remembrancer.service.notes import Changed, Kept, NewNote
from remembrancer.service.resembling import Resembling

if TYPE_CHECKING:
    from remembrancer.service.library import Library

log = logging.getLogger(__name__)

NAME_VARIABLE = "MEMORY_NAME"
COMPARED = 25  # entries that one check takes; the judge is asked about five pairs

_BOARD_ROWS, _TITLE_ROWS, _MOST_ROWS = 40, 30, 200
_LINE = 80  # characters that an entry takes at least
_POLICY = frozenset({"read_only", "propose_only", "locked"})


@dataclass(frozen=True, slots=True)
class _Call:
    """One call: its arguments under their English names, and what reads and draws for it."""

    arguments: dict[str, Any]
    caller: Caller
    reader: Reader
    lines: Lines

    def __getitem__(self, name: str) -> Any:
        return self.arguments[name]

    @property
    def doing(self) -> Doing:
        """Who does it."""
        return {"author": self.caller.author, "origin": Memo.name}


class Memo(Dialect):
    """Notes under tags; `own` is the name by which other memories tell this one apart."""

    name: ClassVar[str] = "memo"
    title: ClassVar[str] = "Remembrancer (memo)"
    instructions: ClassVar[str] = INSTRUCTIONS
    tools: tuple[Tool, ...] = (*GERMAN_TOOLS, *ENGLISH_TOOLS)

    def __init__(self, library: Library, own: str | None = None) -> None:
        self._library = library
        self._own = own or os.environ.get(NAME_VARIABLE) or socket.gethostname().lower()
        self._open = OpenQuestions()

    def offered(self, caller: Caller) -> tuple[Tool, ...]:
        tools = GERMAN_TOOLS if caller.language == "de" else ENGLISH_TOOLS
        if caller.author.access is not Access.READ:
            return tools
        return tuple(t for t in tools if t.annotations and t.annotations.read_only_hint)

    def call(self, tool: str, arguments: dict[str, Any], caller: Caller) -> CallToolResult:
        name = ENGLISH.get(tool, tool)
        given = {PARAMETERS.get(key, key): value for key, value in arguments.items()}
        answer: Callable[[_Call], Reply] = getattr(self, f"_{name}")
        reply = answer(_Call(given, caller, self._reader(tool, caller), self._lines(caller)))
        text = TextContent(type="text", text=reply.text)
        return CallToolResult(content=[text], structured_content=reply.value)

    def failed(self, tool: str, error: RemembrancerError, caller: Caller) -> CallToolResult:
        reader = self._reader(tool, caller)
        return failure(_worded(error, reader, caller), reader.speech("error"))

    # --- writing

    def _remember(self, call: _Call) -> Reply:
        reader, locked = call.reader, call.caller.author.entity
        note = NewNote(
            reader.text(call["text"]),
            reader.checked_tags(call["tags"], locked),
            reader.kind(call["kind"]),
            reader.ids(call["supersedes"], empty=True),
        )
        reason = reader.speech("why_superseded")
        kept = self._library.notes.remember(note, reason=reason, **call.doing)
        return keeping.remembered(self._resembled(kept, call), note.supersedes, call.lines)

    def _resembled(self, kept: Kept, call: _Call) -> keeping.Keeping:
        """What a new entry resembles; it is kept by now, whatever happens here."""
        similar: list[Resembling] = []
        try:
            similar = self._library.resembling.like(
                kept.memory.content, besides=kept.memory.id, author=call.caller.author
            )
            hints = self._library.judge.hints(kept.memory, [each.memory for each in similar])
        except Exception:
            log.exception("memory %d was kept, but not compared", kept.memory.id)
            hints = {}
        return keeping.Keeping(kept, similar, hints)

    def _forget(self, call: _Call) -> Reply:
        ids, reason = call.reader.ids(call["ids"]), call.reader.reason(call["reason"])
        done = self._library.notes.forget(ids, reason=reason, **call.doing)
        speech = call.lines.speech
        lost = missing(done.unknown, speech)
        key = "put_away" if done.done else "put_away_none"
        text = speech(key, ids=listed(done.done, speech), missing=lost)
        if done.secrets:
            text += "\n" + speech("masked", kinds=", ".join(done.secrets))
        value = {"superseded": some(done.done), "unknown": some(done.unknown)}
        return Reply(text, {**value, "reason": done.reason})

    def _classify(self, call: _Call) -> Reply:
        ids, kind = call.reader.ids(call["ids"]), call.reader.exact_kind(call["kind"])
        speech = call.lines.speech
        same = kinds.shown_as(speech.kind(kind), speech.vocabulary)
        done = self._library.notes.classify(ids, kind, same=same, **call.doing)
        unsorted = kinds.shown_as(speech.kind(Kind.UNSORTED), speech.vocabulary)
        left = self._library.notes.of_kinds(unsorted, call.caller.author)
        return _classified(done, speech.kind(kind), left, speech)

    # --- reading

    def _recall(self, call: _Call) -> Reply:
        of_kinds, author = call.reader.kinds(call["kind"]), call.caller.author
        asked_before = self._open.of(call.caller.session)
        question = NoteQuestion(
            call["query"],
            min(max(call["limit"], 1), 50),
            of_kinds,
            chronicle=bool(call["kind"].strip()),
            tags=call.reader.tags(call["tag"], author.entity),
            superseded=call["include_superseded"],
            first=asked_before.before(call["query"]),
        )
        found = self._library.note_search.ask(question, author)
        asked_before.asked(call["query"])
        if call["full"]:
            self._library.notes.served(found.hits, author)
        asked = finding.Asked(question, call["full"], of_kinds is not None)
        return finding.recalled(found, asked, call.lines, call.caller.answer_budget)

    def _show(self, call: _Call) -> Reply:
        ids = call.reader.ids(call["ids"])
        found, unknown = self._fetched(ids, call)
        wanted = finding.Wanted(found, unknown, call["full"])
        reply = finding.shown(wanted, call.lines, call.caller.answer_budget)
        told = found[: len(reply.value["entries"])]
        self._open.of(call.caller.session).fetched(told)
        self._library.notes.served(told, call.caller.author)
        return reply

    def _topics(self, call: _Call) -> Reply:
        tag, author = call["tag"].strip(), call.caller.author
        limit = min(max(call["limit"], 0), _MOST_ROWS)
        usual = _TITLE_ROWS if tag else _BOARD_ROWS
        page = browsing.Page(max(call["page"], 1), limit or usual, limit == 0, call["all"])
        budget = call.caller.answer_budget
        if not tag:
            return browsing.board(self._library.notes.board(author), page, call.lines, budget)
        most = None if budget is None else budget // _LINE + 1
        rows = most if page.every else page.limit
        found = self._library.notes.titles(tag, author, rows, page.offset)
        if not found.tag.total:
            alike = self._library.notes.alike(tag, author)
            return browsing.no_tag(tag, alike, call.lines.speech)
        return browsing.titles(found, page, call.lines, budget)

    def _consolidate(self, call: _Call) -> Reply:
        tag = call["tag"].strip()
        found = self._library.resembling.groups(
            tag=tag,
            kinds=call.reader.kinds(call["kind"]),
            threshold=call["threshold"],
            most=max(call["groups"], 0),
            author=call.caller.author,
        )
        asked = {"tag": tag, "threshold": call["threshold"]}
        return comparing.groups(found, asked, call.lines, call.caller.answer_budget)

    def _check(self, call: _Call) -> Reply:
        ids = call.reader.ids(call["ids"])
        if len(ids) > COMPARED:
            raise call.reader.wrong("many_ids", most=COMPARED)
        found, unknown = self._fetched(ids, call)
        if len(found) < 2:
            lost = missing(unknown, call.lines.speech)
            raise call.reader.wrong("two_ids", missing=lost)
        verdicts = self._library.judge.pairs(found)
        state, budget = self._library.judge.state(), call.caller.answer_budget
        return comparing.verdicts(verdicts, unknown, state, call.lines, budget)

    # --- what calls stand on

    def _fetched(self, ids: tuple[int, ...], call: _Call) -> tuple[list[Memory], list[int]]:
        """The entries with these ids, and the ids that are not there."""
        found = self._library.notes.fetch(ids, call.caller.author)
        known = {memory.id for memory in found}
        return found, [each for each in ids if each not in known]

    def _reader(self, tool: str, caller: Caller) -> Reader:
        reader = Reader(Speech(caller.language), self._own)
        return replace(reader, nothing="nothing_stored") if tool == "remember" else reader

    def _lines(self, caller: Caller) -> Lines:
        def seen(memory_id: int) -> bool:
            locked = caller.author.entity is not None
            return not locked or bool(self._library.notes.fetch([memory_id], caller.author))

        return Lines(Speech(caller.language), self._library.clock(), seen)


def _worded(error: RemembrancerError, reader: Reader, caller: Caller) -> str:
    """An error in the caller's language; of the store's file no path is told."""
    if error.code in _POLICY:
        return str(reader.wrong(error.code, entity=repr(caller.author.entity)))
    if isinstance(error, StoreProblem):
        kind = type(error).__name__
        return str(reader.wrong(kind if kind in TEXTS else StoreProblem.__name__))
    told = str(error)
    return reader.speech("arguments", told=told) if error.code == "arguments" else told


def _classified(done: Changed, word: str, left: int, speech: Speech) -> Reply:
    lost = missing(done.unknown, speech)
    first = speech("classified", kind=word, ids=listed(done.done, speech) or "-", missing=lost)
    last = speech("left_unsorted", entries=speech.count(left, "entry"))
    value = {"kind": word, "classified": some(done.done), "unknown": some(done.unknown)}
    return Reply(f"{first}\n{last}", {**value, "unsorted": left})
