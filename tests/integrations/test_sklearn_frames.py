"""Frames of words, dates and gaps: estimators read them as ``play`` does."""

from __future__ import annotations

import pickle  # noqa: TID251 - scikit-learn's users do
from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import regretless as rg
import regretless.sklearn as sk

N = 120
START = datetime(2030, 1, 1)
SCHEMA = rg.Schema(categorical=["sku"], text=["title"], ignore=["row"])
REGRESSION = (sk.OGDRegressor, sk.RegressionPanelRegressor)
PARTS = [
    sk.OGDClassifier,
    sk.PerceptronClassifier,
    sk.PanelClassifier,
    sk.MulticlassPerceptronClassifier,
    *REGRESSION,
]


def columns(kind):
    """One column of a kind, of N values."""
    dice = np.random.default_rng(0)
    k = dice.integers(0, 3, N)
    return {
        "number": dice.normal(size=N),
        "gaps": [None if i % 7 == 0 else float(i % 5) for i in range(N)],
        "sku": k + 10,
        "word": [("red", "green", "blue")[i] for i in k],
        "missing word": [(None, "green", "blue")[i] for i in k],
        "flag": k > 0,
        "date": [START + timedelta(hours=7 * i) for i in range(N)],
        "spelled": [str((START + timedelta(days=i)).date()) for i in range(N)],
        "title": [("red shoes", "a blue, blue hat", "")[i] for i in k],
        "row": np.arange(N),
    }[kind]


KINDS = (
    *("number", "gaps", "sku", "word", "missing word", "flag"),
    *("date", "spelled", "title", "row"),
)


def table(*kinds, frame=pd.DataFrame, more=True):
    """A frame with columns of these kinds, and its labels or amounts."""
    names = dict.fromkeys((*kinds, "number", "word") if more else kinds)
    return frame({name: columns(name) for name in names})


def labels(kind):
    y = np.asarray(columns("number")) + np.asarray(columns("sku")) - 11.0
    return y if kind in REGRESSION else np.where(y > 0.0, "yes", "no")


def schema_for(frame):
    """What is declared of the columns that a frame has."""
    have = set(frame.columns)
    return rg.Schema(
        categorical=[*have & {"sku"}],
        text=[*have & {"title"}],
        ignore=[*have & {"row"}],
    )


def spoken(model, X):
    return getattr(model, "decision_function", model.predict)(X)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("column", KINDS)
@pytest.mark.parametrize("kind", [sk.OGDClassifier, sk.OGDRegressor])
def test_every_kind_of_column_is_learned_as_play_learns_it(kind, column, frame):
    X, y = table(column, frame=frame), labels(kind)
    schema = schema_for(X)
    model = kind(model="last", shuffle=False, schema=schema).fit(X, y)
    run = rg.play(model._learner(), X, y, schema=schema)
    assert model.ledger_ == run.ledger
    ours, theirs = model.run_.named_weights(), run.named_weights()
    assert ours == theirs
    assert model.intercept_[0] == run.bias
    played = run.model("last")
    scores = played.predict(X) if kind in REGRESSION else played.scores(X)
    assert np.array_equal(spoken(model, X), scores)
    names = model.get_feature_names_out()
    assert model.coef_.shape[-1] == names.size
    known = dict(zip(names.tolist(), model.coef_.ravel().tolist(), strict=True))
    assert {name: known[name] for name in theirs} == theirs


@pytest.mark.parametrize("kind", PARTS)
def test_every_sort_of_learner_reads_frames(kind):
    X, y = table(*KINDS), labels(kind)
    model = kind(model="last", shuffle=False, schema=SCHEMA).fit(X, y)
    learner = model._learner()
    run = rg.play(learner, X, y, schema=SCHEMA)
    assert model.ledger_ == run.ledger
    assert np.array_equal(model.predict(X), run.model("last").predict(X))
    assert model.n_features_in_ == len(KINDS)
    assert list(model.feature_names_in_) == list(X.columns)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(spoken(again, X), spoken(model, X))
    if kind is not sk.MulticlassPerceptronClassifier:
        assert model.theorems(X, y) is not None


@pytest.mark.parametrize("kind", [sk.OGDClassifier, sk.PanelClassifier])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_in_any_cuts_and_in_any_order_of_columns(kind, frame):
    X, y = table(*KINDS, frame=frame), labels(kind)
    whole = kind(shuffle=False, schema=SCHEMA).fit(X, y)
    pieces = kind(schema=SCHEMA)
    for begin, end in ((0, 40), (40, 41), (41, N)):
        names = list(X.columns)[:: -1 if begin else 1]
        pieces.partial_fit(X[begin:end][names], y[begin:end], classes=["no", "yes"])
        pieces = pickle.loads(pickle.dumps(pieces))
    assert pieces.ledger_ == whole.ledger_
    assert np.array_equal(spoken(pieces, X), spoken(whole, X[list(X.columns)[::-1]]))
    assert pieces.run_.named_weights() == whole.run_.named_weights()


def test_words_that_come_later_have_names():
    model = sk.OGDClassifier(model="last")
    for word, y in (("red", 1), ("blue", 0), ("green", 1)):
        model.partial_fit(pd.DataFrame({"word": [word]}), [y], classes=[0, 1])
    assert {*model.run_.named_weights()} == {"word=red", "word=blue", "word=green"}
    model.predict(pd.DataFrame({"word": ["never met"]}))
    assert "word=never met" not in model.get_feature_names_out()


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("options", [{}, {"seal": "20%"}, {"passes": 2}])
def test_words_in_an_order_of_their_own(classes, options):
    X = table(*KINDS)
    y = np.array(["a", "b", "c"])[np.arange(N) % classes]
    model = sk.PanelClassifier(schema=SCHEMA, random_state=3, **options).fit(X, y)
    again = sk.PanelClassifier(schema=SCHEMA, random_state=model.seed_, **options)
    assert np.array_equal(again.fit(X, y).predict_proba(X), model.predict_proba(X))
    assert model.predict_proba(X).shape == (N, classes)
    assert clone(model).get_params()["schema"] is not None


def test_what_is_saved_reads_frames_and_dicts(tmp_path):
    X, y = table(*KINDS), labels(sk.OGDClassifier)
    model = sk.OGDClassifier(model="last", schema=SCHEMA).fit(X, y)
    model.run_.model("last").save(tmp_path / "model")
    loaded = rg.load(tmp_path / "model")
    assert np.array_equal(loaded.scores(X), model.decision_function(X))
    row = {"number": 1.0, "word": "green", "title": "red hat", "flag": True}
    scores = model.decision_function([row, {**row, "word": "never met"}])
    assert np.array_equal(scores, loaded.scores([row, {**row, "word": "never met"}]))
    assert scores[0] != scores[1]


def test_gaps_are_zero_or_have_a_feature():
    X, y = table("gaps"), labels(sk.OGDClassifier)
    zero = sk.OGDClassifier(shuffle=False, model="last").fit(X, y)
    filled = sk.OGDClassifier(shuffle=False, model="last").fit(X.fillna({"gaps": 0}), y)
    assert zero.ledger_ == filled.ledger_
    for options in (
        {"missing": "indicator"},
        {"schema": rg.Schema(missing="indicator")},
    ):
        model = sk.OGDClassifier(**options).fit(X, y)
        assert "gaps is missing" in model.get_feature_names_out()
    refusing = sk.OGDClassifier(schema=rg.Schema(missing="refuse"))
    with pytest.raises(rg.BadRow, match="row 0: column 'gaps' has no value"):
        refusing.fit(X, y)


def refused(message, call, *arguments):
    with pytest.raises((TypeError, ValueError), match=message) as found:
        call(*arguments)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_other_columns_than_in_fit_are_named(frame):
    X, y = table("date", frame=frame), labels(sk.OGDClassifier)
    model = sk.OGDClassifier().fit(X, y)
    before = pickle.dumps(model._session.player.state_dict())
    less, more = X[["number", "date"]], table("date", "flag", frame=frame)
    other = frame({"number": ["x"], "word": ["red"], "date": [START]})
    for call in (model.predict, lambda X: model.partial_fit(X, y[: len(X)])):
        refused("X has no column 'word', which was there in fit", call, less)
        refused("a column 'flag' that was not there in fit: drop it", call, more)
        refused("column 'number' holds words, but it was a number", call, other)
        refused("give a frame with the columns 'date', 'number'", call, [[1.0, 2.0]])
    assert pickle.dumps(model._session.player.state_dict()) == before


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_that_nothing_is_learned_from_are_named(frame):
    y = labels(sk.OGDClassifier)
    what = [bytes([i]) for i in range(N)]
    X = frame({"number": columns("number"), "raw": what})
    refused("column 'raw' holds .*binary", sk.OGDClassifier().fit, X, y)
    mixed = pd.DataFrame({"number": columns("number"), "mix": [1, "a"] * (N // 2)})
    refused("column 'mix' mixes kinds of values", sk.OGDClassifier().fit, mixed, y)


def test_what_is_no_frame_is_refused():
    X, y = table("sku", frame=pl.DataFrame), labels(sk.OGDClassifier)
    twins = pd.DataFrame([[1, "a"], [2, "b"]], columns=["same", "same"])
    for kind in (sk.OGDClassifier, sk.SchemaTransformer):
        refused(r"lazy frame: collect\(\) it first", kind().fit, X.lazy(), y)
        refused("X is an Arrow table: X.to_pandas", kind().fit, X.to_arrow(), y)
        refused("column 'same' holds", kind().fit, twins, [0, 1])
        refused("there are no rows to learn from", kind().fit, X[:0], [])


def test_what_schemas_are_refused():
    X, y = table("sku"), labels(sk.OGDClassifier)

    def fit(schema, X=X):
        sk.OGDClassifier(schema=schema).fit(X, y)

    refused("no column 'size'", fit, rg.Schema(categorical=["size"]))
    refused("label='sku' is for files: give labels as y", fit, rg.Schema(label="sku"))
    refused("weight='sku' is for files", fit, rg.Schema(weight="sku"))
    refused("must be a regretless.Schema, or None", fit, {"categorical": ["sku"]})
    refused(
        "X has no names of columns: give a frame", fit, SCHEMA, X[["number"]].values
    )
    model = sk.OGDClassifier().fit(X, y)
    model.set_params(schema=SCHEMA)
    refused("changed in the middle of a stream", model.partial_fit, X, y)
    refused("list of dicts: put .*SchemaTransformer", fit, None, [{"sku": 1}] * N)
    refused("X has 120 rows but y has 3", sk.OGDClassifier().fit, X, [0, 1, 0])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("column", KINDS)
def test_the_transformer_has_the_features_of_play(column, frame):
    X, y = table(column, frame=frame), labels(sk.OGDClassifier)
    schema = schema_for(X)
    transformer = sk.SchemaTransformer(schema).fit(X)
    matrix, names = transformer.transform(X), transformer.get_feature_names_out()
    run = rg.play(rg.Perceptron(), X, y, schema=schema)
    plain = rg.play(rg.Perceptron(), matrix, y)
    assert plain.mistakes == run.mistakes
    weights = dict(zip(names.tolist(), plain.weights.tolist(), strict=True))
    for name, weight in run.named_weights().items():
        assert weights[name] == pytest.approx(weight, rel=1e-12)
    if frame is pl.DataFrame:
        return
    rows = [
        {k: None if v != v else v for k, v in row.items()}  # noqa: PLR0124 - nan
        for row in X.to_dict("records")
    ]
    again = transformer.transform(rows)
    assert np.array_equal(again.toarray(), matrix.toarray())


def test_the_transformer_in_a_pipeline_of_other_peoples_models():
    X, y = table(*KINDS), labels(sk.OGDClassifier)
    model = make_pipeline(sk.SchemaTransformer(SCHEMA), LogisticRegression())
    assert cross_val_score(model, X, y, cv=3).mean() > 0.8
    model.fit(X, y)
    unknown = X.iloc[:2].assign(word="never met")
    assert model.predict(unknown).shape == (2,)
    assert "word=green" in model[0].get_feature_names_out()
    assert not any("row" in name for name in model[0].get_feature_names_out())
    refused("no column 'title'", model.predict, X.drop(columns="title"))
    ours = make_pipeline(sk.SchemaTransformer(SCHEMA), sk.PanelClassifier())
    assert ours.fit(X, y).score(X, y) > 0.8


def test_the_transformer_of_dicts():
    rows = [{"town": "Rome", "size": 2.0, "at": "2030-01-05"}, {"town": "Oslo"}] * 20
    transformer = sk.SchemaTransformer().fit(rows)
    names = list(transformer.get_feature_names_out())
    assert names[0] == "town=Rome"
    assert {"size", "town=Oslo"} <= {*names}
    matrix = transformer.transform([*rows[:2], {"town": "Bonn", "new": 1.0}])
    assert matrix.shape == (3, len(names))
    assert matrix[[2], :].nnz == 0
    model = make_pipeline(sk.SchemaTransformer(), LogisticRegression())
    assert model.fit(rows, [1, 0] * 20).predict(rows[:2]).tolist() == [1, 0]
    refused(
        "row 1: .*'size'", sk.SchemaTransformer().fit, [{"size": 1}, {"size": "big"}]
    )
    refused("X is no list of dicts", transformer.transform, table("sku"))
