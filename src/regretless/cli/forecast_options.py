"""The options that the commands about forecasts share, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ..declared import Argument, Option

Forecasts = Annotated[
    list[Path],
    Argument(text="Tables, wide or long: CSV, JSON lines, Parquet, ...; or -."),
]
Truth = Annotated[
    str, Option(text="The column with what happened; empty: not known yet.")
]
Time = Annotated[
    str | None, Option(text="The column with the time, if not time or date.")
]
Group = Annotated[
    str | None, Option(text="The column with the place, if not station, ...")
]
Horizon = Annotated[
    str | None, Option(text="The column with how many rounds ahead a row looks.")
]
KnownAt = Annotated[
    str | None, Option(text="The column with when an outcome was known.")
]
DateFirst = Annotated[
    str | None, Option(text="What comes first in 1/2/2024: day or month.")
]
Lag = Annotated[
    int,
    Option(text="Outcomes are known so many rounds after the forecast.", least=1),
]
Forecasters = Annotated[
    str | None, Option(text="Columns of a wide table: ann,bob. Default: all.")
]
Outcomes = Annotated[
    str | None,
    Option(text="Several outcomes, in order: H,D,A for columns ann_H, ..."),
]
Odds = Annotated[
    bool, Option("--odds", text="Columns hold decimal odds, not probabilities.")
]
Loss = Annotated[
    str,
    Option(
        text="brier, log, log:CLIP, spherical; absolute, squared, pinball:QUANTILE; "
        "for quantiles wis, crps, pinball."
    ),
]
Chart = Annotated[Path | None, Option(text="A chart: .html, .svg, .png or .pdf.")]
