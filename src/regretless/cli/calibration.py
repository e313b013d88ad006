"""``regretless calibration FORECASTS``: does 70% mean 70%, of every forecaster."""

from __future__ import annotations

from typing import Annotated

from ..declared import Option
from . import forecast_options as f
from . import options as o
from .console import print_json, write_out
from .output_file import check_outputs
from .usage import UsageError


def calibration(
    forecasts: f.Forecasts,
    *,
    truth: f.Truth = "truth",
    time: f.Time = None,
    group: f.Group = None,
    forecasters: f.Forecasters = None,
    bins: Annotated[int, Option(text="At most so many bins.", least=1)] = 10,
    delta: Annotated[
        float, Option(text="The probability of a false alarm, in all together.")
    ] = 0.05,
    json: o.Json = False,
    report: f.Chart = None,
) -> None:
    """Compare forecast probabilities with how often the event happened.

    Example: regretless calibration forecasts.csv --truth rain
    """
    given = dict(locals())
    from ..forecasts import calibrations
    from .forecast_tables import open_table, say_notes, write_report

    if not 0.0 < delta < 1.0:
        raise UsageError(f"--delta {delta:g}: it is between 0 and 1")
    check_outputs({"--report": report}, forecasts)
    table = open_table(given)
    found = calibrations(table, bins=bins, delta=delta)
    if json:
        print_json(found.as_dict())
    else:
        write_out(f"{found}\n")
        say_notes(table.notes)
    write_report(found, report)
