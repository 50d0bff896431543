"""The camera: what is under the pointer stays there, and everything fits."""

from __future__ import annotations

import numpy as np
import pytest

from remembrancer.desktop.graph.camera import Camera


def test_the_screen_and_the_world_are_each_others_inverse() -> None:
    camera = Camera(30, -40, 2.5, 800, 600)
    (x, y) = camera.to_screen(np.array([[12.0, 7.0]]))[0]
    assert camera.to_world(x, y) == pytest.approx((12, 7))


def test_zooming_keeps_the_place_under_the_pointer() -> None:
    camera = Camera(30, -40, 1, 800, 600)
    before = camera.to_world(130, 410)
    camera.zoom_at(130, 410, 3.7)
    assert camera.to_world(130, 410) == pytest.approx(before)
    assert camera.zoom == pytest.approx(3.7)


def test_the_zoom_has_an_end_on_both_sides() -> None:
    camera = Camera(0, 0, 1, 800, 600)
    camera.zoom_at(0, 0, 1e9)
    near = camera.zoom
    camera.zoom_at(0, 0, 1e-19)
    assert 0 < camera.zoom < 1 < near < 1000


def test_panning_moves_the_picture_by_pixels() -> None:
    camera = Camera(0, 0, 2, 800, 600)
    camera.pan(50, -20)
    assert camera.to_screen(np.array([[0.0, 0.0]]))[0] == pytest.approx((450, 280))


def test_everything_fits_and_margins_stay_free() -> None:
    fitted = Camera(width=800, height=600).fitted((0, 0, 5000, 1000), (200, 0, 0, 100))
    corners = fitted.to_screen(np.array([[0.0, 0.0], [5000.0, 1000.0]]))
    assert corners[:, 0].min() >= 200
    assert corners[:, 0].max() <= 800
    assert corners[:, 1].max() <= 500
    assert corners.mean(axis=0) == pytest.approx((500, 250))


def test_a_single_place_is_shown_in_the_middle_without_a_wild_zoom() -> None:
    fitted = Camera(width=800, height=600).fitted((7, 8, 7, 8))
    assert (fitted.x, fitted.y) == (7, 8)
    assert fitted.zoom <= 2


def test_nothing_to_show_is_no_error() -> None:
    assert Camera(5, 5, 3, 800, 600).fitted(None).zoom == 1


def test_a_flight_begins_here_and_ends_there() -> None:
    here, there = Camera(0, 0, 0.1, 800, 600), Camera(900, 300, 2, 800, 600)
    start, end = here.towards(there, 0), here.towards(there, 1)
    assert (start.x, start.y, start.zoom) == pytest.approx((0, 0, 0.1))
    assert (end.x, end.y, end.zoom) == pytest.approx((900, 300, 2))
    zooms = [here.towards(there, share / 10).zoom for share in range(11)]
    assert zooms == sorted(zooms)


def test_a_picture_of_another_size_shows_the_same_place() -> None:
    larger = Camera(3, 4, 1, 800, 600).resized(1600, 1200)
    assert (larger.x, larger.y, larger.zoom) == (3, 4, 2)
