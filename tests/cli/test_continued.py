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
    going_on = ["one.csv", "-i", "m.rgl", "-o", "again.rgl"]
    assert train(*going_on, learner=None) == 2
    assert train(*going_on, "--again", learner=None) == 0
    found = rg.load("again.rgl")
    assert found.certificate is None
    assert "rows came again from about round 61 on" in found.why_not


SEVERAL = [["-l", "perceptron,panel"], ["--grid", "ogd eta=0.1,0.2"]]


@pytest.mark.parametrize("learners", [["-l", "perceptron"], *SEVERAL])
def test_every_way_to_train_remembers_its_files(
    folder: Path, learners: list[str], capsys: Any
) -> None:
    first = [*learners, "-o", "m.rgl"]
    assert train("one.csv", "two.csv", *first, learner=None) == 0
    for name in ("one.csv", "two.csv"):
        capsys.readouterr()
        assert train(name, "-i", "m.rgl", learner=None) == 2
        assert f"{name} was learned before, by m.rgl" in capsys.readouterr().err
    assert len(rg.load("m.rgl").provenance.seen.files) == 2


def test_learners_that_play_together_remember_their_files(folder: Path) -> None:
    files = ["one.csv", "two.csv"]
    alone = rg.play(rg.OGD("hinge", 0.1), files).seen
    grid = [rg.OGD("hinge", eta) for eta in (0.1, 0.2, 0.3)]
    for run in rg.play([*grid, rg.Panel()], files):
        assert run.seen.files == alone.files
        assert run.seen.seams == alone.seams == [60]


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
        "it was made with class_weight=None",
    ),
    "other hashes": (
        ["two.csv", "-i", "m.rgl", "--bits", "5"],
        "its data were read with bits=30, not 5",
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


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two nights of customers, a model of the first (c) and one with its state (r)."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        rows = [
            f"{(k * 7 % 11) - 5},{'rome' if k % 3 else 'oslo'},{(k * 5 % 13) - 6.5},"
            f"{'yes' if k * 7 % 11 > 6 else 'no'}"
            for k in range(*((0, 60) if name == "one" else (60, 140)))
        ]
        text = "\n".join(["amount,city,spend,churned", *rows])
        Path(f"{name}.csv").write_text(text)
    Path("other.csv").write_text(text.replace("yes", "1").replace("no", "0"))
    named = ["--label", "churned"]
    assert train("one.csv", *named, "-o", "c.rgl") == 0
    assert train("one.csv", *named, "-o", "r.rgl", "--resumable") == 0
    return tmp_path


ANOTHER = {
    "label": (
        ["--label", "spend"],
        "{} predicts 'churned' (no, yes), and --label says",
    ),
    "ignore": (["--ignore", "amount"], "--ignore: {} was trained on 'amount': train"),
    "weight": (["--weight", "spend"], "--weight: {} was trained on 'spend': train"),
    "id": (["--id", "city"], "--id: {} was trained on 'city': train without -i"),
    "text": (["--text", "city"], "{}: its data were read with text=[], not ['city']"),
    "category": (["--categorical", "amount"], "{}: its data were read with categ"),
    "missing": (["--missing", "refuse"], "{}: its data were read with missing='zero'"),
    "positive": (["--positive", "no"], "{}: its data were read with positive=None"),
}


@pytest.mark.parametrize("case", ANOTHER)
def test_other_columns_than_the_model_knows_are_refused(
    shop: Path, case: str, capsys: Any
) -> None:
    options, said = ANOTHER[case]
    for model in ("c.rgl", "r.rgl"):
        assert main(["train", "two.csv", "-i", model, "-o", "x.rgl", *options]) in (
            1,
            2,
        )
        error = capsys.readouterr().err
        assert said.format(model) in error
        assert len(error.splitlines()) == 1
    assert not Path("x.rgl").exists()


def test_a_label_may_be_named_again_or_by_its_number(shop: Path, capsys: Any) -> None:
    for label in ("churned", "3", "-1"):
        named = ["-i", "c.rgl", "-o", "x.rgl", "--label", label]
        assert train("two.csv", *named, learner=None) == 0
        assert rg.load("x.rgl").classes == ("no", "yes")
    assert train("two.csv", "-i", "c.rgl", "--label", "2", learner=None) == 2
    assert "--label says 'spend'" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"\(no, yes\), and label= says 'spend'"):
        rg.play(None, "two.csv", "spend", initial_model="c.rgl")


def test_labels_that_are_no_class_of_the_model_are_refused(
    shop: Path, capsys: Any
) -> None:
    for model in ("c.rgl", "r.rgl"):
        assert train("other.csv", "-i", model, "-o", "x.rgl", learner=None) == 1
        assert "is a third value after 'no' and 'yes'" in capsys.readouterr().err


def test_options_given_again_are_the_same(shop: Path) -> None:
    """The label is read as words, too, which nobody has to say again."""
    again = ["--categorical", "amount", "--ignore", "spend"]
    assert train("one.csv", "--label", "churned", "-o", "m.rgl", *again) == 0
    assert train("two.csv", "-i", "m.rgl", "-o", "x.rgl", *again, learner=None) == 0
    first, second = (rg.load(name).provenance.reading for name in ("m.rgl", "x.rgl"))
    assert first == second


def test_keys_of_json_lines_that_are_known_are_not_ignored(
    shop: Path, capsys: Any
) -> None:
    rows = [{"a": k, "b": "x", "c": [1.0, 2.0], "n": k, "y": k % 2} for k in range(9)]
    Path("j.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert train("j.jsonl", "-o", "j.rgl", "--ignore", "n") == 0
    for key in ("a", "b", "c"):
        ignored = ["--ignore", key]
        assert train("j.jsonl", "-i", "j.rgl", *ignored, learner=None) == 2
        assert f"j.rgl was trained on {key!r}" in capsys.readouterr().err
    new = ["--ignore", "m", "--again"]
    assert train("j.jsonl", "-i", "j.rgl", "-o", "x.rgl", *new, learner=None) == 0
    assert rg.load("x.rgl").provenance.reading["ignore"] == ["n", "m"]


@pytest.mark.parametrize("state", [["--resumable"], []])
def test_a_threshold_that_is_not_kept_is_said(
    shop: Path, capsys: Any, state: list[str]
) -> None:
    goal = ["--threshold", "recall=0.9"]
    assert train("one.csv", "--label", "churned", "-o", "s.rgl", *goal, *state) == 0
    shown = f"{rg.load('s.rgl').operating_point.shown:.3g}"
    said = f"the threshold {shown} of s.rgl is not kept: give --threshold again"
    going_on = ["train", "two.csv", "-i", "s.rgl", "-o", "x.rgl"]
    for more in ([], ["--verbose"]):
        assert main([*going_on, *more]) == 0
        assert f"warning: {said}" in " ".join(capsys.readouterr().out.split())
    assert main([*going_on, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"][0] == said
    assert main([*going_on, *goal]) == 0
    assert "not kept" not in capsys.readouterr().out
    with pytest.warns(UserWarning, match="is not kept: give threshold= again"):
        rg.play(None, "two.csv", initial_model="s.rgl")
    assert main(["train", "two.csv", "-i", "c.rgl"]) == 0
    assert "not kept" not in capsys.readouterr().out
