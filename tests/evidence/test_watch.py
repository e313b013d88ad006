"""A watch raises false alarms rarely, true ones soon, and survives a restart."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy.stats import binom

from regretless.certify import Certificate, Watch

ALPHA = 0.05


def evidence(losses, bound):
    """The wealth after every round, for many runs at once, from its definition."""
    losses = np.asarray(losses, float)
    runs, n = losses.shape
    higher = 1.4 * bound / (1 - bound + 1.4 * bound)  # the risk at 1.4 times the odds
    steady = (higher - bound) / (bound * (1 - bound))
    unrest, since, lost = np.full(runs, 1.75), np.zeros(runs), np.zeros(runs)
    wealth = np.ones((runs, n + 1))
    for t in range(n):
        mean = (lost + 20) / (since + 20 / bound)
        bet = np.clip(1.5 * (mean - bound) / (bound * (1 - bound)), 0, 0.5 / bound)
        bet[unrest < 1.75] = 0.0
        wealth[:, t + 1] = wealth[:, t] * (1 + bet * (losses[:, t] - bound))
        unrest = np.maximum(0, unrest + np.log(1 + steady * (losses[:, t] - bound)))
        since = np.where(unrest == 0, 0, since + 1)
        lost = np.where(unrest == 0, 0, lost + losses[:, t])
    return wealth[:, 1:]


def fed(losses, bound=0.2, alpha=ALPHA):
    watch = Watch(bound, alpha)
    for loss in losses:
        watch.feed(loss)
    return watch


@pytest.mark.parametrize("bound", [0.01, 0.2, 0.9])
def test_the_evidence_is_the_mixture_of_its_definition(bound):
    losses = (np.random.default_rng(1).random(300) < 1.2 * bound).astype(float)
    slow = evidence(losses[None], bound)[0]
    watch = Watch(bound, 1e-300)
    assert watch.evidence == 1.0
    for t, loss in enumerate(losses):
        watch.feed(loss)
        assert watch.evidence == pytest.approx(slow[t], rel=1e-9)


def test_it_rests_while_losses_are_quiet():
    watch = fed(np.random.default_rng(8).random(2000) < 0.1)
    before = watch.evidence
    assert before > 0.3  # little was lost
    for _ in range(500):
        watch.feed(0.0)
    assert watch.evidence == before


def test_a_change_is_noticed_soon():
    """``python -m benchmarks.watch`` takes the median over more runs."""
    rng = np.random.default_rng(6)
    quiet, after = rng.random((1000, 2000)) < 0.08, rng.random((1000, 1500)) < 0.15
    raised = evidence(np.concatenate([quiet, after], axis=1), 0.1) >= 100
    delays = np.where(raised.any(axis=1), raised.argmax(axis=1), 10**9) - 1999
    assert np.median(delays) <= 550


def false_alarms(runs, n, bound, risk):
    rng = np.random.default_rng(7)
    alarms = 0
    for _ in range(runs // 100):
        losses = rng.random((100, n)) < risk(n)
        alarms += int((evidence(losses, bound) >= 1 / ALPHA).any(axis=1).sum())
    return alarms


@pytest.mark.parametrize("bound", [0.02, 0.2, 0.7])
def test_false_alarms_are_rare_at_the_bound(bound):
    alarms = false_alarms(400, 500, bound, lambda n: np.full(n, bound))
    assert alarms <= binom.ppf(0.9999, 400, ALPHA)


@pytest.mark.slow
@pytest.mark.parametrize("bound", [0.02, 0.2, 0.7])
def test_false_alarms_are_rare_in_2000_runs(bound):
    alarms = false_alarms(2000, 2000, bound, lambda n: np.full(n, bound))
    assert alarms <= binom.ppf(0.9999, 2000, ALPHA)
    shaky = false_alarms(2000, 2000, bound, lambda n: bound * (np.arange(n) // 50 % 2))
    assert shaky <= binom.ppf(0.9999, 2000, ALPHA)


def test_more_risk_than_certified_is_noticed():
    rng = np.random.default_rng(2)
    high = evidence(rng.random((50, 1000)) < 0.3, 0.2)
    assert ((high >= 1 / ALPHA).any(axis=1)).mean() > 0.95


@pytest.mark.parametrize("calm", [0, 300, 5000])
def test_a_jump_is_noticed_however_late(calm):
    rng = np.random.default_rng(3)
    losses = np.concatenate([rng.random(calm) < 0.15, rng.random(2500) < 0.5])
    watch = fed(losses, alpha=0.01)
    assert watch.alarm is not None
    assert calm < watch.alarm.round <= calm + 60
    assert watch.alarm.evidence >= 100
    assert f"alarm at round {watch.alarm.round:,}" in str(watch)


def test_real_losses_are_watched_too():
    assert fed([0.4] * 500).alarm is not None
    assert fed([0.2] * 500).alarm is None
    assert "no alarm after 500 rounds" in str(fed([0.2] * 500))


def test_a_watch_resumes_bit_for_bit():
    losses = np.random.default_rng(4).random(400) ** 3
    whole = fed(losses)
    for cut in (0, 1, 200, 399):
        first = fed(losses[:cut])
        resumed = Watch.from_dict(json.loads(json.dumps(first.as_dict())))
        for loss in losses[cut:]:
            resumed.feed(loss)
        assert resumed.as_dict() == whole.as_dict()
        assert resumed.evidence == whole.evidence
    alarmed = fed([1.0] * 20)
    again = Watch.from_dict(json.loads(json.dumps(alarmed.as_dict())))
    assert again.alarm == alarmed.alarm


def test_memory_does_not_grow_with_the_rounds():
    sizes = [len(json.dumps(fed([0.1] * n).as_dict())) for n in (1000, 8000)]
    assert sizes[1] == sizes[0]


@pytest.mark.parametrize("loss", [-0.1, 1.1, math.nan, math.inf])
def test_bad_losses_are_refused_and_change_nothing(loss):
    watch = fed([0.0, 1.0])
    before = watch.as_dict()
    with pytest.raises(ValueError, match=r"must be in \[0, 1\]"):
        watch.feed(loss)
    assert watch.as_dict() == before


def test_bad_bounds_are_refused():
    for bound in (0.0, 1.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="bound="):
            Watch(bound)
    for alpha in (0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="must be strictly between 0 and 1"):
            Watch(0.5, alpha)


def test_a_certificate_starts_a_watch_on_the_scale_of_its_losses():
    words = {"method": "", "about": "", "scope": ""}
    found = Certificate(value=0.6, delta=0.05, n=9, total=1.0, scale=3.0, **words)
    watch = found.watch(alpha=0.02)
    assert (watch.bound, watch.alpha) == (pytest.approx(0.2), 0.02)
