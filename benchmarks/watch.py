"""``python -m benchmarks.watch``: how soon a watch notices, how often it errs.

The risk rises after quiet rounds, or does not; alpha = 1%. A false alarm is one before
the rise, or ever while the risk is exactly the bound.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

from regretless.certify import Watch

ALPHA = 0.01


class Case(NamedTuple):
    """So many rounds at one risk, then so many at another, watched against a bound."""

    bound: float
    before: float
    rounds: int
    after: float
    then: int


CASES = [
    Case(0.1, 0.08, 2000, 0.15, 3000),  # the bar: a median of 550 rounds
    Case(0.1, 0.05, 2000, 0.15, 3000),
    Case(0.1, 0.08, 2000, 0.5, 500),
    Case(0.1, 0.1, 0, 0.15, 3000),
    Case(0.01, 0.008, 10_000, 0.02, 10_000),
    Case(0.4, 0.35, 2000, 0.5, 2000),
    Case(0.1, 0.1, 5000, 0.1, 0),  # nothing happens
    Case(0.02, 0.02, 10_000, 0.02, 0),
    Case(0.5, 0.5, 5000, 0.5, 0),
]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    runs = parser.parse_args().runs
    print(f"{'bound':>6} {'risk':>16} {'delay: 10%':>11} {'50%':>6} {'90%':>6} false")
    for case in CASES:
        delays, false = taken(case, runs)
        shown = ["-"] * 3
        if case.then:
            found = np.quantile(delays, [0.1, 0.5, 0.9], method="lower")
            shown = [f"{value:,.0f}" for value in found]
        risk = f"{case.before:g} -> {case.after:g}"
        print(
            f"{case.bound:6g} {risk:>16} {shown[0]:>11} {shown[1]:>6} {shown[2]:>6} "
            f"{false / runs:.2%}"
        )
    return 0


def taken(case: Case, runs: int) -> tuple[list[float], int]:
    """The delay of every run that raised no false alarm; how many others did."""
    rng = np.random.default_rng(1)
    delays, false = [], 0
    for _ in range(runs):
        quiet = rng.random(case.rounds) < case.before
        losses = np.concatenate([quiet, rng.random(case.then) < case.after])
        alarm = raised(losses.astype(float).tolist(), case.bound)
        if alarm <= case.rounds:
            false += 1
        else:
            delays.append(alarm - case.rounds)
    return delays or [np.inf], false


def raised(losses: list[float], bound: float) -> float:
    """The round of the alarm."""
    watch = Watch(bound, ALPHA)
    for loss in losses:
        watch.feed(loss)
        if watch.alarm is not None:
            return watch.alarm.round
    return np.inf


if __name__ == "__main__":
    raise SystemExit(main())
