"""``python -m benchmarks.sequences [--sequences N]``: any calls in any order.

Learners of every kind learn, are asked, refuse, are saved, loaded, copied and pickled,
in sequences that hypothesis chooses. All of them must stay equal to a twin that only
learned, in all that can be seen and all that is saved.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path += [
    str(Path(__file__).parents[1] / "tests" / "support"),
    str(Path(__file__).parents[1] / "tests"),
]

import live_games
import sequences


def main() -> int:
    """Play sequences of every kind; the first that fails is a traceback."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sequences")
    parser.add_argument("--sequences", type=int, default=10_000, metavar="N")
    parser.add_argument("learners", nargs="*", metavar="LEARNER")
    arguments = parser.parse_args()
    games = live_games.games() | live_games.covered()
    names = arguments.learners or list(games)
    each, began = -(-arguments.sequences // len(names)), time.perf_counter()
    for name in names:
        sequences.play(games[name], each)
        print(f"{name}: {each:,} sequences", flush=True)
    print(
        f"{each * len(names):,} sequences of calls of {len(names)} kinds of learners, "
        f"all equal, in {time.perf_counter() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
