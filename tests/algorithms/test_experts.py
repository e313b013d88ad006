"""Votes, ties, tables and ledgers: what a user of experts sees."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import regretless as rg

NAN = math.nan


@pytest.mark.parametrize("absent", [0, 1])
@pytest.mark.parametrize("repaired", ["row 5", "row 4"])
def test_freunds_table(repaired, absent):
    """Predictions 1,0,1,1,0 and mistakes at t=2 and t=4, under either repair."""
    x = absent  # what those already dropped say makes no difference
    votes = np.array(
        [
            [1, 1, 0, 1, 1, 0, 1, 1],
            [1, 0, x, 0, 0, x, 1, 1],
            [1, x, x, x, x, x, 1, 1],
            [1, x, x, x, x, x, 1, 0],
            [x, x, x, x, x, x, x, 0],
        ]
    )
    if repaired == "row 4":
        votes[3:, 6:] = [[0, 1], [0, x]]
    run = rg.play(rg.Halving(), votes, [1, 1, 1, 0, 0], trace=True)
    assert (run.scores > 0.5).astype(int).tolist() == [1, 0, 1, 1, 0]
    assert run.scores[1] == 0.5  # the 3-3 tie
    assert (run.mistake_rounds + 1).tolist() == [2, 4]
    assert np.flatnonzero(run.weights).tolist() == [7 if repaired == "row 5" else 6]


def test_beta_zero_is_halving():
    rng = np.random.default_rng(3)
    votes = rng.integers(0, 2, (50, 40)) * 1.0
    votes[rng.random(votes.shape) < 0.2] = NAN
    y = rng.integers(0, 2, 50)
    votes[:, 17] = y
    a = rg.play(rg.Halving(), votes, y, trace=True)
    b = rg.play(rg.WeightedMajority(beta=0), votes, y, trace=True)
    assert a.ledger == b.ledger
    assert (a.weight_path == b.weight_path).all()


def test_ties_predict_zero():
    for learner in (rg.Halving(), rg.WeightedMajority(), rg.WeightedMajority(0.3)):
        assert rg.play(learner, [[0, 1]], [0]).mistakes == 0
        assert rg.play(learner, [[0, 1]], [1]).mistakes == 1


@pytest.mark.parametrize("k", range(1, 12))
def test_ties_are_exact_at_one_half(k):
    # 1 against 2^k times 2^-k, after 500 rounds that all get wrong.
    n = 1 + 2**k
    votes = [[1] * n] * 500 + [[0] + [1] * (n - 1)] * k + [[1] + [0] * (n - 1)]
    y = [0] * len(votes)
    run = rg.play(rg.WeightedMajority(), votes, y, trace=True)
    assert run.scores[-1] == 0.5
    assert run.losses[-1] == 0.0


def test_who_sleeps_keeps_its_share():
    votes = [[1, 0, NAN, NAN], [0, 0, 1, NAN]]
    path = rg.play(rg.WeightedMajority(), votes, [1, 1], trace=True).weight_path
    assert path[1][2:] == pytest.approx([0.25, 0.25])
    assert path[1][:2] == pytest.approx([1 / 3, 1 / 6])
    assert path[2][3] == pytest.approx(0.25)


def test_if_no_survivor_is_awake_those_awake_vote():
    votes = [[0, 1, 1], [NAN, 1, 1], [1, NAN, NAN], [NAN, 1, 1]]
    run = rg.play(rg.Halving(), votes, [1, 1, 0, 1], trace=True)
    assert run.mistakes == 1  # expert 0 is out, yet alone in round 2
    assert run.weights.tolist() == [0.0, 0.5, 0.5]


def test_the_ledger_counts_waking_rounds():
    L = [[0.5, NAN], [NAN, 0.25], [1.0, 0.0]]
    ledger = rg.play(rg.Hedge(), losses=L).ledger
    assert ledger.waking_rounds.tolist() == [2, 2]
    assert ledger.expert_losses.tolist() == [1.5, 0.25]
    mixed = ledger.loss - 0.75
    assert ledger.learner_losses == pytest.approx([0.5 + mixed, 0.25 + mixed])
    assert (ledger.min_loss, ledger.max_loss) == (0.0, 1.0)
    assert (ledger.max_range, ledger.sum_squared_ranges) == (1.0, 1.0)
    assert ledger.best == 1
    assert ledger.best_loss == 0.25
    assert ledger.regret == ledger.regrets[1]


def test_who_never_woke_is_not_the_best():
    ledger = rg.play(rg.Hedge(), losses=[[NAN, 0.0, 5.0], [NAN, 9.0, 5.0]]).ledger
    assert ledger.best != 0


def test_a_run_prints_a_table():
    run = rg.play(rg.AdaHedge(), [[0.2, 0.4]], [1.0])
    text = str(run)
    for what in ("AdaHedge()", "experts", "best expert", "regret", "mixability gap"):
        assert what in text
    assert "loss of the mean" in text
    assert "<table" in run._repr_html_()
    assert "mistakes" in str(rg.play(rg.Halving(), [[1, 0]], [1]))
    assert "best number" in str(rg.play(rg.FollowTheLeader(), y=[1, 0]))
    assert run.ledger.as_dict()["expert_losses"] == [0.8, 0.6]


def test_the_curve_stays_short():
    L = np.random.default_rng(0).random((5000, 2))
    curve = rg.play(rg.Hedge(), losses=L).ledger.curve
    assert len(curve) <= 256
    assert (np.diff(curve[:, 0]) == curve[1, 0] - curve[0, 0]).all()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames(make):
    frame = make({"ann": [1, 0, 1], "bob": [0, 0, 1]})
    run = rg.play(rg.WeightedMajority(), frame, make({"y": [1, 1, 1]})["y"])
    assert run.names == ("ann", "bob")
    assert run.named_weights() == pytest.approx({"ann": 2 / 3, "bob": 1 / 3})
    with pytest.raises(ValueError, match=r"column 'city' holds .*, not numbers"):
        rg.play(rg.Hedge(), losses=make({"ann": [1.0], "city": ["Ulm"]}))


def test_missing_entries_of_frames_are_asleep():
    expected = rg.play(rg.Hedge(), losses=[[1, NAN], [0, 2]])
    frames = [
        pd.DataFrame({"a": [1.0, 0.0], "b": [None, 2.0]}),
        pd.DataFrame({"a": [1, 0], "b": pd.array([None, 2], "Int64")}),
        pl.DataFrame({"a": [1, 0], "b": [None, 2]}),
        [[1, None], [0, 2]],
    ]
    for frame in frames:
        assert rg.play(rg.Hedge(), losses=frame).ledger == expected.ledger


def test_booleans_vote():
    run = rg.play(rg.Halving(), np.array([[True, False]]), np.array([True]))
    assert (run.mistakes, run.classes) == (1, (0, 1))


def test_a_loss_for_two_classes_takes_their_labels():
    run = rg.play(rg.Hedge(), [[2.0, -1.0], [0.5, 0.0]], [0, 1], loss=rg.Hinge())
    assert run.ledger.expert_losses.tolist() == [3.5, 1.0]
    assert run.classes == (0, 1)


def test_a_users_own_loss_counts():
    from typing import NamedTuple

    class Cubic(NamedTuple):
        task = "real"

    @rg.implement(rg.value, Cubic)
    def _(loss, score, y):
        return abs(score - y) ** 3

    run = rg.play(rg.Hedge(), [[2.0, 3.0]], [0.0], loss=Cubic())
    assert run.ledger.expert_losses.tolist() == [8.0, 27.0]
    assert run.loss == 17.5


def test_forgetting_starts_again():
    learner = rg.Hedge(eta=1.0)
    learner.learn_one([0.0, 1.0])
    learner.forget()
    assert learner.weights == {}
    learner.learn_one({"x": 1.0})
    assert learner.weights == {"x": 1.0}


def test_playing_leaves_the_learner_as_it_was():
    learner = rg.FixedShare(1.0, 0.1)
    rg.play(learner, losses=[[0, 1]])
    assert learner == rg.FixedShare(1.0, 0.1)
    assert learner.weights == {}
