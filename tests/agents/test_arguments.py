"""Arguments that a tool cannot take are refused in one sentence that says what to send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.agents.arguments import Arguments
from remembrancer.core.errors import BadValue

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 20},
        "kind": {"type": "string", "enum": ["fact", "lesson"], "default": "fact"},
        "key": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}], "default": None},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50},
        "id": {"type": "integer", "exclusiveMinimum": 0, "maximum": 9007199254740991},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "pinned": {"type": "boolean", "default": False},
        "verified": {"type": "boolean", "const": True},
        "members": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "default": []},
        "links": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"from": {"type": "string", "minLength": 1}},
                "required": ["from"],
                "additionalProperties": False,
            },
        },
        "extra": {},
    },
    "required": ["name"],
    "additionalProperties": False,
}

REFUSED = r"""
{}                                  The argument "name" is missing; it must be text of 1 to 20 characters.
{"nam": "x"}                        Unknown argument "nam"; allowed are "name", "kind", "key", "limit", "id", "confidence", "pinned", "verified", "members", "links", "extra".
{"name": ""}                        "name" must be text of 1 to 20 characters, but was empty text.
{"name": "   "}                     "name" must be text of 1 to 20 characters, but was empty text.
{"name": 5}                         "name" must be text of 1 to 20 characters, but was the number 5.
{"name": null}                      "name" must be text of 1 to 20 characters, but was null.
{"name": "a\u0000b"}                "name" holds a NUL character, which no text here may hold.
{"name": "ab\ud800"}                "name" holds half of a surrogate pair at character 3.
{"name": "a", "\udfff": 1}          The name of an argument holds half of a surrogate pair at character 1.
{"name": "a", "kind": "Fact"}       "kind" must be one of "fact", "lesson", but was the text "Fact".
{"name": "a", "key": 1}             "key" must be text of at least 1 character or null, but was the number 1.
{"name": "a", "limit": 0}           "limit" must be a whole number from 1 to 50, but was the number 0.
{"name": "a", "limit": 1.0}         "limit" must be a whole number from 1 to 50, but was the number 1.0.
{"name": "a", "limit": "5"}         "limit" must be a whole number from 1 to 50, but was the text "5".
{"name": "a", "limit": true}        "limit" must be a whole number from 1 to 50, but was true.
{"name": "a", "id": 0}              "id" must be a whole number of at least 1, but was the number 0.
{"name": "a", "id": 9007199254740992}   "id" is a number beyond 9007199254740991, which JSON cannot carry exactly.
{"name": "a", "confidence": NaN}    "confidence" must be a finite number.
{"name": "a", "confidence": 1e999}  "confidence" must be a finite number.
{"name": "a", "confidence": 2}      "confidence" must be a number from 0 to 1, but was the number 2.
{"name": "a", "pinned": 1}          "pinned" must be true or false, but was the number 1.
{"name": "a", "verified": false}    "verified" must be true, but was false.
{"name": "a", "members": "x"}       "members" must be a list of at most 3 items, each text, but was the text "x".
{"name": "a", "members": [1]}       "members[0]" must be text, but was the number 1.
{"name": "a", "members": ["a","b","c","d"]}  "members" must be a list of at most 3 items, each text, but was a list of 4 items.
{"name": "a", "members": {"a": 1}}  "members" must be a list of at most 3 items, each text, but was an object.
{"name": "a", "links": []}          "links" must be a list of at least 1 item, each an object with "from", but was a list of 0 items.
{"name": "a", "links": [{"from": "a"}, {"to": "b"}]}  Unknown argument "to" in "links[1]"; allowed are "from".
{"name": "a", "links": [{}]}        The argument "links[0].from" is missing; it must be text of at least 1 character.
{"name": "a", "links": "[{\"from\": \"\"}]"}  "links[0].from" must be text of at least 1 character, but was empty text.
{"name": "a", "extra": [Infinity]}  "extra[0]" must be a finite number.
[]                                  The arguments must be an object, but were a list of 0 items.
"""  # noqa: E501

TAKEN = r"""
{"name": "a"}                             {"name": "a", "kind": "fact", "key": null, "pinned": false, "members": []}
{"name": " a\n", "key": " k "}            {"name": "a", "kind": "fact", "key": " k ", "pinned": false, "members": []}
{"name": "a", "members": "[\"b\"]"}       {"name": "a", "kind": "fact", "key": null, "pinned": false, "members": ["b"]}
{"name": "a", "links": [{"from": " b "}]} {"name": "a", "kind": "fact", "key": null, "pinned": false, "members": [], "links": [{"from": "b"}]}
{"name": "[1]", "confidence": 1}          {"name": "[1]", "kind": "fact", "key": null, "pinned": false, "members": [], "confidence": 1}
"""  # noqa: E501


def table(text: str) -> list[tuple[str, str]]:
    decoder = json.JSONDecoder()
    ends = [(line, decoder.raw_decode(line)[1]) for line in text.strip().splitlines()]
    return [(line[:end], line[end:].strip()) for line, end in ends]


@pytest.fixture(scope="module")
def arguments() -> Arguments:
    return Arguments(SCHEMA, trimmed=frozenset({"name", "from"}))


@pytest.mark.parametrize(("given_json", "sentence"), table(REFUSED))
def test_what_cannot_be_taken_is_refused_in_one_sentence(
    arguments: Arguments, given_json: str, sentence: str
) -> None:
    with pytest.raises(BadValue) as refused:
        arguments.check(json.loads(given_json))
    assert str(refused.value) == sentence


@pytest.mark.parametrize(("given_json", "taken_json"), table(TAKEN))
def test_what_can_be_taken_is_trimmed_decoded_and_completed(
    arguments: Arguments, given_json: str, taken_json: str
) -> None:
    assert arguments.check(json.loads(given_json)) == json.loads(taken_json)


def test_arguments_nested_too_deep_are_refused(arguments: Arguments) -> None:
    deep: object = "bottom"
    for _ in range(31):
        deep = [deep]
    assert arguments.check({"name": "a", "extra": deep})["extra"] == deep
    with pytest.raises(BadValue, match='"extra" is nested deeper than 32 levels'):
        arguments.check({"name": "a", "extra": [deep]})


def test_a_number_of_thousands_of_digits_is_refused(arguments: Arguments) -> None:
    with pytest.raises(BadValue, match='"limit" is a number beyond 9007199254740991'):
        arguments.check({"name": "a", "limit": 10**6000})


def test_what_was_given_is_left_as_it_was(arguments: Arguments) -> None:
    received = {"name": " a ", "links": [{"from": " b "}]}
    arguments.check(received)
    assert received == {"name": " a ", "links": [{"from": " b "}]}


def test_a_default_is_a_fresh_value_for_every_call(arguments: Arguments) -> None:
    arguments.check({"name": "a"})["members"].append("left behind")
    assert arguments.check({"name": "a"})["members"] == []


def test_a_tool_without_arguments_says_so() -> None:
    nothing = Arguments({"type": "object", "properties": {}, "additionalProperties": False})
    with pytest.raises(BadValue, match='"x"; this tool takes none'):
        nothing.check({"x": 1})


texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=30)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars, lambda each: st.lists(each, max_size=4) | st.dictionaries(texts, each, max_size=4)
)
names = st.sampled_from(list(SCHEMA["properties"])) | texts


@given(values | st.dictionaries(names, values, max_size=6))
def test_any_value_is_taken_or_refused_in_well_formed_words(
    arguments: Arguments, value: object
) -> None:
    outcome: object
    try:
        outcome = arguments.check(value)
    except BadValue as refused:
        outcome = str(refused)
    assert json.dumps(outcome, ensure_ascii=False, allow_nan=False).encode()
