"""A library does what a dictionary of memories would do, whoever acts and in any order."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from conftest import Hand
from faults.length import at_length
from remembrancer.core.author import PERSON, Access, Author, AuthorKind
from remembrancer.core.errors import Conflict, NotFound, Refused, RemembrancerError
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.memory import Draft, Edit, Status
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

NAMES = ("A", "B", "C")
TYPE = "rests on"
AUTHORS = (
    PERSON,
    Author("writer", AuthorKind.AGENT),
    Author("reader", AuthorKind.AGENT, Access.READ),
    Author("tenant", AuthorKind.AGENT, entity="A"),
)

authors = st.sampled_from((*AUTHORS[:2], *AUTHORS))
names = st.sampled_from(NAMES)
homes = st.sampled_from((*NAMES, None))
contents = st.sampled_from(("tea", "coffee", "water", "größe"))
keys = st.sampled_from((None, "drink", "size"))
numbers = st.integers(0, 40)  # which of the memories, batches or revisions there are
sights = st.sampled_from(("right", "right", "wrong", "none"))


@dataclass(frozen=True)
class State:
    """A memory as the model has it; `removed`: this revision is a tombstone's first."""

    entity: str | None
    home: int | None  # the number of the entity: a name that is created anew is another one
    key: str | None
    content: str
    status: Status = Status.ACTIVE
    removed: bool = False


class Model(RuleBasedStateMachine):
    """The library beside the dictionary; `_memories` holds every revision of every memory."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._library = Library.open(Path(self._folder.name) / "memories.db", Hand())
        self._memories: dict[int, list[State]] = {}
        self._entities: dict[str, int] = {}
        self._relations: set[tuple[str, str]] = set()
        self._batches: list[int] = []

    def teardown(self) -> None:
        problems = self._library.upkeep.problems()
        self._library.close()
        self._folder.cleanup()
        assert problems == []

    # --- what is done

    @initialize()
    def begin(self) -> None:
        """Two entities with two memories each, and one that is unfiled."""
        for name in ("A", "B"):
            self.create(PERSON, name)
            self.remember(PERSON, name, "drink", "tea")
            self.remember(PERSON, name, None, "water")
        self.remember(PERSON, None, None, "tea")

    @rule(author=authors, name=names)
    def create(self, author: Author, name: str) -> None:
        def work(doing: Doing) -> None:
            made = self._library.graph.create([NewEntity(name, "thing")], **doing)
            assert [e.name for e in made] == ([] if name in self._entities else [name])
            for each in made:
                self._entities[name] = each.id

        self._do(author, work, self._policy(author, name))

    @rule(author=authors, name=names, seldom=st.integers(0, 3))
    def delete_entity(self, author: Author, name: str, seldom: int) -> None:
        if seldom:
            return

        def work(doing: Doing) -> None:
            assert self._library.graph.delete([name], **doing) == [
                n for n in [name] if n in self._entities
            ]
            home = self._entities.pop(name, None)
            for states in self._memories.values():
                if home is not None and states[-1].home == home and _lives(states[-1]):
                    states.append(replace(states[-1], status=Status.DELETED, removed=True))
            self._relations = {r for r in self._relations if name not in r}

        self._do(author, work, self._policy(author, name))

    @rule(author=authors, source=names, end=names)
    def relate(self, author: Author, source: str, end: str) -> None:
        def work(doing: Doing) -> None:
            made = self._library.graph.relate([Triple(source, end, TYPE)], **doing)
            there = {source, end} <= set(self._entities)
            assert len(made) == (there and (source, end) not in self._relations)
            self._relations |= {(source, end)} if there else set()

        self._do(author, work, self._policy(author, source, end))

    @rule(author=authors, source=names, end=names)
    def unrelate(self, author: Author, source: str, end: str) -> None:
        def work(doing: Doing) -> None:
            gone = self._library.graph.unrelate([Triple(source, end, TYPE)], **doing)
            assert len(gone) == ((source, end) in self._relations)
            self._relations.discard((source, end))

        self._do(author, work, self._policy(author, source, end))

    @rule(author=authors, entity=homes, key=keys, content=contents)
    def remember(self, author: Author, entity: str | None, key: str | None, content: str) -> None:
        key = key if entity else None
        wanted = State(entity, self._entities.get(entity or ""), key, content)
        refusal = self._policy(author, entity)
        if refusal is None and entity is not None and wanted.home is None:
            refusal = NotFound
        keyed = self._twin(wanted, lambda s: key is not None and s.key == key)
        same = self._twin(wanted, lambda s: s.content == content)
        if refusal is None and same not in (None, keyed) and (keyed is not None or key is not None):
            holds_it = keyed is None and same is not None and self._memories[same][-1].key == key
            refusal = None if holds_it else Conflict

        def work(doing: Doing) -> None:
            memory = self._library.memories.remember(Draft(content, entity, key), **doing)
            if keyed is not None:
                assert memory.id == keyed
                self._change(keyed, content=content, status=Status.ACTIVE)
            elif same is not None:
                assert memory.id == same
            else:
                assert memory.id not in self._memories
                self._memories[memory.id] = [wanted]

        self._do(author, work, refusal)

    @rule(author=authors, number=numbers, content=contents, sight=sights)
    def revise(self, author: Author, number: int, content: str, sight: str) -> None:
        self._edit(author, number, sight, Edit(content=content), content=content)

    @rule(author=authors, number=numbers, sight=sights)
    def archive(self, author: Author, number: int, sight: str) -> None:
        self._edit(author, number, sight, Edit(status=Status.ARCHIVED), status=Status.ARCHIVED)

    @rule(author=authors, number=numbers, sight=sights)
    def revive(self, author: Author, number: int, sight: str) -> None:
        self._edit(author, number, sight, Edit(status=Status.ACTIVE), status=Status.ACTIVE)

    @rule(author=authors, number=numbers, sight=sights)
    def delete(self, author: Author, number: int, sight: str) -> None:
        id = self._chosen(number)
        if id is None:
            return
        state = self._memories[id][-1]

        def work(doing: Doing) -> None:
            self._library.memories.delete(id, expected=self._seen(id, sight), **doing)
            if _lives(state):
                self._memories[id].append(replace(state, status=Status.DELETED, removed=True))

        self._do(author, work, self._unseen(author, id) or self._stale(sight))

    @rule(author=authors, number=numbers, revision=numbers)
    def restore(self, author: Author, number: int, revision: int) -> None:
        id = self._chosen(number)
        if id is None:
            return
        states = self._memories[id]
        revision = revision % (len(states) + 1)
        earlier = states[revision - 1] if revision else None
        known = earlier is not None and not earlier.removed
        refusal = self._unseen(author, id) or (None if known else NotFound)
        refusal = refusal or (self._clash(id, earlier) if earlier else None)

        def work(doing: Doing) -> None:
            self._library.memories.restore(id, revision, **doing)
            assert earlier is not None
            states.append(earlier)

        self._do(author, work, refusal)

    @rule(author=authors, number=numbers)
    def undo(self, author: Author, number: int) -> None:
        if not self._batches:
            return
        batch = self._batches[-1 - number % len(self._batches)]
        try:
            self._do(author, lambda doing: self._library.journal.undo(batch, **doing), None)
        except Refused:
            assert author is not PERSON
        except Conflict:
            assert author is PERSON
        else:
            assert author is PERSON
            self._learn(batch)

    # --- what holds

    @invariant()
    def the_memories_are_those_of_the_model(self) -> None:
        assert self._library.upkeep.facts()["rows"]["memory"] == len(self._memories)
        for id, states in self._memories.items():
            memory = self._library.memories.get(id)
            found = (memory.entity_id, memory.key, memory.content, memory.status, memory.revision)
            last = states[-1]
            assert found == (last.home, last.key, last.content, last.status, len(states))

    @invariant()
    def every_revision_is_in_the_history_as_it_was(self) -> None:
        for id, states in self._memories.items():
            lines = self._library.memories.history(id)[::-1]
            assert [line.revision for line in lines] == list(range(1, len(states) + 1))
            for line, state in zip(lines, states, strict=True):
                assert (line.deed is Deed.DELETE) == state.removed
                kept = line.snapshot or {}
                if not state.removed:
                    found = kept["content"], kept["status"], kept["key"], kept["revision"]
                    assert found == (state.content, state.status, state.key, line.revision)

    @invariant()
    def the_graph_is_that_of_the_model_and_nothing_stands_twice(self) -> None:
        graph = self._library.graph.read()
        assert {n.entity.name: n.entity.id for n in graph.nodes} == self._entities
        assert {(r.source, r.target) for r in graph.relations} == self._relations
        living = [s[-1] for s in self._memories.values() if _lives(s[-1]) and s[-1].home]
        assert len({(s.home, s.content) for s in living}) == len(living)
        keyed = [s for s in living if s.key]
        assert len({(s.home, s.key) for s in keyed}) == len(keyed)
        assert {s.home for s in living} <= set(self._entities.values())

    # --- how

    def _do(
        self, author: Author, work: Callable[[Doing], Any], refusal: type[RemembrancerError] | None
    ) -> None:
        """Do it, in vain when the model expects a refusal, which leaves no trace."""
        head = self._library.journal.head()
        try:
            work({"author": author, "origin": "test"})
        except RemembrancerError as refused:
            assert self._library.journal.head() == head
            if refusal is None or not isinstance(refused, refusal):
                raise
            return
        assert refusal is None
        lines = self._library.journal.after(head)
        assert {line.batch for line in lines} <= {head + 1}
        self._batches += [head + 1] if lines else []

    def _edit(self, author: Author, number: int, sight: str, edit: Edit, **changed: Any) -> None:
        id = self._chosen(number)
        if id is None or self._homeless(id):
            return
        wanted = replace(self._memories[id][-1], removed=False, **changed)
        refusal = self._unseen(author, id) or self._stale(sight)
        if refusal is None and wanted != replace(self._memories[id][-1], removed=False):
            refusal = self._clash(id, wanted)

        def work(doing: Doing) -> None:
            self._library.memories.revise(id, edit, expected=self._seen(id, sight), **doing)
            self._change(id, **changed)

        self._do(author, work, refusal)

    def _homeless(self, id: int) -> bool:
        """Whether the entity of a memory is gone, so that only restoring speaks of it."""
        home = self._memories[id][-1].home
        return home is not None and home not in self._entities.values()

    def _change(self, id: int, **changed: Any) -> None:
        last = replace(self._memories[id][-1], removed=False)
        after = replace(last, **changed)
        if after != last:
            self._memories[id].append(after)

    def _chosen(self, number: int) -> int | None:
        ids = list(self._memories)
        return ids[number % len(ids)] if ids else None

    def _seen(self, id: int, sight: str) -> int | None:
        return {"right": len(self._memories[id]), "wrong": len(self._memories[id]) + 1}.get(sight)

    def _stale(self, sight: str) -> type[RemembrancerError] | None:
        return Conflict if sight == "wrong" else None

    def _policy(self, author: Author, *entities: str | None) -> type[RemembrancerError] | None:
        strange = author.entity is not None and any(e != author.entity for e in entities)
        return Refused if author.access is Access.READ or strange else None

    def _unseen(self, author: Author, id: int) -> type[RemembrancerError] | None:
        state = self._memories[id][-1]
        hidden = not _lives(state) and not author.is_person
        strange = author.entity is not None and state.entity != author.entity
        return NotFound if hidden or strange else self._policy(author, state.entity)

    def _twin(self, wanted: State, alike: Callable[[State], bool]) -> int | None:
        """The living memory of the same entity that is alike, if any."""
        for id, states in self._memories.items():
            last = states[-1]
            if (
                wanted.home is not None
                and last.home == wanted.home
                and _lives(last)
                and alike(last)
            ):
                return id
        return None

    def _clash(self, id: int, wanted: State) -> type[RemembrancerError] | None:
        if not _lives(wanted) or wanted.home is None:
            return None
        if wanted.home not in self._entities.values():
            return Conflict
        same = self._twin(wanted, lambda s: s.content == wanted.content)
        keyed = self._twin(wanted, lambda s: wanted.key is not None and s.key == wanted.key)
        return None if {same, keyed} <= {None, id} else Conflict

    def _learn(self, undone: int) -> None:
        """Take over what an undo did, once it is sure that it put back what stood before."""
        for line in self._library.journal.after(self._batches[-1] - 1):
            if line.subject is Subject.MEMORY:
                self._put_back(line.subject_id, line.deed is Deed.DELETE, undone)
        graph = self._library.graph.read()
        self._entities = {n.entity.name: n.entity.id for n in graph.nodes}
        self._relations = {(r.source, r.target) for r in graph.relations}

    def _put_back(self, id: int, removed: bool, undone: int) -> None:
        states = self._memories[id]
        revisions = [
            x.revision or 0
            for x in self._library.journal.batch(undone)
            if x.subject_id == id and x.subject is Subject.MEMORY
        ]
        earlier = min(revisions) - 2  # the place of the state before it
        if removed:
            assert earlier < 0 or states[earlier].removed
            states.append(replace(states[-1], status=Status.DELETED, removed=True))
        else:
            states.append(states[earlier])


def _lives(state: State) -> bool:
    return state.status is not Status.DELETED


def run(examples: int, steps: int) -> None:
    """So many lives of a library, each of so many deeds."""
    run_state_machine_as_test(
        Model,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=True,
            database=None, phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip


def test_the_library_does_what_a_dictionary_would_do() -> None:
    run(8, 30)


@at_length
def test_the_library_does_so_for_long() -> None:
    run(300, 60)
