"""The reasons shown are true: each signal adds what it says, and nothing once switched off."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from asking import LABELLED, ask, contents, crowd, drawn, seek
from conftest import BEGINNING, Hand
from notation import WINDOW, build
from remembrancer.core import ranking
from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.clock import MINUTE
from remembrancer.core.memory import Draft
from remembrancer.core.ranking import WEIGHTS, Signal
from remembrancer.core.recall import Hit
from remembrancer.service.gathering import FEW
from remembrancer.service.library import Library

# Signal, its weight, what the store holds, the question, the hit, and the reason in words.
EACH: list[tuple[Signal, str, str, str, str, str]] = [
    (Signal.WORDS, "words", "yard: the pump leaks", "pumps", "the pump leaks", ""),
    (Signal.PARTS, "parts", "yard: die Fusionskatalysatoren sind an Bord", "Katalysator",
     "die Fusionskatalysatoren sind an Bord", "Part of a word: katalysator for katalysator"),
    (Signal.PARTS, "parts", "yard: the client calls getName", "get_name",
     "the client calls getName", "Part of a word: get for get_name"),
    (Signal.PHRASE, "phrases", "yard: the link has 10 GB/s", "GB/s", "the link has 10 GB/s", ""),
    (Signal.MISSPELT, "misspelt", "yard: the plumber comes", "plumbr", "the plumber comes",
     "Similar spelling: plumber for plumbr"),
    (Signal.AKIN, "akin", "yard: the waterfall is near", "water", "the waterfall is near",
     "Akin word: waterfal for water"),
    (Signal.TOGETHER, "together", "yard: the pump leaks; yard: the seal is worn", "the pump",
     "the seal is worn", ""),
    (Signal.ENTITY, "entity", "yard: the pump leaks; yard: a pump", "pump", "a pump", ""),
    (Signal.LINKED, "linked", "yard: the pump leaks; shed: a pump; yard -near-> shed", "pump",
     "a pump", ""),
]  # fmt: skip


@pytest.mark.parametrize("entity", [None, "yard"])
@pytest.mark.parametrize(("signal", "weight", "text", "query", "content", "reason"), EACH)
def test_evidence_goes_with_its_weight(
    library: Library, signal: Signal, weight: str, text: str, query: str, content: str,
    reason: str, entity: str | None,
) -> None:  # fmt: skip
    build(library, text)
    crowd(library, 30 if entity else FEW + 50)
    [before] = [h for h in ask(library, query, entity) if h.memory.content == content]
    assert any(e.signal is signal and e.amount > 0 for e in before.evidence)
    assert not reason or reason in before.reasons
    without = replace(WEIGHTS, **{weight: 0})
    after = [h for h in ask(library, query, entity, without) if h.memory.content == content]
    assert all(h.score < before.score for h in after)
    assert all(e.signal is not signal for h in after for e in h.evidence)
    assert all(not reason or reason not in h.reasons for h in after)


# --- the score is the evidence


@pytest.fixture(scope="module")
def answered(
    empty_store: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[tuple[Library, Hit]]]:
    """Every hit of the labelled questions, over memories of several entities and questions."""
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("answered") / "memories.db"))
    with Library.open(path, Hand()) as opened:
        build(opened, "red:thing -near-> blue; green -near-> red")
        for number, text in enumerate(LABELLED["memories"]):
            entity = (None, "red", "blue", "green")[number % 4]
            opened.memories.remember(Draft(text, entity, pinned=number % 9 == 0), **WINDOW)
            if number % 10 == 0:
                opened.memories.remember(Draft(f"{text}?", entity), **WINDOW)
        questions = [each["q"] for each in LABELLED["queries"]]
        yield [
            (opened, hit)
            for query in questions
            for entity in (None, "red")
            for hit in ask(opened, query, entity)
        ]


def test_every_score_is_its_evidence_times_its_standing(
    answered: list[tuple[Library, Hit]],
) -> None:
    signals = {e.signal for _, hit in answered for e in hit.evidence}
    assert len(answered) > 1_000
    assert signals >= set(Signal) - {Signal.MEANING, Signal.PHRASE}
    for _, hit in answered:
        loss = WEIGHTS.question * hit.memory.content.endswith("?")
        relevance = sum(e.amount for e in hit.evidence) * (1 - loss)
        assert hit.score == pytest.approx((1 + relevance) * hit.standing)
        assert 0.75 <= hit.standing <= 1.25
        assert all(e.amount > 0 for e in hit.evidence)


def test_what_evidence_saw_stands_in_the_memory(answered: list[tuple[Library, Hit]]) -> None:
    for library, hit in answered:
        text = library._store.index_texts.of(hit.memory.id).everything()
        for e in hit.evidence:
            if e.signal is Signal.TOGETHER:
                other = library.memories.get(int(e.seen))
                assert other.author == hit.memory.author
                apart = abs(other.created_at - hit.memory.created_at)
                assert other.id != hit.memory.id
                assert apart <= 2 * ranking.TOGETHER_GAP
            elif e.signal not in (Signal.ENTITY, Signal.LINKED):
                assert f" {e.seen} " in f" {text} "


def test_the_strongest_evidence_comes_first(library: Library) -> None:
    build(library, "yard: common one; yard: common two; yard: common rare")
    for entity in (None, "yard"):
        amounts = [e.amount for e in ask(library, "common rare", entity)[0].evidence]
        assert amounts == sorted(amounts, reverse=True)


def test_a_question_among_the_memories_scores_less_than_its_answer(library: Library) -> None:
    build(library, "yard: which pump leaks? ; shed: which pump leaks")
    for entity in (None, "yard"):
        found = ask(library, "pump leaks", entity)
        question = found[-1]
        assert question.memory.content.endswith("?")
        assert question.score < (1 + sum(e.amount for e in question.evidence)) * question.standing


# --- written together


@pytest.mark.parametrize("entity", [None, "yard"])
@pytest.mark.parametrize(
    ("minutes", "author", "gains"),
    [(0, "robin", True), (9, "robin", True), (10.1, "robin", False), (9, "wren", False),
     (600, "robin", False), (9, "Robin", False)],
)  # fmt: skip
def test_neighbours_of_one_author_gain_within_ten_minutes(
    library: Library, clock: Hand, minutes: float, author: str, gains: bool, entity: str | None
) -> None:
    build(library, "yard")
    for text, who, after in (("the pump leaks", "robin", 0), ("the seal", author, minutes)):
        clock.at += int(after * MINUTE)
        writer = Author(who, AuthorKind.AGENT)
        library.memories.remember(Draft(text, "yard"), author=writer, origin="test")
    crowd(library, 30)
    together = [
        (h.memory.content, e.seen)
        for h in ask(library, "the pump", entity)
        for e in h.evidence
        if e.signal is Signal.TOGETHER
    ]
    assert together == ([("the seal", "1")] if gains else [])


@pytest.mark.parametrize("entity", [None, "yard"])
def test_what_has_no_word_of_the_question_never_appears(
    library: Library, entity: str | None
) -> None:
    build(library, "yard: a pump leaks; yard: seal worn; yard: the pump; yard: nothing here")
    crowd(library, FEW + 50)
    assert set(contents(ask(library, "pump", entity))) == {"a pump leaks", "the pump"}
    assert set(contents(ask(library, "pump seals", entity))) == {
        "a pump leaks", "the pump", "seal worn",
    }  # fmt: skip


# --- the same question, the same answer


def test_the_same_question_gives_the_same_answer(library: Library) -> None:
    build(library, "yard: pump one; yard: pump two; shed: pump three; yard -near-> shed")
    for entity in (None, "yard"):
        first = drawn(ask(library, "pump twos the", entity))
        assert drawn(ask(library, "pump twos the", entity)) == first != ""
    with Library.open(library.path, Hand(library.clock())) as again:
        assert drawn(ask(again, "pump twos the")) == drawn(ask(library, "pump twos the"))
    first, second = ([(r.candidate, r.relevance, r.evidence) for r in seek(library, "pump")]
                     for _ in range(2))  # fmt: skip
    assert first == second


def test_of_equals_the_newest_comes_first(store_path: Path) -> None:
    with Library.open(store_path, lambda: BEGINNING) as library:
        build(library, "yard")
        for number in range(12):
            doing: Any = {"author": Author(f"a{number}", AuthorKind.AGENT), "origin": "test"}
            library.memories.remember(Draft(f"pump {chr(97 + number)}x", "yard"), **doing)
        for entity in (None, "yard"):
            hits = ask(library, "pump", entity)
            assert len({h.score for h in hits}) == 1
            assert [h.memory.id for h in hits] == list(range(12, 0, -1))


HASHED = """
import sys, tempfile
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from asking import ask, drawn
from conftest import Hand
from notation import build
from remembrancer.service.library import Library
with Library.open(Path(sys.argv[2]), Hand()) as library:
    for entity in (None, "yard"):
        print(drawn(ask(library, "Kelle routers pumpen", entity)))
"""


def test_the_answer_does_not_depend_on_the_process(library: Library) -> None:
    build(library, "yard: Kellerfenster und Kellertreppe; yard: Routers; yard: pumpen pump")
    library.upkeep.tidy()
    tests = str(Path(__file__).parents[1])
    answers = {
        subprocess.run(
            [sys.executable, "-c", HASHED, tests, str(library.path)],
            capture_output=True, text=True, check=True, encoding="utf-8",
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path),
                 "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in "1234"
    }  # fmt: skip
    assert len(answers) == 1
