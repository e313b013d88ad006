"""Hashed features get their numbers as they come, in all that reads words."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import regretless as rg
from file_forms import small_blocks
from regretless.data.encoding import hash_index
from regretless.data.file_source import FileSource
from regretless.data.formats.readers import Wanted
from regretless.engine.feature_names import MetNames
from regretless.runs.session import Session

ROWS = 400
ENDS = ("csv", "parquet", "vw")
ENTRANCES = (*ENDS, "frame", "text")
LEARNERS = {
    "perceptron": rg.Perceptron(),
    "adagrad": rg.AdaGrad(loss=rg.Logistic()),
    "arow": rg.AROW(),
    "ftrl": rg.FTRLProximal(),
    "panel": rg.Panel(),
    "one-versus-rest": rg.OneVersusRest(rg.Perceptron()),
    "panels": rg.OneVersusRest(rg.Panel()),
    "multiclass": rg.MulticlassPerceptron(),
}


def table(n: int = ROWS) -> pd.DataFrame:
    """Numbers, words and texts, of which new ones come all the time."""
    dice = random.Random(5)
    rows: list[dict[str, Any]] = []
    for i in range(n):
        city = f"{dice.choice(['rome', 'oslo', 'bern'])}{dice.randrange(1 + i // 20)}"
        words = " ".join(f"w{dice.randrange(5 + i)}" for _ in range(4))
        x = round(dice.gauss(0.0, 1.0), 2)
        y = int(x + city.startswith("rome") + 0.3 * words.count("w1") > 0.5)
        rows.append({"x": x, "city": city, "words": words, "y": y})
    return pd.DataFrame(rows)


def given(entrance: str, folder: Path) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What `play` takes for the same rows in this form."""
    frame, path = table(), folder / f"a.{entrance}"
    how: dict[str, Any] = {"text": ("words",), "label": "y"}
    if entrance == "frame":
        return (frame, "y"), {"text": ("words",)}
    if entrance == "text":
        return (frame["words"].tolist(), frame["y"].tolist()), {}
    if entrance == "csv":
        frame.to_csv(path, index=False)
    elif entrance == "parquet":
        pa.parquet.write_table(pa.Table.from_pandas(frame), path)
    else:
        lines = [
            f"{2 * row.y - 1} |n x:{row.x} |c {row.city} |w {row.words}"
            for row in frame.itertuples()
        ]
        path.write_text("\n".join(lines))
        how = {}
    return (path,), how


def session(path: Path, learner: Any, options: rg.ReadOptions, direct: int) -> Session:
    """A pass over a file whose hashes are numbers, or get them."""
    many = learner.task == "classes"
    wanted = Wanted(direct=direct)
    source = FileSource(path, options, wanted, binary=not many, many=many)
    found = Session(learner, source, trace=True)
    for batch in source.batches():
        found.take(batch)
    return found


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", LEARNERS)
def test_a_number_changes_no_prediction(end: str, name: str, tmp_path: Path) -> None:
    (path,), how = given(end, tmp_path)
    options = rg.ReadOptions(**how, bits=20)
    runs = [session(path, LEARNERS[name], options, direct) for direct in (0, 20)]
    numbered, direct = (found.run() for found in runs)
    assert numbered.trace is not None
    assert direct.trace is not None
    for mine, theirs in zip(numbered.trace, direct.trace, strict=True):
        assert np.array_equal(mine, theirs)
    assert numbered.ledger.mistakes == direct.ledger.mistakes
    assert isinstance(numbered.names, MetNames)
    assert len(numbered.names) == np.shape(numbered.weights)[-1] < 2000
    assert sorted(map(str, numbered.names)) == sorted(map(str, direct.names.values()))
    for j, key in zip(direct.names, numbered.names.keys, strict=True):
        assert direct.names[j] in numbered.names or isinstance(key, int)


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_there_are_as_many_features_as_came(entrance: str, tmp_path: Path) -> None:
    rows, how = given(entrance, tmp_path)
    run = rg.play(rg.Perceptron(), *rows, options=rg.ReadOptions(**how))
    model = run.model("last")
    assert isinstance(model.names, MetNames)
    assert len({*model.names}) == len(model.names) == model.n_features
    assert model.n_features == run.weights.size
    model.save(tmp_path / "m.rgl")
    loaded = rg.load(tmp_path / "m.rgl")
    assert loaded.names == model.names
    assert np.array_equal(loaded.names.columns, model.names.columns)
    assert (tmp_path / "m.rgl").stat().st_size < 250_000
    frame = table()
    text = frame["words"].tolist()
    dicts = [
        {"x": x, "city": city, "words": words}
        for x, city, words in frame[["x", "city", "words"]].itertuples(index=False)
    ]
    X: Any = {"frame": frame.drop(columns="y"), "text": text}.get(entrance, dicts)
    if entrance != "vw":
        assert np.array_equal(loaded.scores(X), model.scores(X))
        new = loaded.scores(X[:1] if entrance != "frame" else X.head(1))
        assert new.tolist() == model.scores(X)[:1].tolist()


@pytest.mark.parametrize("end", ENDS)
def test_threads_and_blocks_change_no_number(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,), how = given(end, tmp_path)
    whole = rg.play(rg.Perceptron(), path, options=rg.ReadOptions(**how, threads=0))
    small_blocks(monkeypatch)
    for threads in (0, 1, 4):
        options = rg.ReadOptions(**how, threads=threads)
        run = rg.play(rg.Perceptron(), path, options=options)
        assert run.names == whole.names
        assert np.array_equal(run.weights, whole.weights)


@pytest.mark.parametrize("end", ENDS)
def test_the_names_of_sealed_rows_do_not_come(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_blocks(monkeypatch)
    (path,), how = given(end, tmp_path)
    found = []
    for threads in (0, 4):
        options = rg.ReadOptions(**how, threads=threads)
        run = rg.play(rg.Perceptron(), path, options=options, seal=0.3, seal_seed=1)
        found.append((run.names, run.weights.tolist(), str(run.certificate())))
    assert found[0] == found[1]
    every = rg.play(rg.Perceptron(), path, options=rg.ReadOptions(**how))
    assert {*found[0][0]} < {*every.names}


@pytest.mark.parametrize("end", ["csv", "vw"])
def test_names_that_share_a_column_share_a_number(end: str, tmp_path: Path) -> None:
    (path,), how = given(end, tmp_path)
    options = rg.ReadOptions(**how, bits=4)
    run = rg.play(rg.Perceptron(), path, options=options)
    assert run.weights.size == 16 + (end == "csv")
    every = rg.play(rg.Perceptron(), path, options=rg.ReadOptions(**how))
    assert {*run.names} <= {*every.names}


def test_a_learner_that_must_know_the_features_has_all_columns(tmp_path: Path) -> None:
    (path,), how = given("vw", tmp_path)
    run = rg.play(rg.EG(), path, options=rg.ReadOptions(**how))
    assert run.weights.size == 2**18
    narrow = rg.play(rg.EG(), path, options=rg.ReadOptions(**how, bits=12))
    assert narrow.weights.size == 2**12


@pytest.mark.parametrize("end", ENDS)
def test_too_many_names_are_one_line(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hash_index, "MOST", 100)
    (path,), how = given(end, tmp_path)
    with pytest.raises(ValueError, match="more than 100 names came: bound"):
        rg.play(rg.Perceptron(), path, options=rg.ReadOptions(**how))
    rg.play(rg.Perceptron(), path, options=rg.ReadOptions(**how, bits=18))


@pytest.mark.parametrize("end", ENDS)
def test_a_model_goes_on_in_another_file(end: str, tmp_path: Path) -> None:
    (path,), how = given(end, tmp_path)
    options = rg.ReadOptions(**how)
    first = rg.play(rg.OGD(), path, options=options)
    first.model("last").save(tmp_path / "m.rgl")
    second = rg.play(
        rg.OGD(), path, options=options, initial_model=tmp_path / "m.rgl", again=True
    )
    assert second.names == first.names
