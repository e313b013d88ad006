"""Comparators for the kernel Perceptron: support vector machines with its own kernel.

They are solved on the rounds up to the first eviction, by dual coordinate descent on
the matrix of similarities; of more rounds than that takes, the final hypothesis itself
is the comparator, scaled. Every u is a fair one, so none has to be the best.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ...data import Batch
from ...data.chunk import Mask
from ...engine.kernels.compiled import entry
from ...engine.kernels.kernel_machine import gram_rows
from ...engine.players.kernel import KernelPlayer
from ...parts.rows import Dense, Sparse, some_rows
from ...parts.state import Floats
from ..hindsight.budget import spend
from ..hindsight.passes import joined
from ..played_run import RowRun
from ..theorems.kernel_perceptron import KernelFacts
from .task_types import Kind, unsolved

NOT_SOLVED = (
    "the best function of a kernel's space is not solved for: run.theorems() tries "
    "support vector machines, and theorems(u=...) takes one coefficient a round"
)
MOST = 2000  # rounds whose matrix of similarities is made
PULLS = (0.1, 1.0, 10.0, 100.0, 1e4)  # C of the machines that are tried
SCALES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)  # of the final hypothesis
PASSES = 60
ONE_BY_ONE = 40  # times the work of a row among others


def kernel_facts(
    run: RowRun[KernelPlayer], u: npt.ArrayLike | None = None
) -> list[KernelFacts]:
    """The run up to its first eviction, with every comparator worth trying.

    `u`, where it is given, has one coefficient a round: u = sum_t u_t K(x_t, .).
    """
    game = run.replayable("a theorem about a comparator")
    player = game.player()
    wrong: list[Mask] = []
    batches: list[Batch] = []
    for batch in game.source.batches():
        n = min(batch.targets.size, run.rounds - player.rounds)
        trace = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
        player.grow(batch.n_features)
        rows, targets = some_rows(batch.rows, 0, n), batch.targets[:n]
        player.play(rows, targets, trace=trace)
        wrong.append(trace[2])
        batches.append(batch._replace(rows=rows, targets=targets))
    until = player.until_eviction()
    rounds = int(until["rounds"])
    y = np.concatenate([batch.targets for batch in batches])[:rounds]
    mistakes = np.concatenate(wrong)[:rounds]
    return [
        KernelFacts(
            **until,  # pyright: ignore[reportArgumentType]
            evicted=rounds < run.rounds or player.ledger().first_eviction is not None,
            norm=norm,
            paid=float(np.maximum(0.0, 1.0 - y * scores).sum()),
            paid_on_mistakes=float(np.maximum(0.0, 1.0 - y * scores)[mistakes].sum()),
            min_margin=float((y * scores).min()),
            problem=problem,
        )
        for scores, norm, problem in _comparators(player, batches, y, u)
    ]


def _comparators(
    player: KernelPlayer,
    batches: list[Batch],
    y: Floats,
    u: npt.ArrayLike | None,
) -> list[tuple[Floats, float, str]]:
    """The scores of each u on the rounds, its norm, and where it comes from."""
    if u is not None or y.size <= MOST:
        gram = _gram(player, joined(batches).rows, y.size)
        if u is not None:
            given = np.asarray(u, np.float64)
            if given.shape != y.shape or not np.isfinite(given).all():
                raise ValueError(f"u has one finite coefficient for each of {y.size:,}")
            return [(*_measured(gram, given), "the coefficients given")]
        return [
            (*_measured(gram, y * _machine(gram, y, pull)), f"an SVM with C = {pull:g}")
            for pull in PULLS
        ]
    scores = np.concatenate(
        [player.scores(batch.rows, batch.targets.size) for batch in batches]
    )
    norm = player.ledger().weight_norm
    return [
        (scale * scores[: y.size], scale * norm, f"{scale:g} times the last hypothesis")
        for scale in SCALES
    ]


def _measured(gram: Floats, coefficients: Floats) -> tuple[Floats, float]:
    scores = gram @ coefficients
    return scores, math.sqrt(max(0.0, float(coefficients @ scores)))


def _machine(gram: Floats, y: Floats, pull: float) -> Floats:
    """The alphas of an SVM without bias, nearly: coordinates in turn, by Newton."""
    alphas, scores = np.zeros(y.size), np.zeros(y.size)
    diagonal = gram.diagonal()
    for _ in range(PASSES):
        spend(y.size * y.size, ONE_BY_ONE * y.size, 0)
        moved = 0.0
        for i in np.flatnonzero(diagonal > 0.0).tolist():
            wanted = alphas[i] + (1.0 - y[i] * scores[i]) / diagonal[i]
            step = min(pull, max(0.0, wanted)) - alphas[i]
            if abs(step) > 1e-9:
                alphas[i] += step
                scores += (step * y[i]) * gram[i]
                moved = max(moved, abs(step))
        if moved <= 1e-4 * pull:
            break
    return alphas


def _gram(player: KernelPlayer, rows: Dense | Sparse, n: int) -> Floats:
    """K of every two of the first `n` rows."""
    out = np.empty((n, n))
    work, squares = np.zeros(max(player.n_features, 1)), np.zeros(n)
    arguments = (player.part, some_rows(rows, 0, n), work, squares, out)
    entry(gram_rows, arguments)(*arguments)
    return out


KIND = Kind(kernel_facts, unsolved(NOT_SOLVED), unsolved(NOT_SOLVED))
