"""Thresholds with a promise: chosen on learned rows, judged by sealed ones."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import regretless as rg
from regretless.cli import main
from regretless.evidence.claims.operating_point import (
    OperatingPoint,
    choose,
    parse_goal,
    sealed_point,
    sealed_recall,
)

GOALS = (
    "recall=0.9",
    "recall=55%",
    "precision=0.6",
    "cost:fp=1,fn=7",
    "cost:fp=9,fn=1",
)

SEAL = ["--seal", "20%", "--seal-seed", "1"]


def drawn(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    """Scores, of which some are the same, and targets."""
    targets = np.where(rng.random(n) < 0.3, 1.0, -1.0)
    return np.round(targets + 1.3 * rng.normal(size=n), 1), targets


@pytest.mark.parametrize("text", GOALS)
def test_a_threshold_is_the_best_of_all(text: str) -> None:
    """Compared with a look at every threshold."""
    goal = parse_goal(text)
    for seed in range(40):
        scores, targets = drawn(np.random.default_rng(seed), 60)
        up = targets > 0
        every = [-np.inf, *np.unique(scores)]

        def judged(cut: float, up: Any = up, scores: Any = scores) -> tuple[float, ...]:
            flags = scores > cut
            right, wrong = int((flags & up).sum()), int((flags & ~up).sum())
            missed = int(up.sum()) - right
            precision = right / max(right + wrong, 1)
            cost = goal.fp * wrong + goal.fn * missed
            return right / up.sum(), precision, cost, int(flags.sum())

        if goal.kind == "precision" and max(judged(cut)[1] for cut in every) < 0.6:
            with pytest.raises(ValueError, match="no threshold is that precise"):
                choose(goal, scores, targets)
            continue
        recall, precision, cost, flagged = judged(choose(goal, scores, targets))
        if goal.kind == "recall":
            assert recall >= goal.value - 1e-9
            fewer = [judged(cut) for cut in every]
            enough = [one[3] for one in fewer if one[0] >= goal.value - 1e-9]
            assert flagged == min(enough)
        elif goal.kind == "precision":
            assert precision >= goal.value
            good = [one[0] for cut in every if (one := judged(cut))[1] >= goal.value]
            assert recall == max(good)
        else:
            assert cost == min(judged(cut)[2] for cut in every)


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_the_recall_that_was_asked_for_is_promised(share: float) -> None:
    """Of uniform scores recall at a threshold is known."""
    rng, delta, runs = np.random.default_rng(0), 0.1, 400
    goal = parse_goal(f"recall={share}")
    misses = 0
    for n in rng.integers(30, 200, runs).tolist():
        threshold = sealed_recall(goal, rng.random(n), delta)
        misses += 1.0 - threshold < share
    assert misses <= binom.ppf(0.999, runs, delta)
    assert misses >= binom.ppf(0.001, runs, delta / 4)  # it is not far from exact


def test_no_count_is_certified_on_the_rows_that_chose() -> None:
    scores, targets = drawn(np.random.default_rng(1), 900)
    by_recall = sealed_point(parse_goal("recall=0.9"), 0.0, scores, targets, 0.05)
    assert set(by_recall.certificates) == {"false negatives", "false positives"}
    assert by_recall.certificates["false negatives"].value == pytest.approx(0.1)
    other = sealed_point(parse_goal("precision=0.6"), 0.7, scores, targets, 0.05)
    assert set(other.certificates) == {
        "false negatives",
        "false alarms",
        "false positives",
    }
    again = OperatingPoint.from_dict(json.loads(json.dumps(other.as_dict())))
    assert again == other
    assert "recall is at least" in str(other)
    assert "recall of spam is at least" in str(replace(other, positive="spam"))


def test_no_row_of_a_class_certifies_nothing_about_it() -> None:
    point = sealed_point(None, 0.0, np.array([-1.0, 2.0]), np.array([-1.0, -1.0]), 0.05)
    assert "false negatives" not in point.certificates


@pytest.mark.parametrize(
    "text",
    ["recall", "recall=", "recall=2", "f1=0.5", "cost:fp=1", "cost:fp=1,fn=0", ""],
)
def test_other_goals_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write recall=0\.9"):
        parse_goal(text)


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    dice = random.Random(6)
    lines = ["x,z,label"]
    for _ in range(2500):
        x, z = dice.gauss(0, 1), dice.gauss(0, 1)
        sure = 1 / (1 + math.exp(1.5 - 2 * x - z))
        lines.append(f"{x:.3f},{z:.3f},{'spam' if dice.random() < sure else 'ham'}")
    Path("rows.csv").write_text("\n".join(lines))
    return "rows.csv"


@pytest.mark.parametrize("learner", ["ogd loss=logistic", "perceptron"])
@pytest.mark.parametrize(
    "goal", ["recall=0.8", "precision=0.6", "cost:fp=1,fn=5", "0.3"]
)
def test_a_model_predicts_at_its_threshold(
    rows: str, goal: str, learner: str, capsys: Any
) -> None:
    train = ["train", rows, "-l", learner, *SEAL, "-o", "m.rgl"]
    assert main([*train, "--threshold", goal]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    model = rg.load("m.rgl")
    point = model.operating_point
    assert point is not None
    assert str(point)[3:] in shown  # a sentence may begin there
    X = np.loadtxt(rows, delimiter=",", skiprows=1, usecols=(0, 1))
    flags = model.scores(X) > point.threshold
    assert model.predict(X).tolist() == np.where(flags, "spam", "ham").tolist()
    assert main(["predict", "m.rgl", rows, "-o", "p.csv", "--quiet"]) == 0
    lines = Path("p.csv").read_text().splitlines()[1:]
    assert [line.split(",")[1] for line in lines] == model.predict(X).tolist()
    capsys.readouterr()
    assert main(["predict", "m.rgl", rows, "--json", "-o", "p.csv"]) == 0
    found = json.loads(capsys.readouterr().out)
    truth = np.loadtxt(rows, delimiter=",", skiprows=1, usecols=2, dtype=str) == "spam"
    (_, fp), (fn, tp) = found["metrics"]["confusion"]
    assert (fp, fn) == ((flags & ~truth).sum(), (~flags & truth).sum())
    assert found["wrong"] == fp + fn
    assert found["metrics"]["recall"] == tp / truth.sum()
    if goal == "0.3":
        assert point.shown == pytest.approx(0.3)
    # The sealed rows chose the threshold for recall: their errors certify nothing.
    assert (model.certificate is None) == goal.startswith("recall")
    capsys.readouterr()
    assert main(["inspect", "m.rgl"]) == 0
    assert str(point)[3:] in " ".join(capsys.readouterr().out.split())


def test_the_error_is_certified_at_the_threshold(rows: str) -> None:
    train = ["train", rows, "-l", "ogd loss=logistic", *SEAL, "--quiet"]
    errors: dict[str, float] = {}
    for goal in ("0.5", "0.02"):
        assert main([*train, "-o", "m.rgl", "--threshold", goal]) == 0
        found = rg.load("m.rgl").certificate
        errors[goal] = found.measured
    assert errors["0.02"] > 2 * errors["0.5"]


REFUSED = {
    "recall=0.999": "--threshold recall=0.999 would flag every row",
    "1.5": "a probability is between 0 and 1",
    "best": "write recall=0.9",
}


@pytest.mark.parametrize("goal", REFUSED)
def test_a_threshold_that_cannot_be_is_one_line(
    rows: str, goal: str, capsys: Any
) -> None:
    train = [
        "train",
        rows,
        "-l",
        "ogd loss=logistic step=0.01",
        "--seal",
        "5%",
        *SEAL[2:],
    ]
    assert main([*train, "-o", "m.rgl", "--threshold", goal]) in (1, 2)
    error = capsys.readouterr().err
    assert REFUSED[goal] in error
    assert len(error.splitlines()) == 1
    assert not Path("m.rgl").exists()


def test_a_precision_that_does_not_hold_is_said() -> None:
    scores, targets = drawn(np.random.default_rng(1), 900)
    short = sealed_point(parse_goal("precision=0.99"), 0.0, scores, targets, 0.05)
    assert "less precise than the 99.0% asked for" in str(short)
    held = sealed_point(parse_goal("precision=0.1"), 0.0, scores, targets, 0.05)
    assert "asked for" not in str(held)


def test_without_sealed_rows_nothing_is_promised(rows: str, capsys: Any) -> None:
    train = ["train", rows, "-l", "ogd loss=logistic", "-o", "m.rgl"]
    assert main([*train, "--threshold", "recall=0.9"]) == 0
    assert "not certified, --seal 10% would" in " ".join(
        capsys.readouterr().out.split()
    )
    assert rg.load("m.rgl").certificate is None
    for more, said in (
        (["--holdout", "5"], "--threshold is certified by --seal"),
        (["--task", "regression", "-l", "regression_panel"], "for two classes"),
    ):
        assert main(["train", rows, *more, "-o", "m", "--threshold", "0.3"]) == 2
        assert said in capsys.readouterr().err
