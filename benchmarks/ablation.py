"""What every member and view of a panel is worth: the errors without it.

``python -m benchmarks.ablation [--task two|wide|many|few|crowd|amounts] [--only NAME]
[--rows N]``.
Two classes: the margins of a member, or of all members of a view, are made 0, and the
stack plays again; the same for what the forest tells the second stack. Many classes:
the panels play without a mixture, each deciding for itself, and without a forest; of
a crowd of classes, all of them instead of a list.
Amounts: what is left out says nothing, and the panel plays again. Errors; of amounts,
squared errors over the variance; beside them the ratio to the whole panel. Last come
the means of the ratios over all sets: what is worth nothing has 1 or less.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.engine.hypotheses.panel_members import FOREST_NAMES, member_names
from regretless.engine.kernels.compiled import entry
from regretless.engine.kernels.stack import play_stack
from regretless.engine.players.regression import RegressionPlayer
from regretless.parts.panel import shortlist
from regretless.parts.panel.class_mixture import LIVE
from regretless.parts.panel.stack import new_stack, new_stack_row
from regretless.parts.panel.state import Constants
from regretless.parts.regression import LANES, RIDGE
from regretless.parts.rows import Dense, Sparse
from regretless.parts.text_tables import table_lines

from .accuracy_tasks import TASKS, load
from .figures import SkippedError

__all__ = ["main"]

BLOCK = 1024  # rows of amounts that are played at a time
VIEWS = {"view A": slice(0, 4), "view H": slice(4, 7), "presence": slice(7, 8)}


def two_classes(X: Any, y: Any) -> Iterator[tuple[str, float]]:
    """What is left out, and the share of mistakes."""
    X = X.tocsr()
    player = rg.Panel().player(X.shape[1])
    first = np.zeros((len(y), player.constants.members))
    second = np.zeros((len(y), len(FOREST_NAMES)))
    for i in range(len(y)):
        own = slice(X.indptr[i], X.indptr[i + 1])
        starts = np.array([0, own.stop - own.start])
        row = Sparse(starts, X.indices[own].astype(np.int32), X.data[own].copy())
        player.play(row, y[i : i + 1])
        first[i] = player.tile.margins
        second[i] = player.forest_row.margins[0]
    yield "the members and their stack", _stacked(first, y)
    names = member_names(player.constants, "H")
    for name, left_out in {
        **dict(zip(names, range(len(names)), strict=True)),
        **VIEWS,
    }.items():
        some = first.copy()
        some[:, left_out] = 0.0
        yield f"without {name}", _stacked(some, y)
    if player.has_forest:
        yield "the panel's score and the forest", _stacked(second, y)
        for k, name in enumerate(FOREST_NAMES[1:], 1):
            some = second.copy()
            some[:, k] = 0.0
            yield f"without {name}", _stacked(some, y)


def _stacked(margins: Any, y: Any) -> float:
    """The share of mistakes of a new stack on these margins."""
    members, constants, scores = margins.shape[1], Constants(), np.zeros(len(y))
    stack = (new_stack(constants, members), new_stack_row(members))
    arguments = (constants, *stack, margins.reshape(-1), y, scores)
    entry(play_stack, arguments)(*arguments)
    return float(np.mean(scores * y <= 0.0))


def many_classes(X: Any, y: Any) -> Iterator[tuple[str, float]]:
    """What is left out, and the share of mistakes."""

    def error(
        *, mixture: bool = True, forest: bool = True, lists: bool = True
    ) -> float:
        player = rg.OneVersusRest(rg.Panel(forest=forest)).player(X.shape[1])
        members: Any = player._members
        members.lanes.mixture.numbers[LIVE] = mixture
        members.lanes.panels.listing[shortlist.LIVE] = lists
        sparse = X.tocsr()
        starts, columns = sparse.indptr.astype(np.int64), sparse.indices
        rows = Sparse(starts, columns.astype(np.int32), sparse.data)
        _, first, codes = np.unique(y, return_index=True, return_inverse=True)
        player.play(rows, np.argsort(np.argsort(first))[codes].astype(float))
        return (player.ledger().mistakes or 0) / len(y)

    yield "all", error()
    yield "without the mixture", error(mixture=False)
    if len(np.unique(y)) > shortlist.LISTED:
        yield "without a list", error(lists=False)
    else:
        yield "without the forest", error(forest=False)


def amounts(X: Any, y: Any) -> Iterator[tuple[str, float]]:
    """What is left out, and the squared error over the variance."""

    def error(
        member: int | None = None, curves: Sequence[int] = (), trees: bool = True
    ) -> float:
        player = RegressionPlayer(X.shape[1], forest=True)
        if not trees:
            _fell(player.second_layer)
        if member is not None:
            _silence(player.members[member])
        _silence_curves(player.second_layer, curves)
        said = np.zeros(len(y))
        for start in range(0, len(y), BLOCK):
            rows = X[start : start + BLOCK].toarray()
            notes = (
                np.zeros(len(rows)),
                np.zeros(len(rows)),
                np.zeros(len(rows), bool),
            )
            some = Dense(rows.ravel(), X.shape[1])
            player.play(some, y[start : start + BLOCK], trace=notes)
            said[start : start + BLOCK] = notes[0]
        return float(np.mean((said - y) ** 2) / y.var())

    yield "all", error()
    linear = len(RegressionPlayer(0).members)
    for k in range(linear):
        name = "ridge" if k == linear - 1 else f"tracker {k + 1}"
        yield f"without {name}", error(member=k)
    for k in range(LANES):
        name = "ridge on curves" if k == RIDGE else f"curve tracker {k + 1}"
        yield f"without {name}", error(curves=[k])
    yield "without curves", error(curves=range(LANES))
    yield "without the forest", error(trees=False)
    whole = rg.play(rg.RegressionPanel(forest=False), X, y).ledger
    yield (
        "without curves and forest",
        (whole.squared_error or 0.0) / len(y) / float(y.var()),
    )


def _silence(member: Any) -> None:
    """Let a member say 0 to every row."""
    play = member.play

    def quiet(*arguments: Any, trace: Any, **more: Any) -> None:
        play(*arguments, trace=trace, **more)
        trace[0][:] = 0.0

    member.play = quiet


def _silence_curves(layer: Any, lanes: Sequence[int]) -> None:
    """Let members on curves say the first label to every row."""
    play = layer.play_curves

    def quiet(*arguments: Any) -> Any:
        told = play(*arguments)
        told.said[:, list(lanes)] = 0.0
        return told

    layer.play_curves = quiet


def _fell(layer: Any) -> None:
    """Let no leaf of the forest find evidence for a split."""
    trees = layer._trees

    def stumps(row: Any) -> Any:
        kind, settings, *rest = trees(row)
        return (kind, settings._replace(evidence=math.inf), *rest)

    layer._trees = stumps


STUDIES = {
    "two": (two_classes, "two"),
    "wide": (two_classes, "wide"),
    "many": (many_classes, "many"),
    "few": (many_classes, "many"),
    "crowd": (many_classes, "many"),
    "amounts": (amounts, "amounts"),
}


def main() -> int:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ablation", description=__doc__
    )
    default = os.environ.get("REGRETLESS_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), metavar="DIR")
    parser.add_argument("--task", choices=STUDIES, default="two")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--rows", type=int, default=20_000)
    arguments = parser.parse_args()
    study, kind = STUDIES[arguments.task]
    ratios: dict[str, list[float]] = {}
    for name in arguments.only or TASKS[arguments.task]:
        try:
            X, y = load(name, kind, arguments.data)
        except SkippedError as reason:
            print(f"{name}: skipped, {reason}", file=sys.stderr)
            continue
        lines: list[list[str]] = []
        whole = 0.0
        for label, error in study(X[: arguments.rows], y[: arguments.rows]):
            whole = whole if label.startswith("without") else error
            lines.append([label, f"{error:.4f}", f"{error / whole:.3f}"])
            ratios.setdefault(label, []).append(error / whole)
        print(
            "\n".join([*table_lines((name, "error", "ratio"), lines), ""]), flush=True
        )
    means = [
        [label, f"{math.exp(float(np.mean(np.log(found)))):.4f}", str(len(found))]
        for label, found in ratios.items()
        if label.startswith("without")
    ]
    head = ("geometric mean of the ratios", "", "sets")
    print("\n".join(table_lines(head, means)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
