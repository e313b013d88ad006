"""Training that goes on tomorrow: as if it had been one file, or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.continued import KINDS, Nights, content

import regretless as rg
from regretless.cli import main
from regretless.runs.checkpoints import read_state

SOME = {"Perceptron", "panel", "many classes", "regression", "FTRL-Proximal", "vote"}
"""Whose machine code other tests compile, too."""


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[] if kind in SOME else [pytest.mark.slow])
        for kind in KINDS
    ],
)
def test_three_nights_are_one(kind: str, tmp_path: Path) -> None:
    nights = Nights(tmp_path, 150)
    for form, cuts in (("csv", (31, 90)), ("jsonl", (77, 99)), ("svm", (60, 140))):
        assert nights.same(kind, form, *cuts), form


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = Nights(tmp_path, 120).lines("two", "csv")
    (tmp_path / "one.csv").write_text("\n".join(lines[:61]))
    (tmp_path / "two.csv").write_text("\n".join([lines[0], *lines[61:]]))
    (tmp_path / "both.csv").write_text("\n".join(lines))
    return tmp_path


def train(*more: str, learner: str | None = "perceptron") -> int:
    named = [] if learner is None else ["-l", learner]
    return main(["train", *more, *named, "--quiet"])


def test_the_second_night_knows_the_rows_of_the_first(folder: Path) -> None:
    assert train("one.csv", "-o", "m.rgl", "--resumable") == 0
    assert train("one.csv", "-i", "m.rgl", "-o", "again.rgl", learner=None) == 0
    found = rg.load("again.rgl")
    assert found.certificate is None
    assert "rows came again from about round 61 on" in found.why_not


def test_a_checkpoint_is_a_state_too(folder: Path) -> None:
    saving = ["--checkpoint", "c.ck", "--every", "1rows"]
    assert train("one.csv", "-o", "m.rgl", *saving) == 0
    assert train("two.csv", "-i", "c.ck", "-o", "two.rgl", learner=None) == 0
    assert train("both.csv", "-o", "both.rgl") == 0
    assert rg.load("two.rgl").named_weights() == rg.load("both.rgl").named_weights()
    assert rg.load("two.rgl").ledger.rounds == 120


def test_a_night_that_is_interrupted_goes_on(folder: Path) -> None:
    assert train("one.csv", "-o", "m.rgl", "--resumable") == 0
    saving = ["--checkpoint", "c.ck", "--every", "1rows"]
    assert train("two.csv", "-i", "m.rgl", "-o", "two.rgl", *saving, learner=None) == 0
    assert train("--resume", "c.ck", "-o", "resumed.rgl", learner=None) == 0
    first, second = rg.load("two.rgl"), rg.load("resumed.rgl")
    assert first.named_weights() == second.named_weights()
    assert first.certificate == second.certificate


def test_a_model_without_its_state_is_as_small_as_before(folder: Path) -> None:
    assert train("one.csv", "-o", "m.rgl") == 0
    assert read_state("m.rgl") is None
    assert train("one.csv", "-o", "r.rgl", "--resumable") == 0
    assert read_state("r.rgl") is not None
    plain, whole = content_of("m.rgl"), content_of("r.rgl")
    assert "state" not in plain
    assert plain["arrays"].keys() == whole["arrays"].keys()
    assert content(Path("r.rgl"))["facts"] == plain["facts"]


def content_of(path: str) -> dict[str, Any]:
    from regretless.engine.storage import read_file

    return read_file(path, "model")[0]


REFUSED = {
    "no file to save": (
        ["one.csv", "--resumable"],
        "--resumable says how -o saves",
    ),
    "two passes": (
        ["one.csv", "--resumable", "-o", "x.rgl", "--passes", "2"],
        "--resumable goes with one pass",
    ),
    "passes of a state": (
        ["two.csv", "-i", "m.rgl", "--passes", "2"],
        "--passes does not go with a state",
    ),
    "another learner": (
        ["two.csv", "-i", "m.rgl", "-l", "ogd"],
        "this run was begun by Perceptron(), not by OGD(",
    ),
    "another task": (
        ["two.csv", "-i", "m.rgl", "--task", "regression"],
        "it was made with task='auto', not 'regression'",
    ),
    "other weights": (
        ["two.csv", "-i", "m.rgl", "--class-weight", "spam=2"],
        "it was made with class_weights={}",
    ),
    "other hashes": (
        ["two.csv", "-i", "m.rgl", "--bits", "5"],
        "its data were read with bits=18, not 5",
    ),
    "another model": (
        ["two.csv", "-i", "m.rgl", "-o", "x.rgl", "--model", "vote"],
        "nothing was kept for vote",
    ),
    "Pegasos at weights": (
        ["two.csv", "-i", "w.rgl", "-l", "pegasos", "strength=0.1"],
        "the first step of this learner forgets its weights",
    ),
    "AdaGrad at weights": (
        ["two.csv", "-i", "w.rgl", "-l", "adagrad"],
        "only additive learners can start from the weights of a model",
    ),
    "no such thing": (["two.csv", "-i", "one.csv"], "one.csv: not a regretless model"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_be_a_lie_is_refused(folder: Path, case: str, capsys: Any) -> None:
    assert train("one.csv", "-o", "m.rgl", "--resumable") == 0
    assert train("one.csv", "-o", "w.rgl") == 0
    before = sorted(Path().iterdir())
    options, said = REFUSED[case]
    capsys.readouterr()
    assert main(["train", *options]) in (1, 2)
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert sorted(Path().iterdir()) == before


def test_options_of_the_first_night_are_kept_where_they_are_not_given(
    folder: Path,
) -> None:
    """Also at the weights of a plain model, where a default once replaced them."""
    text = ["--text", "word", "--ngrams", "2", "--bits", "9"]
    for more in (["--resumable"], []):
        assert train("one.csv", "-o", "m.rgl", *text, *more) == 0
        assert train("two.csv", "-i", "m.rgl", "-o", "two.rgl", learner=None) == 0
        assert rg.load("two.rgl").provenance.reading["ngrams"] == 2


@pytest.mark.parametrize("state", [["--resumable"], []])
def test_the_screen_tells_the_rows_of_tonight_from_all(
    folder: Path, capsys: Any, state: list[str]
) -> None:
    learner = "panel forest=false"
    assert train("one.csv", "-o", "m.rgl", *state, learner=learner) == 0
    assert main(["train", "two.csv", "-i", "m.rgl"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert main(["train", "two.csv", "-i", "m.rgl", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    if not state:
        assert text.startswith("two.csv: 60 rows, ")
        assert "from the weights of m.rgl on" in text
        assert found["today"] is None
        return
    assert text.startswith("two.csv: 60 rows (120 so far), ")
    today, all_rows = found["today"], found["metrics"]
    assert (today["rows"], all_rows["rows"]) == (60, 120)
    assert main(["train", "both.csv", "-l", learner, "--json"]) == 0
    both = json.loads(capsys.readouterr().out)
    assert both["metrics"] == all_rows
    assert main(["train", "one.csv", "-l", learner, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["metrics"]
    assert today["positives"] == all_rows["positives"] - first["positives"]
    wrong = 120 * all_rows["error"] - 60 * first["error"]
    assert 60 * today["error"] == pytest.approx(wrong)
    loss = (120 * all_rows["log_loss"] - 60 * first["log_loss"]) / 60
    assert today["log_loss"] == pytest.approx(loss)
    assert f"AUC {today['auc']:.4f} by chance: 0.5; all rows so far: " in text
    assert f"so far: {all_rows['auc']:.4f}" in text
