"""Many classes: errors beside Vowpal Wabbit's ``--oaa``, time beside scikit-learn.

``python -m benchmarks classes``. The errors are progressive, in file order, of real
data (LIBSVM files NAME.svm.gz in $REGRETLESS_DATA); a tie is a mistake of ours, and so
is the first row of a class. VW knows the classes in advance, and takes its best of
seven variants. The time is of one pass over 60,000 dense rows of ten classes, the
process's own.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg

from .figures import Figure, SkippedError
from .timing import alternate
from .vowpal import VARIANTS, predictions, write_rows

__all__ = ["figures"]

NAMES = ("covtype20k", "womens_reviews")
ROWS, WIDTH, CLASSES = 60_000, 784, 10
LEARNERS = {
    "ovr": rg.OneVersusRest(rg.Perceptron()),
    "ultraconservative": rg.MulticlassPerceptron(),
}


def figures() -> list[Figure]:
    """Errors of the default, then time."""
    return [
        *(
            Figure(
                name=f"classes-{name}",
                what=f"{name}: progressive error of play(file), many classes",
                peer="VW --oaa, best of seven",
                bar=1.0,
                measure=partial(_errors, name),
                better="no slower",
                unit="%",
            )
            for name in NAMES
        ),
        *(
            Figure(
                name=f"classes-{name}",
                what=f"{learner!r}, 60,000 x 784 dense, ten classes, one pass",
                peer="sklearn Perceptron(max_iter=1), one-versus-rest",
                bar=3.0,
                measure=partial(_times, learner),
                better="faster",
                work=lambda: float(ROWS),
                unit="rows/s",
            )
            for name, learner in LEARNERS.items()
        ),
    ]


def _errors(name: str) -> tuple[float, float]:
    folder = os.environ.get("REGRETLESS_DATA", "../shared/data")
    path = Path(folder) / f"{name}.svm.gz"
    if not path.exists():
        raise SkippedError(f"there is no {path}")
    run = rg.play(str(path))
    assert isinstance(run.learner, rg.OneVersusRest)
    best = min(vowpal_errors(path).values())
    return run.mistakes / run.rounds, best / run.rounds


def vowpal_errors(path: Path) -> dict[str, int]:
    """The progressive errors of every variant, with as many classes as there are."""
    from sklearn.datasets import load_svmlight_file

    loaded: Any = load_svmlight_file(str(path))
    X, labels = loaded[0], loaded[1]
    _, places = np.unique(labels, return_inverse=True)
    numbers = places + 1
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.vw"
        write_rows(X, numbers, rows)
        return {
            variant: int(
                (predictions(rows, f"--oaa {places.max() + 1} {options}") != numbers)
                .sum()
                .item()
            )
            for variant, options in VARIANTS.items()
        }


@cache
def dense_rows() -> tuple[Any, Any]:
    """Ten clouds that overlap: a Perceptron errs on about a tenth of the rows."""
    rng = np.random.default_rng(7)
    centers = rng.normal(size=(CLASSES, WIDTH))
    y = rng.integers(0, CLASSES, ROWS)
    return 0.16 * centers[y] + rng.normal(size=(ROWS, WIDTH)), y


def _times(learner: Any) -> tuple[float, float]:
    from sklearn.linear_model import Perceptron

    X, y = dense_rows()
    peer = Perceptron(max_iter=1, tol=None, shuffle=False)
    return alternate(
        lambda: _processor(lambda: rg.play(learner, X, y)),
        lambda: _processor(lambda: peer.fit(X, y)),
        repeats=3,
    )


def _processor(work: Callable[[], Any]) -> float:
    """Seconds of the process: other people's work on the machine is not counted."""
    began = time.process_time()
    work()
    return time.process_time() - began
