"""One rule for what is given: README's kinds of input, to every default learner."""

from __future__ import annotations

import pathlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import regretless as rg
from regretless.data.encoding.input_kind import kind_of
from regretless.data.encoding.text import count_words

WORDS = ("free", "money", "lunch", "noon")
TEXTS = ["free money", "lunch noon noon", "money lunch", "noon", "free free"] * 6
X = np.array([[count_words(text).get(word, 0.0) for word in WORDS] for text in TEXTS])
LABELS = {
    "Panel()": (X[:, 1] + X[:, 0] > 0).astype(np.int64),
    "OneVersusRest(learner=Panel())": np.array(["a", "b", "c"])[np.arange(30) % 3],
    "RegressionPanel()": X @ [1.0, 2.0, 3.0, 4.0] + 0.5,
}
LEARNERS = {"RegressionPanel()": rg.RegressionPanel()}


def frame():
    return pd.DataFrame(X, columns=list(WORDS))


def dicts():
    return [dict(zip(WORDS, row, strict=True)) for row in X.tolist()]


def pairs(rows, y):
    return list(zip(rows, y.tolist(), strict=True))


def svm(folder, y):
    numbers = y if y.dtype.kind == "f" else np.unique(y, return_inverse=True)[1] * 1.0
    lines = [
        f"{label:g} " + " ".join(f"{j + 1}:{v:g}" for j, v in enumerate(row) if v)
        for label, row in zip(numbers, X, strict=True)
    ]
    path = folder / "rows.svm"
    path.write_text("\n".join(lines))
    return path


INPUTS = {
    "name of a file": lambda y, folder: (str(svm(folder, y)), None),
    "path": lambda y, folder: (svm(folder, y), None),
    "list of names": lambda y, folder: ([str(svm(folder, y))], None),
    "list of paths": lambda y, folder: ([svm(folder, y)], None),
    "array": lambda y, folder: (X, y),
    "list of rows": lambda y, folder: (X.tolist(), y.tolist()),
    "csr": lambda y, folder: (sparse.csr_array(X), y),
    "csc": lambda y, folder: (sparse.csc_matrix(X), y),
    "pandas": lambda y, folder: (frame(), y),
    "pandas with labels": lambda y, folder: (frame().assign(y=y), "y"),
    "polars": lambda y, folder: (pl.DataFrame(frame().to_dict("list")), y),
    "dicts": lambda y, folder: (dicts(), y),
    "pairs of dicts": lambda y, folder: (pairs(dicts(), y), None),
    "pairs of texts": lambda y, folder: (pairs(TEXTS, y), None),
    "pairs of rows": lambda y, folder: (pairs(X.tolist(), y), None),
    "pairs of sparse rows": lambda y, folder: (
        pairs([sparse.csr_array(row[None]) for row in X], y),
        None,
    ),
    "generator": lambda y, folder: (iter(pairs(dicts(), y)), None),
    "texts": lambda y, folder: (TEXTS, y),
    "array of texts": lambda y, folder: (np.array(TEXTS), y),
    "series of texts": lambda y, folder: (pd.Series([None, *TEXTS[1:]]), y),
    "Arrow texts": lambda y, folder: (pa.array(TEXTS), y),
    "tuple of texts": lambda y, folder: (tuple(TEXTS), y),
}


@pytest.mark.parametrize("who", LABELS)
@pytest.mark.parametrize("kind", INPUTS)
def test_every_kind_of_input_to_every_default_learner(tmp_path, kind, who):
    rows, y = INPUTS[kind](LABELS[who], tmp_path)
    learner = LEARNERS.get(who, rg.Panel())
    if "OneVersusRest" in who and kind.startswith(("pairs", "generator")):
        learner = rg.OneVersusRest(rg.Panel())  # streams are not looked at beforehand
    run = rg.play(learner, rows, y)
    assert repr(run.learner) == who
    assert run.rounds == len(TEXTS)


@pytest.fixture(scope="module")
def models():
    """One model by number, one by name, one of hashed words."""
    y = LABELS["Panel()"]
    return {
        "numbers": rg.play(rg.Panel(), X, y).model("last"),
        "names": rg.play(rg.Panel(), frame(), y).model("last"),
        "hashed": rg.play(rg.Panel(), TEXTS, y).model("last"),
        "linear": rg.play(rg.Perceptron(), X, y).model("last"),
    }


@pytest.mark.parametrize("which", ["numbers", "names", "hashed", "linear"])
@pytest.mark.parametrize(
    "name", ["rows.svm", "no such file.csv", pathlib.Path("a.csv"), [pathlib.Path("a")]]
)
def test_a_name_of_a_file_is_not_predicted(models, which, name):
    with pytest.raises(TypeError, match=r"names a file.*predict\(\[text\]\)"):
        models[which].predict(name)


@pytest.mark.parametrize("which", ["numbers", "names", "hashed", "linear"])
@pytest.mark.parametrize("nothing", [None, 7, iter([[1.0] * 4]), b"abc"])
def test_nothing_is_not_predicted(models, which, nothing):
    with pytest.raises(TypeError, match="nothing to predict for"):
        models[which].predict(nothing)


@pytest.mark.parametrize("which", ["numbers", "linear"])
@pytest.mark.parametrize(
    "words", [["free money"], np.array(["free"]), [{"free": 1.0}], {"free": 1.0}]
)
def test_words_need_a_model_with_names(models, which, words):
    with pytest.raises(TypeError, match="knows its features by number"):
        models[which].predict(words)


@pytest.mark.parametrize("words", [[["free"], ["money"]], [["1", "2", "3", "4"]]])
def test_a_table_of_words_is_not_numbers(models, words):
    for which in ("numbers", "linear", "names"):
        with pytest.raises(ValueError, match="row 0"):
            models[which].predict(words)


def test_rows_in_every_form_are_predicted_alike(models):
    expected = models["numbers"].predict(X).tolist()
    for rows in (X.tolist(), sparse.csc_array(X), sparse.coo_matrix(X), frame()):
        assert models["numbers"].predict(rows).tolist() == expected
    for rows in (frame(), frame()[list(WORDS[::-1])], dicts(), X):
        assert models["names"].predict(rows).tolist() == expected
    assert models["names"].predict(dicts()[0]).tolist() == expected[:1]
    for texts in (TEXTS, np.array(TEXTS), pd.Series(TEXTS), pa.array(TEXTS)):
        assert models["hashed"].predict(texts).shape == (30,)
    assert models["numbers"].predict([{0: 2.0}, {3: 1.0, 9: 5.0}]).shape == (2,)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csc_matrix])
def test_a_matrix_has_the_columns_of_the_model(models, kind):
    wide = np.hstack([X, np.full((30, 3), 7.0)])
    for which in ("numbers", "linear"):
        model = models[which]
        with pytest.raises(ValueError, match="X has 3 columns, but the model has 4"):
            model.predict(kind(X[:, :3]))
    if kind is np.asarray:
        with pytest.raises(ValueError, match="X has 7 columns, but the model has 4"):
            models["numbers"].predict(wide)
    else:  # features that were never met weigh nothing
        found = models["linear"].scores(kind(wide))
        assert np.array_equal(found, models["linear"].scores(kind(X)))


def test_estimators_say_what_they_take():
    from regretless.sklearn import PanelClassifier

    y = LABELS["Panel()"]
    for name in ("rows.svm", pathlib.Path("rows.svm")):
        with pytest.raises(TypeError, match="names a file"):
            PanelClassifier().fit(name, y)
    with pytest.raises(TypeError, match="list of texts"):
        PanelClassifier().fit(TEXTS, y)
    fitted = PanelClassifier().fit(X, y)
    with pytest.raises(TypeError, match="list of texts"):
        fitted.predict(TEXTS)


def test_kinds():
    assert kind_of([float("nan"), "a"]) == "strings"
    assert kind_of(pd.Series([pd.NA, "a"])) == "strings"
    assert kind_of([None, None]) == "table"
    assert kind_of([]) == "table"
    assert kind_of([np.zeros(3)]) == "table"
    assert kind_of(iter("ab")) == "other"
