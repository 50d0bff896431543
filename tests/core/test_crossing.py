"""How names of containers and keys cross from one vocabulary to another, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core import crossing


@given(st.text(st.characters(exclude_characters="/")), st.text())
def test_what_brain_names_it_reads_back(modul: str, id_: str) -> None:
    entity = crossing.brain_entity(modul, id_)
    shown = crossing.brain_scope(entity, "modul")
    assert (shown.modul, shown.id) == (modul, id_)
    assert shown.typ == (crossing.GLOBAL if entity is None else "modul")


@given(st.text(min_size=1))
def test_every_entity_has_words_in_brain_that_lead_back_to_it(entity: str) -> None:
    _, modul, id_ = crossing.brain_scope(entity, "person")
    assert crossing.brain_entity(modul, id_) == entity


@pytest.mark.parametrize(
    ("name", "id_"),
    [("m-7", 7), ("m-07", None), ("m-", None), ("m-0", None), ("M-7", None), ("m-7 ", None)],
)
def test_only_a_generated_name_stands_for_an_id(name: str, id_: int | None) -> None:
    assert crossing.slug_id(name) == id_


def test_what_has_no_entity_is_unfiled_in_memcore() -> None:
    assert crossing.memcore_scope(None) == "unfiled"
    assert crossing.memcore_entity("unfiled") is None
    assert crossing.memcore_entity(crossing.memcore_scope("ann")) == "ann"


@pytest.mark.parametrize(
    ("tags", "entity"),
    [((), None), (("Decision",), None), (("fallstrick", "ann"), "ann"), (("ann", "bob"), "ann")],
)
def test_memo_files_under_the_first_tag_that_is_no_kind(
    tags: tuple[str, ...], entity: str | None
) -> None:
    assert crossing.memo_entity(tags) == entity
