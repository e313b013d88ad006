"""Products of fields: what is refused, how commands say them, what keeps them.

What their features are is in ``test_one_reading``, of VW text in ``test_vw``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import regretless as rg
from regretless.cli import main
from regretless.data.read_options import ReadOptions

ROWS = [{"a": 2.0, "b": "x", "c": 3.0}, {"a": 0.5, "b": "y", "c": 1.0}]
HUGE = [{"a": 1e200, "b": "x", "c": 1e200}, {"a": 0.5, "b": "y", "c": 1.0}]
LINES = [f"{k % 2} |user u{k % 7} |item i{k % 5}:0.5 |n 1:{k} |z q" for k in range(80)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("lines.vw").write_text("\n".join(LINES))
    return tmp_path


@pytest.mark.parametrize(
    ("crossed", "what"),
    [
        (["a"], "'a' is not of two or three fields"),
        ([""], "'' is not of two or three fields"),
        (["a*b*c*d"], "'a\\*b\\*c\\*d' is not of two or three fields"),
        (["*b"], "has a field without a name"),
        (["a**b"], "has a field without a name"),
        (["a*b*"], "has a field without a name"),
        (["a*b*a"], "write 'a\\*a\\*b'"),
        (["a*b", "c*d", "b*a"], "'b\\*a' is there twice"),
        (["a*b*c", "c*b*a"], "'c\\*b\\*a' is there twice"),
        (["a*", "a*"], "'a\\*' is there twice"),
        (["a*i"], "crosses 'i', which is no feature"),
        (["a*y"], "crosses 'y', which is no feature"),
        (["w*"], "crosses 'w', which is no feature"),
    ],
)
def test_what_is_no_interaction(crossed: list[str], what: str) -> None:
    with pytest.raises(ValueError, match=f"^interactions: .*{what}"):
        rg.Schema(interactions=crossed, ignore=["i"], label="y", weight="w")


@pytest.mark.parametrize("crossed", ["a*b", [1]])
def test_they_are_a_list_of_texts(crossed: Any) -> None:
    with pytest.raises(TypeError, match=r"^interactions=.*list of names"):
        rg.Schema(interactions=crossed)


def test_a_schema_keeps_them() -> None:
    schema = rg.Schema(interactions=["a*b", "c*"])
    assert schema.as_dict() == {"interactions": ["a*b", "c*"]}
    assert rg.Schema.from_json(schema.to_json()) == schema


def write(rows: list[dict[str, Any]], name: str) -> Any:
    """The rows as they come in at this entrance, each with a label."""
    frame = pd.DataFrame([{**row, "y": k % 2} for k, row in enumerate(rows)])
    if name == "csv":
        frame.to_csv("t.csv", index=False)
    elif name == "parquet":
        frame.to_parquet("t.parquet")
    elif name == "jsonl":
        frame.to_json("t.jsonl", orient="records", lines=True)
    else:
        return frame if name == "pandas" else pl.DataFrame(frame.to_dict("list"))
    return f"t.{name}"


def learned(rows: list[dict[str, Any]], name: str, schema: rg.Schema) -> Any:
    if name == "events":
        return rg.play(rg.OGD(), [(row, 1) for row in rows], schema=schema)
    if name == "live":
        learner = rg.OGD(schema=schema)
        for k, row in enumerate(rows):
            learner.learn_one(row, k % 2)
        return learner
    return rg.play(rg.OGD(), write(rows, name), "y", schema=schema)


TABLES = ("csv", "parquet", "pandas", "polars")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_no_such_field(name: str) -> None:
    what = r"the interaction 'a\*bb': there is no field 'bb' \(did you mean 'b'\?\)"
    with pytest.raises(ValueError, match=what):
        learned(ROWS, name, rg.Schema(interactions=["a*bb"]))
    with pytest.raises(ValueError, match=r"'a\*y' crosses 'y', which is no feature"):
        learned(ROWS, name, rg.Schema(interactions=["a*y"]))


@pytest.mark.parametrize("name", ["jsonl", "events", "live"])
def test_fields_that_look_mistaken_are_refused(name: str) -> None:
    rows = [{**row, "user_id": "u"} for row in ROWS]
    what = r"there is no field 'user_idd' \(did you mean 'user_id'\?\)"
    with pytest.raises(ValueError, match=what):
        learned(rows, name, rg.Schema(interactions=["a*user_idd"]))
    learned(ROWS, name, rg.Schema(interactions=["a*"]))


@pytest.mark.parametrize("name", [*TABLES, "jsonl", "events", "live"])
def test_products_have_limits(name: str) -> None:
    for crossed, called in (("a*c", "a*c"), ("a*c*b", "a*c*b=x")):
        with pytest.raises(ValueError, match="the product inf is too large") as raised:
            learned(HUGE, name, rg.Schema(interactions=[crossed]))
        assert f"feature {called!r}" in str(raised.value)
    texts = [{"b": " ".join(map(str, range(400))), "c": k} for k in range(2)]
    with pytest.raises(ValueError, match="the row has more than 65,536 products"):
        learned(texts, name, rg.Schema(interactions=["b*b"], text=["b"]))


def test_a_bad_row_is_skipped_and_the_others_are_learned() -> None:
    rows = [ROWS[0], HUGE[0], *ROWS]
    options = ReadOptions(
        label="y", interactions=("a*c", "a*c*b"), on_bad_rows="skip", format="csv"
    )
    run = rg.play(rg.OGD(), write(rows, "csv"), options=options)
    assert run.rounds == 3
    weights = run.named_weights()
    assert "a*c*b=y" in weights
    assert np.isfinite(list(weights.values())).all()


def test_rows_without_names_are_refused() -> None:
    schema = rg.Schema(interactions=["a*b"])
    with pytest.raises(TypeError, match="interactions="):
        rg.play(rg.OGD(), np.ones((2, 2)), [0, 1], schema=schema)
    with pytest.raises(ValueError, match="interactions="):
        rg.play(rg.OGD(), ["red shoes", "blue"], [0, 1], schema=schema)
    with pytest.raises(ValueError, match="interactions are of fields by name"):
        rg.play(rg.OGD(), [([1.0, 2.0], 1)], schema=schema)
    Path("t.svm").write_text("1 1:2\n0 2:3\n")
    with pytest.raises(ValueError, match=r"interactions=.* means nothing in libsvm"):
        rg.play(rg.OGD(), "t.svm", schema=schema)


def test_two_features_of_one_name_are_refused() -> None:
    rows = [{"a": 1.0, "b": 2.0, "a*b": 3.0}] * 2
    with pytest.raises(ValueError, match=r"two columns are named 'a\*b'"):
        learned(rows, "pandas", rg.Schema(interactions=["a*b"]))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_numbers_alone(name: str) -> None:
    rows = [{"a": row["a"], "c": row["c"]} for row in ROWS]
    schema = rg.Schema(interactions=["a*c", "c*c"])
    model = learned(rows, name, schema).model("last")
    assert sorted(map(str, model.named_weights())) == ["a", "a*c", "c", "c*c"]
    for given in (rows, pd.DataFrame(rows), pl.DataFrame(rows)):
        assert model.scores(given).tolist() == model.scores(rows).tolist()


def test_a_learner_that_is_saved_multiplies_on() -> None:
    schema = rg.Schema(interactions=["a*b", "a*c"])
    learner = learned(ROWS, "live", schema)
    learner.save("l.rgl")
    loaded = rg.load_learner("l.rgl")
    assert loaded.schema == schema
    model = learner.snapshot()
    for row in (*ROWS, {"a": 1.0, "b": "never", "c": -2.0}, {"a": 3, "c": 1}):
        expected = learner.score_one(row)
        assert loaded.score_one(row) == expected
        assert model.scores([row])[0] == expected
    assert {"a*c", "a*b=x"} <= set(model.explain_one(ROWS[0]))


def scores_in(path: str) -> list[float]:
    """The scores that ``predict --scores`` wrote."""
    return [json.loads(line)["score"] for line in Path(path).read_text().splitlines()]


def said(*command: str) -> Any:
    assert main([*command]) in (None, 0)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["-q", "ui"], ["u*i"]),
        (["-q", "u:"], ["u*"]),
        (["-q", "::"], ["*"]),
        (["--cubic", "uin", "-q", "uu"], ["u*u", "u*i*n"]),
        (["--interactions", "i*u*n", "-q", "nn"], ["i*u*n", "n*n"]),
        (["--interactions", "u*i", "--ignore", "n"], ["u*i"]),
        (["--interactions", "u*i", "--keep", "u", "--keep", "i"], ["u*i"]),
    ],
)
def test_a_command_says_them_and_a_model_keeps_them(
    given: list[str], kept: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said("train", "lines.vw", "-o", "m.rgl", "--quiet", *given)
    said("inspect", "m.rgl", "--json")
    reading = json.loads(capsys.readouterr().out)["reading"]
    assert reading["interactions"] == kept
    said("inspect", "m.rgl")
    assert f"interactions={' '.join(kept)}" in capsys.readouterr().out
    # Lines given to the model are read as those of the file.
    said("predict", "m.rgl", "lines.vw", "-o", "p.jsonl", "--scores", "--quiet")
    told = scores_in("p.jsonl")
    model = rg.load("m.rgl")
    assert model.scores(LINES).tolist() == told
    assert model.scores([LINES[3] + "\n"]).tolist() == told[3:4]
    options = ReadOptions.from_dict(reading)
    run = rg.play(rg.Panel(), "lines.vw", options=options)
    assert run.model("last").scores(LINES).tolist() == told


@pytest.mark.parametrize("given", [["-q", "a"], ["-q", ":a"], ["--cubic", "a:b"]])
def test_letters_that_are_no_pair(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "lines.vw", *given]) == 2
    assert f"{' '.join(given)}: write" in capsys.readouterr().err.replace(
        "--quadratic", "-q"
    )


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["|user u1", "user u2"], "row 1: there is no '|' before the features"),
        (["|user u1", ""], "row 1: it is not one line of VW text"),
        (["|user u1\n|item i1"], "row 0: it is not one line of VW text"),
        (["|user u1", "|n 1:x"], "row 1: value 'x' of feature '1' is not a number"),
        (["shared |user u1"], "row 0: 'shared': rows of contextual bandits are not"),
    ],
)
def test_lines_that_a_model_refuses(lines: list[str], what: str) -> None:
    options = ReadOptions(interactions=("u*i",))
    model = rg.play(rg.Panel(), "lines.vw", options=options).model("last")
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - looked at below
        model.predict(lines)
    assert str(raised.value).startswith(what)
    with pytest.raises(TypeError, match="give it lines of it"):
        model.predict({"user^u1": 1.0})


def test_converted_lines_are_predicted_as_they_were_multiplied() -> None:
    said("train", "lines.vw", "-o", "m.rgl", "--quiet", "-q", "ui", "--ignore", "z")
    said("convert", "lines.vw", "lines.arrow", "--quiet", "-q", "ui", "--ignore", "z")
    said("predict", "m.rgl", "lines.arrow", "-o", "p.jsonl", "--scores", "--quiet")
    told = scores_in("p.jsonl")
    assert rg.load("m.rgl").scores(LINES).tolist() == told
