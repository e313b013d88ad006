"""``python -m benchmarks.interrupts [--interrupts N] [LEARNER ...]``: broken-off calls.

A timer sends a signal, at a random moment of ``learn_one``, ``predict_one`` or
``save``, and its handler raises. After each, the learner must be what it was after some
of its events, to the bit, go on from there, and let other threads in; a file is the old
one or the new one. Every kind of learner has a process of its own, with Python's
debugging allocator, so that a crash is seen.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path += [
    str(Path(__file__).parents[1] / "tests" / "support"),
    str(Path(__file__).parents[1] / "tests"),
]

import interrupts
import live_games


def main() -> int:
    """Attack every kind; 1 if one of them is not what it should be."""
    arguments = parse()
    games = live_games.games() | live_games.covered()
    names = arguments.learners or list(games)
    if arguments.alone:
        return attack(games[names[0]], arguments)
    each = -(-arguments.interrupts // len(names))
    bad, began = 0, time.perf_counter()
    for name in names:
        options = ["--interrupts", str(each), "--seed", str(arguments.seed)]
        options += ["--points"] * arguments.points
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.interrupts", "--alone", *options, name],
            env=os.environ | {"PYTHONMALLOC": "debug"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            bad += 1
            print(f"{name}: ended with {done.returncode}\n{done.stderr}", flush=True)
        else:
            print(f"{name}: {each:,} interrupts", flush=True)
    print(
        f"{each * len(names):,} interrupts of {len(names)} kinds of learners in "
        f"{time.perf_counter() - began:.0f} s: {bad} kinds crashed, or were not what "
        "they were after some of their events"
    )
    return int(bad > 0)


def attack(game: live_games.LiveGame, arguments: argparse.Namespace) -> int:
    """Attack one kind, in this process."""
    faulthandler.enable()
    kind = interrupts.Point if arguments.points else interrupts.Timer
    with tempfile.TemporaryDirectory() as folder:
        dice = random.Random(arguments.seed)
        interrupts.attack(game, kind(dice), arguments.interrupts, Path(folder))
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.interrupts")
    parser.add_argument("learners", nargs="*", metavar="LEARNER")
    parser.add_argument("--interrupts", type=int, default=100_000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument(
        "--points", action="store_true", help="places in the code, not moments"
    )
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
