"""The path of support vector machines: one solution a strength, from strong to weak.

The Perceptron's oracle bound is a minimum over u of a function of (|u|, hinge sum), and
every such minimum lies on this path. For the root form of the bound the right strength
is R^2 (1/2 + sqrt(b^2/4 + c)/b) with b = R|u|, never below R^2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...data import Source
from ...parts.losses import Hinge
from ...parts.notebook_html import Printed
from ...parts.part_types import Loss
from ...parts.text_tables import table_lines
from .descent import Descent, passes_allowed
from .passes import Passes
from .regularized import conclude, positive, prepared, relative_goal
from .solution import Hindsight

POINTS = 20
WEAKEST = 0.1  # of R^2: data forms of the bound may want a little less than R^2


@dataclass(frozen=True, repr=False, eq=False)
class Path(Printed):
    """Solutions in order of decreasing strength; see :class:`Hindsight`."""

    solutions: tuple[Hindsight, ...]

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Hindsight]:
        return iter(self.solutions)

    def __getitem__(self, i: int) -> Hindsight:
        return self.solutions[i]

    def __str__(self) -> str:
        rows = [
            (
                f"{a.strength:.4g}",
                f"{a.norm:.6g}",
                f"{a.loss:,.6g}",
                f"{a.relative_gap:.2e}",
            )
            for a in self.solutions
        ]
        head = ("strength", "|u|", "loss", "relative gap")
        return "\n".join(table_lines(head, rows, left=()))


def svm_path(
    source: Source,
    loss: Loss = Hinge(),
    strengths: Sequence[float] | None = None,
    *,
    tolerance: float = 1e-3,
    bias: bool = False,
    threshold: float = 0.0,
    max_passes: int | None = None,
    seed: int = 0,
) -> Path:
    """Minimize ``sum_t loss(u.x_t) + (strength/2)|u|^2`` for many strengths.

    Parameters
    ----------
    source : Source
        The data, which must be readable again.
    loss : a loss
        Convex, with a conjugate and a dual step.
    strengths : sequence of float or None
        Taken from large to small, each solve warmed up by the one before. None: a
        geometric grid of 20 from R |sum of the slopes at u = 0| down to R^2/10.
    tolerance, bias, threshold, seed
        As in :func:`penalized`.
    max_passes : int or None
        For each strength.

    Returns
    -------
    Path
        One :class:`Hindsight` for each strength.

    Examples
    --------
    >>> from regretless.evidence.hindsight import svm_path
    >>> from regretless.data import open_source
    >>> rows = open_source([[1.0, 1.0], [1.0, -1.0]], [1, -1], binary=True)
    >>> [round(one.norm, 2) for one in svm_path(rows, strengths=[4.0, 1.0])]
    [0.5, 1.0]
    """
    positive("tolerance", tolerance)
    passes = Passes(source, bias=bias)
    loss = prepared(loss, passes)
    if strengths is None:
        strengths = _grid(passes, loss, threshold)
    for strength in strengths:
        positive("strength", strength)
    descent = Descent(passes, loss, threshold=threshold, seed=seed)
    most = passes_allowed(max_passes, passes.n_rows)
    solutions: list[Hindsight] = []
    for strength in sorted(strengths, reverse=True):
        weighed = descent.solve(strength, relative_goal(tolerance), most=most)
        solutions.append(conclude(descent, weighed))
        descent.made = 0
    return Path(tuple(solutions))


def _grid(passes: Passes, loss: Loss, threshold: float) -> list[float]:
    """From where all rows still pull in full, to where the bound cannot gain."""
    probe = Descent(passes, loss, threshold=threshold)
    pull = probe.pull()
    weakest = WEAKEST * passes.longest * passes.longest
    if not weakest > 0.0:
        return [1.0]
    strongest = max(passes.longest * pull, 10.0 * weakest)
    return np.geomspace(strongest, weakest, POINTS).tolist()
