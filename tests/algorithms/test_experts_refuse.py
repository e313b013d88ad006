"""Bad input to experts: a clear error that says where, and nothing learned."""

import math
import re

import numpy as np
import pytest

import regretless as rg

NAN = math.nan


def refused(message, kind=ValueError):
    return pytest.raises(kind, match=re.escape(message))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rg.Hedge(eta=0), "eta must be positive and finite"),
        (lambda: rg.Hedge(eta=-1), "eta must be positive and finite"),
        (lambda: rg.Hedge(eta="fast"), "eta must be a number"),
        (lambda: rg.Hedge(eta=1, horizon=10), "give eta or horizon, not both"),
        (lambda: rg.Hedge(horizon=0), "horizon=0 must be at least 1"),
        (lambda: rg.WeightedMajority(beta=1), "beta must be at least 0 and below 1"),
        (lambda: rg.WeightedMajority(beta=-0.1), "beta must be at least 0 and below 1"),
        (lambda: rg.WeightedMajority(beta=NAN), "beta must be at least 0 and below 1"),
        (lambda: rg.RandomizedWeightedMajority(beta=2), "beta must be at least 0"),
        (lambda: rg.RandomizedWeightedMajority(seed=-1), "seed must be at least 0"),
        (lambda: rg.FixedShare(0, 0.1), "eta must be positive"),
        (lambda: rg.FixedShare(1, 1.5), "share must be 0, or in [1e-200, 1]"),
        (lambda: rg.FixedShare(1, -0.5), "share must be 0, or in [1e-200, 1]"),
        (lambda: rg.FollowTheLeader(1, 0), "high must be at most 1e150 and above low"),
        (lambda: rg.FollowTheLeader(0, math.inf), "high must be at most 1e150"),
        (lambda: rg.FollowTheLeader(-math.inf, 0), "low must be at least -1e150"),
        (lambda: rg.FollowTheLeader(first=2), "first must be in [low, high]"),
    ],
)
def test_parameters(make, message):
    with refused(message):
        make()


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ([[0, 1], [math.inf, 0]], "row 1: expert 0: inf is not a finite number"),
        ([[0, 1], [0, -math.inf]], "row 1: expert 1: -inf is not a finite number"),
        ([[0, 1], [NAN, NAN]], "row 1: every expert is asleep"),
        ([[0, 1], [1]], "losses are not a table of numbers"),
        ([["a", "b"]], "losses are not a table of numbers"),
        ([1, 2, 3], "losses have 1 dimension: they must have two"),
        (np.zeros((0, 3)), "there are no rounds to play"),
        (np.zeros((3, 0)), "there are no experts"),
        ([], "losses have 1 dimension"),
        (iter([]), "there are no rounds to play"),
    ],
)
def test_losses(losses, message):
    with refused(message):
        rg.play(rg.Hedge(), losses=losses)


@pytest.mark.parametrize(
    ("votes", "outcomes", "message"),
    [
        ([[0, 1], [0, 0.5]], [0, 1], "row 1: expert 1: 0.5 is no vote: 0, 1, or nan"),
        ([[0, 1], [-1, 1]], [0, 1], "row 1: expert 0: -1 is no vote"),
        ([[0, math.inf]], [0], "row 0: expert 1: inf is no vote"),
        ([[0, 1], [0, 1]], [0, 2], "row 1: outcome 2: outcomes of votes are 0 or 1"),
        ([[0, 1], [0, 1]], [0, NAN], "row 1: outcome nan"),
        ([[0, 1], [0, 1]], ["no", "yes"], "row 0: outcome 'no'"),
        ([[0, 1], [0, 1]], [0], "votes have 2 rows but there are 1 outcomes"),
        ([[NAN, NAN]], [0], "row 0: every expert is asleep"),
        ([[0, 1]], [[[0]]], "outcomes have 3 dimensions"),
    ],
)
def test_votes(votes, outcomes, message):
    for learner in (rg.WeightedMajority(), rg.RandomizedWeightedMajority()):
        with refused(message):
            rg.play(learner, votes, outcomes)


@pytest.mark.parametrize(
    ("predictions", "outcomes", "loss", "message"),
    [
        ([[0.5, math.inf]], [1], None, "row 0: expert 1: inf is not a finite number"),
        ([[0.5, -math.inf]], [1], rg.Hinge(), "row 0: expert 1: -inf is not a finite"),
        ([[0.5, 0.5]], [NAN], None, "row 0: label nan is not a finite number"),
        ([[1e200, 0.5]], [0], rg.Squared(), "row 0: a loss is not a finite number"),
    ],
)
def test_predictions(predictions, outcomes, loss, message):
    with refused(message):
        rg.play(rg.Hedge(), predictions, outcomes, loss=loss)


@pytest.mark.parametrize(
    "learner",
    [rg.Halving(), rg.WeightedMajority(0), rg.RandomizedWeightedMajority(0)],
    ids=repr,
)
def test_a_pool_that_runs_empty(learner):
    votes, y = [[0, 1, 1], [1, 1, 0], [1, 1, 1]], [1, 1, 0]
    name = type(learner).__name__
    with refused(f"row 2: every expert has been wrong by now, and {name}") as caught:
        rg.play(learner, votes, y)
    assert "WeightedMajority(beta=0.5)" in str(caught.value)
    assert caught.value.run is None
    with refused("row 2: every expert") as caught:
        rg.play(learner, iter(zip(votes, y, strict=True)))
    assert caught.value.run.rounds == 2
    assert caught.value.run.weights.tolist() == [0, 1, 0]


def test_a_sleeper_keeps_the_pool_alive():
    run = rg.play(rg.Halving(), [[0, 0, NAN], [NAN, NAN, 1]], [1, 1])
    assert run.weights.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: rg.play(rg.Halving(), losses=[[1]]),
            "Halving takes votes and outcomes",
        ),
        (lambda: rg.play(rg.Halving()), "Halving takes votes and outcomes"),
        (
            lambda: rg.play(rg.Halving(), [[1]], [1], loss=rg.Squared()),
            "Halving takes votes and outcomes",
        ),
        (lambda: rg.play(rg.Halving(), np.ones((2, 2))), "outcomes are missing"),
        (
            lambda: rg.play(rg.Hedge()),
            "Hedge takes losses, or predictions and outcomes",
        ),
        (lambda: rg.play(rg.Hedge(), [[1]], [1], losses=[[1]]), "losses= stands alone"),
        (lambda: rg.play(rg.Hedge(), losses=[[1]], loss=rg.Squared()), "stands alone"),
        (lambda: rg.play(rg.Hedge(), [[1]], [1], loss="squared"), "is not a loss"),
        (lambda: rg.play(rg.Hedge(), losses=3), "must be a table or an iterable"),
        (lambda: rg.play(rg.Hedge(), losses="file"), "must be a table or an iterable"),
        (
            lambda: rg.play(rg.Hedge(), losses=[[1]], n_features=1),
            "Hedge does not take n_features=",
        ),
        (
            lambda: rg.play(rg.FollowTheLeader(), [[1]], [1]),
            "FollowTheLeader does not take X=",
        ),
        (
            lambda: rg.play(rg.FollowTheLeader(), losses=[1]),
            "FollowTheLeader does not take losses=",
        ),
        (lambda: rg.play(rg.FollowTheLeader()), "y must be numbers"),
        (lambda: rg.play(rg.Perceptron(), losses=[[1]]), "does not take losses="),
        (lambda: rg.Halving().learn_one([1, 0]), "Halving takes votes and an outcome"),
        (lambda: rg.Hedge().learn_one([1], loss=rg.Squared()), "loss= goes with"),
    ],
)
def test_arguments_that_make_no_sense(call, message):
    with refused(message, TypeError):
        call()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [[0, 1], [1, 0], [0, 1, 1]],
            "row 2: it has 3 columns, but there are 2 experts",
        ),
        ([[0, 1], [1, 0], [0, "x"]], "row 2: it is not a row of numbers"),
        ([[0, 1], [1, 0], [[0, 1]]], "row 2: it has 2 dimensions"),
        (
            [[0, 1], [1, 0], [0, math.inf]],
            "row 2: expert 1: inf is not a finite number",
        ),
        ([[0, 1], [1, 0], [NAN, NAN]], "row 2: every expert is asleep"),
        ([[0, 1], [1, 0], {"a": 1}], "row 2: it is a dict"),
        (
            [{"a": 0, "b": 1}, {"a": 1}, {"c": 1}],
            "row 2: expert 'c' was not in the first",
        ),
        (
            [{"a": 0, "b": 1}, {"a": 1}, {"b": "x"}],
            "row 2: expert 'b': 'x' is not a number",
        ),
        ([{"a": 0, "b": 1}, {"a": 1}, {}], "row 2: every expert is asleep"),
    ],
)
def test_a_stream_stops_at_the_row(rows, message):
    with refused(message) as caught:
        rg.play(rg.Hedge(), losses=iter(rows))
    expected = rg.play(rg.Hedge(), losses=iter(rows[:2]))
    run = caught.value.run
    assert run.ledger == expected.ledger
    assert (run.weights == expected.weights).all()
    learner = rg.Hedge()
    learner.learn_one(rows[0])
    learner.learn_one(rows[1])
    with refused(message):
        learner.learn_one(rows[2])
    assert learner.ledger == expected.ledger
    assert list(learner.weights.values()) == expected.weights.tolist()


def test_a_bad_first_event_leaves_nothing():
    learner = rg.WeightedMajority()
    for x, y in (([0.5, 1], 1), ([0, 1], 3), ({"a": 2}, 1), ([], 1), ({}, 1)):
        with pytest.raises(rg.BadRow, match="row 0"):
            learner.learn_one(x, y)
    learner.learn_one({"a": 1}, 1)
    assert learner.weights == {"a": 1.0}
    with pytest.raises(ValueError, match="no event has been learned"):
        _ = rg.Hedge().ledger


def test_a_stream_that_fails_at_once_has_no_run():
    with refused("row 0: it is not a row of numbers") as caught:
        rg.play(rg.Hedge(), losses=iter([["x"]]))
    assert caught.value.run is None


def test_names_appear_in_messages():
    with refused("row 0: expert 'b': inf"):
        rg.play(rg.Hedge(), losses=iter([{"a": 0, "b": math.inf}]))


def test_what_was_not_kept():
    run = rg.play(rg.Hedge(), losses=[[0, 1]])
    with refused("run.scores needs play(..., trace=True)"):
        _ = run.scores
    run = rg.play(rg.Hedge(), losses=[[0, 1]], trace=True)
    with refused("experts given by their losses predict nothing"):
        _ = run.scores


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0.5, 1.5], "row 1: 1.5 is outside [0, 1]"),
        ([0.5, NAN], "row 1: nan is not a finite number"),
        ([0.5, -math.inf], "row 1: -inf is not a finite number"),
        ([0.5, "x"], "row 1: 'x' is not a number"),
    ],
)
def test_numbers(y, message):
    with refused(message):
        rg.play(rg.FollowTheLeader(), y=y)
    with refused(message) as caught:
        rg.play(rg.FollowTheLeader(), y=iter(y))
    assert caught.value.run.rounds == 1
    learner = rg.FollowTheLeader()
    learner.learn_one(y[0])
    with refused(message):
        learner.learn_one(y[1])
    assert (learner.predict_one(), learner.ledger.rounds) == (0.5, 1)


def test_no_numbers():
    for empty in ([], iter([])):
        with refused("there are no numbers to play"):
            rg.play(rg.FollowTheLeader(), y=empty)
    with refused("y has 2 dimensions"):
        rg.play(rg.FollowTheLeader(), y=[[1.0]])


@pytest.mark.parametrize("kind", [None, "last", "mean"])
def test_a_run_of_experts_makes_no_model(kind):
    run = rg.play(rg.Hedge(), losses=np.ones((4, 2)))
    with pytest.raises(ValueError, match="Hedge makes no model: models predict rows"):
        run.model(kind)
