"""Memory goes with the features that rows have had, not with those declared."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import regretless as rg
from regretless.engine import memory
from regretless.engine.hypotheses.met_features import MetFeatures
from regretless.evidence.snapshots import Recorder
from regretless.parts.panel.class_mixture import LIVE
from regretless.parts.rows import Dense, Sparse, some_rows
from regretless.runs.checkpoints import read_checkpoint, write_checkpoint

DECLARED = 2**18
WIDTH = 11


def narrow_rows(seed: int = 0, n: int = 200) -> tuple[Any, Any]:
    """Rows of 11 features, most of them zero, and four classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, n)
    X = (rng.normal(size=(n, WIDTH)) + 2.0 * np.eye(4, WIDTH)[y]).round(2)
    return X * (rng.random((n, WIDTH)) < 0.5), y


def scattered(seed: int = 0) -> Any:
    """Where the 11 features stand among many, in order."""
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(DECLARED, WIDTH, replace=False))


def wide_matrix(X: Any, columns: Any) -> Any:
    """The same rows with features far apart."""
    narrow = sparse.csr_array(X)
    parts = (narrow.data, columns[narrow.indices].astype(np.int32), narrow.indptr)
    return sparse.csr_array(parts, shape=(len(X), DECLARED))


def as_rows(matrix: Any) -> Sparse:
    """A matrix as learners take it."""
    starts = matrix.indptr.astype(np.int64)
    return Sparse(starts, matrix.indices.astype(np.int32), matrix.data)


def naive_numbers(seen: dict[int, int], columns: list[int]) -> list[int]:
    """The number of each column, new ones numbered as they come."""
    return [seen.setdefault(column, len(seen)) for column in columns]


def test_features_are_numbered_as_they_come():
    rng = np.random.default_rng(0)
    met, seen = MetFeatures(50, np.zeros(0, np.int64)), dict[int, int]()
    for last in range(1, 30):
        columns = rng.integers(0, 100, rng.integers(0, 9)).astype(np.int32)
        padding = np.full(3, 99, np.int32)  # of other rows, which do not come
        all_columns = np.concatenate([padding, columns, padding])
        rows = Sparse(
            np.array([3, 3 + len(columns)]), all_columns, np.ones(all_columns.size)
        )
        met.grow(100)
        before = met.find(rows)
        unknown = [seen.get(c, len(seen)) for c in columns.tolist()]
        assert before.columns.tolist() == unknown
        found = met.meet(rows)
        assert found.columns.tolist() == naive_numbers(seen, columns.tolist())
        assert found.starts.tolist() == [0, len(columns)]
        assert met.count == len(seen), last
    columns, numbers = met.numbers()
    assert dict(zip(columns.tolist(), numbers.tolist(), strict=True)) == seen


def test_dense_rows_stay_dense_where_they_came_first():
    met = MetFeatures(5, np.zeros(0, np.int64))
    rows = Dense(np.arange(6.0), 3)
    assert met.meet(rows) is rows
    assert met.find(rows) is rows
    other = MetFeatures(5, np.array([2, 0]))
    found = other.find(rows)
    assert isinstance(found, Sparse)
    assert found.columns.tolist() == [1, 2, 0, 1, 2, 0]
    assert found.starts.tolist() == [0, 3, 6]
    assert found.values.tolist() == rows.values.tolist()


@pytest.mark.parametrize("forest", [False, True])
def test_features_far_apart_are_learned_like_those_side_by_side(forest):
    X, y = narrow_rows()
    columns, labels = scattered(), y.astype(float)
    learner = rg.OneVersusRest(rg.Panel(forest=forest))
    one, other = learner.player(WIDTH), learner.player(DECLARED)
    wide = as_rows(wide_matrix(X, columns))
    one.play(Dense(X.ravel(), WIDTH), labels)
    for start, stop in ((0, 3), (3, 3), (3, 120), (120, 200)):
        other.play(some_rows(wide, start, stop), labels[start:stop])
    assert one.ledger() == other.ledger()
    scores = one.scores(Dense(X.ravel(), WIDTH), 200)
    assert np.array_equal(scores, other.scores(wide, 200))
    assert np.array_equal(scores, other.hypothesis().scores(wide, 200))
    alone = one.alone(2).scores(Dense(X.ravel(), WIDTH), 200)
    assert np.array_equal(alone, other.alone(2).scores(wide, 200))
    weights = np.zeros((4, DECLARED))
    weights[:, columns] = one.weights()
    assert np.array_equal(other.weights(), weights)
    assert np.array_equal(other.hypothesis().weights(), weights)
    again = learner.player(DECLARED)
    again.load_state(other.state_dict())
    again.play(wide, labels)
    one.play(Dense(X.ravel(), WIDTH), labels)
    assert one.ledger() == again.ledger()
    # Each feature that nobody has seen is one of its own to a panel that stands alone.
    unseen = wide._replace(columns=(wide.columns + wide.columns % 2) % DECLARED)
    assert not np.array_equal(again.scores(unseen, 200), again.scores(wide, 200))
    again._members.lanes.mixture.numbers[LIVE] = 0.0  # each decides for itself
    scores = again.scores(unseen, 200)
    assert np.array_equal(scores[:, 1], again.alone(1).scores(unseen, 200))


def test_there_is_always_a_feature_of_which_nothing_is_known():
    player = rg.OneVersusRest(rg.Panel(forest=False)).player(DECLARED)
    for i in range(20):
        row = Sparse(np.array([0, 1]), np.array([7 * i], np.int32), np.ones(1))
        player.play(row, np.array([i % 2.0]))
        lanes = player._members.lanes
        assert lanes.met.count == i + 1
        for name in ("counts", "curves"):
            others = lanes.by_lane(name)[lanes.met.count + 1 :]
            assert len(others)
            assert not others.any()


def test_what_comes_dense_or_sparse_is_the_same():
    X, y = narrow_rows(1)
    labels, learner = y.astype(float), rg.OneVersusRest(rg.Panel())
    one, other = learner.player(WIDTH), learner.player(WIDTH)
    rows = Dense(X.ravel(), WIDTH)
    one.play(rows, labels)
    again = as_rows(sparse.csr_array(X))
    for i in range(5):  # so that features are not numbered in order
        other.play(some_rows(again, i, i + 1), labels[i : i + 1])
    other.play(some_rows(rows, 5, 150), labels[5:150])
    other.play(some_rows(again, 150, 200), labels[150:])
    assert not np.array_equal(*other._members.lanes.met.numbers())
    assert one.ledger() == other.ledger()
    assert np.array_equal(one.scores(rows, 200), other.scores(rows, 200))


def test_a_model_of_features_far_apart_is_saved_and_explained(tmp_path):
    X, y = narrow_rows(2)
    columns = scattered(2)
    wide = wide_matrix(X, columns)
    learner = rg.OneVersusRest(rg.Panel())
    one, other = rg.play(learner, X, y), rg.play(learner, wide, y)
    assert one.ledger == other.ledger
    narrow, model = one.model("last"), other.model("last")
    model.save(tmp_path / "wide.rgl")
    narrow.save(tmp_path / "narrow.rgl")
    sizes = [(tmp_path / f"{name}.rgl").stat().st_size for name in ("wide", "narrow")]
    assert sizes[0] < sizes[1] + 4000
    for each in (model, rg.load(tmp_path / "wide.rgl")):
        assert each.n_features == DECLARED
        assert np.array_equal(each.scores(wide), narrow.scores(X))
        effects = np.zeros((4, DECLARED))
        effects[:, columns] = narrow.effects().values
        assert np.array_equal(each.effects().values, effects)
        effects = np.zeros(DECLARED)
        effects[columns] = narrow.alone(1).effects().values
        assert np.array_equal(each.alone(1).effects().values, effects)
        assert each.explain_one(wide[:1]) == {
            label: {int(columns[j]): effect for j, effect in found.items()}
            for label, found in narrow.explain_one(X[:1]).items()
        }


def test_a_run_is_resumed_on_the_features_that_it_has_met(tmp_path):
    X, y = narrow_rows(3)
    rows, labels = as_rows(wide_matrix(X, scattered(3))), y.astype(float)
    learner, kinds = rg.OneVersusRest(rg.Panel(forest=False)), ("validated",)
    whole = Recorder(learner.player(DECLARED), kinds, None)
    whole.play(rows, labels)
    half = Recorder(learner.player(DECLARED), kinds, None)
    for start in range(0, 90, 10):
        half.play(some_rows(rows, start, start + 10), labels[start : start + 10])
    path = tmp_path / "half.ckpt"
    write_checkpoint(path, learner=learner, player=half.player, recorder=half)
    assert path.stat().st_size < 1e6
    player, rest = read_checkpoint(path).restore(learner)
    rest.play(some_rows(rows, 90, 200), labels[90:])
    assert player.ledger() == whole.player.ledger()
    assert_same(player.state_dict(), whole.player.state_dict())
    assert_same(rest.state_dict(), whole.state_dict())


def assert_same(one: Any, other: Any) -> None:
    """Trees of plain data and arrays that agree to the last bit, but for the time."""
    if isinstance(one, np.ndarray):
        assert np.array_equal(one, other, equal_nan=True)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key in one.keys() - {"seconds"}:
            assert_same(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for mine, its in zip(one, other, strict=True):
            assert_same(mine, its)
    else:
        assert one == other


def test_memory_goes_with_the_features_met():
    rng = np.random.default_rng(4)
    words = rng.choice(DECLARED, 300, replace=False).astype(np.int32)
    columns = np.sort(words[rng.integers(0, 300, (400, 10))], axis=1)
    rows = Sparse(np.arange(0, 4001, 10), columns.ravel(), np.ones(4000))
    learner = rg.OneVersusRest(rg.Panel(forest=False))
    learner.player(DECLARED).play(rows, np.arange(400.0) % 20)  # loads machine code
    player = learner.player(DECLARED)
    player.play(some_rows(rows, 0, 1), np.zeros(1))
    tracemalloc.start()
    player.play(some_rows(rows, 1, 400), np.arange(399.0) % 20)
    frozen = [player.hypothesis() for _ in range(3)]
    state, arrays = player.state_dict(), frozen[0].state_dict()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(state["players"]) == 21
    assert len(arrays["panels"]) == 20
    each = 300 * 20 * 288  # bytes: what all classes know of 300 features
    assert peak < 12 * each < 0.05 * DECLARED * 20 * 288


@pytest.mark.parametrize("freezes", [False, True])
def test_what_does_not_fit_is_refused_and_nothing_has_changed(freezes, monkeypatch):
    X, y = narrow_rows(5)
    player = rg.OneVersusRest(rg.Panel(forest=False)).player(DECLARED)
    rows = as_rows(wide_matrix(X, scattered(5)))
    player.play(some_rows(rows, 0, 40), y[:40].astype(float))
    before, scores = player.ledger(), player.scores(rows, 200)
    # There is room for more features, but it is not taken yet.
    player._members.lanes._widen(5000, player._members.lanes.room)
    monkeypatch.setattr(memory, "physical_memory", lambda: 1e6)
    other = rows._replace(columns=np.arange(rows.columns.size, dtype=np.int32))
    told = r"^4 classes on 1,[0-9]+ features would take .* GB: .*-b 4"
    if freezes:
        player.hypothesis()
        told = r"would take .* GB with the models frozen on the way: .*-b 2"
    with pytest.raises(ValueError, match=told):
        player.play(other, y.astype(float))
    assert player.ledger() == before
    assert np.array_equal(player.scores(rows, 200), scores)
    assert np.isfinite(player.scores(other, 200)).all()
    player.play(some_rows(rows, 40, 200), y[40:].astype(float))
    assert player.rounds == 200
