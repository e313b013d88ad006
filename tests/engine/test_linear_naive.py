"""Fast equals naive: scores, losses, mistakes, weights, every field of the ledger."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse

import naive
import regretless as rg
from games import Game, games
from learners import (
    CASES,
    FORESEEN_CASES,
    IMPLICIT_CASES,
    LOSS_CASES,
    SCALED_CASES,
    STEP_CASES,
    Case,
    label,
)

TIGHT = 1e-9


def same(fast, slow, scale=1.0):
    """Equal up to TIGHT, relative to the larger of 1, the numbers, and `scale`."""
    fast, slow = np.asarray(fast, float), np.asarray(slow, float)
    size = max(scale, float(np.max(np.abs(slow), initial=0.0)))
    np.testing.assert_allclose(fast, slow, rtol=TIGHT, atol=TIGHT * size)


def referee(case: Case, game: Game) -> tuple[Game, naive.Played] | None:
    """The game up to the round that rounding alone decides, and its naive record."""
    played = naive.play(case.twin(game.X.shape[1]), *game)
    whole = case.additive and np.all(np.round(game.X) == game.X)
    n = len(game.y) if whole else played.clear_rounds()
    if n == 0:
        return None
    game = Game(game.X[:n], game.y[:n])
    return game, naive.play(case.twin(game.X.shape[1]), *game)


def agree(case: Case, run: rg.Run, game: Game, played: naive.Played) -> None:
    """Everything a run holds, against the naive record."""
    same(run.scores, played.scores)
    same(run.losses, played.losses)
    assert run.mistake_rounds.tolist() == np.flatnonzero(played.mistakes).tolist()
    same(run.weights, played.raw_path[-1])
    expected = naive.recount(played, game.y, binary=case.binary)
    counted = run.ledger.as_dict()
    others = counted.keys() - expected.keys()  # of classes, and of kernel machines
    assert not any(counted[name] is not None for name in others)
    for name, number in expected.items():
        if number is None or isinstance(number, int):
            assert counted[name] == number, name
        else:
            same(counted[name], number)


# Every form of every learner is a kernel of its own, compiled for seconds: `make test`
# leaves out what differs from its neighbors in a part that others cover.
FORMS = [
    pytest.param(
        case,
        form,
        id=f"{label(case)}-{form}",
        marks=pytest.mark.slow if form == "sparse" and number % 2 else (),
    )
    for number, case in enumerate(CASES + SCALED_CASES + FORESEEN_CASES)
    for form in ("dense", "sparse")
]
PART_CASES = [
    *LOSS_CASES,
    *STEP_CASES,
    *IMPLICIT_CASES[:2],
    *(pytest.param(case, marks=pytest.mark.slow) for case in IMPLICIT_CASES[2:]),
]


@pytest.mark.parametrize(("case", "form"), FORMS)
@given(st.data())
def test_fast_equals_naive(case, form, data):
    found = referee(case, data.draw(games(case)))
    assume(found is not None)
    game, played = found
    X = game.X if form == "dense" else sparse.csr_array(game.X)
    run = rg.play(case.learner, X, game.y, trace=True)
    agree(case, run, game, played)
    same(run.weight_path, np.array(played.raw_path))


@pytest.mark.parametrize("case", PART_CASES, ids=label)
@given(st.data())
def test_every_part_of_gradient_descent(case, data):
    found = referee(case, data.draw(games(case, rounds=30, features=6)))
    assume(found is not None)
    game, played = found
    agree(case, rg.play(case.learner, game.X, game.y, trace=True), game, played)
