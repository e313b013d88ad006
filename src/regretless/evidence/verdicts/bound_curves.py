"""How a run went: regret, and every bound beside what happened, at checkpoints.

The game is played again beside the comparator of each theorem, and the theorem is
judged at every checkpoint with the books as they stood there. Nothing is interpolated:
a bound that speaks about the end alone (a horizon that was declared) has no course.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ...engine.expert_ledger import ExpertLedger
from ...engine.mean_ledger import MeanLedger
from ...lazy import is_a
from ...parts.state import Floats
from ..hindsight import compare_along
from ..hindsight.stack import combination_losses
from ..theorems import Theorems, Verdict
from .linear import linear_hindsight
from .panel import stack_rounds
from .seen_rows import seen_by

__all__ = ["BoundCurve", "RegretCurve", "regret_curves_of"]

AT_THE_END = ("ClassLearner", "KernelPerceptron", "RegressionPanel")
ROUGHLY = 1e-2  # the gap of a comparator that is only there to be drawn


@dataclass(frozen=True)
class BoundCurve:
    """Both sides of a theorem over time; the bound is nan where it is silent."""

    name: str
    happened: Floats
    bound: Floats


@dataclass(frozen=True)
class RegretCurve:
    """A run beside one comparator.

    Attributes
    ----------
    against : str
        The comparator in words.
    rounds : ndarray
        The checkpoints.
    regret : ndarray
        The learner's loss less the comparator's, at each.
    bounds : tuple of BoundCurve
        The theorems that are tightest with this comparator.
    """

    against: str
    rounds: Floats
    regret: Floats
    bounds: tuple[BoundCurve, ...]


def regret_curves_of(
    run: Any, theorems: Theorems, stops: Sequence[int]
) -> list[RegretCurve]:
    """The run beside every comparator of its theorems, the tightest theorem's first.

    `stops` are rounds in increasing order, the last one that of the run.

    Raises
    ------
    ValueError
        Where the game cannot be played again, or not beside its comparator.
    """
    game = run.replayable("how the regret grew")
    theorems = replace(
        theorems,
        verdicts=tuple(one for one in theorems if one.theorem.kind != "coverage"),
    )
    if is_a(run.learner, "Panel"):
        facts = next((one.facts for one in theorems if one.facts is not None), None)
        return [] if facts is None else [_panel_course(run, facts, stops)]
    if is_a(run.learner, *AT_THE_END):
        raise ValueError(
            f"what {type(run.learner).__name__} is compared with is known at the end "
            "only"
        )
    if not theorems.applying:
        return _without_theorems(run, stops)
    found: list[RegretCurve] = []
    for verdicts in _by_comparator(theorems.applying):
        facts = verdicts[0].facts
        if isinstance(run.ledger, ExpertLedger | MeanLedger):
            steps = [replace(facts, ledger=one) for one in game.ledgers(stops)]
        else:
            steps = [
                replace(facts, ledger=ledger, comparison=comparison)
                for ledger, comparison in _beside(run, facts.comparison.u, stops)
            ]
        found.append(_course(verdicts, steps, stops))
    return found


def _without_theorems(run: Any, stops: Sequence[int]) -> list[RegretCurve]:
    """The regret alone, against the best in hindsight."""
    rounds = np.array(stops, np.float64)
    if isinstance(run.ledger, ExpertLedger):
        k = run.ledger.best
        regret = _numbers(one.regrets[k] for one in run.game.ledgers(stops))
        return [RegretCurve(f"expert {k}", rounds, regret, ())]
    best = linear_hindsight(run, tolerance=ROUGHLY)
    u = np.concatenate([[best.bias], best.u]) if run.learner.bias else best.u
    regret = _numbers(
        ledger.loss - comparison.objective
        for ledger, comparison in _beside(run, u, stops)
    )
    return [RegretCurve(best.problem, rounds, regret, ())]


def _by_comparator(verdicts: Sequence[Verdict]) -> list[list[Verdict]]:
    """The verdicts that were reached with the same facts, together."""
    groups: dict[int, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(id(verdict.facts), []).append(verdict)
    return list(groups.values())


def _course(
    verdicts: list[Verdict], steps: list[Any], stops: Sequence[int]
) -> RegretCurve:
    bounds: list[BoundCurve] = []
    for verdict in verdicts:
        judged = [verdict.theorem.judge(facts) for facts in steps]
        bounds.append(
            BoundCurve(
                verdict.theorem.name,
                _numbers(one.happened for one in judged),
                _numbers(one.value for one in judged),
            )
        )
    return RegretCurve(
        against=verdicts[0].facts.describe(),
        rounds=np.array(stops, np.float64),
        regret=_numbers(_regret(facts) for facts in steps),
        bounds=tuple(bounds),
    )


def _regret(facts: Any) -> float:
    mean = isinstance(facts.ledger, MeanLedger)
    return facts.ledger.regret if mean else facts.regret


def _numbers(found: Any) -> Floats:
    return np.array([np.nan if one is None else one for one in found], np.float64)


def _beside(run: Any, u: Floats, stops: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """The books of a linear learner and of u, side by side, at every stop."""
    learner = run.game.learner
    bias = int(learner.bias)
    return compare_along(
        seen_by(learner, run.game.source),
        partial(learner.player, seen=True),
        u[bias:],
        float(u[0]) if bias else 0.0,
        stops,
    )


def _panel_course(run: Any, facts: Any, stops: Sequence[int]) -> RegretCurve:
    """The panel beside a fixed combination of its members."""
    lost = np.cumsum(combination_losses(stack_rounds(run), facts.combination.u))
    at = np.array(stops, np.int64)
    own = np.interp(at, *_paid(run.ledger))
    return RegretCurve(facts.describe(), at.astype(np.float64), own - lost[at - 1], ())


def _paid(ledger: Any) -> tuple[Floats, Floats]:
    """The checkpoints of a ledger, and the loss at each; the end is one."""
    rounds = np.append(ledger.curve[:, 0], ledger.rounds)
    return rounds, np.append(ledger.curve[:, 2], ledger.loss)
