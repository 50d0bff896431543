"""The graph's layout: the same picture for a seed, friends together, nobody flung away."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from remembrancer.core.layout import layout, place_new

Floats = NDArray[np.float64]
Pairs = list[tuple[int, int]]


def ring_of_communities(communities: int = 8, members: int = 20, seed: int = 1) -> Pairs:
    """Communities of `members` nodes, each linked to the next by two edges."""
    rng = np.random.default_rng(seed)
    pairs: Pairs = []
    for community in range(communities):
        first, following = community * members, (community + 1) % communities * members
        pairs += [(first + i, first + int(rng.integers(i))) for i in range(1, members)]
        pairs += [(first + int(a), first + int(b)) for a, b in rng.integers(members, size=(30, 2))]
        pairs += [(first + 1, following + 2), (first + 3, following + 4)]
    return pairs


def distances(positions: Floats) -> Floats:
    return np.linalg.norm(positions[:, None] - positions[None], axis=2)


def test_the_same_seed_draws_the_same_picture() -> None:
    edges = ring_of_communities()
    assert np.array_equal(layout(160, edges, seed=3), layout(160, edges, seed=3))


def test_another_seed_draws_another_picture() -> None:
    edges = ring_of_communities()
    assert not np.allclose(layout(160, edges, seed=3), layout(160, edges, seed=4))


def test_the_order_and_direction_of_edges_do_not_matter() -> None:
    edges = ring_of_communities()
    turned = [(b, a) for a, b in reversed(edges)]
    assert np.array_equal(layout(160, edges), layout(160, turned))


def test_neighbours_are_nearer_than_strangers() -> None:
    edges = np.array(ring_of_communities())
    apart = distances(layout(160, edges))
    linked = apart[edges[:, 0], edges[:, 1]]
    assert np.median(linked) < np.median(apart) / 3


def test_a_community_keeps_together_and_next_to_its_neighbour() -> None:
    positions = layout(160, ring_of_communities())
    centres = positions.reshape(8, 20, 2).mean(axis=1)
    apart = distances(centres)
    steps = np.abs(np.arange(8)[:, None] - np.arange(8)[None])
    steps = np.minimum(steps, 8 - steps)
    assert apart[steps == 1].mean() < apart[steps == 2].mean() < apart[steps == 4].mean()


def test_an_edge_is_usually_about_sixty_long() -> None:
    edges = np.array(ring_of_communities())
    apart = distances(layout(160, edges))
    assert 40 < np.mean(apart[edges[:, 0], edges[:, 1]]) < 80


@pytest.mark.parametrize(
    ("count", "edges"),
    [
        (1, []),
        (2, []),
        (50, []),
        (1, [(0, 0)]),
        (2, [(0, 1)]),
        (3, [(0, 0), (1, 1)]),
        (3, [(0, 1), (0, 1), (1, 0), (1, 2)]),
        (40, [(0, i) for i in range(1, 40)]),
        (300, [(i, i + 1) for i in range(299)]),
        (400, [(0, i) for i in range(1, 400)]),
        (60, [(a, b) for a in range(60) for b in range(a)]),
    ],
)
def test_every_node_gets_a_place_of_its_own(count: int, edges: Pairs) -> None:
    positions = layout(count, edges)
    assert positions.shape == (count, 2)
    assert np.isfinite(positions).all()
    assert len(np.unique(positions.round(6), axis=0)) == count


def test_leaves_of_one_branch_do_not_lie_on_each_other() -> None:
    apart = distances(layout(600, [(i, (i - 1) // 3) for i in range(1, 600)]))
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > 5


def test_no_nodes_make_an_empty_picture() -> None:
    assert layout(0, []).shape == (0, 2)


def test_an_edge_to_a_node_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="outside 0 to 2"):
        layout(3, [(0, 3)])


def test_nodes_without_edges_gather_around_the_picture() -> None:
    edges = ring_of_communities()
    positions = layout(200, edges)
    linked, lone = positions[:160], positions[160:]
    width = np.ptp(linked, axis=0).max()
    assert np.ptp(positions, axis=0).max() < 2 * width
    apart = np.linalg.norm(lone[:, None] - linked[None], axis=2)
    assert apart.min() > 60
    assert np.ptp(positions, axis=0).min() > 0


def test_parts_lie_side_by_side_without_touching() -> None:
    chain = [(i, i + 1) for i in range(29)]
    edges = [(a + 30 * part, b + 30 * part) for part in range(20) for a, b in chain]
    parts = np.repeat(np.arange(20), 30)
    apart = distances(layout(600, edges))
    assert apart[parts[:, None] != parts[None]].min() > 20


def test_many_small_parts_stay_compact() -> None:
    edges = [(2 * pair, 2 * pair + 1) for pair in range(200)]
    assert np.ptp(layout(400, edges), axis=0).max() < 60 * 120


def test_the_caller_sees_whole_pictures_on_the_way() -> None:
    seen: list[tuple[int, Floats]] = []

    def look(step: int, positions: Floats) -> bool:
        seen.append((step, positions))
        return True

    final = layout(200, ring_of_communities(), progress=look)
    assert [step for step, _ in seen] == [10 * (i + 1) for i in range(len(seen))]
    assert all(
        positions.shape == (200, 2) and np.isfinite(positions).all() for _, positions in seen
    )
    assert np.array_equal(final, layout(200, ring_of_communities()))


def test_the_caller_may_stop_and_gets_what_is_there() -> None:
    steps: list[int] = []

    def look(step: int, positions: Floats) -> bool:
        steps.append(step)
        return len(steps) < 3

    positions = layout(160, ring_of_communities(), progress=look)
    assert steps == [10, 20, 30]
    assert np.isfinite(positions).all()


def test_pinned_nodes_do_not_move() -> None:
    edges = ring_of_communities()
    start = layout(160, edges) + np.array([900, -300])
    fixed = np.zeros(160, dtype=bool)
    fixed[[0, 50, 159]] = True
    start[50] += (400, 400)
    tidied = layout(160, edges, start=start, fixed=fixed)
    assert np.array_equal(tidied[fixed], start[fixed])
    assert not np.array_equal(tidied[~fixed], start[~fixed])


def test_the_others_gather_where_the_only_known_nodes_are_pinned() -> None:
    edges = ring_of_communities()
    start = np.full((170, 2), np.nan)
    start[[0, 1]] = (5000, 5000), (5100, 5000)
    fixed = ~np.isnan(start[:, 0])
    positions = layout(170, edges, start=start, fixed=fixed)
    assert np.array_equal(positions[fixed], start[fixed])
    assert np.linalg.norm(positions - (5000, 5000), axis=1).max() < 3000


def test_tidying_keeps_the_size_of_the_picture() -> None:
    edges = ring_of_communities()
    start = layout(160, edges) * 5
    tidied = layout(160, edges, start=start)
    assert np.ptp(tidied, axis=0) == pytest.approx(np.ptp(start, axis=0), rel=0.15)


def test_unknown_nodes_are_put_beside_their_neighbours() -> None:
    edges = ring_of_communities()
    start = layout(160, edges)
    start[::5] = np.nan
    apart = distances(layout(160, edges, start=start))
    linked = np.array(edges)
    assert np.median(apart[linked[:, 0], linked[:, 1]]) < np.median(apart) / 2


def with_a_newcomer(*neighbours: int) -> tuple[Floats, Pairs]:
    edges = ring_of_communities()
    positions = np.vstack([layout(160, edges), [[np.nan, np.nan]]])
    return positions, edges + [(160, neighbour) for neighbour in neighbours]


def test_a_new_node_comes_to_its_neighbours() -> None:
    positions, edges = with_a_newcomer(5, 6, 7)
    placed = place_new(positions, edges, [160])
    to_friends = np.linalg.norm(placed[160] - placed[[5, 6, 7]], axis=1)
    assert to_friends.max() < np.ptp(placed[:160], axis=0).max() / 4


def test_all_but_a_small_shell_stay_when_a_node_comes() -> None:
    positions, edges = with_a_newcomer(5, 6)
    placed = place_new(positions, edges, [160])
    moved = np.flatnonzero((placed[:160] != positions[:160]).any(axis=1))
    assert set(moved.tolist()) <= {5, 6}
    assert np.abs(placed[:160] - positions[:160]).max() < 60


def test_a_new_node_without_edges_goes_to_a_free_spot_near_the_picture() -> None:
    positions, edges = with_a_newcomer()
    placed = place_new(positions, edges, [160])
    away = np.linalg.norm(placed[:160] - placed[160], axis=1).min()
    assert 40 < away < 400
    assert np.array_equal(placed[:160], positions[:160])


def test_lone_nodes_that_come_one_by_one_do_not_wander_off() -> None:
    positions, edges = with_a_newcomer()
    for node in range(160, 190):
        positions = np.vstack([positions[:node], [[0, 0]]])
        positions = place_new(positions, edges, [node])
    assert np.linalg.norm(positions[160:] - positions[:160].mean(axis=0), axis=1).max() < 1500
    assert len(np.unique(positions.round(3), axis=0)) == 190


def test_a_new_part_is_drawn_beside_the_picture() -> None:
    positions, edges = with_a_newcomer()
    positions = np.vstack([positions, [[0, 0]] * 2])
    placed = place_new(positions, [*edges, (160, 161), (161, 162)], [160, 161, 162])
    between = np.linalg.norm(placed[:160, None] - placed[None, 160:], axis=2)
    assert between.min() > 30
    assert np.linalg.norm(placed[160] - placed[161]) == pytest.approx(60, abs=15)


def test_everything_may_be_new() -> None:
    placed = place_new(np.zeros((6, 2)), [(0, 1), (1, 2)], range(6))
    assert len(np.unique(placed.round(3), axis=0)) == 6


def test_a_crowd_of_new_nodes_leaves_the_old_ones_alone() -> None:
    edges = ring_of_communities()
    old = layout(160, edges)
    newcomers = range(160, 360)
    more = [(node, node % 160) for node in newcomers]
    placed = place_new(np.vstack([old, np.zeros((200, 2))]), [*edges, *more], newcomers)
    assert np.array_equal(placed[:160], old)
    assert np.isfinite(placed).all()


def test_placing_is_the_same_for_the_same_seed() -> None:
    positions, edges = with_a_newcomer(5, 90)
    first = place_new(positions, edges, [160], seed=2)
    assert np.array_equal(first, place_new(positions, edges, [160], seed=2))


def test_ten_thousand_nodes_find_their_places() -> None:
    rng = np.random.default_rng(5)
    source = rng.integers(10_000, size=20_000)
    target = (source + rng.integers(1, 60, size=20_000)) % 10_000
    positions = layout(10_000, np.stack([source, target], axis=1))
    assert np.isfinite(positions).all()
    to_linked = np.linalg.norm(positions[source] - positions[target], axis=1)
    to_others = np.linalg.norm(positions[source] - positions[rng.permutation(target)], axis=1)
    assert np.median(to_linked) < np.median(to_others) / 3
