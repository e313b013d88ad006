"""Receipts of experts: the best of them, or the best sequence, is only counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...parts.state import Floats
from ..hindsight import BestExpert, BestSequence, best_sequence
from ..played_run import ExpertRun
from ..theorems.experts import ExpertFacts
from .regret import Regret
from .task_types import Kind, ledgers_along


def expert_facts(run: ExpertRun, u: object) -> list[ExpertFacts]:
    """Against the expert, or the sequence of experts, that the user names."""
    ledger = run.ledger
    if u is None:
        return [ExpertFacts(run.learner, ledger, ledger.best)]
    if isinstance(run.names, tuple) and u in run.names:
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


def expert_hindsight(run: ExpertRun, *, tolerance: float) -> BestExpert:
    """The best expert."""
    del tolerance  # it is exact
    ledger = run.ledger
    return BestExpert(ledger.best, ledger.best_loss, ledger.expert_losses)


def expert_regret(run: ExpertRun, u: object, *, tolerance: float) -> Regret:
    """The regret against the best expert, or the one or the sequence that is named."""
    del tolerance
    facts = expert_facts(run, u)[0]
    return Regret(facts.regret, facts.regret, facts.describe())


def expert_regret_along(
    run: ExpertRun, facts: object, stops: Sequence[int]
) -> tuple[str, Floats]:
    """The regret against the best expert in hindsight."""
    k, again = run.ledger.best, run.replayable("how the regret grew")
    return f"expert {k}", np.array([one.regrets[k] for one in again.ledgers(stops)])


def expert_sequence(run: ExpertRun, switches: int) -> BestSequence:
    """The best sequence of experts that changes at most so often."""
    return best_sequence(run.replayable("hindsight").losses(), switches)


KIND = Kind(
    expert_facts,
    expert_hindsight,
    expert_regret,
    counted=True,
    along=ledgers_along,
    regret_along=expert_regret_along,
    sequence=expert_sequence,
)
