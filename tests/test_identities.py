"""The steps of the proofs hold on every round, and a wrong step is noticed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import regretless as rg
from regretless.theory import TheoremViolated
from regretless.theory.potentials import Step, check_step, identities


def votes(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X = rng.choice([-1.0, 1.0], size=(150, 9))
    return X, np.sign(X[:, :3].sum(axis=1)), np.r_[np.ones(3) / 3, np.zeros(6)]


@pytest.mark.parametrize(
    "learner",
    [
        rg.Perceptron(),
        rg.Perceptron(bias=True),
        rg.NormalizedWinnow(0.3),
        rg.EG(step=rg.InverseSqrt(0.5)),
        rg.EG(loss=rg.Logistic(), step=rg.Constant(0.2)),
        rg.OGD(),
    ],
    ids=repr,
)
def test_identities_hold_on_every_update(learner: Any, rng) -> None:
    X, y, u = votes(rng)
    rg.play(learner, X, y, check=True)
    rg.play(learner, sparse.csr_array(X), y, check=True, u=u)


def test_winnow_and_its_lemma(rng) -> None:
    X = (rng.random((200, 12)) < 0.25).astype(float)
    y = np.where(X[:, :2].any(axis=1), 1, -1)
    rg.play(rg.Winnow(), X, y, check=True, u=np.r_[np.ones(2), np.zeros(10)])


def test_the_mean_game(rng) -> None:
    rg.play(rg.FollowTheLeader(), y=rng.random(60), check=True)


def test_a_stream_is_kept_to_be_checked(rng) -> None:
    X, y, _ = votes(rng)
    rg.play(rg.Perceptron(), iter(list(zip(X, y, strict=True))), check=True)


@pytest.mark.parametrize(
    "learner", [rg.Perceptron(), rg.Winnow(), rg.NormalizedWinnow(0.3)], ids=repr
)
def test_a_step_in_the_wrong_direction_is_noticed(learner: Any, rng) -> None:
    x = np.array([1.0, 1.0, 0.0])
    w = np.array([0.1, 0.2, 0.7])
    u = np.array([1.0, 0.0, 0.0])
    parts = learner.player(3).parts
    for identity in identities(parts):
        step = Step(
            round=5,
            updates=1,
            w=w,
            after=w + 3.0 * np.array([1.0, -0.05, 1.0]),
            x=x,
            y=1.0,
            score=-1.0,
            loss=0.01,
            eta=0.3,
            slope=-8.0,
            longest=1.0,
            least_margin=100.0,
            u=u,
        )
        with pytest.raises(TheoremViolated, match="after round 5"):
            check_step(identity, step, parts)


def test_a_comparator_without_check_is_refused(rng) -> None:
    X, y, u = votes(rng)
    with pytest.raises(TypeError, match="check=True"):
        rg.play(rg.Perceptron(), X, y, u=u)
    with pytest.raises(TypeError, match="does not take check"):
        rg.play(rg.Hedge(), losses=np.ones((3, 2)), check=True)
