"""The stores that recall is measured with: of a corpus, and of many memories of real words."""

from __future__ import annotations

import json
import random
import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any

from common import FOLDER, ME
from retrieval_sets import Corpus, paragraphs

from remembrancer.core.memory import Draft
from remembrancer.service.library import Library
from remembrancer.service.one_path import Secrets
from remembrancer.store import migrations

_PATIENCE = 7_200  # seconds until every memory has its vector
_LENGTH = 32  # words of a memory made of real words
_ANALYSERS = ("analyser",)


class Hands:
    """The hands of a clock, which the writing of a corpus moves."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at


def analyser() -> Any:
    """The module that gives the index its words."""
    name = next(n for n in _ANALYSERS if find_spec(f"remembrancer.core.{n}"))
    return import_module(f"remembrancer.core.{name}")


def edition() -> str | None:
    """What a kept store must have been made by; None where the analyser does not count."""
    version = getattr(analyser(), "VERSION", None)
    return None if version is None else f"a{version}-f{len(migrations.STEPS)}"


def opened(corpus: Corpus, kind: str, scratch: Path) -> tuple[Library, dict[str, int]]:
    """A store of the corpus at the time of its questions, with the memory of every unit.

    It is made in `scratch`, or kept for the next time when its edition is known.
    """
    folder = FOLDER / "recall" if edition() else scratch
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}-{corpus.name}-{edition()}-{corpus.digest()}.db"
    known = path.with_suffix(".json")
    if not known.exists():
        ids = _write(corpus, scratch / "written.db")
        shutil.move(scratch / "written.db", path)
        known.write_text(json.dumps(ids), encoding="utf-8")
    return Library.open(path, Hands(corpus.later)), json.loads(known.read_text(encoding="utf-8"))


def _write(corpus: Corpus, path: Path) -> dict[str, int]:
    """Let an agent remember everything, one after the other, as time goes by."""
    hands = Hands(corpus.written[0].at)
    ids: dict[str, int] = {}
    with Library.open(path, hands) as library:
        agent, _ = library.agents.add("bench", **ME)
        author = agent.author()
        for each in corpus.written:
            hands.at = each.at
            ids[each.unit] = library.memories.remember(
                Draft(each.content, each.entity), secrets=Secrets.KEEP, entity_type="person",
                author=author, origin="bench",
            ).id  # fmt: skip
    return ids


def by_meaning(library: Library) -> None:
    """Switch the search by meaning on and wait for every vector; ends where it is not to be had."""
    desk: Any = getattr(library, "meaning", None)
    if desk is not None:
        desk.switch(True)
    if desk is None or not desk.settle(_PATIENCE):
        raise SystemExit("The search by meaning is not to be had here.")


def _version_of(path: Path) -> int:
    """The format of a store's file, from its head: opening it would leave files beside it."""
    with path.open("rb") as stream:
        return int.from_bytes(stream.read(64)[60:], "big")


def current(path: Path) -> Path:
    """The store, or a copy of an earlier format brought to ours: what is kept is not changed."""
    if _version_of(path) == len(migrations.STEPS):
        return path
    copy = FOLDER / f"{path.stem}-f{len(migrations.STEPS)}.db"
    if not copy.exists():
        part = Path(shutil.copy(path, copy.with_suffix(".part.db")))
        began = time.perf_counter()
        Library.open(part).close()
        print(f"brought {path.name} to this format in {time.perf_counter() - began:.1f} s")
        part.rename(copy)
    return copy


# --- stores of real words


class RealWords:
    """The words of XQuAD as often as they stand there; half of the memories in each language."""

    def __init__(self, folder: Path) -> None:
        self.counts = [_counted(folder, language) for language in ("en", "de")]
        self._words = [list(c) for c in self.counts]
        self._weights = [list(accumulate(c.values())) for c in self.counts]

    def common(self) -> list[str]:
        """The words that say something, the most frequent first."""
        filler = analyser().is_filler
        both = (self.counts[0] + self.counts[1]).most_common()
        return [w for w, _ in both if len(w) > 3 and not filler(w.casefold()) and w.isalpha()]

    def lines(self, memories: int) -> Iterator[str]:
        """A knowledge graph file with that many memories, ten an entity."""
        rng = random.Random(11)
        for number in range(max(memories // 10, 1)):
            texts = [self._text(rng, (number + i) % 2) for i in range(10)]
            whole = {"name": f"subject {number}", "entityType": "subject", "observations": texts}
            yield json.dumps({"type": "entity", **whole}, ensure_ascii=False)

    def _text(self, rng: random.Random, language: int) -> str:
        words, weights = self._words[language], self._weights[language]
        # Real texts never run out of new words: every other memory has one of its own.
        rare = "".join(rng.choices(words, k=2)).lower() if rng.random() < 0.5 else ""
        return " ".join([*rng.choices(words, cum_weights=weights, k=_LENGTH), rare]).strip()

    def store(self, memories: int) -> Path:
        """A store of that many memories; made at the first call, then kept for the next."""
        path = FOLDER / f"real-{memories}.db"
        if not path.exists():
            FOLDER.mkdir(exist_ok=True)
            source, part = path.with_suffix(".jsonl"), path.with_suffix(".part.db")
            source.write_text("\n".join(self.lines(memories)) + "\n", encoding="utf-8")
            part.unlink(missing_ok=True)
            print(f"making a store of {memories:,} memories of real words", flush=True)
            with Library.open(part) as library:
                library.transfer.bring_in(source, **ME)
                library.upkeep.tidy()
            part.rename(path)
        return path


def _counted(folder: Path, language: str) -> Counter[str]:
    texts = (paragraph["context"] for paragraph in paragraphs(folder, language))
    return Counter(word for text in texts for word in re.findall(r"\w+", text))
