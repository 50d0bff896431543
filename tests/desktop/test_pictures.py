"""Pictures of every place, in both themes, compared with the ones that were kept.

`REMEMBRANCER_KEEP_PICTURES=1 pytest tests/desktop/test_pictures.py` keeps new ones: look at them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from remembrancer.core.author import PERSON
from remembrancer.desktop.picture import paint
from remembrancer.desktop.window import PLACES
from remembrancer.service.demo import fill
from remembrancer.service.library import Library

KEPT = Path(__file__).parent / "pictures"
TODAY = 1_796_000_000_000_000  # 30 November 2026, in microseconds
SIZE, SHRUNK = (1280, 800), (640, 400)
MEAN = 2.0  # of 255: what another version of Qt may draw differently
STRANGE, SHARE = 60, 0.01  # at most this share of the points may differ by more than that
# Addresses and versions of the machine stand in these places.
LOOSE = {"settings": 8.0, "agents": 8.0}


@pytest.fixture(scope="module")
def demo() -> Iterator[Path]:
    """The demonstration store as of a fixed day, its graph laid out on a spiral.

    It lies where every machine has it, since its path is painted too.
    """
    folder = Path(tempfile.gettempdir(), "remembrancer-pictures")
    shutil.rmtree(folder, ignore_errors=True)
    path = folder / "demo.db"
    with Library.open(path, lambda: TODAY) as library:
        fill(library)
        nodes, _ = library.map.drawing()
        places = [
            (n.id, 60 * i**0.6 * float(np.cos(i)), 60 * i**0.6 * float(np.sin(i)), True)
            for i, n in enumerate(nodes, 1)
        ]
        library.map.keep(places, PERSON)
    yield path
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(time, "tzset"):
        pytest.skip("times are painted in the local zone, which cannot be set here")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("REMEMBRANCER_HOME", str(Path(tempfile.gettempdir(), "home")))
    time.tzset()


def points(image: QImage) -> NDArray[np.int16]:
    """The colours of a picture as an array (height, width, 3)."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : image.width() * 3].reshape(image.height(), -1, 3).astype(np.int16)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("place", PLACES)
def test_a_place_looks_as_it_was_kept(demo: Path, tmp_path: Path, place: str, theme: str) -> None:
    file = tmp_path / "now.png"
    paint(place, file, demo, theme, SIZE)
    smooth = Qt.TransformationMode.SmoothTransformation
    now = QImage(str(file)).scaled(*SHRUNK, mode=smooth)
    kept = KEPT / f"{place}-{theme}.png"
    if os.environ.get("REMEMBRANCER_KEEP_PICTURES"):
        KEPT.mkdir(exist_ok=True)
        assert now.save(str(kept))
    difference = np.abs(points(now) - points(QImage(str(kept))))
    assert difference.mean() <= LOOSE.get(place, MEAN)
    if place not in LOOSE:
        assert (difference.max(axis=2) > STRANGE).mean() <= SHARE
