"""Frames with columns of words are learned and predicted as files with them are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import regretless as rg
from regretless import sklearn
from regretless.cli import main
from regretless.data.row_content import table_keys
from regretless.data.sealed_rows import Seal

N = 240
RNG = np.random.default_rng(5)
X = pd.DataFrame(
    {
        "age": RNG.integers(18, 80, N),
        "plan": RNG.choice(["basic", "pro", "team"], N),
        "member": RNG.random(N) < 0.5,
    }
)
Y = np.where((X["plan"] == "pro") ^ (RNG.random(N) < 0.2), "yes", "no")
LEARNER = rg.OGD("logistic", 0.001)


FRAMES = {
    "object": lambda X: X.astype({"plan": object}),
    "string": lambda X: X.astype({"plan": "string"}),
    "category": lambda X: X.astype({"plan": "category"}),
    "polars": lambda X: pl.DataFrame(X.to_dict("list")),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    X.assign(bought=Y).to_csv("rows.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_learned_as_a_file_is(folder: Path, kind: str) -> None:
    file = rg.play(LEARNER, "rows.csv", y="bought")
    frame = FRAMES[kind](X)
    for run in (
        rg.play(LEARNER, frame, Y),
        rg.play(LEARNER, FRAMES[kind](X.assign(bought=Y)), y="bought"),
        rg.play([LEARNER], frame, Y)[0],
    ):
        assert run.mistakes == file.mistakes
        assert run.loss == file.loss
        np.testing.assert_array_equal(run.weights, file.weights)
        assert run.named_weights() == file.named_weights()
    models = [file.model("last"), rg.play(LEARNER, frame, Y).model("last")]
    models[1].save("m.rgl")
    models.append(rg.load("m.rgl"))
    scores = [model.scores(frame) for model in models]
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])
    reversed_columns = frame[list(frame.columns)[::-1]]
    np.testing.assert_array_equal(scores[0], models[1].scores(reversed_columns))
    one = models[1].predict_one({"age": 30, "plan": "pro", "member": True})
    assert one in ("yes", "no")


def test_a_model_of_a_frame_predicts_files(folder: Path, capsys: Any) -> None:
    rg.play(LEARNER, X.assign(bought=Y), y="bought").model().save("m.rgl")
    assert main(["predict", "m.rgl", "rows.csv", "-o", "p.csv"]) == 0
    model = rg.load("m.rgl")
    assert pd.read_csv("p.csv")["prediction"].tolist() == model.predict(X).tolist()
    assert f"{N} labeled rows" in capsys.readouterr().err


def test_rows_of_a_frame_with_words_are_sealed(folder: Path) -> None:
    """Copies of a row are sealed together, and count once."""
    run = rg.play(LEARNER, X.assign(bought=Y), y="bought", seal=0.3, seal_seed=1)
    certificate = run.model().certificate
    assert certificate is not None
    reserved = Seal(0.3, 1).reserved(table_keys(X))
    assert run.rounds == N - reserved.sum()
    assert certificate.n == len(X[reserved].drop_duplicates()) < reserved.sum()


def test_words_that_are_no_plain_dates_bring_a_warning(folder: Path) -> None:
    days = pd.date_range("2024-05-01", periods=N).strftime("%d/%m/%Y")
    with pytest.warns(UserWarning, match=r"column 'day' .*: pd\.to_datetime") as told:
        run = rg.play(LEARNER, X.assign(day=days), Y)
    assert told[0].filename == __file__
    assert "day=01/05/2024" in run.named_weights()


def test_what_is_refused(folder: Path) -> None:
    model = rg.play(LEARNER, X, Y).model()
    with pytest.raises(ValueError, match="there is no column 'plan'"):
        model.predict(X.drop(columns="plan"))
    with pytest.raises(ValueError, match=r"column 'age' holds .*, but it was a number"):
        model.predict(X.assign(age="old"))
    with pytest.raises(ValueError, match=f"X has {N} rows but y has {N - 1} labels"):
        rg.play(LEARNER, X, Y[1:])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([b"a"], "'tags' holds binary, which is no number.*of a frame, drop it"),
        ([[["a"]]], "'tags' holds list<.*>, which is no number.*of a frame, drop it"),
        ([10**400], "'tags' holds a number that is too large"),
        ([object()], r"'tags' holds objects \(object\): make numbers or words of it"),
        ([1, "pro"], r"'tags' mixes kinds of values \(int, str\): make numbers or"),
    ],
    ids=["bytes", "lists of lists", "huge", "objects", "mixed"],
)
def test_columns_of_values_that_are_nothing_to_learn_from(
    values: list[object], said: str
) -> None:
    tagged = X.assign(tags=values * (N // len(values)))
    with pytest.raises(ValueError, match=f"X: column {said}"):
        rg.play(LEARNER, tagged, Y)


@pytest.mark.parametrize("kind", ["object", "polars"])
def test_a_missing_number_is_what_it_is_in_a_file(folder: Path, kind: str) -> None:
    some = X.assign(age=X["age"].where(np.arange(N) % 4 != 3))
    some.assign(bought=Y).to_csv("some.csv", index=False)
    frame = some if kind == "object" else pl.read_csv("some.csv").drop("bought")
    file = rg.play(LEARNER, "some.csv", y="bought")
    for options in (None, rg.ReadOptions(missing="zero")):
        run = rg.play(LEARNER, frame, Y, options=options)
        assert run.loss == file.loss
        assert run.named_weights() == file.named_weights()
    model = run.model("last")
    np.testing.assert_array_equal(model.scores(frame), file.model("last").scores(frame))
    told = r"row 3: column 'age' has no value: fill it, as with df\.fillna"
    with pytest.raises(ValueError, match=told):
        rg.play(LEARNER, frame, Y, options=rg.ReadOptions(missing="refuse"))
    with pytest.raises(TypeError, match="header= says how to read files"):
        rg.play(LEARNER, frame, Y, options=rg.ReadOptions(header=True))


def test_a_missing_word_is_a_word_of_its_own(folder: Path) -> None:
    some = X.assign(plan=X["plan"].astype(object).where(X["plan"] != "team", None))
    assert "plan=" in rg.play(LEARNER, some, Y).named_weights()


def test_estimators_read_frames() -> None:
    model = sklearn.PerceptronClassifier()
    for frame in (X, X[["age", "member"]]):
        assert len(model.fit(frame, Y).predict(frame)) == N
