"""What recall finds and how long it takes, asked as an agent asks.

    python tests/bench/retrieval.py FOLDER [--sets observations,turns,sessions,xquad,demem,scale]
                                    [--meaning] [--limit-questions N]

FOLDER holds locomo10.json, xquad.de.json, xquad.en.json and demem.json; a set whose file is not
there is passed over. Recall is the share of the memories that hold the answer among the first k.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import retrieval_metrics as metrics
import retrieval_sets as sets
import retrieval_stores as stores
from common import row, store, words
from retrieval_metrics import Outcome
from retrieval_sets import ADVERSARIAL, Asked, Corpus

from remembrancer import places
from remembrancer.core.recall import Hit, Question
from remembrancer.service.library import Library

SIZES = {10_000: 3, 100_000: 8, 1_000_000: 30}  # memories, and the bound in milliseconds
FILLERS_BOUND = 50
FIRST_BOUND = 50
_ROUNDS = 40  # questions of each kind at each size
_OPENINGS = 7
_DEPTH = 50
_FILLERS = (
    "what", "is", "the", "of", "and", "in", "to", "was", "that", "which", "der", "das", "und",
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line."""

    folder: Path
    scratch: Path
    meaning: bool
    questions: int | None


@dataclass(frozen=True)
class Answer:
    """What one question got: memories with their scores, the best first, and what it wanted."""

    asked: Asked
    corpus: int
    ranked: tuple[tuple[int, float], ...]
    ids: dict[str, int]
    took: float

    def outcome(self) -> Outcome:
        """Its figures, counted in memories: texts that are the same are one."""
        wanted = {self.ids[unit] for unit in self.asked.relevant}
        found = metrics.figures([memory for memory, _ in self.ranked], wanted)
        return Outcome(self.asked.category, self.corpus, found, self.took)

    def by_session(self) -> Outcome:
        """Its figures by session, where a session has the sum of its turns' scores."""
        sessions: defaultdict[int, set[str]] = defaultdict(set)
        for turn, memory in self.ids.items():
            sessions[memory].add(sets.session(turn))
        sums: defaultdict[str, float] = defaultdict(float)
        for memory, score in self.ranked:
            for each in sessions[memory]:
                sums[each] += score
        ranked = sorted(sums, key=lambda s: -sums[s])
        found = metrics.figures(ranked, {sets.session(t) for t in self.asked.relevant})
        return Outcome(self.asked.category, self.corpus, found, self.took)


def ask(library: Library, query: str, *, as_usual: bool = False) -> Sequence[Hit]:
    """The first hits for a question without a budget of characters; `as_usual` with the usual."""
    asked = Question(query) if as_usual else Question(query, limit=_DEPTH, max_characters=10**9)
    return library.recall.ask(asked).items


def answers(corpora: list[Corpus], kind: str, options: Options) -> list[Answer]:
    """Write every corpus into a store of its own and ask its questions."""
    return [a for i, c in enumerate(corpora) for a in _answers(c, i, kind, options)]


def _answers(corpus: Corpus, number: int, kind: str, options: Options) -> Iterator[Answer]:
    library, ids = stores.opened(corpus, kind, options.scratch)
    with library:
        if options.meaning:
            stores.by_meaning(library)
        ask(library, "a first question that opens the file")
        for asked in _some(corpus.asked, options.questions):
            hits, took = _timed(library, asked.text)
            yield Answer(asked, number, tuple((h.memory.id, h.score) for h in hits), ids, took)


def _timed(library: Library, query: str, *, as_usual: bool = False) -> tuple[Sequence[Hit], float]:
    """The hits for a question, and the milliseconds they took."""
    began = time.perf_counter()
    hits = ask(library, query, as_usual=as_usual)
    return hits, (time.perf_counter() - began) * 1_000


def _some(asked: tuple[Asked, ...], most: int | None) -> tuple[Asked, ...]:
    """At most that many questions, the same ones from all over the corpus at every run."""
    if most is None or most >= len(asked):
        return asked
    return tuple(random.Random(2).sample(asked, most))


# --- the sets


def locomo(name: str, outcomes: list[Outcome], anchors: metrics.Anchors) -> None:
    """A table of one way through LoCoMo."""
    metrics.head(f"LoCoMo, {name}")
    metrics.row("all questions", outcomes)
    metrics.row("without adversarial", [o for o in outcomes if o.category != ADVERSARIAL])
    metrics.by_category(outcomes)
    metrics.row("first five conversations", [o for o in outcomes if o.corpus < 5])
    metrics.row("last five conversations", [o for o in outcomes if o.corpus >= 5])
    metrics.anchors(anchors)


def observations(options: Options) -> None:
    """Statements about a speaker: nearest to what agents write."""
    found = answers(sets.observations(options.folder), "observations", options)
    locomo("observations", [a.outcome() for a in found], metrics.OBSERVED)


@cache
def _turn_answers(options: Options) -> list[Answer]:
    return answers(sets.turns(options.folder), "turns", options)


def turns(options: Options) -> None:
    """Every turn of a conversation a memory."""
    locomo("turns", [a.outcome() for a in _turn_answers(options)], metrics.DIALOG)


def sessions(options: Options) -> None:
    """Which session it was: by its turns, and with whole sessions as memories."""
    by_turns = [a.by_session() for a in _turn_answers(options)]
    locomo("sessions, the first 50 turns summed", by_turns, metrics.BY_SESSION)
    whole = answers(sets.sessions(options.folder), "sessions", options)
    locomo("sessions, each one memory", [a.outcome() for a in whole], metrics.BY_SESSION)


def xquad(options: Options) -> None:
    """The sentence that holds the answer, in German, in English, and across."""
    german = sets.xquad(options.folder, "de", ("de", "en"))
    corpora = [german, sets.xquad(options.folder, "en", ("en",))]
    outcomes = [a.outcome() for a in answers(corpora, "xquad", options)]
    metrics.head("XQuAD sentences, question -> sentence")
    metrics.by_category(outcomes)


def demem(options: Options) -> None:
    """Our own memories hidden among other sentences, by what makes each hard to find."""
    found = [a.outcome() for a in answers([sets.hidden(options.folder)], "demem", options)]
    metrics.head("102 memories among the sentences of XQuAD")
    metrics.row("all", found)
    metrics.by_category(found)


# --- scale


class Asker:
    """Questions of every kind over a vocabulary, the same at every run."""

    def __init__(self, common: list[str]) -> None:
        self._rng = random.Random(5)
        self._frequent, self._rare = common[:40], common[len(common) * 4 // 5 :]
        self._middling = common[40 : len(common) * 4 // 5]

    def kinds(self) -> dict[str, Callable[[], str]]:
        """A maker of questions for every kind."""
        return {
            "2-6 words": lambda: " ".join(self._mixed()),
            "2-6 words and as many stop words": self._with_fillers,
            "2-6 rare words": lambda: " ".join(self._of(self._rare)),
            "2-6 frequent words": lambda: " ".join(self._of(self._frequent)),
            "2-6 words, each with a typo": lambda: " ".join(map(self._typo, self._mixed())),
        }

    def fillers(self) -> str:
        """Stop words only."""
        return " ".join(self._of(_FILLERS, 3))

    def _of(self, vocabulary: Sequence[str], least: int = 2) -> list[str]:
        return self._rng.sample(vocabulary, self._rng.randint(least, 6))

    def _mixed(self) -> list[str]:
        """A frequent word in three, the others from all over the middle."""
        return [self._rng.choice(self._frequent) if self._rng.random() < 1 / 3 else word
                for word in self._of(self._middling)]  # fmt: skip

    def _with_fillers(self) -> str:
        return " ".join(f"{self._rng.choice(_FILLERS)} {word}" for word in self._mixed())

    def _typo(self, word: str) -> str:
        """The word with two neighbours swapped, or a letter left out or replaced."""
        at = self._rng.randrange(1, len(word) - 1)
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        others = word[:at] + word[at + 1 :], word[:at] + "x" + word[at + 1 :]
        return self._rng.choice((swapped, *others))


def scale(options: Options) -> None:
    """How long a question takes over stores of a size, of made-up words and of real ones.

    By words alone: vectors would be written into stores that are kept.
    """
    kinds = {"made-up": (store, [word for word in words() if len(word) > 3])}
    if missing := _missing(options.folder, "xquad"):
        print(f"\nreal words: passed over, {options.folder} has no {', '.join(missing)}")
    else:
        real = stores.RealWords(options.folder)
        kinds["real"] = (real.store, real.common())
    for size, bound in SIZES.items():
        for kind, (stored, vocabulary) in kinds.items():
            path = stores.current(stored(size))
            print(f"\n{f'{size:,} memories of {kind} words':<46}{'median':>9} {'p95':>9}")
            _scaled(path, Asker(vocabulary), bound, options)


def _scaled(path: Path, asker: Asker, bound: float, options: Options) -> None:
    with Library.open(path) as library:
        for kind, make in asker.kinds().items():
            row(kind, *_spread(library, make, options), bound)
        row("stop words only", *_spread(library, asker.fillers, options), FILLERS_BOUND)
    make = asker.kinds()["2-6 words"]
    opening = [_first(path, make()) for _ in range(_OPENINGS)]
    row("open and first question, a new process", *metrics.percentiles(opening), FIRST_BOUND)


def _spread(library: Library, make: Callable[[], str], options: Options) -> tuple[float, float]:
    """(median, 95th percentile) in milliseconds over questions that are each asked once."""
    rounds = options.questions or _ROUNDS
    ask(library, make(), as_usual=True)
    times = [_timed(library, make(), as_usual=True)[1] for _ in range(rounds)]
    return metrics.percentiles(times)


def _first(path: Path, query: str) -> float:
    """Milliseconds from opening to the first answer in a process of its own."""
    command = [sys.executable, __file__, str(path), "--first", query]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def first(path: Path, query: str) -> None:
    """Open the store, ask, and print how long both took, in milliseconds."""
    began = time.perf_counter()
    with Library.open(path) as library:
        ask(library, query, as_usual=True)
        print((time.perf_counter() - began) * 1_000)


# --- the command line
SETS: dict[str, tuple[Callable[[Options], None], str]] = {
    "observations": (observations, "locomo"),
    "turns": (turns, "locomo"),
    "sessions": (sessions, "locomo"),
    "xquad": (xquad, "xquad"),
    "demem": (demem, "demem"),
    "scale": (scale, ""),
}
_FILES = {
    "": (),
    "locomo": ("locomo10.json",),
    "xquad": ("xquad.de.json", "xquad.en.json"),
    "demem": ("demem.json", "xquad.de.json", "xquad.en.json"),
}


def _missing(folder: Path, data: str) -> list[str]:
    return [name for name in _FILES[data] if not (folder / name).is_file()]


def run(chosen: list[str], options: Options) -> None:
    """Measure one set after the other, passing over those whose files are not there."""
    for name in chosen:
        measure, data = SETS[name]
        if missing := _missing(options.folder, data):
            print(f"\n{name}: passed over, {options.folder} has no {', '.join(missing)}")
            continue
        # The settings of this machine have no part in it.
        os.environ[places.HOME_VARIABLE] = str(options.scratch / name)
        began = time.perf_counter()
        measure(options)
        print(f"({name}: {time.perf_counter() - began:.0f} s, load {os.getloadavg()[0]:.1f})")


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="What recall finds and how long it takes.")
    parser.add_argument("folder", type=Path, help="where the data lie")
    parser.add_argument("--sets", default=",".join(SETS), help="which sets, separated by commas")
    parser.add_argument("--meaning", action="store_true", help="by meaning as well as by words")
    parser.add_argument("--limit-questions", type=int, help="so many of each corpus")
    parser.add_argument("--first", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.first is not None:
        return first(given.folder, given.first)
    chosen = given.sets.split(",")
    if unknown := [name for name in chosen if name not in SETS]:
        parser.error(f"no such set: {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as scratch:
        run(chosen, Options(given.folder, Path(scratch), given.meaning, given.limit_questions))


main()
