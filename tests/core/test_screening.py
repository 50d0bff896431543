"""Which texts of a record hold credentials, excerpts without them, and columns with some masked."""

from __future__ import annotations

import json

from remembrancer.core import secrets
from remembrancer.core.journal import Subject
from remembrancer.core.screening import (
    Held,
    credentials_of,
    excerpt,
    fingerprint,
    masked_column,
    masked_text,
    suspicious,
    texts_of,
    without,
)

# Put together at run time, so that none stands in this file.
TOKEN = "gh" + "p_" + "aB3dE6" * 6
OTHER = "gh" + "p_" + "zY8xW5" * 6
MARK = "[REDACTED:github_token]"


def record(**fields: object) -> Held:
    return Held("journal", 1, "snapshot", json.dumps(fields))


def test_every_text_of_a_record_is_looked_at_and_words_of_ours_are_not() -> None:
    held = record(content="a", tags=["b", "c"], kind="fact", status="active", deep={"name": "d"})
    assert list(texts_of(held)) == [("content", "a"), ("tags", "b"), ("tags", "c"), ("name", "d")]
    assert list(texts_of(Held("memory", 1, "title", "t"))) == [("title", "t")]


def test_an_excerpt_shows_what_is_around_and_no_credential() -> None:
    text = f"{'far ' * 40}first {TOKEN} then {OTHER} and{' away' * 40}"
    found = secrets.find(text)
    for which in (0, 1):
        shown = excerpt(text, found, which)
        assert TOKEN not in shown
        assert OTHER not in shown
        assert MARK in shown
        assert shown.startswith("…")
        assert shown.endswith("…")
    assert excerpt(f"use {TOKEN} here", secrets.find(f"use {TOKEN} here"), 0) == f"use {MARK} here"


def test_only_the_chosen_credential_is_masked() -> None:
    assert masked_text(f"{TOKEN} {OTHER}", lambda each: each == OTHER) == f"{TOKEN} {MARK}"


def test_a_masked_record_keeps_its_shape_and_an_unchanged_one_its_bytes() -> None:
    held = record(content=f"x {TOKEN}", tags=[TOKEN, "plain"], kind="fact", revision=3)
    masked = json.loads(masked_column(held, lambda _: True, {}))
    assert masked == {
        "content": f"x {MARK}", "tags": [MARK, "plain"], "kind": "fact", "revision": 3,
    }  # fmt: skip
    plain = Held("journal", 1, "snapshot", '{"content":  "spaced"}')
    assert masked_column(plain, lambda _: True, {}) == plain.text


def test_a_known_credential_is_masked_where_no_label_tells_of_it() -> None:
    assert without("it is Zq7kLp2xVt9 now", {"Zq7kLp2xVt9": "pin"}) == "it is [REDACTED:pin] now"
    assert without("1234 apples", {"1234": "pin"}) == "1234 apples"


def test_a_fingerprint_tells_subjects_and_credentials_apart() -> None:
    marks = {
        fingerprint(Subject.MEMORY, 1, "a"), fingerprint(Subject.MEMORY, 2, "a"),
        fingerprint(Subject.ENTITY, 1, "a"), fingerprint(Subject.MEMORY, 1, "b"),
    }  # fmt: skip
    assert len(marks) == 4
    assert {len(mark) for mark in marks} == {8}


def test_many_texts_are_looked_through_at_once() -> None:
    texts = ["a plain word"] * 50
    assert not suspicious(texts)
    assert suspicious([*texts, f"use {TOKEN}"])
    assert list(credentials_of([*texts, f"use {TOKEN}"])) == [f"use {TOKEN}"]
