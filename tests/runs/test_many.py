"""Many learners in one pass: each run is the one it would have been alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import regretless as rg
from regretless.errors import BadRow, OptionError

GRID = [rg.OGD(step=rg.Constant(eta)) for eta in np.geomspace(0.01, 10.0, 11).tolist()]


@pytest.fixture
def problem() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 12)) * (rng.random((600, 12)) < 0.4)
    y = np.where(X @ rng.normal(size=12) + 0.5 * rng.normal(size=600) > 0, 1.0, -1.0)
    return X, y


def alone(learner: Any, X: Any, y: Any, found: rg.Run) -> None:
    expected = rg.play(learner, X, y)
    assert np.array_equal(found.weights, expected.weights)
    assert found.bias == expected.bias
    assert found.ledger == expected.ledger
    assert np.array_equal(found.ledger.curve, expected.ledger.curve)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_grid_equals_its_members_alone(problem: Any, form: Any) -> None:
    X, y = problem
    runs = rg.play(GRID, form(X), y)
    assert len(runs) == len(GRID)
    for learner, run in zip(GRID, runs, strict=True):
        alone(learner, form(X), y, run)


@pytest.mark.parametrize(
    "family",
    [
        [rg.OGD(step=rg.Constant(0.3), radius=r, bias=True) for r in (0.3, 1.0, 50.0)],
        [rg.Pegasos(strength) for strength in (1e-3, 0.1, 1.0)],
        [rg.OGD(loss=rg.Logistic(), step=rg.Adaptive(s)) for s in (0.1, 1.0)],
    ],
    ids=["ball", "pegasos", "logistic"],
)
def test_other_families(problem: Any, family: Any) -> None:
    X, y = problem
    for learner, run in zip(family, rg.play(family, X, y), strict=True):
        alone(learner, X, y, run)


def test_learners_of_all_kinds_together(problem: Any) -> None:
    X, y = problem
    learners = [rg.Panel(), *GRID[:3], rg.AdaGrad(scale="rms"), rg.Perceptron()]
    runs = rg.play(learners, X, y)
    for learner, run in zip(learners, runs, strict=True):
        alone(learner, X, y, run)
    assert runs.measure.name == "error"  # some have no probabilities
    assert runs.best.mistakes == min(run.mistakes for run in runs)
    head, *_, last = str(runs).splitlines()
    assert " ".join(head.split()) == "learner error log loss AUC certified"
    assert last == "the best by error comes first"


def rare(rows: int = 4000) -> tuple[Any, Any]:
    """2% of one class: every learner makes the same mistakes, or more."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(rows, 6))
    chance = 1 / (1 + np.exp(4.6 - X @ np.array([1.0, 0.7, 0, 0, 0, 0])))
    return X, rng.random(rows) < chance


def test_the_best_is_chosen_by_log_loss_where_all_have_probabilities() -> None:
    # The second makes the fewest mistakes, and ranks worse: it has learned little.
    grid = [
        rg.OGD(rg.Logistic(), rg.Constant(eta), bias=True) for eta in (0.2, 0.02, 1.0)
    ]
    runs = rg.play(grid, *rare())
    fewest = min(runs, key=lambda run: run.mistakes)
    assert fewest.learner == grid[1]
    assert fewest.metrics.auc < runs[0].metrics.auc
    assert runs.measure.name == "log-loss"
    assert runs.best.learner == grid[0]
    losses = [row["log_loss"] for row in runs.rows()]
    assert losses == sorted(losses)
    assert runs.model("last").learner == grid[0]
    assert runs.certificate(runs.best).delta == 0.05 / 3
    assert runs.by("error").best.learner == grid[1]
    for learner, run in zip(grid, runs, strict=True):
        alone(learner, *rare(), run)


MEASURED = {
    "log-loss": lambda run: run.metrics.log_loss,
    "auc": lambda run: -run.metrics.auc,
    "average-precision": lambda run: -run.metrics.average_precision,
    "brier": lambda run: run.metrics.brier,
    "error": lambda run: run.mistakes,
    "loss": lambda run: run.loss,
}


@pytest.mark.parametrize("name", MEASURED)
def test_every_measure_chooses_and_sorts(name: str) -> None:
    grid = [rg.OGD(rg.Logistic(), rg.Constant(eta)) for eta in (0.01, 0.1, 1.0)]
    runs = rg.play(grid, *rare()).by(name)
    order = sorted(runs, key=MEASURED[name])
    assert runs.best is order[0]
    assert [row["learner"] for row in runs.rows()] == [repr(r.learner) for r in order]
    assert runs.lines()[0][1] == runs.measure.title
    assert str(runs).splitlines()[-1] == f"the best by {runs.measure.title} comes first"


@pytest.mark.parametrize("name", ["squared-error", "mae", "loss"])
def test_measures_of_amounts(problem: Any, name: str) -> None:
    X, _ = problem
    grid = [rg.OGD(rg.Squared(), rg.Constant(eta)) for eta in (1e-4, 0.01)]
    runs = rg.play(grid, X, X[:, 0])
    assert runs.measure.name == "squared-error"
    assert runs.by(name).best is runs[1]
    quantile = [rg.OGD(rg.Pinball(0.9), rg.Constant(eta)) for eta in (1e-4, 0.01)]
    assert rg.play(quantile, X, X[:, 0]).measure.name == "loss"


@pytest.mark.parametrize(
    ("learners", "name", "answer"),
    [
        ([rg.Perceptron(), rg.OGD()], "log-loss", "has no probabilities"),
        ([rg.OGD(rg.Squared())], "auc", "numbers are compared by loss"),
        ([rg.Perceptron()], "mae", "two classes are compared by error, loss, auc"),
        ([rg.Perceptron()], "aucc", "did you mean 'auc'"),
    ],
)
def test_measures_that_learners_do_not_have(
    problem: Any, learners: Any, name: str, answer: str
) -> None:
    with pytest.raises(OptionError, match=answer):
        rg.play(learners, *problem).by(name)


def test_certificates_of_many_runs_share_delta(problem: Any) -> None:
    X, y = problem
    runs = rg.play(GRID, X, y)
    assert runs.certificate(runs[0]).delta == 0.05 / len(GRID)
    assert (
        runs.certificate(runs[0]).value
        == rg.play(GRID[0], X, y).certificate(0.05 / len(GRID)).value
    )
    kept = rg.play(GRID[:2], X, y, models=["validated"])
    assert kept.model().certificate.delta == 0.025


def test_a_file_is_read_once(problem: Any, tmp_path: Path) -> None:
    X, y = problem
    path = tmp_path / "rows.svm"
    path.write_text(
        "".join(
            f"{label:g} "
            + " ".join(f"{j + 1}:{x!r}" for j, x in enumerate(row.tolist()) if x)
            + "\n"
            for row, label in zip(X, y, strict=True)
        )
    )
    runs = rg.play(GRID[:3], path)
    for learner, run in zip(GRID[:3], runs, strict=True):
        assert np.array_equal(run.weights, rg.play(learner, path).weights)
        assert run.theorems()["ogd/data"].applies
    events = (
        (dict(enumerate(row)), int(label)) for row, label in zip(X, y, strict=True)
    )
    kept = rg.play(GRID[:2], events, keep=True)
    assert kept[1].model("mean").weights.shape == (12,)
    assert rg.play(path).mistakes == rg.play(rg.Panel(), path).mistakes


def test_who_overflows_is_out_and_the_others_go_on() -> None:
    X = np.full((200, 2), 10.0)
    y = np.linspace(-1.0, 1.0, 200)
    loss = rg.Squared()
    learners = [rg.OGD(loss, rg.Constant(eta)) for eta in (1e-4, 1.0)]
    runs = rg.play(learners, X, y)
    alone(learners[0], X, y, runs[0])
    assert list(runs.failures) == [1]
    assert "overflowed" in str(runs.failures[1])
    assert runs.best is runs[0]
    with pytest.raises(BadRow, match="overflowed"):
        rg.play(learners[1:] * 2, X, y)


def test_a_bad_row_stops_everybody(problem: Any) -> None:
    X, y = problem
    X[40, 3] = np.nan
    with pytest.raises(BadRow, match="row 40: column 3: nan"):
        rg.play([*GRID, rg.Panel()], X, y)


@pytest.mark.parametrize(
    ("learners", "answer"),
    [
        ([], "there are no learners to play"),
        ([rg.Perceptron(), rg.Hedge()], "cannot be played beside others"),
        ([rg.Perceptron, rg.OGD()], "did you forget"),
        ([rg.Perceptron(), rg.OGD(rg.Squared())], "cannot learn from the same labels"),
    ],
)
def test_refusals(problem: Any, learners: Any, answer: str) -> None:
    with pytest.raises((TypeError, ValueError), match=answer):
        rg.play(learners, *problem)
