"""The factorization machine equals its slow twin, wherever rows come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import regretless as rg
from naive_factors import FactorizationMachine as Naive
from regretless.cli import main

TIGHT = 1e-10
MACHINES = [
    rg.FactorizationMachine(),
    rg.FactorizationMachine(0),
    rg.FactorizationMachine(3, eta=1.0, seed=5, bias=False),
    rg.FactorizationMachine(4, rg.Squared()),
    rg.FactorizationMachine(2, rg.Squared(), 0.5, bias=False),
]


def data(n: int = 300, d: int = 6, seed: int = 1) -> tuple[Any, Any]:
    """Rows with zeros, columns of many units, and what a pair says."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6) * 10.0 ** np.arange(d)
    return X, np.sign(X[:, 0]) * np.sign(X[:, 1]) + 0.3 * rng.normal(size=n)


def labels(learner: rg.FactorizationMachine, side: Any) -> Any:
    return np.where(side > 0.1, 1.0, -1.0) if learner.binary else 1e3 * side


@pytest.mark.parametrize("learner", MACHINES, ids=repr)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_fast_equals_naive(learner: rg.FactorizationMachine, form: Any) -> None:
    X, side = data()
    y = labels(learner, side)
    weights = np.random.default_rng(2).choice([0.0, 0.5, 1.0, 3.0], size=y.size)
    slow = Naive(
        X.shape[1],
        learner.rank,
        learner.eta,
        learner.seed,
        not learner.binary,
        learner.bias,
    )
    told = [slow.learn(*row) for row in zip(X, y, weights, strict=True)]
    player = learner.player(X.shape[1])
    trace = (np.zeros(y.size), np.zeros(y.size), np.zeros(y.size, np.bool_))
    from regretless.parts.rows import Dense, Sparse

    rows = form(X)
    given = Dense(X.ravel(), X.shape[1])
    if form is not np.asarray:
        starts = rows.indptr.astype(np.int64)
        given = Sparse(starts, rows.indices.astype(np.int32), rows.data)
    player.play(given, y, trace=trace, weights=weights)
    scores, losses = np.array(told).T
    unit = np.abs(y).max()
    np.testing.assert_allclose(trace[0], scores, rtol=TIGHT, atol=TIGHT * unit)
    np.testing.assert_allclose(trace[1], losses, rtol=TIGHT, atol=TIGHT * unit**2)
    np.testing.assert_allclose(player.weights(), slow.weights(), rtol=1e-8, atol=1e-12)
    fresh, _ = data(20, seed=3)
    found = player.hypothesis().scores(Dense(fresh.ravel(), fresh.shape[1]), 20)
    expected = [slow.score(x) for x in fresh]
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8 * unit)


@pytest.mark.parametrize("learner", MACHINES, ids=repr)
def test_dense_sparse_and_pieces_are_the_same_bits(
    learner: rg.FactorizationMachine,
) -> None:
    X, side = data()
    y = labels(learner, side)
    dense = rg.play(learner, X, y, trace=True)
    thin = rg.play(learner, sparse.csr_array(X), y, trace=True)
    assert dense.ledger == thin.ledger
    assert dense.scores.tobytes() == thin.scores.tobytes()
    before = rg.play(learner, X[:200], y[:200]).model("last")
    # What predicts next is what was frozen, features that never came included.
    assert before.scores(X[200:201])[0] == dense.scores[200]


def test_without_factors_it_is_the_linear_learner_with_the_same_steps() -> None:
    X, side = data()
    X, y = np.sign(X), labels(MACHINES[0], side)
    machine = rg.play(rg.FactorizationMachine(0), X, y, trace=True)
    linear = rg.AdaGrad(rg.Logistic(), eta=0.2, implicit=True, bias=True)
    other = rg.play(linear, X, y, trace=True)
    np.testing.assert_allclose(machine.scores, other.scores, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(machine.weights, other.weights, rtol=1e-12, atol=1e-12)


def test_no_unit_matters() -> None:
    X, side = data()
    units = 2.0 ** np.arange(-3, 3)
    learner = rg.FactorizationMachine(4, rg.Squared())
    one = rg.play(learner, X, side, trace=True)
    other = rg.play(learner, X * units, side * 2.0**40, trace=True)
    assert (one.scores * 2.0**40).tobytes() == other.scores.tobytes()


def test_amounts_and_entries_may_be_huge() -> None:
    X, side = data()
    for size in (1e-150, 1e150):
        for learner in MACHINES:
            run = rg.play(learner, X * size, labels(learner, side))
            assert np.isfinite(run.loss)
    learner = rg.FactorizationMachine(loss=rg.Squared())
    run = rg.play(learner, X, side * 1e140)
    assert run.ledger.r2 > 0.0
    with pytest.raises(ValueError, match="so large that its loss cannot be added up"):
        rg.play(learner, X, np.where(side > 1.0, 1e200, side))
    with pytest.raises(ValueError, match="nan is not a finite number"):
        rg.play(learner, np.where(side[:, None] > 1.0, np.nan, X), side)


def test_pairs_are_learned() -> None:
    rng = np.random.default_rng(0)
    X = (rng.random((4000, 10)) < 0.5).astype(float)
    y = np.where(X[:, 0] == X[:, 1], "alike", "apart")
    linear, pairs = (rg.play(rg.FactorizationMachine(k), X, y) for k in (0, 4))
    assert linear.mistakes > 1700
    assert pairs.mistakes < 0.3 * linear.mistakes
    amounts = (X[:, 0] - 0.5) * (X[:, 1] - 0.5) + X[:, 2]
    found = [
        rg.play(rg.FactorizationMachine(k, rg.Squared()), X, amounts).ledger.r2
        for k in (0, 4)
    ]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0] < 0.85
    assert found[1] > 0.9
    seeds = [rg.play(rg.FactorizationMachine(seed=k), X, y).loss for k in (0, 0, 1)]
    assert seeds[0] == seeds[1] != seeds[2]


def test_three_classes_are_one_machine_each(tmp_path: Path) -> None:
    X, side = data()
    y = np.where(side > 0.5, "up", np.where(side < -0.5, "down", "even"))
    learner = rg.FactorizationMachine(3)
    run = rg.play(learner, X, y, task="auto", trace=True)
    assert repr(run.learner) == "OneVersusRest(learner=FactorizationMachine(rank=3))"
    for k, label in enumerate(run.classes or ()):
        alone = rg.play(learner, X, np.where(y == label, 1, -1), trace=True)
        came = int(np.argmax(y == label)) + 1  # predicted from then on
        assert alone.scores[came:].tobytes() == run.scores[came:, k].tobytes()
        assert (
            run.model("last").scores(X)[:, k] == alone.model("last").scores(X)
        ).all()
    for kind in ("last", "random", "validated", None):
        model = run.model(kind)
        model.save(tmp_path / "model.rgl")
        again = rg.load(tmp_path / "model.rgl")
        assert again.stored_as == "each-class"
        assert again.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
        assert str(again) == str(model)
        assert again.weights.shape == (3, 6)
        row = dict(enumerate(X[0].tolist()))
        assert again.score_one(row) == dict(
            zip(again.classes or (), again.scores(X[:1])[0].tolist(), strict=True)
        )
    assert run.certificate().value < 1.0
    assert "factors" in str(run.model("last"))


def vw(path: Path, X: Any, y: Any) -> str:
    """The rows as a file of named features."""
    lines = [
        " ".join([str(k), "|", *(f"f{j}:{v!r}" for j, v in enumerate(x) if v)])
        for x, k in zip(X.tolist(), y.tolist(), strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_it_goes_on_from_files(task: str, tmp_path: Path) -> None:
    X, side = data()
    y = {"binary": np.where(side > 0, 1, -1), "regression": side}.get(
        task, np.round(side).clip(-1, 1).astype(int)
    )
    first, later = (
        vw(tmp_path / f"{k}.vw", X[part], y[part])
        for k, part in enumerate((slice(200), slice(200, None)))
    )
    loss = "squared" if task == "regression" else "logistic"
    asked = ["--learner", f"factorization-machine rank=2 loss={loss}"]
    asked += ["--task", task, "--model", "last", "--resumable", "--quiet", "-o"]
    whole, half, rest = (str(tmp_path / f"{name}.rgl") for name in ("a", "b", "c"))
    assert main(["train", first, later, *asked, whole]) == 0
    assert main(["train", first, *asked, half]) == 0
    assert main(["train", later, "-i", half, *asked[2:], rest]) == 0
    straight, found = rg.load(whole), rg.load(rest)
    assert found.scores(X).tobytes() == straight.scores(X).tobytes()
    assert found.ledger == straight.ledger
    events, others = rg.load_learner(rest), rg.load_learner(whole)
    for learner in (events, others):
        learner.learn_one({"f0": 1.0, "new": -2.0}, y[0].item())
    assert events.score_one({"f0": 1.0}) == others.score_one({"f0": 1.0})
    events.save(tmp_path / "events.rgl")
    again = rg.load_learner(tmp_path / "events.rgl")
    assert again.score_one({"f0": 1.0}) == events.score_one({"f0": 1.0})


def test_intervals_and_events() -> None:
    X, side = data()
    learner = rg.intervals(rg.FactorizationMachine(2, rg.Squared()), 0.8)
    run = rg.play(learner, X, side)
    assert run.coverage is not None
    low, high = run.model("last").predict_interval(X).T
    assert (low < high).all()
    sets = rg.play(rg.intervals(rg.FactorizationMachine()), X, side > 0)
    assert sets.coverage is not None
    machine = rg.FactorizationMachine(2)
    for x, y in zip(X, side > 0, strict=True):
        machine.learn_one(dict(enumerate(x.tolist())), bool(y))
    assert 0.0 < machine.predict_proba_one({0: 1.0, 1: -1.0}) < 1.0
    assert machine.snapshot().weights.shape == (6,)


@pytest.mark.parametrize(
    "bad", [{"rank": -1}, {"rank": 0.5}, {"seed": -1}, {"eta": 0.0}, {"bias": 2}]
)
def test_bad_parameters_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        rg.FactorizationMachine(**bad)
    with pytest.raises(ValueError, match="dual_step"):
        rg.FactorizationMachine(loss=rg.Exponential())


def test_what_it_says_of_itself_is_right(tmp_path: Path) -> None:
    X, side = data()
    run = rg.play(rg.FactorizationMachine(3), X, side > 0.1)
    model = run.model("last")
    assert "the last factorization machine: 6 weights" in str(model)
    (first, _), (second, _) = model.explanation(5)
    assert first.startswith("effects of 1 alone, not 0, on the log-odds that say")
    assert second.startswith("effects of 1 alone")
    alone = model.scores(np.eye(6) * X[0]) - model.scores(np.zeros((1, 6)))
    np.testing.assert_allclose(alone, model.weights * X[0], atol=1e-12)
    model.save(tmp_path / "model.rgl")
    path = vw(tmp_path / "rows.vw", X, np.where(side > 0.1, 1, -1))
    for learner in (rg.Perceptron(), rg.FactorizationMachine()):
        with pytest.raises(ValueError, match="a factorization machine"):
            rg.play(learner, path, initial_model=tmp_path / "model.rgl")
