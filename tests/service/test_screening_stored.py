"""Credentials that are stored already: found everywhere, masked with their past, let out again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from notation import WINDOW, build
from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.errors import Refused
from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.journal import Subject
from remembrancer.core.memory import Draft, Edit, Memory
from remembrancer.core.screening import Finding
from remembrancer.service import screening
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library
from remembrancer.service.long_reading import Standing
from remembrancer.service.one_path import Secrets

# Put together at run time, so that none stands in this file.
TOKEN = "gh" + "p_" + "aB3dE6" * 6
OTHER = "gh" + "p_" + "zY8xW5" * 6
PHRASE = "Zq7" + "kLp2xVt9"
OLD = f"Das Kennwort lautet {PHRASE}"


def keep(library: Library, content: str, **fields: object) -> Memory:
    """A memory from the time before anything was screened: nobody spared its credentials."""
    draft = replace(Draft(content), **fields)  # type: ignore[arg-type]
    memory = library.memories.remember(draft, secrets=Secrets.KEEP, **WINDOW)
    unspare(library)
    return memory


def unspare(library: Library) -> None:
    store = library._store
    store.write(lambda: store.connections.sql("DELETE FROM spared"))


def change(library: Library, memory: Memory, **fields: object) -> Memory:
    found = library.memories.revise(
        memory.id,
        Edit(**fields),  # type: ignore[typeddict-item]
        secrets=Secrets.KEEP,
        **WINDOW,
    )
    unspare(library)
    return found


def in_file(library: Library, text: str) -> bool:
    files = (library.path, Path(f"{library.path}-wal"))
    return any(text.encode() in file.read_bytes() for file in files if file.exists())


def served(library: Library) -> str:
    """Everything that somebody could be shown: memories, history, entities, proposals."""
    lines = library.journal.after(0)
    shown = library.memories.browse(Filter(state=State.ALL), Order.NEWEST, 1_000)
    rows = library._store.connections.sql("SELECT title, content, words, stems FROM memory")
    words = library._store.connections.sql("SELECT term FROM word")
    names = library._store.connections.sql("SELECT name, lookup, type FROM entity")
    return repr((lines, shown, rows, words, names))


def one(library: Library) -> Finding:
    (found,) = library.screening.scan()
    return found


def test_a_scan_tells_place_and_kind_and_never_the_credential(library: Library) -> None:
    build(library, "nas")
    memory = keep(library, f"use {TOKEN} for the backup", entity="nas")
    change(library, memory, content="use the vault for the backup")
    found = one(library)
    assert (found.subject, found.subject_id) == (Subject.MEMORY, memory.id)
    assert (found.kind, found.places, found.count) == ("github_token", ("history",), 1)
    assert found.excerpt == "use [REDACTED:github_token] for the backup"
    assert TOKEN not in repr(found)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", f"token {TOKEN}"),
        ("source", f"mail with {TOKEN}"),
        ("tags", ("nas", TOKEN)),
        ("key", TOKEN),
        ("content", OLD),
    ],
)
def test_every_field_of_a_memory_is_found_masked_and_put_back(
    library: Library, field: str, value: object
) -> None:
    fields: dict[str, object] = {"content": "a plain word", field: value}
    before = keep(library, **fields)  # type: ignore[arg-type]
    found = one(library)
    assert set(found.places) == {field, "history"}
    masked = library.screening.mask([found], **WINDOW)
    assert masked.count == 1
    secret = PHRASE if field == "content" else TOKEN
    assert secret not in served(library)
    assert secret.lower() not in served(library)
    after = library.memories.get(before.id)
    assert (after.revision, after.author) == (before.revision + 1, "you")
    library.journal.undo(masked.batches[0], **WINDOW)
    assert getattr(library.memories.get(before.id), field) == getattr(before, field)
    assert one(library).key == found.key
    assert not library.screening.sealed()


def test_names_types_and_reasons_are_found_and_masked_too(library: Library) -> None:
    name, kind = f"host {TOKEN}", f"type {OTHER}"
    doing = {**WINDOW, "secrets": Secrets.KEEP}
    library.graph.create([NewEntity("ann", kind), NewEntity(name, "thing", ("loud",))], **doing)
    library.graph.relate([Triple("ann", name, f"knows {OTHER}")], **doing)
    library.graph.forget([(name, ["loud"])], **WINDOW)
    found = library.screening.scan()
    assert {f.subject for f in found} == {Subject.MEMORY, Subject.ENTITY, Subject.RELATION}
    (batch,) = library.screening.mask(found, **WINDOW).batches
    said = served(library)
    assert TOKEN not in said
    assert TOKEN.lower() not in said
    assert OTHER not in said
    assert library.graph.named("host [REDACTED:github_token]").name
    assert library.screening.scan() == ()
    (relation,) = library.graph.read().relations
    assert relation.type == "knows [REDACTED:github_token]"
    library.journal.undo(batch, **WINDOW)
    (relation,) = library.graph.read().relations
    assert (relation.target, relation.type) == (name, f"knows {OTHER}")
    assert {f.key for f in library.screening.scan()} == {f.key for f in found}


def test_two_memories_that_would_become_one_stay_two(library: Library) -> None:
    build(library, "nas")
    first = keep(library, f"use {TOKEN}", entity="nas")
    second = keep(library, f"use {OTHER}", entity="nas")
    library.screening.mask(library.screening.scan(), **WINDOW)
    contents = [library.memories.get(m.id).content for m in (first, second)]
    assert contents == ["use [REDACTED:github_token]", "use [REDACTED:github_token] (2)"]


def test_tombstones_and_their_words_are_masked_and_put_back(library: Library) -> None:
    memory = keep(library, OLD)
    library.memories.delete(memory.id, **WINDOW)
    batch = library.screening.mask(library.screening.scan(), **WINDOW).batches[0]
    assert PHRASE not in served(library)
    assert PHRASE.lower() not in served(library)
    assert library.memories.get(memory.id).status == "deleted"
    library.journal.undo(batch, **WINDOW)
    assert library.memories.get(memory.id).content == OLD
    assert library.memories.get(memory.id).status == "deleted"


def test_only_the_chosen_credential_of_a_text_is_masked(library: Library) -> None:
    memory = keep(library, f"one {TOKEN} two {OTHER}")
    chosen = next(f for f in library.screening.scan() if "one [" in f.excerpt and f.count)
    library.screening.mask([chosen], **WINDOW)
    content = library.memories.get(memory.id).content
    assert (TOKEN in content) != (OTHER in content)


def test_what_is_kept_on_purpose_is_not_found_again(library: Library) -> None:
    keep(library, f"on purpose {TOKEN}")
    library.screening.keep(library.screening.scan(), **WINDOW)
    assert library.screening.scan() == ()
    keep_again = library.memories.remember(
        Draft(f"another {TOKEN}"), secrets=Secrets.KEEP, **WINDOW
    )
    assert keep_again.content == f"another {TOKEN}"
    assert library.screening.scan() == ()


def test_redone_masking_masks_the_past_again(library: Library) -> None:
    keep(library, OLD)
    batch = library.screening.mask(library.screening.scan(), **WINDOW).batches[0]
    undone = library.journal.undo(batch, **WINDOW)
    assert PHRASE in served(library)
    library.journal.undo(undone, **WINDOW)
    assert PHRASE not in served(library)
    assert library.screening.scan() == ()


def test_forgotten_originals_are_gone_from_the_file_and_cannot_be_brought_back(
    library: Library,
) -> None:
    memory = keep(library, f"{OLD} and {TOKEN}", title=f"title {OTHER}", key="door")
    change(library, memory, content=f"now {OTHER}", source=f"from {TOKEN}")
    batch = library.screening.mask(library.screening.scan(), **WINDOW).batches[0]
    assert in_file(library, TOKEN)
    assert library.screening.forget_originals(**WINDOW) == 1
    for secret in (TOKEN, OTHER, PHRASE, PHRASE.lower()):
        assert not in_file(library, secret)
    with pytest.raises(Refused, match="forgotten for good"):
        library.journal.undo(batch, **WINDOW)
    assert library.upkeep.problems() == []


def test_a_purged_memory_leaves_no_sealed_words(library: Library) -> None:
    memory = keep(library, OLD)
    library.screening.mask(library.screening.scan(), **WINDOW)
    library.memories.purge(memory.id, **WINDOW)
    library.upkeep.tidy()
    assert not in_file(library, PHRASE)


def test_an_agent_may_do_none_of_it(library: Library) -> None:
    keep(library, OLD)
    found = library.screening.scan()
    robin = Author("robin", AuthorKind.AGENT)
    deeds: list[Callable[[], object]] = [
        lambda: library.screening.mask(found, author=robin, origin="native"),
        lambda: library.screening.keep(found, author=robin, origin="native"),
        lambda: library.screening.forget_originals(author=robin, origin="native"),
    ]
    for deed in deeds:
        with pytest.raises(Refused):
            deed()
    assert library.screening.scan() == found
    assert PERSON.is_person


def test_a_scan_in_the_background_tells_how_far_it_is_and_what_it_found(library: Library) -> None:
    build(library, "; ".join(f"nas: fact number {n}" for n in range(250)))
    keep(library, OLD)
    heard: list[tuple[Standing, int, int]] = []
    desk = library.screening
    desk.listen(lambda: heard.append((desk.state.standing, desk.state.done, desk.state.total)))
    desk.begin()
    desk.wait()
    assert heard[0] == (Standing.UNDER_WAY, 0, 0)
    assert heard[-1] == (Standing.DONE, 252, 252)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)
    assert len(heard) > 4
    assert desk.state.findings == desk.scan()


def test_a_scan_can_be_stopped_and_begun_anew(library: Library) -> None:
    build(library, "; ".join(f"nas: fact number {n}" for n in range(250)))
    keep(library, OLD)
    desk = library.screening
    deaf = desk.listen(desk.stop)
    desk.begin()
    desk.wait()
    deaf()
    assert desk.state.standing is Standing.STOPPED
    assert desk.state.done < desk.state.total
    assert len(desk.scan()) == 1
    desk.begin()
    desk.wait()
    assert desk.state.standing is Standing.DONE
    assert len(desk.state.findings) == 1


def test_a_long_past_is_read_in_parts(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screening, "CHARACTERS", 600)
    build(library, "; ".join(f"nas: fact number {n}" for n in range(12)))
    keep(library, OLD)
    assert len(library.screening.scan()) == 1


def test_more_than_one_deed_is_needed_for_very_many(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screening, "AT_ONCE", 2)
    for n in range(5):
        keep(library, f"{OLD} {n}")
    masked = library.screening.mask(library.screening.scan(), **WINDOW)
    assert (masked.count, len(masked.batches)) == (5, 3)
    assert len(library.screening.sealed()) == 3
    assert library.screening.forget_originals(masked.batches[:1], **WINDOW) == 1
    assert len(library.screening.sealed()) == 2
