"""Games by name: ``find("unit-vectors")``, and which of them a learner can play."""

from __future__ import annotations

import dataclasses
import re

from ...errors import did_you_mean
from ...parts.documents import Document
from .alternating_halves import AlternatingHalves
from .balancing import Balancing
from .bisection import Bisection
from .block_search import BlockSearch
from .concept_drift import ConceptDrift
from .disjunction import Disjunction
from .drifting_numbers import DriftingNumbers
from .escaping import Escaping
from .farthest import Farthest
from .freund_table import FreundTable
from .game import Game
from .heavier_half import HeavierHalf
from .hung_panel import HungPanel
from .meteorologists import Meteorologists
from .noisy_labels import NoisyLabels
from .noisy_voters import NoisyVoters
from .opponents import fits
from .orthogonal import Orthogonal
from .promote_demote import PromoteDemote
from .quadratic import Quadratic
from .random_numbers import RandomNumbers
from .schapire_panel import SchapirePanel
from .seesaw import Seesaw
from .separable import Separable
from .sorted_labels import SortedLabels
from .splitting import Splitting
from .unit_vectors import UnitVectors

WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
KINDS: tuple[type[Game], ...] = (
    Splitting,
    FreundTable,
    Balancing,
    NoisyVoters,
    UnitVectors,
    Bisection,
    Orthogonal,
    BlockSearch,
    PromoteDemote,
    SchapirePanel,
    HungPanel,
    Disjunction,
    Separable,
    NoisyLabels,
    SortedLabels,
    ConceptDrift,
    Quadratic,
    Escaping,
    AlternatingHalves,
    HeavierHalf,
    Seesaw,
    Meteorologists,
    Farthest,
    RandomNumbers,
    DriftingNumbers,
)


def name_of(thing: object) -> str:
    """The name of a game, or of a learner, in words.

    Examples
    --------
    >>> from regretless.games import UnitVectors, name_of
    >>> name_of(UnitVectors)
    'unit-vectors'
    """
    kind: type = thing if isinstance(thing, type) else type(thing)
    return WORDS.sub("-", kind.__name__).lower()


GAMES: dict[str, type[Game]] = {name_of(kind): kind for kind in KINDS}
"""Every game, by its name."""


def find(name: str, **parameters: float | None) -> Game:
    """The game of this name.

    Raises
    ------
    ValueError
        Where there is no such game or parameter, or a value is out of range.

    Examples
    --------
    >>> from regretless.games import find
    >>> find("splitting", experts=8)
    Splitting(experts=8)
    >>> find("spliting")
    Traceback (most recent call last):
    ValueError: there is no game 'spliting' (did you mean 'splitting'?)
    """
    kind = GAMES.get(name.lower().replace("_", "-"))
    if kind is None:
        hint = did_you_mean(name, GAMES) or f": {', '.join(GAMES)}"
        raise ValueError(f"there is no game {name!r}{hint}")
    known = parameters_of(kind)
    for given in parameters:
        if given not in known:
            takes = ", ".join(known) or "nothing"
            raise ValueError(f"{name} has no parameter {given!r}: it takes {takes}")
    return kind(**parameters)


def called(text: str) -> Game:
    """The game of this name, with settings: ``"noisy-voters best=0.1"``."""
    name, *settings = text.split()
    pairs = (setting.split("=") for setting in settings)
    return find(name, **{key: float(value) for key, value in pairs})


def parameters_of(kind: type[Game]) -> Document:
    """What can be set, with its default."""
    return {field.name: field.default for field in dataclasses.fields(kind)}


def games_for(learner: object) -> list[str]:
    """The names of all games that this learner can play."""
    return [name for name, kind in GAMES.items() if fits(learner, kind)]
