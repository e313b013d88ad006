"""The kernel Perceptron: as the naive one, within its theorems, kept in files."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from scipy import sparse

import naive_kernels as naive
import regretless as rg
from regretless.engine.players.kernel import KernelPlayer
from regretless.parts.rows import Dense
from regretless.runs.checkpoints import read_checkpoint, write_checkpoint

KERNELS = [
    (rg.RBF(0.7), naive.rbf(0.7)),
    (rg.Polynomial(3, 0.5), naive.polynomial(3, 0.5)),
]


def rings(n=150, d=3, seed=0, noise=0.1):
    """A ball inside a shell, with zeros and with wrong labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.8)
    y = np.where((X**2).sum(axis=1) > 0.8 * d, 1, -1)
    return X, np.where(rng.random(n) < noise, -y, y)


@pytest.mark.parametrize("budget", [None, 1, 7])
@pytest.mark.parametrize(("kernel", "twin"), KERNELS, ids=lambda each: repr(each)[:20])
@pytest.mark.parametrize("weighted", [False, True])
def test_against_the_naive_one(kernel, twin, budget, weighted):
    X, y = rings()
    slow = naive.KernelPerceptron(twin, budget)
    importance = np.arange(y.size) % 3 / 2.0 if weighted else np.ones(y.size)
    for x, label, weight in zip(X, y, importance, strict=True):
        slow.learn(x, label, weight)
    learner = rg.KernelPerceptron(kernel, budget)
    rows = sparse.csr_array(X)
    events = [
        (rows[[i]], int(y[i]), float(importance[i])) for i in range(y.size)
    ]  # sparse rows, one by one
    runs = [rg.play(learner, events, trace=True, n_features=3)]
    if not weighted:
        runs += [rg.play(learner, each, y, trace=True) for each in (X, rows)]
    for run in runs:
        assert run.mistakes == sum(slow.mistakes)
        assert run.ledger.updates == slow.updates
        assert run.ledger.supports == len(slow.kept)
        assert run.ledger.first_eviction == slow.first_eviction
        np.testing.assert_allclose(run.ledger.weight_norm, slow.norm(), rtol=1e-9)
        own = max(twin(x, x) for x in X)
        np.testing.assert_allclose(run.ledger.max_norm**2, own, rtol=1e-12)
    np.testing.assert_allclose(runs[0].scores, slow.scores, rtol=1e-9, atol=1e-9)


def test_with_the_linear_kernel_it_is_the_perceptron():
    X, y = rings()
    dual = rg.play(rg.KernelPerceptron(rg.LinearKernel()), X, y, trace=True)
    plain = rg.play(rg.Perceptron(), X, y, trace=True)
    np.testing.assert_allclose(dual.scores, plain.scores, rtol=1e-9, atol=1e-9)
    assert dual.mistake_rounds.tolist() == plain.mistake_rounds.tolist()
    np.testing.assert_allclose(dual.ledger.weight_norm, plain.ledger.weight_norm)
    # ... and so are its theorems, at any u = sum_t u_t x_t.
    u = np.random.default_rng(1).normal(size=y.size) / 50
    mine, its = dual.theorems(u=u), plain.theorems(u=X.T @ u)
    for name in ("data", "norms", "root"):
        ours, theirs = mine[f"kernel/{name}"], its[f"perceptron/{name}"]
        assert ours.value == pytest.approx(theirs.value)
        assert ours.happened == theirs.happened


def test_one_by_one_is_play():
    X, y = rings()
    names = ["a", "b", "c"]
    events = [
        ({n: v for n, v in zip(names, x.tolist(), strict=True) if v}, int(label))
        for x, label in zip(X, y, strict=True)
    ]
    learner = rg.KernelPerceptron(rg.RBF(0.7), budget=12)
    run = rg.play(learner, events)
    for x, label in events:
        learner.predict_one(x)
        learner.learn_one(x, label)
    assert learner.ledger == run.ledger
    assert learner.certificate() == run.certificate()
    model = learner.snapshot()
    assert model.scores([x for x, _ in events]).tolist() == pytest.approx(
        [learner.score_one(x) for x, _ in events], abs=1e-12
    )
    progress = rg.events.progressive(rg.KernelPerceptron(rg.RBF(0.7), 12), events)
    assert progress.mistakes == run.mistakes


@pytest.mark.parametrize("budget", [None, 10])
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_theorems_hold_and_say_until_when(budget, noise):
    X, y = rings(300, noise=noise)
    run = rg.play(rg.KernelPerceptron(rg.RBF(0.7), budget), X, y)
    found = run.theorems()
    root = found["kernel/root"]
    assert root.ratio <= 1.0
    assert found["kernel/norms"].ratio <= found["kernel/data"].ratio <= 1.0
    if noise == 0.0:
        assert found["kernel/separable"].ratio <= 1.0
    if budget is None:
        assert root.happened == run.mistakes
        assert run.ledger.first_eviction is None
        assert "nothing was forgotten" in str(root)
    else:
        # The mistake that makes the first row be forgotten is the Perceptron's own.
        assert root.happened == budget + 1 < run.mistakes
        trace = rg.play(run.learner, X, y, trace=True).mistake_rounds
        assert run.ledger.first_eviction == trace[budget] + 1
        assert f"round {run.ledger.first_eviction:,}" in str(root)
        assert "forgotten, from round" in str(run)


def test_theorems_of_long_runs_and_of_streams():
    X, y = rings(2500, noise=0.0)
    run = rg.play(rg.KernelPerceptron(rg.RBF(0.7)), X, y)
    assert "times the last hypothesis" in str(run.theorems())
    events = [(x, int(label)) for x, label in zip(X.tolist(), y, strict=True)]
    streamed = rg.play(rg.KernelPerceptron(rg.RBF(0.7), 30), events)
    assert streamed.theorems()["kernel/root"].ratio <= 1.0


def test_what_it_cannot_do_it_says():
    X, y = rings()
    run = rg.play(rg.KernelPerceptron(rg.RBF(0.7)), X, y, trace=True)
    for ask in (run.hindsight, run.regret):
        with pytest.raises(ValueError, match="not solved for"):
            ask()
    with pytest.raises(ValueError, match="no weights"):
        _ = run.weight_path
    with pytest.raises(ValueError, match=r"model\('mean'\) makes no sense"):
        run.model("mean")
    with pytest.raises(ValueError, match="one finite coefficient"):
        run.theorems(u=[1.0])
    with pytest.raises(TypeError, match="does not take check="):
        rg.play(rg.KernelPerceptron(), X, y, check=True)
    with pytest.raises(ValueError, match="row 1: column 0: nan is not"):
        rg.play(rg.KernelPerceptron(rg.RBF(0.7)), [[1.0], [np.nan]], [1, -1])
    with pytest.raises(ValueError, match=r"row 1: .*so large"):
        rg.play(rg.KernelPerceptron(rg.RBF(0.7)), [[1.0], [1e200]], [1, -1])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"kernel": rg.RBF}, "is not a part"),
        ({"kernel": rg.Hinge()}, "not a kernel of rows"),
        ({"kernel": rg.RBF(0.0)}, "gamma must be positive"),
        ({"kernel": rg.Polynomial(0)}, "degree must be a whole number"),
        ({"kernel": rg.Polynomial(2, -1.0)}, "c must be 0 or more"),
        ({"budget": 0}, "budget=0 must be"),
        ({"budget": 2.5}, r"budget=2\.5 must be"),
    ],
)
def test_bad_parameters(arguments, said):
    with pytest.raises(ValueError, match=said):
        rg.KernelPerceptron(**arguments)


@pytest.mark.parametrize("kind", ["last", "validated", "random"])
def test_models_are_kept_in_files(kind, tmp_path):
    X, y = rings(400)
    run = rg.play(rg.KernelPerceptron(rg.RBF(0.7), 20), X, y, models=[kind])
    model = run.model(kind)
    model.save(tmp_path / "model.rgl")
    loaded = rg.load(tmp_path / "model.rgl")
    assert loaded.scores(X).tolist() == model.scores(X).tolist()
    sparsely = loaded.scores(sparse.csr_array(X)).tolist()
    assert sparsely == pytest.approx(model.scores(X).tolist())
    assert loaded.learner == run.learner
    assert loaded.ledger == run.ledger
    assert str(loaded) == str(model)
    assert loaded.predict(X[:3]).tolist() == model.predict(X[:3]).tolist()
    assert model.explanation(3)[0][0] == "remembered rows"
    if kind == "validated":
        assert model.certificate.value < 0.5


def broken(state):
    arrays = state["supports"]
    for damage in (
        {"starts": arrays["starts"][::-1].copy()},
        {"columns": arrays["columns"] + np.int32(99)},
        {"columns": arrays["columns"] - np.int32(99)},
        {"alphas": arrays["alphas"][1:].copy()},
        {"values": arrays["values"] * np.nan},
    ):
        yield {**state, "supports": {**arrays, **damage}}
    yield {**state, "n_features": 0}


def test_a_machine_that_cannot_be_is_refused():
    X, y = rings()
    machine = rg.play(rg.KernelPerceptron(rg.RBF(0.7)), X, y).model("last").hypothesis
    for state in broken(machine.state_dict()):
        with pytest.raises(ValueError, match=r"support vectors|cannot be|nan"):
            machine.blank(machine.facts()).load_state(state)


def test_checkpoints_go_on_bit_for_bit(tmp_path):
    X, y = rings()
    learner = rg.KernelPerceptron(rg.RBF(0.7), 9)
    whole = learner.player(3)
    whole.play(Dense(X.reshape(-1), 3), y.astype(float))
    half = learner.player(3)
    half.play(Dense(X[:70].reshape(-1), 3), y[:70].astype(float))
    write_checkpoint(tmp_path / "c", learner=learner, player=half)
    player, _ = read_checkpoint(tmp_path / "c").restore()
    assert isinstance(player, KernelPlayer)
    player.play(Dense(X[70:].reshape(-1), 3), y[70:].astype(float))
    assert player.ledger() == whole.ledger()
    assert player.alphas.tolist() == whole.alphas.tolist()


class Cosine(NamedTuple):
    """A kernel written outside the package."""

    shift: float = 0.0


@rg.implement(rg.similarity, Cosine)
def _(kernel, dot, square_a, square_b):
    return kernel.shift + dot / max(1e-12, (square_a * square_b) ** 0.5)


def test_a_kernel_of_your_own(tmp_path):
    X, y = rings()

    def twin(a, b):
        return 0.5 + float(a @ b) / max(1e-12, float((a @ a) * (b @ b)) ** 0.5)

    slow = naive.KernelPerceptron(twin, 15)
    for x, label in zip(X, y, strict=True):
        slow.learn(x, label)
    run = rg.play(rg.KernelPerceptron(Cosine(0.5), 15), X, y)
    assert run.mistakes == sum(slow.mistakes)
    with pytest.raises(ValueError, match="kernel of your own"):
        run.model("last").save(tmp_path / "model.rgl")


def test_a_circle_that_no_line_is():
    X, y = rings(600, d=2, noise=0.0)
    lines = rg.play(rg.Perceptron(bias=True), X, y)
    circles = rg.play(rg.KernelPerceptron(rg.RBF(0.7)), X, y)
    assert circles.mistakes < 0.4 * lines.mistakes


def test_beside_others_and_in_a_mixture():
    X, y = rings(200)
    kernel = rg.KernelPerceptron(rg.RBF(0.7))
    runs = rg.play([rg.Perceptron(), kernel], X, y)
    assert runs[1].ledger == rg.play(kernel, X, y).ledger
