"""Valid bounds miss with probability at most delta; those that are not miss more often.

A bound misses at round t where its process, at the true mean so far, exceeds 1/delta.
The risk of the coming round is constant, falls as a learner learns, is frozen on the
way, rises, or is set by an adversary who sees all losses so far: "pushed" raises it
when they are low, "quiet" stops erring once a Clopper-Pearson bound is too low.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.special import bdtr
from scipy.stats import binom

import naive_certify as naive
from regretless import certify

DELTA = 0.05
KINDS = ("constant", "decaying", "frozen", "rising", "pushed", "quiet")
PROCESSES = {
    "kl_mixture": naive.kl_process,
    "betting": naive.betting_process,
    "empirical_bernstein": naive.bernstein_process,
}


class Played(NamedTuple):
    """Losses and the risk of every round, a row a run."""

    losses: np.ndarray
    risks: np.ndarray

    @property
    def rounds(self):
        return np.arange(1.0, self.losses.shape[1] + 1)

    @property
    def totals(self):
        return np.cumsum(self.losses, axis=1)

    @property
    def means(self):
        return np.cumsum(self.risks, axis=1) / self.rounds


def curve(n):
    return 0.05 + 0.45 / np.sqrt(1 + np.arange(n) / 10)


def simulate(kind, runs, n, seed=5):
    coins = np.random.default_rng(seed).random((runs, n))
    fixed = {
        "constant": np.full(n, 0.1),
        "decaying": curve(n),
        "frozen": np.minimum(np.arange(n), n // 4).astype(int),
        "rising": np.linspace(0.05, 0.45, n),
    }
    if kind in fixed:
        risk = curve(n)[fixed[kind]] if kind == "frozen" else fixed[kind]
        risks = np.tile(risk, (runs, 1))
        return Played((coins < risks).astype(float), risks)
    losses, risks = np.zeros((runs, n)), np.zeros((runs, n))
    total, expected = np.zeros(runs), np.zeros(runs)
    for t in range(n):
        if kind == "pushed":
            risk = np.where(total < expected, 0.3, 0.03)
        else:
            risk = np.where(bdtr(total, n, expected / n) < DELTA, 0.0, 0.1)
        risks[:, t] = risk
        losses[:, t] = coins[:, t] < risk
        total, expected = total + losses[:, t], expected + risk
    return Played(losses, risks)


def at_most_delta(misses):
    """Whether so many misses may be chance, at a level of 1 in 10,000."""
    return misses.sum() <= binom.ppf(0.9999, misses.size, DELTA)


def fails(runs, n):
    """Check all valid methods on all kinds of risk."""
    for kind in KINDS:
        played = simulate(kind, runs, n)
        for name, process in PROCESSES.items():
            ever = process(*played, n, DELTA) > math.log(1 / DELTA)
            if not at_most_delta(ever[:, -1]):
                yield f"{name} at n, {kind}: {ever[:, -1].mean():.3f}"
            if not at_most_delta(ever.any(axis=1)):
                yield f"{name} at any n, {kind}: {ever.any(axis=1).mean():.3f}"
        slack = math.sqrt(math.log(1 / DELTA) / (2 * n))
        if not at_most_delta(played.means[:, -1] > played.totals[:, -1] / n + slack):
            yield f"hoeffding at n, {kind}"


def clopper_pearson_misses(played):
    """Where the Clopper-Pearson bound on the progressive average is below mubar."""
    return bdtr(played.totals, played.rounds.astype(int), played.means) < DELTA


def constant_mean_misses(played):
    """At n: betting with stakes that follow the losses, as if the mean were constant.

    It is an e-process for a constant mean (Waudby-Smith and Ramdas, 2024).
    """
    runs, n = played.losses.shape
    mean = (0.5 + played.totals) / (played.rounds + 1)
    spread = 0.25 + np.cumsum((played.losses - mean) ** 2, axis=1)
    spread = np.hstack([np.full((runs, 1), 0.25), spread / (played.rounds + 1)])
    stakes = np.minimum(np.sqrt(2 * math.log(1 / DELTA) / (spread[:, :-1] * n)), 0.75)
    gains = np.log1p(stakes * (played.means[:, -1:] - played.losses))
    return gains.sum(axis=1) > math.log(1 / DELTA)


def test_valid_bounds_miss_at_most_delta():
    assert not list(fails(runs=300, n=300))


@pytest.mark.long
def test_valid_bounds_miss_at_most_delta_in_2000_runs():
    assert not list(fails(runs=2000, n=1000))


def test_clopper_pearson_on_the_progressive_average_misses_by_far_more():
    played = simulate("quiet", 400, 1000)
    assert clopper_pearson_misses(played)[:, -1].mean() > 3 * DELTA
    for kind in KINDS:
        looked = clopper_pearson_misses(simulate(kind, 400, 400)).any(axis=1)
        assert looked.mean() > 3 * DELTA


def test_betting_that_assumes_one_mean_misses_by_far_more():
    assert at_most_delta(constant_mean_misses(simulate("constant", 400, 1000)))
    for kind in ("quiet", "rising"):
        assert constant_mean_misses(simulate(kind, 400, 1000)).mean() > 2 * DELTA


def test_a_running_intersection_misses():
    played = simulate("rising", 100, 600)
    looks = np.arange(49, 600, 50)
    bounds = certify.kl_mixture(looks + 1, played.totals[:, looks], DELTA, 600)
    assert at_most_delta(bounds[:, -1] < played.means[:, -1])
    assert (bounds.min(axis=1) < played.means[:, -1]).mean() > 3 * DELTA


@pytest.mark.parametrize("kind", KINDS)
def test_the_public_bounds_miss_where_their_processes_say(kind):
    runs, n = 30, 120
    played = simulate(kind, runs, n, seed=11)
    looks = certify.kl_mixture(played.rounds, played.totals, DELTA, n) < played.means
    process = naive.kl_process(*played, n, DELTA) - math.log(1 / DELTA)
    clear = np.abs(process) > 1e-9
    assert (looks == (process > 0))[clear].all()
    for name in ("betting", "empirical_bernstein"):
        process = PROCESSES[name](*played, n, DELTA) - math.log(1 / DELTA)
        for run in range(20):
            for t in (1, 10, n):
                found = getattr(certify, name)(played.losses[run, :t], DELTA, n)
                if found < 1:
                    missed = found < played.means[run, t - 1]
                    assert missed == (process[run, t - 1] > 0)
    upper = certify.clopper_pearson(played.rounds, played.totals, DELTA)
    assert ((upper < played.means) == clopper_pearson_misses(played)).mean() > 0.9999
