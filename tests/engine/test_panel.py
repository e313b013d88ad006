"""The panel against its page, and the laws that its users rely on."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import naive_panel
import regretless as rg
from panels import problem
from regretless.algorithms.learners.panel import PANELS, VIEWS
from regretless.engine.hypotheses.panel import FrozenPanel
from regretless.engine.players.panel import PanelPlayer
from regretless.parts.panel.members import implicit_step
from regretless.parts.panel.state import TILE, TILE_ROWS
from regretless.parts.rows import Dense, Sparse


def player(
    members=8, view="hat", n_features=0, dtype=np.float32, forest=True
) -> PanelPlayer:
    constants = PANELS[members]
    return PanelPlayer(VIEWS[view], constants, n_features, dtype=dtype, forest=forest)


def rows_of(X) -> Sparse:
    X = sparse.csr_array(X)
    return Sparse(X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data * 1.0)


def play(panel: PanelPlayer, X, y) -> np.ndarray:
    """The scores of all rounds."""
    n = len(y)
    panel.grow(X.shape[1])
    trace = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
    panel.play(rows_of(X), np.asarray(y, float), trace=trace)
    return trace[0]


@pytest.mark.parametrize(
    ("members", "view"),
    [(8, "hat"), pytest.param(4, "hat", marks=pytest.mark.slow), (8, "linear")],
)
def test_double_precision_agrees_with_the_page(rng, members, view):
    X, y = problem(rng)
    slow = naive_panel.play(naive_panel.Panel(members, view), X, y)
    fast = play(player(members, view, dtype=np.float64), X, y)
    np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("eta", [1e-3, 0.3, 1.0, 3.0])
def test_implicit_steps_are_solved(eta):
    """Newton's steps alone would go to and fro for ever where the pull is large."""
    for ym in (-30.0, -5.3, -1.0, 0.0, 0.5, 4.0, 30.0):
        for pull in (1e-3, 0.5, 4.0, 40.0, 69.0, 1e4):
            u = implicit_step(eta, ym, naive_panel.sigma(-ym), pull)
            assert abs(u - naive_panel.solve(eta, ym, pull)) <= 1e-6 * eta


def test_a_coin_that_has_lost_everything_bets_nothing():
    """z = 3 against a bet that was sure of z = 1 loses more than there is."""
    X = np.concatenate([np.tile([[1.0], [1.1]], (60, 1)), [[1e3]] * 3])
    y = np.concatenate([np.tile([-1.0, 1.0], 60), [-1.0] * 3])
    page = naive_panel.Panel(view="linear")
    slow = naive_panel.play(page, X, y)
    assert min(page.coin.wealth.values()) == -16.0
    fast = play(player(view="linear", dtype=np.float64), X, y)
    np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-9)


def test_single_precision_is_near_the_page(rng):
    X, y = problem(rng)
    slow = naive_panel.play(naive_panel.Panel(), X, y)
    fast = play(player(), X, y)
    np.testing.assert_allclose(fast[:100], slow[:100], rtol=2e-4, atol=2e-4)
    np.testing.assert_allclose(fast, slow, rtol=1e-2, atol=1e-2)


def test_scoring_says_what_playing_will_say(rng):
    X, y = problem(rng)
    panel = player(dtype=np.float64)
    play(panel, X[:200], y[:200])
    slow = naive_panel.Panel()
    naive_panel.play(slow, X[:200], y[:200])
    before = panel.hypothesis().state_dict()
    scores = panel.scores(rows_of(X[200:]), 100)
    assert all(
        np.array_equal(a, before[k]) for k, a in panel.hypothesis().state_dict().items()
    )
    x = {j: v for j, v in enumerate(X[200].tolist()) if v}
    assert scores[0] == pytest.approx(slow.predict(x), abs=1e-9)
    assert scores[0] == play(panel, X[200:201], y[200:201])[0]


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8), st.booleans())
def test_how_rows_are_cut_or_laid_out_never_matters(cuts, dense):
    X, y = problem(np.random.default_rng(7), n=200)
    whole, cut = player(), player()
    scores = play(whole, X, y)
    found, at = [], 0
    for size in [*cuts, 200]:
        stop = min(200, at + size)
        trace = (
            np.zeros(stop - at),
            np.zeros(stop - at),
            np.zeros(stop - at, np.bool_),
        )
        piece = X[at:stop]
        cut.grow(X.shape[1])
        rows = Dense(piece.ravel().copy(), X.shape[1]) if dense else rows_of(piece)
        cut.play(rows, y[at:stop], trace=trace)
        found.append(trace[0])
        at = stop
    assert np.array_equal(np.concatenate(found), scores)
    same_state(cut, whole)


def same_state(one: PanelPlayer, other: PanelPlayer) -> None:
    ours, theirs = one.state_dict(), other.state_dict()
    ours |= ours.pop("statistics")
    theirs |= theirs.pop("statistics")
    assert ours.keys() == theirs.keys()
    for name in ours.keys() - {"seconds"}:
        assert np.array_equal(ours[name], theirs[name]), name


@pytest.mark.parametrize("longest", [700, TILE + 1])
def test_rows_that_fill_a_tile_are_played_like_single_ones(rng, longest):
    """Rows of many lengths, so that a tile ends with the features or with the rows."""
    n = 3 * TILE_ROWS
    widths = np.where(rng.random(n) < 0.1, longest, 3)
    X = rng.normal(size=(n, longest)) * (np.arange(longest) < widths[:, None])
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    whole, single = player(), player()
    scores = play(whole, X, y)
    one_by_one = [play(single, X[i : i + 1], y[i : i + 1])[0] for i in range(n)]
    assert np.array_equal(scores, one_by_one)
    same_state(single, whole)


def test_room_for_features_to_come_changes_nothing(rng):
    X, y = problem(rng, d=30)
    X[:150, 10:] = 0.0
    early, late = player(n_features=5000), player()
    scores = play(early, X, y)
    first = play(late, X[:150, :10], y[:150])
    second = play(late, X[150:], y[150:])
    assert np.array_equal(np.concatenate([first, second]), scores)


def test_killed_and_resumed_is_uninterrupted(rng):
    X, y = problem(rng, n=2000)
    straight, begun, resumed = player(), player(), player()
    scores = play(straight, X, y)
    play(begun, X[:1000], y[:1000])
    resumed.load_state(deepcopy(begun.state_dict()))
    assert np.array_equal(play(resumed, X[1000:], y[1000:]), scores[1000:])
    same_state(resumed, straight)
    assert resumed.ledger() == straight.ledger()


def test_a_state_of_another_panel_is_refused(rng):
    saved = player(members=4).state_dict()
    with pytest.raises(ValueError, match="which it cannot be"):
        player().load_state(saved)
    saved.pop("curves")
    with pytest.raises(ValueError, match="no array 'curves'"):
        player(members=4).load_state(saved)


@pytest.mark.parametrize("view", ["hat", "linear"])
def test_units_of_columns_do_not_matter(rng, view):
    X, y = problem(rng, n=500)
    scores = play(player(view=view, dtype=np.float64), X, y)
    powers = 2.0 ** rng.integers(-60, 60, X.shape[1])
    doubled = play(player(view=view, dtype=np.float64), X * powers, y)
    assert np.array_equal(doubled, scores)
    scaled = play(player(view=view, dtype=np.float64), X * 1e6, y)
    np.testing.assert_allclose(scaled, scores, rtol=1e-6, atol=1e-6)


def test_units_in_single_precision(rng):
    X, y = problem(rng, n=500)
    scores = play(player(), X, y)
    powers = 2.0 ** rng.integers(-60, 60, X.shape[1])
    assert np.array_equal(play(player(), X * powers, y), scores)
    scaled = play(player(), X * 1e6, y)
    np.testing.assert_allclose(scaled, scores, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(scaled[:100], scores[:100], rtol=1e-6, atol=1e-6)


EXTREME = st.sampled_from([0.0, 1.0, -1.0, 1e30, -1e30, 1e-30, 1e-160, 1e150, 0.1])
TABLES = st.lists(st.tuples(*[EXTREME] * 3), min_size=1, max_size=40)


@given(TABLES, st.lists(st.booleans(), min_size=40, max_size=40))
def test_extreme_numbers_stay_finite(table, labels):
    X = np.array(table)
    panel = player()
    scores = play(panel, X, np.where(labels[: len(table)], 1.0, -1.0))
    assert np.isfinite(scores).all()
    for name, array in panel.hypothesis().state_dict().items():
        assert np.isfinite(array).all(), name
    assert np.isfinite(panel.scores(rows_of(X), len(X))).all()


def test_one_class_alone_and_rows_of_nothing():
    panel = player()
    scores = play(panel, np.zeros((50, 3)), np.ones(50))
    assert scores[0] == 0.0  # a tie, which is a mistake
    assert panel.ledger().mistakes == 1
    assert scores[-1] > 2.0
    assert np.all(np.diff(scores) >= -0.2)


def test_a_column_that_explodes_is_survived(rng):
    X, y = problem(rng, n=2000)
    calm = player()
    play(calm, X, y)
    X[1000:, 4] *= 1e30
    wild = player()
    assert np.isfinite(play(wild, X, y)).all()
    assert wild.ledger().mistakes < 1.5 * calm.ledger().mistakes


def test_a_feature_given_twice_is_survived():
    rows = Sparse(np.array([0, 3, 5]), np.array([0, 0, 1, 1, 1], np.int32), np.ones(5))
    panel = player()
    panel.grow(2)
    for _ in range(30):
        panel.play(rows, np.array([1.0, -1.0]))
    scores = panel.scores(rows, 2)
    assert scores[0] > 1.0 > -1.0 > scores[1]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("at", [20, TILE_ROWS])
def test_a_bad_row_is_refused_and_not_learned(rng, bad, at):
    X, y = problem(rng, n=TILE_ROWS + 20)
    good, met = player(), player()
    play(good, X[:at], y[:at])
    X[at, 4] = bad
    with pytest.raises(rg.BadRow, match=rf"row {at}: .*finite"):
        play(met, X, y)
    same_state(met, good)
    assert np.isnan(met.scores(rows_of(X[at : at + 1]), 1))[0]


def test_the_ledger_says_what_happened(rng):
    X, y = problem(rng)
    run = rg.play(rg.Panel(), X, y, trace=True)
    ledger = run.ledger
    assert ledger.mistakes == np.count_nonzero(y * run.scores <= 0.0)
    assert run.loss == pytest.approx(np.log1p(np.exp(-y * run.scores)).sum())
    assert ledger.max_norm == pytest.approx(np.linalg.norm(X, axis=1).max())
    assert ledger.max_entry == X.max()
    assert ledger.min_entry == X.min()
    assert 0 < ledger.updates <= 300
    assert ledger.sum_squared_gradients == 0.0
    assert run.weights.shape == (8,)


def test_members_that_have_little_to_learn_mostly_stay(rng):
    X = np.eye(2)[rng.integers(0, 2, 30_000)]
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    panel = player()
    play(panel, X[:20_000], y[:20_000])
    before = panel.ledger().updates
    play(panel, X[20_000:], y[20_000:])
    assert 0 < panel.ledger().updates - before < 5000


def test_events_one_at_a_time_are_the_rows(rng):
    X, y = problem(rng)
    X[:, 0] += 1.0 * (X[:, 0] == 0.0)  # all names from the first event on
    names = [f"x{j}" for j in range(X.shape[1])]
    run = rg.play(rg.Panel(), X, y, trace=True)
    learner = rg.Panel()
    for row, label, score in zip(X.tolist(), y, run.scores, strict=True):
        event = dict(zip(names, row, strict=True))
        if learner.live.rounds:
            assert learner.score_one(event) == score
            chance = learner.predict_proba_one(event)
            assert chance == pytest.approx(1 / (1 + np.exp(-score)))
            assert learner.predict_one(event) == (1 if score > 0 else -1)
        learner.learn_one(event, int(label))
    assert learner.ledger == run.ledger
    assert learner.weights == dict(zip(names, run.weights.tolist(), strict=True))
    with pytest.raises(ValueError, match="not a finite"):
        learner.learn_one({"x0": float("nan"), "new": 1.0}, 1)
    assert learner.ledger == run.ledger
    learner.forget()
    assert learner.ledger.rounds == 0


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match="must be 8 or 4"):
        rg.Panel(members=5)
    with pytest.raises(ValueError, match="hat"):
        rg.Panel(view="hats")
    with pytest.raises(ValueError, match="n_features"):
        rg.Panel(n_features=0)
    assert repr(rg.Panel(4, view="linear")) == "Panel(members=4, view='linear')"


def test_frozen_is_a_copy(rng):
    X, y = problem(rng)
    panel = player()
    play(panel, X[:100], y[:100])
    still = panel.hypothesis()
    assert isinstance(still, FrozenPanel)
    assert not isinstance(still, PanelPlayer)
    before = still.scores(rows_of(X), 300)
    assert np.array_equal(before, panel.scores(rows_of(X), 300))
    play(panel, X[100:], y[100:])
    assert np.array_equal(before, still.scores(rows_of(X), 300))


def test_weights_that_overflow_are_refused_not_certified():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = np.where(X[:, 0] + rng.normal(size=400) > 0, 1.0, -1.0)
    one = player(n_features=5)
    with pytest.raises(rg.BadRow, match="overflowed"):
        one.play(rows_of(X), y, weights=np.where(y > 0.0, 1e100, 1.0))
    assert np.isfinite(one.ledger().loss)


def test_more_features_than_memory_are_refused(monkeypatch):
    rng = np.random.default_rng(0)
    starts, labels = np.arange(0, 801, 4), np.where(rng.random(200) < 0.5, 1.0, -1.0)
    one = player(n_features=2**22)  # those that are declared take no memory
    few = Sparse(starts, rng.integers(0, 40, 800).astype(np.int32) << 16, np.ones(800))
    one.play(few, labels)
    before, scores = one.ledger(), one.scores(few, 200)
    many = few._replace(columns=np.arange(800, dtype=np.int32) << 10)
    module = "regretless.engine.hypotheses.panel"
    monkeypatch.setattr(f"{module}.physical_memory", lambda: 1e5)
    with pytest.raises(ValueError, match=r"a panel on .* features would take"):
        one.play(many, labels)
    assert one.ledger() == before
    assert np.array_equal(one.scores(few, 200), scores)
    with pytest.raises(ValueError, match=r"a panel on .* features would take"):
        player(n_features=10_000)
