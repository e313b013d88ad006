"""The options that ``compare`` and ``combine`` share, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Chart", "Forecasters", "Forecasts", "Loss", "Outcomes", "Time", "Truth"]

Forecasts = Annotated[
    Path,
    typer.Argument(help="CSV (also .gz) or Parquet, wide or long; or -."),
]
Truth = Annotated[str, typer.Option(help="The column with what happened.")]
Time = Annotated[
    str | None, typer.Option(help="The column with the time, if not time or date.")
]
Forecasters = Annotated[
    str | None, typer.Option(help="Columns of a wide table: ann,bob. Default: all.")
]
Outcomes = Annotated[
    str | None,
    typer.Option(help="Several outcomes, in order: H,D,A for columns ann_H, ..."),
]
Loss = Annotated[
    str,
    typer.Option(
        help="brier, log, log:CLIP, spherical; absolute, squared, pinball:QUANTILE."
    ),
]
Chart = Annotated[Path | None, typer.Option(help="Write a chart to this HTML file.")]
