"""Mix forecasters online, and show the mixture beside those who knew better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..algorithms.experts import ExpertLearner
from ..errors import BadRow
from ..parts.losses import Pinball
from ..parts.rows import Longs
from ..parts.state import Floats
from .checking import checked
from .combination import Combination
from .given import ColumnRoles, as_table
from .mixing import MixedRows
from .mixture import Mixture, named_learner
from .scores import Score, as_score, losses_of
from .table import Table

Key: TypeAlias = tuple[object, ...]
SEPARATE = {"group": "groups", "horizon": "horizons"}


def combine(  # noqa: PLR0913 - all but two are options
    forecasts: object,
    y: object = None,
    by: str | ExpertLearner = "auto",
    loss: str | Score = "brier",
    *,
    lag: int = 1,
    time: object = None,
    group: object = None,
    horizon: object = None,
    known_at: object = None,
    separate: str | Sequence[str] = (),
    recalibrate: bool = False,
    levels: npt.ArrayLike | None = None,
    slopes: bool | None = None,
    switches: int = 10,
    names: Sequence[str] | None = None,
) -> Combination:
    """Mix any number of forecasters, round after round, without tuning.

    A round is a time: all rows of one time are forecast before any of their outcomes is
    learned, and what is learned is the mean over them.

    Parameters
    ----------
    forecasts : data frame, dict by name, array, or Table
        A column a forecaster: probabilities or numbers; rows x forecasters x outcomes
        (or quantiles) for more. nan is missing: a forecaster who says nothing is
        asleep, and is judged only by the rows in which it speaks.
    y : array, or the name of a column of the data frame
        What happened: 0 or 1; the number of the outcome, from 0; or a number. nan where
        that is not known: such rows are forecast, and not learned.
    by : str or a learner of experts
        "auto" (the default) mixes a fast and a careful mixture, the latter with the
        mean and the median of all among the forecasters. "ml-poly", "boa", "safe-boa",
        "eg" learn from slopes and compete with the best fixed convex mix; "adahedge",
        "squint", "hedge" learn from losses and compete with the best forecaster;
        "fixed-share" with the best sequence of them. Or ``rg.Hedge(eta=0.5)``...
    loss : str or a loss
        As in :func:`compare`.
    lag : int
        Outcomes are known so many rounds after their forecast is made; 1: before the
        next round. Nothing is learned before that.
    time : array, or the name of a column
        When forecasts were made; it must not go backwards, unless there are groups.
    group, horizon, known_at : arrays, or names of columns
        Which place a row is about, how many rounds ahead it looks (its own lag), and at
        what time its outcome was known (in place of a lag).
    separate : str or sequence of str
        For what there are weights of their own: "group", "horizon", "quantile".
    recalibrate : bool
        Whether the mixture's probabilities are recalibrated, online.
    levels : sequence of float
        The levels of the quantiles, where the last axis of an array has quantiles.
    slopes : bool or None
        Whether forecasters are charged the slope of the loss at the mixture in place of
        their own loss (the gradient trick). None: as `by` says. Needs a convex loss.
    switches : int
        m, how often the best sequence in hindsight may change.
    names : sequence of str
        What the forecasters are called, where the data do not say.

    Returns
    -------
    Combination
        The mixture's forecasts, the weights, and the comparison with the mean, the
        median, and those who knew better. Print it.

    Examples
    --------
    >>> import regretless as rg
    >>> F, y = rg.forecasts.simulate_panel(rounds=2000, seed=0)
    >>> found = rg.forecasts.combine(F, y)
    >>> found.loss < found.best_loss
    True
    >>> print(found.headline)
    the mixture lost 0.1744 a round, the best forecaster (fog) 0.2108
    """
    roles = ColumnRoles(time=time, group=group, horizon=horizon, known_at=known_at)
    table = as_table(forecasts, y, names=names, levels=levels, **roles)
    score = as_score(loss, table.levels)
    with table.located():
        table = checked(table, score)
        if isinstance(by, str):
            by = named_learner(by, table.rounds, len(table.names), switches)
        keys, by_level = _keys(table, separate)
        make = partial(
            Mixture,
            table.names,
            by=by,
            slopes=slopes,
            recalibrate=recalibrate,
            outcomes=table.values.shape[2] if table.values.ndim == 3 else 0,
        )
        made = _made(dict.fromkeys(keys), by_level, score, make)
        played, part = _play(table, score, made, keys, by_level, checked_lag(lag))
        if table.missing.all():
            many = len(table.names)
            raise BadRow(0, f"all {many} forecasters are missing, in all rows")
    return Combination(
        by=by,
        score=score,
        table=table,
        forecasts=_as_given(table, played.forecasts),
        losses=_as_given(table, played.losses),
        shares=_shares(table, lag),
        weight_path=played.weight_path,
        weight_rounds=played.weight_rounds,
        weight_part=part,
        parts=made,
        lag=table.longest_lag(lag),
        switches=switches,
    )


def checked_lag(lag: int) -> int:
    """The lag, if it is a number of rounds."""
    if isinstance(lag, bool) or int(lag) != lag or lag < 1:
        raise ValueError(f"lag={lag!r} must be a number of rounds, 1 or more")
    return int(lag)


def _keys(
    table: Table, separate: str | Sequence[str]
) -> tuple[list[Key], Floats | None]:
    """For every row, the key of its weights; and the levels that have weights each."""
    wanted = [separate] if isinstance(separate, str) else list(separate)
    for name in wanted:
        if name not in (*SEPARATE, "quantile"):
            raise ValueError(
                f"separate={name!r} is not one of group, horizon, quantile"
            )
        if name == "quantile" and table.levels is None:
            raise ValueError("separate='quantile' needs quantiles")
        if name in SEPARATE and getattr(table, SEPARATE[name]) is None:
            raise ValueError(f"separate={name!r} needs a column: {name}=, --{name}")
    columns = [getattr(table, SEPARATE[name]) for name in wanted if name in SEPARATE]
    rows = len(table.y)
    keys = list(zip(*columns, strict=True)) if columns else [()] * rows
    return keys, table.levels if "quantile" in wanted else None


def _made(
    keys: Iterable[Key], levels: Floats | None, score: Score, make: partial[Mixture]
) -> dict[Key, Mixture]:
    """The mixtures, one a key, or one for each of the levels and keys."""
    if levels is None:
        return {key: make(score=score) for key in keys}
    return {
        (*key, level): make(score=Pinball(level), outcomes=0)
        for key in keys
        for level in levels.tolist()
    }


def _play(
    table: Table,
    score: Score,
    made: dict[Key, Mixture],
    keys: list[Key],
    by_level: Floats | None,
    lag: int,
) -> tuple[MixedRows, Key]:
    """Play every mixture on its own rows, and put them together.

    The weights on the way are those of one mixture, whose key is the second result.
    """
    every_row = np.arange(len(table.y))
    several = table.values.shape[2:]
    forecasts = np.full((len(table.y), *several), np.nan)
    losses = np.full(len(table.y), np.nan)
    path: tuple[Floats, Longs] | None = None
    part: Key = ()
    for key in dict.fromkeys(keys):
        inside = np.array([each == key for each in keys]) if key else slice(None)
        rows, schedule = table.schedule(lag, every_row[inside])
        y, values = table.y[rows], table.values[rows]
        try:
            if by_level is not None:
                parts = [made[(*key, level)] for level in by_level.tolist()]
                runs = [
                    p.play(values[:, :, j], y, schedule) for j, p in enumerate(parts)
                ]
                mixed = np.sort(np.stack([run.forecasts for run in runs], 1), axis=1)
                lost = losses_of(score, mixed[:, None], y)[:, 0]
                middle = len(runs) // 2
                played = runs[middle]._replace(forecasts=mixed, losses=lost)
                mine = (*key, float(by_level[middle]))
            else:
                played = made[key].play(values, y, schedule)
                mine = key
        except BadRow as error:
            raise BadRow(int(rows[error.row]), error.problem) from None
        forecasts[rows], losses[rows] = played.forecasts, played.losses
        if path is None:
            path = played.weight_path, table.round_of[rows[played.weight_rounds]]
            part = mine
    assert path is not None  # there is a row
    return MixedRows(forecasts, losses, *path), part


def _shares(table: Table, lag: int) -> Floats:
    """One over how many rows are learned together with each row."""
    rows, schedule = table.schedule(lag, np.arange(len(table.y)))
    judged = ~np.isnan(table.y[rows]) & ~table.missing[rows].all(axis=1)
    many = np.add.reduceat(judged, schedule.starts[:-1])
    shares = np.empty(len(rows))
    shares[rows] = np.repeat(1.0 / np.maximum(many, 1), np.diff(schedule.starts))
    return shares


def _as_given(table: Table, values: Floats) -> Floats:
    """Values in the order in which the rows were handed over."""
    out = np.empty_like(values)
    out[table.rows] = values
    return out
