"""``python -m benchmarks.start``: short commands as whole processes, by `import numpy`.

Fifty rows, everything cached, in turn with ``python -c "import numpy"``, best of five;
an otherwise idle machine is assumed. CPU seconds are printed beside the time.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

__all__ = ["main"]

REGRETLESS = (sys.executable, "-m", "regretless")
NUMPY = (sys.executable, "-c", "import numpy")
COMMANDS = {
    "train, Perceptron, -o": (3.5, "train a.svm -l perceptron -o m.rgl"),
    "train, the default, -o": (3.5, "train a.svm -o p.rgl"),
    "train a table, -o": (3.5, "train a.csv -l perceptron -o t.rgl"),
    "predict": (3.0, "predict m.rgl a.svm"),
    "predict, the default": (3.0, "predict p.rgl a.svm"),
    "inspect": (3.0, "inspect m.rgl"),
    "--help": (3.0, "--help"),
    "train --help": (3.0, "train --help"),
}
"""What, and how many times the import of numpy it may take."""


class Took(NamedTuple):
    """Seconds of a process."""

    wall: float
    cpu: float


def main() -> int:
    """Take the figures and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start")
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print(f"{'50 rows':<26} {'ours':>7} {'numpy':>7} {'ratio':>6} {'bar':>5}  ", end="")
    print(f"{'CPU':>7} {'numpy':>7} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        write_rows(Path(folder, "a.svm"))
        write_table(Path(folder, "a.csv"))
        for what, (bar, command) in COMMANDS.items():
            ours, numpy = in_turn((*REGRETLESS, *command.split()), folder, repeats)
            ratio = ours.wall / numpy.wall
            verdict = "met" if ratio <= bar else "missed"
            print(
                f"{what:<26} {ours.wall * 1e3:>4.0f} ms {numpy.wall * 1e3:>4.0f} ms "
                f"{ratio:>5.2f}x {bar:>4}x  {ours.cpu * 1e3:>4.0f} ms "
                f"{numpy.cpu * 1e3:>4.0f} ms {ours.cpu / numpy.cpu:>5.2f}x  {verdict}"
            )
    return 0


def write_rows(path: Path) -> None:
    """Fifty rows of LIBSVM text."""
    dice = random.Random(1)
    lines: list[str] = []
    for _ in range(50):
        columns = sorted(dice.sample(range(1, 40), 6))
        entries = " ".join(f"{j}:{dice.random():.3f}" for j in columns)
        lines.append(f"{dice.choice('+-')}1 {entries}\n")
    path.write_text("".join(lines))


def write_table(path: Path) -> None:
    """Fifty rows of numbers and words, as CSV."""
    dice = random.Random(1)
    lines = [
        f"{dice.randint(0, 1)},{dice.random():.3f},{dice.choice(['red', 'blue'])}\n"
        for _ in range(50)
    ]
    path.write_text("".join(["label,size,color\n", *lines]))


def in_turn(command: tuple[str, ...], folder: str, repeats: int) -> tuple[Took, Took]:
    """The best of each, after one run of each that is not counted."""
    pairs = [(took(command, folder), took(NUMPY, folder)) for _ in range(repeats + 1)]
    ours, numpy = zip(*pairs[1:], strict=True)
    return best(ours), best(numpy)


def best(times: tuple[Took, ...]) -> Took:
    return Took(min(one.wall for one in times), min(one.cpu for one in times))


def took(command: tuple[str, ...], folder: str) -> Took:
    """A process from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(
        command,
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(wall, cpu)


if __name__ == "__main__":
    sys.exit(main())
