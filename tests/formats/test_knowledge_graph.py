"""Every shape of a knowledge graph file is read, and every oddity told with its line."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from remembrancer import formats
from remembrancer.core.errors import BadFile
from remembrancer.core.travel import (
    Anomaly,
    EntityRecord,
    MemoryRecord,
    Record,
    RelationRecord,
)
from remembrancer.formats import sniff

SHAPES = Path(__file__).parent / "shapes"

# file -> (entities, relations, memories), and what is told, as `line: sentence`
TOLD: dict[str, tuple[tuple[int, int, int], list[str]]] = {
    "01_truncated_middle.jsonl": (
        (2, 0, 2),
        ["2: The line cannot be read as JSON from column 25 on: Unterminated string."],
    ),
    "02_two_objects_one_line.jsonl": (
        (2, 0, 2),
        ["1: 2 objects stand on one line; all of them were read."],
    ),
    "03_utf8_bom.jsonl": (
        (2, 0, 2),
        ["1: The file begins with a byte order mark; it was passed over."],
    ),
    "04_utf16le_bom.jsonl": (
        (2, 0, 2),
        ["1: The file is UTF-16, not UTF-8; it was read as such."],
    ),
    "05_array_of_lines.json": ((2, 1, 2), []),
    "06_single_object.json": ((2, 1, 2), []),
    "07_object_no_type.json": (
        (1, 1, 1),
        [
            "1: The line does not say that it is an entity; its fields do.",
            "1: The line does not say that it is a relation; its fields do.",
        ],
    ),
    "08_observation_is_string.jsonl": (
        (1, 0, 1),
        ["1: The observations are no list; it was read as one."],
    ),
    "09_observations_missing.jsonl": ((1, 0, 0), ["1: The entity has no list of observations."]),
    "10_observation_objects.jsonl": (
        (1, 0, 1),
        ["1: An observation is an object; its text and time were read."],
    ),
    "11_no_type_key.jsonl": (
        (1, 1, 1),
        [
            "1: The line does not say that it is an entity; its fields do.",
            "2: The line does not say that it is a relation; its fields do.",
        ],
    ),
    "12_from_entity_keys.jsonl": (
        (2, 2, 2),
        [
            "3: The start stands under 'from_entity' instead of 'from'.",
            "3: The end stands under 'to_entity' instead of 'to'.",
            "3: The field 'weight' has no place in the store and was left out.",
            "4: The start stands under 'from_id' instead of 'from'.",
            "4: The end stands under 'to_id' instead of 'to'.",
            "4: The field 'context' has no place in the store and was left out.",
            "4: The type stands under 'relation_type' instead of 'relationType'.",
        ],
    ),
    "13_numeric_ids.jsonl": (
        (2, 1, 1),
        [
            "1: The line describes a type; types are plain words here; it was passed over.",
            "4: The relation names its ends by id; they were resolved.",
        ],
    ),
    "14_aim_marker.jsonl": (
        (1, 0, 1),
        ["1: The line is a mark of the program that wrote it ('_aim'); it was passed over."],
    ),
    "15_duplicates_disagree.jsonl": ((3, 0, 4), []),
    "16_dangling.jsonl": ((1, 3, 1), []),
    "17_names.jsonl": ((19, 0, 19), []),
    "18_nfc_nfd.jsonl": ((2, 0, 2), []),
    "19_crlf_no_final_newline.jsonl": ((2, 1, 2), []),
    "20_zero_tail.jsonl": (
        (1, 0, 1),
        ["2: 512 zero bytes, as a power cut leaves them, were cut off."],
    ),
    "21_latin1.jsonl": ((1, 0, 1), ["1: The line is not UTF-8; it was read as Latin-1."]),
    "23_hidden_text.jsonl": ((1, 0, 2), []),
    "24_injection_and_secrets.jsonl": ((2, 0, 4), []),
    "26_merge_trap.jsonl": ((8, 0, 8), []),
}


def read(content: bytes, format: str = "knowledge-graph") -> list[Record | Anomaly]:
    return list(formats.reader(format)(BytesIO(content)))


def counts(items: list[Record | Anomaly]) -> tuple[int, int, int]:
    kinds = (EntityRecord, RelationRecord, MemoryRecord)
    entities, relations, memories = (sum(isinstance(i, kind) for i in items) for kind in kinds)
    return entities, relations, memories


def told(items: list[Record | Anomaly]) -> list[str]:
    return [f"{i.line}: {i.text}" for i in items if isinstance(i, Anomaly)]


@pytest.mark.parametrize("name", sorted(TOLD))
def test_every_fault_is_read_through_and_told(name: str) -> None:
    content = (SHAPES / name).read_bytes()
    items = read(content, sniff.sniff(content))
    assert (counts(items), sorted(told(items))) == (TOLD[name][0], sorted(TOLD[name][1]))


def test_a_foreign_file_is_refused_and_its_fields_are_named() -> None:
    with pytest.raises(BadFile) as refused:
        read((SHAPES / "25_foreign_schema.jsonl").read_bytes())
    assert "'content', 'text', 'timestamp', 'type'" in str(refused.value)


def test_a_text_that_is_no_json_is_refused() -> None:
    with pytest.raises(BadFile):
        read(b"# Shopping\n- milk\n")


def test_an_empty_file_brings_nothing_and_says_so() -> None:
    assert told(read(b"")) == ["0: The file is empty."]


def test_an_openmemory_export_keeps_app_state_categories_and_dates() -> None:
    content = (SHAPES / "27_openmemory_memories.json").read_bytes()
    assert sniff.sniff(content) == "openmemory"
    memory = next(i for i in read(content, "openmemory") if isinstance(i, MemoryRecord))
    assert (memory.content, memory.author, memory.tags) == (
        "Prefers dark mode",
        "cursor",
        ("preferences",),
    )
    assert (memory.status, memory.archived_reason) == ("archived", "deleted in OpenMemory")
    assert (memory.created_at, memory.updated_at) == (1748772000000000, 1748858400000000)


def test_authors_and_times_come_along() -> None:
    items = read((SHAPES / "11_no_type_key.jsonl").read_bytes())
    memory = next(i for i in items if isinstance(i, MemoryRecord))
    assert (memory.author, memory.created_at) == ("Zoë", 1768354862000000)
    dated = read((SHAPES / "10_observation_objects.jsonl").read_bytes())
    assert [i.created_at for i in dated if isinstance(i, MemoryRecord)] == [1735787045000000]


def test_ends_given_by_id_become_names_and_a_name_is_never_taken_for_an_id() -> None:
    items = read(
        b'{"type":"entity","id":7,"name":"Ada","entityType":"x","observations":[]}\n'
        b'{"type":"entity","id":8,"name":"7","entityType":"x","observations":[]}\n'
        b'{"type":"relation","from":7,"to":"8","relationType":"r"}\n'
    )
    links = [(i.source, i.target) for i in items if isinstance(i, RelationRecord)]
    assert links == [("7", "7")]


def test_a_pretty_printed_list_that_is_cut_off_gives_what_stands_before_the_cut() -> None:
    items = read(
        b'{\n "entities": [\n  {"name": "A", "entityType": "t", "observations": ["x"]},\n'
        b'  {"name": "B", "entityTy'
    )
    assert counts(items) == (1, 0, 1)
    assert any(t.startswith("4: The rest cannot be read as JSON from here on") for t in told(items))


def test_in_a_pretty_printed_file_every_object_has_its_own_line() -> None:
    items = read((SHAPES / "06_single_object.json").read_bytes())
    lines = [i.line for i in items if isinstance(i, EntityRecord | RelationRecord)]
    assert lines == [3, 11, 21]


def test_an_object_with_a_field_that_stands_twice_is_told_and_passed_over() -> None:
    items = read(
        b'{"type":"entity","name":"A","name":"B","entityType":"t","observations":[]}\n'
        b'{"type":"entity","name":"C","entityType":"t","observations":[]}\n'
    )
    assert [i.name for i in items if isinstance(i, EntityRecord)] == ["C"]
    assert told(items) == ["1: The field 'name' stands here twice; what holds it was passed over."]


@pytest.mark.parametrize("hostile", [b"[" * 50_000, b'{"a":' * 50_000, b"9" * 10_000, b"\xff\xfe"])
def test_hostile_files_are_refused_in_a_sentence(hostile: bytes) -> None:
    with pytest.raises(BadFile):
        read(hostile)


def test_a_long_text_comes_whole() -> None:
    text = "word " * 40_000
    items = read(
        b'{"type":"entity","name":"Log","entityType":"t","observations":["%s"]}' % text.encode()
    )
    assert [i.content for i in items if isinstance(i, MemoryRecord)] == [text]


def test_a_line_stands_for_many_like_it() -> None:
    line = b'{"type":"entity","name":"%d","entityType":"t"}\n'
    items = read(b"".join(line % n for n in range(1_001)))
    assert told(items) == [
        "1: The entity has no list of observations (1,000 further lines likewise)."
    ]


def test_it_is_written_as_the_reference_server_writes_it() -> None:
    stream = BytesIO()
    formats.writer("knowledge-graph")(
        [
            EntityRecord("Ada", "person"),
            MemoryRecord('likes "tea" ☕', "Ada"),
            MemoryRecord("lives\nhere", "Ada"),
            EntityRecord("Empty", "thing"),
            RelationRecord("Ada", "Empty", "owns"),
        ],
        stream,
    )
    assert stream.getvalue().decode() == (
        '{"type":"entity","name":"Ada","entityType":"person",'
        '"observations":["likes \\"tea\\" ☕","lives\\nhere"]}\n'
        '{"type":"entity","name":"Empty","entityType":"thing","observations":[]}\n'
        '{"type":"relation","from":"Ada","to":"Empty","relationType":"owns"}\n'
    )
