"""The forest on top of a panel: against its page, and the laws its users rely on."""

from __future__ import annotations

import numpy as np
import pytest

import naive_forest
import naive_panel
import regretless as rg
from regretless.algorithms.learners.panel import PANELS, VIEWS
from regretless.engine.players.panel import PanelPlayer
from regretless.parts.panel.forest import FEATURE, FEATURES, LEAVES, NODES, SETTINGS
from regretless.parts.panel.random_bits import bits
from regretless.parts.rows import Dense, Sparse


def interactions(seed: int, n: int, d: int = 6):
    """Labels that no sum over columns can tell: an exclusive or."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), 2) * (rng.random((n, d)) < 0.9)
    X[:, 2] = rng.integers(0, 2, n)
    return X, np.where((X[:, 0] > 0.3) != (X[:, 1] > 0.0), 1.0, -1.0)


def player(n_features: int = 0, dtype=np.float32, forest: bool = True) -> PanelPlayer:
    view = VIEWS["hat"]
    return PanelPlayer(view, PANELS[8], n_features, dtype=dtype, forest=forest)


def play(panel: PanelPlayer, X, y) -> np.ndarray:
    n = len(y)
    panel.grow(X.shape[1])
    trace = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
    panel.play(Dense(X.ravel().copy(), X.shape[1]), y, trace=trace)
    return trace[0]


def splits(node: naive_forest.Node) -> list:
    """All splits of a tree, from the root on, left before right."""
    if node.split is None:
        return []
    feature, cut = node.split
    left, right = node.children
    return [(feature + 1, cut), *splits(left), *splits(right)]


def grown(panel: PanelPlayer, node: int) -> list:
    """The same of a tree of a player."""
    forest = panel.forest
    feature, child = forest.nodes[node, :2].tolist()
    if feature < 0:
        return []
    here = [(feature, forest.cuts[node].item())]
    return [*here, *grown(panel, child), *grown(panel, child + 1)]


def test_the_forest_agrees_with_its_page():
    X, y = interactions(1, 900)
    page = naive_panel.Panel()
    slow = naive_panel.play(page, X, y)
    panel = player(dtype=np.float64)
    fast = play(panel, X, y)
    trees = [splits(root) for root in page.second_layer.forest.roots]
    assert [grown(panel, t) for t in range(20)] == trees
    assert sum(map(len, trees)) > 100
    np.testing.assert_allclose(fast, slow, rtol=1e-8, atol=1e-8)


def test_random_bits_are_those_of_the_page():
    counters = [0, 1, 2, 39, 40, 2**31, 2**40 + 1]
    with np.errstate(over="ignore"):
        found = [int(bits(1.0, float(k))) for k in counters]
    assert found == [naive_forest.bits(k) for k in counters]


def test_interactions_are_learned():
    X, y = interactions(2, 4000)
    alone, together = player(forest=False), player()
    play(alone, X, y)
    play(together, X, y)
    assert together.ledger().mistakes < 0.4 * alone.ledger().mistakes
    assert together.ledger().loss < 0.5 * alone.ledger().loss


def test_noise_is_left_alone():
    """Where trees have nothing to say, the second stack leaves them out."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(6000, 5))
    y = np.where(X[:, 0] + rng.logistic(size=6000) > 0, 1.0, -1.0)
    alone, together = player(forest=False), player()
    play(alone, X, y)
    play(together, X, y)
    assert together.ledger().loss < alone.ledger().loss + 30.0


def test_a_wide_row_ends_the_forest_and_the_panel_plays_on():
    X, y = interactions(4, 700, d=205)
    X[:500, 6:] = 0.0
    panel, page = player(), naive_panel.Panel()
    play(panel, X[:500], y[:500])
    assert panel.has_forest
    assert any(name.startswith("forest_") for name in panel.state_dict())
    scores = play(panel, X[500:], y[500:])
    assert not panel.has_forest
    assert not any(name.startswith("forest_") for name in panel.state_dict())
    alone = player(forest=False)
    play(alone, X[:500], y[:500])
    kept = play(alone, X[500:], y[500:])
    assert scores[0] != kept[0]  # the row that ends it is still predicted with it
    assert np.array_equal(scores[2:], kept[2:])
    naive_panel.play(page, X[:500, :6], y[:500])
    assert page.second_layer.forest.live
    naive_panel.play(page, X[500:510], y[500:510])
    assert not page.second_layer.forest.live


def test_words_that_come_one_by_one_end_it_too():
    """A live game holds on to its arrays; many names come after the end."""
    rng = np.random.default_rng(9)
    events = [{f"w{k}": 1.0 for k in rng.integers(0, 900, 5)} for _ in range(400)]
    learner = rg.Panel()
    for k, event in enumerate(events):
        learner.score_one(event)
        learner.learn_one(event, k % 3 == 0)
    assert not learner.live.player.has_forest
    run = rg.play(rg.Panel(), [(x, k % 3 == 0) for k, x in enumerate(events)])
    assert run.ledger == learner.ledger


def test_as_many_features_as_are_allowed_keep_the_forest():
    X, y = interactions(5, 300, d=SETTINGS.widest)
    panel = player()
    play(panel, X, y)
    assert panel.has_forest
    assert panel.forest.numbers[FEATURES] == SETTINGS.widest


def test_how_features_are_numbered_does_not_matter():
    """Streams number names as they come, files as they are written."""
    X, y = interactions(6, 500)
    X[X == 0.0] = 0.5
    there = np.array([40, 3, 1000, 7, 12, 500], np.int32)
    starts = np.arange(0, 6 * 500 + 1, 6)
    sparse = Sparse(starts, np.tile(there, 500), X.ravel().copy())
    one, other = player(n_features=6), player(n_features=2000)
    scores = play(one, X, y)
    trace = (np.zeros(500), np.zeros(500), np.zeros(500, np.bool_))
    other.play(sparse, y, trace=trace)
    assert np.array_equal(trace[0], scores)
    learner = rg.Panel()
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        learner.learn_one(dict(zip("fedcba", row, strict=True)), label)
    assert learner.ledger == one.ledger()


def test_a_forest_has_an_end():
    """Nodes, depth and features are bounded, so memory is."""
    X, y = interactions(7, 60_000, d=3)
    panel = player()
    play(panel, X, y * np.where(np.random.default_rng(0).random(60_000) < 0.2, -1, 1))
    forest, used = panel.forest, int(panel.forest.numbers[NODES])
    assert used <= SETTINGS.trees * SETTINGS.nodes
    assert forest.sizes.sum() == used
    assert forest.nodes[:used, 2].max() <= SETTINGS.depth
    leaves = int(forest.numbers[LEAVES])
    assert 2 * leaves == used + SETTINGS.trees
    assert (forest.nodes[:used, FEATURE] < 0).sum() == leaves
    whole = sum(a.nbytes for a in player().forest)
    assert whole < 20e6
    assert (
        sum(
            a.nbytes
            for n, a in panel.hypothesis().state_dict().items()
            if "forest" in n
        )
        <= whole
    )


def test_a_broken_forest_is_refused():
    panel = player(n_features=3)
    arrays = panel.state_dict()
    with pytest.raises(ValueError, match="no array 'forest_cuts'"):
        player().load_state({n: a for n, a in arrays.items() if n != "forest_cuts"})
    with pytest.raises(ValueError, match="forest_leaves is"):
        player().load_state(arrays | {"forest_leaves": np.zeros((20, 2))})


def test_a_panel_may_go_on_without_the_forest_of_a_model():
    X, y = interactions(8, 400)
    panel = player()
    play(panel, X, y)
    bare = player(forest=False)
    bare.begin_at(panel)
    assert not bare.has_forest
    assert rg.Panel(forest=False).player(3).has_forest is False
    assert repr(rg.Panel(forest=False)) == "Panel(forest=False)"
