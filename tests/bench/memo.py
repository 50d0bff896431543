"""How long memo's search, similar entries and groups take: python memo.py [SIZE]."""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from common import ME, row, sentence, store, timed, words

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library
from remembrancer.service.note_search import NoteQuestion


def main(size: int) -> None:
    vocabulary, rng = words(), random.Random(11)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(store(size), Path(folder) / "bench.db"))
        with Library.open(path) as library:
            _searching(library, vocabulary, rng)
            _resembling(library, vocabulary, rng)


def _searching(library: Library, vocabulary: list[str], rng: random.Random) -> None:
    def ask(query: str, tags: tuple[str, ...] = ()) -> None:
        question = NoteQuestion(query, 8, None, False, tags, False)
        library.note_search.ask(question, PERSON)

    began = time.perf_counter()
    ask("wordsthatnobodywrote")
    first = (time.perf_counter() - began) * 1_000
    row("ask: the first, a word that is nowhere", first, first)
    rare, frequent = vocabulary[2_000:], vocabulary[:8]
    row("ask: one rare word", *timed(lambda: ask(rng.choice(rare))), 30)
    row("ask: the most frequent word", *timed(lambda: ask(vocabulary[0])), 100)
    row("ask: a word in every memory", *timed(lambda: ask("no")), 100)
    row("ask: three rare words (any)", *timed(lambda: ask(" ".join(rng.sample(rare, 3)))), 30)
    row("ask: five frequent words", *timed(lambda: ask(" ".join(rng.sample(frequent, 5)))), 100)
    row("ask: a sentence", *timed(lambda: ask(sentence(rng, vocabulary, 12))), 100)
    row("ask: an unknown word", *timed(lambda: ask("zzyzxqua" + str(rng.random())[2:5])), 30)
    row("ask: a part of words", *timed(lambda: ask(rng.choice(rare)[2:8])), 30)
    row("ask: rare word, one tag", *timed(lambda: ask(rng.choice(rare), ("bastion",))), 100)
    row("ask: frequent word, one tag", *timed(lambda: ask(vocabulary[0], ("bastion",))), 100)
    row("ask: sentence, one entity", *timed(lambda: ask(sentence(rng, vocabulary), ("gateway 7",))))
    pair = f'"{vocabulary[0]} {vocabulary[1]}" NOT {vocabulary[2]}'
    row("ask: explicit, frequent words", *timed(lambda: ask(pair)), 100)
    row("ask: explicit, rare word", *timed(lambda: ask(f"{rng.choice(rare)}*")), 30)


def _resembling(library: Library, vocabulary: list[str], rng: random.Random) -> None:
    def like(text: str) -> None:
        library.resembling.like(text, besides=None, author=PERSON)

    row("like: a new text", *timed(lambda: like(sentence(rng, vocabulary))), 30)
    row("like: a text of 200 words", *timed(lambda: like(sentence(rng, vocabulary, 200))), 30)

    def groups(tag: str) -> tuple[int, int, int, float]:
        began = time.perf_counter()
        found = library.resembling.groups(tag=tag, kinds=None, threshold=0.5, most=5, author=PERSON)
        return found.entries, found.pairs, found.found, (time.perf_counter() - began) * 1_000

    for _ in range(1_000):
        text = sentence(rng, vocabulary)
        library.memories.remember(Draft(text, "thousand"), entity_type="project", **ME)
    for tag in ("thousand", "bastion", ""):
        entries, pairs, found, took = groups(tag)
        row(f"groups: {entries:,} entries, {pairs:,} pairs, {found:,} found", took, took)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
