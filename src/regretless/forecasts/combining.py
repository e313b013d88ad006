"""Mix forecasters online, and show the mixture beside those who knew better.

x_t = sum_k w_tk x_tk,   w_t made of the rounds before t alone
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from ..errors import BadRow
from ..experts import BOA, AdaHedge, ExpertLearner, FixedShare, Hedge, MLPoly, Squint
from ..parts.pools import ByLoss, BySlope, OfClasses, OfNumbers, Pool
from .combination import Combination
from .panel import Panel, as_panel
from .scores import as_score, score_name

__all__ = ["combine", "combine_panel"]

SNAPSHOTS = 256
NAMES = ("ml-poly", "boa", "eg", "adahedge", "squint", "hedge", "fixed-share")


def combine(
    forecasts: Any,
    y: Any,
    by: Any = "ml-poly",
    loss: Any = "brier",
    *,
    slopes: bool | None = None,
    switches: int = 10,
    names: Sequence[str] | None = None,
    time: Any = None,
) -> Combination:
    """Mix any number of forecasters, round after round, without tuning.

    Parameters
    ----------
    forecasts : data frame, dict by name, or array
        A column a forecaster: probabilities or numbers; rounds x forecasters x outcomes
        for several outcomes. nan is missing: a forecaster who says nothing is asleep,
        and is judged only by the rounds in which it speaks.
    y : array, or the name of a column of the data frame
        What happened: 0 or 1; the number of the outcome, from 0; or a number.
    by : str or a learner of experts
        "ml-poly" (the default), "boa", "eg" learn from slopes and compete with the best
        fixed convex mix; "adahedge", "squint", "hedge" learn from losses and compete
        with the best forecaster; "fixed-share" with the best sequence of them. Or
        ``rg.Hedge(eta=0.5)``... Those after "adahedge" ask for losses in [0, 1].
    loss : str or a loss
        As in :func:`compare`.
    slopes : bool or None
        Whether forecasters are charged the slope of the loss at the mixture in place of
        their own loss (the gradient trick). None: as `by` says. Needs a convex loss.
    switches : int
        m, how often the best sequence in hindsight may change.
    names : sequence of str
        What the forecasters are called, where the data do not say.
    time : array
        When; it must not go backwards.

    Returns
    -------
    Combination
        The mixture's forecasts, the weights, and the comparison with the best
        forecaster, the best convex mix and the best sequence. Print it.

    Notes
    -----
    ML-Poly with slopes is the default because it needs nothing declared, in any unit of
    loss, and is what the field uses. On the data of docs/forecasts.md it and EG lost
    least in turn, within half a percent of each other.

    Examples
    --------
    >>> import regretless as rg
    >>> F, y = rg.forecasts.simulate_panel(rounds=2000, seed=0)
    >>> found = rg.forecasts.combine(F, y)
    >>> found.loss < found.best_loss
    True
    >>> print(found.headline)
    the mixture lost 0.1739 a round, the best forecaster (fog) 0.2108
    """
    score = as_score(loss)
    panel = as_panel(forecasts, y, score, names=names, time=time)
    return combine_panel(panel, by, score, slopes=slopes, switches=switches)


def combine_panel(
    panel: Panel, by: Any, score: Any, *, slopes: bool | None, switches: int
) -> Combination:
    """Mix the forecasters of a panel."""
    from ..kernels.compiled import entry
    from ..kernels.pool import PoolTape, pool_rounds

    rounds, n = panel.rounds, len(panel.names)
    width = panel.values.shape[2] if panel.values.ndim == 3 else 1
    learner, by_slopes = _learner(by, slopes, score, rounds, n, switches)
    kind = OfClasses(score) if panel.values.ndim == 3 else OfNumbers(score)
    lesson = BySlope() if by_slopes else ByLoss()
    values = np.ascontiguousarray(_whole(panel.values))
    pool = Pool(values.reshape(-1), width, panel.y, kind, lesson)
    stride = -(-rounds // SNAPSHOTS)
    kept: Any = np.arange(0, rounds, stride)
    tape = PoolTape(
        mixtures=np.zeros(rounds * width),
        losses=np.zeros(rounds),
        totals=np.zeros(n),
        spared=np.zeros(n),
        weights=np.zeros(kept.size * n),
        mean=np.zeros(width),
        slopes=np.zeros(width),
    )
    player = learner.player(n)
    arguments = (player.rule, player.crowd, player.books, pool, tape, stride)
    played = entry(pool_rounds, arguments)(*arguments)
    if played < rounds:
        raise BadRow(played, _problem(panel, played))
    mixtures = tape.mixtures
    return Combination(
        by=learner,
        slopes=by_slopes,
        loss_name=score_name(score),
        names=panel.names,
        forecasts=mixtures.reshape(rounds, width) if width > 1 else mixtures,
        losses=tape.losses,
        weights=player.weights(),
        totals=tape.totals,
        own=tape.losses.sum() - tape.spared,
        waking_rounds=player.ledger().waking_rounds,
        weight_path=tape.weights.reshape(kept.size, n),
        weight_rows=kept,
        times=np.arange(1, rounds + 1) if panel.times is None else panel.times,
        switches=switches,
        ledger=player.ledger(),
        panel=panel,
        score=score,
    )


def _whole(values: Any) -> Any:
    """Forecasts of which a part is missing are missing altogether."""
    if values.ndim == 2:
        return values
    asleep = np.isnan(values).any(axis=2)
    return np.where(asleep[:, :, None], np.nan, values) if asleep.any() else values


def _learner(
    by: Any, slopes: bool | None, score: Any, rounds: int, n: int, switches: int
) -> tuple[ExpertLearner, bool]:
    """Who weighs, and whether it learns from slopes."""
    if isinstance(by, str):
        if by not in NAMES:
            near = get_close_matches(by, NAMES, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"there is no by={by!r}{hint} ({', '.join(NAMES)})")
        learner = _named(by, rounds, n, switches)
    elif isinstance(by, ExpertLearner):
        learner = by
    else:
        hint = "; did you forget the ()?" if isinstance(by, type) else ""
        raise TypeError(
            f"by={by!r:.60} is not a learner of experts, nor its name{hint}"
        )
    if learner.votes:
        name = type(learner).__name__
        raise TypeError(f"{name} counts votes: it cannot mix forecasts")
    if slopes is None:
        second_order = isinstance(learner, MLPoly | BOA) or by == "eg"
        return learner, second_order and score.convex
    if slopes and not score.convex:
        raise ValueError(f"slopes=True needs a convex loss, and {score} is not")
    return learner, slopes


def _named(by: str, rounds: int, n: int, switches: int) -> ExpertLearner:
    if by == "fixed-share":
        return _fixed_share(rounds, n, switches)
    makers: dict[str, Any] = {
        "ml-poly": MLPoly,
        "boa": BOA,
        "eg": AdaHedge,
        "adahedge": AdaHedge,
        "squint": Squint,
        "hedge": Hedge,
    }
    return makers[by]()


def _fixed_share(rounds: int, n: int, switches: int) -> FixedShare:
    """The share and the rate that make the bound for so many switches least."""
    m = min(max(switches, 1), max(rounds - 2, 1))
    share = m / max(rounds - 1, 2)
    price = (m + 1) * math.log(n) - m * math.log(share)
    price -= (rounds - 1 - m) * math.log1p(-share)
    return FixedShare(math.sqrt(8.0 * price / rounds), share)


def _problem(panel: Panel, row: int) -> str:
    if panel.missing[row].all():
        return f"all {len(panel.names)} forecasters are missing"
    return "a loss is not a finite number"
