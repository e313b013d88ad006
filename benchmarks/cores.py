"""``python -m benchmarks.cores [--runs N] [--rows N]``: panels on one core and on two.

Rows in memory, played by one thread and by two in turn, the best of N runs of each; and
a LIBSVM file, read and learned by ``rg.play``. The results are the same to the bit,
which ``tests/engine/test_several_cores.py`` checks. The load of the machine is printed:
where others want both cores, two threads cannot be faster than one. How long each of
the two computes depends less on that: the ratio is at best one / the longer of them.
"""

# scikit-learn has no types.
# pyright: reportUnknownVariableType=false, reportMissingTypeStubs=false

from __future__ import annotations

import argparse
import gc
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import dump_svmlight_file

import regretless as rg
from regretless.parts.rows import Dense, Sparse

from .data import text_like

__all__ = ["main"]

Case = tuple[str, Any, Any, int, Any]
Taken = tuple[float, float, float]  # on the clock, computed here, computed elsewhere


def main() -> None:
    """Print a table: microseconds a row on one core, on two, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="of each; the best counts")
    parser.add_argument("--rows", type=int, default=20_000)
    given = parser.parse_args()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("| what | one thread | two | ratio | computed by each of two | at best |")
    print("|---|---|---|---|---|---|")
    for what, learner, rows, width, y in cases(given.rows):
        seconds = partial(play, learner, rows, width, y)
        show(what, seconds, y.size, given.runs)
    X, y = text_like()
    n = given.rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.svm"
        dump_svmlight_file(csr_array(X[:n]), y[:n], str(path), zero_based=False)
        show("text, from a file", partial(play_file, path), n, given.runs)


def cases(n: int) -> list[Case]:
    """Names, learners, rows, their width, labels."""
    rng = np.random.default_rng(0)
    X, y = text_like()
    text = Sparse(X.indptr.astype(np.int64)[: n + 1], X.indices, X.data)
    narrow = rng.normal(size=(n, 20))
    noise = 0.5 * rng.normal(size=n)
    amounts = narrow[:, 0] + np.abs(narrow[:, 1]) + noise
    table = Dense(narrow.reshape(-1), 20)
    classes = np.digitize(amounts, np.linspace(-1.0, 2.5, 9)).astype(float)
    signs = np.where(amounts > 0.8, 1.0, -1.0)
    some = n // 5
    fewer = Dense(narrow[:some].reshape(-1), 20)
    short = Sparse(text.starts[: some + 1], text.columns, text.values)
    many = rg.OneVersusRest(rg.Panel())
    return [
        ("text: 72 of 47,000 columns", rg.Panel(), text, X.shape[1], y[:n] * 1.0),
        ("20 columns", rg.Panel(), table, 20, signs),
        ("20 columns, forest=False", rg.Panel(forest=False), table, 20, signs),
        ("20 columns, 10 classes", many, fewer, 20, classes[:some]),
        ("text, 10 classes", many, short, X.shape[1], classes[:some]),
        ("20 columns, amounts", rg.RegressionPanel(), fewer, 20, amounts[:some]),
        ("text, amounts", rg.RegressionPanel(), short, X.shape[1], amounts[:some]),
    ]


def play(learner: Any, rows: Any, width: int, y: Any, threads: int) -> Taken:
    """Seconds of one game in memory."""
    player = learner.player(width)
    player.threads = threads
    return taken(lambda: player.play(rows, y))


def play_file(path: Path, threads: int) -> Taken:
    """Seconds to read a file and learn it."""
    options = rg.ReadOptions(threads=threads)
    return taken(lambda: rg.play(rg.Panel(), path, options=options))


def taken(work: Callable[[], Any]) -> Taken:
    """Seconds that `work` takes, and that this thread and others compute for it."""
    gc.collect()
    gc.disable()
    try:
        clocks = (time.perf_counter, time.thread_time, time.process_time)
        began = [clock() for clock in clocks]
        work()
        spent, here, all_of_it = (
            clock() - then for clock, then in zip(clocks, began, strict=True)
        )
        return spent, here, all_of_it - here
    finally:
        gc.enable()


def show(what: str, seconds: Callable[[int], Taken], rows: int, runs: int) -> None:
    """Print one line; the two are played in turn, after one run of each to warm up."""
    games = [(seconds(2), seconds(1)) for _ in range(runs + 1)][1:]
    (two, behind, ahead), (one, alone, _) = 1e6 * np.min(games, axis=0) / rows
    computed = f"{ahead:.2f} + {behind:.2f} us"
    best = f"{alone / max(ahead, behind):.2f}x"
    walls = f"{one:.2f} us | {two:.2f} us | {one / two:.2f}x"
    print(f"| {what} | {walls} | {computed} | {best} |", flush=True)


if __name__ == "__main__":
    main()
