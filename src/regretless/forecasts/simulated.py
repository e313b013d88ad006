"""Forecasters that everybody has: seeded simulations where the truth is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..parts.state import Floats


class Interview(NamedTuple):
    """Two applicants' forecasts, what happened, and the truth that is never seen."""

    alice: Floats
    bob: Floats
    rain: Floats
    truth: Floats


def simulate_interview(days: int = 400, seed: int = 0) -> Interview:
    """Schapire's two applicants: Alice and Bob forecast rain, day after day.

    The chance of rain drifts through the year with weather on top. Bob sees it through
    some noise; Alice is as well informed, and timid: she goes only a third of the way
    from one half to where Bob goes.

    Examples
    --------
    >>> from regretless.forecasts import simulate_interview
    >>> day = simulate_interview(days=3, seed=0)
    >>> day.rain
    array([0., 0., 1.])
    """
    rng = np.random.default_rng(seed)
    season = 0.8 * np.sin(np.arange(days) * 2.0 * np.pi / 365.0)
    weather = season + rng.normal(0.0, 1.6, days)
    truth = _logistic(weather)
    bob = _logistic(weather + rng.normal(0.0, 0.5, days))
    alice = 0.5 + (bob - 0.5) / 3.0
    rain = (rng.random(days) < truth).astype(np.float64)
    return Interview(alice, bob, rain, truth)


def simulate_panel(
    rounds: int = 2000, seed: int = 0
) -> tuple[dict[str, Floats], Floats]:
    """Five forecasters, none of whom sees everything, and what happened.

    Two see half of the weather each (a mix of them is better than either), one sees
    both through a fog, one is bold, and one knows the climate alone. North goes blind
    halfway.

    Returns
    -------
    forecasts : dict by name
        Probabilities, one a round.
    y : ndarray
        0 or 1.

    Examples
    --------
    >>> from regretless.forecasts import simulate_panel
    >>> F, y = simulate_panel(rounds=100, seed=1)
    >>> list(F)
    ['north', 'south', 'fog', 'bold', 'climate']
    """
    rng = np.random.default_rng(seed)
    north, south = rng.normal(0.0, 1.3, (2, rounds))
    rain = (rng.random(rounds) < _logistic(north + south)).astype(np.float64)
    fog = _logistic(0.6 * (north + south) + rng.normal(0.0, 1.2, rounds))
    late = np.arange(rounds) >= rounds // 2
    forecasts = {
        "north": _logistic(np.where(late, 0.3, 0.9) * north),
        "south": _logistic(0.8 * south),
        "fog": fog,
        "bold": _logistic(3.0 * (north + south) + rng.normal(0.0, 3.0, rounds)),
        "climate": np.full(rounds, 0.5),
    }
    return forecasts, rain


def _logistic(x: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-x))
