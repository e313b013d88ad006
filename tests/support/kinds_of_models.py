"""A model of every kind of hypothesis, and the rows it was learned from."""

from __future__ import annotations

import numpy as np

import regretless as rg


def data(seed=3, n=400):
    """Numbers that most rows have, and rare ones; a class that depends on both."""
    rng = np.random.default_rng(seed)
    X = rng.normal(1.0, 1.0, (n, 6))
    X[:, 3:] *= rng.random((n, 3)) < 0.2
    side = X[:, 0] - 2.0 * X[:, 1] + X[:, 3] + 0.3 * rng.normal(size=n)
    return X, side


def two(learner, kind):
    X, side = data()
    return X, rg.play(learner, X, np.where(side > -0.5, 1, -1), keep=True).model(kind)


def three(learner):
    X, side = data()
    words = np.where(side > 0.5, "up", np.where(side > -1.5, "even", "down"))
    return X, rg.play(learner, X, words).model("last")


def amounts(learner):
    X, side = data()
    return X, rg.play(learner, X, side).model("last")


MODELS = {
    "linear": lambda: two(rg.Perceptron(bias=True), "last"),
    "linear, mean": lambda: two(rg.OGD(loss=rg.Logistic()), "mean"),
    "linear, amounts": lambda: amounts(
        rg.OGD(loss=rg.Squared(), step=rg.Constant(0.01))
    ),
    "vote": lambda: two(rg.Perceptron(), "vote"),
    "machine": lambda: two(rg.KernelPerceptron(), "last"),
    "factorization-machine": lambda: two(rg.FactorizationMachine(), "last"),
    "factorization-machine, amounts": lambda: amounts(
        rg.FactorizationMachine(loss=rg.Squared())
    ),
    "each-class": lambda: three(rg.OneVersusRest(rg.FactorizationMachine())),
    "panel": lambda: two(rg.Panel(), "last"),
    "regression-panel": lambda: amounts(rg.RegressionPanel()),
    "classes": lambda: three(rg.MulticlassPerceptron()),
    "class-panels": lambda: three(rg.OneVersusRest(rg.Panel())),
}
