"""Evaluate every theorem about a run, and be loud where one is violated."""

from __future__ import annotations

from collections.abc import Sequence

from ..played_run import PlayedRun
from ..theorems import (
    AnyTheorem,
    RunFacts,
    Theorems,
    Verdict,
    theorems_about,
)
from ..theorems.theorem import NO_COMPARATOR
from .regret import Regret
from .task_types import Best, Kind, kind_of


def theorems_of(
    run: PlayedRun, u: object = None, *, hindsight: bool = True
) -> Theorems:
    """All theorems about the run; those that need a comparator only if there is one.

    Raises
    ------
    TheoremViolated
        Where one is exceeded by more than rounding explains.
    """
    known = theorems_about(run.learner)
    other = other_game(run)
    if other:
        if u is not None:
            raise ValueError(other)
        refused = [Verdict(one, reason=other) for one in known]
        return Theorems((*_coverage(run), *refused), False)
    kind = kind_of(run)
    facts: Sequence[RunFacts] = ()
    waiting = NO_COMPARATOR
    if hindsight or u is not None or kind.counted:
        try:
            facts = kind.facts(run, u)
        except (TypeError, ValueError) as refusal:
            if u is not None:
                raise
            waiting = f"it needs a comparator, but {refusal}"
    compared = bool(facts)
    if not facts and kind.alone is not None:
        facts = kind.alone(run)
    verdicts: list[Verdict] = []
    for theorem in known:
        verdicts.append(_best(theorem, _chosen(theorem, facts, run), waiting))
        verdicts[-1].check(run.rounds, abs(run.loss))
    verdicts += _coverage(run)
    verdicts.sort(key=lambda verdict: not verdict.applies)
    return Theorems(tuple(verdicts), compared)


def _coverage(run: PlayedRun) -> list[Verdict]:
    """What is proved of the run's prediction sets, where it has any."""
    found = getattr(run, "coverage", None)
    if found is None:
        return []
    from ..theorems.coverage import COVERAGE, CoverageFacts

    verdicts = [theorem.judge(CoverageFacts(found)) for theorem in COVERAGE]
    for verdict in verdicts:
        verdict.check(run.rounds, abs(run.loss))
    return verdicts


def _chosen(
    theorem: AnyTheorem, facts: Sequence[RunFacts], run: PlayedRun
) -> Sequence[RunFacts]:
    """The comparators to try: all, or the one that is tightest for another theorem."""
    if not theorem.follows or len(facts) < 2:
        return facts
    leads = {one.name: one for one in theorems_about(run.learner)}
    found = _best(leads[theorem.follows], facts, "")
    return facts if found.facts is None or not found.applies else [found.facts]


def hindsight_of(
    run: PlayedRun, *, switches: int | None = None, tolerance: float = 1e-3
) -> Best:
    """The best fixed comparator: weights, an expert or several, a number."""
    kind = _playable(run)
    if switches is None:
        return kind.hindsight(run, tolerance=tolerance)
    if kind.sequence is None:
        raise TypeError("switches= is for experts")
    return kind.sequence(run, switches)


def regret_of(run: PlayedRun, u: object = None, *, tolerance: float = 1e-3) -> Regret:
    """The regret against `u`, or against the best in hindsight."""
    return _playable(run).regret(run, u, tolerance=tolerance)


def _playable(run: PlayedRun) -> Kind:
    """The kind of a run that theorems are about; else ``ValueError`` says why not."""
    other = other_game(run)
    if other:
        raise ValueError(other)
    return kind_of(run)


def other_game(run: PlayedRun) -> str:
    """Why no theorem is about a run of this kind, whatever its parts; empty if not."""
    if getattr(run, "warm", False):
        return (
            "it started from the weights of a model, and the theorems are about the "
            "learner's own start"
        )
    if getattr(run, "weighted", False):
        return "rows carry importance weights, and the theorems count every row once"
    return ""


def _best(theorem: AnyTheorem, facts: Sequence[RunFacts], waiting: str) -> Verdict:
    """The verdict with the comparator that makes the theorem tightest."""
    if not facts:
        return Verdict(theorem, reason=waiting, waits=True)
    verdicts = [theorem.judge(each, waiting) for each in facts]
    applying = [verdict for verdict in verdicts if verdict.applies]
    if not applying:
        return verdicts[0]
    return min(applying, key=_tightness)


def _tightness(verdict: Verdict) -> float:
    """The bound on what the learner itself pays, whatever the comparator is."""
    assert verdict.value is not None, "only what applies is compared"
    if verdict.theorem.kind == "regret" and verdict.happened is not None:
        return verdict.value - verdict.happened
    return verdict.value
