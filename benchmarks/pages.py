"""``python -m benchmarks.pages``: reports and charts, in bytes and in CPU seconds.

A run of 20,000 rows is written as a page, then its main chart in every form. Nothing
here starts a browser.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.parts.text_tables import table_lines
from regretless.report import facts, write


def main() -> None:
    """Take the figures and print them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 10))
    y = np.sign(X[:, 0] + 0.5 * rng.normal(size=20_000))
    run = rg.play(rg.Perceptron(), X, y)
    found, gathered = taken(lambda: facts(run, data="noise"))
    rows = [("what a report says (facts)", "", f"{gathered:.2f}")]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "run.html")
        _, first = taken(lambda: write(found, page))
        _, again = taken(lambda: write(found, page))
        size = f"{page.stat().st_size / 1e3:,.0f} kB"
        rows += [("the page, first", size, f"{first:.2f}")]
        rows += [("the page, again", size, f"{again:.2f}")]
        figure = run.plot()
        for ending in ("html", "svg", "png", "pdf"):
            chart = Path(folder, f"chart.{ending}")
            _, spent = taken(lambda path=chart: figure.save(path))
            size = f"{chart.stat().st_size / 1e3:,.0f} kB"
            rows.append((f"one chart, .{ending}", size, f"{spent:.2f}"))
    print("\n".join(table_lines(("", "size", "CPU s"), rows)))


def taken(work: Callable[[], Any]) -> tuple[Any, float]:
    """What came out, and the CPU seconds it took."""
    began = time.process_time()
    return work(), time.process_time() - began


if __name__ == "__main__":
    main()
