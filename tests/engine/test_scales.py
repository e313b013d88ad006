"""Numbers stay numbers: any scale of the features, any size of the labels."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rg

N, D = 200, 6
RNG = np.random.default_rng(1)
X = RNG.normal(size=(N, D))
SIDES = np.where(X @ RNG.normal(size=D) + 0.5 * RNG.normal(size=N) > 0.0, 1, -1)
AMOUNTS = X @ RNG.normal(size=D) + 0.3 * RNG.normal(size=N)

UNITS = {f"1e{k}": np.full(D, 10.0**k) for k in (-100, -90, -30, -8, 8, 30, 90, 100)}
UNITS |= {f"columns, 1e{k}": 10.0 ** RNG.uniform(-k, k, D) for k in (10, 50, 100)}
CLASSIFIERS = [
    rg.Perceptron(),
    rg.PNormPerceptron(p=8.0),
    rg.SecondOrderPerceptron(),
    rg.AROW(),
]
MORE = [
    rg.OGD(),
    rg.PassiveAggressive(),
    rg.AdaGrad(),
    rg.CoinBetting(),
    rg.FTRLProximal(),
    rg.Pegasos(0.1),
    rg.KernelPerceptron(rg.LinearKernel()),
]
REGRESSIONS = [rg.VAW(), rg.ONS()]
ALL = [
    *CLASSIFIERS,
    *REGRESSIONS,
    *(pytest.param(learner, marks=pytest.mark.slow) for learner in MORE),
]


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("learner", ALL, ids=repr)
def test_no_theorem_is_violated_at_any_scale(learner, units):
    y = AMOUNTS if learner in REGRESSIONS else SIDES
    run = rg.play(learner, X * UNITS[units], y)
    assert np.isfinite(run.loss)
    run.theorems()  # raises TheoremViolated


AMOUNT_LEARNERS = [
    rg.OGD(rg.Squared(), rg.Constant(0.01)),
    rg.OGD(rg.Huber(), rg.Constant(0.01)),
    rg.VAW(),
    rg.ONS(),
    rg.RegressionPanel(),
]


@pytest.mark.parametrize("large", [1e50, -1e160, 1e308, -1e308])
@pytest.mark.parametrize("learner", AMOUNT_LEARNERS, ids=repr)
def test_a_large_label_is_learned_or_refused(learner, large, tmp_path):
    """Refused: with the reason, and as if the row had not been there."""
    y = AMOUNTS.copy()
    y[[50, 60]] = large
    file = tmp_path / "rows.npz"
    np.savez(file, X=X, y=y)
    skipping = rg.play(learner, file, options=rg.ReadOptions(on_bad_rows="skip"))
    assert np.isfinite(skipping.loss)
    assert np.isfinite(skipping.weights).all()
    skipping.theorems()
    if skipping.rounds == N:
        assert rg.play(learner, X, y).loss == skipping.loss
        return
    with pytest.raises(rg.BadRow, match=r"row 50: its label -?1e\+\d+ is so large"):
        rg.play(learner, X, y)
    rest = np.delete(np.arange(N), [50, 60])
    alone = rg.play(learner, X[rest], y[rest])
    assert np.array_equal(skipping.weights, alone.weights)
