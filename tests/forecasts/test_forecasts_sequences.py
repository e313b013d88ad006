"""The best sequence is judged by the rows by which the mixture is."""

from itertools import product

import numpy as np
import pytest

from regretless.forecasts import combine

NAN = float("nan")


def naive(found, switches):
    """The least loss of all sequences with a forecast in every judged row."""
    judged = ~np.isnan(found.own_losses)
    rounds = np.unique(found.table.round_of[judged])
    least = np.inf
    for path in product(range(len(found.names)), repeat=len(rounds)):
        if np.count_nonzero(np.diff(path)) > switches:
            continue
        of = dict(zip(rounds.tolist(), path, strict=True))
        lost = [
            found.expert_losses[i, of[found.table.round_of[i]]]
            for i in np.flatnonzero(judged)
        ]
        least = min(least, sum(lost)) if not np.isnan(lost).any() else least
    return least


@pytest.mark.parametrize("switches", [0, 1, 3])
@pytest.mark.parametrize("share", [0.0, 0.05, 0.3, 0.6])
@pytest.mark.parametrize("seed", range(6))
def test_on_the_same_rows(seed, share, switches):
    rng = np.random.default_rng(seed)
    rows, n = 14, 3
    time = np.sort(rng.integers(0, 6, rows))
    y = rng.normal(size=rows)
    F = y[:, None] + rng.normal(size=(rows, n)) * rng.random((rows, 1)) * 10
    F[rng.random((rows, n)) < share] = NAN
    y[rng.random(rows) < 0.1] = NAN
    found = combine(F, y, loss="absolute", time=time, switches=switches)
    best = naive(found, switches)
    (line,) = [each for each in found.standings.summary if "sequence" in each[0]]
    if np.isinf(best):
        assert line[1] is None
        assert "has a forecast in every row" in line[2]
        assert found.standings.sequence_loss is None
        return
    assert found.best_sequence.loss == pytest.approx(best)
    assert line[1] == pytest.approx(best / found.rows)
    assert (np.isnan(found.sequence_losses) == np.isnan(found.own_losses)).all()
    assert np.nansum(found.sequence_losses) == pytest.approx(best)
    whole = found.heard == found.rows
    if whole.any():  # who was always there is one of the sequences
        assert best <= found.totals[whole].min() + 1e-9


def test_the_mean_and_the_median_are_judged_there_too():
    """Of three who are sure of three outcomes, no outcome has a median."""
    F = np.tile(np.eye(3), (5, 1, 1))
    found = combine(F, [0, 1, 2, 0, 1])
    mean, median = found.ensembles
    assert mean == pytest.approx(median)
    assert found.rows == 5


def test_theorems_of_rounds_of_unequal_size():
    rng = np.random.default_rng(0)
    time = np.sort(rng.integers(0, 60, 200))
    y = (rng.random(200) < 0.5).astype(float)
    F = rng.random((200, 3))
    found = combine(F, y, "fixed-share", time=time, switches=3)
    (verdict,) = [v for v in found.theorems().applying if "sequence" in v.theorem.name]
    regret = np.nansum(found.shares * (found.own_losses - found.sequence_losses))
    assert verdict.happened == pytest.approx(regret)
