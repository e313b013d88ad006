"""``python -m benchmarks.factorization [--data FOLDER]``: what factors are worth.

Factorization machines of rank 0 and 8, with the same steps: the progressive loss of one
pass, and rows a second in the kernel, beside those of AdaGrad. The rows are 100,000
ratings of films by users, from a known truth of four factors, and the click log of
``first.vw`` in FOLDER.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.parts.text_tables import table_lines

RATINGS, USERS, FILMS, FACTORS = 100_000, 1_000, 500, 4
RUNS = 3  # of which the fastest counts


def ratings(path: Path) -> None:
    """Ratings from 1 to 5: what a user, a film and their factors say, and noise."""
    rng = np.random.default_rng(0)
    user, film = (
        (size * rng.random(RATINGS) ** 1.7).astype(int) for size in (USERS, FILMS)
    )
    liked = (
        rng.normal(size=(USERS, FACTORS))[user]
        * rng.normal(size=(FILMS, FACTORS))[film]
    )
    mean = 3.5 + 0.4 * rng.normal(size=USERS)[user] + 0.5 * rng.normal(size=FILMS)[film]
    mean += 0.7 * liked.sum(axis=1) / FACTORS**0.5
    told = np.clip(np.round(mean + 0.7 * rng.normal(size=RATINGS)), 1, 5).astype(int)
    lines = (
        f"{y} |u {a} |f {b}\n"
        for y, a, b in zip(told.tolist(), user.tolist(), film.tolist(), strict=True)
    )
    path.write_text("".join(lines))


def row(name: str, learner: Any, path: Path) -> tuple[str, ...]:
    """A line of the table."""
    runs = [rg.play(learner, str(path), models=[]) for _ in range(RUNS)]
    run = min(runs, key=lambda run: run.seconds)
    speed = f"{run.rounds / run.seconds:,.0f}"
    return name, repr(learner), f"{run.loss / run.rounds:.4f}", speed


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.factorization")
    parser.add_argument("--data", type=Path, help="the folder of a click log")
    given = parser.parse_args()
    body = list[tuple[str, ...]]()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "ratings.vw"
        ratings(made)
        sets = [("ratings", made, rg.Squared())]
        if given.data is not None:
            sets.append(("clicks", given.data / "first.vw", rg.Logistic()))
        for name, path, loss in sets:
            linear = rg.AdaGrad(loss, eta=0.2, implicit=True, bias=True)
            machines = [rg.FactorizationMachine(rank, loss) for rank in (0, 8)]
            body += [row(name, learner, path) for learner in (linear, *machines)]
    head = ("rows", "learner", "loss a round", "rows a second")
    print("\n".join(table_lines(head, body)))


if __name__ == "__main__":
    main()
