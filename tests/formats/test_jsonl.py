"""Our own file loses nothing: what is written is read again, and a store comes back as it was."""

from __future__ import annotations

import json
import tempfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Hand
from remembrancer import formats
from remembrancer.core.author import PERSON
from remembrancer.core.errors import BadFile, RemembrancerError
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit
from remembrancer.core.travel import Anomaly, EntityRecord, Header, MemoryRecord, Record
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

YOU = {"author": PERSON, "origin": "test"}
HEADER = b'{"format":"remembrancer","version":1}\n'


def read(content: bytes) -> list[Record | Anomaly]:
    return list(formats.reader("jsonl")(BytesIO(content)))


def written(*records: Record) -> bytes:
    stream = BytesIO()
    formats.writer("jsonl")(records, stream)
    return stream.getvalue()


def told(content: bytes) -> list[str]:
    return [f"{i.line}: {i.text}" for i in read(content) if isinstance(i, Anomaly)]


def test_a_file_is_a_header_then_a_record_a_line_then_its_end() -> None:
    content = written(Header(1, 90), EntityRecord("Ada", "person", id=1), MemoryRecord("x", "Ada"))
    rows = [json.loads(line) for line in content.splitlines()]
    assert rows[0] == {"format": "remembrancer", "version": 1, "review_days": 90}
    assert [row.get("record") for row in rows] == [None, "entity", "memory", "end"]
    assert rows[-1] == {"record": "end", "lines": 4}


def test_a_file_without_our_header_is_refused() -> None:
    with pytest.raises(BadFile, match="first line is not the header"):
        read(b'{"type":"entity","name":"A"}\n')


def test_a_file_of_a_later_version_is_refused() -> None:
    with pytest.raises(BadFile, match="Update the program"):
        read(b'{"format":"remembrancer","version":99}\n')


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"record":"memory"}', "it lacks content"),
        (b'{"record":"memory","content":5}', "its field 'content' is none"),
        (b'{"record":"memory","content":"x","kind":"rumour"}', "its field 'kind' is none"),
        (b'{"record":"memory","content":"x","tags":"a"}', "its field 'tags' is none"),
        (b'{"record":"memory","content":"x","created_at":1e300}', "its field 'created_at' is none"),
        (b'{"record":"entity","name":"x","id":99999999999999999999}', "its field 'id' is none"),
        (b'{"record":"deed","sequence":1}', "it lacks"),
    ],
)
def test_a_record_that_is_none_is_told_and_passed_over(line: bytes, why: str) -> None:
    sentence = told(HEADER + line + b'\n{"record":"end","lines":3}\n')
    assert len(sentence) == 1
    assert sentence[0].startswith(f"2: The {json.loads(line)['record']} cannot be read: {why}")


def test_a_line_of_another_sort_is_told() -> None:
    assert told(HEADER + b'{"record":"song"}\n{"record":"end","lines":3}\n') == [
        "2: The line is no record that is known here; it was passed over."
    ]


def test_a_file_that_stops_early_is_told() -> None:
    assert told(HEADER) == ["0: The file stops before its last line; lines that could be read: 1."]


def test_a_field_of_a_later_version_is_left_out_and_told() -> None:
    content = HEADER + b'{"record":"entity","name":"A","mood":"fine"}\n{"record":"end","lines":3}\n'
    assert told(content) == ["2: The field 'mood' is not known here and was left out."]


NAMES = st.sampled_from(["ada", "bob", "Zoë", "a/b", "0", "line\nbreak"])
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30
)
MEMORIES = st.builds(
    Draft,
    content=TEXTS,
    entity=st.none() | NAMES,
    key=st.none() | TEXTS,
    title=st.just("") | TEXTS,
    kind=st.sampled_from(Kind),
    confidence=st.floats(0, 1),
    pinned=st.booleans(),
    expires_at=st.none() | st.integers(1, 2**48),
    review_days=st.none() | st.integers(1, 400),
    tags=st.lists(TEXTS, max_size=3).map(tuple),
)
STEPS = st.lists(
    st.one_of(
        MEMORIES,
        st.builds(lambda text: Edit(content=text), TEXTS),
        st.sampled_from(["verify", "archive", "revive", "delete", "drop entity"]),
        st.builds(Triple, NAMES, NAMES, st.sampled_from(["knows", "feeds"])),
    ),
    max_size=12,
)


def live(library: Library, steps: list[Draft | Edit | str | Triple]) -> None:
    """Let things happen; what the rules do not allow happens not."""
    for step in steps:
        try:
            happen(library, step)
        except RemembrancerError:
            continue


def happen(library: Library, step: Draft | Edit | str | Triple) -> None:
    if isinstance(step, Draft):
        if step.entity is not None:
            library.graph.create([NewEntity(step.entity, "thing")], **YOU)
        library.memories.remember(step, **YOU)
    elif isinstance(step, Triple):
        library.graph.relate([step], ghosts=True, **YOU)
    elif isinstance(step, str) and step == "drop entity":
        library.graph.delete(["ada"], **YOU)
    elif isinstance(step, str):
        getattr(library.memories, step)(1, **YOU)
    else:
        library.memories.revise(1, step, **YOU)


@settings(max_examples=30, deadline=None)
@given(STEPS)
def test_any_store_comes_back_with_numbers_times_and_history(
    steps: list[Draft | Edit | str | Triple],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        with Library.open(here / "a.db", Hand()) as library:
            live(library, steps)
            library.transfer.send_out(here / "a.jsonl")
        with Library.open(here / "b.db", Hand()) as fresh:
            fresh.transfer.bring_in(here / "a.jsonl")
            fresh.transfer.send_out(here / "b.jsonl")
            assert fresh.upkeep.problems() == []
        first, second = ((here / f"{n}.jsonl").read_bytes().split(b"\n") for n in "ab")
        assert first[1:] == second[1:]
