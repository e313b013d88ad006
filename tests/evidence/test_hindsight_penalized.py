"""Penalized solves, balls and paths: against brute force, and their own proofs."""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import regretless as rg
from problems import LOSSES, Chunks, data, least, source, total
from regretless.data import open_source
from regretless.evidence import hindsight
from regretless.evidence.hindsight import in_ball, passes, penalized, svm_path
from regretless.parts.generic import implement
from regretless.parts.losses import slope, value

by_loss = pytest.mark.parametrize("loss", LOSSES, ids=str)


def check(answer, loss, X, y, strength=0.0, threshold=0.0):
    """What an answer says about itself is true."""
    paid = total(loss, X, y, answer.u, threshold)
    assert answer.loss == pytest.approx(paid, rel=1e-9, abs=1e-9)
    penalty = 0.5 * strength * answer.norm**2
    assert answer.objective == pytest.approx(paid + penalty, rel=1e-9, abs=1e-9)
    assert answer.lower_bound <= answer.objective
    assert answer.gap == answer.objective - answer.lower_bound


@by_loss
@pytest.mark.parametrize("strength", [0.1, 2.0, 50.0])
def test_penalized_against_brute_force(loss, strength):
    X, y = data(1, loss)
    answer = penalized(source(X, y, loss), loss, strength, tolerance=1e-6)
    check(answer, loss, X, y, strength)
    assert answer.relative_gap <= 1e-6
    best = least(loss, X, y, strength=strength)
    assert answer.lower_bound <= best + 1e-7 * abs(best)
    assert answer.objective == pytest.approx(best, rel=2e-6)


@by_loss
@given(seed=st.integers(0, 10**6), power=st.integers(-2, 3), most=st.integers(1, 8))
def test_weak_duality_holds_however_early_it_stops(loss, seed, power, most):
    X, y = data(seed, loss, n=20)
    rows = source(X, y, loss)
    best = penalized(rows, loss, 10.0**power, tolerance=1e-5)
    early = penalized(rows, loss, 10.0**power, tolerance=1e-12, max_passes=most)
    assert early.lower_bound <= best.objective * (1 + 1e-12)
    assert early.objective >= best.lower_bound * (1 - 1e-12)
    check(early, loss, X, y, 10.0**power)


def test_ridge_has_a_closed_form():
    loss = rg.Squared()
    X, y = data(2, loss)
    u = np.linalg.solve(2 * X.T @ X + 3.0 * np.eye(4), 2 * X.T @ y)
    answer = penalized(source(X, y, loss), loss, 3.0, tolerance=1e-12)
    np.testing.assert_allclose(answer.u, u, atol=1e-6)


@by_loss
def test_default_tolerance_is_reached(loss):
    X, y = data(3, loss, n=500, d=20)
    assert penalized(source(X, y, loss), loss, 1.0).relative_gap <= 1e-3
    assert in_ball(source(X, y, loss), loss, 0.7).relative_gap <= 1e-3


@by_loss
def test_dense_is_sparse(loss):
    X, y = data(4, loss)
    dense = penalized(source(X, y, loss), loss, 1.0, tolerance=1e-5)
    sparse = penalized(source(csr_array(X), y, loss), loss, 1.0, tolerance=1e-5)
    assert abs(dense.objective - sparse.objective) <= dense.gap + sparse.gap
    np.testing.assert_allclose(dense.u, sparse.u, atol=1e-2)


@by_loss
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("kept", [0, 800, 2**20])
def test_a_stream_is_solved_by_passes(loss, sparse, kept, monkeypatch):
    monkeypatch.setattr(passes, "KEPT", kept)
    X, y = data(5, loss)
    stream = Chunks(X, y, 7, sparse=sparse)
    answer = penalized(stream, loss, 1.0, tolerance=1e-4)
    whole = penalized(source(X, y, loss), loss, 1.0, tolerance=1e-4)
    check(answer, loss, X, y, 1.0)
    assert answer.relative_gap <= 1e-4
    assert abs(answer.objective - whole.objective) <= answer.gap + whole.gap
    assert stream.opened == (1 if kept > 10_000 else answer.passes + 1)


@by_loss
def test_the_bias_is_a_feature_like_any_other(loss):
    X, y = data(6, loss)
    ones = np.hstack([np.ones((len(y), 1)), X])
    answer = penalized(source(X, y, loss), loss, 1.0, tolerance=1e-6, bias=True)
    other = penalized(source(ones, y, loss), loss, 1.0, tolerance=1e-6)
    assert answer.bias == pytest.approx(other.u[0], abs=1e-2)
    assert abs(answer.objective - other.objective) <= answer.gap + other.gap
    assert answer.norm == pytest.approx(other.norm, abs=1e-2)


@by_loss
def test_a_threshold(loss):
    X, y = data(7, loss)
    rows = source(X, y, loss)
    answer = penalized(rows, loss, 1.0, tolerance=1e-6, threshold=0.4)
    check(answer, loss, X, y, 1.0, 0.4)
    best = least(loss, X, y, strength=1.0, threshold=0.4)
    assert answer.lower_bound <= best * (1 + 1e-7)
    assert answer.objective == pytest.approx(best, rel=2e-6)


@by_loss
@pytest.mark.parametrize("radius", [0.05, 0.6, 30.0])
def test_ball_against_brute_force(loss, radius):
    X, y = data(8, loss)
    answer = in_ball(source(X, y, loss), loss, radius, tolerance=1e-4)
    check(answer, loss, X, y)
    assert answer.relative_gap <= 1e-4
    assert answer.norm <= radius * (1 + 1e-12)
    inside = {"type": "ineq", "fun": lambda u: radius**2 - u @ u}
    best = least(loss, X, y, constraints=[inside])
    assert answer.lower_bound <= best * (1 + 1e-6)
    assert answer.objective >= best * (1 - 1e-6)
    assert answer.objective == pytest.approx(best, rel=2e-4)


@by_loss
@given(
    seed=st.integers(0, 10**6),
    radius=st.floats(0.01, 20.0),
    most=st.integers(3, 60),
    bias=st.booleans(),
)
def test_ball_bounds_hold_however_early_it_stops(loss, seed, radius, most, bias):
    X, y = data(seed, loss, n=20)
    rows = source(X, y, loss)
    best = in_ball(rows, loss, radius, bias=bias, tolerance=1e-4)
    early = in_ball(rows, loss, radius, bias=bias, tolerance=1e-9, max_passes=most)
    assert early.norm <= radius * (1 + 1e-12)
    assert early.lower_bound <= best.objective * (1 + 1e-12)
    assert early.objective >= best.lower_bound * (1 - 1e-12)


@pytest.mark.parametrize("loss", [rg.Hinge(), rg.SquaredHinge()], ids=str)
def test_a_ball_that_separates_is_exact(loss):
    rng = np.random.default_rng(9)
    X = rng.normal(size=(50, 3))
    y = np.sign(X @ [1.0, -2.0, 0.5])
    answer = in_ball(open_source(X, y, binary=True), loss, 1e4)
    assert (answer.loss, answer.gap, answer.relative_gap) == (0.0, 0.0, 0.0)


def test_nothing_to_learn_is_exact():
    rows = open_source(np.zeros((3, 2)), [1.0, 2.0, 3.0], binary=False)
    answer = in_ball(rows, rg.Squared(), 1.0)
    assert (answer.loss, answer.gap) == (14.0, 0.0)
    assert penalized(rows, rg.Squared(), 1.0).gap == pytest.approx(0.0, abs=1e-12)


def test_a_path_is_its_solutions():
    loss = rg.Hinge()
    X, y = data(10, loss, n=200)
    rows = source(X, y, loss)
    path = svm_path(rows, strengths=[0.5, 20.0, 3.0], tolerance=1e-5)
    assert [one.strength for one in path] == [20.0, 3.0, 0.5]
    for one in path:
        alone = penalized(rows, loss, one.strength, tolerance=1e-5)
        check(one, loss, X, y, one.strength)
        assert abs(one.objective - alone.objective) <= one.gap + alone.gap
    assert len(str(path).splitlines()) == 4


def test_the_default_path_reaches_from_strong_to_weak():
    X, y = data(11, rg.Hinge(), n=200)
    path = svm_path(source(X, y, rg.Hinge()))
    longest = np.linalg.norm(X, axis=1).max()
    norms = [one.norm for one in path]
    losses = [one.loss for one in path]
    assert path[-1].strength == pytest.approx(0.1 * longest**2)
    assert all(one.relative_gap <= 1e-3 for one in path)
    assert np.all(np.diff(norms) > -1e-2)
    assert np.all(np.diff(losses) < 1e-2 * losses[0])
    assert np.all(y * (X @ path[0].u) <= 1.0 + 1e-9)  # every row still pulls in full


class Cubed(NamedTuple):
    """|score - y|^3/3, a loss of somebody else's."""

    task = "real"


@implement(value, Cubed)
def _(loss, score, y):
    return abs(score - y) ** 3 / 3.0


@implement(slope, Cubed)
def _(loss, score, y):
    return (score - y) * abs(score - y)


USERS_LOSS = """
from typing import NamedTuple

import regretless as rg
from regretless.evidence.hindsight import penalized
from regretless.parts.conjugates import conjugate, dual_step
from regretless.data import open_source


class Solved(NamedTuple):
    task = "real"


@rg.implement(rg.value, Solved)
def _(loss, score, y):
    return (score - y) ** 2


@rg.implement(rg.slope, Solved)
def _(loss, score, y):
    return 2.0 * (score - y)


@rg.implement(conjugate, Solved)
def _(loss, a, y):
    return a * (y + 0.25 * a)


@rg.implement(dual_step, Solved)
def _(loss, a, score, y, curvature):
    return 2.0 * (score - y + curvature * a) / (1.0 + 2.0 * curvature)


rows = open_source([[1.0, 2.0], [2.0, 0.5], [1.0, 1.0]], [1.0, 2.0, 0.5], binary=False)
ours = penalized(rows, rg.Squared(), 1.0, tolerance=1e-9)
theirs = penalized(rows, Solved(), 1.0, tolerance=1e-9)
print(abs(ours.objective - theirs.objective) <= 1e-8 * ours.objective)
"""


def test_a_loss_of_the_user(tmp_path):
    """In a process of its own."""
    script = tmp_path / "users_loss.py"
    script.write_text(USERS_LOSS)
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "True\n", done.stderr


def test_a_loss_without_a_conjugate_is_told_what_to_write():
    X, y = data(12, rg.Squared())
    with pytest.raises(TypeError, match=r"Cubed has no conjugate.*dual_step, Cubed"):
        penalized(source(X, y, rg.Squared()), Cubed(), 1.0)


class Wavy(NamedTuple):
    """1 - cos(score - y): not convex, and does not say so."""

    task = "real"


@implement(value, Wavy)
def _(loss, score, y):
    return 1.0 - np.cos(score - y)


@implement(slope, Wavy)
def _(loss, score, y):
    return np.sin(score - y)


@pytest.mark.parametrize("solve", ["penalized", "in_ball", "on_simplex", "svm_path"])
@pytest.mark.parametrize("loss", [rg.ZeroOne(), Wavy()], ids=str)
def test_a_loss_that_is_not_convex_is_refused(solve, loss):
    X, y = data(13, loss)
    rest = () if solve == "svm_path" else (1.0,)
    with pytest.raises(ValueError, match=f"{type(loss).__name__} is not convex"):
        getattr(hindsight, solve)(source(X, y, loss), loss, *rest)


def test_what_cannot_be_solved_says_why():
    X, y = data(14, rg.Hinge())
    rows = source(X, y, rg.Hinge())
    once = open_source(iter([({"a": 1.0}, 1)]), None, binary=True)
    with pytest.raises(ValueError, match=r"read only once.*keep=True"):
        penalized(once, rg.Hinge(), 1.0)
    for bad in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match="strength="):
            penalized(rows, rg.Hinge(), bad)
        with pytest.raises(ValueError, match="radius="):
            in_ball(rows, rg.Hinge(), bad)
        with pytest.raises(ValueError, match="tolerance="):
            penalized(rows, rg.Hinge(), 1.0, tolerance=bad)
    with pytest.raises(ValueError, match=r"Hinge needs labels -1 and \+1"):
        penalized(open_source([[1.0]], [2.5], binary=False), rg.Hinge(), 1.0)
    with pytest.raises(rg.BadRow, match=r"row 1: .*not finite"):
        penalized(open_source([[1.0], [np.nan]], [1, -1], binary=True), rg.Hinge(), 1.0)
    with pytest.raises(rg.BadRow, match="row 1"):
        penalized(
            open_source([({"a": 1.0}, 1), ({"a": [[1.0]]}, 1)], None, binary=True),
            rg.Hinge(),
            1.0,
        )


def test_a_stream_that_changed_is_noticed(monkeypatch):
    monkeypatch.setattr(passes, "KEPT", 0)
    X, y = data(15, rg.Hinge())

    class Shrinking(Chunks):
        def batches(self):
            self.opened += 1
            batches = list(super().batches())
            return iter(batches[: 2 if self.opened > 2 else None])

    stream = Shrinking(X, y, 7)
    some = passes.Passes(stream)
    with pytest.raises(ValueError, match="not what they were"):
        list(some.blocks())


def test_events_with_names_are_solved():
    events = [({"a": 1.0, "b": 2.0}, 1), ({"b": 1.0}, 0), ({"c": 1.0}, 1)]
    answer = penalized(open_source(events, None, binary=True), rg.Hinge(), 1.0)
    assert answer.u.size == 3


def test_people_can_read_it():
    X, y = data(16, rg.Hinge())
    answer = penalized(source(X, y, rg.Hinge()), rg.Hinge(), 1.0)
    assert "min sum Hinge" in str(answer)
    assert "60 rows x 4 features" in repr(answer)
    assert "of the objective" in str(answer)
    assert "<table" in answer._repr_html_()
