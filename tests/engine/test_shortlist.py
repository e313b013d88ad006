"""A crowd of classes: who plays a row, against its page; and saved, frozen, counted."""

from __future__ import annotations

import tracemalloc
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import regretless as rg
from naive_shortlist import Crowd
from regretless.engine.players.classes import OneVersusRestPlayer
from regretless.evidence.metrics import metrics_of_task
from regretless.parts import observers
from regretless.parts.panel import shortlist
from regretless.parts.panel.state import NEGATIVES, POSITIVES, ROUNDS
from regretless.parts.rows import Dense, Sparse
from regretless.runs.measuring import feed_metrics

FEW = 6  # listed, in tests
CLASSES = 11
D = 5


@pytest.fixture
def short(monkeypatch):
    """Lists of a few classes, so that tests need no crowd."""
    monkeypatch.setattr(shortlist, "LISTED", FEW)


def clusters(seed: int, n: int = 150, classes: int = CLASSES) -> tuple[Any, Any]:
    """Classes around centers, numbered as they come."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    _, first, y = np.unique(y, return_index=True, return_inverse=True)
    y = np.argsort(np.argsort(first))[y]
    return 1.5 * rng.normal(size=(classes, D))[y] + rng.normal(size=(n, D)), y


def as_rows(X: Any, kind: str) -> Dense | Sparse:
    """The same rows, dense or sparse."""
    if kind == "dense":
        return Dense(X.ravel().copy(), D)
    columns = np.tile(np.arange(D, dtype=np.int32), len(X))
    return Sparse(D * np.arange(len(X) + 1), columns, X.ravel().copy())


def played(player: Any, X: Any, y: Any, kind: str = "dense", **given: Any) -> Any:
    """The scores of all rounds."""
    trace = player.new_trace(len(y), y.astype(float))
    player.play(as_rows(X, kind), y.astype(float), trace=trace, **given)
    return trace[0]


def player_of(dtype: Any = np.float32, threads: int = 1) -> Any:
    """Panels without a forest."""
    learner = rg.OneVersusRest(rg.Panel(forest=False))
    if dtype == np.float32:
        player = learner.player(D)
    else:
        one = rg.Panel(forest=False).player(D)
        exact = type(one)(one.view, one.constants, D, dtype=dtype, forest=False)
        player = OneVersusRestPlayer(exact)
    player.threads = threads
    return player


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_it_agrees_with_its_page(short, kind):
    X, y = clusters(1, 120)
    X[np.random.default_rng(0).random(X.shape) < 0.2] = 0.0
    player = player_of(np.float64)
    player.admit(CLASSES)
    fast = played(player, X, y, kind)
    crowd = Crowd(CLASSES, FEW)
    slow = [crowd.round(row, k) for row, k in zip(X.tolist(), y.tolist(), strict=True)]
    np.testing.assert_allclose(fast, np.array(slow), rtol=1e-6, atol=1e-6)
    assert crowd.missed > 0


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("cut", [3, 40, 110])
def test_it_goes_on_where_it_was_saved(short, cut, kind):
    X, y = clusters(2)
    whole, first, second = (player_of() for _ in range(3))
    scores = played(whole, X, y, kind)
    played(first, X[:cut], y[:cut], kind)
    second.load_state(deepcopy(first.state_dict()))
    later = played(second, X[cut:], y[cut:], kind)
    assert np.array_equal(scores[cut:, : later.shape[1]], later)
    assert whole.ledger() == second.ledger()


@pytest.mark.parametrize("batch", [1, 7, 50])
def test_neither_batches_nor_threads_matter(short, batch):
    X, y = clusters(3)
    one, two = player_of(), player_of(threads=2)
    scores = played(one, X, y)
    for start in range(0, len(y), batch):
        some = slice(start, start + batch)
        found = played(two, X[some], y[some])
        assert np.array_equal(scores[some, : found.shape[1]], found)
    assert one.ledger() == two.ledger()


def test_a_frozen_crowd_says_what_the_game_would_say_next(short):
    X, y = clusters(4)
    player = player_of()
    played(player, X[:100], y[:100])
    frozen = player.hypothesis()
    rows = as_rows(X[100:101], "dense")
    now = player.scores(rows, 1)
    assert np.array_equal(now, frozen.scores(rows, 1))
    stored = frozen.blank(frozen.facts())
    stored.load_state(deepcopy(frozen.state_dict()))
    assert np.array_equal(now, stored.scores(rows, 1))
    assert np.array_equal(now, played(player, X[100:101], y[100:101]))


def test_every_class_has_counted_every_row(short):
    X, y = clusters(5)
    player = player_of()
    played(player, X, y)
    for k, panel in enumerate(player.players()):
        numbers, counts = panel.state.numbers, panel.state.moments[: D + 1, 2:4]
        assert numbers[ROUNDS] == numbers[POSITIVES] + numbers[NEGATIVES] == len(y)
        assert numbers[POSITIVES] == np.sum(y == k)
        assert np.array_equal(counts[:, 0], np.full(D + 1, np.sum(y == k)))
        assert np.array_equal(counts.sum(axis=1), np.full(D + 1, len(y)))


def test_few_classes_play_a_row_however_many_there_are():
    X, y = clusters(6, n=700, classes=300)
    player = player_of()
    player.admit(300)
    before = [p[observers.ROUNDS] for p, *_ in player._members.statistics()]
    played(player, X, y)
    after = [p[observers.ROUNDS] for p, *_ in player._members.statistics()]
    plays = np.subtract(after, before)[:300].sum()
    assert shortlist.LISTED * len(y) <= plays <= (shortlist.LISTED + 1) * len(y)


def test_up_to_the_length_of_the_list_nothing_is_different():
    X, y = clusters(7, n=400, classes=shortlist.LISTED)
    listing, without = player_of(), player_of()
    without._members.lanes.panels.listing[shortlist.LIVE] = 0.0
    assert np.array_equal(played(listing, X, y), played(without, X, y))


def test_probabilities_add_up_and_the_log_loss_is_finite(short, tmp_path):
    X, y = clusters(8)
    run = rg.play(rg.OneVersusRest(rg.Panel(forest=False)), X, y)
    model = run.model("last")
    chances = model.predict_proba(X)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert (chances > 0.0).all()
    assert np.isfinite(run.metrics.log_loss)
    model.save(tmp_path / "m.rgl")
    assert np.array_equal(rg.load(tmp_path / "m.rgl").predict_proba(X), chances)
    found = run.theorems()["one-versus-rest/mixture"]
    assert found.applies
    assert found.happened <= found.value


def test_a_game_of_an_earlier_version_goes_on_with_all_classes(short):
    X, y = clusters(9)
    old = player_of()
    old._members.lanes.panels.listing[shortlist.LIVE] = 0.0
    played(old, X[:80], y[:80])
    state = old.state_dict()
    assert "ranker" not in state
    player = player_of()
    player.load_state(deepcopy(state))
    assert np.array_equal(played(player, X[80:], y[80:]), played(old, X[80:], y[80:]))


def test_a_ranking_that_is_damaged_is_refused(short):
    X, y = clusters(10)
    player = player_of()
    played(player, X, y)
    state = player.state_dict()
    state["ranker"] = state["ranker"][:2]
    with pytest.raises(ValueError, match="ranker"):
        player_of().load_state(state)


def test_a_row_that_is_refused_teaches_nobody(short):
    X, y = clusters(11)
    player, other = player_of(), player_of()
    played(player, X[:100], y[:100])
    played(other, X[:100], y[:100])
    bad = X[100:101].copy()
    bad[0, 1] = np.inf
    with pytest.raises(rg.BadRow):
        played(player, bad, y[100:101])
    assert np.array_equal(
        played(player, X[101:], y[101:]), played(other, X[101:], y[101:])
    )


def test_the_list_finds_what_many_panels_would_find():
    X, y = clusters(12, n=4000, classes=300)
    listing, every = player_of(), player_of()
    every._members.lanes.panels.listing[shortlist.LIVE] = 0.0
    played(listing, X, y)
    played(every, X, y)
    assert listing.ledger().mistakes < 1.02 * every.ledger().mistakes


def test_effects_are_asked_of_all_classes():
    X, y = clusters(13, n=4000, classes=600)
    model = rg.play(rg.OneVersusRest(rg.Panel(forest=False)), X, y).model("last")
    effects = model.effects().values
    assert (effects != 0.0).all()
    centers = np.array([X[y == k].mean(axis=0) for k in model.classes or ()])
    each, top = np.arange(len(effects)), np.abs(effects).argmax(axis=1)
    agree = np.sign(effects[each, top]) == np.sign(centers[each, top])
    assert agree.mean() > 0.8
    explained = model.explain_one(X[0])
    assert all(effect != 0.0 for one in explained.values() for effect in one.values())


def test_a_list_that_missed_more_rows_than_it_saw_is_refused(short):
    X, y = clusters(14)
    player = player_of()
    played(player, X, y)
    for seen, missed in [(-1.0, 0.0), (5.0, 10.0), (np.nan, 0.0), (np.inf, 1.0)]:
        state = player.state_dict()
        state["listing"][1:] = seen, missed
        with pytest.raises(ValueError, match="listing"):
            player_of().load_state(state)


def test_the_ledger_of_huge_rows_warns_of_nothing(short):
    X, y = clusters(15)
    X[::5] *= 3e152
    player = player_of()
    played(player, X, y)
    assert player.ledger().sum_squared_norms == np.inf


@pytest.mark.parametrize("known", [True, False])
def test_what_classes_have_paid_adds_up(short, known):
    X, y = clusters(16)
    player = player_of()
    player.most = CLASSES if known else None
    weights = np.random.default_rng(0).choice([0.0, 0.3, 1.0], len(y))
    trace = player.new_trace(len(y), y.astype(float))
    player.play(as_rows(X, "dense"), y.astype(float), trace=trace, weights=weights)
    statistics = player._members.statistics()
    assert len(statistics) == CLASSES + (not known)
    paid = sum(sums[observers.LOSS] for _, sums, _ in statistics[:CLASSES])
    ledger = player.ledger()
    np.testing.assert_allclose(ledger.loss, paid)
    assert (ledger.rounds, ledger.mistakes) == (len(y), trace[2].sum())


@pytest.mark.parametrize("cut", [4, 8, 20, 60])
def test_a_copy_goes_on_with_classes_that_come_later(short, cut):
    X, y = clusters(17)
    y = np.minimum(y, np.arange(len(y)) // 4)
    one = player_of()
    played(one, X[:cut], y[:cut])
    other = deepcopy(one)  # as pickles do it
    X, y = X[cut:], y[cut:]
    assert np.array_equal(played(one, X, y), played(other, X, y))
    assert one.ledger() == other.ledger()


def test_metrics_of_a_crowd_take_little_memory():
    n, classes = 4000, 500
    scores = np.random.default_rng(18).normal(size=(n, classes))
    labels = np.arange(n) % classes * 1.0
    metrics = metrics_of_task("classes", probabilistic=True)
    tracemalloc.start()
    feed_metrics(metrics, scores, labels, np.tile([0.0, 1.0, 1.0], (n, 1)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < scores.nbytes / 2
