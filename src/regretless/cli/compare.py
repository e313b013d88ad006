"""``regretless compare FORECASTS``: who forecasts better, as far as can be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..declared import Option
from . import forecast_options as f
from . import options as o
from .console import print_json, write_out
from .output_file import check_outputs
from .usage import UsageError

if TYPE_CHECKING:
    from ..forecasts.tournament import Tournament

MANY = 8  # forecasters: beyond that, a line for each, not for each pair


def compare(
    forecasts: f.Forecasts,
    *,
    truth: f.Truth = "truth",
    time: f.Time = None,
    group: f.Group = None,
    horizon: f.Horizon = None,
    known_at: f.KnownAt = None,
    date_first: f.DateFirst = None,
    lag: f.Lag = 1,
    forecasters: f.Forecasters = None,
    outcomes: f.Outcomes = None,
    odds: f.Odds = False,
    loss: f.Loss = "brier",
    delta: Annotated[float, Option(text="The probability of ever being wrong.")] = 0.05,
    method: Annotated[
        str | None,
        Option(text="ranges (probabilities) or bernstein (numbers, rare events)."),
    ] = None,
    low: Annotated[
        float | None, Option(text="Least possible outcome (squared loss).")
    ] = None,
    high: Annotated[
        float | None, Option(text="Largest possible outcome (squared loss).")
    ] = None,
    unit: Annotated[str, Option(text="What a round is called.")] = "round",
    json: o.Json = False,
    report: f.Chart = None,
) -> None:
    """Tell which forecaster is better, valid after every round at once.

    Example: regretless compare forecasts.csv --truth rain
    """
    given = dict(locals())
    from ..forecasts import compare as compare_forecasts
    from ..forecasts.comparing import METHODS
    from ..forecasts.tournament import Tournament
    from .forecast_tables import as_loss, open_table, say_notes, write_report

    scoring = as_loss(loss)
    if not 0.0 < delta < 1.0:
        raise UsageError(f"--delta {delta:g}: it is between 0 and 1")
    if method is not None and method not in METHODS:
        raise UsageError(f"--method {method}: one of {', '.join(METHODS)}")
    check_outputs({"--report": report}, forecasts)
    table = open_table(given)
    found = compare_forecasts(
        table,
        delta=delta,
        loss=scoring,
        lag=lag,
        method=method,
        low=low,
        high=high,
        unit=unit,
    )
    assert isinstance(found, Tournament)
    pair = found.comparisons[0] if len(found) == 1 else None
    if json:
        print_json((pair or found).as_dict())
    else:
        _show(found)
        say_notes(found.notes)
    write_report(pair or found, report)


def _show(found: Tournament) -> None:
    from .console import show
    from .layout import TextTable, Words

    show(Words(found.verdict, "bold"), Words(""))
    caption = Words(_caption(found), "dim")
    if len(found.names) > MANY:
        for line in found.summary():
            write_out(f"{line}\n")
        show(Words(""), caption)
        return
    rows: list[tuple[str, ...]] = []
    for pair in found.comparisons:
        numbers = [f"{x:.3g}" for x in (pair.difference, *pair.interval)]
        evidence = [f"{x:.2g}" for x in (pair.e_pq, pair.e_qp)]
        rows.append((*pair.names, *numbers, *evidence, pair.better or "?"))
    rows += [(*pair, *["-"] * 5, "?") for pair in found.never]
    head = ("p", "q", "difference", "lcb", "ucb", "e_pq", "e_qp", "better")
    numeric = range(2, 7)
    show(TextTable(head, rows, right=numeric, whole=numeric), Words(""), caption)


def _caption(found: Tournament) -> str:
    one = found.comparisons[0]
    every = f"all {one.units}{' and pairs' * (len(found) > 1)}"
    return (
        f"{one.loss} loss of p less that of q, {one.rounds:,} {one.units}: its mean "
        f"lies between lcb and ucb, in {every} at once, with probability "
        f"{1.0 - found.delta:g}. e_pq is evidence that p is better."
    )
