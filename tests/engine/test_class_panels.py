"""Panels of many classes share the views of a row, and are what each would be alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.engine.hypotheses.lanes import PanelLanes
from regretless.engine.kernels import compiled
from regretless.engine.players.classes import panel_lanes
from regretless.parts.panel.class_mixture import LIVE as MIXED
from regretless.parts.rows import Dense


def panels_problem(seed: int = 20, n: int = 260) -> tuple[Any, Any]:
    """Rows of many sizes, of which some are empty; classes come late."""
    rng = np.random.default_rng(seed)
    y = np.minimum(rng.integers(0, 5, n), np.arange(n) // 40)
    X = rng.normal(size=(n, 11)) + 2.0 * np.eye(5, 11)[y]
    X *= rng.random((n, 11)) < 0.6
    X[::50] = 0.0
    return X, y


def same_players(one: Any, other: Any) -> None:
    """The panels of all classes agree to the last bit, and so do their statistics."""
    for mine, its in zip(one, other, strict=True):
        for name, array in mine.hypothesis().state_dict().items():
            assert np.array_equal(array, its.hypothesis().state_dict()[name]), name
        for a, b in zip(mine.statistics, its.statistics, strict=True):
            assert np.array_equal(a, b)


@pytest.mark.parametrize("split", [[], [1, 2, 39, 40, 41, 130]])
def test_panels_that_share_views_are_panels_of_their_own(split):
    X, y = panels_problem()
    weights = np.random.default_rng(1).choice([0.0, 0.5, 3.0], len(y))
    crew = rg.OneVersusRest(rg.Panel(forest=False)).player(0)
    crew._members.lanes.mixture.numbers[MIXED] = 0.0  # each decides for itself
    crew.grow(11)
    for lo, hi in zip([0, *split], [*split, len(y)], strict=True):
        rows = Dense(X[lo:hi].ravel(), 11)
        crew.play(rows, y[lo:hi].astype(float), weights=weights[lo:hi])
    alone: list[Any] = []
    for k in range(5):
        player = rg.Panel(forest=False).player(11)
        signs = np.where(y == k, 1.0, -1.0)
        player.play(Dense(X.ravel(), 11), signs, weights=weights)
        alone.append(player)
    same_players(crew.players(), alone)
    rows = Dense(X.ravel(), 11)
    scores = np.stack([player.scores(rows, len(y)) for player in alone], axis=1)
    assert np.array_equal(crew.scores(rows, len(y)), scores)
    assert np.array_equal(crew.hypothesis().scores(rows, len(y)), scores)
    assert np.array_equal(crew.all_weights(), [p.all_weights() for p in alone])
    thawed = rg.OneVersusRest(rg.Panel(forest=False)).player(0)
    thawed.load_state(crew.state_dict())
    same_players(thawed.players(), alone)
    for player in (crew, thawed):
        player.play(Dense(X[:50].ravel(), 11), np.arange(50.0) % 7)
    same_players(crew.players(), thawed.players())
    assert crew.ledger() == thawed.ledger()


def test_panels_of_classes_refuse_a_row_together():
    X, y = panels_problem(21, n=120)
    learner = rg.OneVersusRest(rg.Panel())
    player, other = learner.player(11), learner.player(11)
    target = y.astype(float)
    other.play(Dense(X[:70].ravel(), 11), target[:70])
    X[70, 3] = np.nan
    target[70] = 9.0
    with pytest.raises(rg.BadRow, match="row 70"):
        player.play(Dense(X.ravel(), 11), target)
    assert player.n_classes == other.n_classes
    same_players(player.players(), other.players())
    assert player.ledger() == other.ledger()
    other.play(Dense(X[71:].ravel(), 11), target[71:])
    player.play(Dense(X[71:].ravel(), 11), target[71:])
    same_players(player.players(), other.players())


def test_where_the_weights_of_one_class_overflow_no_class_has_learned():
    X, y = panels_problem(22, n=60)
    player = rg.OneVersusRest(rg.Panel()).player(11)
    target = y.astype(float)
    player.play(Dense(X[:50].ravel(), 11), target[:50])
    state = player.state_dict()
    state["players"][1]["stack"][:] = 1e308
    player.load_state(state)
    before = player.players()
    with pytest.raises(rg.BadRow, match="overflowed"):
        player.play(Dense(X[50:].ravel(), 11), target[50:])
    for mine, its in zip(player.players(), before, strict=True):
        assert mine.rounds == its.rounds == 50
        for name in ("rows", "curves", "stack", "covariance", "numbers"):
            assert np.array_equal(
                mine.hypothesis().state_dict()[name],
                its.hypothesis().state_dict()[name],
            ), name


def test_panels_that_have_seen_other_rows_are_refused():
    X, y = panels_problem(23, n=60)
    player = rg.OneVersusRest(rg.Panel()).player(11)
    player.play(Dense(X.ravel(), 11), y.astype(float))
    state = player.state_dict()
    state["players"][0]["moments"][2, 0] += 1.0
    with pytest.raises(ValueError, match="not seen the same rows"):
        player.load_state(state)


def test_panels_learn_event_by_event_what_they_learn_from_arrays():
    X, y = panels_problem(24, n=100)
    learner = rg.OneVersusRest(rg.Panel())
    events = [dict(zip("abcdefghijk", x, strict=True)) for x in X.tolist()]
    for x, label in zip(events, y.tolist(), strict=True):
        learner.learn_one(x, label)
    run = rg.play(rg.OneVersusRest(rg.Panel()), X, y)
    assert learner.ledger == run.ledger
    scores = list(learner.score_one(events[3]).values())
    assert np.array_equal(scores, run.model("last").scores(X[3:4])[0])
    before = learner.ledger
    with pytest.raises(rg.BadRow, match="row 100"):
        learner.learn_one({"a": np.inf, "new": 1.0}, "new")
    assert learner.ledger == before


def test_what_is_said_to_decide_the_types_of_arguments_does(monkeypatch):
    known: dict[Any, Any] = {}

    def checked(loop: Any, arguments: Any, *, typed_by: Any = None) -> Any:
        if typed_by is not None:
            key, types = (loop, compiled._shape(typed_by)), compiled._shape(arguments)
            assert known.setdefault(key, types) == types
        return entry(loop, arguments, typed_by=typed_by)

    entry = compiled.entry
    monkeypatch.setattr(compiled, "entry", checked)
    monkeypatch.setattr(panel_lanes, "entry", checked)
    X, y = panels_problem(25, n=80)
    for learner in (rg.Panel(), rg.Panel(forest=False), rg.Panel(members=4)):
        for weights in (None, np.ones(80)):
            for trace in (False, True):
                player = rg.OneVersusRest(learner).player(11)
                room = player.new_trace(80, y * 1.0) if trace else None
                rows = Dense(X.ravel(), 11)
                player.play(rows, y * 1.0, weights=weights, trace=room)
                player.scores(rows, 80)
                player.hypothesis().scores(rows, 80)
    assert len(known) == 6


def test_the_classes_of_a_batch_get_their_room_at_once(monkeypatch):
    """All that lanes know is moved when they get more room."""
    moves, widen = [], PanelLanes._widen
    monkeypatch.setattr(
        PanelLanes, "_widen", lambda *one: (moves.append(one[1:]), widen(*one))[1]
    )
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 7)), np.arange(600) // 2
    whole = rg.play(rg.OneVersusRest(rg.Panel(forest=False)), X, y)
    assert moves == [(9, 301)]
    parts = rg.OneVersusRest(rg.Panel(forest=False)).player(7)
    for lo in range(0, 600, 20):
        parts.play(Dense(X[lo : lo + 20].ravel(), 7), y[lo : lo + 20].astype(float))
    assert 5 < len(moves) < 20
    assert np.array_equal(parts.weights(), whole.weights)
