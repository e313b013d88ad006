"""Sorted streams show up beside the certificate, iid ones do not.

Labels, |x| and the later losses of frozen hypotheses are tested, never the progressive
losses: those fall because the learner learns.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import betaln
from scipy.stats import binom, kstest

import regretless as rg
from regretless.engine.kernels.compiled import entry
from regretless.engine.kernels.row_lengths import row_lengths
from regretless.errors import NotCertified
from regretless.evidence.claims import change
from regretless.evidence.claims.change import ALARM, SHARES, power_of
from regretless.evidence.claims.change import noticed as change_noticed
from regretless.evidence.exchangeability import BINS, Exchangeability, _bins

ALPHA = 0.05
CHANGES = [
    (0.025, 0.018, (60_000, 40_000), 0.95),
    (0.1, 0.2, (3_000, 3_000), 0.95),
    (0.3, 0.35, (5_000, 5_000), 0.3),
]


def p_values(values, coins):
    """Ranks counted one by one: the share of those above, ties broken by the coin."""
    found = []
    for t, (value, coin) in enumerate(zip(values, coins, strict=True)):
        seen = values[: t + 1]
        above = sum(other > value for other in seen)
        equal = sum(other == value for other in seen)
        found.append((above + coin * equal) / (t + 1))
    return np.array(found)


def coin(seed, number):
    """SplitMix64, in plain words."""
    z = ((seed << 32) + number * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return ((z ^ z >> 31) >> 11) * 2.0**-53


def thresholds():
    """Dense on both sides of 1/2, as whole numbers of 4096."""
    found, a = {2048}, 0.5
    while a > 0.003:
        a /= 1.25
        found |= {round(4096 * a), 4096 - round(4096 * a)}
    return [each / 4096 for each in sorted(found)]


def bets(p):
    """The logarithm of the wealth whenever it is looked at, in plain words."""
    starts, start = [0], 64
    while start < len(p):
        starts.append(start)
        start = math.ceil(1.3 * start)
    total = sum((s + 4) ** -1.5 for s in range(96))
    weights = [(s + 4) ** -1.5 / total for s in range(len(starts))]
    levels, looks, found = thresholds(), 8, {}
    for t in range(1, len(p) + 1):
        if t < looks:
            continue
        looks = t + max(8, t // 64)
        reached = [(c, w) for c, w in zip(starts, weights, strict=True) if c < t]
        wealth = 1.0 - sum(w for _, w in reached)
        for c, w in reached:
            m = t - c
            for a in levels:
                k = int((np.floor(4096 * p[c:t]) < 4096 * a).sum())
                if (k - m * a) ** 2 < 6 * m * a * (1 - a):
                    continue
                for b in (1.0, 32.0):
                    won = betaln(k + b / (1 - a), m - k + b / a)
                    won -= betaln(b / (1 - a), b / a)
                    won -= k * math.log(a) + (m - k) * math.log(1 - a)
                    wealth += w / (2 * len(levels)) * math.exp(won)
        found[t] = math.log(wealth)
    return found


def streams():
    rng = np.random.default_rng(0)
    return {
        "labels": np.where(rng.random(300) < 0.3, 1.0, -1.0),
        "constant": np.full(300, 0.7),
        "sorted": np.sort(rng.integers(0, 20, 300)).astype(float),
        "few values": rng.integers(-5, 6, 300) / 4.0,
    }


@pytest.mark.parametrize("name", streams())
def test_bets_are_those_of_the_slow_version(name):
    values = streams()[name]
    coins = [coin(10, t + 1) for t in range(values.size)]
    logs = bets(p_values(values.tolist(), coins))
    test = Exchangeability(seed=9)
    test.feed(values)
    largest = max(logs.values())
    assert test.log_evidence == pytest.approx(max(0.0, largest), abs=1e-8)
    if largest > 0:
        assert test.round == max(logs, key=logs.__getitem__)


def test_flags_are_tested_like_other_numbers():
    values = (np.random.default_rng(3).random(3000) < np.linspace(0.1, 0.4, 3000)) * 1.0
    quick, usual = Exchangeability(7, flags=True), Exchangeability(7)
    quick.feed(values)
    usual.feed(values)
    assert quick.log_evidence == usual.log_evidence > 3.0
    assert (quick.since, quick.turns) == (usual.since, usual.turns)


@pytest.mark.parametrize(("before", "after", "rows", "power"), CHANGES)
def test_small_changes_are_noticed(before, after, rows, power):
    rng = np.random.default_rng(0)
    noticed = 0
    for run in range(40):
        test = Exchangeability(run, flags=True)
        shares = np.repeat([before, after], rows)
        test.feed(rng.random(shares.size) < shares)
        noticed += SHARES[0] * test.evidence >= ALARM
        if test.evidence > 1e4:
            assert 0.3 * rows[0] < test.since < 1.7 * rows[0]
    assert noticed >= binom.ppf(1e-4, 40, power)


def test_a_change_that_comes_and_goes_is_told_from_one_that_stays():
    rng = np.random.default_rng(0)
    hours = np.arange(24_000) // 100 % 24
    daily, once = Exchangeability(flags=True), Exchangeability(flags=True)
    daily.feed(rng.random(24_000) < 0.3 + 0.2 * np.sin(hours / 24 * 2 * np.pi))
    once.feed(rng.random(24_000) < np.repeat([0.2, 0.5], 12_000))
    assert daily.evidence > ALARM < once.evidence
    assert daily.turns > 10
    assert once.turns <= 1


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


def rare(rng, n):
    return rng.random(n) < 0.005


def ties(rng, n):
    return rng.integers(0, 4, n)


@pytest.mark.parametrize("draw", [labels, lengths, rare, ties])
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


def text(run, recorder=None):
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
    assert "the rows come sorted by label (seen in" in text(
        rg.play(rg.Perceptron(), X[order], y[order])
    )
    assert "in the labels" in text(rg.play(rg.Perceptron(), X[order], y[order]))
    model = rg.play(rg.Perceptron(), X[order], y[order]).model()
    assert model.certificate is None
    assert "No change detected in labels, |x| and losses (" in text(
        rg.play(rg.Perceptron(), X, y)
    )


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


def test_the_certificate_of_the_run_asks_too():
    X, y = problem(0, 1000)
    order = np.argsort(y, kind="stable")
    run = rg.play(rg.Perceptron(), X[order], y[order])
    with pytest.raises(NotCertified, match="No bound about the future"):
        run.certificate()
    assert run.change.test.of == "labels"
    assert "No change detected" in rg.play(rg.Perceptron(), X, y).certificate().evidence


def test_lengths_do_not_depend_on_the_batch():
    rng = np.random.default_rng(6)
    dense = rng.normal(size=(500, 30)) * (rng.random((500, 30)) < 0.2)
    dense[[0, 7, 8, 499]] = 0.0
    matrix = csr_array(dense)
    starts = matrix.indptr.astype(np.int64)
    left_out = np.array([3, 17])

    def lengths_of(rows, n):
        arguments = (rows, np.arange(n), left_out, np.empty(n))
        entry(row_lengths, arguments)(*arguments)
        return arguments[-1]

    def cut(lo, hi):
        rows = rg.parts.rows.Sparse(starts[lo : hi + 1], matrix.indices, matrix.data)
        return lengths_of(rows, hi - lo)

    whole, counted = cut(0, 500), np.delete(dense, left_out, axis=1)
    np.testing.assert_allclose(whole, np.linalg.norm(counted, axis=1), rtol=1e-14)
    pieces = [cut(i, i + 1) for i in range(500)]
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    rows = rg.parts.rows.Dense(dense.reshape(-1), 30)
    np.testing.assert_array_equal(lengths_of(rows, 500), whole)


@pytest.mark.parametrize("sparse", [False, True])
def test_columns_that_only_rise_are_no_part_of_the_length(sparse):
    X, y = problem(0, 3000)
    stamps = 1.7e9 + 30.0 * np.arange(3000)
    table = np.column_stack([X, stamps])
    rows = csr_array(table) if sparse else table
    assert rg.play(rg.Perceptron(), rows, y).change is None
    falling = csr_array(table[::-1]) if sparse else table[::-1].copy()
    assert rg.play(rg.Perceptron(), falling, y).change is None
    moved = table * np.linspace(1, 4, 3000)[:, None]
    assert rg.play(rg.Perceptron(), moved, y).change.test.of == "|x|"


def test_features_of_dates_are_no_part_of_the_length(tmp_path):
    X, y = problem(1, 3000)
    days = np.datetime64("2020-01-01") + np.arange(3000) // 2
    lines = [f"{d},{a},{b},{t}" for d, (a, b), t in zip(days, X, y, strict=True)]
    path = tmp_path / "days.csv"
    path.write_text("\n".join(["day,a,b,label", *lines]))
    run = rg.play(rg.Perceptron(), path, "label")
    assert "day weekday" in str(run.names)
    assert run.change is None


def test_every_test_has_its_share_of_the_false_alarms():
    run = rg.play(rg.Perceptron(), *problem(3, 1000, 0.5), models=["validated"])
    recorder = run.recorder
    tests = [*run.record.tests.values()]
    tests += [one.evidence for one in recorder.snapshots.held if one.start is None]
    assert len(tests) == 6
    shares = []
    for test in tests:
        before, test._wealth[1] = test._wealth[1], math.log(1e9)
        loudest = max(change.change_tests(run, recorder), key=lambda one: one.evidence)
        shares.append(loudest.evidence / 1e9)
        assert f"evidence {loudest.evidence:,.3g}," in text(run, recorder)
        test._wealth[1] = before
    np.testing.assert_allclose(shares, [1 / 2, 1 / 6, 1 / 6, 1 / 18, 1 / 36, 1 / 60])
    assert sum(shares) <= 1.0


@pytest.mark.parametrize("rate", [0.5, 0.1, 0.02])
@pytest.mark.parametrize("rows", [2_000, 20_000])
def test_it_notices_what_it_says_it_notices(rows, rate):
    rng = np.random.default_rng(rows)
    change, noticed = change_noticed(rows, rate), 0
    for run in range(200):
        shares = np.where(np.arange(rows) < rows // 2, rate, rate + change)
        labels = Exchangeability(run, flags=True)
        labels.feed(rng.random(rows) < shares)
        noticed += SHARES[0] * labels.evidence >= ALARM
    assert noticed >= binom.ppf(1e-4, 200, 0.9)
    assert f"by {100 * change:.2g} points" in power_of(rows, rate)


def test_what_a_few_rows_tell():
    assert power_of(99) == "On 99 rows the test notices hardly any change."
