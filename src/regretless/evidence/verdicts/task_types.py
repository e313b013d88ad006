"""What every kind of game knows in hindsight: one line each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

from ...lazy import sibling
from ...parts.state import Floats
from ..played_run import ExpertRun, MeanRun, PlayedRun
from ..theorems.theorem import ComparedFacts, RunFacts
from .regret import Regret

if TYPE_CHECKING:
    from ..hindsight import BestExpert, BestSequence, Hindsight
    from ..hindsight.shares import BestShares
    from ..hindsight.stack import BestCombination
    from ..theorems.experts import ExpertFacts
    from ..theorems.mean import MeanFacts


Best: TypeAlias = (
    "Hindsight | BestExpert | BestSequence | BestShares | BestCombination | float"
)
"""The best fixed comparator of a run, of whatever kind."""


class Kind(NamedTuple):
    """How the theorems' facts, the best comparator and the regret are found."""

    facts: Callable[..., Sequence[RunFacts]]  # (run, u)
    hindsight: Callable[..., Best]  # (run, *, tolerance)
    regret: Callable[..., Regret]  # (run, u, *, tolerance)
    counted: bool = False  # whether facts need no second look at the data
    alone: Callable[..., Sequence[RunFacts]] | None = None  # without a comparator
    along: Callable[..., Iterator[ComparedFacts]] | None = None
    """The facts at every stop: (run, facts, stops). None: only the end is known."""
    regret_along: Callable[..., tuple[str, Floats]] | None = None
    """Where no theorem applies, the comparator and the regret: (run, facts, stops)."""
    sequence: Callable[..., BestSequence] | None = None
    """The best sequence of comparators: (run, switches)."""


def kind_of(run: PlayedRun) -> Kind:
    """The kind of game that a run was, which its learner names."""
    return sibling(__package__, f"{run.learner.comparators}.KIND")


def ledgers_along(
    run: ExpertRun | MeanRun, facts: ExpertFacts | MeanFacts, stops: Sequence[int]
) -> Iterator[ComparedFacts]:
    """The same facts, with the ledger as it stood at every stop."""
    again = run.replayable("how the regret grew")
    return (replace(facts, ledger=one) for one in again.ledgers(stops))


def unsolved(why: str) -> Callable[..., NoReturn]:
    """What finds no comparator, and says why."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise ValueError(why)

    return refuse
