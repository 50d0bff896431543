"""The desk for credentials in what is stored already: found, masked, kept on purpose, forgotten.

A scan reads everything once, a page at a time, in the background and beside whatever else is done.
What it finds is told by place, kind and a masked excerpt; the credential itself is in no list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from remembrancer.core import policy, secrets
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.screening import (
    Finding,
    Held,
    credentials_of,
    excerpt,
    fingerprint,
    suspicious,
    texts_of,
)
from remembrancer.service import masking
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.long_reading import LongReading, Standing
from remembrancer.service.one_path import Ledger
from remembrancer.service.upkeep import UpkeepDesk
from remembrancer.store.screening import SealedDeed

PAGE = 100  # subjects that are read at once, unless their past is long
CHARACTERS = 2 << 20  # of the past that is read at once
MOST = 5_000  # findings of one scan
AT_ONCE = 500  # subjects that one deed masks
_LABEL = 80
_SUBJECTS = (Subject.MEMORY, Subject.ENTITY, Subject.RELATION, Subject.AGENT)

Told = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class ScanState:
    """How far a scan is: subjects `done` of `total`, what it found, when it ended (microseconds).

    `more` says that it ended early because it had found 5,000 already.
    """

    standing: Standing = Standing.NEVER
    done: int = 0
    total: int = 0
    findings: tuple[Finding, ...] = ()
    more: bool = False
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Masked:
    """What became of findings: how many credentials were masked, in which deeds (batches)."""

    count: int
    batches: tuple[int, ...]


class ScreeningDesk(LongReading[ScanState]):
    """Scans, masks and spares; only the person changes anything here. Any thread may ask."""

    def __init__(self, ground: Ground) -> None:
        super().__init__("screening", ScanState())
        self._ground = ground
        self._store = ground.store.screening

    def scan(self, told: Told = lambda done, total: None) -> tuple[Finding, ...]:
        """Read everything at once and return what was found; `told` hears how many of how many."""
        findings: tuple[Finding, ...] = ()
        for found, done, total in self._steps():
            findings = found
            told(done, total)
        return findings

    # --- what becomes of findings

    def mask(self, findings: Iterable[Finding], **doing: Unpack[Doing]) -> Masked:
        """Mask these credentials in all that is kept of their subjects, also in the past.

        A memory gets a new revision. What stood there is sealed, so that an undo of the deed puts
        it back. One deed masks at most 500 subjects; for more there are several.
        """
        policy.person_only(doing["author"], "mask what is stored")
        wanted: masking.Wanted = {}
        for each in findings:
            wanted.setdefault((each.subject, each.subject_id), set()).add(each.fingerprint)
        keys = list(wanted)
        parts = [keys[start : start + AT_ONCE] for start in range(0, len(keys), AT_ONCE)]
        done = [self._mask({key: wanted[key] for key in part}, doing) for part in parts]
        self._drop(findings_of(wanted))
        return Masked(sum(n for n, _ in done), tuple(batch for _, batch in done if batch))

    def keep(self, findings: Iterable[Finding], **doing: Unpack[Doing]) -> None:
        """Keep these credentials on purpose: they are not found again where they stand."""
        policy.person_only(doing["author"], "keep a secret on purpose")
        kept = list(findings)

        def work(ledger: Ledger) -> None:
            for each in kept:
                ledger.store.screening.spare(*each.key, ledger.now)

        self._ground.path.walk(work, **doing)
        self._drop({each.key for each in kept})

    def sealed(self) -> list[SealedDeed]:
        """The deeds of masking whose originals are still kept, the newest first."""
        return self._store.deeds()

    def forget_originals(self, batches: Iterable[int] | None = None, **doing: Unpack[Doing]) -> int:
        """Forget for good what deeds (None: all) masked; the file holds no byte of it any more.

        Backups and exports of before still do. Returns of how many deeds.
        """
        policy.person_only(doing["author"], "forget masked texts for good")
        sealed = [each.batch for each in self._store.deeds()]
        wanted = sealed if batches is None else [each for each in batches if each in sealed]

        def work(ledger: Ledger) -> None:
            for batch in wanted:
                masking.forget(ledger, batch)
                told = {"name": f"Originals of deed {batch}"}
                ledger.line(Deed.PURGE, Subject.AGENT, 0, told)

        if wanted:
            self._ground.path.walk(work, **doing)
        UpkeepDesk(self._ground).tidy()
        return len(wanted)

    # --- inside

    def _begun(self) -> ScanState:
        return ScanState(Standing.UNDER_WAY)

    def _failed(self) -> ScanState:
        return replace(self._state, standing=Standing.FAILED)

    def _read(self) -> ScanState:
        for found, done, total in self._steps():
            self._set(replace(self._state, done=done, total=total, findings=found))
            if self._stop.is_set():
                break
        return self._ended(self._state)

    def _ended(self, state: ScanState) -> ScanState:
        early = self._stop.is_set() and state.done < state.total
        standing = Standing.STOPPED if early else Standing.DONE
        more = len(state.findings) == MOST
        return replace(state, standing=standing, more=more, at=self._ground.clock())

    def _steps(self) -> Iterator[tuple[tuple[Finding, ...], int, int]]:
        """After each page: what was found so far, and how many subjects of how many were seen."""
        with self._ground.store.reading():
            total = sum(map(self._store.count, _SUBJECTS))
        findings: list[Finding] = []
        done = 0
        yield (), done, total
        for subject, ids in self._pages():
            findings += self._look(subject, ids)
            done += len(ids)
            yield tuple(findings[:MOST]), done, total
            if len(findings) >= MOST:
                return

    def _drop(self, keys: set[tuple[Subject, int, bytes]]) -> None:
        left = tuple(each for each in self._state.findings if each.key not in keys)
        self._set(replace(self._state, findings=left))

    def _mask(self, wanted: masking.Wanted, doing: Doing) -> tuple[int, int]:
        def work(ledger: Ledger) -> tuple[int, int]:
            return masking.mask(ledger, wanted, self._ground.review_days()), ledger.first

        return self._ground.path.walk(work, **doing)

    def _pages(self) -> Iterator[tuple[Subject, Sequence[int]]]:
        for subject in _SUBJECTS:
            last = 0
            while parts := self._parts(subject, last):
                last = parts[-1][-1]
                yield from ((subject, part) for part in parts)

    def _parts(self, subject: Subject, last: int) -> list[list[int]]:
        """The next numbers, in parts whose past is not too long to be read at once."""
        with self._ground.store.reading():
            ids = self._store.ids_after(subject, last, PAGE)
            sizes = self._store.sizes(subject, ids)
        return _in_parts(ids, sizes)

    def _look(self, subject: Subject, ids: Sequence[int]) -> list[Finding]:
        with self._ground.store.reading():
            held = self._store.held(subject, ids)
            texts = [text for each in held.values() for h in each for _, text in texts_of(h)]
            if not suspicious(texts):
                return []
            spared = self._store.spared(subject, ids)
            written = self._store.written(subject, ids)
        return [
            finding
            for each in ids
            for finding in _found(subject, each, held[each], written.get(each, 0))
            if (each, finding.fingerprint) not in spared
        ]


def _in_parts(ids: Sequence[int], sizes: Mapping[int, int]) -> list[list[int]]:
    """The numbers in order, in parts of no more characters than are read at once."""
    parts: list[list[int]] = []
    room = 0
    for each in ids:
        size = sizes.get(each, 0)
        if not parts or size > room:
            parts.append([])
            room = CHARACTERS
        parts[-1].append(each)
        room -= size
    return parts


def findings_of(wanted: masking.Wanted) -> set[tuple[Subject, int, bytes]]:
    """The keys of findings that are wanted."""
    return {(*key, each) for key, prints in wanted.items() for each in prints}


def _found(subject: Subject, subject_id: int, held: Sequence[Held], at: int) -> list[Finding]:
    """What there is of one subject, each credential once."""
    texts = [(_place(h, field), text) for h in held for field, text in texts_of(h)]
    known = credentials_of(text for _, text in texts)
    found: dict[bytes, Finding] = {}
    for place, text in texts:
        for which, secret in enumerate(known.get(text, ())):
            mark = fingerprint(subject, subject_id, text[secret.start : secret.end])
            earlier = found.get(mark)
            if earlier is None:
                shown = excerpt(text, known[text], which)
                label = _label(held)
                found[mark] = Finding(
                    subject, subject_id, mark, secret.kind, (place,), 1, shown, label, at
                )
            else:
                places = tuple(dict.fromkeys((*earlier.places, place)))
                found[mark] = replace(earlier, places=places, count=earlier.count + 1)
    return list(found.values())


def _place(held: Held, field: str) -> str:
    if held.place == "journal":
        return "history"
    return "proposal" if held.place == "proposal" else field


def _label(held: Sequence[Held]) -> str:
    """What a subject is, in a few words without its credentials."""
    own = {h.field: h.text for h in held if h.place not in ("journal", "proposal")}
    said = next((own[name] for name in ("title", "name", "type", "content") if own.get(name)), "")
    line = secrets.mask(said)[0].strip().split("\n", 1)[0]
    return line if len(line) <= _LABEL else f"{line[: _LABEL - 1]}…"
