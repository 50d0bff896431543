"""What a message may not hold is refused alike at every door, under its id where it has one."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from faults.large import measured
from faults.length import at_length
from remembrancer.agents.lines import LONGEST_LINE, BadLine, Cut, Lines, complaint, parsed

CALL = '"jsonrpc":"2.0","id":7,"method":"tools/call"'
LAST = '"method":"tools/call","params":{"x":%s},"jsonrpc":"2.0","id":"b"'

# a message -> the id under which it is refused, and a part of the sentence
REFUSED = [
    ("{" + CALL + ',"params":{"x":NaN}}', 7, "NaN and Infinity are no JSON"),
    ("{" + CALL + ',"params":{"x":1e999}}', 7, "beyond all that JSON can carry"),
    ("{" + CALL + ',"params":{"x":"\\ud800"}}', 7, "half of a surrogate pair"),
    ("{" + LAST % "-Infinity" + "}", "b", "NaN and Infinity are no JSON"),
    ("{" + LAST % ("[" * 300 + "]" * 300) + "}", "b", "recursion limit"),
    ('{"method":"tools/call","params":{"name":"x","id":5}', None, "EOF"),
    ('{"jsonrpc":"2.0","id":7,"result":{"x":NaN}}', None, "NaN and Infinity are no JSON"),
    ('{"jsonrpc":"2.0","id":1.0,"method":"ping"}', None, "An id must be"),
    ('{"jsonrpc":"2.0","id":1e999,"method":"ping"}', None, "beyond all"),
    ("[{" + CALL + "}]", None, "one message at a time"),
    ("{" + CALL + ',"params":{"name":"x","arguments":[]}}', 7, '"arguments" must be an object'),
    ("{" + CALL + ',"params":{"arguments":{}}}', 7, '"name" must be text'),
    ("{" + CALL + ',"params":{"name":"x","_meta":{"progressToken":1.5}}}', 7, '"progressToken"'),
    ('{"jsonrpc":"2.0","id":7,"method":"' + "m" * 300 + '"}', 7, "A method of 300 characters"),
]


@pytest.mark.parametrize(("message", "id_", "told"), REFUSED)
def test_a_message_that_cannot_be_is_refused_under_its_id(
    message: str, id_: object, told: str
) -> None:
    with pytest.raises(BadLine, match=told) as bad:
        parsed(message.encode())
    assert bad.value.answer.id == id_


def test_a_body_is_held_to_the_same_rules() -> None:
    assert complaint(b'{"jsonrpc":"2.0","id":7,"method":"ping"}') is None
    answer: dict[str, Any] = json.loads(complaint(REFUSED[0][0].encode()) or b"")
    assert (answer["id"], answer["error"]["code"]) == (7, -32700)


@pytest.mark.parametrize("id_first", [True, False])
def test_a_line_of_fifty_megabytes_is_refused_under_its_id_in_little_memory(id_first: bool) -> None:
    beginning = (
        b"{" + (CALL.encode() if id_first else b'"method":"tools/call"') + b',"params":{"x":"'
    )
    end = b'"}' + (b"" if id_first else b',"jsonrpc":"2.0","id":7') + b"}\n"
    lines, found = Lines(), list[bytes | None]()
    tracemalloc.start()
    for piece in (beginning, *([b"x" * (1 << 16)] * 800), end + b"next\n"):
        found += lines.feed(piece)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * LONGEST_LINE
    assert isinstance(found[0], Cut)
    assert found[1:] == [b"next"]
    with pytest.raises(BadLine, match="over 1,048,576 bytes") as bad:
        parsed(found[0])
    assert bad.value.answer.id == 7


def test_a_line_of_just_the_length_is_whole_wherever_it_is_cut_in_pieces() -> None:
    line = b"y" * LONGEST_LINE
    for cut in (1, 1000, LONGEST_LINE - 1):
        lines = Lines()
        pieces = (line[:cut], line[cut:] + b"\n" + line + b"z\n")
        found = [each for piece in pieces for each in lines.feed(piece)]
        assert found[0] == line
        assert isinstance(found[1], Cut)


def test_answers_over_many_memories_keep_their_budget_and_lead_to_all_of_them(
    tmp_path: Path,
) -> None:
    sizes = measured(tmp_path, 900)
    assert sizes.wrong == ()
    assert sizes.characters > 90_000


@at_length
def test_answers_over_ten_thousand_memories_do_so_too(tmp_path: Path) -> None:
    assert measured(tmp_path).wrong == ()
