"""Games: adversaries that reach the bounds, and friends that do not.

Every game is a frozen dataclass of parameters and an endless, seeded stream of rounds
that feeds :func:`regretless.arena`, :func:`regretless.play`, the command line and the
experiments. One game a file; what draws and tabulates knows no game by name.
"""

from .alternating_halves import AlternatingHalves
from .balancing import Balancing
from .bisection import Bisection
from .block_search import BlockSearch
from .bout import Bout, Bouts
from .concept_drift import ConceptDrift
from .curves import Curve, checkpoints
from .disjunction import Disjunction
from .drifting_numbers import DriftingNumbers
from .escaping import Escaping
from .farthest import Farthest
from .freund_table import FreundTable
from .game import Game, Played, Round
from .heavier_half import HeavierHalf
from .hung_panel import HungPanel
from .lineup import LINEUP, Pairing, set_up
from .meteorologists import Meteorologists
from .noisy_labels import NoisyLabels
from .noisy_voters import NoisyVoters
from .opponents import Opponent, fits
from .orthogonal import Orthogonal
from .promote_demote import PromoteDemote
from .quadratic import Quadratic
from .random_numbers import RandomNumbers
from .registry import GAMES, find, games_for, name_of, parameters_of
from .schapire_panel import SchapirePanel
from .seesaw import Seesaw
from .separable import Separable
from .sketch import sketch
from .sorted_labels import SortedLabels
from .splitting import Splitting
from .unit_vectors import UnitVectors

__all__ = [
    "GAMES",
    "LINEUP",
    "AlternatingHalves",
    "Balancing",
    "Bisection",
    "BlockSearch",
    "Bout",
    "Bouts",
    "ConceptDrift",
    "Curve",
    "Disjunction",
    "DriftingNumbers",
    "Escaping",
    "Farthest",
    "FreundTable",
    "Game",
    "HeavierHalf",
    "HungPanel",
    "Meteorologists",
    "NoisyLabels",
    "NoisyVoters",
    "Opponent",
    "Orthogonal",
    "Pairing",
    "Played",
    "PromoteDemote",
    "Quadratic",
    "RandomNumbers",
    "Round",
    "SchapirePanel",
    "Seesaw",
    "Separable",
    "SortedLabels",
    "Splitting",
    "UnitVectors",
    "checkpoints",
    "find",
    "fits",
    "games_for",
    "name_of",
    "parameters_of",
    "set_up",
    "sketch",
]
