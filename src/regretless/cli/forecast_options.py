"""The options that the commands about forecasts share, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "Chart",
    "DateFirst",
    "Forecasters",
    "Forecasts",
    "Group",
    "Horizon",
    "KnownAt",
    "Lag",
    "Loss",
    "Odds",
    "Outcomes",
    "Time",
    "Truth",
]

Forecasts = Annotated[
    Path,
    typer.Argument(help="CSV (also .gz) or Parquet, wide or long; or -."),
]
Truth = Annotated[
    str, typer.Option(help="The column with what happened; empty: not known yet.")
]
Time = Annotated[
    str | None, typer.Option(help="The column with the time, if not time or date.")
]
Group = Annotated[
    str | None, typer.Option(help="The column with the place, if not station, ...")
]
Horizon = Annotated[
    str | None, typer.Option(help="The column with how many rounds ahead a row looks.")
]
KnownAt = Annotated[
    str | None, typer.Option(help="The column with when an outcome was known.")
]
DateFirst = Annotated[
    str | None, typer.Option(help="What comes first in 1/2/2024: day or month.")
]
Lag = Annotated[
    int,
    typer.Option(help="Outcomes are known so many rounds after the forecast.", min=1),
]
Forecasters = Annotated[
    str | None, typer.Option(help="Columns of a wide table: ann,bob. Default: all.")
]
Outcomes = Annotated[
    str | None,
    typer.Option(help="Several outcomes, in order: H,D,A for columns ann_H, ..."),
]
Odds = Annotated[
    bool, typer.Option("--odds", help="Columns hold decimal odds, not probabilities.")
]
Loss = Annotated[
    str,
    typer.Option(
        help="brier, log, log:CLIP, spherical; absolute, squared, pinball:QUANTILE; "
        "for quantiles wis, crps, pinball."
    ),
]
Chart = Annotated[Path | None, typer.Option(help="Write a chart to this HTML file.")]
