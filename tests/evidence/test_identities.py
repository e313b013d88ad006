"""The steps of the proofs hold on every round, and a wrong step is noticed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import regretless as rg
from regretless.evidence.theorems import TheoremViolated
from regretless.evidence.theorems.potentials import Step, check_step, identities
from regretless.evidence.verdicts import identities as receipts


def votes(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X = rng.choice([-1.0, 1.0], size=(150, 9))
    return X, np.sign(X[:, :3].sum(axis=1)), np.r_[np.ones(3) / 3, np.zeros(6)]


PROVED = [
    rg.Perceptron(),
    rg.PNormPerceptron(p=3.5),
    rg.Winnow(),
    rg.UnnormalizedEG(rg.Logistic(), rg.Constant(0.1)),
    rg.NormalizedWinnow(0.3),
    rg.BalancedWinnow(0.3),
    rg.EG(step=rg.Constant(0.5)),
    rg.EG(rg.Logistic(), rg.Adaptive(1.0), radius=3.0, signed=True),
    rg.OGD(),
    rg.OGD(rg.Logistic(), rg.InverseSqrt(1.4), domain=rg.Ball(1.0)),
    rg.Pegasos(0.1),
]


@pytest.mark.parametrize(
    "learner",
    [
        *(one for one in PROVED if not isinstance(one, rg.Winnow)),
        rg.Perceptron(bias=True),
        rg.EG(step=rg.InverseSqrt(0.5)),
        rg.EG(loss=rg.Logistic(), step=rg.Constant(0.2)),
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


def steps_of(learner: Any, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The steps of a small game, as they are checked."""
    found: list[Any] = []
    rng = np.random.default_rng(5)
    X = rng.choice([0.0, 1.0], size=(60, 5))
    y = np.where(X[:, :2].any(axis=1), 1, -1)
    y[::7] *= -1
    u = np.array([0.5, 0.5, 0.0, 0.0, 0.0])
    with monkeypatch.context() as patch:
        patch.setattr(
            "regretless.evidence.verdicts.identities.check_step",
            lambda identity, step, parts: found.append((identity, step, parts)),
        )
        rg.play(learner, X, y, check=True, u=u)
    return found


def spoiled(step: Step) -> list[Step]:
    """The same step gone wrong: too far back, and with other statistics."""
    back = step.w - 40.0 * (step.after - step.w)
    dual = step.dual - 40.0 * (step.dual_after - step.dual)
    long = step.w + 40.0 * (step.after - step.w)
    return [
        step._replace(after=back, dual_after=dual),
        step._replace(after=long, dual_after=-dual),
        step._replace(loss=100.0 + 100.0 * step.loss),
        step._replace(loss=-1.0, u_loss=-100.0),
        step._replace(slope=50.0 * step.slope),
        step._replace(least_margin=1e6),
    ]


@pytest.mark.parametrize("learner", PROVED, ids=repr)
def test_every_step_can_fail(learner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = steps_of(learner, monkeypatch)
    names = {identity.name for identity, _, _ in steps}
    assert names == {identity.name for identity in identities(steps[0][2])}
    for name in names:
        noticed = 0
        for identity, step, parts in steps:
            if identity.name != name:
                continue
            check_step(identity, step, parts)
            for wrong in spoiled(step):
                try:
                    check_step(identity, wrong, parts)
                except TheoremViolated:
                    noticed += 1
        assert noticed, name


def test_proofs_survive_weights_that_underflow() -> None:
    """Logarithms of weights are kept, so a weight of 0 is no end."""
    X = np.tile(np.array([[1.0, -1.0, 1.0]]), (300, 1))
    y = np.tile([1.0, -1.0], 150)
    u = np.array([0.5, 0.5, 0.0])
    for learner in (
        rg.NormalizedWinnow(20.0),
        rg.BalancedWinnow(20.0),
        rg.EG(step=rg.Constant(400.0)),
        rg.EG(step=rg.Constant(400.0), signed=True),
    ):
        rg.play(learner, X, y, check=True, u=u)
        rg.play(learner, 30.0 * X if isinstance(learner, rg.EG) else X, y, check=True)


def test_the_pool_of_halving(rng, monkeypatch: pytest.MonkeyPatch) -> None:
    votes = rng.integers(0, 2, size=(40, 16))
    for learner in (rg.Halving(), rg.WeightedMajority(0.3)):
        run = rg.play(learner, votes, votes[:, 3], check=True)
        assert run.trace is None
        assert run.mistakes == rg.play(learner, votes, votes[:, 3]).mistakes
        lying = rg.play(learner, votes, votes[:, 3], trace=True, keep=True)
        monkeypatch.setattr(
            type(lying), "mistake_rounds", np.arange(lying.rounds), raising=True
        )
        with pytest.raises(TheoremViolated, match="potential"):
            receipts.check_experts(lying)
        monkeypatch.undo()


def test_a_comparator_without_check_is_refused(rng) -> None:
    X, y, u = votes(rng)
    with pytest.raises(TypeError, match="check=True"):
        rg.play(rg.Perceptron(), X, y, u=u)
    with pytest.raises(TypeError, match="does not take check"):
        rg.play(rg.Hedge(), losses=np.ones((3, 2)), check=True)
