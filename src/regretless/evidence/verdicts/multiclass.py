"""Receipts of many classes: the rounds again, and what a matrix U would have paid."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ...data.chunk import Mask
from ...engine.hypotheses.classes import FrozenClasses
from ...engine.players.classes.class_player import ClassPlayer
from ...parts.state import Floats
from ..played_run import RowRun, RowsAgain
from ..theorems.mistake_bounds import root
from ..theorems.multiclass import ClassFacts
from .task_types import Kind, unsolved

ClassRun: TypeAlias = "RowRun[ClassPlayer]"
NOT_SOLVED = (
    "the best weights of many classes are not solved for: run.theorems() evaluates "
    "what is proven"
)
SCALES = np.geomspace(1e-3, 1e3, 61)  # of a comparator, in units of its mean margin


def class_facts(run: ClassRun, u: npt.ArrayLike | None = None) -> list[ClassFacts]:
    """The run against `u`, or against the learner's own weights, scaled at their best.

    The best U is not solved for: the last W and the mean W are tried, each times the
    factor that makes the bound smallest. A theorem holds for every U, so any will do.
    """
    game = run.replayable("a comparator of many classes")
    if u is not None:
        U = _checked(run, u, int(game.player().bias))
        return [_facts(run, U, *_margins(run, game, U), "given")]
    recorder = game.record(("mean",), run.length)
    directions = {
        "the last weights": recorder.last(),
        "the mean weights": recorder.mean(),
    }
    found: list[ClassFacts] = []
    for name, V in directions.items():
        margins, moved = _margins(run, game, V)
        s = _best_scale(run, V, margins)
        problem = f"{name} times {s:.4g}"
        found.append(_facts(run, s * V, s * margins, moved, problem))
    return found


def _facts(
    run: ClassRun, U: Floats, margins: Floats, moved: Mask, problem: str
) -> ClassFacts:
    losses = np.maximum(0.0, 1.0 - margins)
    return ClassFacts(
        run.ledger,
        len(run.classes or ()),
        norm=float(np.linalg.norm(U)),
        paid=float(losses.sum()),
        paid_on_mistakes=float(losses[moved].sum()),
        min_margin=float(margins.min()),
        problem=problem,
    )


def _margins(
    run: ClassRun, game: RowsAgain[ClassPlayer], U: Floats
) -> tuple[Floats, Mask]:
    """(u_y - u_r).x of every round, r the best of the others; and when W moved."""
    player = game.player()
    judge = FrozenClasses(U, 0.0, player.bias)
    found: list[Floats] = []
    mistakes: list[Mask] = []
    for batch in game.source.batches():
        n = batch.targets.size
        scores = judge.scores(batch.rows, n)
        labels = batch.targets.astype(np.int64)
        mine = scores[np.arange(n), labels]
        scores[np.arange(n), labels] = -np.inf
        others = scores.max(axis=1) if scores.shape[1] > 1 else np.zeros(n)
        found.append(mine - others)
        trace = player.new_trace(n, batch.targets)
        player.play(batch.rows, batch.targets, trace=trace, weights=batch.weights)
        mistakes.append(trace[2])
    moved = np.concatenate(mistakes)[: run.rounds]
    moved[0] = False  # it had no rival
    return np.concatenate(found)[: run.rounds], moved


def _best_scale(run: ClassRun, V: Floats, margins: Floats) -> float:
    """The factor that makes the bound smallest, on a grid."""
    typical = float(np.abs(margins).mean())
    if typical == 0.0:
        return 0.0
    reach = np.sqrt(2.0) * run.ledger.max_norm * float(np.linalg.norm(V))
    scales: list[float] = (SCALES / typical).tolist()
    bounds = [
        root(float(np.maximum(0.0, 1.0 - s * margins).sum()), s * float(reach), 1.0)
        for s in scales
    ]
    return scales[int(np.argmin(bounds))]


def _checked(run: ClassRun, u: npt.ArrayLike, bias: int) -> Floats:
    """The comparator, a row a class, the bias first where there is one."""
    given = np.asarray(u, np.float64)
    classes, features = run.weights.shape
    if given.shape != (classes, features + bias) or not np.isfinite(given).all():
        first = ", that of the bias first" if bias else ""
        raise ValueError(
            f"u has {classes} rows, one for each of {run.classes!r:.60}, of "
            f"{features + bias} finite weights{first}; it has shape {given.shape}"
        )
    return given


KIND = Kind(class_facts, unsolved(NOT_SOLVED), unsolved(NOT_SOLVED))
