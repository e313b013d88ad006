"""Evaluate every theorem about a run, and be loud where one is violated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expert_ledger import ExpertLedger
from ..hindsight import BestExpert, best_sequence
from ..learners import ClassLearner, OneVersusRest, Panel
from ..mean_ledger import MeanLedger
from ..theory import Theorem, Theorems, TheoremViolated, Verdict, theorems_about
from ..theory.experts import ExpertFacts
from ..theory.mean import MeanFacts
from .classes import class_facts, refuse_class_regret
from .linear import linear_facts, linear_hindsight, linear_regret
from .panel import panel_facts, panel_hindsight, panel_regret
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
    linear = not isinstance(run.ledger, ExpertLedger | MeanLedger)
    linear &= not isinstance(run.learner, OneVersusRest)
    facts: Sequence[Any] = ()
    reason = "it needs a comparator: theorems(u=...), or hindsight=True"
    if hindsight or u is not None or not linear:
        try:
            facts = _facts(run, u)
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
    if isinstance(run.ledger, ExpertLedger):
        if switches is not None:
            return best_sequence(run.replayable("hindsight").losses(), switches)
        ledger = run.ledger
        return BestExpert(ledger.best, ledger.best_loss, ledger.expert_losses)
    if switches is not None:
        raise TypeError("switches= is for experts")
    if isinstance(run.ledger, MeanLedger):
        return run.ledger.best
    _refuse_other_games(run)
    if isinstance(run.learner, ClassLearner):
        refuse_class_regret()
    if isinstance(run.learner, Panel):
        return panel_hindsight(run)
    return linear_hindsight(run, tolerance=tolerance)


def regret_of(run: Any, u: Any = None, *, tolerance: float = 1e-3) -> Regret:
    """The regret against `u`, or against the best in hindsight."""
    ledger = run.ledger
    if isinstance(ledger, ExpertLedger):
        facts = _expert_facts(run, u)[0]
        return Regret(facts.regret, facts.regret, facts.describe())
    if isinstance(ledger, MeanLedger):
        if u is None:
            return Regret(ledger.regret, ledger.regret, f"the mean {ledger.best:.6g}")
        number = float(u)
        if not math.isfinite(number):
            raise ValueError(f"u = {number} is not a finite number")
        paid = ledger.best_loss + ledger.rounds * (number - ledger.best) ** 2
        return Regret(ledger.loss - paid, ledger.loss - paid, f"u = {number:g}")
    _refuse_other_games(run)
    if isinstance(run.learner, ClassLearner):
        refuse_class_regret()
    if isinstance(run.learner, Panel):
        return panel_regret(run, u)
    return linear_regret(run, u, tolerance=tolerance)


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


def _facts(run: Any, u: Any) -> Sequence[Any]:
    _refuse_other_games(run)
    if isinstance(run.ledger, ExpertLedger):
        return _expert_facts(run, u)
    if isinstance(run.ledger, MeanLedger):
        return [MeanFacts(run.learner, run.ledger)]
    if isinstance(run.learner, Panel):
        return panel_facts(run, u)
    if isinstance(run.learner, ClassLearner):
        return class_facts(run, u)
    return linear_facts(run, u)


def _expert_facts(run: Any, u: Any) -> list[ExpertFacts]:
    """Against the expert, or the sequence of experts, that the user names."""
    ledger: ExpertLedger = run.ledger
    if u is None:
        return [ExpertFacts(run.learner, ledger, ledger.best)]
    if run.names is not None and u in run.names:
        return [ExpertFacts(run.learner, ledger, run.names.index(u))]
    numbers = np.asarray(u)
    if numbers.dtype.kind not in "iu":
        raise ValueError(
            f"u must be the number of an expert, or a sequence, not {u!r:.40}"
        )
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < ledger.n_experts:
        last = ledger.n_experts - 1
        raise ValueError(f"u = {u!r:.40}: experts are numbered from 0 to {last}")
    if numbers.ndim == 0:
        return [ExpertFacts(run.learner, ledger, int(numbers))]
    path = numbers
    if path.shape != (ledger.rounds,):
        raise ValueError(
            f"a sequence u names one expert for each of {ledger.rounds} rounds; "
            f"it has shape {path.shape}"
        )
    losses = run.replayable("a sequence of experts").losses()
    paid = float(losses[np.arange(path.size), path].sum())
    switches = int(np.count_nonzero(np.diff(path)))
    return [ExpertFacts(run.learner, ledger, int(path[0]), switches, paid)]


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
