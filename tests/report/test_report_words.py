"""The page names what it shows: the positive label, the metrics, what moves a score."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli import main
from regretless.report.weights import bars_of

pytest.importorskip("vl_convert", reason="charts need vl-convert")


def rows(n: int = 600) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3)) * [1.0, 1000.0, 1.0]  # the second one moves most
    return X, X[:, 1] + 10.0 * X[:, 0] + rng.normal(size=n)


def page_text(run: Any, folder: Path) -> str:
    page = Path(run.report(folder / "r.html")).read_text()
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_panels_of_amounts_go_by_effects(tmp_path: Path) -> None:
    X, y = rows()
    run = rg.play(rg.RegressionPanel(), X, y)
    model = run.model()
    (bars,) = bars_of(run, model)
    effects = model.effects().values
    assert bars.names[0].startswith("1 (")
    assert bars.values == sorted(effects.tolist(), key=abs, reverse=True)
    assert bars.title == "The 3 features that move the prediction most"
    found = page_text(run, tmp_path)
    assert bars.title in found
    for name in ("RMSE", "MAE", "R2", "pinball loss"):
        assert f" {name} " in found
    assert "Rows set aside certify amounts: --seal 10%." in found
    assert "Positive rows are" not in found


@pytest.mark.parametrize("learner", [rg.Panel(), rg.Perceptron(), rg.OGD()])
def test_the_positive_label_is_named(learner: Any, tmp_path: Path) -> None:
    X, y = rows()
    run = rg.play(learner, X, np.where(y > 0.0, "left", "stayed"))
    found = page_text(run, tmp_path)
    assert "Positive rows are those with the label stayed." in found
    assert " AUC " in found
    assert " F1 " in found


@pytest.mark.parametrize("ending", [".pdf", ".png", ".SVG"])
def test_the_report_is_no_picture(ending: str, tmp_path: Path, capsys: Any) -> None:
    data = tmp_path / "a.csv"
    data.write_text("x,y\n1,0\n2,1\n")
    assert main(["train", str(data), "--report", str(tmp_path / f"r{ending}")]) == 2
    found = capsys.readouterr().err
    assert "the report is a page of HTML: name it .html" in found
    assert found.count("\n") == 1
    assert not (tmp_path / f"r{ending}").exists()
