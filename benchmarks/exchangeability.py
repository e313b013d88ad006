"""``python -m benchmarks.exchangeability``: what the test of labels notices.

The share of a label changes halfway, from 1/2 - d/2 to 1/2 + d/2. For each number of
rows: the smallest d, of the grid, that is noticed in nine of ten runs, beside the one
that ``regretless.evidence.claims.change.POWER`` promises and how often that is noticed.
"""

from __future__ import annotations

import argparse

import numpy as np

from regretless.evidence.claims.change import ALARM, POWER
from regretless.evidence.exchangeability import Exchangeability

SHARE = 2  # the test of the labels is the first of all: 1/(1 * 2) of the evidence


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=400)
    runs = parser.parse_args().runs
    print(f"{'rows':>8} {'promised':>9} {'noticed':>8} {'smallest':>9}")
    for rows, promised in POWER:
        noticed = power(rows, promised, runs)
        smaller = (k / 100 for k in range(5, 60) if power(rows, k / 100, runs) >= 0.9)
        print(f"{rows:>8,} {promised:>9.2f} {noticed:>8.1%} {next(smaller):>9.2f}")
    return 0


def power(rows: int, change: float, runs: int, seed: int = 0) -> float:
    """How often a change of the share halfway is noticed."""
    rng = np.random.default_rng(seed)
    found = 0
    for run in range(runs):
        shares = np.where(np.arange(rows) < rows // 2, -change, change) / 2 + 0.5
        test = Exchangeability(run)
        test.feed(rng.random(rows) < shares)
        found += test.evidence / SHARE >= ALARM
    return found / runs


if __name__ == "__main__":
    raise SystemExit(main())
