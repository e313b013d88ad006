"""The forest of many classes: against its page, and saved, resumed, explained."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import naive_forest
import naive_panel
import regretless as rg
from regretless.parts.panel.class_mixture import LIVE as MIXED
from regretless.parts.panel.forest import NODES, SETTINGS
from regretless.parts.rows import Dense


def corners(seed: int, n: int, d: int = 5) -> tuple[Any, Any]:
    """Four classes, one in each corner; the fourth comes late."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), 2)
    y = 2 * (X[:, 0] > 0.0) + ((X[:, 1] > 0.0) != (X[:, 2] > 0.0))
    y = np.where((np.arange(n) < 60) & (y == 3), 0, y)
    _, first, y = np.unique(y, return_index=True, return_inverse=True)
    return X, np.argsort(np.argsort(first))[y]  # numbered as they come


def panels_alone(d: int = 5) -> Any:
    """A player whose panels decide each for itself: it has no mixture."""
    player = rg.OneVersusRest(rg.Panel()).player(d)
    player._members.lanes.mixture.numbers[MIXED] = 0.0
    return player


def play(player: Any, X: Any, y: Any) -> Any:
    """The scores of all rounds."""
    player.grow(X.shape[1])
    trace = player.new_trace(len(y), y.astype(float))
    player.play(Dense(X.ravel().copy(), X.shape[1]), y.astype(float), trace=trace)
    return trace[0]


def refined(X: Any, y: Any, base: Any) -> Any:
    """What the page makes of the panels' scores."""
    lanes = base.shape[1]
    second_layer = naive_panel.SecondLayer(naive_forest.ClassForest(lanes))
    found = np.full(base.shape, -np.inf)
    for i, (row, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
        x = {j: value for j, value in enumerate(row) if value}
        for lane in range(lanes):
            sign = 1.0 if lane == label else -1.0
            found[i, lane] = second_layer.learn_lane(x, base[i, lane], sign, lane)
        second_layer.forest.grow(x, label)
    return found, second_layer


def test_the_forest_of_classes_agrees_with_its_page():
    X, y = corners(1, 700)
    alone = [rg.Panel(forest=False).player(5) for _ in range(4)]
    base = np.zeros((700, 4))
    for k, player in enumerate(alone):
        trace = (np.zeros(700), np.zeros(700), np.zeros(700, np.bool_))
        signs = np.where(y == k, 1.0, -1.0)
        player.play(Dense(X.ravel(), 5), signs, trace=trace)
        base[:, k] = trace[0]
    slow, second_layer = refined(X, y, base)
    player = panels_alone()
    fast = play(player, X, y)
    told = np.isfinite(fast)
    assert told[100:].all()
    np.testing.assert_allclose(fast[told], slow[told], rtol=1e-8, atol=1e-8)
    assert player._members.forest.numbers[NODES] == sum(second_layer.forest.sizes) > 100


def test_how_classes_are_numbered_does_not_matter():
    X, y = corners(8, 400)
    numbers = np.array([2, 0, 3, 1])
    later = slice(np.flatnonzero(y == y.max())[0] + 1, None)
    scores, others = play(panels_alone(), X, y), play(panels_alone(), X, numbers[y])
    assert np.array_equal(scores[later], others[later][:, numbers])


def test_to_the_mixture_it_matters_as_much_as_the_order_of_a_sum():
    X, y = corners(8, 400)
    y[:4] = np.arange(4)  # it begins with the same row
    learner = rg.OneVersusRest(rg.Panel())
    numbers = np.array([2, 0, 3, 1])
    one, other = learner.player(5), learner.player(5)
    one.admit(4)
    other.admit(4)
    scores, others = play(one, X, y), play(other, X, numbers[y])
    np.testing.assert_allclose(scores, others[:, numbers], rtol=1e-9, atol=1e-9)


def test_two_classes_are_signs_to_the_bit():
    X, y = corners(9, 600)
    y = y % 2
    player = rg.OneVersusRest(rg.Panel()).player(5)
    scores = play(player, X, y)
    alone = rg.Panel().player(5)
    trace = (np.zeros(600), np.zeros(600), np.zeros(600, np.bool_))
    alone.play(Dense(X.ravel(), 5), np.where(y == 1, 1.0, -1.0), trace=trace)
    assert alone.forest.numbers[NODES] > 40
    assert np.array_equal(scores[2:, 1], trace[0][2:])
    rows = Dense(X.ravel(), 5)
    assert np.array_equal(player.alone(1).scores(rows, 600), alone.scores(rows, 600))
    assert player.alone(1).ledger() == alone.ledger()


def test_corners_are_learned():
    X, y = corners(2, 3000)
    alone = rg.play(rg.OneVersusRest(rg.Panel(forest=False)), X, y)
    together = rg.play(rg.OneVersusRest(rg.Panel()), X, y)
    assert together.mistakes < 0.5 * alone.mistakes


@pytest.mark.parametrize("cut", [1, 50, 61, 400])
def test_cut_saved_and_resumed_it_is_the_same(cut):
    X, y = corners(3, 500)
    learner = rg.OneVersusRest(rg.Panel())
    whole, first, second = (learner.player(0) for _ in range(3))
    scores = play(whole, X, y)
    play(first, X[:cut], y[:cut])
    second.load_state(first.state_dict())
    again = play(second, X[cut:], y[cut:])
    assert np.array_equal(scores[cut:, : again.shape[1]], again)
    assert np.array_equal(
        whole.scores(Dense(X.ravel(), 5), 500), second.scores(Dense(X.ravel(), 5), 500)
    )
    assert whole.ledger() == second.ledger()


def test_a_model_says_what_the_player_says_and_explains_it(tmp_path):
    X, y = corners(4, 900)
    run = rg.play(rg.OneVersusRest(rg.Panel()), X, y)
    player = rg.OneVersusRest(rg.Panel()).player(5)
    play(player, X, y)
    model = run.model("last")
    assert np.array_equal(model.scores(X), player.scores(Dense(X.ravel(), 5), 900))
    model.save(tmp_path / "model.rgl")
    same = rg.load(tmp_path / "model.rgl")
    assert np.array_equal(same.scores(X), model.scores(X))
    alone = player.alone(2).scores(Dense(X.ravel(), 5), 900)
    assert np.array_equal(same.alone(2).scores(X), alone)
    effects = model.explain_one(X[0])
    without = X[:1].copy()
    without[0, 1] = 0.0
    change = model.scores(X[:1]) - model.scores(without)
    label = model.predict(X[:1])[0]
    column = list(model.classes).index(label)
    np.testing.assert_allclose(effects[label][1], change[0, column], atol=1e-9)


def test_events_are_the_rows():
    X, y = corners(5, 200)
    X[X == 0.0] = 0.01
    learner = rg.OneVersusRest(rg.Panel())
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        learner.learn_one(dict(zip("edcba", row, strict=True)), label)
    assert learner.ledger == rg.play(rg.OneVersusRest(rg.Panel()), X, y).ledger


def test_too_many_classes_end_the_forest_and_a_refused_row_does_not():
    n = 3 * (SETTINGS.most + 2)
    rng = np.random.default_rng(6)
    X = rng.normal(size=(n, 3))
    y = np.minimum(np.arange(n), SETTINGS.most + 1)
    player = rg.OneVersusRest(rg.Panel()).player(3)
    play(player, X[: SETTINGS.most - 1], y[: SETTINGS.most - 1])
    assert player._members.has_forest
    bad = X[:1].copy()
    bad[0, 0] = np.inf
    before = player.state_dict()
    with pytest.raises(rg.BadRow):
        play(player, bad, np.array([SETTINGS.most]))
    assert player._members.has_forest
    after = player.state_dict()
    for name in before:
        if name.startswith("forest_"):
            assert np.array_equal(before[name], after[name]), name
    play(player, X[SETTINGS.most - 1 :], y[SETTINGS.most - 1 :])
    assert not player._members.has_forest
    assert not any(name.startswith("forest_") for name in player.state_dict())


@pytest.mark.parametrize("more", [-1, 0, 1, 2])
def test_it_ends_with_the_same_class_wherever_rows_come_from(more):
    """Arrays know in advance how many classes will come; files and events do not."""
    classes = SETTINGS.most + more
    n = 4 * classes
    X = np.random.default_rng(8).normal(size=(n, 3)).round(3)
    y = np.arange(n) % classes
    learner = rg.OneVersusRest(rg.Panel())
    known = rg.play(learner, X, y)
    assert known.player._members.has_forest == (more <= 0)
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        learner.learn_one(dict(zip("abc", row, strict=True)), label)
    assert learner.ledger == known.ledger
    pairs = ((row, label) for row, label in zip(X, y.tolist(), strict=True))
    assert rg.play(learner, pairs).ledger == known.ledger


def test_a_forest_of_other_classes_is_refused():
    X, y = corners(7, 100)
    player = rg.OneVersusRest(rg.Panel()).player(5)
    play(player, X, y)
    state = player.state_dict()
    for name in ("stack", "covariance"):
        state[f"forest_{name}"] = state[f"forest_{name}"][:2]
    state["forest_outputs"] = state["forest_outputs"][:, :2]
    with pytest.raises(ValueError, match="other classes"):
        rg.OneVersusRest(rg.Panel()).player(5).load_state(state)
