"""Whole runs on problems whose true risk is known: certificates rarely lie.

x is Gaussian in the plane and labels are flipped with a known probability, so the risk
of any linear classifier is known from its angle.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

import regretless as rg
from regretless.evidence.claims import certificate_of

DELTA = 0.2  # so that misses are seen in few runs
FLIPPED = 0.1

ALARMS = (
    *("the rows seem to have changed", "the rows change again", "the error grows"),
    *("the error was", "the error goes up and down", "rows next to each other"),
)


def problem(seed, n):
    rng = np.random.default_rng([seed, n])
    X = rng.normal(size=(n, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    return X, np.where(rng.random(n) < FLIPPED, -y, y)


def risk(w):
    """The error of sign(w.x) on fresh rows; a tie is an error."""
    w = np.atleast_2d(w)
    norm = np.linalg.norm(w, axis=1)
    angle = np.arccos(np.clip(w[:, 0] / np.where(norm > 0, norm, 1), -1, 1)) / math.pi
    return np.where(norm > 0, FLIPPED + (1 - 2 * FLIPPED) * angle, 1.0)


def count(runs, n, *, stream=False):
    """Misses of the validated model and of the randomized one.

    A false alarm, of a change or of an error that grows, claims nothing, and is
    counted apart.
    """
    validated = randomized = 0
    alarms = dict.fromkeys(ALARMS, 0)
    for seed in range(runs):
        X, y = problem(seed, n)
        data = (list(zip(X, y.tolist(), strict=True)),) if stream else (X, y)
        run = rg.play(rg.Perceptron(), *data, trace=not stream)
        model = run.model("validated", DELTA)
        if model.certificate is None:
            (why,) = (one for one in alarms if f"future: {one}" in model.why_not)
            alarms[why] += 1
            continue
        validated += risk(model.weights)[0] > model.certificate.value
        if not stream:
            true = risk(run.weight_path[:-1]).mean()
            randomized += true > certificate_of(run, DELTA).value
    assert max(alarms.values()) <= binom.ppf(0.9999, runs, 1 / 20)
    return validated, randomized


def few(misses, runs):
    return misses <= binom.ppf(0.9999, runs, DELTA)


@pytest.mark.parametrize(("n", "stream"), [(60, False), (700, False), (1500, True)])
def test_certificates_rarely_lie(n, stream):
    for misses in count(100, n, stream=stream):
        assert few(misses, 100)


@pytest.mark.parametrize(
    ("n", "stream"),
    [
        pytest.param(60, False, marks=pytest.mark.slow),
        pytest.param(700, False, marks=pytest.mark.long),
        pytest.param(1500, True, marks=pytest.mark.long),
    ],
)
def test_certificates_rarely_lie_in_1000_runs(n, stream):
    for misses in count(1000, n, stream=stream):
        assert few(misses, 1000)


def test_the_known_risk_is_the_true_one():
    X, y = problem(0, 200_000)
    for w in ([1.0, 0.0], [1.0, 1.0], [-1.0, 0.2], [0.0, 0.0]):
        measured = (y * (X @ w) <= 0).mean()
        assert measured == pytest.approx(risk(w)[0], abs=0.005)


def test_the_error_of_the_last_would_be_missed():
    """The Perceptron's last hypothesis is worse than the online average, often."""
    runs, missed = 100, 0
    for seed in range(runs):
        run = rg.play(rg.Perceptron(), *problem(seed, 700))
        missed += risk(run.weights)[0] > certificate_of(run, 0.05).value
    assert missed > 3 * 0.05 * runs
