"""``python -m benchmarks.coverage``: every path to a certificate, with few runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.coverage import PATHS, World, control, counted

import regretless as rg


@pytest.mark.slow
@pytest.mark.parametrize("name", PATHS)
def test_few_misses(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    found = counted(name, 40)
    if PATHS[name] is control:
        assert found.misses > found.most  # the count can fail
    else:
        assert found.misses <= found.most
        assert found.uncertified <= 10


@pytest.mark.parametrize("classes", [2, 4])
def test_the_known_risk_is_the_true_one(classes: int) -> None:
    world = World(np.random.default_rng(classes), classes)
    learner = rg.Perceptron() if classes == 2 else rg.MulticlassPerceptron()
    model = rg.play(learner, *world.draw()).model("last")
    X, y = world.draw(200_000)
    assert (model.predict(X) != y).mean() == pytest.approx(world.risk(model), abs=0.005)


def test_refused_rows_count_where_a_game_is_played_again(tmp_path: Path) -> None:
    """A model that was not kept on the way has the certificate of one that was."""
    rng = np.random.default_rng(0)
    rows = [" ".join(f"{j}:{v}" for j, v in enumerate(x, 1)) for x in bits(rng)]
    labels = rng.choice(["1", "-1"], len(rows)).tolist()
    labels[5] = labels[6] = ""  # rows without a label are no rounds
    lines = [f"{y} {x}" for y, x in zip(labels, rows, strict=True)]
    for place in (0, 7, 8, 60, 150, 151, 198, 199):
        lines[place] = "1 1:-1 2:1"  # Winnow takes no negative entries
    path = tmp_path / "rows.svm"
    path.write_text("\n".join(lines) + "\n")
    options = rg.ReadOptions(on_bad_rows="skip")
    later = rg.play(rg.Winnow(n_features=4), str(path), options=options)
    kinds = ("validated",)
    kept = rg.play(rg.Winnow(n_features=4), str(path), options=options, models=kinds)
    assert (later.refused, later.rounds) == (8, 190)
    found = later.model("validated").certificate
    assert found == kept.model("validated").certificate
    assert found.n + found.learned > later.rounds  # refused ones among them


def bits(rng: np.random.Generator) -> Any:
    return rng.integers(0, 2, size=(200, 4)).tolist()
