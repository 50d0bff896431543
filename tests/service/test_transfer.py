"""Files come in as one deed that can be undone, and the store goes out whole."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest

from conftest import Hand
from remembrancer.core.author import PERSON, Access, Author, AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.errors import BadFile, BadValue, Refused
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Draft
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library
from remembrancer.service.one_path import Secrets
from remembrancer.service.transfer import ImportReport

SHAPES = Path(__file__).parents[1] / "formats" / "shapes"
YOU = {"author": PERSON, "origin": "test"}


def bring(library: Library, name: str, **how: object) -> ImportReport:
    return library.transfer.bring_in(SHAPES / name, **how)  # type: ignore[arg-type]


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.entities, report.relations, report.memories, report.ghosts


def told(report: ImportReport) -> list[str]:
    return [f"{a.line}: {a.text}" for a in report.anomalies]


def graph(library: Library) -> str:
    """What the graph holds, as text."""
    found = library.graph.read()
    nodes = [f"{n.entity.name} ({n.entity.type}): {', '.join(n.observations)}" for n in found.nodes]
    links = [f"{r.source} -{r.type}-> {r.target}" for r in found.relations]
    return "\n".join([*nodes, *links])


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_a_dry_run_reports_the_same_and_writes_nothing(library: Library) -> None:
    for shape in sorted(SHAPES.iterdir()):
        if shape.name.startswith("25"):
            continue
        dry = library.transfer.bring_in(shape, dry_run=True)
        assert library.journal.head() == 0
        with Library.open(library.path.with_name(f"{shape.name}.db")) as fresh:
            wet = fresh.transfer.bring_in(shape)
        assert (counts(dry), dry.anomalies) == (counts(wet), wet.anomalies)


def test_what_is_there_already_stays_and_is_counted(library: Library) -> None:
    bring(library, "16_dangling.jsonl")
    again = bring(library, "16_dangling.jsonl")
    assert (counts(again), again.known, again.batch) == ((0, 0, 0, 0), 5, None)


def test_one_import_is_one_deed_and_undoing_it_leaves_nothing(library: Library) -> None:
    report = bring(library, "16_dangling.jsonl")
    assert {line.batch for line in library.journal.after(0)} == {report.batch}
    library.journal.undo(report.batch or 0, **YOU)
    assert graph(library) == ""
    assert library.map.count() == 0
    assert library.upkeep.problems() == []


def test_an_import_rings_the_bell_and_a_dry_run_does_not(library: Library) -> None:
    rings: list[int] = []
    library.bell.listen(lambda: rings.append(1))
    bring(library, "16_dangling.jsonl", dry_run=True)
    assert rings == []
    bring(library, "16_dangling.jsonl")
    assert rings == [1]


def test_names_that_only_relations_mention_become_ghosts(library: Library) -> None:
    report = bring(library, "16_dangling.jsonl")
    assert counts(report) == (1, 3, 1, 2)
    assert told(report) == [
        "2: Nobody defines 'PR #908', which a relation names; it was kept as a ghost.",
        "3: Nobody defines 'Ghost', which a relation names; it was kept as a ghost.",
    ]


def test_a_ghost_heals_when_a_file_defines_it(library: Library, tmp_path: Path) -> None:
    bring(library, "16_dangling.jsonl")
    file = tmp_path / "more.jsonl"
    file.write_text('{"type":"entity","name":"Ghost","entityType":"t","observations":["alive"]}')
    report = library.transfer.bring_in(file)
    assert (counts(report), library.graph.named("Ghost").ghost) == ((1, 0, 1, 0), False)
    assert "Ghost -uses-> Alpha" in graph(library)


def test_a_ghost_is_told_which_longer_name_may_be_meant(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "diet.jsonl"
    file.write_text(
        '{"type":"entity","name":"#885 Phase 4","entityType":"issue","observations":[]}\n'
        '{"type":"relation","from":"#885","to":"#885 Phase 4","relationType":"is"}\n'
    )
    assert "Perhaps '#885 Phase 4' is meant." in told(library.transfer.bring_in(file))[0]


def test_entities_that_disagree_are_joined_and_look_alikes_are_not(library: Library) -> None:
    report = bring(library, "15_duplicates_disagree.jsonl")
    assert graph(library) == (
        "server (project): port 8080, owner Ana, port 9090\nServer  (project): owner Bob"
    )
    assert told(report) == [
        "2: 'server' has the type 'project' already; the type 'reference' was left out, what is "
        "said of it was joined.",
        "3: 'Server ' looks like 'server'; they were kept apart.",
    ]


def test_two_spellings_of_one_name_are_one_entity(library: Library) -> None:
    report = bring(library, "18_nfc_nfd.jsonl")
    assert counts(report) == (1, 0, 2, 0)
    assert graph(library) == "Café Zürich (thing): nfc, nfd"


def test_every_hard_name_comes_in_as_data(library: Library) -> None:
    assert counts(bring(library, "17_names.jsonl")) == (19, 0, 19, 0)
    assert library.graph.named("../../etc").type == "thing"


def test_near_names_with_other_digits_are_never_called_alike(library: Library) -> None:
    report = bring(library, "26_merge_trap.jsonl")
    assert (counts(report), told(report)) == ((8, 0, 8, 0), [])


def test_credentials_are_masked_and_told_without_showing_them(library: Library) -> None:
    report = bring(library, "24_injection_and_secrets.jsonl")
    assert told(report) == ["2: The text holds a credential, which was masked."] * 3
    assert "A1b2A1b2" not in graph(library) + str(report)
    assert "A1b2A1b2" not in json.dumps([x.snapshot for x in library.journal.after(0)])


def test_credentials_can_be_kept_on_purpose_or_refused(library: Library) -> None:
    with pytest.raises(Refused):
        bring(library, "24_injection_and_secrets.jsonl", secrets=Secrets.REFUSE)
    assert library.journal.head() == 0
    bring(library, "24_injection_and_secrets.jsonl", secrets=Secrets.KEEP)
    assert "A1b2A1b2" in graph(library)


def test_signs_that_no_reader_sees_are_kept_and_told(library: Library) -> None:
    report = bring(library, "23_hidden_text.jsonl")
    assert report.memories == 2
    assert told(report)[1].endswith("that no reader sees (U+202E, U+202C); they were kept.")


def test_what_cannot_be_kept_is_told_and_the_rest_comes_in(
    library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "hard.jsonl"
    records = [
        {"type": "entity", "name": "x" * 1_001, "entityType": "t", "observations": ["a"]},
        {
            "type": "entity",
            "name": "ok",
            "entityType": "t",
            "observations": ["a\0b", "\ud800", "c"],
        },
    ]
    file.write_text("\n".join(json.dumps(r) for r in records))
    report = library.transfer.bring_in(file)
    assert graph(library) == "ok (t): c"
    assert len(report.anomalies) == 4


def test_the_source_is_never_touched(library: Library) -> None:
    for shape in sorted(SHAPES.iterdir()):
        before = (shape.read_bytes(), shape.stat().st_mtime_ns)
        with suppress(BadFile):
            library.transfer.bring_in(shape)
        assert (shape.read_bytes(), shape.stat().st_mtime_ns) == before


@pytest.mark.parametrize("author", ["reader", "locked"])
def test_a_policy_holds_for_imports_too(library: Library, author: str) -> None:
    who = {
        "reader": Author("reader", AuthorKind.AGENT, Access.READ),
        "locked": Author("locked", AuthorKind.AGENT, Access.WRITE, entity="Beta"),
    }
    with pytest.raises(Refused):
        bring(library, "16_dangling.jsonl", author=who[author])
    assert library.journal.head() == 0


@pytest.mark.parametrize("path", ["missing.jsonl", "."])
def test_what_cannot_be_opened_is_told(library: Library, tmp_path: Path, path: str) -> None:
    with pytest.raises(BadFile):
        library.transfer.bring_in(tmp_path / path)


def test_a_database_is_not_imported(library: Library) -> None:
    with pytest.raises(BadFile, match="restore"):
        library.transfer.bring_in(library.path)


# --- out, and home again


def furnish(library: Library, clock: Hand) -> None:
    """A store with some of everything in it."""
    library.graph.create(
        [NewEntity("switch", "device"), NewEntity("nas", "device"), NewEntity("net", "group")],
        **YOU,
    )
    library.graph.relate(
        [Triple("switch", "nas", "feeds"), Triple("nas", "gone", "x")], ghosts=True, **YOU
    )
    library.scopes.set("net", Scope.GROUP, members=["switch"], expected=0, confirmed=True, **YOU)
    first = library.memories.remember(
        Draft("VLAN 20", "switch", key="vlan", tags=("b", "a"), pinned=True, review_days=30), **YOU
    )
    clock.advance(3)
    library.memories.revise(first.id, {"content": "VLAN 30"}, **YOU)
    library.memories.verify(first.id, **YOU)
    old = library.memories.remember(Draft("old", "nas"), **YOU)
    library.memories.archive(old.id, why="moved", **YOU)
    dead = library.memories.remember(Draft("dead"), **YOU)
    library.memories.delete(dead.id, **YOU)
    library.graph.delete(["nas"], **YOU)
    library.graph.create([NewEntity("nas", "server", ("again",))], **YOU)
    library.agents.add("cursor", **YOU)
    library.map.keep([(1, 1.5, -2.0, True)], PERSON)
    library.review.set_interval(45, PERSON)


def test_our_own_file_brings_numbers_times_and_history_back(
    library: Library, clock: Hand, tmp_path: Path
) -> None:
    furnish(library, clock)
    sent = library.transfer.send_out(tmp_path / "a.jsonl")
    assert (sent.entities, sent.relations, sent.memories) == (3, 0, 2)
    with Library.open(tmp_path / "fresh.db", clock) as fresh:
        report = fresh.transfer.bring_in(tmp_path / "a.jsonl")
        assert (report.whole, report.anomalies) == (True, ())
        fresh.transfer.send_out(tmp_path / "b.jsonl")
        assert lines_of(tmp_path / "a.jsonl")[1:] == lines_of(tmp_path / "b.jsonl")[1:]
        assert fresh.review.interval() == 45
        assert [m.due_at for m in fresh.review.queue()] == [
            m.due_at for m in library.review.queue()
        ]
        assert fresh.upkeep.problems() == []
        restored = fresh.memories.restore(1, 1, **YOU)
        assert (restored.content, restored.revision) == ("VLAN 20", 4)


def test_after_coming_home_no_number_is_given_twice(
    library: Library, clock: Hand, tmp_path: Path
) -> None:
    gone = library.memories.remember(Draft("gone for good"), **YOU)
    library.memories.purge(gone.id, **YOU)
    library.transfer.send_out(tmp_path / "a.jsonl")
    with Library.open(tmp_path / "fresh.db", clock) as fresh:
        fresh.transfer.bring_in(tmp_path / "a.jsonl")
        assert fresh.memories.remember(Draft("new"), **YOU).id > gone.id


def test_a_store_that_only_knows_agents_still_gets_the_history(
    library: Library, clock: Hand, tmp_path: Path
) -> None:
    furnish(library, clock)
    library.transfer.send_out(tmp_path / "a.jsonl")
    with Library.open(tmp_path / "fresh.db", clock) as fresh:
        fresh.agents.add("stdio", **YOU)
        report = fresh.transfer.bring_in(tmp_path / "a.jsonl")
        assert report.whole
        assert [a.name for a in fresh.agents.all()] == ["stdio"]
        assert [x.revision for x in fresh.memories.history(1)] == [3, 2, 1]
        later = fresh.memories.verify(1, **YOU)
        assert later.revision == 4


def test_into_a_store_in_use_our_own_file_is_merged(
    library: Library, clock: Hand, tmp_path: Path
) -> None:
    furnish(library, clock)
    library.transfer.send_out(tmp_path / "a.jsonl")
    with Library.open(tmp_path / "used.db", clock) as used:
        used.graph.create([NewEntity("switch", "device", ("mine",))], **YOU)
        used.memories.remember(Draft("VLAN 1", "switch", key="vlan"), **YOU)
        report = used.transfer.bring_in(tmp_path / "a.jsonl")
        assert (report.whole, counts(report), report.known) == (False, (2, 0, 2, 0), 1)
        found = {m.content: m for m in used.memories.browse(Filter(state=State.ALL))}
        assert (found["VLAN 30"].key, found["VLAN 30"].tags) == (None, ("b", "a"))
        assert any("The key 'vlan' of 'switch'" in line for line in told(report))
        assert any("their history was left out" in line for line in told(report))
        assert used.scopes.get("net").members == ("switch",)
        used.journal.undo(report.batch or 0, **YOU)
        assert graph(used) == "switch (device): mine, VLAN 1"


def test_a_damaged_file_of_our_own_still_gives_what_it_holds(
    library: Library, clock: Hand, tmp_path: Path
) -> None:
    furnish(library, clock)
    library.transfer.send_out(tmp_path / "a.jsonl")
    rows = lines_of(tmp_path / "a.jsonl")
    rows[1] = rows[1][:40]  # the first entity, which memories refer to
    (tmp_path / "a.jsonl").write_text("\n".join(rows[:-1]))
    with Library.open(tmp_path / "fresh.db", clock) as fresh:
        report = fresh.transfer.bring_in(tmp_path / "a.jsonl")
        assert (report.whole, report.memories) == (False, 2)
        assert "VLAN 30" in graph(fresh)
        assert any("stops before its last line" in line for line in told(report))


def test_a_graph_file_holds_what_the_graph_shows(
    library: Library, clock: Hand, tmp_path: Path
) -> None:
    furnish(library, clock)
    sent = library.transfer.send_out(tmp_path / "graph.jsonl", "knowledge-graph")
    assert (sent.entities, sent.relations, sent.memories) == (3, 0, 2)
    assert lines_of(tmp_path / "graph.jsonl") == [
        '{"type":"entity","name":"switch","entityType":"device","observations":["VLAN 30"]}',
        '{"type":"entity","name":"net","entityType":"group","observations":[]}',
        '{"type":"entity","name":"nas","entityType":"server","observations":["again"]}',
    ]


def test_the_store_itself_and_other_databases_are_never_overwritten(
    library: Library, tmp_path: Path
) -> None:
    link = tmp_path / "link.jsonl"
    os.link(library.path, link)
    other = tmp_path / "other.db"
    Library.open(other).close()
    for path in (library.path, Path(f"{library.path}-wal"), link, other, tmp_path):
        with pytest.raises(Refused):
            library.transfer.send_out(path)
    assert library.upkeep.problems() == []


def test_a_failing_export_leaves_the_former_file(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.jsonl"
    target.write_text("former")
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(OSError, match="No space"):
        library.transfer.send_out(target)
    assert (target.read_text(), sorted(p.name for p in tmp_path.glob("*a.jsonl*"))) == (
        "former",
        ["a.jsonl"],
    )


def _full(_file: int) -> None:
    raise OSError(28, "No space left on device")


def test_an_unknown_format_is_told(library: Library, tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="choose one of jsonl"):
        library.transfer.send_out(tmp_path / "x", "xml")
