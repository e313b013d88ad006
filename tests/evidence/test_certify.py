"""Every bound equals its formula, at the reference values, and refuses bad input."""

from __future__ import annotations

import json
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import special, stats

import naive_certify as naive
from regretless import certify
from regretless.certify import Certificate
from regretless.evidence.certify.mixtures import bets

REFERENCE = [(1000, 0, 0.005161), (1000, 50, 0.072097), (10_000, 500, 0.056767)]
FROM_SUMS = [certify.hoeffding, certify.clopper_pearson, certify.kl_mixture]
FROM_LOSSES = [certify.betting, certify.empirical_bernstein]
DELTAS = [1e-6, 0.05, 0.5, 0.999]


def streams():
    """Rows of losses of very different kinds."""
    rng = np.random.default_rng(8)
    return [
        [0.0],
        [1.0],
        [0.0] * 30,
        [1.0] * 30,
        [0.5] * 25,
        (rng.random(40) < 0.2).astype(float).tolist(),
        rng.random(40).tolist(),
        (0.3 + 0.01 * rng.random(40)).tolist(),
        np.linspace(1.0, 0.0, 25).tolist(),
    ]


@pytest.mark.parametrize(("n", "errors", "value"), REFERENCE)
def test_kl_mixture_has_the_reference_values(n, errors, value):
    assert certify.kl_mixture(n, errors, 0.05) == pytest.approx(value, abs=1e-6)
    assert certify.kl_mixture(n, errors, 0.05, n_opt=n) == certify.kl_mixture(n, errors)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("n_opt", [1, 100, 1e5, 1e15])
def test_the_bets_are_those_of_the_theory(n_opt, delta):
    theta, log_weights = bets(n_opt, delta)
    slow = naive.grid(n_opt, delta)
    np.testing.assert_allclose(theta, [bet for bet, _ in slow], rtol=1e-14)
    np.testing.assert_allclose(np.exp(log_weights), [w for _, w in slow], rtol=1e-12)
    assert np.exp(log_weights).sum() <= 1 + 1e-12


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(
    ("n", "total"),
    [(1, 0), (1, 1), (1, 0.5), (7, 0), (7, 7), (300, 0.001), (300, 20), (300, 299.5)],
)
def test_kl_mixture_equals_the_formula(n, total, delta):
    for n_opt in (None, 5.0, 1e4):
        grid = naive.grid(n_opt or n, delta)
        slow = naive.bound(
            lambda m, grid=grid: naive.kl_value(n, total, m, grid), total / n, delta
        )
        found = certify.kl_mixture(n, total, delta, n_opt)
        assert found == pytest.approx(slow, abs=1e-9)


@pytest.mark.parametrize("losses", streams(), ids=range(len(streams())))
@pytest.mark.parametrize("delta", [0.001, 0.2])
def test_betting_and_bernstein_equal_the_formulas(losses, delta):
    pairs = [
        (certify.betting, naive.betting_value),
        (certify.empirical_bernstein, naive.bernstein_value),
    ]
    for n_opt in (None, 500.0):
        grid = naive.grid(n_opt or len(losses), delta)
        for fast, value in pairs:
            slow = naive.bound(
                lambda m, value=value, grid=grid: value(losses, m, grid),
                float(np.mean(losses)),
                delta,
            )
            assert fast(losses, delta, n_opt) == pytest.approx(slow, abs=1e-9)


def test_hoeffding_is_the_lectures_formula():
    n, total = np.array([1, 10, 1000]), np.array([0.5, 3.0, 50.0])
    slow = np.minimum(1, total / n + np.sqrt(math.log(20) / (2 * n)))
    np.testing.assert_allclose(certify.hoeffding(n, total, 0.05), slow, rtol=1e-15)


@pytest.mark.parametrize("delta", [1e-30, 1e-9, 0.05, 0.5, 0.99])
def test_clopper_pearson_inverts_the_binomial(delta):
    for n, errors in [(1, 0), (20, 3), (1000, 50), (1000, 999), (200_000, 10_000)]:
        found = certify.clopper_pearson(n, errors, delta)
        assert stats.binom.cdf(errors, n, found) == pytest.approx(delta, rel=1e-6)
        slow = stats.beta.isf(delta, errors + 1, n - errors)
        assert found == pytest.approx(slow, rel=1e-9)
    assert certify.clopper_pearson(10, 10, delta) == 1.0


COUNTS = (1, 2, 3, 10, 15, 16, 17, 100, 4097, 12_345, 10**5, 10**7, 10**9)


@pytest.mark.parametrize("delta", [1e-30, 1e-6, 0.001, 0.05, 0.5, 0.99])
def test_clopper_pearson_is_what_scipy_computes(delta):
    """To 1e-8, of which 9e-9 is scipy's own error, at n = 1e9 and few errors."""
    for n in COUNTS:
        few = {1, 2, 3, n - 3, n - 2, n - 1}
        shares = {n // 1000, n // 100, n // 10, n // 3, n // 2, n * 9 // 10}
        errors = np.array(sorted(k for k in few | shares if 0 <= k < n))
        slow = special.betainccinv(errors + 1.0, n - errors, delta)
        found = certify.clopper_pearson(n, errors, delta)
        np.testing.assert_allclose(found, slow, rtol=1e-8 if n == 10**9 else 2e-9)
        assert certify.clopper_pearson(n, n, delta) == 1.0


@pytest.mark.parametrize("delta", [1e-12, 0.05, 0.9])
@pytest.mark.parametrize("errors", [0, 1, 2, 3, 30])
def test_clopper_pearson_is_exact_for_a_billion_rounds(errors, delta):
    """Against the sum of the definition, in 50 digits."""
    with localcontext(prec=50):
        n, p = 10**9, Decimal(certify.clopper_pearson(10**9, errors, delta))
        terms = (math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(errors + 1))
        assert float(sum(terms)) == pytest.approx(delta, rel=1e-12)


@pytest.mark.parametrize("bound", FROM_SUMS)
def test_more_errors_less_delta_and_fewer_rounds_mean_a_higher_bound(bound):
    values = bound(100, np.arange(101))
    assert (np.diff(values) >= -1e-12).all()
    assert (values >= np.arange(101) / 100).all()
    assert (values <= 1).all()
    assert bound(100, 10, 0.01) > bound(100, 10, 0.1)
    assert bound(100, 10) > bound(1000, 100) > bound(10_000, 1000)


@pytest.mark.parametrize("bound", FROM_SUMS)
def test_bounds_take_arrays_and_give_floats_for_numbers(bound):
    n, total = np.array([[5], [10], [2000]]), np.array([0, 3])
    table = bound(n, total)
    assert table.shape == (3, 2)
    for i in range(3):
        for j in range(2):
            alone = bound(int(n[i, 0]), int(total[j]))
            assert type(alone) is float
            assert table[i, j] == alone


def test_many_rounds_at_once_equal_one_at_a_time():
    n = np.arange(1, 6001)
    for n_opt in (None, 1000.0):
        table = certify.kl_mixture(n, n // 7, 0.05, n_opt)
        for i in (0, 1, 17, 4095, 4096, 5999):
            assert table[i] == certify.kl_mixture(n[i], n[i] // 7, 0.05, n_opt)


@pytest.mark.parametrize("losses", streams(), ids=range(len(streams())))
def test_bernstein_is_never_tighter_than_betting(losses):
    assert certify.empirical_bernstein(losses) >= certify.betting(losses) - 1e-12
    assert certify.betting(losses) >= np.mean(losses)


def test_betting_sees_a_small_variance():
    rng = np.random.default_rng(0)
    calm = 0.3 + 0.01 * rng.random(5000)
    assert certify.betting(calm) < calm.mean() + 0.003
    assert certify.betting(calm) < certify.kl_mixture(5000, calm.sum())


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, 2.0, math.nan])
def test_delta_is_strictly_between_0_and_1(delta):
    for bound in FROM_SUMS:
        with pytest.raises(ValueError, match="delta="):
            bound(10, 1, delta)
    for bound in FROM_LOSSES:
        with pytest.raises(ValueError, match="delta="):
            bound([0.5], delta)


@pytest.mark.parametrize("bound", FROM_SUMS)
def test_bad_sums_are_refused(bound):
    for n in (0, -1, 2.5, math.nan, math.inf, [10, 0]):
        with pytest.raises(ValueError, match="zero rounds certify nothing"):
            bound(n, 0)
    for total in (-1, 11, math.nan, [1, 11]):
        with pytest.raises(ValueError, match="between 0 and n"):
            bound(10, total)


def test_clopper_pearson_is_for_errors_only():
    with pytest.raises(ValueError, match="losses 0 and 1"):
        certify.clopper_pearson(10, 2.5)


@pytest.mark.parametrize("bound", FROM_LOSSES)
def test_bad_losses_are_named(bound):
    for bad in (1.5, -0.1, math.nan):
        with pytest.raises(ValueError, match=r"losses\[2\] = .* is outside \[0, 1\]"):
            bound([0.0, 1.0, bad, bad])
    for empty in ([], [[0.5]]):
        with pytest.raises(ValueError, match="at least one"):
            bound(empty)


@pytest.mark.parametrize("n_opt", [0, -3.0, math.nan, math.inf])
def test_a_bad_guess_of_the_rounds_is_refused(n_opt):
    with pytest.raises(ValueError, match="n_opt="):
        certify.kl_mixture(10, 1, n_opt=n_opt)
    for bound in FROM_LOSSES:
        with pytest.raises(ValueError, match="n_opt="):
            bound([0.5], n_opt=n_opt)


def test_a_certificate_survives_json():
    found = Certificate(
        value=0.31,
        delta=0.05,
        method="betting",
        about="a mean",
        n=100,
        total=12.25,
        scope="to be read at any time",
        loss="hinge",
        scale=3.0,
        spent=0.025,
        n_opt=1e5,
        assumptions=("this", "that"),
        evidence="none",
    )
    again = Certificate.from_dict(json.loads(json.dumps(found.as_dict())))
    assert again == found
    assert str(again) == str(found)
    assert again.measured == pytest.approx(3 * 0.1225)
    assert again.hoeffding == 3 * certify.hoeffding(100, 12.25, 0.025)


def test_a_certificate_says_what_it_is_about():
    found = Certificate(
        value=0.076,
        delta=0.05,
        method="kl_mixture",
        about="this classifier",
        n=20_000,
        total=1280.0,
        scope="this run's preset length",
    )
    text = " ".join(str(found).split())
    assert "With probability 0.95 over the data" in text
    assert "error of this classifier on fresh data is at most 7.60%" in text
    assert "measured online: 6.40% over 20,000 rounds, this run's preset length" in text
    assert f"Hoeffding's bound would be {found.hoeffding:.2%}" in text
    assert "Assumes that the rows are independent draws from one distribution" in text


def test_a_certificate_of_nothing_is_refused():
    words = {"method": "", "about": "", "scope": ""}
    with pytest.raises(ValueError, match="at least one round"):
        Certificate(value=0.1, delta=0.05, n=0, total=0.0, **words)
    with pytest.raises(ValueError, match="delta="):
        Certificate(value=0.1, delta=1.0, n=1, total=0.0, **words)
