"""Prediction sets, from files and events to models and their certificates."""

from __future__ import annotations

import csv
import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from killing import KilledError, dies_after
from regretless.cli import main
from regretless.data import lines
from regretless.parts.reprs import shown
from regretless.report.coverage import coverage_charts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Any) -> Path:
    write_rows(tmp_path, 0)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_rows(folder: Path, seed: int, end: str = "") -> None:
    """Six hundred rows with labels of every kind, a file each."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(600, 3))
    amounts = X[:, 0] + np.exp(X[:, 1]) * rng.normal(size=600)
    classes = np.digitize(amounts, [-1.0, 1.0])
    for name, y in (("amounts", amounts), ("classes", classes), ("two", classes > 0)):
        rows = [
            f"{float(label):.6g} "
            + " ".join(f"{j + 1}:{v:.4f}" for j, v in enumerate(x))
            for label, x in zip(y.tolist(), X.tolist(), strict=True)
        ]
        (folder / f"{name}{end}.svm").write_text("\n".join(rows) + "\n")


def document(capsys: Any, *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


SOURCES = {
    "amounts": (rg.RegressionPanel(), "--interval"),
    "classes": (rg.Panel(), "--sets"),
    "two": (rg.Panel(), "--sets"),
}


@pytest.mark.parametrize("name", SOURCES)
def test_every_way_to_train_makes_the_same_sets(
    name: str, folder: Path, capsys: Any
) -> None:
    """A file, arrays in one or many batches, events, an estimator: one coverage."""
    learner, option = SOURCES[name]
    found = document(capsys, "train", f"{name}.svm", option, "80%", "-o", "m.rgl")
    run = rg.play(rg.intervals(learner, 0.8), f"{name}.svm")
    told = found["coverage"]
    assert told == run.coverage.as_dict()
    assert rg.load("m.rgl").coverage == run.coverage
    assert told["missed"] / told["rounds"] <= 0.2 + told["bound"]
    assert document(capsys, "inspect", "m.rgl")["coverage"] == told
    assert main(["inspect", "m.rgl"]) == 0
    assert f"{told['missed']} labels outside" in capsys.readouterr().out
    plain = rg.play(learner, f"{name}.svm")
    assert plain.ledger == run.ledger  # the learner is the same with and without
    assert plain.coverage is None
    run.learner.forget()  # it is the one for these labels, and starts anew
    events = rg.intervals(run.learner, "80%")
    for line in Path(f"{name}.svm").read_text().splitlines():
        label, *pairs = line.split()
        x = {key: float(value) for key, value in (pair.split(":") for pair in pairs)}
        events.learn_one(x, float(label))
    assert events.coverage == run.coverage


def test_a_training_that_was_interrupted_goes_on_with_its_sets(
    folder: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(lines, "BLOCK", 3000)
    asked = ["train", "amounts.svm", "--interval", "90%"]
    whole = document(capsys, *asked)
    with monkeypatch.context() as patch:
        dies_after(patch, 3)
        with pytest.raises(KilledError):
            main([*asked, "--checkpoint", "c.ck", "--every", "100rows", "--quiet"])
    resumed = document(capsys, "train", "--resume", "c.ck")
    assert resumed["coverage"] == whole["coverage"]
    assert whole["coverage"]["rounds"] == 600


def test_a_saved_state_goes_on_with_its_sets(folder: Path, capsys: Any) -> None:
    text = Path("amounts.svm").read_text().splitlines(keepends=True)
    Path("first.svm").write_text("".join(text[:400]))
    Path("rest.svm").write_text("".join(text[400:]))
    whole = document(capsys, "train", "amounts.svm", "--interval", "90%")
    kept = ("--resumable", "-o", "first.rgl")
    document(capsys, "train", "first.svm", "--interval", "90%", *kept)
    going_on = ["train", "rest.svm", "-i", "first.rgl", "--interval"]
    again = document(capsys, *going_on, "90%")
    assert again["coverage"] == whole["coverage"]
    assert main([*going_on, "80%"]) == 1
    assert "trained with --interval 90%, not with --interval 80%" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("aside", [("--holdout", "5"), ("--seal", "20%")])
def test_rows_set_aside_certify_frozen_sets(
    name: str, aside: tuple[str, str], folder: Path, capsys: Any
) -> None:
    option = SOURCES[name][1]
    found = document(
        capsys, "train", f"{name}.svm", option, "80%", *aside, "-o", "m.rgl"
    )
    certificate = found["set_certificate"]
    assert certificate["n"] + found["rows"] == 600
    assert certificate["value"] == rg.certify.clopper_pearson(
        certificate["n"], int(certificate["total"]), 0.05
    )
    assert 0.0 < certificate["measured"] < 0.4
    model = rg.load("m.rgl")
    X = np.random.default_rng(1).normal(size=(5, 3))
    if name == "amounts":
        low, high = model.predict_interval(X).T
        assert (low <= model.predict(X)).all()
        assert (model.predict(X) <= high).all()
        with pytest.raises(ValueError, match="predict_interval gives"):
            model.predict_set(X)
    else:
        inside = model.predict_set(X)
        best = [model.classes.index(label) for label in model.predict(X).tolist()]
        assert inside[range(5), best].all()  # never empty
        with pytest.raises(ValueError, match="predict_set gives"):
            model.predict_interval(X)


def test_fresh_rows_certify_in_python(folder: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(3000, 2))
    y = X[:, 0] + rng.normal(size=3000)
    model = rg.play(rg.intervals(rg.VAW(), 0.9), X[:2000], y[:2000]).model("last")
    found = model.certify_sets(X[2000:], y[2000:])
    low, high = model.predict_interval(X[2000:]).T
    assert found.total == ((y[2000:] < low) | (y[2000:] > high)).sum()
    assert found.value == rg.certify.clopper_pearson(1000, int(found.total), 0.05)
    assert "90% intervals" in str(found)
    labels = np.where(y > 0.0, "up", "down")
    model = rg.play(rg.intervals(rg.Panel(), 0.9), X[:2000], labels[:2000]).model()
    sets = model.predict_set(X[2000:])
    outside = [
        not inside[model.classes.index(label)]
        for inside, label in zip(sets, labels[2000:].tolist(), strict=True)
    ]
    assert model.certify_sets(X[2000:], labels[2000:]).total == sum(outside)
    strange = model.certify_sets(X[2000:2010], ["other"] * 10)
    assert strange.total == 10


@pytest.mark.parametrize("aside", [("--holdout", "5"), ("--seal", "20%")])
def test_a_class_that_only_rows_set_aside_have_is_outside(
    aside: tuple[str, str], folder: Path, capsys: Any
) -> None:
    lines = Path("classes.svm").read_text().splitlines(keepends=True)
    train = ["train", "strange.svm", "--sets", "80%", *aside, "-o", "m.rgl"]
    for place in range(300, 330):
        rows = [*lines[:place], f"7{lines[place][1:]}", *lines[place + 1 :]]
        Path("strange.svm").write_text("".join(rows))
        found = document(capsys, *train)["set_certificate"]
        if len(rg.load("m.rgl").classes) == 3:  # nobody has learned it
            break
    assert found["n"] > 80
    assert 1.0 <= found["total"] < 40.0


def test_a_class_that_the_model_never_met_is_outside(folder: Path, capsys: Any) -> None:
    """Even where the set has every class that it has met."""
    document(capsys, "train", "classes.svm", "--sets", "80%", "-o", "m.rgl")
    lines = Path("classes.svm").read_text().splitlines(keepends=True)
    moved = (re.sub(r":(\S+)", lambda v: f":{float(v[1]) + 0.0371}", x) for x in lines)
    Path("strange.svm").write_text("".join(f"7{line[1:]}" for line in moved))
    assert main(["predict", "m.rgl", "strange.svm", "--jsonl"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(all(row[f"set_{label}"] for label in (0, 1, 2)) for row in told)
    found = document(capsys, "predict", "m.rgl", "strange.svm")["set_certificate"]
    assert (found["n"], found["total"]) == (600, 600)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("amounts.svm --interval 150%", "--interval, --sets: a level of '150%': give"),
        ("amounts.svm --interval often", "a level of 'often'"),
        ("two.svm -l perceptron --sets 90%", "--sets: Perceptron() has no probab"),
        ("two.svm -l ogd,adagrad --sets 90%", "--interval goes with one learner"),
        ("two.svm --cluster local --sets 90%", "--interval is for one machine"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    words: str, says: str, folder: Path, capsys: Any
) -> None:
    assert main(["train", *words.split()]) == 2
    told = capsys.readouterr().err.strip()
    assert says in told
    assert "\n" not in told


def test_models_and_learners_without_sets_say_so(folder: Path) -> None:
    model = rg.play(rg.VAW(), [[1.0], [2.0]], [1.0, 2.0]).model("last")
    with pytest.raises(ValueError, match="--interval 90%"):
        model.predict_interval([[1.0]])
    with pytest.raises(TypeError, match="has no prediction sets"):
        rg.intervals(rg.Hedge())
    with pytest.raises(ValueError, match="has no probabilities"):
        rg.intervals(rg.Perceptron())
    with pytest.raises(TypeError, match="predict_set_one gives"):
        rg.intervals(rg.Panel()).predict_interval_one({})
    with pytest.raises(TypeError, match="predict_interval_one gives"):
        rg.intervals(rg.VAW()).predict_set_one({})
    assert rg.intervals(rg.VAW()).predict_interval_one({}) == (-np.inf, np.inf)
    assert rg.intervals(rg.OneVersusRest(rg.Panel())).predict_set_one({}) == set()


@pytest.mark.parametrize("name", SOURCES)
def test_predictions_in_files_have_their_sets(
    name: str, folder: Path, capsys: Any
) -> None:
    """Those of `train -p` are made on the way, those of `predict` by the model."""
    learner, option = SOURCES[name]
    main(
        ["train", f"{name}.svm", option, "80%", "-p", "p.csv", "-o", "m.rgl", "--quiet"]
    )
    found = rg.play(rg.intervals(learner, 0.8), f"{name}.svm").coverage
    y = [
        float(line.split()[0]) for line in Path(f"{name}.svm").read_text().splitlines()
    ]
    with Path("p.csv").open() as file:
        rows = list(csv.DictReader(file))
    capsys.readouterr()
    learned = document(capsys, "predict", "m.rgl", f"{name}.svm")
    assert learned["learned_before"]
    assert learned["set_certificate"] is None
    nearly = Path(f"{name}.svm").read_text().replace(" 2:", "5 2:")  # one digit more
    Path("nearly.svm").write_text(nearly)
    assert document(capsys, "predict", "m.rgl", "nearly.svm")["learned_before"]
    write_rows(folder, 1, "-fresh")
    fresh = f"{name}-fresh.svm"
    assert main(["predict", "m.rgl", fresh, "--jsonl"]) == 0
    lines = capsys.readouterr()
    later = [json.loads(line) for line in lines.out.splitlines()]
    told = document(capsys, "predict", "m.rgl", fresh)
    certificate = told["set_certificate"]
    assert f"{int(certificate['total'])} labels" in lines.err
    assert f"at most {certificate['value']:.2%}" in lines.err
    if name == "amounts":
        missed = [
            bool(row["low"]) and not float(row["low"]) <= label <= float(row["high"])
            for row, label in zip(rows, y, strict=True)
        ]
        inside = [row["low"] <= row["prediction"] <= row["high"] for row in later]
        assert [row["low"] for row in told["predictions"]] == [
            row["low"] for row in later
        ]
    else:
        missed = [
            row["prediction"] != "" and row[f"set_{label:g}"] != "1"
            for row, label in zip(rows, y, strict=True)
        ]
        inside = [row[f"set_{row['prediction']:g}"] == 1 for row in later]
        assert [len(row["set"]) for row in told["predictions"]] == [
            sum(value for key, value in row.items() if key.startswith("set_"))
            for row in later
        ]
    assert sum(missed) == found.missed
    assert all(inside)


@pytest.mark.parametrize("name", ["amounts", "classes"])
def test_the_report_draws_misses_and_widths(
    name: str, folder: Path, capsys: Any
) -> None:
    pytest.importorskip("vl_convert", reason="charts need vl-convert")
    option = SOURCES[name][1]
    main(["train", f"{name}.svm", option, "80%", "--report", "r.html", "--quiet"])
    found = rg.play(rg.intervals(SOURCES[name][0], 0.8), f"{name}.svm").coverage
    misses, widths = coverage_charts(found)
    page = Path("r.html").read_text()
    assert 'id="coverage"' in page
    assert misses.seen in html.unescape(page)
    assert widths.seen in html.unescape(page)
    drawn = [mark.data["y"] for mark in misses.figure.marks]
    assert drawn[0][-1] == pytest.approx(found.missed / found.rounds, abs=0.02)
    assert all(a <= b for a, b in zip(drawn[0], drawn[1], strict=True))
    assert widths.figure.marks[1].data["y"][-1] == pytest.approx(found.width, rel=0.02)


def test_the_theorems_of_a_run_hold_its_coverage(folder: Path) -> None:
    run = rg.play(rg.intervals(rg.RegressionPanel(), 0.9), "amounts.svm")
    verdict = run.theorems()["coverage/end"]
    assert verdict.happened == abs(run.coverage.outside - 0.1 * 600) or verdict.ratio
    assert verdict.value == run.coverage.bound()
    assert run.theorems()["coverage/prefix"].happened == run.coverage.worst <= 1.0
    assert "coverage/end" in {
        one.theorem.name for one in run.theorems(hindsight=False).applying
    }
    assert "marginal" in str(run)


def test_the_first_screen_says_misses_bound_and_width(
    folder: Path, capsys: Any
) -> None:
    """Though the rows changed on the way: it holds on any sequence."""
    text = Path("amounts.svm").read_text().splitlines(keepends=True)
    moved = [f"9{line}" if line[0] != "-" else line[1:] for line in text]
    Path("moved.svm").write_text("".join(text + moved))
    for name in ("amounts", "moved"):
        capsys.readouterr()
        assert main(["train", f"{name}.svm", "--interval", "90%", "-o", "m.rgl"]) == 0
        screen = " ".join(capsys.readouterr().out.split())
        found = rg.load("m.rgl").coverage
        assert found.brief in screen
        assert f"({found.share:.2%})" in found.brief
        assert f"mean width {shown(found.width)}" in found.brief


@pytest.mark.parametrize("name", ["amounts", "classes"])
def test_a_training_goes_on_with_its_level(
    folder: Path, capsys: Any, name: str
) -> None:
    data = f"{name}.svm"
    first = ["train", data, "--interval", "80%", "-o", "m.rgl", "--resumable", "--fast"]
    assert main(first) == 0
    write_rows(folder, 1, "-later")
    data = f"{name}-later.svm"
    found = document(capsys, "train", data, "-i", "m.rgl", "-o", "n.rgl")
    assert found["coverage"]["level"] == 0.8
    assert found["coverage"]["rounds"] == 1200
    again = document(capsys, "train", data, "-i", "m.rgl", "--sets", "0.8")
    assert again["coverage"] == found["coverage"]
    capsys.readouterr()
    assert main(["train", data, "-i", "m.rgl", "--interval", "90%"]) == 1
    told = "m.rgl: it was trained with --interval 80%, not with --interval 90%"
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("amounts", [True, False])
def test_events_with_sets_have_what_events_have(amounts: bool) -> None:
    plain: Any = rg.RegressionPanel() if amounts else rg.Panel()
    learner = rg.intervals(rg.RegressionPanel() if amounts else rg.Panel(), 0.8)
    rng = np.random.default_rng(1)
    for a, b in rng.normal(size=(80, 2)).tolist():
        x, y = {"a": a, "b": b}, a + b if amounts else a + b > 0
        plain.learn_one(x, y)
        learner.learn_one(x, y)
    assert learner.ledger == plain.ledger
    assert learner.weights == plain.weights
    model = learner.snapshot()
    x = {"a": 0.3, "b": 0.1}
    assert model.predict_one(x) == plain.snapshot().predict_one(x)
    found = model.predict_interval([x]) if amounts else model.predict_set([x])
    assert found.shape == (1, 2)
    before = model.coverage
    learner.learn_one(x, 5.0 if amounts else True)
    assert model.coverage == before != learner.coverage
