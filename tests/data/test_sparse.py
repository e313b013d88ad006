"""Bad sparse matrices are refused at every entry, before anybody converts them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import regretless as rg
from regretless.data.encoding.sparse import canonical_rows, checked_rows
from regretless.engine.hypotheses import matrices
from regretless.parts.rows import Sparse

N, D = 40, 5
FAR = 2**30
FORMATS = ("csr", "csc", "coo", "bsr", "lil", "dok", "dia")


def good(kind: str = "csr"):
    """Forty rows with every column used."""
    rng = np.random.default_rng(0)
    table = rng.integers(1, 4, (N, D)) * (rng.random((N, D)) < 0.6) * 1.0
    table[:, 0] = 1.0
    return sparse.csr_array(table).asformat(kind)


def damaged(kind: str, where: str, value: int):
    """A matrix with one number changed behind scipy's back."""
    matrix = good(kind).copy()
    array = getattr(matrix, where)
    array[array.size // 2] = value
    return matrix


def cut(kind: str, where: str, n: int):
    """A matrix whose array `where` has `n` entries fewer."""
    matrix = good(kind).copy()
    setattr(matrix, where, getattr(matrix, where)[:-n])
    return matrix


BAD = {
    f"{kind}-{where}-{value}": (damaged, (kind, where, value))
    for kind in ("csr", "csc", "bsr")
    for where in ("indices", "indptr")
    for value in (FAR, -1, -FAR)
}
BAD |= {
    f"coo-{where}-{value}": (damaged, ("coo", where, value))
    for where in ("row", "col")
    for value in (FAR, -1)
}
BAD |= {
    f"{kind}-short-{where}": (cut, (kind, where, n))
    for kind in ("csr", "csc")
    for where, n in (("indptr", 1), ("indices", 9), ("data", 9))
}


def long_list(n: int):
    matrix = good("lil")
    matrix.data[3] = matrix.data[3] * n
    return matrix


def far_list(column: int):
    matrix = good("lil")
    matrix.rows[3][-1] = column
    return matrix


BAD |= {"lil-long": (long_list, (1000,)), "lil-far": (far_list, (FAR,))}


def labels():
    return np.arange(N) % 2


def play(learner):
    return lambda X: rg.play(learner, X, labels())


def row_by_row(X):
    """Rows of one matrix as events; the damage goes with the rows."""
    rg.play(rg.Perceptron(), [(X, 1)], n_features=N * D)


def predict(learner, kind="last"):
    model = rg.play(learner, good(), labels(), models=(kind,)).model(kind)
    return model.predict


def estimator(name, method):
    from regretless import sklearn as estimators

    made = getattr(estimators, name)()
    if method == "predict":
        made.fit(good(), labels())
        return made.predict
    return lambda X: getattr(made, method)(X, labels())


ENTRIES = {
    "play": lambda: play(rg.Perceptron()),
    "panel": lambda: play(rg.Panel()),
    "many": lambda: play([rg.Perceptron(), rg.OGD()]),
    "event": lambda: row_by_row,
    "linear model": lambda: predict(rg.Perceptron()),
    "vote model": lambda: predict(rg.Perceptron(), "vote"),
    "panel model": lambda: predict(rg.Panel()),
    "machine model": lambda: predict(rg.KernelPerceptron(budget=50)),
    "fit": lambda: estimator("PerceptronClassifier", "fit"),
    "partial_fit": lambda: estimator("PerceptronClassifier", "partial_fit"),
    "estimator predict": lambda: estimator("PerceptronClassifier", "predict"),
    "panel estimator predict": lambda: estimator("PanelClassifier", "predict"),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_entry_refuses_every_bad_matrix(entry):
    use = ENTRIES[entry]()
    for make, given in BAD.values():
        with pytest.raises(ValueError, match=r"sparse matrix|index outside its shape"):
            use(make(*given))


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("value", [FAR, -1])
def test_archives_are_checked_too(tmp_path, kind, value):
    matrix = good(kind)
    names = ("row", "col") if kind == "coo" else ("indices", "indptr")
    stored = {name: getattr(matrix, name).copy() for name in names}
    for name in names:
        bad = {key: array.copy() for key, array in stored.items()}
        bad[name][bad[name].size // 2] = value
        path = tmp_path / "a.npz"
        facts = {"format": kind.encode(), "shape": matrix.shape, "data": matrix.data}
        np.savez(path, y=labels(), **facts, **bad)
        with pytest.raises(ValueError, match=r"a\.npz: "):
            rg.play(rg.Perceptron(), path)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_the_same_rows(kind):
    X = good(kind)
    before = X.copy().todense()
    expected = rg.play(rg.Perceptron(), good().todense(), labels())
    assert rg.play(rg.Perceptron(), X, labels()).ledger == expected.ledger
    model = expected.model("last")
    assert np.array_equal(model.scores(X), model.scores(good()))
    assert np.array_equal(X.todense(), before)


def test_entries_that_come_twice_are_added_up_and_nothing_is_changed():
    data, indices, starts = np.ones(4), np.array([2, 2, 1, 0]), np.array([0, 2, 4])
    twice = sparse.csr_array((data, indices, starts), shape=(2, 3))
    table = twice.todense()
    for learner in (rg.Perceptron(), rg.Panel(), rg.KernelPerceptron()):
        run = rg.play(learner, twice, [0, 1])
        assert run.ledger == rg.play(learner, table, [0, 1]).ledger
        model = run.model("last")
        assert np.allclose(model.scores(twice), model.scores(table), rtol=1e-12)
    assert twice.indices.tolist() == [2, 2, 1, 0]
    assert canonical_rows(twice).indices.tolist() == [2, 0, 1]


def test_a_good_matrix_is_not_copied():
    X = good()
    assert checked_rows(X) is X
    assert canonical_rows(X) is X


@pytest.mark.parametrize("shape", [(40,), (40, 3), (40, 0)])
def test_rows_are_multiplied_as_scipy_does(shape: tuple[int, ...]) -> None:
    """To the last bit: a score does not depend on who computed it."""
    rng = np.random.default_rng(3)
    table = rng.standard_normal((60, 40)) * (rng.random((60, 40)) < 0.4)
    table[7:9] = 0.0
    X = sparse.csr_array(table)
    rows = Sparse(X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data)
    weights = rng.standard_normal(shape)
    np.testing.assert_array_equal(
        matrices.Compressed(rows, (60, 40)) @ weights, X @ weights
    )
