"""Mixtures: whom to believe, learned on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import regretless as rg
from naive_panel import repeats

LEARNERS = [rg.Perceptron(), rg.OGD(step=rg.Constant(0.01)), rg.OGD(bias=True)]


@pytest.fixture
def problem() -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 6))
    return X, np.where(X @ rng.normal(size=6) + 0.4 * rng.normal(size=500) > 0, 1, -1)


def said(X: Any, y: Any) -> Any:
    """The scores of every learner, alone."""
    runs = [rg.play(learner, X, y, trace=True) for learner in LEARNERS]
    return np.stack([run.scores for run in runs], axis=1)


@pytest.mark.parametrize(
    ("by", "rule"), [("adahedge", rg.AdaHedge()), ("squint", rg.Squint())]
)
def test_a_vote_is_a_game_of_experts(problem: Any, by: Any, rule: Any) -> None:
    X, y = problem
    run = rg.play(rg.Mixture(LEARNERS, by=by), X, y, trace=True)
    votes = np.sign(said(X, y)) / 2.0 + 0.5
    expected = rg.play(rule, votes, (y > 0) * 1.0, trace=True)
    assert np.array_equal(run.scores, expected.scores - 0.5)
    assert np.array_equal(run.weights, expected.weights)
    assert run.loss == pytest.approx(expected.loss, rel=1e-12)
    assert run.mistakes == (y * run.scores <= 0.0).sum()
    assert all(found.ratio <= 1.0 for found in run.theorems().applying)
    best = min(member.mistakes for member in run.members)
    assert run.theorems().applying
    assert run.loss <= best + max(f.value for f in run.theorems().applying)


def test_a_stack_is_newton_on_the_margins(problem: Any) -> None:
    X, y = problem
    run = rg.play(rg.Mixture(LEARNERS, by="stack"), X, y, trace=True)
    members = len(LEARNERS)
    size = 2 * members + 1
    w, P = np.full(size, 1.0 / (size - 1)), np.eye(size)
    w[-1] = 0.0
    rounds = zip(said(X, y), y, run.scores, strict=True)
    for i, (margins, label, score) in enumerate(rounds):
        x = np.r_[np.clip(margins, -1, 1), np.clip(margins, -12, 12), 1.0]
        assert score == pytest.approx(w @ x, rel=1e-9, abs=1e-9)
        p = 1.0 / (1.0 + np.exp(-(w @ x)))
        g = (label > 0) - p
        times = repeats(abs(g), i)
        if times > 0.0:
            h = max(times * p * (1.0 - p), 1e-4)
            lead = P @ x
            d = 1.0 / (1.0 + h * x @ lead)
            w = w + times * g * d * lead
            P = P - h * d * np.outer(lead, lead)
            P[np.diag_indices(size)] += np.where(np.diag(P) < 1.0, 1e-6, 0.0)
    with pytest.raises(ValueError, match="nothing is proven"):
        run.theorems()


def test_members_are_as_if_alone(problem: Any) -> None:
    X, y = problem
    run = rg.play(rg.Mixture(LEARNERS), X, y)
    for learner, member in zip(LEARNERS, run.members, strict=True):
        assert np.array_equal(member.weights, rg.play(learner, X, y).weights)
    assert run.certificate().n == 500
    assert "a mixture of 3 by adahedge" in str(run)


def test_numbers_are_mixed_too() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 4))
    y = X @ [1.0, 2.0, 0.0, -1.0]
    learners = [rg.OGD(rg.Squared(), rg.Constant(eta)) for eta in (1e-3, 0.05)]
    run = rg.play(rg.Mixture(learners), X, y)
    assert run.mistakes is None
    assert run.loss <= min(member.loss for member in run.members) * 1.2
    assert all(found.ratio <= 1.0 for found in run.theorems().applying)
    for by in ("squint", "stack"):
        with pytest.raises(ValueError, match="adahedge"):
            rg.play(rg.Mixture(learners, by=by), X, y)


def test_refusals(problem: Any) -> None:
    X, y = problem
    with pytest.raises(ValueError, match="at least two"):
        rg.Mixture([rg.Perceptron()])
    with pytest.raises(ValueError, match="by='vote'"):
        rg.Mixture(LEARNERS, by="vote")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="does not take models="):
        rg.play(rg.Mixture(LEARNERS), X, y, models=["mean"])
    with pytest.raises(ValueError, match=r"row 0: .*Winnow\(\) cannot go on"):
        rg.play(rg.Mixture([rg.Perceptron(), rg.Winnow()]), X, y)
