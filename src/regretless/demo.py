"""A first look: learn a seeded, spam-like stream of messages and print the receipts.

python -m regretless.demo
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import (
    OGD,
    Constant,
    Logistic,
    NormalizedWinnow,
    Pegasos,
    Perceptron,
    Winnow,
    play,
)
from .parts.state import Floats
from .run import Run

__all__ = ["main", "messages"]

MESSAGES = 300_000
WORDS = 40
VOCABULARY = 50_000


def messages(n: int = MESSAGES, seed: int = 0) -> tuple[Any, Floats, list[str]]:
    """Make `n` messages: word presence as a sparse matrix, +1 for spam, and the words.

    Words are drawn by Zipf's law, tilted a little, word by word, in spam and the other
    way in the rest. One label in fifty is wrong.
    """
    from scipy.sparse import csr_array

    rng = np.random.default_rng(seed)
    tilt = 0.4 * rng.standard_normal(VOCABULARY)
    y = np.where(rng.random(n) < 0.4, 1.0, -1.0)
    words = np.empty((n, WORDS), np.int64)
    for label in (-1.0, 1.0):
        popularity = np.exp(label * tilt) / np.arange(1.0, VOCABULARY + 1)
        cumulative = np.cumsum(popularity)[:-1] / popularity.sum()
        drawn = rng.random((int((y == label).sum()), WORDS))
        words[y == label] = np.searchsorted(cumulative, drawn)
    words.sort(axis=1)
    new = np.ones(words.shape, bool)
    new[:, 1:] = words[:, 1:] != words[:, :-1]
    starts = np.concatenate([[0], np.cumsum(new.sum(axis=1))])
    columns = words[new].astype(np.int32)
    X = csr_array((np.ones(columns.size), columns, starts), shape=(n, VOCABULARY))
    y[rng.random(n) < 0.02] *= -1.0
    return X, y, [f"word{j}" for j in range(VOCABULARY)]


def main() -> None:
    """Learn the stream, certify the model, then see two theorems happen."""
    print(
        f"1. A stream of {MESSAGES:,} messages over {VOCABULARY:,} words, one pass.\n"
    )
    X, y, words = messages()
    run = play(Perceptron(), X, y, models=("validated", "exchangeability"))
    print(run)
    order = np.argsort(run.weights)
    most = ", ".join(f"{words[j]} {run.weights[j]:+.0f}" for j in order[:-6:-1])
    least = ", ".join(f"{words[j]} {run.weights[j]:+.0f}" for j in order[:5])
    print(f"\nsays spam: {most}\nsays not:  {least}")
    print("\n2. The model, and how good it is on messages nobody has seen.\n")
    print(run.model("validated"))
    print("\n3. The same stream, other learners.\n")
    runs = [
        run,
        play(OGD(loss=Logistic(), step=Constant(0.1)), X, y),
        play(Pegasos(strength=1e-4), X, y),
        play(Winnow(eta=0.1), X, y),
    ]
    print(f"{'learner':<12}{'mistakes':>10}{'error':>9}{'updates':>10}{'rows/s':>13}")
    for each in runs:
        print(_row(each))
    print(
        "\n4. Theorems: 101 voters, and a panel of 3 whose majority is always right.\n"
    )
    _panel()


def _panel() -> None:
    """Schapire's panel: N k for the Perceptron, 2 k^2 ln N for Winnow."""
    rng = np.random.default_rng(0)
    votes = rng.choice([-1.0, 1.0], size=(3000, 101))
    y = np.sign(votes[:, :3].sum(axis=1))
    panel = np.r_[np.ones(3), np.zeros(98)]
    for learner, name in [
        (Perceptron(), "perceptron/panel"),
        (NormalizedWinnow.for_margin(1 / 3), "normalized-winnow/panel"),
    ]:
        verdict = play(learner, votes, y).theorems(u=panel)[name]
        print(
            f"{name:<24}{verdict.happened:>5.0f} mistakes, at most {verdict.value:.1f}:"
            f" {verdict.theorem.statement}"
        )


def _row(run: Run) -> str:
    mistakes = run.mistakes or 0
    return (
        f"{type(run.learner).__name__:<12}{mistakes:>10,}{mistakes / run.rounds:>9.2%}"
        f"{run.ledger.updates:>10,}{run.rounds / run.seconds:>13,.0f}"
    )


if __name__ == "__main__":
    main()
