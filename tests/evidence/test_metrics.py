"""Metrics against scikit-learn and River, and what holds of all of them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as peers
from sklearn.calibration import calibration_curve

import regretless as rg
from regretless.evidence.metrics import (
    AmountMetrics,
    ManyClassMetrics,
    Metrics,
    RankTable,
    TwoClassMetrics,
)
from regretless.evidence.metrics.calibration import BINS
from regretless.evidence.metrics.pairs import PAIRS, FrequentPairs
from regretless.evidence.metrics.ranks import BUFFER, COARSE

EXACT = {"rel": 1e-12, "abs": 1e-12}


def two(n: int = 3000, seed: int = 0, ties: bool = False) -> tuple[Any, Any]:
    """Log-odds, and labels -1 and +1."""
    rng = np.random.default_rng(seed)
    targets = np.where(rng.random(n) < 0.3, 1.0, -1.0)
    scores = 1.5 * rng.normal(size=n) + targets
    return (np.round(scores, 1) if ties else scores), targets


def fed(metrics: Any, *columns: Any, block: int = 700) -> Any:
    for begin in range(0, columns[0].size, block):
        metrics.feed(*(column[begin : begin + block] for column in columns))
    return metrics


def many(n: int = 2000) -> tuple[Any, ...]:
    """True classes, a table of probabilities, and the predicted classes."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 5, n)
    table = rng.dirichlet(np.ones(5), n)
    table[np.arange(n), true] += 0.3
    table /= table.sum(axis=1, keepdims=True)
    return true, table, table.argmax(axis=1)


@pytest.mark.parametrize("ties", [False, True])
def test_two_classes_are_those_of_scikit_learn(ties: bool) -> None:
    scores, targets = two(ties=ties)
    found = fed(TwoClassMetrics(), scores, targets)
    chances, labels = 1.0 / (1.0 + np.exp(-scores)), (targets > 0).astype(int)
    said = (scores > 0).astype(int)
    assert found.exact
    assert found.auc == pytest.approx(peers.roc_auc_score(labels, scores), **EXACT)
    wanted = {
        "error": 1.0 - peers.accuracy_score(labels, said),
        "average_precision": peers.average_precision_score(labels, scores),
        "log_loss": peers.log_loss(labels, chances),
        "brier": peers.brier_score_loss(labels, chances),
        "precision": peers.precision_score(labels, said),
        "recall": peers.recall_score(labels, said),
        "f1": peers.f1_score(labels, said),
    }
    for name, value in wanted.items():
        assert found.values()[name] == pytest.approx(value, **EXACT), name
    confusion = peers.confusion_matrix(labels, said).reshape(-1)
    assert found.at()[1:] == tuple(confusion)
    constant = np.full(labels.size, labels.mean())
    base = found.baseline()
    assert base["log_loss"] == pytest.approx(peers.log_loss(labels, constant), **EXACT)
    assert base["brier"] == pytest.approx(
        peers.brier_score_loss(labels, constant), **EXACT
    )
    assert base["error"] == pytest.approx(min(labels.mean(), 1 - labels.mean()))
    assert base["average_precision"] == pytest.approx(labels.mean(), **EXACT)


@pytest.mark.parametrize("threshold", [0.0, 0.05, 0.3, 0.5, 0.9, 1.0])
def test_any_threshold_is_that_of_scikit_learn(threshold: float) -> None:
    scores, targets = two()
    at = fed(TwoClassMetrics(), scores, targets).at(threshold)
    chances, labels = 1.0 / (1.0 + np.exp(-scores)), targets > 0
    said = chances > threshold
    assert at[1:] == tuple(peers.confusion_matrix(labels, said).reshape(-1))
    assert at.precision == pytest.approx(
        peers.precision_score(labels, said, zero_division=0), **EXACT
    )
    assert at.recall == pytest.approx(peers.recall_score(labels, said), **EXACT)
    assert at.f1 == pytest.approx(peers.f1_score(labels, said), **EXACT)
    assert at.flagged == pytest.approx(said.mean(), **EXACT)


def test_scores_that_are_no_log_odds_have_thresholds_and_no_probabilities() -> None:
    scores, targets = two()
    found = fed(TwoClassMetrics(probabilistic=False), scores, targets)
    assert math.isnan(found.log_loss)
    assert found.as_dict()["log_loss"] is None
    assert "log_loss" not in found.baseline()
    said = scores > 1.25
    assert found.at(1.25).recall == pytest.approx(
        peers.recall_score(targets > 0, said), **EXACT
    )
    with pytest.raises(ValueError, match="no calibration"):
        found.calibration()


def test_curves_are_those_of_scikit_learn() -> None:
    scores, targets = two(ties=True)
    curve = fed(TwoClassMetrics(), scores, targets).curve()
    fpr, tpr, thresholds = peers.roc_curve(targets, scores, drop_intermediate=False)
    np.testing.assert_allclose(curve.true_positives / (targets > 0).sum(), tpr)
    np.testing.assert_allclose(curve.false_positives / (targets < 0).sum(), fpr)
    np.testing.assert_allclose(curve.thresholds[1:], thresholds[1:], atol=1e-300)


def test_calibration_is_that_of_scikit_learn() -> None:
    scores, targets = two()
    found = fed(TwoClassMetrics(), scores, targets)
    chances, labels = 1.0 / (1.0 + np.exp(-scores)), targets > 0
    observed, predicted = calibration_curve(labels, chances, n_bins=BINS)
    curve = found.calibration()
    np.testing.assert_allclose(curve.observed, observed, rtol=1e-12)
    np.testing.assert_allclose(curve.predicted, predicted, rtol=1e-12)
    gaps = np.abs(observed - predicted) * curve.rows
    assert found.calibration_error == pytest.approx(gaps.sum() / labels.size, **EXACT)


def river_metrics() -> Any:
    """River's; it comes with the benchmarks, `make bench`."""
    return pytest.importorskip("river.metrics")


def test_two_classes_are_those_of_river() -> None:
    theirs = river_metrics()
    scores, targets = two(400)
    found = fed(TwoClassMetrics(), scores, targets)
    pairs = {
        "log_loss": theirs.LogLoss(),
        "f1": theirs.F1(),
        "precision": theirs.Precision(),
        "recall": theirs.Recall(),
    }
    for score, y in zip(scores.tolist(), (targets > 0).tolist(), strict=True):
        for name, metric in pairs.items():
            chance = 1.0 / (1.0 + math.exp(-score))
            metric.update(y, chance if name == "log_loss" else score > 0)
    for name, metric in pairs.items():
        assert found.values()[name] == pytest.approx(metric.get(), **EXACT), name


def amounts() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    targets = 1e6 + rng.normal(size=2000)
    return targets + 0.3 * rng.normal(size=2000), targets


def test_amounts_are_those_of_scikit_learn() -> None:
    scores, targets = amounts()
    found = fed(AmountMetrics(level=0.9), scores, targets)
    assert found.rmse == pytest.approx(
        peers.root_mean_squared_error(targets, scores), **EXACT
    )
    assert found.mae == pytest.approx(
        peers.mean_absolute_error(targets, scores), **EXACT
    )
    assert found.r2 == pytest.approx(peers.r2_score(targets, scores), rel=1e-9)
    assert found.pinball == pytest.approx(
        peers.mean_pinball_loss(targets, scores, alpha=0.9), rel=1e-9
    )
    means = np.concatenate([[0.0], np.cumsum(targets)[:-1] / np.arange(1, 2000)])
    base = found.baseline()
    assert base["mae"] == pytest.approx(np.abs(means - targets).mean(), **EXACT)
    assert base["rmse"] == pytest.approx(
        math.sqrt(np.square(means - targets).mean()), **EXACT
    )


def test_amounts_are_those_of_river() -> None:
    theirs = river_metrics()
    scores, targets = amounts()
    found = fed(AmountMetrics(), scores, targets)
    river = (theirs.RMSE(), theirs.MAE())
    for score, y in zip(scores.tolist(), targets.tolist(), strict=True):
        for metric in river:
            metric.update(y, score)
    assert (found.rmse, found.mae) == pytest.approx([m.get() for m in river], **EXACT)


def test_r2_of_small_labels_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    targets = rng.normal(size=1000)
    scores = targets + rng.normal(size=1000)
    found = fed(AmountMetrics(), scores, targets)
    assert found.r2 == pytest.approx(peers.r2_score(targets, scores), **EXACT)


def test_many_classes_are_those_of_scikit_learn() -> None:
    true, table, said = many()
    chances = table[np.arange(true.size), true]
    columns = (true.astype(float), said.astype(float), chances)
    found = fed(ManyClassMetrics(), *columns)
    assert found.error == pytest.approx(1 - peers.accuracy_score(true, said), **EXACT)
    assert found.log_loss == pytest.approx(peers.log_loss(true, table), **EXACT)
    assert found.macro_f1 == pytest.approx(
        peers.f1_score(true, said, average="macro"), **EXACT
    )
    assert found.balanced_error == pytest.approx(
        1 - peers.balanced_accuracy_score(true, said), **EXACT
    )
    matrix = peers.confusion_matrix(true, said)
    np.fill_diagonal(matrix, 0)
    for label, taken_for, rows in found.confused(3):
        assert matrix[label, taken_for] == rows
    assert found.confused(1)[0][2] == matrix.max()
    shares = np.bincount(true) / true.size
    constant = np.tile(shares, (true.size, 1))
    base = found.baseline()
    assert base["log_loss"] == pytest.approx(peers.log_loss(true, constant), **EXACT)
    assert base["error"] == pytest.approx(1 - shares.max(), **EXACT)


def test_a_class_that_had_not_come_is_wrong_and_no_part_of_the_log_loss() -> None:
    found = ManyClassMetrics()
    found.feed(np.array([0.0, 0.0]), np.array([-1.0, 0.0]), np.array([np.nan, 0.5]))
    assert found.error == 0.5
    assert found.log_loss == pytest.approx(math.log(2.0))
    assert found.confused() == []


def test_frequent_pairs_are_counted_within_what_they_may_have_lost() -> None:
    rng = np.random.default_rng(0)
    pairs, true = FrequentPairs(), dict[tuple[int, int], int]()
    for _ in range(20):
        first, second = rng.integers(0, 200, 3000), rng.integers(0, 200, 3000)
        first[:300], second[:300] = 7, 9
        pairs.feed(first, second)
        for pair in zip(first.tolist(), second.tolist(), strict=True):
            true[pair] = true.get(pair, 0) + 1
    (*most, rows), *_ = pairs.most(1)
    assert most == [7, 9]
    assert 0 < pairs.lost <= 60_000 / PAIRS
    assert true[7, 9] - pairs.lost <= rows <= true[7, 9]


@pytest.mark.parametrize("order", ["mixed", "sorted", "drift", "rare"])
def test_the_sketch_is_within_its_bound(order: str) -> None:
    rng = np.random.default_rng(0)
    n = 4 * BUFFER
    targets = np.where(rng.random(n) < (0.002 if order == "rare" else 0.3), 1.0, -1.0)
    scores = rng.normal(size=n) + targets
    if order == "sorted":
        order_of = np.argsort(scores)
        scores, targets = scores[order_of], targets[order_of]
    if order == "drift":
        scores += np.linspace(0.0, 10.0, n)
    table = fed(RankTable(), scores, targets, block=5000)
    true = peers.roc_auc_score(targets, scores)
    assert not table.exact
    assert table.nbytes < 1e6
    assert abs(table.auc() - true) < 5e-5
    assert table.auc_lost() <= 0.5 / COARSE
    precision = peers.average_precision_score(targets, scores)
    assert abs(table.average_precision() - precision) < 1e-3
    threshold = float(np.quantile(scores, 0.9))
    negatives, positives = table.above(threshold)
    above = scores > threshold
    counted = (above & (targets > 0)).sum() / (targets > 0).sum()
    assert abs(positives / (targets > 0).sum() - counted) < 2.0 / COARSE
    assert abs(negatives + positives - above.sum()) < 4.0 * n / COARSE


def test_few_different_scores_stay_exact_however_many_rows() -> None:
    scores, targets = two(3 * BUFFER, ties=True)
    table = fed(RankTable(), scores, targets, block=9999)
    assert table.exact
    auc = peers.roc_auc_score(targets, scores)
    assert table.auc() == pytest.approx(auc, **EXACT)


KINDS: dict[str, tuple[Callable[[], Metrics], Callable[[int], tuple[Any, ...]]]] = {
    "two classes": (TwoClassMetrics, two),
    "margins": (lambda: TwoClassMetrics(probabilistic=False), two),
    "amounts": (AmountMetrics, two),
    "many classes": (
        ManyClassMetrics,
        lambda n: (
            np.arange(n) % 7.0,
            np.arange(n) // 2 % 7.0,
            np.linspace(0.1, 0.9, n),
        ),
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_window_is_about_the_last_rows_alone(name: str) -> None:
    make, rows = KINDS[name]
    columns = rows(2500)
    whole = fed(make(), *columns, block=170)
    last = fed(make(), *(column[-1000:] for column in columns))
    assert whole.rolling.rows == 1000
    # Sums of other blocks differ in their last bits.
    assert whole.rolling.values() == pytest.approx(last.values(), nan_ok=True)
    base, other = whole.rolling.baseline(), last.baseline()
    assert base == pytest.approx(other, nan_ok=True)
    few = fed(make(), *(column[:10] for column in columns))
    assert few.rolling.as_dict() == few.as_dict()


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("n", [300, BUFFER + 5000])
def test_metrics_go_on_from_their_state(name: str, n: int) -> None:
    make, rows = KINDS[name]
    columns = rows(n + 2000)
    whole = fed(make(), *(column[:n] for column in columns))
    again = make()
    again.load_state(whole.state_dict())
    for each in (whole, again):
        fed(each, *(column[n:] for column in columns), block=333)
    assert again.as_dict() == whole.as_dict()
    assert again.rolling.as_dict() == whole.rolling.as_dict()


@pytest.mark.parametrize("name", KINDS)
def test_no_rows_have_no_metrics_and_say_so(name: str) -> None:
    empty = KINDS[name][0]()
    found = empty.as_dict()
    assert found["rows"] == 0
    assert all(found[each] in (None, 0.0) for each in empty.values())
    assert "0 rows" in str(empty)
    assert "<table>" in empty._repr_html_()


def table_of_rows(n: int = 500) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    return rng.normal(size=(n, 4)), rng.normal(size=n)


def test_a_run_has_the_metrics_of_what_it_predicted() -> None:
    X, noise = table_of_rows()
    y = X[:, 0] + 0.5 * noise > 0.0
    run = rg.play(rg.Panel(), X, y, trace=True)
    assert run.metrics.auc == pytest.approx(peers.roc_auc_score(y, run.scores), **EXACT)
    assert run.metrics.probabilistic
    margins = rg.play(rg.Perceptron(), X, y).metrics
    assert not margins.probabilistic
    assert margins.rows == 500


def test_a_run_of_numbers_and_of_many_classes_has_metrics() -> None:
    X, noise = table_of_rows()
    run = rg.play(rg.RegressionPanel(), X, X[:, 0] + noise, trace=True)
    paid = np.square(run.scores - (X[:, 0] + noise)).mean()
    assert run.metrics.rmse == pytest.approx(math.sqrt(paid), **EXACT)
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    classes = rg.play(rg.Panel(), X, y).metrics
    assert isinstance(classes, ManyClassMetrics)
    assert classes.rows == 500
    assert classes.error < 0.35
    assert classes.log_loss < classes.baseline()["log_loss"]


def test_a_stream_keeps_its_metrics_on_the_way(tmp_path: Path) -> None:
    X, noise = table_of_rows()
    y = X[:, 0] + 0.5 * noise > 0.0
    events = [
        (dict(zip("abcd", row, strict=True)), label)
        for row, label in zip(X.tolist(), y.tolist(), strict=True)
    ]
    run = rg.play(rg.Perceptron(), iter(events))
    again = rg.play(rg.Perceptron(), X, y)
    assert run.measured is not None
    assert again.measured is None
    assert run.metrics.as_dict() == again.metrics.as_dict()


def test_metrics_of_experts_are_refused_in_one_line() -> None:
    run = rg.play(rg.Hedge(), losses=np.random.default_rng(0).random((50, 3)))
    with pytest.raises(ValueError, match="Hedge has none: its ledger"):
        _ = run.metrics


def test_estimators_have_metrics() -> None:
    X, noise = table_of_rows()
    y = np.where(X[:, 0] + 0.5 * noise > 0.0, "yes", "no")
    found = rg.sklearn.PerceptronClassifier().fit(X, y).run_.metrics
    assert found.rows == 500
    assert found.auc > 0.8
