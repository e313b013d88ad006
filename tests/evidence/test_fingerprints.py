"""Fingerprints: hashes of content, the sample, and the test that rows came again."""

from __future__ import annotations

import copy
import itertools

import numpy as np
import pytest

from regretless.engine.kernels.compiled import entry
from regretless.engine.kernels.row_hashes import LOW, hash_rows
from regretless.evidence.event_record import EventRecord
from regretless.evidence.fingerprints import Fingerprints
from regretless.evidence.fingerprints.sample import HIGHEST, KEPT, SMALL
from regretless.evidence.fingerprints.schedule import chosen
from regretless.evidence.row_record import RowRecord
from regretless.parts.rows import Dense, Sparse, some_rows
from row_hashes import slow_hashes


def dense(X):
    X = np.ascontiguousarray(X, np.float64)
    return Dense(X.reshape(-1), X.shape[1])


def sparse(X, rng=None, *, zeros=False):
    """The rows of a matrix as entries, in any order, with or without zeros."""
    starts, columns, values = [0], [], []
    for row in np.asarray(X, np.float64):
        kept = np.arange(row.size) if zeros else np.flatnonzero(row)
        order = kept if rng is None else rng.permutation(kept)
        columns += order.tolist()
        values += row[order].tolist()
        starts.append(len(columns))
    return Sparse(np.array(starts), np.array(columns, np.int32), np.array(values))


def noise(n, seed=0, width=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, width)).round(4), rng.choice([-1.0, 1.0], n)


def fed(seen, X, y, cut=1000):
    for begin in range(0, len(X), cut):
        part = dense(X[begin : begin + cut])
        seen.feed(part, len(y[begin : begin + cut]))
    return seen


def all_hashes(rows, y):
    """Coin, hash and coarse hash of every row."""
    found = np.empty((y.size, 4), np.int64)
    arguments = (rows, y.size, HIGHEST, found)
    assert entry(hash_rows, arguments)(*arguments) == y.size
    return found[:, 1:]


def row_hashes(rows, y):
    return all_hashes(rows, y)[:, 1]


@pytest.mark.parametrize("share", [0.0, 0.7])
def test_hashes_are_those_of_the_slow_version(rng, share) -> None:
    X = rng.normal(size=(60, 15))
    X[rng.random(X.shape) < share] = 0.0
    y = np.ones(60)
    wanted = [slow_hashes(enumerate(row)) for row in X]
    np.testing.assert_array_equal(all_hashes(dense(X), y), wanted)
    np.testing.assert_array_equal(all_hashes(sparse(X), y), wanted)


@pytest.mark.parametrize("moved", ["rounded", "jittered", "single"])
def test_rows_that_were_moved_a_little_mostly_keep_the_coarse_hash(rng, moved) -> None:
    X = rng.normal(size=(2000, 8))
    other = {
        "rounded": X.round(2),
        "jittered": X + 1e-3 * rng.normal(size=X.shape),
        "single": X.astype(np.float32),
    }[moved]
    y = np.ones(2000)
    one, two = all_hashes(dense(X), y), all_hashes(dense(other), y)
    same = (one == two).mean(axis=0)
    assert same[0] > 0.5 < same[2]
    assert same[1] == (moved == "single")


def test_a_row_has_one_hash_however_it_is_given(rng) -> None:
    X = rng.normal(size=(200, 12)).round(3)
    X[rng.random(X.shape) < 0.6] = 0.0
    X[3] = 0.0  # nothing at all
    y = rng.choice([-1.0, 1.0], 200)
    wanted = row_hashes(dense(X), y)
    negative = np.where(X == 0.0, -0.0, X)
    wider = np.pad(X, ((0, 0), (0, 5)))
    others = [
        row_hashes(sparse(X), y),
        row_hashes(sparse(X, rng), y),
        row_hashes(sparse(X, zeros=True), y),
        row_hashes(dense(negative), y),
        row_hashes(dense(wider), y),
        row_hashes(dense(X.astype(np.float32)), y),
        np.array(
            [row_hashes(some_rows(sparse(X), i, i + 1), y[[i]])[0] for i in range(200)]
        ),
    ]
    for found in others:
        np.testing.assert_array_equal(found, wanted)
    assert wanted.min() >= 0
    assert np.unique(wanted).size == 200


def test_what_differs_has_another_hash() -> None:
    triples = np.array(list(itertools.combinations(range(80), 3)), np.int32)
    starts = np.arange(0, triples.size + 1, 3)
    rows = Sparse(starts, triples.reshape(-1), np.ones(triples.size))
    plus = row_hashes(rows, np.ones(len(triples)))
    minus = row_hashes(rows._replace(values=-rows.values), np.ones(len(triples)))
    doubled = row_hashes(rows._replace(values=rows.values * 2.0), np.ones(len(triples)))
    everything = np.concatenate([plus, minus, doubled])
    assert np.unique(everything).size == everything.size
    # Both ends of the bits are as good as random: the sample is cut by the upper ones.
    for part in (plus >> 43, plus & 0xFFFFF):
        expected = 2**20 * -np.expm1(-plus.size / 2**20)
        assert np.unique(part).size == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("cut", [1, 7, 64, 1000, 5000])
def test_the_schedule_depends_on_row_numbers_only(cut: int) -> None:
    last = 30_000
    whole = [row for begin, end in chosen(0, last) for row in range(begin, end)]
    pieces = [
        row
        for first in range(0, last, cut)
        for begin, end in chosen(first, min(last, first + cut))
        for row in range(begin, end)
    ]
    assert pieces == whole
    assert whole[:4096] == list(range(4096))


def test_the_schedule_grows_rarer() -> None:
    def count(first, last):
        return sum(end - begin for begin, end in chosen(first, last))

    assert [count(4096 * k, 8192 * k) / (4096 * k) for k in (1, 2, 4, 8, 16, 32)] == [
        1 / 2,
        1 / 4,
        1 / 8,
        1 / 16,
        1 / 32,
        1 / 32,
    ]


@pytest.mark.parametrize("n", [40, 300, 3000, 9000])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("apart", [False, True])
def test_rows_that_come_again_are_recognized(n, shuffled, apart) -> None:
    X, y = noise(n)
    seen = fed(Fingerprints(), X, y)
    assert seen.replay is None
    if apart:
        seen = seen.continued()
    order = np.random.default_rng(1).permutation(n) if shuffled else np.arange(n)
    first = seen.rows
    fed(seen, X[order], y[order])
    assert seen.replay is not None
    assert first < seen.replay.since <= first + 1 + n // 20
    assert seen.replay.earlier is apart
    assert "\n" not in str(seen.replay)


def test_a_third_time_is_recognized_as_well() -> None:
    X, y = noise(500)
    seen = fed(Fingerprints(), X, y)
    for _ in range(3):
        seen = fed(seen.continued(), X, y)
        assert seen.replay is not None


def test_fresh_rows_after_a_replay_are_fresh() -> None:
    X, y = noise(3000)
    seen = fed(fed(Fingerprints(), X, y), X, y)
    fresh = fed(seen.continued(), *noise(3000, seed=5))
    assert fresh.replay is None
    assert fresh.earlier == 6000


def test_a_tenth_of_old_rows_is_noticed() -> None:
    X, y = noise(3000)
    new, labels = noise(3000, seed=3)
    old = np.random.default_rng(0).random(3000) < 0.1
    new[old], labels[old] = X[old], y[old]
    seen = fed(fed(Fingerprints(), X, y), new, labels)
    assert seen.replay is not None


def naive(numbers):
    """The test as its docstring says it, over all rows, with nothing made fast."""
    counts: dict[int, int] = {}
    doubt = None
    for t, number in enumerate(numbers):
        if doubt is None and number in counts:
            twins = sum(n for n in counts.values() if n > 1)
            spread = 4.0 * np.sqrt(min(2 * twins, t)) + 9.0
            doubt = [t, min(1.0, (twins + spread) / t), np.ones(4), set()]
        if doubt is not None and number not in doubt[3]:
            p = min(1.0, doubt[1] * max(1.0, t / doubt[0]))
            f = np.array([0.03, 0.1, 0.3, 0.9])
            doubt[2] *= 1 + f * (1 - p) / p if number in counts else 1 - f
            if number in counts:
                doubt[3].add(number)
            if doubt[2].mean() >= 1e6:
                return doubt[0] + 1
            if doubt[2].mean() <= 1.0:
                doubt = None
        counts[number] = counts.get(number, 0) + 1
    return None


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("cut", [1, 50, 2000])
def test_it_is_the_test_of_its_docstring(seed: int, cut: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = int(2 ** rng.uniform(2, 14))
    X = rng.integers(0, kinds, 900)[:, None] + 1.0
    if seed % 2:
        X = np.concatenate([X, rng.permutation(X)])
    y = np.ones(len(X))
    found = fed(Fingerprints(), X, y, cut).replay
    wanted = naive(row_hashes(dense(X), y).tolist())
    assert (None if found is None else found.since) == wanted


def tables():
    """Tables with natural copies, few or many, in one pass."""
    rng = np.random.default_rng(11)
    for k in range(60):
        n, kinds = int(2 ** rng.uniform(5, 12)), int(2 ** rng.uniform(1, 14))
        few = rng.integers(0, kinds, n)
        yield [
            few,
            rng.zipf(rng.uniform(1.1, 2.5), n) % 10**6,
            np.sort(few),  # by content: copies lie together
            np.repeat(few, rng.integers(1, 6, n))[:n],  # in bursts
            np.where(rng.random(n) < 0.5, few, rng.integers(0, 10**6, n)),
            np.where(np.arange(n) < n // 2, np.arange(n), n),  # one row at last
        ][k % 6]


def test_natural_copies_are_not_taken_for_a_replay() -> None:
    refused = [
        fed(Fingerprints(), X[:, None] + 1.0, np.ones(X.size)).replay for X in tables()
    ]
    assert refused == [None] * 60


def test_the_sample_stays_small_and_holds_every_copy_or_none(rng) -> None:
    X = rng.integers(1, 40_000, 90_000)[:, None].astype(float)
    y = np.ones(len(X))
    seen = fed(Fingerprints(), X, y)
    entries = seen.state_dict()["exact"]["held"]
    assert KEPT <= len(entries) <= 2 * KEPT
    everything = all_hashes(dense(X), y)
    numbers, first, counts = np.unique(
        everything[:, 1], return_index=True, return_counts=True
    )
    coins = everything[first, 0] | (numbers & LOW)
    kept = coins <= seen.exact.limit
    order = np.argsort(entries[:, 0])
    np.testing.assert_array_equal(entries[order, 0], numbers[kept])
    np.testing.assert_array_equal(entries[order, 2], counts[kept])
    np.testing.assert_array_equal(entries[order, 3], first[kept])
    assert len(seen.for_model().state_dict()["exact"]["held"]) <= SMALL + 30


@pytest.mark.parametrize("cut", [1, 37, 5000])
def test_it_tells_which_rows_have_a_copy(rng, cut) -> None:
    X = rng.integers(1, 3000, 4000)[:, None].astype(float)
    seen, found = Fingerprints(), []
    for begin in range(0, len(X), cut):
        looked = seen.feed(dense(X[begin : begin + cut]), len(X[begin:][:cut]))
        found += [(begin + row, begin + row - ago) for row, ago in looked.tolist()]
    known: dict[float, int] = {}
    wanted = [(i, known.setdefault(x, i)) for i, x in enumerate(X[:, 0].tolist())]
    assert found == wanted
    later = seen.continued().feed(dense(X[:5]), 5)
    assert later.tolist() == [[k, k + 1] for k in range(5)]


@pytest.mark.parametrize("how", ["exact", "rounded", "jittered"])
@pytest.mark.parametrize("rows", [(6_000, 4_000), (60_000, 40_000), (200_000, 10_000)])
def test_the_last_file_that_comes_again_is_noticed(how, rows) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(sum(rows), 6)), rng.choice([-1.0, 1.0], sum(rows))
    seen = fed(Fingerprints(), X, y)
    assert seen.replay is None
    last = X[rows[0] :]
    if how == "rounded":
        last = last.round(2)
    if how == "jittered":
        last = last + 1e-3 * rng.normal(size=last.shape)
    order = rng.permutation(rows[1])
    seen.begin_file(None)
    fed(seen, last[order], y[rows[0] :][order])
    assert seen.replay.coarse == (how != "exact")
    assert seen.replay.since == pytest.approx(len(X), abs=500)


def test_shards_that_hold_the_same_rows_are_noticed() -> None:
    X, y = noise(3000)
    one, two = fed(Fingerprints(), X, y), fed(Fingerprints(), X[::-1], y[::-1].copy())
    other = fed(Fingerprints(), *noise(3000, seed=9))
    whole = Fingerprints()
    for each in (one, other):
        whole.join(each)
    assert whole.rows == 6000
    assert whole.replay is None
    whole.join(two)
    assert whole.replay is not None


def test_a_state_is_restored(rng) -> None:
    X, y = noise(3000)
    seen = fed(Fingerprints(), X, y)
    fed(seen, X[:3], y[:3])  # while bets are on
    other = Fingerprints()
    other.load_state(copy.deepcopy(seen.state_dict()))
    for each in (seen, other, copied := seen.copy()):
        fed(each, X[3:20], y[3:20])
    assert seen.replay == other.replay == copied.replay is not None
    assert str(seen.state_dict()) == str(other.state_dict())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("held", np.full((40, 6), -5)),
        ("held", np.ones((40, 6), np.int64)),
        ("held", np.ones((3, 6), np.int64)),
        ("whole", np.full(9, -1)),
        ("bets", np.zeros(2)),
        ("limit", 2**70),
    ],
)
def test_a_state_that_cannot_be_is_refused(name: str, value: object) -> None:
    state = fed(Fingerprints(), *noise(40)).state_dict()
    with pytest.raises(ValueError, match=r"\w"):
        Fingerprints().load_state({**state, "exact": {**state["exact"], name: value}})


@pytest.mark.parametrize("n", [5, 600, 4000])
def test_events_are_remembered_as_rows_are(n: int) -> None:
    X, y = noise(n)
    events = EventRecord(RowRecord())
    rows = sparse(X)
    for i in range(n):
        if i == n // 2:
            events = copy.deepcopy(events)
        begin, end = rows.starts[i], rows.starts[i + 1]
        columns, values = rows.columns[begin:end], rows.values[begin:end]
        events.add(Sparse(np.array([0, end - begin]), columns, values))
        events.labels.append(y[i])
        if i % 700 == 3:
            assert events.now().rows == i + 1
    wanted, found = RowRecord(), events.now()
    for begin in range(0, n, 100):
        wanted.feed(dense(X[begin : begin + 100]), y[begin : begin + 100])
    assert str(found.state_dict()) == str(wanted.state_dict())
