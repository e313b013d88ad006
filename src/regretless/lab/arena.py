"""The arena: a learner against an adversary, round by round, with the bounds beside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..evidence.theorems import Theorems, Verdict
from ..parts.state import Floats
from ..runs.play import play
from ..runs.run import Run
from .games import Bout, Bouts, Curve, Game, Played, checkpoints, find
from .games.curves import POINTS
from .games.game import Taken
from .games.opponents import refuse_unfit

NOTHING = np.zeros(0)


def arena(
    learner: object,
    adversary: Game | str,
    rounds: int | None = None,
    *,
    seed: int | Iterable[int] = 0,
    points: int = POINTS,
) -> Any:
    """Play `learner` against `adversary`, and set every bound beside what happened.

    An adaptive adversary sees what the learner would predict before it answers. Every
    bound is evaluated on the game as a whole and on its prefixes, so that both sides
    can be drawn.

    Parameters
    ----------
    learner : learner
        Who plays. It is not changed.
    adversary : Game or str
        One of :mod:`regretless.games`, or its name.
    rounds : int or None
        How many; None: as many as show what the game is about.
    seed : int, or iterable of int
        Where the game's randomness starts; several: one bout each.
    points : int
        On how many prefixes the bounds are evaluated; 1 is the end alone.

    Returns
    -------
    Bout, or Bouts of several seeds
        Print it, or ``.plot()`` it.

    Examples
    --------
    >>> import regretless as rg
    >>> bout = rg.arena(rg.Halving(), rg.games.Splitting(experts=8))
    >>> bout.headline  # doctest: +NORMALIZE_WHITESPACE
    theorem  happened  bound  ratio
    -------------------------------
    halving         3      3      1
        M <= floor(log2 N)
        Freund, introduction
        where M = mistakes = 3, N = experts = 8
        comparator: expert 0, which lost 0
        assumes: the learner is Halving (Majority(beta=0.0)); beta = 0 (beta = 0);
          u is one expert (u switches 0 times); no expert sleeps (awake in at least
          6 of 6 rounds); some expert is perfect (the best expert erred 0 times)
    <BLANKLINE>
    u: the comparator; x_t, y_t, w_t, g_t: row, label, weights, gradient of round t
    """
    game: Any = find(adversary) if isinstance(adversary, str) else adversary
    if not isinstance(game, Game):
        hint = "; did you forget the ()?" if isinstance(game, type) else ""
        raise TypeError(f"{game!r:.60} is not a game{hint}")
    refuse_unfit(learner, game)
    rounds = game.natural if rounds is None else rounds
    if isinstance(seed, Iterable):
        seeds = list(seed)
        if not seeds:
            raise ValueError("seed= is empty: there is nothing to play")
        return Bouts(tuple(_bout(learner, game, rounds, one, points) for one in seeds))
    return _bout(learner, game, rounds, seed, points)


def _bout(learner: object, game: Game, rounds: int, seed: int, points: int) -> Bout:
    data = game.take(rounds, seed, learner)
    run = play(learner, **data)
    u = _truth(game, data, run, seed)
    theorems = run.theorems(u=u)
    if u is not None and not theorems.applying:
        u, theorems = None, run.theorems()  # it is none that this learner competes with
    times = checkpoints(rounds, points)
    verdicts = theorems.applying
    judged = [
        _verdicts(learner, game, _prefix(data, t), seed, verdicts, fixed=u is None)
        for t in times.tolist()[:-1]
    ]
    judged.append({one.theorem.name: one for one in verdicts})
    curves = tuple(
        Curve(
            one.theorem.name,
            one.theorem.statement,
            times,
            _column(judged, one, "happened"),
            _column(judged, one, "value"),
            one.theorem.what,
        )
        for one in verdicts
    )
    return Bout(game, seed, run, theorems, curves)


def _verdicts(
    learner: object,
    game: Game,
    data: Taken,
    seed: int,
    final: tuple[Verdict, ...],
    *,
    fixed: bool,
) -> dict[str, Verdict]:
    """The theorems on a prefix, by name.

    Where no comparator is known, those that are best in the end are taken
    throughout: to solve for the best at every prefix would take minutes.
    """
    run = play(learner, **data)
    if not fixed or game.kind in ("votes", "forecasts", "losses", "numbers"):
        found = run.theorems(u=_truth(game, data, run, seed))
        return {one.theorem.name: one for one in found}
    named: dict[str, Verdict] = {}
    judged: dict[bytes, Theorems] = {}
    for verdict in final:
        if verdict.theorem.kind == "coverage":
            found = run.theorems(hindsight=False)
            named[verdict.theorem.name] = found[verdict.theorem.name]
            continue
        comparison = getattr(verdict.facts, "comparison", None)
        if comparison is None:
            continue
        u = comparison.u
        key = u.tobytes()
        if key not in judged:
            judged[key] = run.theorems(u=u)
        named[verdict.theorem.name] = judged[key][verdict.theorem.name]
    return named


def _truth(game: Game, data: Taken, run: Run, seed: int) -> Floats | None:
    u = game.truth(Played(data.get("X"), data.get("y", NOTHING), run.weights, seed))
    if u is None or not getattr(run.learner, "bias", False):
        return u
    return np.concatenate([[0.0], u])


def _prefix(data: Taken, t: int) -> Taken:
    return {
        key: value[:t] if hasattr(value, "shape") else value
        for key, value in data.items()
    }


def _column(points: list[dict[str, Verdict]], one: Verdict, side: str) -> Floats:
    values = [getattr(point.get(one.theorem.name), side, None) for point in points]
    return np.array([np.nan if value is None else value for value in values])
