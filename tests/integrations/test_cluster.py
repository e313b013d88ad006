"""Playing in shards: against one machine, against plain numpy, in any order."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rg
import regretless.integrations.ray.connection
from file_forms import FORMS
from inline_ray import InlineRay
from naive_cluster import mixed_perceptron, penalized_objective, weighted_sums
from regretless.data import open_source
from regretless.evidence.hindsight import penalized

WIDTH = 5


@pytest.fixture
def inline(monkeypatch):
    """Ray in this process; call it to have another one."""

    def use(**how):
        ray = InlineRay(**how)
        monkeypatch.setattr(
            regretless.integrations.ray.connection, "import_ray", lambda address="": ray
        )
        return ray

    use()
    return use


def table(rng, rows=200, width=WIDTH):
    X = rng.integers(-8, 9, size=(rows, width)) / 4
    X[0] = 1.0
    y = np.where(X @ rng.normal(size=width) + 0.3 * rng.normal(size=rows) > 0, 1, -1)
    return X, y


@pytest.fixture
def data(tmp_path, rng):
    X, y = table(rng)
    path = tmp_path / "a.svm"
    path.write_bytes(FORMS["a.svm"](X, y))
    return str(path), X, y


def rounds_of(run, X, y):
    """The rows of every shard of every round."""
    at, rounds = 0, []
    sizes = iter([report.rounds for report in run.reports])
    for part in run.parts:
        shards = []
        for _ in part:
            n = next(sizes)
            shards.append((X[at : at + n], y[at : at + n]))
            at += n
        rounds.append([shard for shard in shards if len(shard[1])])
    return rounds


def same(a, b):
    for name in ("weights", "mean"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert a.bias == b.bias
    assert a.ledger == b.ledger
    np.testing.assert_array_equal(a.ledger.curve, b.ledger.curve)


@pytest.mark.parametrize(("shards", "often"), [(1, 1), (4, 1), (1, 3), (3, 4), (40, 1)])
def test_the_perceptron_in_shards_is_the_naive_one(inline, data, shards, often):
    path, X, y = data
    run = rg.cluster.play(rg.Perceptron(), path, shards=shards, synchronizations=often)
    w, mean, mistakes, _ = mixed_perceptron(rounds_of(run, X, y), np.zeros(WIDTH))
    np.testing.assert_allclose(run.weights, w, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run.model("mean").weights, mean, rtol=1e-12, atol=1e-12)
    assert run.mistakes == sum(mistakes)
    assert run.rounds == 200
    assert run.synchronizations == often


@pytest.mark.parametrize("learner", [rg.Perceptron(), rg.OGD(bias=True)], ids=str)
def test_one_shard_is_one_machine_to_the_last_bit(inline, data, learner):
    path, _, _ = data
    run, alone = rg.cluster.play(learner, path, shards=1), rg.play(learner, path)
    np.testing.assert_array_equal(run.weights, alone.weights)
    np.testing.assert_array_equal(
        run.model("mean").weights, alone.model("mean").weights
    )
    assert run.bias == alone.bias
    assert run.ledger == alone.ledger
    assert run.certificate().value == alone.certificate().value


def test_nothing_depends_on_the_order_in_which_tasks_end(inline, data):
    path, _, _ = data
    how = {"shards": 20, "synchronizations": 2}
    first = rg.cluster.play(rg.Perceptron(), path, **how)
    inline(pick=max, cores=50)
    same(first, rg.cluster.play(rg.Perceptron(), path, **how))
    inline(pick=max, again=range(3, 30, 4))
    same(first, rg.cluster.play(rg.Perceptron(), path, workers=7, **how))


def test_no_more_tasks_are_asked_for_than_workers(inline, data):
    ray = inline(cores=50)
    rg.cluster.play(rg.Perceptron(), data[0], shards=10, workers=3)
    assert ray.most == 3


@given(seed=st.integers(0, 10**6), shards=st.integers(1, 4), often=st.integers(2, 4))
@settings(max_examples=15)
def test_the_theorems_of_mixing_hold(tmp_path_factory, seed, shards, often):
    rng = np.random.default_rng(seed)
    X, y = table(rng, rows=int(rng.integers(10, 80)))
    path = tmp_path_factory.mktemp("mixing") / "a.svm"
    path.write_bytes(FORMS["a.svm"](X, y))
    with pytest.MonkeyPatch.context() as patch:
        ray = InlineRay()
        patch.setattr(
            regretless.integrations.ray.connection, "import_ray", lambda a="": ray
        )
        run = rg.cluster.play(
            rg.Perceptron(), path, shards=shards, synchronizations=often
        )
        rounds = rounds_of(run, X, y)
        _, _, _, trail = mixed_perceptron(rounds, np.zeros(WIDTH))
        for u in (rng.normal(size=WIDTH), np.linalg.lstsq(X, y, rcond=None)[0] * 3):
            found = run.theorems(u=u)
            M, c, H = weighted_sums(rounds, trail, u)
            b = np.linalg.norm(X, axis=1).max() * np.linalg.norm(u)
            root = found["mixing/root"]
            assert root.happened == pytest.approx(M)
            assert root.value == pytest.approx(
                c + b * b / 2 + b * np.sqrt(b * b / 4 + c)
            )
            data = found["mixing/data"]
            length = np.linalg.norm(run.weights)
            assert data.value == pytest.approx(H + np.linalg.norm(u) * length)
            for verdict in found.applying:
                assert verdict.happened <= verdict.value * (1 + 1e-9)


def test_a_separating_u_bounds_the_mistakes_of_mixing(inline, tmp_path, rng):
    X, _ = table(rng)
    u = rng.normal(size=WIDTH)
    X = X[np.abs(X @ u) > 0.5]
    y = np.sign(X @ u).astype(int)
    (tmp_path / "a.svm").write_bytes(FORMS["a.svm"](X, y))
    run = rg.cluster.play(
        rg.Perceptron(), tmp_path / "a.svm", shards=3, synchronizations=3
    )
    found = run.theorems(u=u)["mixing/separable"]
    bound = (np.linalg.norm(X, axis=1).max() * np.linalg.norm(u)) ** 2
    assert found.value == pytest.approx(bound / (y * (X @ u)).min() ** 2)
    assert 0 < found.happened <= found.value


@pytest.mark.parametrize("radius", [None, 1.0])
def test_mixed_gradient_descent_keeps_its_regret(inline, data, rng, radius):
    path, _, _ = data
    learner = rg.OGD(step=rg.Constant(0.1), radius=radius)
    run = rg.cluster.play(learner, path, shards=3, synchronizations=4)
    for scale in (0.1, 1.0, 5.0):
        u = scale * rng.normal(size=WIDTH)
        found = run.theorems(u=u)["mixing/regret"]
        inside = radius is None or np.linalg.norm(u) <= radius
        assert found.applies == inside
        if inside:
            assert found.happened <= found.value


def test_theorems_are_summed_over_shards(inline, data, rng):
    path, X, y = data
    run = rg.cluster.play(rg.Perceptron(), path, shards=3)
    u = rng.normal(size=WIDTH)
    found = run.theorems(u=u)["perceptron/root"]
    alone = [
        rg.play(rg.Perceptron(), *shard).theorems(u=u)["perceptron/root"]
        for shard in rounds_of(run, X, y)[0]
    ]
    assert found.happened == run.mistakes == sum(one.happened for one in alone)
    assert found.value == pytest.approx(sum(one.value for one in alone))
    hinge = np.maximum(0, 1 - y * (X @ u)).sum()
    assert float(run.regret(u=u)) == pytest.approx(run.loss - hinge)


@pytest.mark.parametrize("strength", [5.0, 100.0])
def test_hindsight_on_a_cluster_has_a_true_gap(inline, data, rng, strength):
    path, X, y = data
    run = rg.cluster.play(rg.Perceptron(), path, shards=4)
    best = run.hindsight(strength=strength, tolerance=1e-3)
    paid = penalized_objective(X, y, best.u, strength)
    assert best.objective == pytest.approx(paid)
    assert best.relative_gap <= 1e-3
    source = open_source(X, y, binary=True)
    exact = penalized(source, rg.Hinge(), strength, tolerance=1e-6)
    assert best.lower_bound <= exact.objective * (1 + 1e-9)
    assert best.objective >= exact.lower_bound * (1 - 1e-9)
    again = run.hindsight(strength=strength, tolerance=1e-3)
    np.testing.assert_array_equal(best.u, again.u)


def test_the_certificate_pools_all_shards(inline, data):
    run = rg.cluster.play(rg.Perceptron(), data[0], shards=4)
    found = run.certificate(0.1)
    assert (found.n, found.total) == (200, run.mistakes)
    expected = rg.certify.kl_mixture(200, run.mistakes, 0.1, 1e5)
    assert found.value == pytest.approx(expected)
    assert run.mistakes == sum(report.ledger.mistakes for report in run.reports)


@pytest.mark.parametrize("often", [1, 2])
@pytest.mark.parametrize("order", ["the same", "another"])
def test_rows_that_come_again_in_another_shard_are_not_certified(
    inline, tmp_path, rng, often, order
):
    X, y = rng.normal(size=(400, WIDTH)).round(3), rng.choice([-1, 1], 400)
    again = np.arange(400) if order == "the same" else rng.permutation(400)
    path, once = tmp_path / "twice.svm", tmp_path / "once.svm"
    path.write_bytes(FORMS["a.svm"](np.r_[X, X[again]], np.r_[y, y[again]]))
    once.write_bytes(FORMS["a.svm"](X, y))
    how = {"shards": 4, "synchronizations": often}
    run = rg.cluster.play(rg.Perceptron(), str(path), **how)
    assert "rows came again from about round 401 on" in run.replay
    with pytest.raises(ValueError, match="rows came again"):
        run.certificate()
    for kind in (None, "mean", "validated"):
        assert run.model(kind).certificate is None
        assert "rows came again" in run.model(kind).why_not
    fresh = rg.cluster.play(rg.Perceptron(), str(once), **how)
    assert fresh.replay == ""
    assert fresh.model("validated").certificate is not None


def test_the_ledger_is_that_of_all_shards(inline, data):
    path, X, y = data
    run = rg.cluster.play(rg.OGD(), path, shards=5)
    statistics = [rg.play(rg.OGD(), *shard).ledger for shard in rounds_of(run, X, y)[0]]
    for name, found in run.ledger.as_dict().items():
        each = [getattr(book, name) for book in statistics]
        if found is None:
            assert each == [None] * 5, name
        elif name == "weight_norm":
            assert found == pytest.approx(np.linalg.norm(run.weights))
        elif name.startswith("min"):
            assert found == min(each), name
        elif name.startswith("max"):
            assert found == max(each), name
        else:
            assert found == pytest.approx(sum(each)), name
    curve = run.ledger.curve
    assert len(curve) <= 256
    assert (np.diff(curve, axis=0) >= 0).all()
    assert tuple(curve[-1]) == pytest.approx((200, run.mistakes, run.loss))


def test_names_are_numbered_in_the_order_of_the_files(inline, tmp_path):
    for k, words in enumerate(("b a", "c a", "d b")):
        rows = [{"label": n % 2, **dict.fromkeys(words.split(), 1)} for n in range(4)]
        (tmp_path / f"{k}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    learner, names = rg.Perceptron(), str(tmp_path / "*.jsonl")
    run = rg.cluster.play(learner, names, shard_size="file")
    assert run.names == ("b", "a", "c", "d")
    for k, word in enumerate(("first", "second")):  # two words, one hashed column
        (tmp_path / f"{k}.vw").write_text(f"1 | {word}\n-1 | {word}\n")
    how = {"shard_size": "file", "options": rg.ReadOptions(bits=1)}
    run = rg.cluster.play(learner, str(tmp_path / "*.vw"), **how)
    alone = rg.play(learner, str(tmp_path / "*.vw"), options=rg.ReadOptions(bits=1))
    assert [*run.names.values()] == [*reversed(alone.names)]


def test_the_mean_is_certified_under_a_bounded_convex_loss(inline, tmp_path, rng):
    X, y = table(rng)
    X /= np.linalg.norm(X, axis=1).max()
    (tmp_path / "a.svm").write_bytes(FORMS["a.svm"](X, y))
    learner = rg.OGD(step="theorem", radius=2.0, max_norm=1.0)
    run = rg.cluster.play(learner, tmp_path / "a.svm", shards=3)
    found = run.model("mean").certificate
    assert found.scale == 3.0
    assert found.value == pytest.approx(
        3.0 * rg.certify.kl_mixture(200, run.loss / 3.0, 0.05, 1e5)
    )


@pytest.mark.parametrize(("shards", "often"), [(4, 1), (20, 1), (2, 3)])
def test_the_validated_model_is_judged_by_rows_it_has_not_seen(
    inline, data, shards, often
):
    path, X, y = data
    run = rg.cluster.play(rg.Perceptron(), path, shards=shards, synchronizations=often)
    model = run.model("validated")
    seen = run.before.rounds
    rounds = rounds_of(run, X[:seen], y[:seen])
    _, mean, _, _ = mixed_perceptron([r for r in rounds if r], np.zeros(WIDTH))
    np.testing.assert_allclose(model.weights, mean, rtol=1e-12, atol=1e-12)
    wrong = np.count_nonzero(y[seen:] * (X[seen:] @ model.weights) <= 0)
    found = model.certificate
    assert (found.n, found.total) == (200 - seen, wrong)
    assert found.value == pytest.approx(
        rg.certify.clopper_pearson(200 - seen, wrong, 0.05)
    )


def test_features_with_names_are_matched_by_name(inline, tmp_path, rng):
    X, y = table(rng)
    names = [f"x{j}" for j in range(WIDTH)]
    lines = []
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        order = rng.permutation(WIDTH)  # so that shards number features otherwise
        row = {names[j]: x[j] for j in order if x[j]}
        lines.append(json.dumps({"label": label, **row}))
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    run = rg.cluster.play(
        rg.Perceptron(), tmp_path / "a.jsonl", shards=3, synchronizations=2
    )
    w, mean, mistakes, _ = mixed_perceptron(rounds_of(run, X, y), np.zeros(WIDTH))
    assert run.mistakes == sum(mistakes)
    got = run.named_weights()
    np.testing.assert_allclose([got[name] for name in names], w, atol=1e-12)
    means = run.model("mean").named_weights()
    np.testing.assert_allclose([means[name] for name in names], mean, atol=1e-12)
    assert run.model("validated").certificate.n > 0
    assert run.theorems(u=dict(zip(names, w, strict=True)))["mixing/root"].applies


def test_many_learners_are_those_of_one_machine(inline, data):
    path, _, _ = data
    learners = [rg.OGD(step=rg.Constant(eta)) for eta in (0.01, 0.1, 1.0)]
    learners += [rg.Perceptron(bias=True)]
    runs = rg.cluster.play(learners, path, models=["mean"])
    alone = rg.play(learners, path, models=["mean"])
    assert str(runs) == str(alone)
    for a, b in zip(runs, alone, strict=True):
        np.testing.assert_array_equal(a.weights, b.weights)
        assert a.ledger == b.ledger
    u = np.ones(WIDTH)
    assert float(runs[0].regret(u=u)) == float(alone[0].regret(u=u))


def test_stopping_keeps_the_shards_that_have_ended(inline, data):
    path, X, y = data
    asked = []
    run = rg.cluster.play(
        rg.Perceptron(),
        path,
        shards=10,
        workers=1,
        watch=asked.append,
        stop=lambda: len(asked) >= 4,
    )
    assert run.interrupted
    assert run.shards == 4
    assert asked[-1].shards == 4
    assert asked[-1].mistakes == run.mistakes
    w, _, mistakes, _ = mixed_perceptron([rounds_of(run, X, y)[0][:4]], np.zeros(WIDTH))
    np.testing.assert_allclose(run.weights, w, rtol=1e-12, atol=1e-12)
    assert run.mistakes == sum(mistakes)
    with pytest.raises(ValueError, match="no shards were left"):
        run.model("validated")
    assert run.model("mean").weights.size == WIDTH
    assert "interrupted" in str(run)


def test_stopping_keeps_the_rounds_that_have_ended(inline, data):
    path, X, y = data
    asked = []
    how = {"shards": 2, "synchronizations": 5, "workers": 1, "watch": asked.append}
    run = rg.cluster.play(rg.Perceptron(), path, stop=lambda: len(asked) >= 5, **how)
    assert run.synchronizations == 2
    assert run.shards == 4
    w, *_ = mixed_perceptron(rounds_of(run, X, y), np.zeros(WIDTH))
    np.testing.assert_allclose(run.weights, w, rtol=1e-12, atol=1e-12)
    inline(idle=3)
    with pytest.raises(KeyboardInterrupt):
        rg.cluster.play(rg.Perceptron(), path, shards=4, stop=lambda: True, workers=1)


@pytest.mark.parametrize("pick", [min, max])
def test_the_first_bad_row_in_order_fails_the_run(inline, data, pick):
    path, X, y = data
    lines = FORMS["a.svm"](X, y).splitlines()
    lines[60] = lines[150] = b"1 2:x"
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"\n".join(lines))
    ray = inline(pick=pick, cores=20)
    with pytest.raises(rg.BadRow, match=r"a\.svm:61: "):
        rg.cluster.play(rg.Perceptron(), path, shards=10)
    assert ray.cancelled > 0 or pick is max
    run = rg.cluster.play(
        rg.Perceptron(), path, shards=10, options=rg.ReadOptions(on_bad_rows="skip")
    )
    assert (run.skipped, run.rounds) == (2, 198)
    assert [line.partition(": ")[0] for line in run.problems] == [
        f"{path}:61",
        f"{path}:151",
    ]


def test_shards_agree_on_what_labels_mean(inline, tmp_path):
    rows = [f"1 1:{k}" for k in range(50)]
    rows[30], rows[45] = "0 1:1", "-1 1:2"
    (tmp_path / "a.svm").write_text("\n".join(rows[:20]))
    (tmp_path / "b.svm").write_text("\n".join(rows[20:40]))
    (tmp_path / "c.svm").write_text("\n".join(rows[40:]))
    with pytest.raises(ValueError, match=r"c\.svm: label -1 is a third value"):
        rg.cluster.play(rg.Perceptron(), str(tmp_path / "*.svm"), shard_size="file")
    two = [str(tmp_path / "a.svm"), str(tmp_path / "b.svm")]
    run = rg.cluster.play(rg.Perceptron(), two, shard_size="file")
    assert run.classes == (0, 1)


def test_what_cannot_be_averaged_is_refused(inline, data):
    path = data[0]
    refused = {
        "not a panel": (rg.Panel(), {}),
        "did you forget": (rg.Perceptron, {}),
        "keeps more than its weights": (rg.AdaGrad(), {"synchronizations": 2}),
        "keeps more": (rg.Pegasos(0.1), {"synchronizations": 2}),
        "synchronizations=0": (rg.Perceptron(), {"synchronizations": 0}),
        "workers=0": (rg.Perceptron(), {"workers": 0}),
        "goes with a list": (rg.Perceptron(), {"models": ["mean"]}),
    }
    for words, (learner, how) in refused.items():
        with pytest.raises((TypeError, ValueError), match=words):
            rg.cluster.play(learner, path, **how)
    with pytest.raises(FileNotFoundError, match="no file matches"):
        rg.cluster.play(rg.Perceptron(), f"{path}*x")
    with pytest.raises(ValueError, match="validated, mean, last"):
        rg.cluster.play(rg.Perceptron(), path).model("vote")


def test_every_averageable_learner_plays_in_shards(inline, data):
    path = data[0]
    learners = [rg.AdaGrad(), rg.Pegasos(0.1), rg.EG(radius=4.0, signed=True)]
    for learner in learners:
        run = rg.cluster.play(learner, path, shards=3, n_features=WIDTH)
        assert run.rounds == 200
        assert run.mistakes < 100


def test_without_ray_the_extra_is_named(monkeypatch, data):
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModuleNotFoundError, match=r"regretless\[cluster\]"):
        rg.cluster.play(rg.Perceptron(), data[0])


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere.invalid:6379"])
def test_an_address_that_does_not_answer_is_told(data, address):
    pytest.importorskip("ray")
    with pytest.raises(ConnectionError, match="no Ray cluster answers there"):
        rg.cluster.play(rg.Perceptron(), data[0], address=address)
    with pytest.raises(ValueError, match="host:port"):
        rg.cluster.play(rg.Perceptron(), data[0], address="somewhere")
