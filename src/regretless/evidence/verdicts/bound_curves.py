"""How a run went: regret, and every bound beside what happened, at checkpoints.

The game is played again beside the comparator of each theorem, and the theorem is
judged at every checkpoint with the statistics as they stood there. Nothing is
interpolated: a bound that speaks about the end alone (a horizon that was declared) has
no course.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...parts.state import Floats
from ..played_run import PlayedRun
from ..theorems import Theorems, Verdict
from ..theorems.theorem import ComparedFacts
from .task_types import kind_of


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
    run: PlayedRun, theorems: Theorems, stops: Sequence[int]
) -> list[RegretCurve]:
    """The run beside every comparator of its theorems, the tightest theorem's first.

    `stops` are rounds in increasing order, the last one that of the run.

    Raises
    ------
    ValueError
        Where the game cannot be played again, or not beside its comparator.
    """
    run.replayable("how the regret grew")
    theorems = replace(
        theorems,
        verdicts=tuple(one for one in theorems if one.theorem.kind != "coverage"),
    )
    kind = kind_of(run)
    if theorems.applying and kind.along is not None:
        return [
            _course(same, list(kind.along(run, same[0].facts, stops)), stops)
            for same in _by_comparator(theorems.applying)
        ]
    if kind.regret_along is None:
        raise ValueError(
            f"what {type(run.learner).__name__} is compared with is known at the end "
            "only"
        )
    facts = next((one.facts for one in theorems if one.facts is not None), None)
    against, regret = kind.regret_along(run, facts, stops)
    if not regret.size:
        return []
    return [RegretCurve(against, np.array(stops, np.float64), regret, ())]


def _by_comparator(verdicts: Sequence[Verdict]) -> list[list[Verdict]]:
    """The verdicts that were reached with the same facts, together."""
    groups: dict[int, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(id(verdict.facts), []).append(verdict)
    return list(groups.values())


def _course(
    verdicts: list[Verdict], steps: list[ComparedFacts], stops: Sequence[int]
) -> RegretCurve:
    bounds: list[BoundCurve] = []
    facts = verdicts[0].facts
    assert facts is not None, "it applies"
    for verdict in verdicts:
        judged = [verdict.theorem.judge(each) for each in steps]
        bounds.append(
            BoundCurve(
                verdict.theorem.name,
                _numbers(one.happened for one in judged),
                _numbers(one.value for one in judged),
            )
        )
    return RegretCurve(
        against=facts.describe(),
        rounds=np.array(stops, np.float64),
        regret=_numbers(each.regret for each in steps),
        bounds=tuple(bounds),
    )


def _numbers(found: Iterable[float | None]) -> Floats:
    return np.array([np.nan if one is None else one for one in found], np.float64)
