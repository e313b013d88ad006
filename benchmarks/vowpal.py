"""Vowpal Wabbit beside us: seven of its learners, one pass each, errors as they come.

VW writes the prediction of every row before it learns from it (``-p``), so that its
progressive error is counted exactly as ours is: in the order of the file, and a score
of 0 is a mistake.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .figures import SkippedError

__all__ = ["VARIANTS", "predictions", "write_rows"]

VARIANTS = {
    "hinge": "--loss_function hinge",
    "logistic": "--loss_function logistic",
    "coin": "--coin --loss_function logistic",
    "pistol": "--pistol --loss_function logistic",
    "ftrl": "--ftrl --loss_function logistic",
    "sgd": "--sgd --loss_function logistic",
    "freegrad": "--freegrad --loss_function logistic",
}
COMMON = "-b 22 --no_stdin --quiet"


def write_rows(X: Any, y: Any, path: Path) -> None:
    """The rows in VW's format; labels are -1 and +1, or the numbers of classes."""
    starts, columns, values = X.indptr, X.indices.tolist(), X.data.tolist()
    with path.open("w") as file:
        for i, label in enumerate(y):
            lo, hi = starts[i], starts[i + 1]
            row = zip(columns[lo:hi], values[lo:hi], strict=True)
            words = " ".join(f"{j}:{value!r}" for j, value in row)
            file.write(f"{int(label)} | {words}\n")


def predictions(rows: Path, options: str) -> Any:
    """What VW predicted for every row before it saw the label."""
    try:
        import vowpalwabbit  # noqa: F401
    except ImportError:
        raise SkippedError("vowpalwabbit is not installed") from None
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "predictions.txt"
        command = [sys.executable, "-m", "vowpalwabbit", "-d", str(rows)]
        subprocess.run(
            [*command, *COMMON.split(), *options.split(), "-p", str(out)], check=True
        )
        return np.loadtxt(out, ndmin=1)
