"""``python -m benchmarks.clicks --data FOLDER``: hashed features beside Vowpal Wabbit.

A pass over ``first.vw`` of a folder, one line of Vowpal Wabbit text a row, and a model
saved: the processor's seconds and the most memory, of ``regretless train`` and of
``vw``, with as many columns (``-b``), in turn; the best of some takes. FOLDER holds a
click log, such as 400,000 rows with some 100,000 different features.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from .classes_memory import measured

OURS = "-m regretless train {rows} -b {bits} -o {model}"
THEIRS = "-m vowpalwabbit -d {rows} -b {bits} -f {model} --no_stdin --quiet"
LOGISTIC = "--loss_function logistic"
BARS = {18: (5.0, 5.0), 22: (5.0, 6.0)}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clicks")
    parser.add_argument("--data", type=Path, required=True, help="the folder")
    parser.add_argument("--runs", type=int, default=3, help="takes, of which the best")
    parser.add_argument("--options", default="", help="more, for train")
    given = parser.parse_args()
    rows = given.data / "first.vw"
    print("| -b | what | train | vw | ratio | bar |")
    print("|---|---|---|---|---|---|")
    for bits, bars in BARS.items():
        commands = (f"{OURS} {given.options}", f"{THEIRS} {LOGISTIC}")
        ours, theirs = (best(command, rows, bits, given.runs) for command in commands)
        for what, unit, k in (("memory", 1e6, 1), ("processor", 1.0, 0)):
            shown = " MB" if unit > 1.0 else " s"
            digits = ".0f" if unit > 1.0 else ".2f"
            cells = [f"{each[k] / unit:{digits}}{shown}" for each in (ours, theirs)]
            ratio, bar = ours[k] / theirs[k], bars[1 - k]
            cells += [f"{ratio:.1f}x", f"<= {bar:g}x"]
            print(f"| {bits} | {what} | {' | '.join(cells)} |", flush=True)


def best(command: str, rows: Path, bits: int, runs: int) -> tuple[float, float]:
    """The least seconds of the processor, and the least memory."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        words = command.format(rows=rows, bits=bits, model=model).split()
        takes = [measured([sys.executable, *words]) for _ in range(runs)]
    return min(take[1] for take in takes), min(take[2] for take in takes)


if __name__ == "__main__":
    main()
