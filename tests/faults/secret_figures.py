"""How many secrets are found, how often ordinary text is taken for one, what it costs."""

from __future__ import annotations

import random
import statistics
import sysconfig
import time
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from faults.row import Row
from faults.secret_corpus import Case, cases, clean
from remembrancer.core.secrets import find

_PAGE = 8_192  # characters
_COVERED = 0.9  # of the characters of a secret, so that it counts as found
_SUFFIXES = {".py", ".md", ".rst", ".txt", ".toml", ".json", ".cfg"}
_LARGEST = 200_000  # characters of a file that are read


def measure(seeds: Sequence[int] = (7,), pages: int = 60, timed: int = 9) -> list[Row]:
    """Recall on the forms held out and on those tuned on, false alarms, and time a page.

    `seeds` make the values of the corpus, `pages` is how much ordinary text is read, in 8 kB, and
    `timed` how often the time is taken, which is the processor's and depends on the machine.
    """
    made = [case for seed in seeds for case in cases(seed)]
    held = [case for case in made if case.held_out]
    return [
        _recall("secrets found, forms held out", held, 0.8),
        *(_recall(f"- of them: {group}", part, None) for group, part in _groups(held)),
        _recall("secrets found, forms tuned on", [c for c in made if not c.held_out], 0.8),
        _recall("vendors' prefixes found", [c for c in made if "vendor" in c.form], 0.95),
        _alarms("clean texts held out", [c.text for c in clean() if c.held_out]),
        _alarms("clean texts tuned on", [c.text for c in clean() if not c.held_out]),
        _ordinary(pages),
        _time(timed),
    ]


def is_found(case: Case) -> bool:
    """Whether at least nine tenths of the secret are covered by what is found."""
    start = case.text.index(case.secret)
    places = range(start, start + len(case.secret))
    covered = {i for s in find(case.text) for i in range(s.start, s.end) if i in places}
    return len(covered) >= _COVERED * len(places)


def _groups(made: list[Case]) -> list[tuple[str, list[Case]]]:
    names = dict.fromkeys(case.group for case in made)
    return [(name, [case for case in made if case.group == name]) for name in names]


def _recall(what: str, made: list[Case], least: float | None) -> Row:
    found = sum(map(is_found, made))
    seen = f"{found} of {len(made)} ({found / len(made):.0%})"
    if least is None:
        return Row(what, "-", seen, True)
    return Row(what, f"at least {least:.0%}", seen, found >= least * len(made))


def _alarms(what: str, texts: list[str]) -> Row:
    """How many texts that were made to be mistaken are."""
    wrong = sum(bool(find(text)) for text in texts)
    seen = f"{wrong} of {len(texts)} texts"
    return Row(f"false alarms, {what}", "at most 5 %", seen, wrong <= 0.05 * len(texts))


def _ordinary(pages: int) -> Row:
    """Alarms in code and papers of the installed libraries; a true one would count as false."""
    texts = list(islice(_pages(), pages))
    alarms = sum(len(find(text)) for text in texts)
    rate = alarms / len(texts)
    seen = f"{rate:.4f} ({alarms} in {len(texts)} pages)"
    allowed = max(2.0, 0.02 * len(texts))  # one or two in few pages say nothing about the rate
    return Row("false alarms per 8 kB of ordinary text", "at most 0.02", seen, alarms <= allowed)


def _pages() -> Iterable[str]:
    """Pages of 8 kB in an order by chance, the same in every run over the same libraries."""
    root = Path(sysconfig.get_paths()["purelib"])
    files = sorted(file for file in root.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
    random.Random(3).shuffle(files)
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")[:_LARGEST]
        yield from (text[at : at + _PAGE] for at in range(0, len(text), _PAGE))


def _time(timed: int) -> Row:
    text = _mixture()
    took: list[float] = []
    for _ in range(timed):
        start = time.process_time()
        find(text)
        took.append((time.process_time() - start) * 1_000)
    middle = statistics.median(took)
    return Row("time of the processor for 8 kB", "at most 25 ms", f"{middle:.1f} ms", middle <= 25)


def _mixture() -> str:
    """8 kB: 6,000 characters of prose, the rest out of the corpus."""
    prose = "Der Router im Keller hängt am Switch Port 12. The user prefers short answers. "
    texts = [case.text for case in cases()][::4] + [case.text for case in clean()]
    return (prose * 100)[:6_000] + "\n".join(texts)[: _PAGE - 6_000]
