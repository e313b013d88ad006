"""``python -m benchmarks.flips [--inputs N]``: converted files, damaged.

Bits are flipped at random, anywhere or in the first or the last page of a file. Every
file is then read as a learner would read it: the rows must be the same to the last bit,
or the file be refused in one line. Blocks of files are tried in
processes of their own, so a crash is counted and the rest goes on.

Then what the checksums cost: seconds to learn from such a file with them and without.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from .files import libsvm
from .timing import alternate

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))

import file_forms
import flips

BLOCK = 500
BAR = 0.05


def main() -> int:
    """Damage files until the inputs are used up, then take the time."""
    arguments = command_line()
    if arguments.block is not None:
        return block(arguments.block, arguments.inputs)
    counts: collections.Counter[str] = collections.Counter()
    for k in range(0, arguments.inputs, BLOCK):
        n = str(min(BLOCK, arguments.inputs - k))
        command = [sys.executable, "-m", "benchmarks.flips", "--inputs", n]
        ended = subprocess.run(
            [*command, "--block", str(k)], capture_output=True, text=True, check=False
        )
        if ended.returncode != 0:
            counts["crashed or differed"] += 1
            print(f"block {k}:\n{ended.stderr[-2000:]}", file=sys.stderr)
        for line in ended.stdout.splitlines():
            what, _, count = line.rpartition(" ")
            counts[what] += int(count)
    for what, count in sorted(counts.items()):
        print(f"{what}: {count:,}")
    bad = counts["crashed or differed"]
    print(f"{arguments.inputs:,} damaged files, {bad} blocks crashed or differed")
    cost = 0.0 if arguments.fast else checksums()
    return int(bad > 0 or cost > BAR)


def command_line() -> argparse.Namespace:
    """What to try."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.flips")
    parser.add_argument("--inputs", type=int, default=10_000, metavar="N")
    parser.add_argument("--fast", action="store_true", help="take no times")
    parser.add_argument("--block", type=int, metavar="K", help="in this process")
    return parser.parse_args()


def block(seed: int, n: int) -> int:
    """Some damaged files; AssertionError where somebody was fooled."""
    dice = random.Random(seed)
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="regretless-flips-") as name:
        table = file_forms.table(np.random.default_rng(seed), rows=200)
        targets = [
            flips.Target(path, how) for path, how in flips.files(Path(name), table)
        ]
        for _ in range(n):
            target = dice.choice(targets)
            data = target.damaged(dice)
            counts[target.check(data)] += 1
    for what, count in counts.items():
        print(what, count)
    return 0


def checksums() -> float:
    """The portion of time that checksums add to training from a converted file.

    The same process without them: every record batch has the one that it should.
    """
    rows = f"{libsvm()}.arrow"
    _run(f"from regretless.cli import main\nmain({['convert', str(libsvm()), rows]!r})")
    arguments = ["train", rows, "--learner", "perceptron"]
    train = f"from regretless.cli import main\nmain({arguments!r})"
    off = (
        "from regretless.data import arrow_rows\n"
        "same = type('Same', (str,), {'__ne__': lambda a, b: False})\n"
        "arrow_rows.checksum = lambda batch: same()\n"
    )
    found: dict[str, tuple[float, float]] = {}
    for what, clock in {"wall": wall, "CPU": processor}.items():
        found[what] = alternate(partial(clock, train), partial(clock, off + train))
        print(
            f"from a converted file, {what}: {found[what][0]:.3f} s, without checksums "
            f"{found[what][1]:.3f} s, {found[what][0] / found[what][1] - 1.0:+.1%}"
        )
    return found["CPU"][0] / found["CPU"][1] - 1.0


def wall(code: str) -> float:
    """Seconds of a clock that a new process takes."""
    began = time.perf_counter()
    _run(code)
    return time.perf_counter() - began


def processor(code: str) -> float:
    """Seconds of all processors that it takes."""
    before = os.times()
    _run(code)
    after = os.times()
    spent = after.children_user + after.children_system
    return spent - before.children_user - before.children_system


def _run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
