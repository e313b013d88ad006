"""The error among the rows of one class: counted by hand, and certified."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rg
from regretless.certify import kl_mixture


def rows(rng: np.random.Generator, n: int = 600) -> tuple[np.ndarray, np.ndarray]:
    """Few positives, and labels that are sometimes wrong."""
    X = rng.normal(size=(n, 3))
    noise = rng.random(n) < 0.1
    return X, np.where((X[:, 0] > 1.0) ^ noise, "spam", "ham")


def test_two_classes_by_hand(rng) -> None:
    X, y = rows(rng)
    run = rg.play(rg.Perceptron(bias=True), X, y, trace=True)
    wrong = np.zeros(y.size, bool)
    wrong[run.mistake_rounds] = True
    for label in ("ham", "spam"):
        found = run.certificate(0.1, among=label)
        n, errors = int((y == label).sum()), int(wrong[y == label].sum())
        assert (found.n, found.total) == (n, errors)
        assert found.value == kl_mixture(n, errors, 0.1, float(y.size))
        assert f"among rows labeled {label}" in " ".join(str(found).split())


def test_many_classes_by_hand(rng) -> None:
    X = rng.normal(size=(400, 4))
    y = X[:, :3].argmax(axis=1)
    run = rg.play(rg.OneVersusRest(rg.Perceptron()), X, y, trace=True)
    wrong = np.zeros(y.size, bool)
    wrong[run.mistake_rounds] = True
    for label in range(3):
        found = run.certificate(among=label)
        assert (found.n, found.total) == ((y == label).sum(), wrong[y == label].sum())


def test_a_label_that_never_came(rng) -> None:
    X, y = rows(rng)
    with pytest.raises(ValueError, match="among='eggs': no row has this label"):
        rg.play(rg.Perceptron(), X, y).certificate(among="eggs")


@pytest.mark.slow
def test_it_rarely_lies(rng) -> None:
    """The mean over its rounds of each hypothesis's true error in the class."""
    runs, delta = 1000, 0.1
    missed = refused = 0
    for _ in range(runs):
        X, y = rows(rng, n=200)
        run = rg.play(rg.Perceptron(), X, y, trace=True)
        if run.objection:
            refused += 1
            continue
        fresh, labels = rows(rng, n=2000)
        spam = fresh[labels == "spam"]
        path = run.weight_path[:-1][y == "spam"]
        risk = float((spam @ path.T <= 0.0).mean())
        missed += risk > run.certificate(delta, among="spam").value
    assert missed <= runs * delta + 3 * np.sqrt(runs * delta * (1 - delta))
    assert refused <= 0.05 * runs
