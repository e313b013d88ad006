"""The engine's figures: one pass in memory, experts, start-up."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import regretless as rg

from .data import text_like
from .figures import Figure, SkippedError
from .timing import alternate, clock, process

__all__ = ["figures"]

EXPERTS = 100_000
ROUNDS = 1_000
IMPORTS = 20
MEGA = 1e6


def figures() -> list[Figure]:
    """All of them, in the order of the table."""
    return [*in_memory(), ledger(), own_loss(), hedge(), *start_up()]


# One pass over rows in memory.


def in_memory() -> list[Figure]:
    """Nonzeros a second against scikit-learn, each in its own one pass."""
    learners = {
        "ogd-hinge": (rg.OGD(), "hinge"),
        "ogd-logistic": (rg.OGD(loss=rg.Logistic()), "log_loss"),
        "winnow": (rg.Winnow(), "hinge"),
        "eg": (rg.EG(), "hinge"),
        "eg-signed": (_signed_eg(), "hinge"),
        "pegasos": (rg.Pegasos(1e-4), "hinge"),
    }
    rows = [_pass("perceptron", rg.Perceptron(), "Perceptron", {}, bar=4.0)]
    rows += [
        _pass(name, learner, "SGDClassifier", {"loss": loss}, bar=3.0)
        for name, (learner, loss) in learners.items()
    ]
    return rows


def _signed_eg() -> Any:
    """EG on the L1 ball, the one that can learn these labels; its step is eta*U."""
    return rg.EG(step=rg.Constant(0.002), radius=50.0, signed=True)


def _pass(
    name: str, learner: Any, peer: str, options: dict[str, Any], *, bar: float
) -> Figure:
    def measure() -> tuple[float, float]:
        from sklearn import linear_model

        X, y = text_like()
        theirs = getattr(linear_model, peer)(
            max_iter=1, tol=None, shuffle=False, **options
        )
        return alternate(
            lambda: clock(lambda: rg.play(learner, X, y)),
            lambda: clock(lambda: theirs.fit(X, y)),
        )

    return Figure(
        name=name,
        what=f"{learner!r}",
        peer=f"sklearn {peer} {' '.join(options.values())}".strip(),
        bar=bar,
        measure=measure,
        unit="M nonzeros/s",
        work=lambda: text_like().X.nnz / MEGA,
    )


def ledger() -> Figure:
    """What keeping the statistics costs: the same kernel with a silent observer."""

    def measure() -> tuple[float, float]:
        from regretless.data import open_source
        from regretless.engine.kernels.compiled import entry
        from regretless.engine.kernels.linear import play_rows
        from regretless.engine.players.linear import EQUAL
        from regretless.parts.observers import Silent

        X, y = text_like()
        (batch,) = open_source(X, y, binary=True).batches()

        def run(silent: bool) -> float:
            player = rg.Perceptron().player(X.shape[1])
            player.make_room(batch.rows)
            statistics: Any = Silent() if silent else player.statistics
            parts, state = player.parts, player.state
            arguments = (parts, state, statistics, batch.rows, batch.targets, EQUAL)
            kernel = entry(play_rows, arguments)
            return clock(lambda: kernel(*arguments))

        return alternate(lambda: run(False), lambda: run(True))

    return Figure(
        name="ledger",
        what="Perceptron in memory, ledger on",
        peer="the same, observer silent",
        bar=1.15,
        better="no slower",
        measure=measure,
        unit="ms",
    )


class OwnHinge(NamedTuple):
    """The hinge once more, as a user would write it outside the package."""

    task = "binary"


@rg.implement(rg.value, OwnHinge)
def _(loss: OwnHinge, score: float, y: float) -> float:
    return max(0.0, 1.0 - y * score)


@rg.implement(rg.slope, OwnHinge)
def _(loss: OwnHinge, score: float, y: float) -> float:
    return -y if y * score <= 1.0 else 0.0


def own_loss() -> Figure:
    """A user's own loss against the same loss built in."""

    def measure() -> tuple[float, float]:
        X, y = text_like()
        return alternate(
            lambda: clock(lambda: rg.play(rg.OGD(loss=OwnHinge()), X, y)),
            lambda: clock(lambda: rg.play(rg.OGD(), X, y)),
        )

    return Figure(
        name="own-loss",
        what="OGD with a hinge written outside the package",
        peer="OGD with the built-in hinge",
        bar=1.05,
        better="no slower",
        measure=measure,
        unit="ms",
    )


# Experts.


def hedge() -> Figure:
    """Bytes of the loss matrix a second, against copying it."""

    def measure() -> tuple[float, float]:
        if not hasattr(rg, "Hedge"):
            raise SkippedError("there is no rg.Hedge yet")
        losses = _losses()
        copy = np.empty_like(losses)
        return alternate(
            lambda: clock(lambda: rg.play(rg.Hedge(), losses=losses)),
            lambda: clock(lambda: np.copyto(copy, losses)),
        )

    return Figure(
        name="hedge",
        what=f"Hedge, {EXPERTS:,} experts x {ROUNDS:,} rounds",
        peer="np.copyto",
        bar=0.3,
        measure=measure,
        unit="MB/s",
        work=lambda: EXPERTS * ROUNDS * 8 / MEGA,
    )


def _losses() -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.random.default_rng(5).random((ROUNDS, EXPERTS))


# Start-up, each in a process of its own.

EMPTY_KERNEL = """
from numba import njit

@njit(cache=True)
def empty():
    pass
"""
FIRST_PLAY = """
import regretless as rg
rg.play(rg.Perceptron(), [[1.0, 2.0], [2.0, 1.0]], [1, -1])
"""


def start_up() -> list[Figure]:
    """The import, and the first result of a process that finds its kernel cached."""
    return [
        Figure(
            name="import",
            what="import regretless",
            peer="import numpy",
            bar=1.5,
            better="no slower",
            measure=lambda: alternate(
                lambda: process("import regretless"),
                lambda: process("import numpy"),
                IMPORTS,
            ),
            unit="ms",
        ),
        Figure(
            name="first-play",
            what="first play of a process, cached",
            peer="import numba + empty cached kernel",
            bar=1.5,
            better="no slower",
            measure=_first_play,
            unit="ms",
        ),
    ]


def _first_play() -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "empty_kernel.py").write_text(EMPTY_KERNEL)
        empty = (
            f"import sys; sys.path.insert(0, {folder!r})\n"
            "from empty_kernel import empty; empty()"
        )
        return alternate(lambda: process(FIRST_PLAY), lambda: process(empty))
