"""``regretless combine FORECASTS``: a mixture, beside those who knew better."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..storage.atomic import writing
from . import forecast_options as f
from . import options as o
from .console import print_json, write_out
from .output_file import check_output
from .usage import UsageError

__all__ = ["combine"]


def combine(
    forecasts: f.Forecasts,
    *,
    truth: f.Truth = "truth",
    time: f.Time = None,
    forecasters: f.Forecasters = None,
    outcomes: f.Outcomes = None,
    by: Annotated[
        str,
        typer.Option(help="ml-poly, boa, eg, adahedge, squint, hedge or fixed-share."),
    ] = "ml-poly",
    loss: f.Loss = "brier",
    switches: Annotated[
        int,
        typer.Option(help="Changes allowed to the best sequence in hindsight.", min=0),
    ] = 10,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the mixture to this CSV file."),
    ] = None,
    theorems: Annotated[
        bool,
        typer.Option("--theorems", help="Show what is proved, beside what happened."),
    ] = False,
    json: o.Json = False,
    report: f.Chart = None,
) -> None:
    """Mix forecasters online, and show what that was worth.

    Example: regretless combine forecasts.csv --truth load
    """
    from ..forecasts import combine as combine_forecasts
    from ..forecasts.combining import NAMES
    from .forecast_tables import as_loss, open_table, write_report

    scoring = as_loss(loss)
    if by not in NAMES:
        raise UsageError(f"--by {by}: one of {', '.join(NAMES)}")
    check_output("--output", output)
    check_output("--report", report)
    table = open_table(forecasts, truth, time, forecasters, outcomes)
    with table.located():
        found = combine_forecasts(
            table.values,
            table.y,
            by,
            scoring,
            switches=switches,
            names=table.names,
            time=table.times,
        )
    if output is not None:
        _write(found, output, outcomes)
    write_report(found, report)
    if json:
        print_json(found.as_dict())
        return
    _show(found)
    if theorems:
        write_out(f"{found.theorems()}\n")


def _show(found: Any) -> None:
    from rich.table import Table
    from rich.text import Text

    from .console import show

    show(Text(found.headline, style="bold"), Text(""))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(
        f"{found.loss_name} loss, {found.rounds:,} rounds", overflow="fold"
    )
    table.add_column("total", justify="right")
    table.add_column("a round", justify="right")
    table.add_column("")
    for who, loss, note in found.rows():
        if loss is None:
            table.add_row(who, "-", "-", note)
        else:
            table.add_row(who, f"{loss:,.6g}", f"{loss / found.heard(who):.5g}", note)
    show(table, Text(""))
    weights = sorted(zip(found.weights, found.names, strict=True), reverse=True)
    told = ", ".join(f"{name} {w:.3f}" for w, name in weights[:8] if w > 0.0)
    show(Text(f"weights now: {told}"))


def _write(found: Any, path: Path, outcomes: str | None) -> None:
    """The mixture's forecasts, a row a round."""
    import importlib

    columns: dict[str, Any] = {"time": found.times}
    if found.forecasts.ndim == 1:
        columns["mixture"] = found.forecasts
    else:
        for k, name in enumerate((outcomes or "").split(",")):
            columns[f"mixture_{name.strip()}"] = found.forecasts[:, k]
    columns["loss"] = found.losses
    arrow: Any = importlib.import_module("pyarrow")
    csv: Any = importlib.import_module("pyarrow.csv")
    with writing(path) as stream:
        csv.write_csv(arrow.table(columns), stream)
