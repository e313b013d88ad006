"""The ledger has constant memory: the same peak at 10^5 and at 10^7 rounds."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import regretless as rg
from regretless.parts.rows import Dense

ROWS = 100_000
SLACK = 500_000  # Python keeps some freed tuples; one byte a round would be 10 MB


def peak(learner, rounds):
    """Bytes at the peak of a game, fed a hundred thousand rounds at a time."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 2))
    y = np.where(X[:, 0] + rng.normal(size=ROWS) > 0, 1.0, -1.0)
    player = learner.player(2)
    rows = Dense(X.reshape(-1), 2)
    player.play(rows, y)  # compiles
    player = learner.player(2)
    tracemalloc.start()
    try:
        for first in range(0, rounds, ROWS):
            player.play(rows, y, first=first)
        ledger = player.ledger()
        return tracemalloc.get_traced_memory()[1], ledger, player
    finally:
        tracemalloc.stop()


def check(learner, rounds):
    small, short, before = peak(learner, ROWS)
    large, long, after = peak(learner, rounds)
    assert (short.rounds, long.rounds) == (ROWS, rounds)
    assert large <= small + SLACK
    assert long.curve.shape[0] <= 256
    for one, other in zip(before.statistics, after.statistics, strict=True):
        assert one.shape == other.shape
    for one, other in zip(before.state, after.state, strict=True):
        assert one.shape == other.shape


@pytest.mark.parametrize("learner", [rg.Perceptron(), rg.Pegasos(0.1)], ids=repr)
def test_ten_million_rounds_take_no_more_than_a_hundred_thousand(learner):
    check(learner, 10_000_000)


def test_events_take_no_more():
    """A generator of events is never collected."""

    def events(n):
        for t in range(n):
            yield {"a": 1.0, "b": t % 7}, t % 2

    def measured(n):
        tracemalloc.start()
        try:
            rg.play(rg.Perceptron(), events(n))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    measured(2000)  # compiles
    assert measured(20_000) <= 1.2 * measured(4000)


def test_learning_one_at_a_time_takes_no_more():
    learner = rg.Perceptron()

    def taken(n):
        for t in range(n):
            learner.learn_one({"a": 1.0, "b": t % 7}, t % 2)
            learner.predict_one({"a": 1.0, f"never {t}": 1.0})
        learner.live.record.now()  # what waits has been looked at
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = taken(5000)  # the sample of its rows is full by then
        assert taken(20_000) - before < 100_000
        assert tracemalloc.get_traced_memory()[1] - before < 1_500_000
    finally:
        tracemalloc.stop()
