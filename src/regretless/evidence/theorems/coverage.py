"""How often prediction sets miss: the same on every sequence, however it was made.

q_{t+1} = q_t + gamma_t (err_t - alpha) is summed by parts; q stays in an interval of
length 1 + gamma_1, and gamma never grows (see :mod:`regretless.parts.coverage`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...engine.coverage_ledger import Coverage
from ...parts.coverage import FIRST_STEP, step_after
from .theorem import Symbol, Theorem


@dataclass(frozen=True)
class CoverageFacts:
    """What came of the prediction sets of a run."""

    coverage: Coverage

    def describe(self) -> str:
        """There is no comparator."""
        return "none is needed"


def _off(facts: CoverageFacts) -> float:
    found = facts.coverage
    return abs(found.outside - found.alpha * found.rounds)


ALPHA = Symbol[CoverageFacts]("alpha", "1 - level", lambda facts: facts.coverage.alpha)
STEP = Symbol[CoverageFacts](
    "gamma_T", "the last step", lambda facts: step_after(facts.coverage.rounds - 1)
)
FIRST = Symbol[CoverageFacts]("gamma_1", "the first step", lambda _: FIRST_STEP)
ERR = Symbol[CoverageFacts](
    "err_t", "1 if y_t is outside of its set, which may be empty"
)

COVERAGE: tuple[Theorem[CoverageFacts], ...] = (
    Theorem(
        "coverage/end",
        "|sum err_t - alpha T| <= (1 + gamma_1) / gamma_T",
        "Gibbs, Candes (2021), steps by epochs",
        lambda facts: facts.coverage.bound(),
        kind="coverage",
        happened=_off,
        part="misses off alpha T",
        symbols=(
            ERR,
            ALPHA,
            Symbol("T", "rounds", lambda facts: facts.coverage.rounds),
            FIRST,
            STEP,
        ),
    ),
    Theorem(
        "coverage/prefix",
        "max E_t gamma_t / (1 + gamma_1) <= 1",
        "Gibbs, Candes (2021), steps by epochs",
        lambda _: 1.0,
        kind="coverage",
        happened=lambda facts: facts.coverage.worst,
        part="share of the bound, at the worst round",
        symbols=(
            Symbol("E_t", "|sum err_t - alpha t| after t rounds, the max over all t"),
            ALPHA,
            FIRST,
            Symbol("gamma_t", "the step of round t"),
        ),
    ),
)
