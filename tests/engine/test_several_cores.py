"""Panels on several cores: whatever the number of threads, the bits are the same."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rg
from regretless.engine.players import panel, regression_batch, stages
from regretless.errors import BadRow
from regretless.parts.rows import Dense, Sparse, some_rows

ROWS = 2500
THREADS = (2, 3)


def dense(width, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, width))
    return X, Dense(X.reshape(-1), width)


def sparse(width, widen_at=0, seed=0):
    """Twelve entries a row; fewer different columns before row `widen_at`."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, width, size=(ROWS, 12))
    columns[:widen_at] %= 40
    columns = np.sort(columns, axis=1).astype(np.int32)
    values = rng.exponential(size=columns.shape)
    starts = np.arange(ROWS + 1, dtype=np.int64) * 12
    X = np.stack([values[:, 0], values[:, 1] * (columns[:, 1] % 3 - 1)], axis=1)
    return X, Sparse(starts, columns.reshape(-1), values.reshape(-1))


@pytest.fixture(autouse=True)
def soon_worth_stages(monkeypatch):
    """Wide rows are played in stages from fewer rows on than users have."""
    monkeypatch.setattr(panel, "FEWEST_WIDE", stages.FEWEST)


SHAPES = {
    "narrow": (*dense(9), 9),
    "wide": (*sparse(3000), 3000),
    "widening": (*sparse(3000, widen_at=1300), 3000),
}
LEARNERS = {
    "two classes": rg.Panel(),
    "two classes, fast": rg.Panel(forest=False),
    "four members": rg.Panel(members=4, view="linear"),
    "many classes": rg.OneVersusRest(rg.Panel()),
    "many classes, fast": rg.OneVersusRest(rg.Panel(forest=False)),
    "amounts": rg.RegressionPanel(),
}
CASES = [
    ("two classes", "narrow"),
    ("two classes", "wide"),
    ("two classes", "widening"),
    ("two classes, fast", "narrow"),
    ("many classes", "narrow"),
    ("many classes", "widening"),
    ("many classes, fast", "narrow"),
    ("amounts", "narrow"),
    ("amounts", "widening"),
    pytest.param("four members", "wide", marks=pytest.mark.slow),
]


def labels(name, X):
    rng = np.random.default_rng(7)
    amount = np.abs(X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=ROWS)
    if name.startswith("many"):
        return np.digitize(amount, (0.2, 0.8, 1.6)).astype(float)
    return amount if name == "amounts" else np.where(amount > 0.8, 1.0, -1.0)


def played(name, shape, threads, *, weights=None, traced=True, refused=None):
    """A game around a row that is refused: its state, and its trace."""
    X, rows, width = SHAPES[shape]
    y = labels(name, X)
    if refused is not None:
        values = rows.values.copy()
        values[refused * (width if shape == "narrow" else 12)] = np.inf
        rows = rows._replace(values=values)
    player = LEARNERS[name].player(width)
    player.threads = threads
    traces, start = [], 0
    while start < ROWS:
        size = ROWS - start
        trace = None
        if traced:
            trace = (np.zeros(size), np.zeros(size), np.zeros(size, np.bool_))
            if player.classes:
                trace = player.new_trace(size, y)
            traces += trace
        before = player.rounds
        some = some_rows(rows, start, ROWS)
        own = None if weights is None else weights[start:]
        try:
            player.play(some, y[start:], trace=trace, weights=own)
            break
        except BadRow:
            start += player.rounds - before + 1
    return dict(flat(player.state_dict())), traces


def flat(stored, path=""):
    """The arrays and numbers of a state, by path; but how long it took."""
    for name, one in stored.items():
        if isinstance(one, dict):
            yield from flat(one, f"{path}{name}/")
        elif isinstance(one, list) and one and isinstance(one[0], dict):
            for k, each in enumerate(one):
                yield from flat(each, f"{path}{name}/{k}/")
        elif name != "seconds" and not name.endswith("/seconds"):
            yield path + name, one


def assert_same(found, wanted):
    assert found[0].keys() == wanted[0].keys()
    for name, one in wanted[0].items():
        np.testing.assert_array_equal(found[0][name], one, err_msg=name)
    for one, other in zip(found[1], wanted[1], strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.fixture
def staged(monkeypatch):
    """How often threads were used."""
    used = []

    class Counted(stages.Thread):
        def start(self):
            used.append(1)
            super().start()

    monkeypatch.setattr(stages, "Thread", Counted)
    return used


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_threads_change_no_bit(name, shape, staged) -> None:
    wanted = played(name, shape, 1)
    assert not staged
    for threads in THREADS:
        assert_same(played(name, shape, threads), wanted)
    assert staged
    plain = played(name, shape, 2, traced=False)
    assert_same(plain, (wanted[0], []))


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_threads_refuse_the_same_rows(name, shape, staged) -> None:
    weights = np.random.default_rng(3).uniform(0.1, 3.0, size=ROWS)
    for refused in (1100, ROWS - 1):
        several = played(name, shape, 2, weights=weights, refused=refused)
        assert_same(several, played(name, shape, 1, weights=weights, refused=refused))
    assert staged


def test_curves_may_end_with_any_row_of_a_block(monkeypatch) -> None:
    wanted = played("amounts", "widening", 1)
    monkeypatch.setattr(regression_batch, "BLOCK", 1)
    assert_same(played("amounts", "widening", 2), wanted)


def test_an_option_says_how_many_threads_learn(staged) -> None:
    X, _, _ = SHAPES["narrow"]
    y = labels("two classes", X)
    alone = rg.play(rg.Panel(), X, y, options=rg.ReadOptions(threads=1))
    assert not staged
    both = rg.play(rg.Panel(), X, y, options=rg.ReadOptions(threads=2))
    assert len(staged) == 1
    assert alone.ledger == both.ledger


def test_few_rows_and_heavy_rows_are_played_by_one(staged) -> None:
    X, rows, width = SHAPES["narrow"]
    y = labels("two classes", X)
    player = rg.Panel().player(width)
    player.threads = 2
    player.play(some_rows(rows, 0, 100), y[:100])
    player.play(rows, y, weights=np.full(ROWS, 1e9))
    assert not staged


def test_as_many_threads_as_a_process_may_use(monkeypatch) -> None:
    assert stages.cores_for(1) == stages.cores_for(0) == 1
    assert stages.cores_for(3) == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert stages.cores_for(None) == 1
    assert stages.cores_for(2) == 2


def test_errors_of_either_stage_are_raised() -> None:
    def fails(*block):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stages.in_stages(fails, lambda slot, start, count: count)
    with pytest.raises(ZeroDivisionError):
        stages.in_stages(lambda slot, start: 1, fails)
    with pytest.raises(ZeroDivisionError):
        stages.side_by_side([lambda: None, fails], 2)
