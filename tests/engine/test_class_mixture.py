"""What panels of many classes decide together: against its page, and saved."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import regretless as rg
from naive_mixture import Mixture
from regretless.parts.panel.class_mixture import LIVE, OWN
from regretless.parts.rows import Dense


def clusters(seed: int, n: int, classes: int, d: int = 6) -> tuple[Any, Any]:
    """Classes around centers, numbered as they come; rows with few of each."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    _, first, y = np.unique(y, return_index=True, return_inverse=True)
    y = np.argsort(np.argsort(first))[y]
    return 1.5 * rng.normal(size=(classes, d))[y] + rng.normal(size=(n, d)), y


def played(player: Any, X: Any, y: Any, weights: Any = None) -> Any:
    """The scores of all rounds."""
    trace = player.new_trace(len(y), y.astype(float))
    rows = Dense(X.ravel().copy(), X.shape[1])
    player.play(rows, y.astype(float), trace=trace, weights=weights)
    return trace[0]


def without(learner: Any, d: int) -> Any:
    """A player whose panels decide each for itself, as before there was a mixture."""
    player = learner.player(d)
    player._members.lanes.mixture.numbers[LIVE] = 0.0
    return player


@pytest.mark.parametrize("forest", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_the_mixture_agrees_with_its_page(forest, weighted):
    X, y = clusters(1, 500, 9)
    weights = np.random.default_rng(2).choice([0.0, 0.5, 3.0], 500)
    weights = weights if weighted else np.ones(500)
    learner = rg.OneVersusRest(rg.Panel(forest=forest))
    panels, naive = without(learner, 6), Mixture(8)
    slow, known = np.full((500, 9), -np.inf), 0
    for i, label in enumerate(y.tolist()):
        s = played(panels, X[i : i + 1], y[i : i + 1], weights[i : i + 1])
        m = panels._members.shared()[2].margins[:known]
        slow[i, :known] = naive.round(m, s[0, :known], label, weights[i])
        known = max(known, label + 1)
    player = learner.player(6)
    fast = played(player, X, y, weights)
    np.testing.assert_allclose(fast, slow, rtol=1e-7, atol=1e-7)
    losses = (naive.loss, naive.own.loss, naive.shared.loss)
    np.testing.assert_allclose(player.ledger().mixture_losses, losses, rtol=1e-9)
    assert 0.0 < player._members.lanes.mixture.numbers[OWN] < 1.0


def test_few_rows_a_class_are_what_it_is_for():
    X, y = clusters(3, 1500, 40, d=10)
    learner = rg.OneVersusRest(rg.Panel())
    alone, together = without(learner, 10), learner.player(10)
    played(alone, X, y)
    played(together, X, y)
    assert together.ledger().mistakes < 0.93 * alone.ledger().mistakes


@pytest.mark.parametrize("seed", range(8))
def test_it_pays_hardly_more_than_the_better_of_the_two(seed):
    """Labels that change their meaning, or have none: no sequence may break it."""
    rng = np.random.default_rng(seed)
    X, y = clusters(seed, 400, int(rng.integers(3, 7)))
    if seed % 2:
        y[200:] = (y[200:] + 1) % (y.max() + 1)
    if seed % 3 == 0:
        y = rng.permutation(y)
    run = rg.play(rg.OneVersusRest(rg.Panel()), X, y)
    found = run.theorems()["one-versus-rest/mixture"]
    assert found.applies
    assert found.happened <= found.value
    mixed, own, shared = run.ledger.mixture_losses
    assert found.value == min(own, shared) + math.log(2.0) + math.log(400.0) / 2.0
    log_losses = run.metrics.log_loss * run.rounds
    assert mixed == pytest.approx(log_losses, rel=0.05)  # but for first rows
    assert not run.theorems()["one-versus-rest/sum"].applies


def test_of_two_classes_there_is_nothing_to_mix():
    X, y = clusters(4, 200, 2)
    run = rg.play(rg.OneVersusRest(rg.Panel()), X, y)
    assert run.ledger.mixture_losses is None
    assert run.theorems()["one-versus-rest/sum"].applies


def test_probabilities_are_those_of_the_log_odds(tmp_path):
    X, y = clusters(5, 300, 5)
    run = rg.play(rg.OneVersusRest(rg.Panel()), X, y)
    for kind in ("last", "validated"):
        model = run.model(kind)
        chances, scores = model.predict_proba(X), model.scores(X)
        np.testing.assert_allclose(chances, 1.0 / (1.0 + np.exp(-scores)), atol=1e-12)
        np.testing.assert_allclose(chances.sum(axis=1), 1.0)
        model.save(tmp_path / "m.rgl")
        loaded = rg.load(tmp_path / "m.rgl")
        assert np.array_equal(loaded.predict_proba(X), chances)
    learner = rg.OneVersusRest(rg.Panel())
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        learner.learn_one(dict(enumerate(row)), label)
    found = learner.predict_proba_one(dict(enumerate(X[0].tolist())))
    last = run.model("last")
    assert list(found) == list(last.classes)
    np.testing.assert_allclose(list(found.values()), last.predict_proba(X[:1])[0])


@pytest.mark.parametrize("cut", [1, 7, 150])
def test_it_goes_on_where_it_was_saved(cut):
    X, y = clusters(6, 300, 5)
    learner = rg.OneVersusRest(rg.Panel())
    whole, first, second = (learner.player(6) for _ in range(3))
    scores = played(whole, X, y)
    played(first, X[:cut], y[:cut])
    second.load_state(deepcopy(first.state_dict()))
    assert np.array_equal(scores[cut:], played(second, X[cut:], y[cut:]))
    assert whole.ledger() == second.ledger()


def test_a_state_that_is_damaged_is_refused():
    X, y = clusters(8, 60, 4)
    player = rg.OneVersusRest(rg.Panel()).player(6)
    played(player, X, y)
    state = player.state_dict()
    state["mixture"]["stack"] = state["mixture"]["stack"][:3]
    with pytest.raises(ValueError, match="stack is"):
        rg.OneVersusRest(rg.Panel()).player(6).load_state(state)


def test_effects_of_features_are_those_on_the_scores():
    X, y = clusters(9, 400, 4)
    model = rg.play(rg.OneVersusRest(rg.Panel()), X, y).model("last")
    label = model.predict(X[:1])[0]
    column = list(model.classes).index(label)
    less = X[:1].copy()
    less[0, 2] = 0.0
    change = model.scores(X[:1]) - model.scores(less)
    assert model.explain_one(X[0])[label][2] == pytest.approx(change[0, column])
