"""What every rule does, as generics: four for all, two for majorities, one to prove.

A round goes: ``tune``, then ``weigh`` block by block, then ``learn``. In between the
loop takes the mixture of the losses, ``low + gap``, where `low` is the least loss of
those awake. Asleep is a loss of nan.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..expert_state import ExpertState
from ..generic import generic
from ..state import Floats


class MixedRound(NamedTuple):
    """What the loop has found out about a round when a rule learns from it."""

    low: float  # least loss of those awake
    gap: float  # the mixture's loss above it
    total: float  # sum of the weights of those awake
    awake: int  # how many they are


@generic
def prime(rule: Any, state: ExpertState) -> None:
    """Set the rule's own numbers before the first round."""
    ...


@generic
def tune(rule: Any, state: ExpertState, costs: Floats, at: int, awake: int) -> None:
    """Set the rate of the coming round, and the point weights are measured from.

    The latter is the heaviest of those awake, so that their weights never all vanish.
    """
    ...


@generic
def weigh(rule: Any, state: ExpertState, first: int, m: int) -> None:
    """Write the relative weights of experts `first`.. into ``state.block[:m]``."""
    ...


@generic
def learn(
    rule: Any, state: ExpertState, costs: Floats, at: int, mixed: MixedRound
) -> None:
    """Learn what the experts' total losses do not tell; those are added after this."""
    ...


@generic
def decide(
    rule: Any, score: float, margin: float, mixed: float, y: float, t: float
) -> tuple[float, bool]:
    """What a vote costs, and whether it was a mistake.

    `score` is the share of weight for 1, `margin` the weight for 1 less that for 0,
    `mixed` the share that is wrong, `t` the round from 0.
    """
    ...


@generic
def spent(rule: Any, state: ExpertState, costs: Floats, at: int) -> bool:
    """Whether no expert would be left after this round."""
    ...


@generic
def prove(rule: Any, state: ExpertState) -> Floats:
    """A bound on the regret against every expert, from what the rule has recorded.

    Only rules whose theorem is about numbers of their own have one. Not for kernels.
    """
    ...
