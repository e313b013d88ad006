"""Panels that number the features they meet are those that know them as they come."""

from __future__ import annotations

import tracemalloc
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.engine.hypotheses import met_features
from regretless.evidence.snapshots import Recorder
from regretless.parts.rows import Dense, Sparse, some_rows
from regretless.runs.checkpoints import read_checkpoint, write_checkpoint

DECLARED = 2**16
KINDS = {
    "two classes": rg.Panel(forest=False),
    "two classes, with a forest": rg.Panel(),
    "amounts": rg.RegressionPanel(forest=False),
    "amounts, with a forest": rg.RegressionPanel(),
    "classes": rg.OneVersusRest(rg.Panel()),
}


def problem(seed: int, words: int, n: int = 600) -> tuple[Sparse, Any, Any]:
    """Rows of a few of so many words far apart; labels of two classes, and amounts."""
    rng = np.random.default_rng(seed)
    columns = rng.choice(DECLARED, words, replace=False)
    columns[:4] = [3, 7, 90, 130]  # the ridge regression sees some of the first
    each = rng.integers(1, 7, n)
    starts = np.r_[0, np.cumsum(each)]
    chosen = np.concatenate([rng.choice(words, k, replace=False) for k in each])
    values = rng.normal(1.0, 1.0, starts[-1]).round(2)
    effects = rng.normal(size=words)
    score = np.add.reduceat(effects[chosen] * values, starts[:-1])
    rows = Sparse(starts, columns[chosen].astype(np.int32), values)
    return rows, np.where(score > 0.0, 1.0, -1.0), score


def labels_for(kind: str, signs: Any, amounts: Any) -> Any:
    if kind.startswith("amounts"):
        return amounts
    return np.abs(amounts).round() % 4.0 if kind == "classes" else signs


@pytest.fixture(params=[10, 400])
def words(request) -> int:
    """How many words there are: forests play on few."""
    return request.param


def direct_player(learner: Any, monkeypatch: Any) -> Any:
    with monkeypatch.context() as patched:
        patched.setattr(met_features, "DIRECT", DECLARED)
        return learner.player(DECLARED)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "classes"])
def test_no_result_depends_on_how_features_are_numbered(kind, words, monkeypatch):
    learner = KINDS[kind]
    rows, *known = problem(1, words)
    labels = labels_for(kind, *known)
    one, other = direct_player(learner, monkeypatch), learner.player(DECLARED)
    assert not one.met.blank
    assert other.met.blank
    unknown, _, _ = problem(2, words)
    for start, stop in ((0, 1), (1, 1), (1, 200), (200, 600)):
        for each in (one, other):
            each.play(some_rows(rows, start, stop), labels[start:stop])
        for some in (rows, unknown, Dense(np.eye(3, DECLARED).ravel(), DECLARED)):
            n = 3 if isinstance(some, Dense) else 600
            assert np.array_equal(one.scores(some, n), other.scores(some, n))
    assert one.ledger() == other.ledger()
    assert np.array_equal(one.weights(), other.weights())
    frozen = [each.hypothesis() for each in (one, other)]
    again = learner.player(0)
    again.load_state(deepcopy(other.state_dict()))
    for each in (one, other, again):
        each.play(unknown, labels)
    assert one.ledger() == other.ledger() == again.ledger()
    for some in (rows, unknown):
        first, second = (each.scores(some, 600) for each in frozen)
        assert np.array_equal(first, second)
        first, second = (each.scores(some, 600) for each in (other, again))
        assert np.array_equal(first, second)
    if frozen[0].effect_of == "typical row":
        for first, second in zip(*(each.effects() for each in frozen), strict=True):
            assert np.array_equal(first, second)


@pytest.mark.parametrize("kind", KINDS)
def test_memory_and_files_go_with_what_occurs(kind, tmp_path):
    learner = KINDS[kind]
    rows, *known = problem(3, 300)
    labels = labels_for(kind, *known)
    learner.player(DECLARED).play(rows, labels)  # loads machine code
    sizes: list[int] = []
    for declared in (DECLARED, 2**22):
        tracemalloc.start()
        player = learner.player(declared)
        player.play(rows, labels)
        state = player.state_dict()
        path = tmp_path / f"{declared}.ckpt"
        write_checkpoint(path, learner=learner, player=player)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert state["n_features"] == declared
        sizes.append(path.stat().st_size)
        again, _ = read_checkpoint(path).restore(learner)
        for each in (player, again):
            each.play(rows, labels)
        assert again.ledger() == player.ledger()
        assert again.n_features == declared
        classes = 5 if kind == "classes" else 1
        assert peak < classes * 4e7 + 2 * declared  # which has a mask of all features
    assert abs(sizes[0] - sizes[1]) < 2000


@pytest.mark.parametrize("kind", ["two classes", "amounts"])
def test_a_run_is_resumed_where_it_stopped(kind, tmp_path):
    learner, kinds = KINDS[kind], ("random",)
    rows, *known = problem(4, 300)
    labels = labels_for(kind, *known)
    whole = Recorder(learner.player(DECLARED), kinds, None)
    whole.play(rows, labels)
    half = Recorder(learner.player(DECLARED), kinds, None)
    half.play(some_rows(rows, 0, 90), labels[:90])
    path = tmp_path / "half.ckpt"
    write_checkpoint(path, learner=learner, player=half.player, recorder=half)
    player, rest = read_checkpoint(path).restore(learner)
    assert rest is not None
    rest.play(some_rows(rows, 90, 600), labels[90:])
    assert player.ledger() == whole.player.ledger()
    first, second = (one.random[1].scores(rows, 600) for one in (whole, rest))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("kind", ["two classes", "amounts"])
@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ([5, 5], "met a feature twice"),
        ([5, DECLARED], "is not in"),
        ([500], "shape|same features"),
    ],
)
def test_numbers_that_cannot_be_are_refused(kind, columns, told):
    rows = Sparse(np.array([0, 2]), np.array([400, 9000], np.int32), np.ones(2))
    player = KINDS[kind].player(DECLARED)
    player.play(rows, np.ones(1))
    state = player.state_dict()
    given = np.array(columns, np.int32)
    first = state["met"].size - 2
    state["met"] = np.concatenate([state["met"][:first], given])
    with pytest.raises(ValueError, match=told):
        KINDS[kind].player(DECLARED).load_state(state)


def test_a_bad_row_is_named_by_the_column_it_came_with():
    rows = Sparse(
        np.array([0, 1, 2]), np.array([400, 9000], np.int32), np.array([1.0, np.nan])
    )
    for kind, learner in KINDS.items():
        with pytest.raises(rg.BadRow, match="9000"):
            learner.player(DECLARED).play(rows, np.ones(2)), kind


def test_the_table_is_what_a_dict_would_be():
    rng = np.random.default_rng(5)
    met, naive = met_features.MetFeatures(2**30, np.zeros(0, np.int64)), {}
    for size in (1, 10, 1000, 20_000, 5):
        columns = (rng.zipf(1.2, size) % 2**30).astype(np.int32)
        rows = Sparse(np.array([0, size]), columns, np.ones(size))
        before = met.count
        found = met.find(rows).columns.tolist()
        assert found == [naive.get(c, before) for c in columns.tolist()]
        found = met.meet(rows).columns.tolist()
        assert found == [naive.setdefault(c, len(naive)) for c in columns.tolist()]
        assert met.columns.tolist() == list(naive)
        kept = met.copy()
        kept.return_to(before)
        assert kept.columns.tolist() == list(naive)[:before]
        assert met.count == len(naive)
