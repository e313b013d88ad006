"""A metric is one file: declared in a module of its own, it is everywhere."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import regretless as rg
from regretless.cli import main
from regretless.evidence.metrics import AmountMetrics, TwoClassMetrics
from regretless.evidence.summary import summary_of

MODULE = '''
"""The share of negative rows that are not flagged; the worst rate of amounts."""

from regretless.evidence.metrics import AmountMetrics, TwoClassMetrics
from regretless.evidence.metrics.metric import Line, DeclaredMetric


def _specificity(metrics: TwoClassMetrics) -> float:
    at = metrics.at()
    return at.true_negatives / max(at.true_negatives + at.false_positives, 1.0)


SPECIFICITY = DeclaredMetric[TwoClassMetrics](
    "true_negative_rate",
    lambda m: 0.0,
    _specificity,
    title="specificity",
    larger=True,
    chooses=True,
    in_brief=True,
    beside="all rows flagged",
    line=Line("of the rows that are not {yes} are left alone"),
)
SCALED = DeclaredMetric[AmountMetrics](
    "scaled_error",
    lambda m: 1.0,
    lambda m: m.mae / m.of_mean.mae,
    in_brief=True,
    line=Line("always answering the mean so far: {base}{worse}"),
)
'''


@pytest.fixture(autouse=True)
def declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The declarations of a throwaway module, while a test runs."""
    (tmp_path / "my_metrics.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_metrics", raising=False)
    import my_metrics  # pyright: ignore[reportMissingImports]

    mine: Any = my_metrics
    for kind, metric in (
        (TwoClassMetrics, mine.SPECIFICITY),
        (AmountMetrics, mine.SCALED),
    ):
        monkeypatch.setattr(kind, "declared", (*kind.declared, metric))


def write(label: Any) -> None:
    dice = random.Random(1)
    rows = ["x,z,label\n"]
    for _ in range(300):
        x, z = dice.gauss(0, 1), dice.gauss(0, 1)
        rows.append(f"{x},{z},{label(x - z)}\n")
    Path("a.csv").write_text("".join(rows))


def test_a_metric_of_two_classes_is_everywhere(capsys: Any) -> None:
    write(lambda margin: "yes" if margin > 0 else "no")
    train = ["train", "a.csv", "-l", "perceptron", "--again"]
    assert main([*train, "-o", "m.rgl", "--report", "r.html"]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    assert "of the rows that are not yes are left alone" in screen
    assert "specificity" in screen
    page = Path("r.html").read_text()
    assert "specificity" in page
    assert "all rows flagged: 0" in page
    assert main([*train, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["metrics"]
    assert 0.8 < found["true_negative_rate"] <= 1.0
    assert found["baseline"]["true_negative_rate"] == 0.0
    assert main(["predict", "m.rgl", "a.csv", "-o", "p.csv"]) == 0
    assert "specificity 0." in capsys.readouterr().err
    many = ["train", "a.csv", "-l", "perceptron, winnow", "--json", "--again"]
    assert main([*many, "--best-by", "true-negative-rate"]) == 0
    assert json.loads(capsys.readouterr().out)["best_by"] == "true-negative-rate"


def test_a_metric_of_amounts_is_everywhere() -> None:
    write(lambda margin: margin + 0.25)
    run = rg.play(rg.VAW(), "a.csv")
    assert 0.0 < run.metrics.values()["scaled_error"] < 1.0
    lines = [line for line in summary_of(run).compared if line.name == "scaled error"]
    assert [line.beside for line in lines] == ["always answering the mean so far: 1"]
    assert "scaled error" in str(run.metrics)
    assert "scaled error" in run._repr_html_()
