"""Prediction sets: the theorem on every sequence, the fast code against the slow."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive_prediction_sets import NaiveIntervals, NaiveSets, gamma
from regretless.algorithms.prediction_sets import (
    IntervalTracker,
    SetTracker,
    checked_level,
    in_set,
    tracker_from,
)
from regretless.parts.coverage import step_after

LEVELS = (0.5, 0.9, 0.99)


def judged(outside: Any, alpha: float) -> float:
    """The largest share of its bound that |sum err - alpha t| reaches at any t."""
    t = np.arange(1, len(outside) + 1)
    steps = np.array([gamma(int(one) - 1) for one in t])
    off = np.abs(np.cumsum(outside) - alpha * t)
    return float((off * steps / 1.08).max())


def test_the_steps_are_those_of_the_theory() -> None:
    for rounds in (0, 255, 256, 1023, 1024, 4095, 4096, 10**6):
        assert step_after(rounds) == gamma(rounds)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", [0, 1])
def test_intervals_are_those_of_the_slow_twin(level: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 320
    predictions = rng.normal(size=n) * 5.0
    y = predictions + rng.standard_t(2, n) * np.exp(0.3 * predictions)
    y[100:120] = predictions[100:120]  # exactly right for a while
    y[150] += 1e4  # one outlier; then all errors are large
    y[250:] = predictions[250:] + 300.0 * (y[250:] - predictions[250:])
    naive = NaiveIntervals(level)
    slow = []
    for prediction, label in zip(predictions.tolist(), y.tolist(), strict=True):
        slow.append(naive.interval(prediction))
        naive.learn(prediction, label)
    fast = IntervalTracker(level)
    low, high = fast.follow(predictions, y)
    assert np.allclose(np.column_stack([low, high]), slow, rtol=1e-9)
    ledger = fast.ledger()
    assert ledger.outside == sum(naive.errs)
    assert math.isclose(ledger.worst, naive.worst(), rel_tol=1e-9)
    assert np.allclose(
        fast.intervals(predictions[:5]),
        np.transpose([naive.interval(one) for one in predictions[:5].tolist()]),
    )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("classes", [2, 5])
def test_sets_are_those_of_the_slow_twin(level: float, classes: int) -> None:
    rng = np.random.default_rng(classes)
    n = 500
    chances = rng.dirichlet(np.full(classes, 0.4), n)
    labels = np.array([rng.choice(classes, p=p) for p in chances])
    labels[200:260] = rng.integers(classes, size=60)
    chances[300:400] = np.eye(classes)[0]  # so sure that the others have 0, and wrong
    labels[300:400] = 1
    naive, slow, sizes, missed = NaiveSets(level), [], 0, 0
    for row, label in zip(chances.tolist(), labels.tolist(), strict=True):
        shown = naive.shown(row)
        sizes, missed = sizes + len(shown), missed + (label not in shown)
        slow.append([k in shown for k in range(classes)])
        naive.learn(row, label)
    fast = SetTracker(level)
    least = fast.follow(chances, labels)
    assert (in_set(chances, least) == slow).all()
    ledger = fast.ledger()
    assert (ledger.outside, ledger.missed) == (sum(naive.errs), missed)
    assert math.isclose(ledger.width, sizes / n)
    assert math.isclose(ledger.worst, naive.worst(), rel_tol=1e-9)


@st.composite
def adversaries(draw: Any) -> list[tuple[float, str]]:
    """Scales and wishes: inside or outside, far or close, for stretches of rounds."""
    stretch = st.tuples(
        st.sampled_from([0.0, 1e-9, 1e-3, 1.0, 1e3, 1e12]),
        st.sampled_from(["inside", "outside", "edge", "prediction", "coin"]),
        st.integers(1, 60),
    )
    found = draw(st.lists(stretch, min_size=1, max_size=12))
    return [(scale, wish) for scale, wish, length in found for _ in range(length)]


@settings(max_examples=60, deadline=None)
@given(adversaries(), st.sampled_from(LEVELS), st.integers(0, 2**31))
def test_no_adversary_breaks_the_bound_of_intervals(
    moves: list[tuple[float, str]], level: float, seed: int
) -> None:
    """Whoever sees the interval and then chooses the label: at every prefix."""
    rng = np.random.default_rng(seed)
    tracker = IntervalTracker(level)
    missed: list[bool] = []
    for scale, wish in moves:
        prediction = float(rng.normal() * scale)
        (low,), (high,) = tracker.intervals(np.array([prediction]))
        y = prediction
        if wish == "outside" or (wish == "coin" and rng.random() < 0.5):
            y = high + scale + 1e-6 if rng.random() < 0.5 else low - scale - 1e-6
        elif wish == "edge":
            y = high
        elif wish == "inside":
            y = prediction + 0.5 * (high - prediction)
        y = prediction + scale if not math.isfinite(y) else y
        made = tracker.follow(np.array([prediction]), np.array([y]))
        assert (made[0][0], made[1][0]) == (low, high)  # made before the label
        missed.append(not low <= y <= high)
    ledger = tracker.ledger()
    assert ledger.missed == sum(missed) <= ledger.outside
    assert ledger.worst <= 1.0 + 1e-9
    if ledger.outside == ledger.missed:
        assert math.isclose(judged(missed, 1.0 - level), ledger.worst, rel_tol=1e-9)
    for t in range(1, len(missed) + 1):  # what is shown misses no more
        assert sum(missed[:t]) <= (1.0 - level) * t + ledger.bound(t) + 1e-9


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 900), st.sampled_from(LEVELS), st.integers(0, 2**31))
def test_no_adversary_breaks_the_bound_of_sets(
    rounds: int, level: float, seed: int
) -> None:
    """The label is the least likely, the likeliest, one never seen, or any."""
    rng = np.random.default_rng(seed)
    chances = rng.dirichlet(np.full(4, rng.choice([0.05, 1.0])), rounds)
    wishes = np.repeat(rng.integers(4, size=-(-rounds // 50)), 50)[:rounds]
    labels = np.select(
        [wishes == 0, wishes == 1, wishes == 2],
        [chances.argmin(axis=1), chances.argmax(axis=1), np.full(rounds, 4)],
        rng.integers(4, size=rounds),
    )
    tracker = SetTracker(level)
    tracker.follow(chances, labels)
    ledger = tracker.ledger()
    assert ledger.worst <= 1.0 + 1e-9
    assert ledger.missed <= ledger.outside


@pytest.mark.parametrize("level", LEVELS)
def test_the_bound_is_nearly_reached(level: float) -> None:
    """So that a test which the code cannot fail is noticed."""
    tracker = SetTracker(level)
    n = 4000
    tracker.follow(np.tile([1.0, 0.0], (n, 1)), np.ones(n))  # always the impossible
    always = tracker.ledger().worst
    other = SetTracker(level)
    other.follow(np.tile([1.0, 0.0], (n, 1)), np.zeros(n))  # never
    assert 0.3 < max(always, other.ledger().worst) <= 1.0


def test_intervals_follow_the_noise_and_its_place() -> None:
    rng = np.random.default_rng(5)
    predictions = rng.uniform(-1.0, 1.0, 20_000)
    noise = np.where(predictions > 0.0, 10.0, 1.0)
    y = predictions + noise * rng.exponential(size=20_000)  # never below
    low, high = (one[5000:] for one in IntervalTracker(0.9).follow(predictions, y))
    right = predictions[5000:] > 0.3
    left = predictions[5000:] < -0.3
    assert (high - predictions[5000:])[right].mean() > 6.0 * (
        (high - predictions[5000:])[left].mean()
    )
    assert (predictions[5000:] - low).mean() < 0.1 * (high - predictions[5000:]).mean()


@pytest.mark.parametrize("offset", [10.0, 300.0, 1e4, 1e9])
def test_where_labels_are_counted_from_does_not_widen_intervals(offset: float) -> None:
    """A first prediction of 0 is wrong by the offset: this says nothing of errors."""
    rng = np.random.default_rng(2)
    errors, said = rng.normal(size=(2, 2000))
    errors *= 0.1 + np.abs(said)
    for rows in (200, 1000):
        widths, means = [], []
        for start in (0.0, offset):
            predictions = said + start
            predictions[0] = 0.0
            y = said + errors + start
            tracker = IntervalTracker(0.9)
            tracker.follow(predictions[:rows], y[:rows])
            means.append(tracker.ledger().width)
            low, high = tracker.intervals(predictions[1000:], settled=True)
            widths.append(high - low)
        assert means[1] == pytest.approx(means[0], rel=1e-3)
        np.testing.assert_allclose(widths[1], widths[0], rtol=1e-3)


def test_where_no_interval_is_bounded_there_is_no_mean_width() -> None:
    tracker = IntervalTracker(0.9)
    tracker.follow(np.zeros(2), np.array([5.0, 6.0]))
    assert "mean width none; 2 had no bounds" in tracker.ledger().brief


def test_an_outlier_is_forgotten_and_a_jump_is_followed() -> None:
    rng = np.random.default_rng(3)
    errors = rng.normal(size=4000)
    errors[2000] = 1e6
    low, high = IntervalTracker(0.9).follow(np.zeros(4000), errors)
    assert (high - low)[2100:2500].mean() < 1.5 * (high - low)[1500:2000].mean()
    errors[2000:] = 1e6 * rng.normal(size=2000)
    low, high = IntervalTracker(0.9).follow(np.zeros(4000), errors)
    assert 1e6 < (high - low)[2010:2100].mean() < 1e7


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 300, 999])
@pytest.mark.parametrize("kind", [IntervalTracker, SetTracker])
def test_stopped_and_restored_is_as_if_never_stopped(kind: Any, cut: int) -> None:
    rng = np.random.default_rng(cut)
    said = rng.normal(size=1000)
    if kind is SetTracker:
        said = rng.dirichlet(np.ones(3), 1000)
    came = rng.integers(3, size=1000).astype(float)
    whole, first = kind(0.8), kind(0.8)
    whole.follow(said, came)
    first.follow(said[:cut], came[:cut])
    second = tracker_from(first.state_dict())
    second.follow(said[cut:], came[cut:])
    for name, array in whole.state_dict().items():
        assert np.array_equal(array, second.state_dict()[name]), name


@pytest.mark.parametrize("bad", [0, 1, "100%", 100, "ninety", None, -0.1, "0.5%"])
def test_a_level_that_is_none_is_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"give one from 1% to 99\.9%"):
        checked_level(bad)


@pytest.mark.parametrize("harm", ["of", "level", "counts", "numbers", "curve"])
def test_a_state_that_is_none_is_refused(harm: str) -> None:
    stored = IntervalTracker(0.9).state_dict()
    stored[harm] = {"of": "sets", "level": 0.8}.get(harm, np.zeros(3))
    with pytest.raises(ValueError, match=r"it has|out of range|which it cannot be"):
        IntervalTracker(0.9).load_state(stored)


def test_frozen_intervals_are_steadier_than_those_of_the_last_round() -> None:
    """On iid rows they hold about what they say, though nothing is proved of them."""
    shares: dict[bool, list[float]] = {False: [], True: []}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        predictions = rng.normal(size=8000)
        y = predictions + rng.normal(size=8000)
        tracker = IntervalTracker(0.9)
        tracker.follow(predictions[:3000], y[:3000])
        for settled, found in shares.items():
            low, high = tracker.intervals(predictions[3000:], settled=settled)
            found.append(float(((low <= y[3000:]) & (y[3000:] <= high)).mean()))
    assert np.std(shares[True]) < 0.5 * np.std(shares[False])
    assert 0.87 < min(shares[True]) < max(shares[True]) < 0.94
