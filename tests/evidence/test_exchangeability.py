"""Sorted streams show up beside the certificate, iid ones do not.

Labels, |x| and the later losses of frozen hypotheses are tested, never the progressive
losses: those fall because the learner learns.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import binom, kstest

import regretless as rg
from regretless.evidence.claims.change import ALARM, POWER, power_of
from regretless.evidence.exchangeability import BINS, Exchangeability, _bins
from regretless.evidence.snapshots.recorder import _lengths

ALPHA = 0.05
TESTS = ("exchangeability",)


def p_values(values, coins):
    """Ranks counted one by one: the share of those above, ties broken by the coin."""
    found = []
    for t, (value, coin) in enumerate(zip(values, coins, strict=True)):
        seen = values[: t + 1]
        above = sum(other > value for other in seen)
        equal = sum(other == value for other in seen)
        found.append((above + coin * equal) / (t + 1))
    return np.array(found)


def jumper(p):
    """The logarithm of the wealth after every round, in plain words."""
    shares, found = [1 / 3, 1 / 3, 1 / 3], []
    for each in p:
        total = sum(shares)
        shares = [0.99 * share + 0.01 * total / 3 for share in shares]
        shares = [
            share * (1 + bet * (each - 0.5))
            for share, bet in zip(shares, (-1, 0, 1), strict=True)
        ]
        found.append(math.log(sum(shares)))
    return np.array(found)


def streams():
    rng = np.random.default_rng(0)
    return {
        "labels": np.where(rng.random(300) < 0.3, 1.0, -1.0),
        "constant": np.full(300, 0.7),
        "sorted": np.sort(rng.integers(0, 20, 300)).astype(float),
        "few values": rng.integers(-5, 6, 300) / 4.0,
    }


@pytest.mark.parametrize("name", streams())
def test_ranks_are_exact_with_ties(name):
    values = streams()[name]
    coins = np.random.default_rng(9).random(values.size)
    logs = jumper(p_values(values.tolist(), coins))
    test = Exchangeability(seed=9)
    test.feed(values)
    assert test.log_evidence == pytest.approx(max(0.0, logs.max()), abs=1e-9)
    if logs.max() > 0:
        assert test.round == int(np.argmax(logs)) + 1


def test_p_values_of_exchangeable_data_are_uniform():
    rng = np.random.default_rng(1)
    values = (rng.random(2000) < 0.2).astype(float)
    assert kstest(p_values(values.tolist(), rng.random(2000)), "uniform").pvalue > 0.01


def test_bins_keep_the_order_of_numbers():
    rng = np.random.default_rng(2)
    sizes = np.exp(rng.uniform(-60, 60, 5000))
    numbers = np.sort(np.r_[sizes, -sizes, 0.0, 5e-324, 1e308, -1e308])
    bins = _bins(numbers)
    assert (np.diff(bins) >= 0).all()
    assert 0 <= bins.min() <= bins.max() < BINS
    near = np.array([1.0, 1.04, 1.07])  # three per cent are told apart
    assert len(set(_bins(near))) == 3


def test_pieces_equal_the_whole():
    values = np.random.default_rng(3).normal(size=1000)
    whole, pieces = Exchangeability(5), Exchangeability(5)
    whole.feed(values)
    for piece in np.split(values, [1, 17, 17, 600]):
        pieces.feed(piece)
    assert pieces.log_evidence == whole.log_evidence
    assert (pieces.round, pieces.rounds) == (whole.round, 1000)


def test_numbers_that_are_none_are_refused():
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match="not a finite number"):
            Exchangeability().feed([1.0, bad])


def alarms(runs, n, draw):
    """How many streams of values are called not exchangeable, with the usual coins."""
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(runs):
        test = Exchangeability()
        test.feed(draw(rng, n))
        found += test.evidence >= 1 / ALPHA
    return found


def labels(rng, n):
    return np.where(rng.random(n) < 0.3, 1.0, -1.0)


def lengths(rng, n):
    return rng.lognormal(size=n)


@pytest.mark.parametrize("draw", [labels, lengths])
def test_false_alarms_are_rare(draw):
    assert alarms(2000, 400, draw) <= binom.ppf(0.9999, 2000, ALPHA)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [labels, lengths])
def test_false_alarms_are_rare_in_long_streams(draw):
    assert alarms(2000, 10_000, draw) <= binom.ppf(0.9999, 2000, ALPHA)


def problem(seed, n=600, noise=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.where(X[:, 0] + noise * rng.normal(size=n) > 0, 1, -1)
    return X, y


def learning_curve(rng, n):
    """Errors of a learner whose risk falls, as in THEORY 8."""
    return (rng.random(n) < 0.05 + 0.45 / np.sqrt(1 + np.arange(n) / 10)).astype(float)


def test_progressive_losses_would_fire_on_iid_data():
    assert alarms(300, 5000, learning_curve) > 3 * ALPHA * 300


WARNING = "No bound about the future: the rows seem to have changed on the way"


def text(run):
    model = run.model("validated")
    return " ".join(str(model.certificate or model.why_not).split())


def iid_alarms(runs, n):
    return sum(
        WARNING in text(rg.play(rg.Perceptron(), *problem(s, n, 0.5)))
        for s in range(runs)
    )


def test_iid_data_rarely_show_up():
    assert iid_alarms(150, 600) <= binom.ppf(0.9999, 150, ALPHA)


@pytest.mark.parametrize("n_classes", [3, 26])
def test_iid_classes_rarely_show_up(n_classes):
    """Classes are numbered as they appear, which must not look like a trend."""
    found = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, n_classes, 600)
        run = rg.play(rg.MulticlassPerceptron(), rng.normal(size=(600, 2)), y)
        found += WARNING in text(run)
    assert found <= binom.ppf(0.9999, 60, ALPHA)


def test_classes_that_come_one_after_the_other_show_up():
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 26, 2000))
    run = rg.play(rg.MulticlassPerceptron(), rng.normal(size=(2000, 2)), y)
    assert "seen in the classes" in text(run)


@pytest.mark.slow
def test_iid_data_rarely_show_up_in_2000_runs():
    assert iid_alarms(2000, 1000) <= binom.ppf(0.9999, 2000, ALPHA)


@pytest.mark.parametrize("n", [300, 2000])
def test_data_sorted_by_label_show_up(n):
    X, y = problem(0, n)
    order = np.argsort(y, kind="stable")
    assert WARNING in text(rg.play(rg.Perceptron(), X[order], y[order]))
    assert "in the labels" in text(rg.play(rg.Perceptron(), X[order], y[order]))
    model = rg.play(rg.Perceptron(), X[order], y[order]).model()
    assert model.certificate is None
    assert "No change detected (evidence " in text(rg.play(rg.Perceptron(), X, y))


def test_rows_that_grow_show_up():
    X, y = problem(0, 2000)
    X *= np.linspace(1, 4, 2000)[:, None]
    assert "in the |x|" in text(rg.play(rg.Perceptron(), X, y))


def test_a_change_of_concept_shows_up_in_the_losses():
    X, y = problem(0, 4000)
    X[3000:] *= -1.0  # the same labels and lengths, another concept
    assert "in the losses of the classifier frozen" in text(
        rg.play(rg.Perceptron(), X, y)
    )


def test_the_certificate_of_the_run_carries_the_evidence_too():
    X, y = problem(0, 1000)
    order = np.argsort(y, kind="stable")
    run = rg.play(rg.Perceptron(), X[order], y[order], models=["exchangeability"])
    assert "not exchangeable" in " ".join(str(run.certificate()).split())
    assert run.change.test.of == "labels"
    assert not rg.play(rg.Perceptron(), X, y).certificate().evidence


def test_lengths_do_not_depend_on_the_batch():
    rng = np.random.default_rng(6)
    dense = rng.normal(size=(500, 30)) * (rng.random((500, 30)) < 0.2)
    dense[[0, 7, 8, 499]] = 0.0
    matrix = csr_array(dense)
    starts = matrix.indptr.astype(np.int64)

    def cut(lo, hi):
        rows = rg.parts.rows.Sparse(starts[lo : hi + 1], matrix.indices, matrix.data)
        return _lengths(rows, hi - lo)

    whole = cut(0, 500)
    np.testing.assert_allclose(whole, np.linalg.norm(dense, axis=1), rtol=1e-14)
    pieces = [cut(i, i + 1) for i in range(500)]
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    rows = [_lengths(rg.parts.rows.Dense(row, 30), 1) for row in dense]
    whole = _lengths(rg.parts.rows.Dense(dense.reshape(-1), 30), 500)
    np.testing.assert_array_equal(np.concatenate(rows), whole)


def test_every_test_has_its_share_of_the_false_alarms():
    run = rg.play(rg.Perceptron(), *problem(3, 1000, 0.5), models=["validated", *TESTS])
    recorder = run.recorder
    tests = [recorder.tests["labels"], recorder.tests["|x|"]]
    tests += [one.evidence for one in recorder.snapshots.held if one.start is None]
    assert len(tests) == 6
    for alarmed in range(6):
        tests[alarmed]._wealth[4] = math.log(1e9)
        evidence = 1e9 / ((alarmed + 1) * (alarmed + 2))
        assert f"evidence {evidence:,.3g}," in text(run)
        tests[alarmed]._wealth[4] = 0.0


@pytest.mark.parametrize(("rows", "change"), POWER[:4])
def test_it_notices_what_it_says_it_notices(rows, change):
    rng = np.random.default_rng(rows)
    noticed = 0
    for run in range(200):
        shares = np.where(np.arange(rows) < rows // 2, -change, change) / 2 + 0.5
        labels = Exchangeability(run)
        labels.feed(rng.random(rows) < shares)
        noticed += labels.evidence / 2 >= ALARM
    assert noticed >= binom.ppf(1e-4, 200, 0.9)
    assert f"by {100 * change:.0f} points" in power_of(rows)
    assert power_of(rows - 1) != power_of(rows)


def test_what_a_few_rows_tell():
    assert power_of(199) == "On 199 rows the test notices hardly any change."
