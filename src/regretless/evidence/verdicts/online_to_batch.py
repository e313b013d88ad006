"""What a run proves about fresh rows, if rows are draws from one distribution."""

from __future__ import annotations

import math

import numpy as np

from ...parts.state import Floats
from ..played_run import LinearRun, MeanRun, PlayedRun, of_numbers, of_weights
from ..theorems import Theorems
from ..theorems.facts import Facts
from ..theorems.iid_mean import IID_MEAN, IidMeanFacts
from ..theorems.online_to_batch import CLASSIFICATION, CONVERSIONS, IidFacts
from .evaluation import other_game
from .linear import Given, linear_alone, linear_facts, linear_hindsight
from .mean import number

MOST = 2_000  # rounds all of whose hypotheses are judged


def iid_theorems_of(
    run: PlayedRun,
    u: Given | None = None,
    *,
    delta: float = 0.05,
    sigma: float | None = None,
) -> Theorems:
    """The statements of the lectures about independent draws, on this run."""
    other = other_game(run)
    if other:
        raise ValueError(other)
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta={delta!r} must lie strictly between 0 and 1")
    if of_numbers(run):
        return _of_mean(run, u, sigma)
    if sigma is not None:
        raise TypeError("sigma= is for the mean game")
    if not of_weights(run):
        raise ValueError(
            f"nothing is said about fresh rows of {type(run.learner).__name__}"
        )
    facts = IidFacts(_base(run, u), delta, *_validated(run, delta))
    known = CONVERSIONS if run.mistakes is None else (*CONVERSIONS, *CLASSIFICATION)
    verdicts = [theorem.judge(facts) for theorem in known]
    verdicts.sort(key=lambda verdict: not verdict.applies)
    return Theorems(tuple(verdicts), compared=False)


def _base(run: LinearRun, u: Given | None) -> Facts:
    """The run beside `u`, or beside the best in hindsight, where that is solved for."""
    if u is not None:
        return linear_facts(run, u)[0]
    try:
        best = linear_hindsight(run)
    except ValueError:
        return linear_alone(run)[0]
    found = np.concatenate([[best.bias], best.u]) if run.learner.bias else best.u
    return linear_facts(run, found)[0]


def _validated(run: LinearRun, delta: float) -> tuple[int | None, float | None]:
    """Dynamic validation over all hypotheses of a small game: which, and its errors."""
    m = run.rounds
    if run.mistakes is None or run.game is None or m > MOST:
        return None, None
    path = run.game.full_path()[:m]
    wrong = run.game.wrong(path)
    after = np.cumsum(wrong[:, ::-1], axis=1)[:, ::-1].diagonal()
    rows: Floats = np.arange(float(m), 0.0, -1.0)
    errors: Floats = after / rows
    bound: Floats = errors + np.sqrt(math.log(2.0 * m / delta) / (2.0 * rows))
    chosen = int(np.argmin(bound))
    return chosen, float(errors[chosen])


def _of_mean(run: MeanRun, u: Given | None, sigma: float | None) -> Theorems:
    if u is None or sigma is None:
        raise ValueError("declare the distribution: iid_theorems(u=mean, sigma=...)")
    if not 0.0 <= sigma < math.inf:
        raise ValueError(f"sigma={sigma!r} must be a finite number, at least 0")
    first = run.learner.leader().first
    facts = IidMeanFacts(first, run.rounds, number(u), float(sigma))
    return Theorems(tuple(one.judge(facts) for one in IID_MEAN), compared=False)
