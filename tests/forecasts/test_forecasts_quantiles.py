"""Quantiles: scored as defined, mixed without crossing, compared by exact ranges."""

import math

import numpy as np
import pytest

from regretless.forecasts import combine, compare
from regretless.forecasts.scores import as_score, ends, losses_of, score_name
from regretless.parts.scores import class_slope, class_value

LEVELS = np.array([0.05, 0.25, 0.5, 0.75, 0.95])


def hub(seed=0, weeks=40, places=3, models=4):
    rng = np.random.default_rng(seed)
    when = np.repeat(np.arange(weeks), places)
    y = rng.normal(size=len(when))
    z = np.array([-1.64, -0.67, 0.0, 0.67, 1.64])
    center = y[:, None] + rng.normal(size=(len(when), models)) * np.linspace(
        0.5, 2, models
    )
    return center[:, :, None] + np.linspace(0.5, 2, models)[:, None] * z, y, when


def interval_score(low, high, y, alpha):
    return (high - low) + 2 / alpha * (max(low - y, 0) + max(y - high, 0))


def test_the_weighted_interval_score_as_hubs_define_it():
    values, y, _ = hub()
    found = losses_of(as_score("wis", LEVELS), values, y)
    for t in (0, 7):
        for k in range(4):
            q = values[t, k]
            slow = 0.5 * abs(y[t] - q[2])
            for low, high, alpha in ((q[0], q[4], 0.1), (q[1], q[3], 0.5)):
                slow += alpha / 2 * interval_score(low, high, y[t], alpha)
            assert found[t, k] == pytest.approx(slow / 2.5)
    pinball = losses_of(as_score("pinball", LEVELS), values, y)
    np.testing.assert_allclose(pinball, found / 2)
    assert score_name(as_score("crps", LEVELS)) == "CRPS"
    assert score_name(as_score("brier", LEVELS)) == "WIS"  # the default of quantiles


def test_the_crps_is_that_of_the_distribution():
    from scipy.stats import norm

    levels = (np.arange(500) + 0.5) / 500
    q = norm.ppf(levels)[None, None, :]
    found = losses_of(as_score("crps", levels), q, np.array([0.7]))[0, 0]
    z = 0.7
    exact = z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z) - 1 / math.sqrt(math.pi)
    assert found == pytest.approx(exact, rel=1e-3)


def test_kernels_score_as_tables_do():
    values, y, _ = hub()
    score = as_score("wis", LEVELS)
    row = np.r_[9.0, values[3, 1]]
    lost = losses_of(score, values, y)[3, 1]
    assert class_value(score, row, 1, 5, y[3]) == pytest.approx(lost)
    out = np.zeros(5)
    class_slope(score, row, 1, 5, y[3], out)
    for c in range(5):
        up, down = row.copy(), row.copy()
        up[1 + c] += 1e-6
        down[1 + c] -= 1e-6
        rise = class_value(score, up, 1, 5, y[3]) - class_value(score, down, 1, 5, y[3])
        assert out[c] == pytest.approx(rise / 2e-6, abs=1e-6)


def test_ranges_hold_all_outcomes_and_are_reached():
    values, _, _ = hub()
    score = as_score("wis", LEVELS)
    a, b = values[:, 0], values[:, 3]
    least, most = ends(score, a, b, None, None)
    tries = np.linspace(-12, 12, 4001)
    for t in range(5):
        pair = np.repeat(values[t : t + 1, [0, 3]], tries.size, axis=0)
        lost = losses_of(score, pair, tries)
        D = lost[:, 0] - lost[:, 1]
        assert least[t] - 1e-12 <= D.min()
        assert D.max() <= most[t] + 1e-12
        assert D.min() - least[t] < 0.01
        assert most[t] - D.max() < 0.01


@pytest.mark.parametrize("separate", [(), "quantile"])
def test_a_mixture_never_crosses_and_is_no_worse(separate):
    values, y, when = hub(weeks=80)
    options = {"loss": "wis", "levels": LEVELS, "time": when, "lag": 2}
    found = combine(values, y, separate=separate, **options)
    assert found.forecasts.shape == (len(y), 5)
    assert (np.diff(found.forecasts, axis=1) >= 0).all()
    lost = losses_of(found.score, found.forecasts[:, None], y)[:, 0]
    np.testing.assert_allclose(found.losses, lost)
    mean, median = found.ensembles
    assert found.loss <= min(mean, median, found.best_loss)
    assert "in 90%" in str(found)
    assert bool(found.theorems().applying) == (separate == ())
    if separate == ():
        again = found.predict(values[:2])
        assert again.shape == (2, 5)


def test_crossing_forecasts_are_sorted_and_compared():
    values, y, when = hub(weeks=80)
    crossed = values[:, :, ::-1].copy()
    options = {"loss": "wis", "levels": LEVELS, "time": when}
    straight = compare(values, y=y, **options)
    turned = compare(crossed, y=y, **options)
    np.testing.assert_array_equal(straight["A", "D"].lcb, turned["A", "D"].lcb)
    assert straight["A", "D"].better == "A"
    with pytest.raises(ValueError, match="needs quantiles"):
        compare(values[:, :, 0], y=y, loss="wis")
    with pytest.raises(ValueError, match="5 levels need rounds x forecasters x 5"):
        compare(values[:, :, :3], y=y, loss="wis", levels=LEVELS)
