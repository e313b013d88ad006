"""Calibration: the parts add up, bands cover, liars are found."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.forecasts import calibration, simulate_interview


@given(st.integers(0, 2**20), st.integers(1, 20), st.booleans())
def test_the_parts_add_up(seed, bins, even):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 200))
    p = rng.random(n).round(int(rng.integers(1, 6)))
    y = rng.random(n) < p
    found = calibration(p, y, bins=bins, even=even)
    parts = found.reliability - found.resolution + found.uncertainty + found.within
    assert found.brier == pytest.approx(np.mean((p - y) ** 2))
    assert found.brier == pytest.approx(parts, abs=1e-12)
    assert found.counts.sum() == n
    assert len(found.counts) <= bins
    assert (found.low <= found.high).all()
    assert np.average(found.frequencies, weights=found.counts) == pytest.approx(
        y.mean()
    )


def test_by_hand():
    p = [0.1, 0.1, 0.1, 0.1, 0.8, 0.8]
    found = calibration(p, [0, 0, 0, 1, 1, 1], bins=2, even=True)
    assert found.forecasts == pytest.approx([0.1, 0.8])
    assert found.frequencies.tolist() == [0.25, 1.0]
    assert found.counts.tolist() == [4, 2]
    assert found.reliability == pytest.approx((4 * 0.15**2 + 2 * 0.2**2) / 6)
    assert found.resolution == pytest.approx((4 * 0.25**2 + 2 * 0.5**2) / 6)
    assert found.uncertainty == 0.25
    assert found.within == pytest.approx(0.0, abs=1e-15)
    assert found.sharpness == pytest.approx(np.var(p))


def test_calibrated_forecasts_are_rarely_accused():
    accused = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        p = rng.beta(0.5, 0.5, 300)
        accused += not calibration(p, rng.random(300) < p).calibrated
    assert accused <= 0.05 * 200


def test_liars_are_found():
    day = simulate_interview(3000, seed=1)
    assert calibration(day.truth, day.rain).calibrated
    timid = calibration(day.alice, day.rain)
    assert not timid.calibrated
    assert timid.sharpness < calibration(day.bob, day.rain).sharpness
    assert "not calibrated, with 95% confidence" in timid.verdict
    assert "outside" in str(timid)
    plain = json.loads(json.dumps(timid.as_dict()))
    assert plain["counts"] == timid.counts.tolist()


def test_missing_forecasts_are_left_out():
    p, y = [0.2, np.nan, 0.9], [0, 1, 1]
    assert calibration(p, y).rounds == 2


@pytest.mark.parametrize(
    ("p", "y", "options", "message"),
    [
        ([0.5, 1.5], [0, 1], {}, r"row 1: .*1\.5 is not a probability"),
        ([0.5, 0.5], [0, 3], {}, "row 1: the outcome 3 is not 0 or 1"),
        ([0.5], [0, 1], {}, "1 rounds of forecasts and 2 outcomes"),
        ([np.nan], [0], {}, "there are no forecasts"),
        ([[0.5]], [0], {}, "2 dimensions: they need one"),
        ([0.5], [0], {"bins": 0}, "bins=0 must be a number"),
        ([0.5], [0], {"delta": 2}, "delta"),
    ],
)
def test_refusals(p, y, options, message):
    with pytest.raises(ValueError, match=message):
        calibration(p, y, **options)


def test_plots(tmp_path):
    pytest.importorskip("vl_convert")
    day = simulate_interview(500)
    calibration(day.bob, day.rain).plot(tmp_path / "curve.html")
    assert (tmp_path / "curve.html").stat().st_size > 10_000
