"""Any text, in every vocabulary: read back as it was written, or refused with nothing stored."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.dialects.rooms import NAMES, SPOKEN, Room, name_of, room
from agents.dialects.speaking import Speaker, limited, text_of
from agents.dialects.voices import Denied, Voice, everything
from remembrancer.agents.dialects import DIALECTS
from remembrancer.core import secrets
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Memory
from remembrancer.service.library import Library

SECRET = "Das WLAN hat password: hunter2hunter2 seit gestern"
ODD = [
    " ", "\t\r\n", "\u200b", "\u2028", "\ufeffx", "x\0y", " x ", "x\r\ny\n", "e\u0301 \u212b",
    "\u202eabc", "👩\u200d🚀🏳\ufe0f", "\ufffe\uffff", "\x1b[31m\x07\x7f\x85", "null", "[]",
    '{"a": 1}', '"; DROP TABLE memory; --', "<b>&amp;</b>", "%s {0} %n", "#1", "#1 [x] (y)\nz",
    "\\u0000", "**" + "x" * 30 + "** y", "2026-01-01 " + "x" * 500, "x" * 8_001, "ö" * 200_000,
    "x" * 200_001, "\U0010ffff" * 3, "a\n" * 5_000,
]  # fmt: skip
PATIENT = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
_number = count()

TEXT = st.text(max_size=400) | st.text(alphabet=" \n\t\u3000", max_size=5) | st.sampled_from(ODD)
NAME = st.text(min_size=1, max_size=60) | st.sampled_from(["é", "e\u0301", "ﬁ", " a ", "a" * 150])


@pytest.fixture
def loop(library: Library) -> Iterator[Room]:
    with room(library) as opened:
        yield opened


@pytest.fixture
def voice(loop: Room, request: pytest.FixtureRequest) -> Voice:
    dialect, language = SPOKEN[NAMES.index(request.param)]
    return loop.voice(dialect, language, budget=None)


def everybody(*but: str) -> Any:
    names = [each for each in NAMES if each not in but]
    return pytest.mark.parametrize("voice", names, indirect=True)


def stored(library: Library) -> list[Memory]:
    return library.memories.browse(Filter(state=State.ALL), limit=1)


def normal(voice: Voice, text: str) -> str:
    """A text as a vocabulary keeps it: native's loses the blanks around it."""
    return text.strip() if voice.name == "native" else text


def refused(voice: Voice, entity: str, text: str) -> str | None:
    """The sentence with which a text is refused, None when it is taken."""
    try:
        voice.write(entity, text)
    except Denied as denied:
        return str(denied)
    return None


def may_be_refused(voice: Voice, text: str) -> bool:
    """Whether a refusal is what the vocabulary's own rules say."""
    limit = 8_000 if voice.name == "native" else 200_000
    return not text.strip() or "\0" in text or len(text) > limit


@everybody()
@PATIENT
@given(text=TEXT)
@example(text="")
@example(text="x" * 200_000)
@example(text="x" * 200_001)
@example(text="a\0b")
def test_a_text_is_read_back_as_it_was_written(voice: Voice, library: Library, text: str) -> None:
    head, newest = library.journal.head(), stored(library)
    refusal = refused(voice, f"e{next(_number)}", text)
    if refusal is None:
        [memory] = stored(library)
        assert memory.content == normal(voice, text)
        assert voice.read(memory) == memory.content
    else:
        assert may_be_refused(voice, text), refusal
        assert "failed inside Remembrancer" not in refusal
        assert stored(library) == newest
        assert "remember" not in {line.deed for line in library.journal.after(head)}
    assert voice.view(f"nobody{next(_number)}") == []  # it still answers


@everybody()
def test_a_credential_is_masked_or_the_call_refused(voice: Voice, library: Library) -> None:
    refusal = refused(voice, "netz", SECRET)
    if voice.name == "native":
        assert "credential" in (refusal or "")
        assert stored(library) == []
        return
    assert refusal is None
    [memory] = stored(library)
    assert "hunter2" not in memory.content
    assert memory.content.startswith("Das WLAN hat password: ")
    assert memory.content.endswith(" seit gestern")
    assert not secrets.is_credential(memory.content)
    assert voice.read(memory) == memory.content


@everybody("memo-de", "memo-en")  # whose tags hold no blank
@PATIENT
@given(name=NAME)
def test_a_name_is_found_again_in_its_composed_form(
    voice: Voice, library: Library, name: str
) -> None:
    name = name.replace("/", "-") if voice.name == "brain" else name
    head = library.journal.head()
    if refused(voice, name, f"text {next(_number)}") is not None:
        assert not name.strip() or "\0" in name
        assert library.journal.head() == head
        return
    [memory] = stored(library)
    expected = unicodedata.normalize("NFC", normal(voice, name))
    assert memory.entity == expected
    for spelling in {name, expected, unicodedata.normalize("NFD", expected)}:
        assert memory.content in [seen.text for seen in voice.view(normal(voice, spelling))]


@pytest.mark.parametrize("spoken", SPOKEN, ids=[name_of(*s) for s in SPOKEN])
def test_half_of_a_character_is_refused_in_a_sentence(
    library: Library, spoken: tuple[str, str]
) -> None:
    dialect, language = spoken
    speaker = Speaker(DIALECTS[dialect](library), limited(language=language))
    for tool in speaker.dialect.offered(speaker.caller):
        for name, schema in tool.input_schema["properties"].items():
            if schema.get("type") == "string":
                result = speaker.result(tool.name, {name: "a\ud800b"})
                assert result.is_error
                assert "surrogate pair" in text_of(result)
                assert "failed inside" not in everything(result)
    assert library.journal.head() == 0


@everybody()
@PATIENT
@given(text=st.text(min_size=1, max_size=100) | st.sampled_from(ODD))
def test_what_stands_beside_the_text_is_read_back_too(
    voice: Voice, library: Library, text: str
) -> None:
    said = f"text {next(_number)}"
    try:
        shown = voice.beside(text, said)
    except Denied as denied:
        refusal = str(denied)
    else:
        memo = voice.name.startswith("memo")
        expected = text.strip() if memo else normal(voice, text)
        # Memo has a word of its own for a blank reason.
        assert shown == [expected] * len(shown) or (memo and not expected)
        return
    assert not text.strip() or "\0" in text or len(text) > 100
    assert "failed inside Remembrancer" not in refusal
    for memory in stored(library):
        assert text not in (memory.title, memory.key, memory.source, memory.archived_reason)
