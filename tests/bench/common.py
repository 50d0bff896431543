"""What the benchmarks share: stores of a size, made once, and medians of what was timed."""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from remembrancer.core.author import PERSON
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library

ME: Doing = {"author": PERSON, "origin": "bench"}
FOLDER = Path(tempfile.gettempdir()) / "remembrancer-bench"
_FIRST = ("bastion", "staging", "billing", "router", "berth", "signing", "backup", "cluster")
_SECOND = ("database", "gateway", "queue", "planner", "key", "volume", "service", "printer")


def words(seed: int = 3, count: int = 5_000) -> list[str]:
    """A vocabulary in which few words are frequent and most are rare."""
    rng = random.Random(seed)
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    return ["".join(rng.choices(syllables, k=rng.randint(2, 5))) for _ in range(count)]


def sentence(rng: random.Random, vocabulary: list[str], length: int = 28) -> str:
    """A sentence whose words are frequent and rare as in real texts without their stop words."""
    spread = len(vocabulary) / 20
    places = (int(20 * spread ** rng.random()) - 20 for _ in range(length))
    return " ".join(vocabulary[p] for p in places)


def lines(memories: int) -> Iterator[str]:
    """A knowledge graph file with that many memories, ten an entity, two relations an entity."""
    rng, vocabulary = random.Random(7), words()
    entities = max(memories // 10, 1)
    for number in range(entities):
        texts = [f"{sentence(rng, vocabulary)} no {number * 10 + i}" for i in range(10)]
        name = f"{rng.choice(_FIRST)} {rng.choice(_SECOND)} {number}"
        yield json.dumps(
            {"type": "entity", "name": name, "entityType": name.split()[1], "observations": texts}
        )


def store(memories: int) -> Path:
    """A store with that many memories; made at the first call, then kept for the next."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{memories}.db"
    if path.exists():
        return path
    source = FOLDER / f"{memories}.jsonl"
    source.write_text("\n".join(lines(memories)) + "\n", encoding="utf-8")
    part = FOLDER / f"{memories}.part.db"
    part.unlink(missing_ok=True)
    began = time.perf_counter()
    with Library.open(part) as library:
        library.transfer.bring_in(source, **ME)
        library.upkeep.tidy()
    print(f"made a store of {memories:,} memories by import in {time.perf_counter() - began:.1f} s")
    part.rename(path)
    return path


def timed(work: Callable[[], object], times: int = 30) -> tuple[float, float]:
    """(median, 95th percentile) in milliseconds over `times` calls, after one that warms up."""
    work()
    found: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append((time.perf_counter() - began) * 1_000)
    found.sort()
    return statistics.median(found), found[int(len(found) * 0.95) - 1]


def row(name: str, median: float, p95: float, bound: float | None = None) -> None:
    """Print one line of a table; `bound` is what the 95th percentile should stay under."""
    verdict = "" if bound is None else f"   {'ok' if p95 <= bound else 'OVER'} (p95 ≤ {bound:g})"
    print(f"{name:<46}{median:9.2f} {p95:9.2f} ms{verdict}")
