"""Evaluate every theorem about a run, and be loud where one is violated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..expert_ledger import ExpertLedger
from ..theory import Theorem, Theorems, TheoremViolated, Verdict, theorems_about
from .experts import expert_hindsight
from .kinds import kind_of
from .regret import Regret

__all__ = ["hindsight_of", "regret_of", "theorems_of"]

ROUNDING = 1e-9


def theorems_of(run: Any, u: Any = None, *, hindsight: bool = True) -> Theorems:
    """All theorems about the run; those that need a comparator only if there is one.

    Raises
    ------
    TheoremViolated
        Where one is exceeded by more than rounding explains.
    """
    kind = kind_of(run)
    facts: Sequence[Any] = ()
    reason = "it needs a comparator: theorems(u=...), or hindsight=True"
    if hindsight or u is not None or kind.counted:
        try:
            _refuse_other_games(run)
            facts = kind.facts(run, u)
        except (TypeError, ValueError) as refusal:
            if u is not None:
                raise
            reason = f"it needs a comparator, but {refusal}"
    verdicts: list[Verdict] = []
    for theorem in theorems_about(run.learner):
        verdicts.append(_best(theorem, _chosen(theorem, facts, run), reason))
        _refuse_violation(verdicts[-1], run)
    verdicts.sort(key=lambda verdict: not verdict.applies)
    return Theorems(tuple(verdicts))


def _chosen(theorem: Theorem[Any], facts: Sequence[Any], run: Any) -> Sequence[Any]:
    """The comparators to try: all, or the one that is tightest for another theorem."""
    if not theorem.follows or len(facts) < 2:
        return facts
    leads = {one.name: one for one in theorems_about(run.learner)}
    return [_best(leads[theorem.follows], facts, "").facts]


def hindsight_of(
    run: Any, *, switches: int | None = None, tolerance: float = 1e-3
) -> Any:
    """The best fixed comparator: weights, an expert or several, a number."""
    _refuse_other_games(run)
    if isinstance(run.ledger, ExpertLedger):
        return expert_hindsight(run, switches=switches, tolerance=tolerance)
    if switches is not None:
        raise TypeError("switches= is for experts")
    return kind_of(run).hindsight(run, tolerance=tolerance)


def regret_of(run: Any, u: Any = None, *, tolerance: float = 1e-3) -> Regret:
    """The regret against `u`, or against the best in hindsight."""
    _refuse_other_games(run)
    return kind_of(run).regret(run, u, tolerance=tolerance)


def _refuse_other_games(run: Any) -> None:
    if getattr(run, "warm", False):
        raise ValueError(
            "it started from the weights of a model, and the theorems are about the "
            "learner's own start"
        )
    if getattr(run, "weighted", False):
        raise ValueError(
            "rows carry importance weights, and the theorems count every row once"
        )


def _best(theorem: Theorem[Any], facts: Sequence[Any], reason: str) -> Verdict:
    """The verdict with the comparator that makes the theorem tightest."""
    if not facts:
        return Verdict(theorem, reason=reason)
    verdicts = [theorem.judge(each) for each in facts]
    applying = [verdict for verdict in verdicts if verdict.applies]
    if not applying:
        return verdicts[0]
    return min(applying, key=_tightness)


def _tightness(verdict: Verdict) -> float:
    """The bound on what the learner itself pays, whoever the comparator is."""
    value: Any = verdict.value
    if verdict.theorem.statement.startswith("R"):
        happened: Any = verdict.happened
        return value - happened
    return value


def _refuse_violation(verdict: Verdict, run: Any) -> None:
    if verdict.value is None or verdict.happened is None:
        return
    scale = max(1.0, abs(verdict.value), abs(run.ledger.loss))
    if verdict.violated(ROUNDING * scale):
        theorem = verdict.theorem
        raise TheoremViolated(
            theorem.name,
            theorem.statement,
            verdict.happened,
            verdict.value,
            run.ledger.rounds,
        )
