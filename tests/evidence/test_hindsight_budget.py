"""Hindsight that nobody asked for takes about a second, or is left out and says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli import conclusion, main
from regretless.evidence.hindsight.budget import OverBudget, budget, expect, spend


def test_work_is_counted() -> None:
    spend(10**12, 10**12, 10**12)  # nobody has set a limit
    with budget(1.0):
        expect(10**8, 10**6, 10**7)
        spend(10**8, 0, 0)
        with pytest.raises(OverBudget):
            expect(10**8, 10**6, 10**7)
        spend(4 * 10**7, 0, 0)
        with pytest.raises(OverBudget):
            spend(10**7, 10**6, 3 * 10**7)
    spend(10**12, 10**12, 10**12)


@pytest.mark.parametrize(
    "learner",
    [
        rg.Perceptron(),
        rg.OGD(),
        rg.Panel(),
        rg.VAW(n_features=5),
        rg.EG(n_features=5),
        rg.KernelPerceptron(),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_every_kind_of_hindsight_counts_its_work(learner: Any, table: Any) -> None:
    """The same theorems within the budget; and none of them without one."""
    X, y = table
    if isinstance(learner, rg.VAW | rg.EG):
        y = y.astype(float)
    run = rg.play(learner, np.ascontiguousarray(X), y)
    free = run.theorems()
    with budget(1.0):
        limited = run.theorems()
    assert str(limited) == str(free)
    with budget(0.0), pytest.raises(OverBudget):
        run.theorems()


def test_two_rows_with_a_large_index(tmp_path: Path, capsys: Any) -> None:
    """The number of features counts: it took more than a minute."""
    path = tmp_path / "wide.svm"
    path.write_text("1 1:1 4000000:1\n-1 2:1 3999999:1\n")
    train = ["train", str(path), "-l", "perceptron"]
    assert main([*train, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not any(one["applies"] for one in found["theorems"])
    assert found["theorems_left_out"] is True
    assert main([*train, "--verbose"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "so it was left out: --hindsight asks for it" in text


def test_large_data_say_so_too(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n-1 2:1\n" * 10)
    train = ["train", str(path), "-l", "perceptron", "--json"]
    assert main(train) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["theorems"]
    assert found["theorems_left_out"] is False
    monkeypatch.setattr(conclusion, "FEW", 10)
    assert main(train) == 0
    found = json.loads(capsys.readouterr().out)
    assert any(one["waits"] for one in found["theorems"])
    assert not any(one["applies"] for one in found["theorems"])
    assert found["theorems_left_out"] is True
    assert main([*train, "--hindsight"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["theorems"]
    assert found["theorems_left_out"] is False
