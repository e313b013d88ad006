"""Adversaries reach what they promise, to the letter; all games keep their rules."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretless as rg
from regretless.algorithms import experts, learners
from regretless.games import GAMES, LINEUP, find, fits, games_for, name_of, set_up

g = rg.games


def end(learner, game, rounds=None, seed=0):
    """The bout with the bounds of its end alone."""
    return rg.arena(learner, game, rounds, seed=seed, points=1)


def share(learner, game, name, rounds=None):
    return end(learner, game, rounds).theorems[name].ratio


# What the adversaries reach.


@pytest.mark.parametrize("n", [2, 3, 7, 8, 100, 1000, 1024, 1025])
def test_splitting_forces_exactly_the_floor_of_log2(n):
    bout = end(rg.Halving(), g.Splitting(n))
    assert bout.run.mistakes == math.floor(math.log2(n)) == bout.headline.value
    assert bout.run.ledger.best_loss == 0


@pytest.mark.parametrize("learner", [rg.WeightedMajority(0.3), rg.Hedge()])
def test_splitting_forces_as_many_of_any_learner(learner):
    game = g.Splitting(64)
    data = game.take(6, learner=learner)
    run = rg.play(learner, **data, trace=True)
    assert ((run.scores > 0.5) != data["y"]).all()
    assert (data["X"] == data["y"][:, None]).all(axis=0).any()  # somebody is perfect


@pytest.mark.parametrize("d", [1, 2, 30, 257])
def test_unit_vectors_meet_the_perceptron_exactly(d):
    bout = end(rg.Perceptron(), g.UnitVectors(d))
    assert bout.run.mistakes == d
    assert bout.headline.value == pytest.approx(d, rel=1e-12)


@pytest.mark.parametrize(
    "learner", [rg.Perceptron(), rg.PassiveAggressive(), rg.Pegasos(0.1)], ids=repr
)
def test_bisection_makes_every_round_a_mistake(learner):
    game = g.Bisection(depth=50)
    data = game.take(50, learner=learner)
    assert rg.play(learner, **data).mistakes == 50
    x, y = data["X"][:, 1], data["y"]
    assert x[y < 0].max(initial=0) < x[y > 0].min(initial=1)  # a threshold is right


def test_through_the_origin_one_mistake_is_all():
    data = g.Bisection().take(30, learner=rg.Perceptron())
    x = data["X"][:, 1:]
    assert rg.play(rg.Perceptron(), x, np.ones(30)).mistakes == 1


@pytest.mark.parametrize(("d", "k"), [(64, 4), (100, 3), (17, 1), (8, 4)])
@pytest.mark.parametrize("learner", [rg.Winnow(), rg.Perceptron()], ids=repr)
def test_block_search_beats_every_deterministic_learner(learner, d, k):
    game = g.BlockSearch(d, k)
    forced = k * math.floor(math.log2(d // k))
    data = game.take(forced + 3 * k, learner=learner)
    X, y = data["X"].toarray(), data["y"]
    assert rg.play(learner, X[:forced], y[:forced]).mistakes == forced
    u = game.truth(g.Played(X, y, np.zeros(d), 0))
    assert u.sum() == k
    np.testing.assert_array_equal(np.where(X @ u > 0, 1, -1), y)


@pytest.mark.parametrize(
    ("d", "k", "reached"), [(300, 4, 0.886), (1000, 10, 0.884), (1000, 1, 0.872)]
)
def test_promote_demote_reaches_the_potential(d, k, reached):
    game = g.PromoteDemote(d, k)
    bout = end(rg.Winnow(), game)
    assert bout.headline.theorem.name == "winnow/potential"
    assert bout.headline.ratio == pytest.approx(reached, abs=1e-3)
    # Nothing is left to be forced: the natural length was long enough.
    assert end(rg.Winnow(), game, 2 * game.natural).run.mistakes == bout.run.mistakes


@pytest.mark.parametrize("d", [2, 3, 10])
@pytest.mark.parametrize("eta", [0.01, 0.05])
def test_orthogonal_gradients_meet_descent_exactly(d, eta):
    learner = rg.OGD(step=rg.Constant(eta))
    found = share(learner, g.Orthogonal(d), "ogd/data", 400)
    assert found == pytest.approx(1.0, abs=1e-9)


def test_orthogonal_gradients_meet_the_step_of_the_lecture():
    learner = rg.OGD(step="theorem", radius=1.0, max_norm=1.0, horizon=900)
    found = share(learner, g.Orthogonal(), "ogd/lecture", 900)
    assert found == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("n", [2, 4, 16, 64])
@pytest.mark.parametrize("horizon", [1000, 10_000])
def test_alternating_halves_reach_hedge(n, horizon):
    game = g.AlternatingHalves(n, horizon)
    assert 0.974 <= share(rg.Hedge(horizon=horizon), game, "hedge/horizon") <= 0.995


def test_balancing_reaches_weighted_majority():
    for beta, rounds, least in ((0.5, 400, 0.96), (0.9, 2000, 0.98)):
        bout = end(rg.WeightedMajority(beta), g.Balancing(16), rounds)
        assert bout.run.mistakes == rounds
        assert least <= bout.headline.ratio <= 1


def test_the_farthest_number_costs_a_quarter_of_the_logarithm():
    regrets = [
        end(rg.FollowTheLeader(), g.Farthest(), rounds).run.ledger.regret
        for rounds in (1000, 10_000)
    ]
    slope = (regrets[1] - regrets[0]) / math.log(10)
    assert slope == pytest.approx(0.25, abs=2e-3)
    wide = end(rg.FollowTheLeader(-1, 1), g.Farthest(-1, 1), 1000).run.ledger.regret
    assert wide == pytest.approx(4 * regrets[0], rel=1e-9)


def test_parabolas_meet_the_strongly_convex_form_exactly():
    learner = rg.OGD(loss=rg.Squared(), step=rg.InverseTime(2.0))
    found = end(learner, g.Quadratic(), 1000)
    assert found.theorems["strongly-convex/data"].ratio == pytest.approx(1, abs=1e-9)
    assert found.theorems["strongly-convex/log"].applies


def test_curvature_is_measured_not_assumed():
    learner = rg.OGD(loss=rg.Squared(), step=rg.InverseTime(2.0))
    X, y = np.array([[1.0], [0.5], [1.0]]), np.array([1.0, -1.0, 1.0])
    found = rg.play(learner, X, y).theorems(u=[0.3])["strongly-convex/data"]
    assert not found.applies
    steep = rg.OGD(loss=rg.Squared(), step=rg.InverseTime(3.0))
    found = rg.play(steep, np.ones((3, 1)), y).theorems(u=[0.3])
    assert "sigma = 2, steps for 3" in found["strongly-convex/data"].reason


@pytest.mark.parametrize(
    ("n", "k", "mistakes"), [(101, 3, 300), (101, 5, 500), (301, 3, 900)]
)
def test_a_hung_panel_nearly_reaches_n_k(n, k, mistakes):
    bout = end(rg.Perceptron(), g.HungPanel(n, k))
    assert (bout.run.mistakes, bout.headline.value) == (mistakes, n * k)
    winnow = rg.NormalizedWinnow.for_margin(1 / k)
    assert share(winnow, g.HungPanel(n, k), "normalized-winnow/tuned-data") > 0.9


def test_following_the_leader_is_broken_and_hedge_is_not():
    regrets = {
        eta: end(rg.Hedge(eta=eta), g.Seesaw(), 2000).run.ledger.regret
        for eta in (1e6, 0.05)
    }
    assert regrets[1e6] == pytest.approx(1000, abs=1)
    assert regrets[0.05] < 30


@pytest.mark.parametrize("perfect", [7, 8])
def test_the_table_of_freund_under_either_repair(perfect):
    data = g.FreundTable(perfect).take(5)
    run = rg.play(rg.Halving(), **data, trace=True)
    votes = data["X"]
    assert (run.mistake_rounds + 1).tolist() == [2, 4]
    said = [1 - y if t in (1, 3) else y for t, y in enumerate(data["y"])]
    assert said == [1, 0, 1, 1, 0]
    right = (votes == data["y"][:, None]).all(axis=0)
    assert np.flatnonzero(right).tolist() == [perfect - 1]
    assert votes[1].sum() == 3  # of the six left, three say 1: a tie


def test_alice_and_bob():
    data = g.Meteorologists().take(20_000, seed=3)
    alice, bob = ((data["X"] - data["y"][:, None]) ** 2).mean(axis=0)
    assert alice - bob == pytest.approx(0.2**2 - 0.1**2, abs=3e-3)


# What all games have in common.


def played(name):
    """A learner that can play this game."""
    if GAMES[name].covered:
        return rg.intervals(rg.OGD(rg.Squared(), rg.Constant(0.1)))
    for kind, pairing in LINEUP.items():
        game = GAMES[name]()
        learner = set_up(kind, game, 40)
        if fits(learner, game) and not (name == "balancing" and kind is rg.Halving):
            low = getattr(learner, "domain", None) == "check"
            if not low or game.width == pairing.worst.width or "panel" in name:
                return learner
    raise AssertionError(name)


@pytest.mark.parametrize("name", GAMES)
def test_games_are_seeded_endless_and_the_same_however_played(name):
    game, learner = GAMES[name](), played(name)
    data = game.take(40, seed=5, learner=learner)
    again = game.take(40, seed=5, learner=learner)
    longer = game.take(90, seed=5, learner=learner)
    for key, value in data.items():
        if hasattr(value, "shape"):
            dense = [
                one[key].toarray() if hasattr(one[key], "toarray") else one[key]
                for one in (data, again, longer)
            ]
            np.testing.assert_array_equal(dense[0], dense[1])
            np.testing.assert_array_equal(dense[0], dense[2][:40])
    run = rg.play(learner, **data)
    bout = end(learner, game, 40, seed=5)
    assert bout.run.loss == run.loss
    np.testing.assert_array_equal(bout.run.weights, run.weights)
    rounds = itertools.islice(game.stream(5, learner), 40)
    given = {"losses": {"losses": rounds}, "numbers": {"y": rounds}}
    streamed = rg.play(
        learner,
        **given.get(game.kind, {"X": rounds}),
        **({"loss": game.loss} if game.kind == "forecasts" else {}),
        **({"n_features": game.width} if game.kind in ("labels", "targets") else {}),
    )
    assert streamed.loss == pytest.approx(run.loss, rel=1e-12)
    assert streamed.mistakes == run.mistakes
    if game.random:
        other = game.take(40, seed=6, learner=learner)
        differs = [(data[key] != other[key]).sum() for key in ("X", "y") if key in data]
        assert sum(differs) > 0


@pytest.mark.parametrize("name", GAMES)
def test_games_are_documented_and_frozen(name):
    kind = GAMES[name]
    assert "**Reaches**" in kind.__doc__
    assert ">>> " in kind.__doc__
    assert name_of(kind()) == name
    for field in dataclasses.fields(kind):
        assert f"{field.name}" in kind.__doc__
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(kind(), field.name, 1)


def test_every_learner_of_the_package_has_its_games():
    known = {*learners.__all__, *experts.__all__}
    others = {"LinearLearner", "ExpertLearner", "EventLearner", "ClassLearner"}
    others |= {"Mixture", "Panel", "RegressionPanel", "KernelPerceptron"}
    others |= {"FactorizationMachine"}
    others |= {"OneVersusRest", "MulticlassPerceptron"}
    missing = known - others - {kind.__name__ for kind in LINEUP}
    assert not missing


@given(
    st.integers(2, 40),
    st.sampled_from([1, 3, 5]),
    st.floats(0.01, 0.9),
    st.integers(0, 99),
)
def test_friendly_games_keep_their_promises(features, k, margin, seed):
    game = g.Separable(features, margin)
    data = game.take(60, seed)
    u = game.truth(g.Played(data["X"], data["y"], np.zeros(features), seed))
    assert (data["y"] * (data["X"] @ u)).min() >= 1 - 1e-9
    np.testing.assert_allclose(np.linalg.norm(data["X"], axis=1), 1.0)
    for close in (False, True):
        panel = g.SchapirePanel(features + 4, k, close)
        data = panel.take(60, seed)
        u = panel.truth(g.Played(data["X"], data["y"], np.zeros(0), seed))
        margins = data["y"] * (data["X"] @ u)
        assert (u.sum(), margins.min() >= 1) == (k, True)
        assert not close or (margins == 1).all()
        if k < features + 4:  # nobody outside knows better than chance
            outside = np.abs((data["y"] @ data["X"])[u == 0]) / 60
            assert outside.max() < 0.85
    words = g.Disjunction(features + 4, k)
    data = words.take(60, seed)
    u = words.truth(g.Played(data["X"], data["y"], np.zeros(0), seed))
    np.testing.assert_array_equal(np.where(data["X"] @ u > 0, 1, -1), data["y"])


def test_noise_drift_and_order():
    data = g.NoisyLabels(5, 0.1, 0.25).take(4000, seed=1)
    clean = g.Separable(5, 0.1)
    u = clean.truth(g.Played(None, None, np.zeros(0), 1))
    wrong = (data["y"] != np.sign(data["X"] @ u)).mean()
    assert wrong == pytest.approx(0.25, abs=0.03)
    drift = g.ConceptDrift(5, 0.3, every=100).take(200, seed=1)
    runs = [
        rg.play(rg.Perceptron(), drift["X"][part], drift["y"][part])
        for part in (slice(0, 100), slice(100, 200))
    ]
    for run in runs:
        assert run.theorems()["perceptron/separable"].applies
    assert not (
        rg.play(rg.Perceptron(), **drift).theorems()["perceptron/separable"].applies
    )
    y = g.SortedLabels(5, 0.1, block=7).take(21)["y"]
    assert y.tolist() == [-1.0] * 7 + [1.0] * 7 + [-1.0] * 7


# Refusals.


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: g.SchapirePanel(9, 4), "k=4 must be odd and at most voters=9"),
        (lambda: g.SchapirePanel(3, 5), "k=5 must be odd and at most voters=3"),
        (lambda: g.HungPanel(3, 3), "k=3 must be odd and less than voters=3"),
        (lambda: g.Splitting(1), "experts=1 must be a whole number from 2 on"),
        (lambda: g.Splitting(2.5), "experts=2.5 must be a whole number"),
        (lambda: g.Splitting(True), "experts=True must be a whole number"),
        (lambda: g.Separable(5, 1.0), r"margin=1.0 must be a number in \(0, 1\)"),
        (lambda: g.NoisyLabels(noise=0.6), r"noise=0.6 must be a number in \[0, 0.5\]"),
        (lambda: g.NoisyLabels(noise=math.nan), "noise=nan must be a number"),
        (lambda: g.Bisection(51), "depth=51 must be a whole number from 1 to 50"),
        (lambda: g.BlockSearch(6, 4), "k=4 must be at most half of features=6"),
        (lambda: g.PromoteDemote(3, 3), "k=3 must be less than features=3"),
        (lambda: g.Disjunction(3, 4), "k=4 must be at most features=3"),
        (lambda: g.FreundTable(6), "perfect=6 must be 7 or 8"),
        (lambda: g.Farthest(1.0, 1.0), r"high=1.0 must be a number in \(1"),
        (lambda: find("spliting"), "did you mean 'splitting'"),
        (lambda: find("seesaw", k=3), "has no parameter 'k': it takes nothing"),
        (lambda: g.Seesaw().take(0), "rounds=0 must be a whole number from 1 on"),
        (lambda: g.Separable(10**6).take(10**6), "GB: play fewer"),
        (lambda: rg.arena(rg.Hedge(), "seesaw", seed=[]), "there is nothing to play"),
    ],
)
def test_what_is_out_of_range_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: g.Splitting().take(3), "Splitting answers a learner: say which"),
        (
            lambda: rg.arena(rg.Halving(), g.Seesaw()),
            "Halving cannot play Seesaw, a game of losses",
        ),
        (lambda: rg.arena(rg.OGD(), g.Quadratic()), "cannot play Quadratic"),
        (lambda: rg.arena(rg.Halving, g.Splitting()), r"did you forget the \(\)"),
        (lambda: rg.arena(rg.Halving(), g.Splitting), r"did you forget the \(\)"),
        (lambda: rg.arena(rg.Halving(), 3), "3 is not a game"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_games_for_a_learner():
    assert games_for(rg.FollowTheLeader()) == [
        "farthest",
        "random-numbers",
        "drifting-numbers",
    ]
    assert "quadratic" in games_for(rg.OGD(loss=rg.Squared()))
    assert "quadratic" not in games_for(rg.OGD())
