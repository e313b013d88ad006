"""Mistakes that people make: one line each, which says what was meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import regretless as rg
from regretless.cli import main

ROWS = pd.DataFrame(
    {
        "customer": range(60),
        "age": np.arange(60) % 7,
        "plan": ["basic", "pro", "team"] * 20,
        "price": np.arange(60) % 7 + 0.5,
        "churned": ["no", "yes", "no", "no"] * 15,
    }
)
NAMED = {
    "--label": ("chruned", "churned"),
    "--id": ("custmer", "customer"),
    "--weight": ("agee", "age"),
    "--group": ("Plan", "plan"),
    "--ignore": ("pirce", "price"),
    "--categorical": ("aeg", "age"),
    "--text": ("paln", "plan"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ROWS.to_csv("rows.csv", index=False)
    ROWS.to_csv("rows.tsv", index=False, sep="\t")
    ROWS.to_parquet("rows.parquet")
    ROWS.to_feather("rows.arrow")
    ROWS.to_json("rows.jsonl", orient="records", lines=True)
    return tmp_path


def said(capsys: Any, *arguments: str, code: int | None = None) -> str:
    ended = main(list(arguments))
    assert ended == code or (code is None and ended != 0)
    return capsys.readouterr().err.strip()


@pytest.mark.filterwarnings("default")  # of JSON lines, a warning
@pytest.mark.parametrize("option", NAMED)
@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "arrow", "jsonl"])
def test_a_column_that_is_misspelled(
    folder: Path, capsys: Any, form: str, option: str
) -> None:
    wrong, right = NAMED[option]
    asked = ["train", f"rows.{form}", "--label", "churned", "--fast"]
    asked += ["--seal", "20%"] if option == "--group" else []
    main([*asked, option, wrong])
    told = capsys.readouterr().err.splitlines()
    assert f"{wrong!r} (did you mean {right!r}?)" in told[0]
    assert len(told) <= 2


def test_a_label_that_is_misspelled_from_python(folder: Path) -> None:
    meant = r"'chruned' \(did you mean 'churned'\?\)"
    learner = rg.Panel(forest=False)
    read = rg.ReadOptions(label="chruned")
    with pytest.raises(ValueError, match=meant):
        rg.play(learner, ROWS[["age", "churned"]], y="chruned")
    with pytest.raises(ValueError, match=meant):
        rg.play(learner, "rows.csv", y="chruned")
    with pytest.raises(ValueError, match=meant):
        rg.play(learner, "rows.csv", options=read)
    with pytest.raises(ValueError, match=meant):
        rg.play("rows.csv", y="chruned")
    with pytest.raises(ValueError, match=r"'paln' \(did you mean 'plan'\?\)"):
        rg.play(learner, ROWS, "churned", seal=0.2, group="paln")


@pytest.mark.parametrize(
    "X", [ROWS, ROWS[["age"]].to_numpy(), [[1.0], [2.0]], np.ones((2, 1))]
)
def test_no_learner(X: Any) -> None:
    with pytest.raises(TypeError, match=r"the learner comes first: play\(rg.Panel\(\)"):
        rg.play(X, [0, 1])


def test_a_class_is_not_a_learner() -> None:
    with pytest.raises(TypeError, match=r"is not a learner; did you forget the \(\)\?"):
        rg.play(rg.Panel, [[1.0], [2.0]], [0, 1])


def test_a_file_and_its_label_need_no_learner(folder: Path) -> None:
    assert rg.play("rows.csv", y="churned").classes == ("no", "yes")


def test_predict(folder: Path, capsys: Any) -> None:
    asked = ["train", "rows.csv", "--label", "churned", "--fast", "-o", "m.rgl"]
    assert main([*asked, "--quiet"]) == 0
    told = said(capsys, "predict", "rows.csv", "m.rgl", code=2)
    assert told.endswith("the model comes first, regretless predict m.rgl rows.csv")
    told = said(capsys, "predict", "m.rgl", "rows.csv", "--threshold", "0.3", code=2)
    assert told == (
        "there is no option --threshold here: it is an option of regretless train, and "
        "the model keeps it"
    )
    told = said(capsys, "predict", "m.rgl", "rows.csv", "--id", "custmer")
    assert "(did you mean 'customer'?)" in told
    assert said(capsys, "predict", "rows.csv", "rows.tsv", code=1)


def test_the_target_is_the_label(folder: Path, capsys: Any) -> None:
    told = said(capsys, "train", "rows.csv", "--target", "churned", code=2)
    assert told == "there is no option --target here: did you mean --label?"


def test_predictions_without_labels_are_counted(folder: Path, capsys: Any) -> None:
    asked = ["train", "rows.csv", "--label", "churned", "--fast", "-o", "m.rgl"]
    assert main([*asked, "--quiet"]) == 0
    ROWS.drop(columns="churned").to_csv("new.csv", index=False)
    capsys.readouterr()
    assert main(["predict", "m.rgl", "new.csv", "-o", "p.csv"]) == 0
    assert capsys.readouterr().err.strip() == "60 predictions in p.csv"
    assert main(["predict", "m.rgl", "new.csv", "-o", "p.csv", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["predict", "m.rgl", "new.csv", "-o", "-"]) == 0
    assert "predictions in" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--threshold 1.7", "a probability is between 0 and 1, such as 0.3 or 30%"),
        ("--threshold 0", "a probability is between 0 and 1, such as 0.3 or 30%"),
        ("--positive Yes", "no label so far is positive='Yes' (did you mean 'yes'?)"),
        ("--sets 1.9", "a level of '1.9': give one from 1% to 99.9%, such as 0.9, 90"),
        ("--sets 10", "a level of '10': give one from 1% to 99.9%, such as 0.9, 90"),
    ],
)
def test_values(folder: Path, capsys: Any, options: str, told: str) -> None:
    asked = ["train", "rows.csv", "--label", "churned", "--fast", "-o", "m.rgl"]
    assert told in said(capsys, *asked, *options.split())
    assert not Path("m.rgl").exists()


@pytest.mark.parametrize("level", ["0.9", "90", "90%"])
def test_levels(folder: Path, capsys: Any, level: str) -> None:
    asked = ["train", "rows.csv", "--label", "churned", "--fast", "--json"]
    assert main([*asked, "--sets", level]) == 0
    assert json.loads(capsys.readouterr().out)["coverage"]["level"] == 0.9


MISTAKES = {
    "train rows.csv --label churned --positive ja": (
        "rows.csv:3: no label so far is positive='ja': they are 'no' and 'yes'"
    ),
    "train m.rgl": "m.rgl: it is no data, but a file of regretless itself",
    "predict m.rgl m.rgl": "m.rgl: it is no data, but a file of regretless itself",
    "inspect rows.csv": "not a regretless model: it holds something else, such as data",
    "predict rows.csv rows.csv": "not a regretless model: it holds something else",
    "predict m.rgl rows.csv --label churned": (
        "--label here: it is an option of regretless train, and the model keeps it"
    ),
    "train rows.csv --label churned -l panel forest=no": (
        "panel: forest=no is neither true nor false"
    ),
    "train rows.csv --label churned --seal 200%": "--seal 200%: the share of the rows",
    "train rows.csv --label churned --missing mean": "--missing mean: it is one of",
    "train rows.csv --label churned -b 40": "--bits 40: it is from 1 to 30",
    "explain m.rgl": "no such command 'explain'. Did you mean 'inspect'?",
    "compare rows.csv": "with the truth: say --truth (truth=), one of 'customer'",
    "compare amounts.csv": "200 is not a probability; amounts? say so: --loss absolute",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_what_was_meant_is_said(folder: Path, capsys: Any, words: str) -> None:
    assert (
        main(["train", "rows.csv", "--label", "churned", "-o", "m.rgl", "--fast"]) == 0
    )
    Path("amounts.csv").write_text("a,b,truth\n200,210,205\n190,185,188\n")
    capsys.readouterr()
    told = said(capsys, *words.split())
    assert MISTAKES[words] in told
    assert "\n" not in told


def test_predict_advises_no_option_that_it_has_not(folder: Path, capsys: Any) -> None:
    assert (
        main(["train", "rows.csv", "--label", "churned", "-o", "m.rgl", "--fast"]) == 0
    )
    spoiled = ROWS.astype({"age": object})
    spoiled.loc[3, "age"] = "old"
    spoiled.to_csv("rows.csv", index=False)
    capsys.readouterr()
    told = said(capsys, "predict", "m.rgl", "rows.csv")
    assert told == "rows.csv:5: column 'age': 'old' is not a number"
    told = said(capsys, "train", "rows.csv", "--label", "churned")
    assert told.endswith("'old' is not a number (or --categorical age)")


def test_flags_of_learners_are_flags() -> None:
    for kind in (rg.Panel, rg.RegressionPanel):
        with pytest.raises(ValueError, match="forest='no' must be True or False"):
            kind(forest="no")


def test_an_estimator_by_half_its_name() -> None:
    with pytest.raises(AttributeError, match="did you mean 'RegressionPanelRegressor'"):
        _ = rg.sklearn.PanelRegressor
