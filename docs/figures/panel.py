"""What the panel can draw: a curve, where most of its members have a line."""

from __future__ import annotations

from typing import Any

import numpy as np

import regretless as rg
from regretless.models.rows_to_predict import rows_of

from .chart import chart, curve


def learned(rows: int = 4000) -> Any:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, 1))
    log_odds = 4.0 * (np.abs(x[:, 0]) - 1.0)
    labels = rng.random(rows) < 1.0 / (1.0 + np.exp(-log_odds))
    model = rg.play(rg.Panel(), x, labels).model("last")
    grid = np.linspace(-2.5, 2.5, 100)  # without 0, which is no entry
    names = [name for name, *_ in model.explain(grid[:, None]).members]
    margins = model.hypothesis.margins(*rows_of(grid[:, None]))
    line, hats = names.index("hinge 0.3 on A"), names.index("hinge 4 on H")
    return chart(
        curve(grid, 4.0 * (np.abs(grid) - 1.0), "the truth", grey=True, dash="dot"),
        curve(grid, margins[:, line], "a member on values: hinge 0.3", 1),
        curve(grid, margins[:, hats], "a member on curves: hinge 4", 2),
        curve(grid, model.scores(grid[:, None]), "the panel", 0),
        x="x",
        y="log-odds of +1",
    )
