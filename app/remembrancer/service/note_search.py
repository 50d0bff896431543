"""The desk for memo's search: a cascade from all the words down to any of them and their kin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from remembrancer.core import analyser, crossing, memo_search, memo_syntax, policy
from remembrancer.core.analyser import Asked
from remembrancer.core.author import Author
from remembrancer.core.kinds import Kind
from remembrancer.core.memo_search import View
from remembrancer.core.memo_syntax import Wanted
from remembrancer.core.memory import Memory, Status
from remembrancer.core.ranking import Rated, Signal
from remembrancer.service.desk import Ground
from remembrancer.service.finding import Finder
from remembrancer.store.note_search import Among, NoteIndex, Reach, Tagged
from remembrancer.store.store import Store

LIMIT = 50
_WIDE = 200  # candidates whose texts are looked at for the words themselves
_EXPLICIT = 500  # the same for a question in the syntax
_COUNTED = 1_000  # hidden memories up to which they are counted
_PAGE = 50
_ANY = 16  # words of which any one is enough
# What a memory itself has of a question, unlike what others around it have.
_OWN = (Signal.WORDS, Signal.PARTS, Signal.PHRASE, Signal.MISSPELT, Signal.AKIN)
_BELIEVED = 400_000  # characters looked through; of what is left the index is believed
_REFUSED = 2_000_000  # the same where only the text can tell, and what is left is left out


class Note(StrEnum):
    """What an answer has to say about how it came about."""

    SIGNS_IGNORED = "signs ignored"
    ANY_WORD = "any word"
    PARTS = "parts"
    ASKED_BEFORE = "asked before"


@dataclass(frozen=True, slots=True)
class NoteQuestion:
    """What is asked, and among which memories.

    `kinds` None are all, where `chronicle` False hides the chronicle. `tags` are found as phrases
    among a memory's tags, any of them. `superseded` lets archived memories through. `first` are
    ids that come first if they pass the filters.
    """

    query: str
    limit: int
    kinds: frozenset[Kind] | None
    chronicle: bool
    tags: tuple[str, ...]
    superseded: bool
    first: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteAnswer:
    """The hits, best first; `words` False: the question held nothing to search for.

    `hidden_chronicle` counts the chronicle's memories with all the words, `outside` is a better
    one without the tags that were asked for.
    """

    hits: tuple[Memory, ...]
    notes: tuple[Note, ...]
    hidden_chronicle: int
    outside: Memory | None
    words: bool


class NoteSearchDesk:
    """Answers a question as memo does."""

    def __init__(self, ground: Ground) -> None:
        self._store = ground.store

    def ask(self, question: NoteQuestion, author: Author) -> NoteAnswer:
        """The answer to a question, of what the author may see; no question whatever raises."""
        with self._store.reading():
            wanted = memo_syntax.parsed(question.query)
            inquiry = _Inquiry(self._store, question, author)
            return inquiry.by_words() if wanted is None else inquiry.by_syntax(wanted)


class _Inquiry:
    """One question under way."""

    def __init__(self, store: Store, question: NoteQuestion, author: Author) -> None:
        self._store = store
        self._looking = Looking(store)
        self._question = question
        self._author = author
        self._limit = max(1, min(LIMIT, question.limit))
        self._tags = tuple(tag for tag in question.tags if tag.strip())
        self._terms = memo_search.terms(question.query)
        telling = tuple(term for term in self._terms if term.telling) or self._terms
        self._telling = telling[:_ANY]
        self._counts: dict[str, int] = {}
        self._among = self._filter()
        self._reach = store.note_index.reach(self._among)

    def by_syntax(self, wanted: Wanted) -> NoteAnswer:
        """Exactly what an expression wants, without any stage after it."""
        expressions = memo_syntax.candidates(wanted)

        def found(reach: Reach, most: int, looked_at: int) -> list[Memory]:
            hits: list[Memory] = []
            for expression in expressions:
                ids = self._store.note_index.find(expression, reach, looked_at)
                hits += self._looking.at(ids, lambda seen: memo_syntax.wants(wanted, seen), most)
                if len(hits) >= most:
                    break
            return _once(hits)[:most]

        hidden = self._hidden()
        count = len(found(hidden, _COUNTED, _COUNTED)) if hidden else 0
        hits = found(self._reach, self._limit, _EXPLICIT)
        return NoteAnswer(tuple(hits), (), count, None, True)

    def by_words(self) -> NoteAnswer:
        """All the words, or any of them, and what is akin to them in the places left."""
        if not self._terms:
            return NoteAnswer((), (), 0, None, False)
        every = self._every(self._reach, self._limit)
        exact, kin = (every, self._filling(every)) if every else self._fallen_back()
        first = self._asked_before()
        hits = _once((*first, *exact, *kin))[: self._limit]
        known = {memory.id for memory in (*first, *exact)}
        noted = {
            Note.SIGNS_IGNORED: memo_syntax.has_syntax(self._question.query),
            Note.ANY_WORD: bool(exact) and not every,
            Note.PARTS: any(memory.id not in known for memory in hits),
            Note.ASKED_BEFORE: bool(first),
        }
        notes = tuple(note for note, holds in noted.items() if holds)
        outside = None if every else self._outside(exact)
        return NoteAnswer(tuple(hits), notes, self._count_hidden(), outside, True)

    def _filling(self, exact: Sequence[Memory]) -> list[Memory]:
        """What has all the words in some form, where places are left."""
        if len(exact) >= self._limit:
            return []
        kin = self._kin()
        if len(_once((*exact, *kin))) < self._limit:
            kin += self._akin(analyser.asked(self._question.query))
        return kin

    def _fallen_back(self) -> tuple[list[Memory], list[Memory]]:
        """Memories with any of the words, those akin to all of them in front, and what is akin."""
        some, kin = self._some(self._reach), self._kin()
        akin: list[Memory] = []
        if len(_once((*some, *kin))) < self._limit:
            akin = self._akin(None)
        exact = _once((*filter(self._words_of, (*kin, *akin)), *some))
        return exact, [*kin, *akin]

    def _filter(self) -> Among:
        question = self._question
        archived = (Status.ARCHIVED,) if question.superseded else ()
        hides = question.kinds is None and not question.chronicle
        return Among(
            statuses=(Status.ACTIVE, *archived),
            kinds=question.kinds,
            but_kind=Kind.CHRONICLE if hides else None,
            entity=self._author.entity,
            tagged=tagged(self._store.note_index, self._tags) if self._tags else None,
        )

    def _hidden(self) -> Reach | None:
        """What the chronicle holds of the rest of the filter, where it is hidden."""
        if self._among.but_kind is None:
            return None
        kinds = frozenset({self._among.but_kind})
        return self._store.note_index.reach(replace(self._among, kinds=kinds, but_kind=None))

    def _count_hidden(self) -> int:
        hidden = self._hidden()
        if hidden is None:
            return 0
        ids = self._store.note_index.find(memo_search.all_of(self._terms), hidden, _COUNTED)
        return len(self._looking.at(ids, self._has_all, _COUNTED, believe=True))

    def _has_all(self, seen: View) -> bool:
        return seen.count(self._terms) == len(self._terms)

    def _every(self, reach: Reach, most: int) -> list[Memory]:
        """Memories with all the words in their own form, the very phrase in front."""
        ids = self._store.note_index.find(memo_search.all_of(self._terms), reach, _WIDE)
        front = self._phrase(reach, most) if ids else []
        found = self._looking.at(ids, self._has_all, most + len(front), believe=True)
        return _once((*front, *found))[:most]

    def _phrase(self, reach: Reach, most: int) -> list[Memory]:
        """Memories with the whole question as it stands."""
        spoken = analyser.spoken(self._question.query)
        if not 0 < spoken.count(" ") < memo_search.TERMS:
            return []
        expression = memo_search.phrase(self._question.query)
        ids = self._store.note_index.find(expression, reach, _WIDE)
        return self._looking.at(ids, lambda seen: seen.holds(spoken), most)

    def _some(self, reach: Reach) -> list[Memory]:
        """Memories with at least one word in its own form."""
        if len(self._terms) < 2:
            return []
        if not self._counts:
            self._counts = self._store.note_index.frequencies(term.own for term in self._telling)
        ids = self._store.note_index.find_any(self._counts, reach, _WIDE // 2)
        return [m for m in self._store.memories.several(ids) if self._words_of(m)][: self._limit]

    def _kin(self) -> list[Memory]:
        """Memories with all the words as parts of longer ones, then those with other forms."""
        holding = self._store.words.holding([f for term in self._telling for f in term.forms])
        longer = {term: memo_search.longer(term, holding) for term in self._telling}
        ids: list[int] = []
        for expression in memo_search.kin(longer):
            ids += self._store.note_index.find(expression, self._reach, LIMIT)
        return self._store.memories.several(list(dict.fromkeys(ids)))

    def _akin(self, asked: Asked | None) -> list[Memory]:
        """What the engine of search finds; with `asked` only what has all of that in some form."""
        wanted = frozenset(word.folded for word in asked.words) if asked else frozenset[str]()
        found = Finder(self._store).find(self._question.query, self._reach)
        ids = [r.candidate.id for r in found if (has := _has(r)) and wanted <= has]
        return self._store.memories.several(ids[:LIMIT])

    def _asked_before(self) -> list[Memory]:
        found = self._store.memories.several(self._question.first[:LIMIT])
        return [memory for memory in found if self._passes(memory)]

    def _passes(self, memory: Memory) -> bool:
        among = self._among
        of_kind = among.kinds is None or memory.kind in among.kinds
        return (
            memory.status in among.statuses
            and of_kind
            and memory.kind is not among.but_kind
            and policy.sees(self._author, memory.entity)
            and (not self._tags or self._is_tagged(memory))
        )

    def _is_tagged(self, memory: Memory) -> bool:
        return memo_search.tagged(self._tags, crossing.memo_tags(memory))

    def _outside(self, inside: Sequence[Memory]) -> Memory | None:
        """The best hit of all, if it lacks the tags and has more of the words than those inside."""
        if not self._tags or self._author.entity is not None:
            return None
        reach = self._store.note_index.reach(replace(self._among, tagged=None))
        best = self._every(reach, 1) or self._some(reach)
        if not best or self._is_tagged(best[0]):
            return None
        most = max(map(self._words_of, inside), default=0)
        return best[0] if self._words_of(best[0]) > most else None

    def _words_of(self, memory: Memory) -> int:
        return self._looking.view(memory).count(self._telling)


class Looking:
    """Reads memories and looks through their texts, once each, as far as effort goes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._views: dict[int, View] = {}
        self._characters = 0

    def view(self, memory: Memory) -> View:
        """How a memory is looked through."""
        if memory.id not in self._views:
            self._views[memory.id] = memo_search.view(memory)
            self._characters += len(memory.content)
        return self._views[memory.id]

    def at(
        self, ids: Sequence[int], fits: Callable[[View], bool], most: int, *, believe: bool = False
    ) -> list[Memory]:
        """The first `most` memories whose text fits; with `believe` those not looked at fit too."""
        found: list[Memory] = []
        bound = _BELIEVED if believe else _REFUSED
        for start in range(0, len(ids), _PAGE):
            for memory in self._store.memories.several(ids[start : start + _PAGE]):
                tired = self._characters > bound and memory.id not in self._views
                if believe if tired else fits(self.view(memory)):
                    found.append(memory)
            if len(found) >= most:
                break
        return found[:most]


def tagged(index: NoteIndex, tags: Sequence[str]) -> Tagged:
    """Whom the tags find: entities and tags with one of them among their words, as a phrase."""
    words = [memo_search.landmark(tag) for tag in tags]
    entities = index.entities_like(words)
    return Tagged(
        tuple(id_ for id_, name in entities if memo_search.tagged(tags, (name,))),
        tuple(name for name in index.tags_like(words) if memo_search.tagged(tags, (name,))),
    )


def _has(rated: Rated) -> frozenset[str]:
    """The words of a question that a memory itself has in some form."""
    return frozenset(each.asked for each in rated.evidence if each.signal in _OWN)


def _once(memories: Iterable[Memory]) -> list[Memory]:
    return list({memory.id: memory for memory in memories}.values())
