"""``python -m benchmarks [SUITE] [--only NAME] [--data DIR] [--json FILE]``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from . import (
    batch,
    classes,
    cluster,
    engine,
    estimators,
    events,
    forecasts,
    hindsight,
    panel,
    parse,
    streams,
)
from .figures import Figure, Measured, SkippedError, as_json, table

SUITES = {
    "engine": engine.figures,
    "hindsight": hindsight.figures,
    "batch": batch.figures,
    "parse": parse.figures,
    "panel": panel.figures,
    "classes": classes.figures,
    "sklearn": estimators.figures,
    "streams": streams.figures,
    "forecasts": forecasts.figures,
    "events": events.figures,
    "cluster": cluster.figures,
}
PACKAGES = (
    "regretless",
    "numpy",
    "scipy",
    "numba",
    "scikit-learn",
    "river",
    "vowpalwabbit",
)


def main() -> int:
    """Take the figures and print them; a missed bar is a figure too, not an error."""
    arguments = command_line()
    if arguments.data:
        os.environ[forecasts.DATA] = arguments.data
    names = [arguments.suite] if arguments.suite else list(SUITES)
    wanted = [
        figure
        for name in names
        for figure in SUITES[name]()
        if arguments.only in (None, figure.name)
    ]
    if not wanted:
        known = ", ".join(figure.name for name in names for figure in SUITES[name]())
        print(f"there is no figure {arguments.only!r}: {known}", file=sys.stderr)
        return 2
    taken = [measured for figure in wanted if (measured := take(figure))]
    print(table(taken))
    if arguments.json:
        report = {"machine": machine(), "figures": as_json(taken)}
        Path(arguments.json).write_text(json.dumps(report, indent=2) + "\n")
    return 0


def command_line() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suite", nargs="?", choices=SUITES, help="all, unless given")
    parser.add_argument("--data", metavar="DIR", help="real data, for forecasts")
    parser.add_argument("--only", metavar="NAME", help="one figure")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    return parser.parse_args()


def take(figure: Figure) -> Measured | None:
    """Take a figure, telling on standard error which one it is."""
    print(f"{figure.name} ...", file=sys.stderr)
    try:
        found = figure.take()
        print("  " + "  ".join(found.cells()[1:]), file=sys.stderr)
        return found
    except SkippedError as reason:
        print(f"{figure.name}: skipped, {reason}", file=sys.stderr)
        return None


def machine() -> dict[str, Any]:
    """Where the figures were taken, without which they mean little."""
    return {
        "machine": platform.machine(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "packages": {name: version(name) for name in PACKAGES},
    }


if __name__ == "__main__":
    sys.exit(main())
