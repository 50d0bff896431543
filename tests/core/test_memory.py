"""What an edit makes of a memory, and which drafts can become one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.entity import Scope
from remembrancer.core.errors import BadValue
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import (
    LATEST,
    Draft,
    Edit,
    Memory,
    Status,
    check_draft,
    check_edit,
    revised,
    with_texts,
)

NOW = 1_000_000
SEEN = Memory(
    id=1, entity_id=2, entity="edge", scope=Scope.DEVICE, key=None, title="", content="x",
    kind=Kind.FACT, source="s", confidence=0.5, pinned=False, expires_at=None, verified_at=500,
    verified_by="ann", review_days=None, postponed_until=900, due_at=0, tags=(),
    status=Status.ACTIVE, archived_at=None, archived_by=None, archived_reason=None,
    superseded_by=None, author="ann", revision=3, created_at=100, updated_at=700,
)  # fmt: skip


def edited(edit: Edit, seen: Memory = SEEN, now: int = NOW) -> Memory:
    after = revised(seen, edit, now, "bob")
    assert after is not None
    return after


@pytest.mark.parametrize("edit", [Edit(), Edit(content="x"), Edit(pinned=False, key=None)])
def test_an_edit_that_changes_nothing_is_no_revision(edit: Edit) -> None:
    assert revised(SEEN, edit, NOW, "bob") is None


def test_a_revision_counts_and_names_its_author() -> None:
    after = edited(Edit(pinned=True))
    assert (after.revision, after.author, after.updated_at) == (4, "bob", NOW)
    assert after.created_at == SEEN.created_at


@given(st.integers(0, 2_000_000))
def test_times_of_change_only_ever_grow(now: int) -> None:
    assert edited(Edit(pinned=True), now=now).updated_at > SEEN.updated_at


@pytest.mark.parametrize("edit", [Edit(content="y"), Edit(source="t")])
def test_new_evidence_takes_the_verification_away(edit: Edit) -> None:
    after = edited(edit)
    assert (after.verified_at, after.verified_by) == (None, None)


def test_verifying_wins_over_new_evidence_and_ends_postponing() -> None:
    after = edited(Edit(content="y", verified=True))
    assert (after.verified_at, after.verified_by, after.postponed_until) == (NOW, "bob", None)


def test_verifying_is_always_a_revision() -> None:
    once = edited(Edit(verified=True))
    assert edited(Edit(verified=True), once, once.verified_at or 0).revision == 5


def test_archiving_is_signed_and_reviving_clears_it() -> None:
    archived = edited(
        Edit(status=Status.ARCHIVED, archived_reason="old", superseded_by=9)
    )  # fmt: skip
    assert (archived.archived_at, archived.archived_by, archived.archived_reason) == (
        NOW, "bob", "old",
    )  # fmt: skip
    revived = edited(Edit(status=Status.ACTIVE), archived)
    signs = (revived.archived_at, revived.archived_by, revived.archived_reason)
    assert (*signs, revived.superseded_by) == (None, None, None, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", ""),
        ("content", "x" * 200_001),
        ("title", "x" * 501),
        ("key", ""),
        ("source", "a\0"),
        ("confidence", 1.1),
        ("confidence", float("nan")),
        ("expires_at", 0),
        ("expires_at", LATEST + 1),
        ("review_days", 0),
        ("entity", " "),
    ],
)
def test_what_cannot_be_stored_is_refused(field: str, value: Any) -> None:
    draft: dict[str, Any] = {"content": "x", field: value}
    with pytest.raises(BadValue):
        check_draft(Draft(**draft))
    edit: dict[str, Any] = {field: value}
    with pytest.raises(BadValue):
        check_edit(Edit(**edit))


def test_an_expiry_is_over_at_its_moment() -> None:
    memory = replace(SEEN, expires_at=NOW)
    assert [memory.expired(at) for at in (NOW - 1, NOW, NOW + 1)] == [False, True, True]


def test_every_text_of_a_draft_can_be_changed_but_not_its_words() -> None:
    fields = {"content": "a", "tags": ("a", "b"), "kind": Kind.LESSON, "pinned": True, "key": None}
    assert with_texts(fields, str.upper) == {
        "content": "A", "tags": ("A", "B"), "kind": Kind.LESSON, "pinned": True, "key": None,
    }  # fmt: skip


def test_a_headline_is_the_title_or_the_first_line() -> None:
    assert SEEN.headline() == "x"
    assert replace(SEEN, title="T").headline() == "T"
    long = replace(SEEN, content="word " * 100 + "\nmore").headline(20)
    assert long == "word word word word…"
