"""Panels of a crowd of classes as its page has it: every class takes every row."""

from __future__ import annotations

from typing import Any

import numpy as np

from naive_mixture import Mixture
from naive_panel import Panel, inputs


def skip(panel: Panel, x: dict) -> None:
    """A row of the rest that is counted, and teaches nothing else."""
    _, curves = panel.views(x)
    panel.coin.lengths.append(sum(v * v for v in curves.values()))
    for j, value in x.items():
        panel.seen[j].append(value)
        panel.counts[-1.0][j] += 1
    panel.rounds[-1.0] += 1


class Crowd:
    """Panels, a ranking of their classes, and what the listed ones decide."""

    def __init__(self, classes: int, listed: int) -> None:
        self.panels = [Panel(forest=False) for _ in range(classes)]
        self.listed = listed
        self.mixture = Mixture(8)
        self.W = [dict[Any, float]() for _ in range(classes)]
        self.seen = self.missed = 0

    def round(self, values: list[float], label: int) -> Any:
        """The log-odds of all classes; then learn."""
        x = {"bias": 1.0} | {j: v for j, v in enumerate(values) if v != 0.0}
        a, _ = self.panels[0].views(x)
        ranks = np.array([sum(w.get(j, 0.0) * a[j] for j in a) for w in self.W])
        order = sorted(range(len(ranks)), key=lambda k: (-ranks[k], k))
        listed = sorted(order[: self.listed])
        others = len(ranks) - len(listed)
        margins = {k: self.panels[k].margins(x)[2] for k in listed}
        scores = {k: float(self.panels[k].w @ inputs(margins[k])) for k in listed}
        place = listed.index(label) if label in listed else len(listed)
        odds = self.mixture.round(
            np.array([margins[k] for k in listed]),
            np.array([scores[k] for k in listed]),
            place,
        )
        missed = (self.missed + others / len(ranks)) / (self.seen + 1.0)
        p = np.full(len(ranks), missed / max(others, 1))
        p[listed] = (1.0 - missed * (others > 0)) / (1.0 + np.exp(-odds))
        for k, panel in enumerate(self.panels):
            if k in listed or k == label:
                panel.learn_panel(x, 1.0 if k == label else -1.0)
            else:
                skip(panel, x)
        ahead = [k for k in listed if k != label and ranks[k] >= ranks[label]]
        for j in a:
            for k in ahead:
                self.W[k][j] = self.W[k].get(j, 0.0) - a[j] / len(ahead)
            if ahead:
                self.W[label][j] = self.W[label].get(j, 0.0) + a[j]
        self.seen += 1
        self.missed += label not in listed
        return np.log(p) - np.log1p(-p)
