"""What ``train`` prints by default, for every task, and its warnings."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as peers

import regretless as rg
from regretless.cli import main

WIDEST = 88


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(name: str, columns: dict[str, Any], sep: str = ",") -> str:
    lines = [sep.join(columns)]
    lines += [sep.join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    Path(name).write_text("\n".join(lines) + "\n")
    return name


def made(n: int = 400, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    a, b = np.round(rng.normal(size=(2, n)), 3)
    noise = rng.normal(size=n)
    return {"a": a, "b": b, "noise": noise}


def two(rate: float = 0.0, **more: Any) -> str:
    rows = made()
    label = np.where(rows["a"] + 0.3 * rows["noise"] > rate, "yes", "no")
    return table("two.csv", {"a": rows["a"], "b": rows["b"], **more, "bought": label})


def screen(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["train", *arguments]) == 0
    text = capsys.readouterr().out
    lines = text.splitlines()
    assert len(lines) <= 15, text
    assert max(map(len, lines)) <= WIDEST
    return text


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["train", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_two_classes(folder: Path, capsys: Any) -> None:
    data = two()
    text = screen(capsys, data, "--label", "bought", "-o", "m.rgl")
    found = document(capsys, data, "--label", "bought", "-o", "m.rgl", "-p", "p.csv")
    metrics = found["metrics"]
    rate = metrics["positives"] / 400
    assert "two.csv: 400 rows, 2 features, learned by Panel() in " in text
    assert f"two classes: {rate:.1%} of the rows are yes, the others no" in text
    assert f"always answering {'yes' if rate > 0.5 else 'no'}: " in text
    assert f"{metrics['auc']:.4f}  by chance: 0.5" in text
    without = metrics["baseline"]["log_loss"]
    assert (
        f"{metrics['log_loss']:.4f}  always answering {rate:.1%}: {without:.4f}" in text
    )
    assert f"{metrics['precision']:.1%}  of the rows answered yes are yes" in text
    assert f"{metrics['recall']:.1%}  of the rows that are yes are found" in text
    told = " ".join(text.split())
    assert re.search(
        r"error on new data: at most \d+\.\d\d% \(95% confidence\) if new rows come "
        r"one by one like these, for a copy taken after \d+% of the rows; the saved "
        r"model has learned all rows saved to m.rgl",
        told,
    )
    assert "saved to m.rgl\nnext: regretless predict m.rgl new.csv\n" in text
    # The same numbers as those of the predictions that were written on the way.
    lines = Path("p.csv").read_text().splitlines()
    place = lines[0].split(",").index("p_yes")
    chances = [float(line.split(",")[place]) for line in lines[1:]]
    labels = [line.endswith("yes") for line in Path(data).read_text().splitlines()[1:]]
    assert metrics["auc"] == pytest.approx(peers.roc_auc_score(labels, chances))
    assert metrics["log_loss"] == pytest.approx(peers.log_loss(labels, chances))


def test_margins_have_no_log_loss(folder: Path, capsys: Any) -> None:
    text = screen(capsys, two(), "--label", "bought", "-l", "perceptron")
    assert "AUC" in text
    assert "log loss" not in text
    assert "threshold" not in text
    assert "error on new data: at most" in text
    assert ", for the models of this pass, on average over the" in text
    assert "no model was saved: -o FILE" in text


def test_many_classes(folder: Path, capsys: Any) -> None:
    rows = made()
    kinds = np.array(["low", "mid", "high"])[np.digitize(rows["a"], [-0.5, 0.5])]
    data = table("kinds.csv", {"a": rows["a"], "kind": kinds})
    text = screen(capsys, data, "--label", "kind", "-o", "m.rgl")
    found = document(capsys, data, "--label", "kind")["metrics"]
    assert "3 classes: " in text
    assert "; each predicted, then learned" in text
    assert "always answering the shares: " in text
    assert text.count("taken for") == min(3, len(found["confused"]))
    true, said, times = found["confused"][0]
    assert times > 0
    assert true != said


def test_amounts(folder: Path, capsys: Any) -> None:
    rows = made()
    data = table("prices.csv", {"a": rows["a"], "price": 3 * rows["a"] + rows["noise"]})
    text = screen(capsys, data, "--label", "price", "-o", "m.rgl")
    found = document(capsys, data, "--label", "price")["metrics"]
    base = found["baseline"]
    for name in ("rmse", "mae"):
        assert f"{found[name]:.4g}  always answering the mean so far: " in text
        assert f"so far: {base[name]:.4g}" in text
    assert f"R2    {found['r2']:.4f}" in text
    assert "amounts, " in text


def test_the_ledger_and_theorems_are_there_when_asked_for(
    folder: Path, capsys: Any
) -> None:
    arguments = [two(), "--label", "bought", "-l", "perceptron"]
    assert "perceptron/root" not in screen(capsys, *arguments)
    for more in ("--verbose", "-v", "--hindsight"):
        assert main(["train", *arguments, more]) == 0
        text = capsys.readouterr().out
        assert "perceptron/root" in text
        assert "majority so far" in text


SEALED = ["--seal", "20%", "--seal-seed", "1"]
SCREENS = {
    "two classes": ["-o", "m.rgl"],
    "nothing saved": [],
    "class weights": ["--class-weight", "balanced", "-o", "m.rgl"],
    "sealed": [*SEALED, "--threshold", "recall=0.8", "-o", "m.rgl"],
    "held out": ["--holdout", "5", "-o", "m.rgl"],
    "sets": ["--sets", "90%", *SEALED, "-o", "m.rgl"],
    "passes": ["--passes", "2", "-o", "m.rgl"],
    "amounts": ["--label", "b", "-l", "ogd", "loss=squared", "step=0.1", "-o", "m.rgl"],
    "many classes": ["--label", "c", "-l", "perceptron", "-o", "m.rgl"],
}


@pytest.mark.parametrize("name", SCREENS)
def test_verbose_has_all_of_the_first_screen_and_each_certificate_once(
    folder: Path, capsys: Any, name: str
) -> None:
    data = two(c=["x", "y", "z", "x"] * 100)
    learner = ["-l", "ogd", "loss=logistic", "step=0.1"]
    asked = SCREENS[name] if "-l" in SCREENS[name] else [*SCREENS[name], *learner]
    options = [data, "--label", "bought", *asked]
    brief = screen(capsys, *options)
    assert main(["train", *options, "--verbose"]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) > len(brief.splitlines())
    told = " ".join(text.split())
    begins = ("  ", "warning: ", "saved ", "next: ", "pass ", "two classes", "At thres")
    for line in brief.splitlines():  # certificates are there in full, in other words
        if line.startswith(begins):
            assert " ".join(line.split()) in told, line
    once = 2 if name == "sets" else 1  # about the sets, too
    assert len(re.findall(r"\berrs? at most|error of .{,99} is at most", told)) <= once


@pytest.mark.parametrize("more", [["-o", "m.rgl"], [], ["--holdout", "5"]])
def test_a_certificate_of_weighted_rows_says_that_each_counts_once(
    folder: Path, capsys: Any, more: list[str]
) -> None:
    learner = ["-l", "ogd", "loss=logistic", "step=0.1"]
    options = [two(), "--label", "bought", *learner, *more]
    assert "counted once" not in screen(capsys, *options)
    weights = [*options, "--class-weight", "balanced"]
    text = " ".join(screen(capsys, *weights).split())
    assert "(95% confidence, each row counted once) if new rows come" in text
    assert "no better than the majority" not in text
    assert main(["train", *weights, "--verbose"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "errors count each row once" in text
    if not more or "-o" in more:
        assert "every row counted once whatever its importance weight" in text


def test_no_row_flagged_is_no_precision(folder: Path, capsys: Any) -> None:
    label = np.where(np.arange(400) % 50 == 7, "yes", "no")
    data = table("rare.csv", {"b": np.ones(400), "bought": label})
    learner = ["-l", "ogd", "loss=logistic", "step=0.1"]
    options = [data, "--label", "bought", *learner, "-o", "m.rgl"]
    text = screen(capsys, *options, "--report", "r.html")
    assert "  precision    none  no row was answered yes (threshold 0.5)\n" in text
    assert main(["predict", "m.rgl", data, "-o", "p.csv"]) == 0
    assert "precision none (no row was flagged), recall 0" in capsys.readouterr().err
    assert "No row was predicted to be positive" in Path("r.html").read_text()
    run = rg.play(rg.OGD("logistic", 0.1), data, y="bought")
    assert "none (no row was flagged)" in str(run.metrics)


def test_amounts_are_told_by_rmse(folder: Path, capsys: Any) -> None:
    rows = made()
    data = table("amounts.csv", {"b": rows["b"], "y": rows["noise"]})
    options = [data, "-l", "ogd", "loss=squared", "step=0.5"]
    doubt = document(capsys, *options)
    rmse, mean = doubt["metrics"]["rmse"], doubt["metrics"]["baseline"]["rmse"]
    told = f"no better than the running mean (RMSE): {rmse:.6g} against {mean:.6g}"
    assert told in doubt["doubts"]["words"]
    saving = ["--seal", "20%", "-o", "m.rgl", "--report", "r.html"]
    screen(capsys, data, "--fast", *saving)
    assert "RMSE, each row predicted before" in Path("r.html").read_text()
    again = made(seed=1)
    data = table("fresh.csv", {"b": again["b"], "y": again["noise"]})
    assert main(["predict", "m.rgl", data, "-o", "p.csv"]) == 0
    bound = math.sqrt(rg.load("m.rgl").certificate.value)
    told = capsys.readouterr().err
    assert re.search(rf"rows: RMSE .*; certified: at most {bound:.4g}, errors ab", told)


def test_a_page_says_which_rows_were_set_aside(folder: Path, capsys: Any) -> None:
    options = [two(), "--label", "bought", "-l", "perceptron", "-o", "m.rgl"]
    for more in ([], ["--seal", "20%"], ["--holdout", "5"]):
        told = " ".join(screen(capsys, *options, "--report", "r.html", *more).split())
        text, aside = Path("r.html").read_text(), bool(more)
        promise = re.search(
            r"rror on new data: (.*?)( At threshold.*)? all receipts", told
        )
        assert promise is not None, told
        assert promise[1] in text
        assert ("by rows that were set aside" in text) == aside
        assert ("no row set aside" in text) == (not aside)


def test_the_document_has_a_version_and_compact_curves(
    folder: Path, capsys: Any
) -> None:
    found = document(capsys, two(), "--label", "bought", "-o", "m.rgl")
    assert found["schema"] == 2
    curve = found["ledger"]["curve"]
    assert set(curve) == {"rows", "mistakes", "loss"}
    assert len(curve["rows"]) == len(curve["loss"]) > 0
    assert found["rolling"]["rows"] == 400
    assert found["theorems"] is not None
    assert found["warnings"] == []


def test_every_key_of_the_document_is_documented(folder: Path, capsys: Any) -> None:
    page = Path(__file__).parents[2] / "docs" / "command-line.md"
    named = set(re.findall(r"`(\w+)`", page.read_text()))
    found = document(capsys, two(), "--label", "bought", "-l", "perceptron")
    assert found.keys() <= named


def warned(capsys: Any, *arguments: str) -> str:
    text = screen(capsys, *arguments)
    return " ".join(text.split())


def test_no_better_than_the_baseline(folder: Path, capsys: Any) -> None:
    rows = made()
    coins = np.random.default_rng(5).integers(0, 2, 400)
    data = table("coins.csv", {"a": rows["a"], "heads": coins})
    text = warned(capsys, data, "--label", "heads", "-l", "perceptron")
    assert "(no better)" in text
    assert "warning: the learner is no better than" in text


def test_a_learner_that_diverges(folder: Path, capsys: Any) -> None:
    rows = made(4000)
    data = table("far.csv", {"a": 1e3 * rows["a"], "y": rows["a"] + rows["noise"]})
    learner = ["-l", "ogd loss=squared step=constant(0.0001)"]
    assert main(["train", data, "--label", "y", *learner]) in (0, 1)
    out = capsys.readouterr()
    assert "diverges" in out.out or "overflowed" in out.err or "large" in out.err


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (
            [f"c{i:04d}" for i in range(400)],
            "in nearly every row, like ids: --ignore x",
        ),
        (
            [f"the parcel of customer {i} came late" for i in range(400)],
            "column 'x' holds texts: --text x learns their words",
        ),
        (list(range(1000, 1400)), "in nearly every row, like ids: --ignore x"),
        (
            [f"{1 + i % 28:02d}/{1 + i % 12:02d}/2024" for i in range(400)],
            "column 'x' looks like dates, and is learned as 84 words: write 2024-12-31",
        ),
        (
            [f"{i % 50}%" for i in range(400)],
            "column 'x' looks like numbers, and is learned as 50 words",
        ),
    ],
    ids=["words", "texts", "numbers", "dates", "percentages"],
)
def test_columns_that_are_not_what_they_seem(
    folder: Path, capsys: Any, column: list[Any], words: str
) -> None:
    assert words in warned(capsys, two(x=column), "--label", "bought")
    found = document(capsys, "two.csv", "--label", "bought")
    assert any(words in line for line in found["warnings"])


@pytest.mark.parametrize(
    "column",
    [
        ["red", "green"] * 200,
        [i % 7 for i in range(400)],
        [1000 * (i * 7919 % 400) for i in range(400)],
    ],
    ids=["words", "numbers", "prices"],
)
def test_columns_that_are_what_they_seem(
    folder: Path, capsys: Any, column: list[Any]
) -> None:
    assert "warning" not in warned(capsys, two(x=column), "--label", "bought")


def test_rare_classes_and_class_weights(folder: Path, capsys: Any) -> None:
    weights = ["--class-weight", "yes=5"]
    found = document(capsys, two(2.0), "--label", "bought", *weights)
    warnings = " ".join(found["warnings"])
    assert "of the rows are yes: read AUC and log loss, not the error" in warnings
    assert "--class-weight" not in warnings
    assert "--threshold recall=0.8" in warnings
    assert "class weights are in use" in warnings


def test_the_rare_class_is_not_the_positive_one(folder: Path, capsys: Any) -> None:
    text = warned(capsys, two(-2.0), "--label", "bought")
    told = "rows are no: give --positive no to read its precision and recall, not the"
    assert told in text
    goal = ["--label", "bought", "--positive", "no", "--threshold", "recall=0.5"]
    text = warned(capsys, two(-2.0), *goal, "-o", "m.rgl")
    assert "rows are no: read AUC and log loss, not the error" in text
    assert "--threshold" not in text  # it was given
    assert ", for recall=0.5 of no, chosen on" in text


def test_large_columns_of_a_linear_learner(folder: Path, capsys: Any) -> None:
    data = two(size=np.random.default_rng(1).integers(0, 5000, 400))
    text = warned(capsys, data, "--label", "bought", "-l", "ogd")
    assert "and OGD takes them as they are" in text
    assert "takes them" not in warned(capsys, data, "--label", "bought")


def test_rows_that_changed(folder: Path, capsys: Any) -> None:
    data = two()
    head, *lines = Path(data).read_text().splitlines()
    lines.sort(key=lambda line: line.endswith("yes"))
    Path(data).write_text("\n".join([head, *lines]) + "\n")
    text = warned(capsys, data, "--label", "bought", "-o", "m.rgl")
    assert "warning: no bound about the future: the rows come sorted by label" in text
    assert "at most" not in text


def test_more_warnings_than_fit_are_counted(folder: Path, capsys: Any) -> None:
    more = {
        f"day{k}": [f"0{1 + k}/{1 + i % 12:02d}/2024" for i in range(400)]
        for k in range(6)
    }
    text = screen(capsys, two(**more), "--label", "bought", "-o", "m.rgl")
    assert "more warning" in text
    assert main(["train", "two.csv", "--label", "bought", "--verbose"]) == 0
    assert capsys.readouterr().out.count("looks like dates") == 6


def test_fields_separated_by_semicolons(folder: Path, capsys: Any) -> None:
    rows = made()
    data = table("semi.csv", {"a": rows["a"], "b": rows["b"]}, sep=";")
    assert main(["train", data, "--label", "b"]) == 1
    assert "separated by" in capsys.readouterr().err


def test_a_report_is_told_of_and_shows_the_metrics(folder: Path, capsys: Any) -> None:
    command = [two(), "--label", "bought"]
    text = screen(capsys, *command, "-o", "m.rgl", "--report", "r.html")
    assert "all receipts are on one page: r.html" in text
    page = Path("r.html").read_text()
    for name in ("roc", "precision", "calibration"):
        assert f'"{name}":' in page
    assert "How good it was" in page
    screen(capsys, *command, "-l", "perceptron", "--report", "p.html")
    page = Path("p.html").read_text()
    assert '"roc":' in page
    assert '"calibration":' not in page


def test_many_passes_fit_too(folder: Path, capsys: Any) -> None:
    """A copy frozen in the first pass says nothing of what later ones learned."""
    rows = {name: np.tile(column, 8) for name, column in made().items()}
    rng = np.random.default_rng(1)
    label = np.where(rows["a"] + 0.3 * rng.normal(size=3200) > 0.0, "yes", "no")
    rows["b"] = rng.normal(size=3200)
    rows["a"] = np.round(rows["a"] + 0.01 * rng.normal(size=3200), 4)
    table("long.csv", {"a": rows["a"], "b": rows["b"], "bought": label})
    given = ["long.csv", "--label", "bought", "--passes", "6", "-o", "m.rgl"]
    frozen = screen(capsys, *given, "--report", "r.html")
    assert [line[:7] for line in frozen.splitlines() if line.startswith("pass ")] == [
        "pass 6:"
    ]
    assert "the saved model has learned all rows 6 times" in " ".join(frozen.split())
    sealed = screen(capsys, *given, "--seal", "20%")
    assert "; 20% of the rows are sealed" in " ".join(sealed.split())
    assert "copy" not in sealed


def test_what_to_type_comes_before_what_is_wrong(folder: Path, capsys: Any) -> None:
    coins = np.random.default_rng(5).integers(0, 2, 400)
    text = [f"the parcel of customer {i} came late" for i in range(400)]
    said = warned(
        capsys,
        table("coins.csv", {"x": text, "heads": coins}),
        "--fast",
        "--label",
        "heads",
    )
    assert 0 < said.index("--text x") < said.index("no better than")
    assert "; without --fast it would have a forest" in said


def test_rows_that_came_again_are_marked(folder: Path, capsys: Any) -> None:
    data = two()
    assert "learned before" not in warned(capsys, data, "--label", "bought")
    said = warned(capsys, data, data, "--label", "bought", "--again")
    told = "; the rows from about 401 on were learned before: no certificate"
    assert f"each predicted, then learned{told}" in said


def test_amounts_are_written_out(folder: Path, capsys: Any) -> None:
    rows = made()
    price = (200_000 + 50_000 * rows["a"]).round()
    data = table("prices.csv", {"a": rows["a"], "price": price})
    said = warned(
        capsys, data, "--label", "price", "--seal", "20%", "--interval", "90%"
    )
    assert "e+0" not in said
    assert re.search(r"RMSE on new data: at most \d+,\d{3} \(95% confidence\)", said)
    assert re.search(
        r"labels: amounts \(\d+ whole numbers from [\d,]+ to [\d,]+\);", said
    )
