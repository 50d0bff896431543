"""What no file may hold is told with its line; what stands beside it is read."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import pytest

from remembrancer import formats
from remembrancer.core.errors import BadFile, Refused
from remembrancer.core.travel import Anomaly, EntityRecord
from remembrancer.service.library import Library

GOOD = b'{"type":"entity","name":"good","entityType":"t","observations":[]}\n'
PASSED = "it was passed over."

# what stands in the second line -> what is told of it
TOLD = {
    b'{"type":"entity","name":"a","name":"b"}': (
        "The field 'name' stands here twice; what holds it was passed over."
    ),
    b'{"type":"entity","name":"a","x":{"y":1,"y":2}}': (
        "The field 'y' stands here twice; what holds it was passed over."
    ),
    b'{"type":"entity","name":NaN}': (
        "Here stands a number that is none, or beyond all others; what holds it was passed over."
    ),
    b'{"type":"entity","name":"a","x":[-1e999]}': (
        "Here stands a number that is none, or beyond all others; what holds it was passed over."
    ),
    b'{"type":"entity","name":' + b"9" * 5_000 + b"}": (
        "Here stands a number that is none, or beyond all others; what holds it was passed over."
    ),
    b'{"x":' + b"[" * 33 + b"]" * 33 + b"}": (
        "This is nested deeper than 32 levels; it was passed over."
    ),
    b"[" * 100_000: "The line cannot be read as JSON from column 1 on: it is nested too deeply.",
    b'{"type":"entity","na': (
        "The line cannot be read as JSON from column 18 on: Unterminated string."
    ),
}


def told(content: bytes, format: str = "knowledge-graph") -> list[str]:
    found = formats.reader(format)(BytesIO(content))
    return [f"{i.line}: {i.text}" for i in found if isinstance(i, Anomaly)]


@pytest.mark.parametrize("line", TOLD)
def test_a_line_that_cannot_be_is_told_with_its_number_and_its_neighbours_are_read(
    line: bytes,
) -> None:
    content = GOOD + line + b"\n" + GOOD.replace(b"good", b"also")
    items = list(formats.reader("knowledge-graph")(BytesIO(content)))
    assert [i.name for i in items if isinstance(i, EntityRecord)] == ["good", "also"]
    assert [f"{i.line}: {i.text}" for i in items if isinstance(i, Anomaly)] == [f"2: {TOLD[line]}"]


def test_an_object_of_lists_with_a_list_twice_loses_neither_in_silence() -> None:
    one = b'{"type":"entity","name":"a","entityType":"t","observations":[]}'
    twice = b'{"entities":[' + one + b'],"entities":[],"relations":[]}'
    assert told(twice + b"\n" + GOOD) == [
        "1: The field 'entities' stands here twice; what holds it was passed over."
    ]


def test_thirty_two_levels_are_read() -> None:
    deep = b"[" * 31 + b"]" * 31
    line = b'{"type":"entity","name":"a","entityType":"t","observations":[],"x":' + deep + b"}"
    assert told(line) == ["1: The field 'x' has no place in the store and was left out."]


def test_words_of_strangers_are_cut_and_escaped_in_what_is_told() -> None:
    name = b"\\ud800" + b"k" * 5_000
    line = b'{"type":"entity","name":"a","entityType":"t","observations":[],"' + name + b'":1}'
    (sentence,) = told(line)
    assert sentence.encode()
    assert len(sentence) < 200


def test_a_text_that_cannot_be_kept_is_refused_wherever_it_stands_in_a_file_of_ours(
    library: Library, tmp_path: Path
) -> None:
    deed = (
        b'{"record":"deed","sequence":1,"at":1,"author":"a","author_kind":"person","origin":"x",'
        b'"deed":"remember","batch":1,"subject":"entity","subject_id":1,"snapshot":{"\\ud800":[]}}'
    )
    agent = b'{"record":"agent","name":"a\\u0000"}'
    file = tmp_path / "file.jsonl"
    file.write_bytes(b'{"format":"remembrancer","version":1}\n' + deed + b"\n" + agent + b"\n")
    report = library.transfer.bring_in(file)
    assert [a.line for a in report.anomalies] == [0, 2, 3]
    assert library.upkeep.problems() == []


@pytest.mark.skipif(os.name == "nt", reason="names of files are Unicode there")
def test_a_file_whose_name_is_no_unicode_is_told_in_words_that_can_be_said(
    library: Library, tmp_path: Path
) -> None:
    missing = tmp_path / os.fsdecode(b"caf\xe9.jsonl")
    with pytest.raises(BadFile) as refused:
        library.transfer.bring_in(missing)
    assert str(refused.value).encode()
    missing.mkdir()
    for deed in (library.transfer.bring_in, library.transfer.send_out):
        with pytest.raises((BadFile, Refused)) as folder:
            deed(missing)
        assert str(folder.value).encode()
    file = missing / "good"
    file.write_bytes(GOOD)
    assert library.transfer.bring_in(file).entities == 1


def test_a_name_that_is_too_long_for_a_file_is_told(library: Library) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        library.transfer.bring_in(Path("x" * 5_000))
