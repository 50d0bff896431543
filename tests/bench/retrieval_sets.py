"""The texts and questions that recall is measured with, as corpora.

A folder holds the published sets as they came: `locomo10.json` (LoCoMo), `xquad.de.json` and
`xquad.en.json` (XQuAD), and `demem.json` with memories of our own. None of them is shipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from remembrancer.core.clock import SECOND

ADVERSARIAL = "adversarial"
_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: ADVERSARIAL}
_TURN = r"D\d+:\d+"
_SENTENCE_END = r"(?<=[.!?])[\"”“»)]*\s+(?=[\"„»(]?[A-ZÄÖÜ0-9])"
_SHORTEST = 25  # characters of a sentence: "Dr." does not end one
_AFTER = 20 * SECOND  # what lies between two turns
_APART = 600 * SECOND  # what lies between two memories that have nothing to do with each other
_BEGAN = 1_700_000_000 * SECOND
_ASKED_AFTER = 86_400 * SECOND


@dataclass(frozen=True)
class Written:
    """A memory to be written: the unit that judges know it by, its text, when, and whose it is."""

    unit: str
    content: str
    at: int
    entity: str | None = None


@dataclass(frozen=True)
class Asked:
    """A question with the units that hold its answer."""

    text: str
    relevant: frozenset[str]
    category: str


@dataclass(frozen=True)
class Corpus:
    """What goes into one store, in the order of writing, and what is asked of it."""

    name: str
    written: tuple[Written, ...]
    asked: tuple[Asked, ...]

    @property
    def later(self) -> int:
        """When the questions are asked: a day after the last memory."""
        return max(w.at for w in self.written) + _ASKED_AFTER

    def digest(self) -> str:
        """What tells these memories from others."""
        return sha256(repr(self.written).encode()).hexdigest()[:12]


# --- LoCoMo


def observations(folder: Path) -> list[Corpus]:
    """LoCoMo's observations, each a memory of its speaker; relevant where they cite a turn."""
    return [_observed(talk) for talk in _talks(folder)]


def turns(folder: Path) -> list[Corpus]:
    """LoCoMo's turns, one after the other as they were said."""
    return [
        _talked(talk, _turns(talk["conversation"]), lambda turn: turn) for talk in _talks(folder)
    ]


def sessions(folder: Path) -> list[Corpus]:
    """LoCoMo's sessions, each one memory."""
    return [_talked(talk, _sessions(talk["conversation"]), session) for talk in _talks(folder)]


def session(turn: str) -> str:
    """The session that a turn belongs to."""
    return turn.split(":")[0]


def _talks(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "locomo10.json").read_text(encoding="utf-8"))


def _numbers(conversation: dict[str, Any]) -> list[int]:
    return sorted(int(k[8:]) for k in conversation if re.fullmatch(r"session_\d+", k))


def _date(conversation: dict[str, Any], number: int) -> int:
    text = conversation[f"session_{number}_date_time"]
    moment = datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return int(moment.timestamp()) * SECOND


def _said(turn: dict[str, Any]) -> str:
    shares = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{shares}"


def _turns(conversation: dict[str, Any]) -> Iterator[Written]:
    for number in _numbers(conversation):
        date = _date(conversation, number)
        for place, turn in enumerate(conversation[f"session_{number}"]):
            yield Written(turn["dia_id"], _said(turn), date + place * _AFTER)


def _sessions(conversation: dict[str, Any]) -> Iterator[Written]:
    for number in _numbers(conversation):
        text = "\n".join(_said(turn) for turn in conversation[f"session_{number}"])
        yield Written(f"D{number}", text, _date(conversation, number))


def _evidence(question: dict[str, Any]) -> set[str]:
    return set(re.findall(_TURN, " ".join(map(str, question.get("evidence", [])))))


def _talked(talk: dict[str, Any], written: Iterator[Written], unit: Callable[[str], str]) -> Corpus:
    memories = tuple(written)
    known = {w.unit for w in memories}
    return _corpus(talk, memories, lambda turns: {unit(turn) for turn in turns} & known)


def _observed(talk: dict[str, Any]) -> Corpus:
    memories: list[Written] = []
    cited: dict[str, set[str]] = {}
    for number in _numbers(talk["conversation"]):
        date = _date(talk["conversation"], number)
        found = talk["observation"].get(f"session_{number}_observation", {})
        noted = [(who, *each[:2]) for who, several in found.items() for each in several]
        for place, (who, text, sources) in enumerate(noted):
            unit = f"O{number}.{place}"
            memories.append(Written(unit, text, date + place * SECOND, who))
            cited[unit] = set(re.findall(_TURN, str(sources)))
    return _corpus(
        talk, tuple(memories), lambda turns: {unit for unit, by in cited.items() if by & turns}
    )


def _corpus(
    talk: dict[str, Any], memories: tuple[Written, ...], relevant: Callable[[set[str]], set[str]]
) -> Corpus:
    """A conversation's memories with the questions that they can answer."""
    asked = [
        Asked(q["question"], frozenset(relevant(_evidence(q))), _CATEGORIES[q["category"]])
        for q in talk["qa"]
    ]
    return Corpus(talk["sample_id"], memories, tuple(a for a in asked if a.relevant))


# --- XQuAD and our own


def xquad(folder: Path, language: str, askers: tuple[str, ...]) -> Corpus:
    """The sentences of one language, with the questions of each of `askers` about them."""
    questions = {asker: _questions(folder, asker) for asker in askers}
    texts: list[str] = []
    asked: list[Asked] = []
    for paragraph in paragraphs(folder, language):
        spans = _sentences(paragraph["context"])
        for question in paragraph["qas"]:
            start = question["answers"][0]["answer_start"]
            holding = [i for i, (begins, ends) in enumerate(spans) if begins <= start <= ends]
            units = frozenset(f"{language}{len(texts) + i}" for i in holding)
            for asker in askers:
                category = language if asker == language else f"{asker} -> {language}"
                asked.append(Asked(questions[asker][question["id"]], units, category))
        texts += [paragraph["context"][begins:ends] for begins, ends in spans]
    named = [(f"{language}{i}", text) for i, text in enumerate(texts)]
    return Corpus(f"xquad-{language}", _apart(named), tuple(a for a in asked if a.relevant))


def hidden(folder: Path) -> Corpus:
    """Our own memories, spread evenly among all sentences of XQuAD in both languages."""
    own = json.loads((folder / "demem.json").read_text(encoding="utf-8"))
    around = [(w.unit, w.content) for lang in ("de", "en") for w in xquad(folder, lang, ()).written]
    step = len(around) // len(own["memories"])
    for number, text in reversed(list(enumerate(own["memories"]))):
        around.insert(number * step, (str(number), text))
    asked = (Asked(q["q"], frozenset(map(str, q["rel"])), q["cat"]) for q in own["queries"])
    return Corpus("demem", _apart(around), tuple(asked))


def _apart(named: list[tuple[str, str]]) -> tuple[Written, ...]:
    return tuple(Written(unit, text, _BEGAN + i * _APART) for i, (unit, text) in enumerate(named))


def paragraphs(folder: Path, language: str) -> Iterator[dict[str, Any]]:
    """XQuAD's paragraphs in one language, each with its text and its questions."""
    whole = json.loads((folder / f"xquad.{language}.json").read_text(encoding="utf-8"))
    for article in whole["data"]:
        yield from article["paragraphs"]


def _questions(folder: Path, language: str) -> dict[str, str]:
    return {q["id"]: q["question"] for p in paragraphs(folder, language) for q in p["qas"]}


def _sentences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    begins = 0
    for end in re.finditer(_SENTENCE_END, text):
        if end.start() - begins >= _SHORTEST:
            spans.append((begins, end.start()))
            begins = end.end()
    return [*spans, (begins, len(text))]
