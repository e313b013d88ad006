"""What speaks against a run before anything is certified: it is no better than nothing.

Nothing is the most frequent label so far, or of numbers their mean so far. A learner
whose losses grow, and that is worse than that, diverges.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...parts.state import Floats
from ..played_run import PlayedRun

__all__ = ["Doubts", "compared", "doubts_of"]

GROWN = 3.0  # times that the losses of the last tenth are those of the first


class Doubts(NamedTuple):
    """How a run compares with answering without looking.

    Attributes
    ----------
    better : bool or None
        Whether it is better than the majority, or the running mean; None: not known.
    diverges : bool
        Whether its weights are not finite, or its losses grow while it is no better.
    words : str
        The same in a sentence; empty where there is no doubt.
    """

    better: bool | None
    diverges: bool
    words: str


def doubts_of(run: PlayedRun) -> Doubts:
    """The doubts about a run of rows."""
    ledger = run.ledger
    paid, without, what = compared(run)
    better = None if without is None else paid < without
    finite = bool(np.isfinite(run.weights).all() and np.isfinite(run.loss))
    diverges = not finite or (better is False and _grows(ledger.curve))
    words = ""
    if diverges:
        words = "the learner diverges: take a smaller step, or scale the columns"
    if better is False:
        worse = f"no better than {what}: {paid:,.6g} against {without:,.6g}"
        words = f"{words}; it is {worse}" if words else f"the learner is {worse}"
    return Doubts(better, diverges, words)


def compared(run: PlayedRun) -> tuple[float, float | None, str]:
    """What was paid, what answering without looking would have cost, and how."""
    ledger = run.ledger
    if ledger.plays != "rows":
        return 0.0, None, ""
    if run.mistakes is None:
        paid, mean = ledger.squared_error, ledger.running_mean_error
        if paid is None or mean is None:
            return 0.0, None, ""
        size = max(run.rounds, 1)
        what = "the running mean (RMSE)"
        return math.sqrt(paid / size), math.sqrt(mean / size), what
    if ledger.confusion is not None:
        counts = np.asarray(ledger.confusion).sum(axis=1)
        if counts.size < 2:
            return run.mistakes, None, ""
        often = run.rounds - int(counts.max())
        return run.mistakes, often, "the most frequent class (mistakes)"
    return run.mistakes, ledger.majority_mistakes, "the majority so far (mistakes)"


def _grows(curve: Floats) -> bool:
    """Whether the mean loss of the last tenth is a multiple of that of the first."""
    if len(curve) < 20:
        return False
    rounds, loss = curve[:, 0], curve[:, 2]
    tenth = max(1, len(curve) // 10)
    first = loss[tenth - 1] / max(rounds[tenth - 1], 1.0)
    last = (loss[-1] - loss[-1 - tenth]) / max(rounds[-1] - rounds[-1 - tenth], 1.0)
    return bool(last > GROWN * first)
