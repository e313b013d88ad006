"""Whom every learner meets: its hardest game and an easy one, and how it is set up.

A theorem often names the step, the radius or the horizon that it is about; the lineup
sets a learner up for the game it plays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...algorithms import experts as e
from ...algorithms import learners as rows
from ...parts.losses import Hinge, Logistic, Squared
from ...parts.steps import InverseTime
from .alternating_halves import AlternatingHalves
from .balancing import Balancing
from .disjunction import Disjunction
from .farthest import Farthest
from .game import Game
from .heavier_half import HeavierHalf
from .hung_panel import HungPanel
from .meteorologists import Meteorologists
from .noisy_labels import NoisyLabels
from .noisy_voters import NoisyVoters
from .orthogonal import Orthogonal
from .promote_demote import PromoteDemote
from .quadratic import Quadratic
from .random_numbers import RandomNumbers
from .schapire_panel import SchapirePanel
from .separable import Separable
from .splitting import Splitting
from .unit_vectors import UnitVectors

__all__ = ["LINEUP", "Pairing", "set_up"]

Maker = Callable[[Game, int], Any]


class Pairing(NamedTuple):
    """A learner's games.

    Attributes
    ----------
    kind : type
        The class of the learner.
    worst : Game
        The adversary that reaches most of its bound.
    friendly : Game
        A game that it plays well.
    make : callable
        The learner for a game of so many rounds; None: ``kind()``.
    """

    kind: type
    worst: Game
    friendly: Game
    make: Maker | None = None


def _winnow(kind: Any) -> Maker:
    return lambda game, rounds: kind.for_margin(1.0 / getattr(game, "k", 3))


def _ogd(game: Game, rounds: int) -> Any:
    if game.kind == "targets":
        return rows.OGD(loss=Squared(), step=InverseTime(2.0))
    return rows.OGD(step="theorem", radius=1.0, max_norm=1.0, horizon=rounds)


def _eg(game: Game, rounds: int) -> Any:
    return rows.EG(step="theorem", max_entry=1.0, horizon=rounds, signed=True)


def _hedge(game: Game, rounds: int) -> Any:
    return e.Hedge(horizon=rounds)


def _always(learner: Any) -> Maker:
    return lambda game, rounds: learner


PAIRINGS = (
    Pairing(e.Halving, Splitting(), NoisyVoters()),
    Pairing(e.WeightedMajority, Balancing(), NoisyVoters(best=0.1)),
    Pairing(e.RandomizedWeightedMajority, Balancing(), NoisyVoters(best=0.1)),
    Pairing(e.ConservativeWeightedMajority, Balancing(), NoisyVoters(best=0.1)),
    Pairing(
        e.Hedge,
        AlternatingHalves(),
        Meteorologists(),
        _hedge,
    ),
    Pairing(e.AdaHedge, HeavierHalf(), Meteorologists()),
    Pairing(
        e.FixedShare,
        HeavierHalf(),
        Meteorologists(),
        _always(e.FixedShare(0.2, 0.01)),
    ),
    Pairing(e.Squint, HeavierHalf(), Meteorologists()),
    Pairing(e.BOA, HeavierHalf(), Meteorologists()),
    Pairing(e.SafeBOA, HeavierHalf(), Meteorologists()),
    Pairing(e.MLPoly, HeavierHalf(), Meteorologists()),
    Pairing(e.FollowTheLeader, Farthest(), RandomNumbers()),
    Pairing(rows.Perceptron, UnitVectors(), Separable()),
    Pairing(rows.PNormPerceptron, HungPanel(), Separable()),
    Pairing(rows.Winnow, PromoteDemote(), Disjunction()),
    Pairing(rows.UnnormalizedEG, PromoteDemote(), Disjunction()),
    Pairing(
        rows.NormalizedWinnow,
        HungPanel(),
        SchapirePanel(),
        _winnow(rows.NormalizedWinnow),
    ),
    Pairing(
        rows.BalancedWinnow,
        HungPanel(),
        SchapirePanel(),
        _winnow(rows.BalancedWinnow),
    ),
    Pairing(rows.OGD, Orthogonal(), NoisyLabels(), _ogd),
    Pairing(rows.EG, Orthogonal(), NoisyLabels(), _eg),
    Pairing(
        rows.Pegasos,
        Orthogonal(),
        NoisyLabels(),
        _always(rows.Pegasos(0.1)),
    ),
    Pairing(
        rows.AdaGrad,
        UnitVectors(),
        NoisyLabels(),
        _always(rows.AdaGrad(radius=1.0)),
    ),
    Pairing(
        rows.FTRLProximal,
        UnitVectors(),
        NoisyLabels(),
        _always(rows.FTRLProximal(2.0**0.5, 0.0, loss=Hinge(), radius=1.0)),
    ),
    Pairing(
        rows.CoinBetting,
        UnitVectors(),
        NoisyLabels(),
        _always(rows.CoinBetting(max_norm=1.0)),
    ),
    Pairing(rows.PassiveAggressive, UnitVectors(), Separable()),
    Pairing(rows.SecondOrderPerceptron, UnitVectors(), Separable()),
    Pairing(rows.AROW, UnitVectors(), NoisyLabels()),
    Pairing(rows.ONS, UnitVectors(), NoisyLabels(), _always(rows.ONS(Logistic()))),
    Pairing(rows.VAW, Quadratic(), Quadratic()),
)

LINEUP: dict[type, Pairing] = {one.kind: one for one in PAIRINGS}
"""The games of every learner, by its class."""


def set_up(kind: type, game: Game, rounds: int) -> Any:
    """A learner of this kind, with the parameters that its theorems want here.

    Examples
    --------
    >>> import regretless as rg
    >>> from regretless.games import AlternatingHalves, set_up
    >>> set_up(rg.Hedge, AlternatingHalves(), 500)
    Hedge(eta=None, horizon=500)
    """
    pairing = LINEUP.get(kind)
    make = None if pairing is None else pairing.make
    return kind() if make is None else make(game, rounds)
