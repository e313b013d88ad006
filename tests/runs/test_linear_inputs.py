"""Every way of handing over the same data gives the same run."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import regretless as rg

ROWS = 30
WIDTH = 4


@pytest.fixture
def whole(rng):
    """Whole numbers, which every dtype holds exactly; some rows are zero."""
    X = rng.integers(-3, 4, size=(ROWS, WIDTH)).astype(float)
    X[3] = 0.0
    y = np.where(X @ [1.0, -2.0, 0.5, 0.0] > 0, 1, -1)
    return X, y


def equal(run, other):
    assert run.ledger == other.ledger
    assert np.array_equal(run.ledger.curve, other.ledger.curve)
    assert np.array_equal(run.weights, other.weights)


def memory_mapped(X, folder):
    np.save(folder / "x.npy", X)
    return np.load(folder / "x.npy", mmap_mode="r")


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


DENSE = {
    "list": lambda X: X.tolist(),
    "tuples": lambda X: tuple(map(tuple, X.tolist())),
    "list of arrays": list,
    "fortran": np.asfortranarray,
    "float32": lambda X: X.astype(np.float32),
    "float16": lambda X: X.astype(np.float16),
    "longdouble": lambda X: X.astype(np.longdouble),
    "big endian": lambda X: X.astype(">f8"),
    "int8": lambda X: X.astype(np.int8),
    "int64": lambda X: X.astype(np.int64),
    "object": lambda X: X.astype(object),
    "read-only": read_only,
    "view": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    "matrix": np.asmatrix,
    "mask nothing": np.ma.array,
}


@pytest.mark.parametrize("form", DENSE.values(), ids=DENSE)
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_dense_forms(whole, form):
    X, y = whole
    before = X.copy()
    equal(rg.play(rg.Perceptron(), form(X), y), rg.play(rg.Perceptron(), X, y))
    assert np.array_equal(X, before)


def test_memory_maps(whole, tmp_path):
    X, y = whole
    mapped = memory_mapped(X, tmp_path)
    equal(rg.play(rg.Perceptron(), mapped, y), rg.play(rg.Perceptron(), X, y))


def test_bool_entries(whole):
    X, y = whole
    equal(rg.play(rg.Winnow(), X > 0, y), rg.play(rg.Winnow(), (X > 0) * 1.0, y))


def duplicated(X):
    """Every entry split in two halves, in reverse order of columns."""
    matrix = sparse.coo_array(X)
    rows = np.concatenate([matrix.row, matrix.row])[::-1]
    columns = np.concatenate([matrix.col, matrix.col])[::-1]
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(X.shape[0] + 1))
    values = np.concatenate([matrix.data, matrix.data])[::-1] / 2
    return sparse.csr_array((values[order], columns[order], starts), shape=X.shape)


def unsorted(X):
    matrix = sparse.csr_array(X)
    for i in range(X.shape[0]):
        lo, hi = matrix.indptr[i], matrix.indptr[i + 1]
        matrix.indices[lo:hi] = matrix.indices[lo:hi][::-1].copy()
        matrix.data[lo:hi] = matrix.data[lo:hi][::-1].copy()
    matrix.has_sorted_indices = False
    return matrix


def long_indices(X):
    matrix = sparse.csr_array(X)
    matrix.indices = matrix.indices.astype(np.int64)
    matrix.indptr = matrix.indptr.astype(np.int64)
    return matrix


def explicit_zeros(X):
    starts = np.arange(X.shape[0] + 1) * X.shape[1]
    columns = np.tile(np.arange(X.shape[1]), X.shape[0])
    return sparse.csr_array((X.ravel(), columns, starts), shape=X.shape)


SPARSE = {
    "csr_matrix": sparse.csr_matrix,
    "csr_array": sparse.csr_array,
    "csc_matrix": sparse.csc_matrix,
    "csc_array": sparse.csc_array,
    "coo_matrix": sparse.coo_matrix,
    "coo_array": sparse.coo_array,
    "lil_array": sparse.lil_array,
    "dok_array": sparse.dok_array,
    "int32": lambda X: sparse.csr_array(X.astype(np.int32)),
    "float32": lambda X: sparse.csr_array(X.astype(np.float32)),
    "int64 indices": long_indices,
    "duplicates": duplicated,
    "unsorted": unsorted,
    "explicit zeros": explicit_zeros,
}


@pytest.mark.parametrize("form", SPARSE.values(), ids=SPARSE)
def test_sparse_forms(whole, form):
    X, y = whole
    given = form(X)
    indices = given.indices.copy() if hasattr(given, "indices") else None
    equal(rg.play(rg.Perceptron(), given, y), rg.play(rg.Perceptron(), X, y))
    assert indices is None or np.array_equal(given.indices, indices)  # not touched


def test_frames(whole):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y = whole
    expected = rg.play(rg.Perceptron(), X, y)
    names = ["north", "east", "south", "west"]
    columns = dict(zip(names, X.T, strict=True))
    columns["east"] = columns["east"].astype(np.int32)
    with_label = {"north": columns["north"], "label": y, **columns}
    for frame, labelled in (
        (pd.DataFrame(columns), pd.DataFrame(with_label)),
        (pl.DataFrame(columns), pl.DataFrame(with_label)),
        (
            pd.DataFrame(columns, index=np.arange(ROWS)[::-1]),
            pd.DataFrame(with_label).convert_dtypes(),
        ),
    ):
        for run in (
            rg.play(rg.Perceptron(), frame, y),
            rg.play(rg.Perceptron(), frame, labelled["label"]),
            rg.play(rg.Perceptron(), labelled, "label"),
            rg.play(rg.Perceptron(), labelled, y="label"),
        ):
            equal(run, expected)
            assert run.names == tuple(names)
            weights = dict(zip(names, expected.weights.tolist(), strict=True))
            assert run.named_weights() == weights
    numbered = pd.DataFrame(X, columns=[10, 11, 12, 13])
    assert rg.play(rg.Perceptron(), numbered, y).names == (10, 11, 12, 13)
    sparse_frame = pd.DataFrame.sparse.from_spmatrix(sparse.csr_array(X))
    equal(rg.play(rg.Perceptron(), sparse_frame, y), expected)


def test_iterables_of_rows(whole):
    X, y = whole
    expected = rg.play(rg.Perceptron(), X, y)
    matrix, array = sparse.csr_matrix(X), sparse.csr_array(X)
    for events in (
        list(zip(X, y, strict=True)),
        list(zip(X.tolist(), y.tolist(), strict=True)),
        zip(X, y, strict=True),
        ((x, label) for x, label in zip(X, y, strict=True)),
        [(matrix[[i]], y[i]) for i in range(ROWS)],
        [(array[[i]], y[i]) for i in range(ROWS)],
        [(array[i], y[i]) for i in range(ROWS)],
        [(sparse.coo_array(X[i]), y[i]) for i in range(ROWS)],
        [[x, label] for x, label in zip(X, y, strict=True)],
    ):
        run = rg.play(rg.Perceptron(), events)
        equal(run, expected)
        assert run.names is None
        assert run.named_weights() == dict(enumerate(expected.weights.tolist()))


def test_iterables_of_dicts(whole):
    X, y = whole
    expected = rg.play(rg.Perceptron(), X, y)
    events = [
        ({f"x{j}": X[i, j] for j in range(WIDTH) if X[i, j]}, y[i]) for i in range(ROWS)
    ]
    for stream in (
        events,
        iter(events),
        tuple(events),
        dict(enumerate(events)).values(),
    ):
        run = rg.play(rg.Perceptron(), stream)
        assert run.ledger == expected.ledger
        named = run.named_weights()
        assert [named[f"x{j}"] for j in range(WIDTH)] == expected.weights.tolist()


@pytest.mark.parametrize(
    ("negative", "positive", "dtype"),
    [
        (0, 1, int),
        (-1, 1, np.int8),
        (-1, 1, float),
        (0, 1, np.float32),
        (False, True, bool),
        (False, True, object),
        (3, 17, int),
        (1, 2, np.uint8),
        (-2.5, 0.1, np.float32),
        ("ham", "spam", str),
        ("ham", "spam", object),
        (b"a", b"b", bytes),
    ],
)
def test_labels_of_every_kind(whole, negative, positive, dtype):
    X, y = whole
    labels = np.array([positive if sign > 0 else negative for sign in y], dtype)
    run = rg.play(rg.Perceptron(), X, labels)
    equal(run, rg.play(rg.Perceptron(), X, y))
    assert run.classes == tuple(np.array([negative, positive], dtype).tolist())
    equal(run, rg.play(rg.Perceptron(), X, labels.tolist()))
    equal(run, rg.play(rg.Perceptron(), X, labels[:, None]))


def test_one_class_only(whole):
    X, _ = whole
    assert rg.play(rg.Perceptron(), X, np.ones(ROWS)).classes == (-1, 1)
    assert rg.play(rg.Perceptron(), X, -np.ones(ROWS)).ledger.false_negatives == 0
    assert rg.play(rg.Perceptron(), X, np.zeros(ROWS)).classes == (0, 1)
    assert rg.play(rg.Perceptron(), X, np.ones(ROWS, bool)).classes == (False, True)


def test_labels_as_frames(whole):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y = whole
    expected = rg.play(rg.Perceptron(), X, y)
    words = ["up" if sign > 0 else "down" for sign in y]
    for labels in (
        pd.Series(y, index=np.arange(ROWS)[::-1]),
        pd.DataFrame({"y": y}),
        pl.Series(y),
        pd.Series(words),
        pd.Series(words, dtype="category"),
        pl.Series(words),
        pd.Series(y > 0, dtype="boolean"),
    ):
        equal(rg.play(rg.Perceptron(), X, labels), expected)


def test_data_that_can_be_read_once(whole):
    X, y = whole
    run = rg.play(rg.Perceptron(), zip(X, y, strict=True))
    with pytest.raises(ValueError, match="needs play"):
        _ = run.weight_path
    kept = rg.play(rg.Perceptron(), zip(X, y, strict=True), trace=True)
    again = rg.play(rg.Perceptron(), X, y, trace=True)
    assert np.array_equal(kept.weight_path, again.weight_path)
