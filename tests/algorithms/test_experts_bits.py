"""One by one, chunked and whole give the same bits; so do losses of any size."""

import itertools
import math

import numpy as np
import pytest

import regretless as rg
from regretless.parts.expert_inputs import Losses, Votes

MIXERS = [
    rg.Hedge(),
    rg.Hedge(eta=0.3),
    rg.Hedge(horizon=50),
    rg.AdaHedge(),
    rg.FixedShare(0.5, 0.1),
    rg.FixedShare(0.5, 0),
    rg.Squint(),
    rg.BOA(),
    rg.SafeBOA(),
    rg.MLPoly(),
]
VOTERS = [
    rg.Halving(),
    rg.WeightedMajority(),
    rg.WeightedMajority(0.8),
    rg.RandomizedWeightedMajority(seed=7),
]


def table(votes=False, n=7, rounds=60, sleepers=True):
    rng = np.random.default_rng(n)
    T = rng.integers(0, 2, (rounds, n)) * 1.0 if votes else rng.normal(size=(rounds, n))
    if sleepers:
        T[10:][rng.random((rounds - 10, n)) < 0.3] = math.nan
    y = rng.integers(0, 2, rounds)
    T[:, 2] = y  # a perfect voter, always awake
    return T, y


def same(a, b):
    assert a.ledger.as_dict() == b.ledger.as_dict()
    assert (a.ledger.curve == b.ledger.curve).all()
    assert list(a.weights) == list(b.weights)


@pytest.mark.parametrize("n", [3, 700, 1300])  # below, and not a multiple of, a block
@pytest.mark.parametrize("learner", MIXERS, ids=repr)
def test_losses_however_they_come(learner, n):
    L, _ = table(n=n)
    whole = rg.play(learner, losses=L, trace=True)
    stream = rg.play(learner, losses=(row for row in L), trace=True)
    same(whole, stream)
    assert (whole.losses == stream.losses).all()
    assert (whole.weight_path == stream.weight_path).all()
    player = learner.player(n)
    for lo, hi in itertools.pairwise([0, 1, 12, 13, 60]):
        player.play(Losses(L[lo:hi].reshape(-1), n))
    assert player.ledger() == whole.ledger
    learner.forget()
    for row in L:
        learner.learn_one(row)
    assert learner.ledger == whole.ledger
    assert list(learner.weights.values()) == whole.weights.tolist()
    learner.forget()


@pytest.mark.parametrize("learner", VOTERS, ids=repr)
def test_votes_however_they_come(learner):
    V, y = table(votes=True)
    whole = rg.play(learner, V, y, trace=True)
    same(whole, rg.play(learner, zip(V, y, strict=True)))
    player = learner.player(7)
    for lo, hi in itertools.pairwise([0, 1, 12, 13, 60]):
        player.play(Votes(V[lo:hi].reshape(-1), 7, y[lo:hi] * 1.0))
    assert player.ledger() == whole.ledger
    learner.forget()
    scores, predictions = [], []
    for row, outcome in zip(V, y, strict=True):
        scores.append(learner.score_one(row))
        predictions.append(learner.predict_one(row))
        learner.learn_one(row, outcome)
    assert learner.ledger == whole.ledger
    assert scores == whole.scores.tolist()
    wrong = np.flatnonzero(np.array(predictions) != y)
    assert wrong.tolist() == whole.mistake_rounds.tolist()
    learner.forget()


def test_predictions_however_they_come():
    P, y = table()
    learner = rg.AdaHedge()
    whole = rg.play(learner, P, y, loss=rg.Squared(), trace=True)
    same(whole, rg.play(learner, list(zip(P, y, strict=True)), loss=rg.Squared()))
    scores = []
    for row, outcome in zip(P, y, strict=True):
        scores.append(learner.predict_one(row))
        learner.learn_one(row, outcome, loss=rg.Squared())
    assert learner.ledger == whole.ledger
    assert scores == whole.scores.tolist()


def test_numbers_however_they_come():
    y = np.random.default_rng(0).random(10_000)
    learner = rg.FollowTheLeader(first=0.25)
    whole = rg.play(learner, y=y, trace=True)
    stream = rg.play(learner, y=(v for v in y), trace=True)
    assert whole.ledger == stream.ledger
    assert (whole.scores == stream.scores).all()
    for t, v in enumerate(y[:100]):
        assert learner.predict_one() == learner.score_one() == whole.scores[t]
        learner.learn_one(v)
    assert (stream.weight_path[:-1, 0] == whole.scores).all()


def test_names_make_no_difference():
    L, _ = table()
    names = list("abcdefg")
    rows = [dict(zip(names, row, strict=True)) for row in L]
    rows = [
        {k: v for k, v in row.items() if not math.isnan(v)} for row in rows
    ]  # left out: asleep
    whole = rg.play(rg.Squint(), losses=L)
    run = rg.play(rg.Squint(), losses=iter(rows))
    same(whole, run)
    assert run.names == tuple(names)
    assert list(run.named_weights()) == names
    learner = rg.Squint()
    for row in rows:
        learner.learn_one(dict(reversed(row.items())) if learner.weights else row)
    assert learner.ledger == whole.ledger
    assert list(learner.weights) == names


def test_sleeping_is_being_charged_the_learners_loss():
    L, _ = table()
    for learner in MIXERS:
        run = rg.play(learner, losses=L, trace=True)
        charged = np.where(np.isnan(L), run.losses[:, None], L)
        full = rg.play(learner, losses=charged, trace=True)
        np.testing.assert_allclose(full.losses, run.losses, rtol=1e-9)
        np.testing.assert_allclose(full.weights, run.weights, rtol=1e-7, atol=1e-12)
        np.testing.assert_allclose(
            full.ledger.regrets, run.ledger.regrets, rtol=1e-7, atol=1e-9
        )


# Losses of any size.


@pytest.mark.parametrize("size", [1e-300, 1e12, 1e300, 1.7e308])
@pytest.mark.parametrize("learner", MIXERS, ids=repr)
def test_losses_of_any_size_leave_no_nan(learner, size):
    rng = np.random.default_rng(1)
    L = rng.choice([-1.0, 0.0, 0.3, 1.0], (40, 600)) * size
    L[20:30, ::2] = math.nan
    run = rg.play(learner, losses=L, trace=True)
    assert np.isfinite(run.weight_path).all()
    np.testing.assert_allclose(run.weight_path.sum(axis=1), 1.0, rtol=1e-12)
    assert np.isfinite(run.losses).all()
    assert not np.isnan(run.ledger.regrets).any()
    for number in run.ledger.as_dict().values():
        assert number is None or not np.isnan(np.array(number)).any()


@pytest.mark.parametrize(
    "learner", [rg.Hedge(), rg.Hedge(eta=1), rg.Squint()], ids=repr
)
def test_one_huge_loss_ends_an_expert(learner):
    run = rg.play(learner, losses=[[1e300, 0.0, 0.0], [-1e300, -1e300, -1e300]])
    assert run.weights.tolist() == [0.0, 0.5, 0.5]


@pytest.mark.parametrize("scale", [2.0**-40, 2.0**40])
def test_adahedge_does_not_care_about_units(scale):
    L, _ = table(sleepers=False)
    a = rg.play(rg.AdaHedge(), losses=L)
    b = rg.play(rg.AdaHedge(), losses=scale * L)
    assert b.loss == a.loss * scale
    assert (a.weights == b.weights).all()


def test_adahedge_follows_the_leaders_while_mixing_is_free():
    run = rg.play(rg.AdaHedge(), losses=[[1, 1, 2]], trace=True)
    assert run.weight_path[0].tolist() == [1 / 3] * 3
    run = rg.play(rg.AdaHedge(), losses=[[5, 5, 5], [7, 7, 7]])
    assert run.ledger.mixability_gap == 0.0
    assert run.weights.tolist() == [1 / 3] * 3
    run = rg.play(rg.AdaHedge(), losses=[[2.5], [-1.0], [7.0]])
    assert (run.loss, run.ledger.regret, run.weights.tolist()) == (8.5, 0.0, [1.0])


def test_an_expert_far_behind_comes_back():
    # 5,000 ahead at eta = 1 is far beyond the smallest float; logs remember it.
    L = np.zeros((10_001, 2))
    L[:5000, 0] = 1.0
    L[5000:, 1] = 1.0
    run = rg.play(rg.Hedge(eta=1.0), losses=L)
    assert run.weights[0] == pytest.approx(1 / (1 + math.exp(-1.0)))
    votes = 1 - L
    run = rg.play(rg.WeightedMajority(), votes, np.ones(10_001))
    assert run.weights.tolist() == [2 / 3, 1 / 3]


@pytest.mark.parametrize("learner", MIXERS, ids=repr)
def test_those_awake_mix_well_though_the_leader_sleeps(learner):
    # The leader is so far ahead that the others weigh nothing beside it.
    L = [[0.0, 1.0, 1.0]] * 5000 + [[math.nan, 0.25, 0.75]]
    run = rg.play(learner, losses=L, trace=True)
    assert run.losses[-1] == pytest.approx(0.5)


@pytest.mark.parametrize("learner", MIXERS, ids=repr)
def test_much_sleep_leaves_no_nan(learner):
    L = [[1000.0, math.nan], [math.nan, 1000.0]] * 10 + [[1.0, 1.0]] * 3
    run = rg.play(learner, losses=L, trace=True)
    assert run.losses[-1] == pytest.approx(1.0)
    assert run.weights == pytest.approx([0.5, 0.5])
