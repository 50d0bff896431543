"""Labels, groups of near-duplicates, and the check at remembering: python duplicates.py [FOLDER].

FOLDER, or the environment's REMEMBRANCER_DATA, may hold a `dups.json` to take the labels from; the
fixture of the tests is taken otherwise. `--sizes 10000,100000` chooses the stores.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from common import ME, row, store, timed, words

from remembrancer.core import analyser
from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.core.unlike import Verdict, compared, verdict
from remembrancer.service.library import Library

FIXTURE = Path(__file__).parents[1] / "inputs" / "duplicates.json"
_EVERY = 20  # one in so many memories is a changed copy of another
Pairs = list[tuple[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("REMEMBRANCER_DATA"))
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--grouped", default="100000")
    asked = parser.parse_args()
    named = Path(asked.folder) / "dups.json" if asked.folder else FIXTURE
    labels(named if named.exists() else FIXTURE)
    for size in map(int, asked.grouped.split(",")):
        groups(size)
    for size in map(int, asked.sizes.split(",")):
        remembering(size)


def labels(file: Path) -> None:
    """What the kinds of pairs in a file are called."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    print(f"labels, {len(entries)} memories of {file.name}")
    kinds = [kind for kind in entries[0] if kind != "base"]
    _called({kind: [(entry["base"], entry[kind]) for entry in entries] for kind in kinds})
    everything = [(a["base"], b["base"]) for a in entries for b in entries if a is not b]
    _called({"another": everything})
    old, new = entries[0]["base"], entries[0]["contra"]
    row("a pair compared", *timed(lambda: compared(old, new), 200))


def _called(pairs: dict[str, Pairs]) -> None:
    for kind, of in pairs.items():
        called = Counter(verdict(*pair) for pair in of)
        print(f"  {kind:<12}" + "".join(f"{v.value:>17} {called[v]:4}" for v in Verdict))


def planted(count: int) -> tuple[list[str], Pairs]:
    """Memories of 14 to 40 words as frequent as in real texts, and those planted with 1-3 edits."""
    rng, vocabulary = random.Random(3), words(5, 60_000)
    weights = list(itertools.accumulate(1 / (place + 3) for place in range(len(vocabulary))))

    def drawn() -> str:
        length = rng.randint(14, 40)
        return " ".join(rng.choices(vocabulary, cum_weights=weights, k=length))

    copies = count // _EVERY
    texts = [drawn() for _ in range(count - copies)]
    pairs = [(text, _edited(text, rng, vocabulary)) for text in rng.choices(texts, k=copies)]
    return texts + [copy for _, copy in pairs], pairs


def _edited(text: str, rng: random.Random, vocabulary: list[str]) -> str:
    changed = text.split()
    for _ in range(rng.randint(1, 3)):
        place, what = rng.randrange(len(changed)), rng.random()
        if what < 0.7:
            changed[place : place + (what < 0.4)] = [rng.choice(vocabulary)]
        else:
            del changed[place]
    return " ".join(changed)


def groups(count: int) -> None:
    """How long grouping a whole store takes, and which of the planted pairs are found."""
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "s.db") as library:
        texts, pairs = planted(count)
        _fill(library, texts)
        before, cpu = time.perf_counter(), time.process_time()
        found = library.duplicates.groups(most=count)
        took, cpu = time.perf_counter() - before, time.process_time() - cpu
        if found is None:
            return
        together = {
            memory.content: number
            for number, group in enumerate(found.groups)
            for memory in (group.representative, *(m.memory for m in group.members))
        }
        alike = [pair for pair in pairs if _jaccard(*pair) >= 0.6]
        hit = sum(together.get(a, -1) == together.get(b, -2) for a, b in alike)
        _grouping(library, count)
    print(f"groups at {count:,}: {found.found:,} found, all of them told apart and given")
    print(f"  {took:.2f} s, {cpu:.2f} s of the processor; planted {hit / len(alike):.4f} found")


def _grouping(library: Library, count: int) -> None:
    """The same as a window asks it: the hundred closest groups."""
    before, cpu = time.perf_counter(), time.process_time()
    library.duplicates.groups()
    took, cpu = time.perf_counter() - before, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"groups at {count:,}, the closest 100: {took:.2f} s, {cpu:.2f} s of the processor,")
    print(f"  at most {memory:,} MB in memory for this whole benchmark")
    before = time.perf_counter()
    pairs = library.duplicates.look_alike_names()
    print(f"look-alike names: {time.perf_counter() - before:.2f} s, {len(pairs)} given")


def _fill(library: Library, texts: list[str]) -> None:
    """Remember the texts, ten an entity."""
    every = [(f"thing {n // 10} {text.split()[0]}", text) for n, text in enumerate(texts)]
    lines = (
        json.dumps({"type": "entity", "name": name, "entityType": "thing", "observations": of})
        for name, of in _joined(every)
    )
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", delete=False) as file:
        file.write("\n".join(lines) + "\n")
    library.transfer.bring_in(Path(file.name), **ME)
    Path(file.name).unlink()


def _joined(every: list[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    for start in range(0, len(every), 10):
        yield every[start][0], [text for _, text in every[start : start + 10]]


def _jaccard(old: str, new: str) -> float:
    one, other = analyser.likenesses(old).keys(), analyser.likenesses(new).keys()
    return len(one & other) / max(1, len(one | other))


def remembering(size: int) -> None:
    """The check for what resembles a new text, and remembering with the check, at a size."""
    vocabulary, rng = words(), random.Random(11)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(store(size), Path(folder) / "bench.db"))
        os.sync()  # what the copy left to write would be waited for by the first to commit
        with Library.open(path) as library:
            edited = _some_edited(library, size, rng, vocabulary)
            _remembering(library, size, edited)


def _some_edited(
    library: Library, size: int, rng: random.Random, vocabulary: list[str]
) -> list[tuple[int, str]]:
    """(id, its text with two or three edits) of a hundred memories."""
    known = library.memories.several(rng.sample(range(1, size), 100))
    return [(each.id, _edited(each.content, rng, vocabulary)) for each in known]


def _remembering(library: Library, size: int, edited: list[tuple[int, str]]) -> None:
    def check(text: str, besides: int | None = None) -> list[int]:
        found = library.resembling.like(text, besides=besides, author=PERSON)
        return [each.memory.id for each in found]

    def remember(text: str) -> None:
        memory = library.memories.remember(Draft(text), **ME)
        check(text, memory.id)

    hit = sum(each in check(text) for each, text in edited)
    print(f"at {size:,}: {hit} of {len(edited)} changed copies found")
    _each("  the check", check, edited)
    _each("  remember and the check", remember, edited)


def _each(name: str, work: Callable[[str], object], edited: list[tuple[int, str]]) -> None:
    """Time the work on every text, and what of it the processor worked: others may be busy, too."""
    texts = iter([*edited, edited[0]])
    before = time.process_time()
    median, p95 = timed(lambda: work(next(texts)[1]), len(edited))
    row(name, median, p95, 20)
    each = (time.process_time() - before) * 1_000 / len(edited)
    print(f"{'    of the processor, mean':<46}{each:9.2f}")


if __name__ == "__main__":
    main()
