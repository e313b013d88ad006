"""The hindsight figures: a support vector machine to a proved gap, against LIBLINEAR.

Ours stops when its own duality gap is at most 1e-3 of the objective. LIBLINEAR proves
no gap, so it is measured from outside, in its favor: its objective against the best
lower bound known, that of a much tighter solve. Its eps is lowered until that gap is no
larger than the one that ours proves. Then both are timed.

``python -m benchmarks.hindsight [--json FILE]``
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.data import open_source
from regretless.evidence.hindsight import Hindsight, penalized

from .data import text_like
from .figures import Figure, SkippedError, as_json, table
from .timing import alternate, clock

__all__ = ["figures"]

STRENGTH = 1.0  # C = 1
TOLERANCE = 1e-3
TIGHT = 1e-6
FIRST_EPS, FINER, EPSILONS = 1.0, 0.8, 40


def figures() -> list[Figure]:
    """Data to weights against scikit-learn, and the solvers alone."""
    return [
        Figure(
            name="hindsight-fit",
            what=f"hinge, C = 1, to a gap of {TOLERANCE:g}, arrays to weights",
            peer="sklearn LinearSVC",
            bar=1.2,
            better="no slower",
            measure=_against_sklearn,
        ),
        Figure(
            name="hindsight-solve",
            what=f"hinge, C = 1, to a gap of {TOLERANCE:g}, solver alone",
            peer="liblinear-official train",
            bar=1.2,
            better="no slower",
            measure=_against_liblinear,
        ),
    ]


def _against_sklearn() -> tuple[float, float]:
    from sklearn.svm import LinearSVC

    X, y = text_like()

    def fit(eps: float) -> Any:
        model = LinearSVC(
            C=1.0 / STRENGTH,
            loss="hinge",
            dual=True,
            fit_intercept=False,
            tol=eps,
            max_iter=100_000,
            random_state=0,
        )
        return model.fit(X, y).coef_[0]

    eps = _coarsest(fit)
    return alternate(lambda: clock(_solve), lambda: clock(lambda: fit(eps)))


def _against_liblinear() -> tuple[float, float]:
    if find_spec("liblinear") is None:
        raise SkippedError("liblinear-official is not installed")
    from liblinear.liblinear import parameter, problem
    from liblinear.liblinearutil import train
    from scipy.sparse import csr_matrix

    X, y = text_like()
    data = problem(y, csr_matrix(X))

    def fit(eps: float) -> Any:
        model = train(data, parameter(f"-s 3 -c {1.0 / STRENGTH} -e {eps} -B -1 -q"))
        w = np.ctypeslib.as_array(model.w, (X.shape[1],)).copy()
        return w if model.label[0] > 0 else -w

    eps = _coarsest(fit)
    source = open_source(X, y, binary=True)
    return alternate(
        lambda: clock(lambda: penalized(source, rg.Hinge(), STRENGTH)),
        lambda: clock(lambda: fit(eps)),
    )


def _solve(tolerance: float = TOLERANCE) -> Hindsight:
    X, y = text_like()
    source = open_source(X, y, binary=True)
    return penalized(source, rg.Hinge(), STRENGTH, tolerance=tolerance)


@cache
def _proved() -> tuple[float, float]:
    """The relative gap that ours proves, and the best lower bound known."""
    return _solve().relative_gap, _solve(TIGHT).lower_bound


def _coarsest(fit: Any) -> float:
    """The largest eps with which LIBLINEAR's gap is no larger than ours."""
    X, y = text_like()
    gap, lower_bound = _proved()
    for k in range(EPSILONS):
        eps = FIRST_EPS * FINER**k
        w = fit(eps)
        objective = np.maximum(0.0, 1.0 - y * (X @ w)).sum() + 0.5 * STRENGTH * w @ w
        theirs = (objective - lower_bound) / objective
        if theirs <= gap:
            print(
                f"  gap {gap:.2e} of ours; LIBLINEAR {theirs:.2e} at eps {eps:.3g}",
                file=sys.stderr,
            )
            return eps
    raise SkippedError(f"LIBLINEAR did not reach a gap of {gap:.2e}")


def main() -> int:
    """Take these figures alone; 1 if one of them misses its bar."""
    from .__main__ import machine, take

    parser = argparse.ArgumentParser(prog="python -m benchmarks.hindsight")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args()
    taken = [measured for figure in figures() if (measured := take(figure))]
    print(table(taken))
    if arguments.json:
        report = {"machine": machine(), "figures": as_json(taken)}
        Path(arguments.json).write_text(json.dumps(report, indent=2) + "\n")
    return 0 if all(figure.met for figure in taken) else 1


if __name__ == "__main__":
    sys.exit(main())
