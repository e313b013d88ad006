"""``regretless combine FORECASTS``: a mixture, beside those who knew better."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from ..declared import Option
from . import forecast_options as f
from . import options as o
from .console import print_json, write_out
from .output_file import check_outputs
from .usage import UsageError

SHOWN = 15  # forecasters


def combine(
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
    by: Annotated[
        str,
        Option(
            text="auto, ml-poly, boa, safe-boa, eg, adahedge, squint, hedge or "
            "fixed-share."
        ),
    ] = "auto",
    loss: f.Loss = "brier",
    separate: Annotated[
        str | None,
        Option(text="Weights of their own by group, horizon, quantile: a,b."),
    ] = None,
    recalibrate: Annotated[
        bool, Option("--recalibrate", text="Recalibrate probabilities, online.")
    ] = False,
    switches: Annotated[
        int,
        Option(text="Changes allowed to the best sequence in hindsight.", least=0),
    ] = 10,
    output: Annotated[
        Path | None,
        Option("--output", "-o", text="Write the mixture to this CSV file."),
    ] = None,
    save: Annotated[
        Path | None, Option(text="Save the mixture, to go on with in Python.")
    ] = None,
    everybody: Annotated[
        bool, Option("--all", text="Show all forecasters, not the best ones.")
    ] = False,
    theorems: Annotated[
        bool,
        Option("--theorems", text="Show what is proved, beside what happened."),
    ] = False,
    spreadsheet_safe: o.SpreadsheetSafe = False,
    json: o.Json = False,
    report: f.Chart = None,
) -> None:
    """Mix forecasters online, and show what that was worth.

    Rows without truth are forecast too: tomorrow's row is the last one.

    Example: regretless combine forecasts.csv --truth load
    """
    given = dict(locals())
    from ..forecasts import combine as combine_forecasts
    from ..forecasts.mixture import NAMES
    from .forecast_tables import as_loss, open_table, say_notes, write_report

    scoring = as_loss(loss)
    if by not in NAMES:
        raise UsageError(f"--by {by}: one of {', '.join(NAMES)}")
    check_outputs({"--output": output, "--save": save, "--report": report}, forecasts)
    table = open_table(given)
    found = combine_forecasts(
        table,
        by=by,
        loss=scoring,
        lag=lag,
        separate=[word.strip() for word in separate.split(",")] if separate else (),
        recalibrate=recalibrate,
        switches=switches,
    )
    if output is not None:
        _write(found, output, outcomes, safe=spreadsheet_safe)
    if save is not None:
        found.save(save)
    if json:
        print_json(found.as_dict())
    else:
        _show(found, len(found.names) if everybody else SHOWN)
        say_notes(found.notes)
        if theorems:
            write_out(f"{found.theorems()}\n")
    write_report(found, report)


def _show(found: Any, most: int) -> None:
    from .console import show
    from .layout import TextTable, Words

    judged = f"{found.rows:,} {found.unit}s"
    head = (f"{found.loss_name} loss, {judged}", f"a {found.unit}", "")
    rows = [
        (who, "-" if loss is None else f"{loss:.5g}", note)
        for who, loss, note in found.standings.summary
    ]
    table = TextTable(head, rows, right={1}, whole={1})
    show(Words(found.headline, "bold"), Words(""), table, Words(""))
    for line in found.standings.forecasters(most):
        write_out(f"{line}\n")
    extra = zip(found.members, found.weights.tolist(), strict=True)
    told = [f"{name} {w:.3f}" for name, w in list(extra)[len(found.names) :]]
    if told:
        write_out(f"weights of their ensembles: {', '.join(told)}\n")


def _write(found: Any, path: Path, outcomes: str | None, *, safe: bool) -> None:
    """The mixture's forecasts, a row a row of the table."""
    from ..data.pyarrow_import import arrow
    from .table_files import table_writer

    table = found.table
    columns: dict[str, Any] = {"time": table.round_times[table.round_of]}
    for name in ("groups", "horizons"):
        if getattr(table, name) is not None:
            columns[name.removesuffix("s")] = getattr(table, name)
    mixed = found.forecasts[table.rows]
    if mixed.ndim == 1:
        columns["mixture"] = mixed
    else:
        given = [word.strip() for word in (outcomes or "").split(",")]
        levels = table.levels
        names = given if levels is None else [f"q{level:g}" for level in levels]
        for k, name in enumerate(names):
            columns[f"mixture_{name}"] = mixed[:, k]
    columns["loss"] = found.own_losses
    cells = {  # nan is an empty one
        name: arrow().array(column, from_pandas=True)
        for name, column in columns.items()
    }
    with table_writer(str(path), "csv", safe=safe) as writer:
        writer.write_batch(arrow().record_batch(cells))
