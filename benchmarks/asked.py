"""A saved model that is asked one row at a time, beside VW's Python and the learner.

``python -m benchmarks.asked [--features 1000000] [--fields 25] [--seconds 5]
[--json FILE]``. Rows have so many fields, all names come, and the panel that learned
them is saved and loaded. Rows are asked in turn by all, each of them the best of
several rounds; VW (the extra ``bench``) has the same rows as lines of text, -b 24. Rows
of words are read by the schema, those of numbers by the kernel of events. Then the time
for which others wait while the learner is saved, and that of all of ``save``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.algorithms import saved_learners

__all__ = ["main"]

ASKED = 400  # rows
MOST_US, MOST_RATIO = 30.0, 1.2  # predict_one; and over VW's predict(line)


def main() -> int:
    """Measure, and print a table."""
    asked = command_line()
    found: dict[str, float] = {}
    for kind in ("numbers", "words"):
        found |= measured(kind, asked.features, asked.fields, asked.seconds)
    for name, value in found.items():
        print(f"{name:44} {value:12,.2f}")
    print(f"bars: predict_one {MOST_US} us, {MOST_RATIO} times VW's predict(line)")
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=1))
    return 0


def rows_of(kind: str, features: int, fields: int) -> Iterator[dict[str, Any]]:
    """Rows in which every name comes."""
    order = np.random.default_rng(0).permutation(features)
    for some in order[: features - features % fields].reshape(-1, fields).tolist():
        if kind == "numbers":
            yield {f"f{j}": 1.0 for j in some}
        else:
            yield {f"c{k}": f"v{j}" for k, j in enumerate(some)}


def vw_line(x: dict[str, Any]) -> str:
    """The row as VW reads it."""
    return "| " + " ".join(
        name if value == 1.0 else f"{name}={value}" for name, value in x.items()
    )


def measured(kind: str, features: int, fields: int, seconds: float) -> dict[str, float]:
    """Microseconds of one row, by who is asked."""
    rows = list(rows_of(kind, features, fields))
    y = np.random.default_rng(1).integers(0, 2, len(rows)).tolist()
    with tempfile.TemporaryDirectory() as folder:
        run = rg.play(rg.Panel(), list(zip(rows, y, strict=True)))
        run.model("last").save(Path(folder) / "m.rgl")
        model = rg.load(Path(folder) / "m.rgl")
        learner = run.learner
        rng = np.random.default_rng(2)
        some = [rows[i] for i in rng.permutation(len(rows))[:ASKED]]
        waits = saving(learner, Path(folder) / "live.rgl")
    lines = [vw_line(x) for x in some]
    who: dict[str, Callable[[], object]] = {
        "predict_one": lambda: [*map(model.predict_one, some)],
        "predict_proba_one": lambda: [*map(model.predict_proba_one, some)],
        "the learner's predict_one": lambda: [*map(learner.predict_one, some)],
        "predict, a list of dicts": lambda: model.predict(some),
        "explain_one": lambda: [*map(model.explain_one, some[:40])] * 10,
    }
    vw = workspace([vw_line(x) for x in rows], y)
    if vw is not None:
        who["VW's predict(line)"] = lambda: [*map(vw.predict, lines)]
    best = in_turn(who, seconds)
    us = {name: 1e6 * best[name] / ASKED for name in who}
    us["explain_one"] *= 10.0
    found = {f"{kind}: {name}, us": value for name, value in us.items()}
    if vw is not None:
        ratio = us["predict_one"] / us["VW's predict(line)"]
        found[f"{kind}: predict_one over VW's"] = ratio
    return found | {f"{kind}: {name}, ms": 1e3 * each for name, each in waits.items()}


def in_turn(who: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """The least CPU time of each, in rounds in which all have a turn."""
    best = dict.fromkeys(who, float("inf"))
    end = time.monotonic() + seconds * len(who)
    while time.monotonic() < end or float("inf") in best.values():
        for name, ask in who.items():
            began = time.process_time()
            ask()
            best[name] = min(best[name], time.process_time() - began)
    return best


def saving(learner: Any, path: Path) -> dict[str, float]:
    """How long save takes, and for how long of it others wait."""
    learner.predict_one({})
    write, copied = saved_learners.write_file, 0.0

    def timed(*arguments: Any) -> None:
        nonlocal copied
        copied = time.perf_counter()
        write(*arguments)

    saved_learners.write_file = timed
    began = time.perf_counter()
    learner.save(path)
    taken = time.perf_counter() - began
    saved_learners.write_file = write
    return {"save": taken, "of which others wait": copied - began}


def workspace(lines: list[str], y: list[int]) -> Any:
    """VW after one pass over the lines; None where it is not installed."""
    try:
        from vowpalwabbit import Workspace
    except ImportError:
        print("vowpalwabbit is not installed: pip install .[bench]", file=sys.stderr)
        return None
    vw = Workspace("-b 24 --loss_function logistic --quiet")
    for line, label in zip(lines, y, strict=True):
        vw.learn(f"{2 * label - 1} {line}")
    return vw


def command_line() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.asked")
    parser.add_argument("--features", type=int, default=1_000_000)
    parser.add_argument("--fields", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--json")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
