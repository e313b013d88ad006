"""Best expert, best sequence, best constant: exact answers, checked exhaustively."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import regretless as rg
from regretless.evidence.hindsight import best_constant, best_expert, best_sequence
from regretless.parts.losses import value

labels = st.lists(st.floats(-10, 10), min_size=1, max_size=12)


@given(
    seed=st.integers(0, 10**6),
    rounds=st.integers(1, 6),
    n=st.integers(1, 3),
    switches=st.integers(0, 6),
    ties=st.booleans(),
)
def test_best_sequence_against_all_sequences(seed, rounds, n, switches, ties):
    rng = np.random.default_rng(seed)
    L = rng.integers(0, 2, (rounds, n)) if ties else rng.random((rounds, n))
    best = min(
        sum(L[t, j] for t, j in enumerate(path))
        for path in product(range(n), repeat=rounds)
        if np.count_nonzero(np.diff(path)) <= switches
    )
    found = best_sequence(L, switches)
    assert found.loss == pytest.approx(best)
    assert L[np.arange(rounds), found.path].sum() == pytest.approx(best)
    assert found.switches == np.count_nonzero(np.diff(found.path)) <= switches


def test_many_experts_and_the_words():
    rng = np.random.default_rng(31)
    L = rng.random((50, 21))
    assert best_sequence(L, 0).loss == pytest.approx(best_expert(L).loss)
    assert best_sequence(L, 49).loss == pytest.approx(L.min(axis=1).sum())
    losses = [best_sequence(L, k).loss for k in range(10)]
    assert np.all(np.diff(losses) <= 1e-12)
    assert str(best_expert(L)).startswith(f"expert {L.sum(axis=0).argmin()} of 21")
    assert "changes in 50 rounds" in str(best_sequence(L, 3))


def test_bad_losses_say_where():
    with pytest.raises(ValueError, match=r"losses\[1, 0\] is nan"):
        best_expert([[0.0, 1.0], [np.nan, 1.0]])
    with pytest.raises(ValueError, match="two dimensions"):
        best_sequence([0.0, 1.0], 1)
    for bad in (-1, 1.5):
        with pytest.raises(ValueError, match="switches="):
            best_sequence([[0.0, 1.0]], bad)


@pytest.mark.parametrize(
    "loss", [rg.Squared(), rg.Absolute(), rg.Pinball(0.3)], ids=str
)
@given(y=labels)
def test_closed_form_constants(loss, y):
    answer = best_constant(y, loss)
    assert answer.gap == 0.0

    def paid(c):
        return sum(value(loss, c, t) for t in y)

    assert answer.loss == pytest.approx(paid(answer.u[0]), abs=1e-9)
    for c in [*y, *np.linspace(-11, 11, 67)]:
        assert answer.loss <= paid(float(c)) + 1e-9


@pytest.mark.parametrize(
    "loss",
    [
        rg.Hinge(),
        rg.Hinge(0.5, 3.0),
        rg.SquaredHinge(),
        rg.Logistic(),
        rg.Exponential(),
    ],
    ids=str,
)
@given(positive=st.integers(0, 9), negative=st.integers(0, 9))
def test_squeezed_constants(loss, positive, negative):
    assume(positive + negative > 0)
    y = [1.0] * positive + [-1.0] * negative
    answer = best_constant(y, loss)
    assert answer.relative_gap <= 1e-9 or answer.gap <= 1e-300

    def paid(c):
        return sum(value(loss, c, t) for t in y)

    best = min(paid(float(c)) for c in np.linspace(-30, 30, 1201))
    assert answer.lower_bound <= best * (1 + 1e-12)
    assert answer.objective <= best * (1 + 1e-9) + 1e-300


def test_bad_labels():
    with pytest.raises(ValueError, match="no labels"):
        best_constant([])
    with pytest.raises(ValueError, match="not finite"):
        best_constant([1.0, np.nan])
    with pytest.raises(ValueError, match="not convex"):
        best_constant([1.0, -1.0], rg.ZeroOne())
