"""What a stack that all classes share would be worth: one softmax over their margins.

``python -m benchmarks.shared_stack [--data DIR] [--only NAME ...] [--rows N]``. Panels
of many classes have a stack each, which learns from few rows of its class. Here one
more stack, of 17 weights that all classes share, is given what their members and their
own stack said of every row:

    input_k = [clip(m_k, -1, 1), clip(m_k, -12, 12), clip(s_k, -12, 12)]
    p = softmax(w.input),   A += sum_k p_k (input_k - mean)(input_k - mean)',
    w += A^-1 (input_y - mean),   mean = sum_k p_k input_k

from w = (0, ..., 0, 1) on, which predicts as the panels do. It predicts a row before it
learns it. "leader" is whichever of the two has erred less of late (rows count less by
the factor .998 a round). Errors are progressive, in file order. ``--ordinal`` gives the
shared stack two more inputs, -|c - v| and -(c - v)^2, with c the number of the class
and v what the regression panel predicts where labels are taken for amounts.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.parts.rows import Sparse

from .accuracy_tasks import TASKS, load
from .figures import SkippedError

__all__ = ["compare", "main"]

NEAR, FAR = 1.0, 12.0
PRIOR = 1.0
FORGET = 0.998


def compare(X: Any, y: Any, *, ordinal: bool = False) -> Any:
    """The errors of the panels, of the stack that all classes share, of the leader."""
    X = X.tocsr()
    player = rg.OneVersusRest(rg.Panel()).player(X.shape[1])
    known: dict[int, int] = {}
    size = 2 * rg.Panel().player(0).constants.members + 1
    said = np.zeros(len(y))
    if ordinal:
        learner = rg.RegressionPanel()
        said = rg.play(learner, X, y.astype(float), trace=True).scores
    w, A = np.zeros(size + 2 * ordinal), PRIOR * np.eye(size + 2 * ordinal)
    w[size - 1] = 1.0
    wrong, late = np.zeros(3), np.zeros(2)
    columns = X.indices.astype(np.int32)
    for i, label in enumerate(np.asarray(y).tolist()):
        candidates = len(known)
        k = known.setdefault(label, candidates)
        lo, hi = X.indptr[i], X.indptr[i + 1]
        starts = np.array([0, hi - lo], np.int64)
        row = Sparse(starts, columns[lo:hi].copy(), X.data[lo:hi].copy())
        player.play(row, np.array([float(k)]))
        lanes = player._members._panels  # what they said of this row
        m, s = lanes.margins[: len(known)], lanes.scores[: len(known), None]
        parts = [np.clip(m, -NEAR, NEAR), np.clip(m, -FAR, FAR), np.clip(s, -FAR, FAR)]
        if ordinal:
            gap = np.abs(np.array([list(known)]).T - said[i])
            parts += [-gap, -gap * gap]
        inputs = np.concatenate(parts, axis=1)
        told = inputs @ w
        both = (s[:candidates, 0], told[:candidates])
        erred = np.array([not one.size or one.argmax() != k for one in both])
        wrong += [*erred, erred[int(late[1] < late[0])]]
        late = FORGET * late + erred
        p = np.exp(told - told.max())
        p /= p.sum()
        gaps = inputs - p @ inputs
        A += (gaps * p[:, None]).T @ gaps
        w += np.linalg.solve(A, gaps[k])
    return wrong / len(y)


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.shared_stack", description=__doc__
    )
    default = os.environ.get("REGRETLESS_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), metavar="DIR")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--ordinal", action="store_true")
    parser.add_argument("--rows", type=int, default=None)
    given = parser.parse_args()
    print(f"{'data':<16}{'panels':>9}{'shared':>9}{'leader':>9}{'ratio':>8}")
    for name in given.only or (*TASKS["few"], *TASKS["many"]):
        try:
            X, y = load(name, "many", given.data)
        except SkippedError as reason:
            print(f"{name}: skipped, {reason}", file=sys.stderr)
            continue
        found = compare(X[: given.rows], y[: given.rows], ordinal=given.ordinal)
        cells = "".join(f"{error:9.4f}" for error in found)
        print(f"{name:<16}{cells}{found[2] / found[0]:8.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
