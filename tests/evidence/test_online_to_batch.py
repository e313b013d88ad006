"""From online to batch: the lectures' statements on a run, and on fresh rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import regretless as rg
from letters import WORDS, letters
from regretless.evidence.theorems import LEGEND
from regretless.evidence.theorems.iid_mean import IID_MEAN
from regretless.evidence.theorems.online_to_batch import CLASSIFICATION, CONVERSIONS

U = np.array([0.8, 0.6, 0.0, 0.0])
X_MAX, B = 2.0, 1.0


def rows(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    X = rng.uniform(-1, 1, size=(n, 4))
    return X, np.sign(X @ U + 0.3 * rng.normal(size=n))


def descent(m: int) -> rg.OGD:
    return rg.OGD(step="theorem", radius=B, max_norm=X_MAX, horizon=m)


def test_the_formulas(rng) -> None:
    m, delta = 300, 0.1
    X, y = rows(m, rng)
    run = rg.play(descent(m), X, y)
    found = run.iid_theorems(u=U, delta=delta)
    c = 1 + X_MAX * B  # the hinge at the farthest score
    one, two = (math.sqrt(math.log(k / delta) / (2 * m)) for k in (1, 2))
    regret = run.regret(U).low / m
    wanted = {
        "iid/mean": regret,
        "iid/random": regret,
        "iid/loss": run.loss / m + c * one,
        "iid/excess": X_MAX * B / math.sqrt(m) + 2 * c * two,
        "iid/error": run.mistakes / m + one,
        "iid/vote": 2 * (run.mistakes / m + one),
        "iid/vote-loss": 2 * (run.loss / m + c * one),
    }
    for name, value in wanted.items():
        assert found[name].value == pytest.approx(value, rel=1e-12), name
        assert found[name].happened is None
    path = rg.play(descent(m), X, y, trace=True).weight_path[:-1]
    best = min(
        np.mean(y[i:] * (X[i:] @ w) <= 0)
        + math.sqrt(math.log(2 * m / delta) / (2 * (m - i)))
        for i, w in enumerate(path)
    )
    assert found["iid/validated"].value == pytest.approx(best, rel=1e-12)


def test_what_is_not_known_is_not_said(rng) -> None:
    X, y = rows(200, rng)
    found = rg.play(rg.Perceptron(), X, y).iid_theorems()
    assert "radius" in found["iid/loss"].reason
    assert not found["iid/excess"].applies
    assert found["iid/error"].applies
    false = rg.OGD(step="theorem", radius=1.0, max_norm=0.1, horizon=200)
    assert not rg.play(false, X, y).iid_theorems()["iid/excess"].applies
    zero_one = rg.play(rg.OGD(rg.ZeroOne()), X, y).iid_theorems(u=U)
    assert not zero_one["iid/mean"].applies
    with pytest.raises(ValueError, match="delta"):
        rg.play(rg.Perceptron(), X, y).iid_theorems(delta=0)
    with pytest.raises(ValueError, match="fresh rows of Hedge"):
        rg.play(rg.Hedge(), losses=rng.random((5, 2))).iid_theorems()


def test_they_hold_on_fresh_rows() -> None:
    """200 games: each statement at delta = 10% may fail in about 20 of them."""
    m, delta, games = 60, 0.1, 200
    rng = np.random.default_rng(11)
    X, y = rows(4000, rng)
    failed: dict[str, int] = dict.fromkeys(
        ("iid/loss", "iid/excess", "iid/error", "iid/vote", "iid/validated"), 0
    )
    gaps: list[float] = []
    hinge = np.maximum(0.0, 1.0 - y * (X @ U)).mean()
    for _ in range(games):
        run = rg.play(descent(m), *rows(m, rng), trace=True)
        found = run.iid_theorems(u=U, delta=delta)
        path = run.weight_path[:-1]
        scores = path @ X.T
        wrong = y * scores <= 0
        losses = np.maximum(0.0, 1.0 - y * scores).mean(axis=1)
        vote = np.sign(scores).sum(axis=0)
        chosen = found["iid/validated"].facts.chosen
        measured = {
            "iid/loss": losses.mean(),
            "iid/excess": losses.mean() - hinge,
            "iid/error": wrong.mean(),
            "iid/vote": np.mean(y * vote <= 0),
            "iid/validated": wrong[chosen].mean(),
        }
        for name, value in measured.items():
            failed[name] += value > found[name].value
        mean = np.maximum(0.0, 1.0 - y * (X @ path.mean(axis=0))).mean() - hinge
        gaps.append(found["iid/mean"].value - mean)
    assert max(failed.values()) <= 30, failed
    # An expectation: E[l(mean w)] - l(u) <= E[R(u)]/m, within four standard errors.
    assert np.mean(gaps) > -4 * np.std(gaps) / math.sqrt(games)


def test_the_leader_of_independent_draws() -> None:
    paid = []
    for seed in range(400):
        y = np.random.default_rng(seed).random(50)
        run = rg.play(rg.FollowTheLeader(first=0.2), y=y)
        paid.append(run.regret(0.5).low)
    value = run.iid_theorems(u=0.5, sigma=12**-0.5)["iid/leader"].value
    assert value == pytest.approx(0.09 + sum(1 / t for t in range(1, 50)) / 12)
    assert abs(np.mean(paid) - value) < 4 * np.std(paid) / 20
    with pytest.raises(ValueError, match="declare the distribution"):
        run.iid_theorems()


@pytest.mark.parametrize(
    "theorem", [*CONVERSIONS, *CLASSIFICATION, *IID_MEAN], ids=lambda one: one.name
)
def test_every_letter_is_defined(theorem: Any) -> None:
    known = letters(LEGEND) | WORDS | {"E", "with", "probability", "for", "every", "at"}
    for symbol in theorem.symbols:
        known |= letters(symbol.name) | letters(symbol.meaning)
    assert not letters(theorem.statement) - known - {"once", "Q"}, theorem.statement
