"""Experiments: sweep parameters, repeat over seeds; a tidy table and a picture out.

An experiment is a few contests (a learner and a game) and what is varied. Three of them
have names of their own; yours are made the same way. What plays and what judges is
:func:`regretless.arena`; nothing here knows how.
"""

from __future__ import annotations

from collections.abc import Callable

from ...errors import did_you_mean
from .every_learner import every_learner
from .experiment import Contest, Experiment
from .panel_growth import panel_growth
from .regret_rates import regret_rates
from .results import Results

__all__ = [
    "EXPERIMENTS",
    "Contest",
    "Experiment",
    "Results",
    "every_learner",
    "find",
    "panel_growth",
    "regret_rates",
]

EXPERIMENTS: dict[str, Callable[[], Experiment]] = {
    "panel-growth": panel_growth,
    "regret-rates": regret_rates,
    "every-learner": every_learner,
}
"""Those with a name, by their names."""


def find(name: str) -> Experiment:
    """The experiment of this name.

    Raises
    ------
    ValueError
        Where there is none.
    """
    make = EXPERIMENTS.get(name.lower().replace("_", "-"))
    if make is None:
        hint = did_you_mean(name, EXPERIMENTS)
        known = ", ".join(EXPERIMENTS)
        raise ValueError(f"there is no experiment {name!r}{hint}: {known}")
    return make()
