"""What every kind of game knows in hindsight: one line each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ...lazy import sibling
from ...parts.state import Floats
from ..played_run import PlayedRun
from .regret import Regret

__all__ = ["Kind", "kind_of", "ledgers_along", "unsolved"]


class Kind(NamedTuple):
    """How the theorems' facts, the best comparator and the regret are found."""

    facts: Callable[..., Sequence[Any]]  # (run, u)
    hindsight: Callable[..., Any]  # (run, *, tolerance)
    regret: Callable[..., Regret]  # (run, u, *, tolerance)
    counted: bool = False  # whether facts need no second look at the data
    alone: Callable[[Any], Sequence[Any]] = lambda run: ()  # without a comparator
    along: Callable[..., Iterator[Any]] | None = None
    """The facts at every stop: (run, facts, stops). None: only the end is known."""
    regret_along: Callable[..., tuple[str, Floats]] | None = None
    """Where no theorem applies, the comparator and the regret: (run, facts, stops)."""


def kind_of(run: PlayedRun) -> Kind:
    """The kind of game that a run was, which its learner names."""
    return sibling(__package__, f"{run.learner.comparators}.KIND")


def ledgers_along(run: PlayedRun, facts: Any, stops: Sequence[int]) -> Iterator[Any]:
    """The same facts, with the ledger as it stood at every stop."""
    return (replace(facts, ledger=one) for one in run.game.ledgers(stops))


def unsolved(why: str) -> Callable[..., Any]:
    """What finds no comparator, and says why."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise ValueError(why)

    return refuse
