"""``python -m benchmarks.threads``: several threads on one learner, and its price.

Every kind of learner is taught by four threads at once, each run in a process of its
own: a run that crashes, or that counts an event too many or too few, is counted as bad.
Then the price of the lock where nobody else wants it: ``learn_one`` as it is against
the same code without the two lines that take the lock and give it back.
"""

from __future__ import annotations

import argparse
import inspect
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import regretless as rg
from regretless.algorithms.learners import live_game as live

from .data import fixed_schema
from .timing import alternate

TESTS = str(Path(__file__).parents[1] / "tests" / "support")
THREADS = 4
EVENTS = 100_000
FEWER = 10  # kernel machines take so many times fewer events
BAR = 0.2  # microseconds


def main() -> int:
    """Run what is asked for; 1 if anything was lost, or a bar was missed."""
    arguments = command_line()
    if arguments.game:
        return play(arguments.game, arguments.events)
    bad = 0
    for name in names() if arguments.runs else ():
        began, lost = time.perf_counter(), 0
        for _ in range(arguments.runs):
            command = [sys.executable, "-m", "benchmarks.threads", "--game", name]
            ended = subprocess.run(
                [*command, "--events", str(arguments.events)], check=False
            )
            lost += ended.returncode != 0
        seconds = (time.perf_counter() - began) / arguments.runs
        print(f"{name}: {arguments.runs} runs, {lost} bad, {seconds:.1f} s each")
        bad += lost
    cost = uncontended()
    print(f"the lock costs {cost:.3f} us of learn_one uncontended (bar {BAR} us)")
    return int(bad > 0 or cost > BAR)


def command_line() -> argparse.Namespace:
    """What to run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads")
    parser.add_argument("--runs", type=int, default=20, metavar="N")
    parser.add_argument("--events", type=int, default=EVENTS, metavar="N")
    parser.add_argument("--game", metavar="NAME", help="one run, in this process")
    return parser.parse_args()


def names() -> list[str]:
    """Every kind of learner, as the tests have them."""
    return list(_games())


def play(name: str, events: int) -> int:
    """Teach one learner by all threads; 0 if every event was counted once."""
    game: Any = _games()[name]
    learner = game.make()
    events = events // FEWER if isinstance(learner, rg.KernelPerceptron) else events
    game.teach(learner, 0)  # compiled before the others come

    def teach(first: int) -> None:
        for i in range(first, first + events):
            game.teach(learner, i)

    threads = [
        threading.Thread(target=teach, args=(k * events,)) for k in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counted = learner.ledger.rounds
    if counted != THREADS * events + 1:
        print(f"{name}: {counted:,} of {THREADS * events + 1:,} events counted")
    return int(counted != THREADS * events + 1)


def uncontended(n: int = 1_000) -> float:
    """Microseconds that the lock adds to ``learn_one`` in a single thread.

    Few events and many repeats: the best of them nobody has interrupted.
    """
    events = fixed_schema(n, 10)
    locked = live.Live.learn
    source = textwrap.dedent(inspect.getsource(locked))
    for line in ("self.lock.acquire()", "self.lock.release()"):
        if line not in source:
            raise ValueError(f"learn_one no longer has the line {line}")
        source = source.replace(line, "pass")
    space = dict(vars(live))
    exec(source, space)
    learner = rg.Perceptron()

    def taught(learn: Any) -> float:
        live.Live.learn = learn
        began = time.process_time()
        for x, y in events:
            learner.learn_one(x, y)
        return time.process_time() - began

    try:
        with_lock, without = alternate(
            lambda: taught(locked), lambda: taught(space["learn"]), repeats=400
        )
    finally:
        live.Live.learn = locked
    return (with_lock - without) / n * 1e6


def _games() -> Any:
    if TESTS not in sys.path:
        sys.path.append(TESTS)
    from live_games import games

    return games()


if __name__ == "__main__":
    sys.exit(main())
