"""Fingerprints: hashes of content, the sample, and the test that rows came again."""

from __future__ import annotations

import copy
import itertools

import numpy as np
import pytest

from regretless.evidence.fingerprints import Fingerprints, OneByOne
from regretless.evidence.fingerprints.hashes import row_hashes
from regretless.evidence.fingerprints.sample import KEPT
from regretless.evidence.fingerprints.schedule import chosen
from regretless.parts.rows import Dense, Sparse, some_rows


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
        seen.feed(dense(X[begin : begin + cut]), y[begin : begin + cut])
    return seen


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
    minus = row_hashes(rows, -np.ones(len(triples)))
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
    X = rng.integers(1, 9000, 60_000)[:, None].astype(float)
    y = np.ones(len(X))
    seen = fed(Fingerprints(), X, y)
    state = seen.state_dict()
    assert KEPT <= state["hashes"].size <= 2 * KEPT
    hashed = np.concatenate([np.arange(*each) for each in chosen(0, len(X))])
    everything = row_hashes(dense(X[hashed]), y[hashed])
    numbers, counts = np.unique(everything, return_counts=True)
    kept = np.isin(numbers, state["hashes"])
    np.testing.assert_array_equal(kept, numbers <= state["hashes"].max())
    np.testing.assert_array_equal(state["counts"], counts[kept])


def test_a_state_is_restored(rng) -> None:
    X, y = noise(3000)
    seen = fed(Fingerprints(), X, y)
    fed(seen, X[:3], y[:3])  # in the middle of a doubt
    other = Fingerprints()
    other.load_state(seen.state_dict())
    for each in (seen, other, copied := seen.copy()):
        fed(each, X[3:20], y[3:20])
    assert seen.replay == other.replay == copied.replay is not None
    assert str(seen.state_dict()) == str(other.state_dict())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hashes", np.array([-5])),
        ("counts", np.zeros(40, np.uint8)),
        ("counts", np.ones(3, np.uint8)),
        ("rows", -1),
        ("limit", 2**70),
    ],
)
def test_a_state_that_cannot_be_is_refused(name: str, value: object) -> None:
    state = fed(Fingerprints(), *noise(40)).state_dict()
    with pytest.raises(ValueError, match=r"\w"):
        Fingerprints().load_state({**state, name: value})


@pytest.mark.parametrize("n", [5, 600, 5000])
def test_one_by_one_is_the_same(n: int) -> None:
    X, y = noise(n)
    one = OneByOne()
    rows = sparse(X)
    for i in range(n):
        if i == n // 2:
            one = copy.deepcopy(one)
        if one.skips:
            one.skips -= 1
        else:
            begin, end = rows.starts[i], rows.starts[i + 1]
            columns, values = rows.columns[begin:end], rows.values[begin:end]
            one.add(Sparse(np.array([0, end - begin]), columns, values), y[i])
        if i % 700 == 3:
            assert one.now().rows == i + 1
    wanted, found = fed(Fingerprints(), X, y), one.now()
    assert str(found.state_dict()) == str(wanted.state_dict())
