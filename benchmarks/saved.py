"""What is saved and what is certified, on real data in random order.

``python -m benchmarks.saved [--data DIR] [--only NAME ...] [--repetitions 5] [--rows
20000] [--json FILE]``. DIR (or $REGRETLESS_DATA) holds NAME.svm.gz. Each repetition
shuffles the rows of a set and holds a fifth back.

*Saved*: errors on the rows held back of the default model, over those of the best kind
that the same run offers (last, mean, last half, validated), summed over repetitions.
*Certified*: the certificate of the run over that of version 0.1 on the same rows, where
version 0.1 saw a file (positions 512, 1024, ..., the KL mixture at delta/(k(k+1))) and
where it saw an array (fixed shares, Clopper-Pearson at delta/K).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

import regretless as rg
from regretless.certify import clopper_pearson, kl_mixture
from regretless.engine.hypotheses.classes import wrong_classes

__all__ = ["Certified", "Saved", "main"]

TWO = (
    "a9a",
    "electricity",
    "spamassassin",
    "subjectivity",
    "pros_cons",
    "phishing",
    "agaricus",
    "bank",
    "airlines2k",
    "churn",
)
MANY = ("covtype20k", "letter", "pendigits")
LINEAR = (
    rg.Perceptron(),
    rg.PassiveAggressive(C=0.1),
    rg.AdaGrad(loss=rg.Logistic()),
    rg.CoinBetting(),
    rg.FTRLProximal(),
)
KINDS = ("last", "mean", "last-half", "validated")
DELTA = 0.05
HELD = 0.2
MEAN_BAR, EACH_BAR = 1.01, 1.05  # the default over the best kind
RATIO_BAR, LOOSER_BAR = 0.97, 1.02  # the certificate over that of version 0.1
OLD_SHARES = (0.25, 0.375, 0.5, 0.5625, 0.625, 0.6875, 0.75, 0.8125)
OLD_FEW = (0.5, 0.625, 0.75)  # of a panel


@dataclass(frozen=True)
class Saved:
    """Errors on rows held back, all repetitions together."""

    data: str
    learner: str
    rows: int
    default: int
    kinds: dict[str, int]

    @property
    def ratio(self) -> float:
        """The default over the best kind, each with half an error more."""
        return (self.default + 0.5) / (min(self.kinds.values()) + 0.5)


@dataclass(frozen=True)
class Certified:
    """Mean certificates, ours and those of version 0.1, of files and of arrays."""

    data: str
    learner: str
    file: float
    old_file: float
    array: float
    old_array: float


def main() -> int:
    """Measure, and print the tables."""
    asked = command_line()
    folder = Path(asked.data)
    saved: list[Saved] = []
    certified: list[Certified] = []
    for name in asked.only or (*TWO, *MANY):
        path = folder / f"{name}.svm.gz"
        if not path.exists():
            print(f"{name}: there is no {path}", file=sys.stderr)
            continue
        X, y = rows_of(path)
        learners = (rg.Panel(), rg.MulticlassPerceptron())
        for learner in (rg.Panel(), *LINEAR) if name in TWO else learners:
            found = measured(name, learner, X, y, asked.repetitions, asked.rows)
            saved.append(found[0])
            certified.append(found[1])
            print(lines(*found), flush=True)
    print(summary(saved, certified))
    if asked.json:
        rows = {
            "saved": [asdict(one) for one in saved],
            "certified": [asdict(one) for one in certified],
        }
        Path(asked.json).write_text(json.dumps(rows, indent=1))
    return 0


def measured(
    name: str, learner: Any, X: Any, y: Any, repetitions: int, most: int
) -> tuple[Saved, Certified]:
    """One learner on one set."""
    kinds = KINDS if not isinstance(learner, rg.Panel) else ("last", "validated")
    default, tested = 0, 0
    errors = dict.fromkeys(kinds, 0)
    bounds: list[tuple[float, ...]] = []
    for seed in range(repetitions):
        order = np.random.default_rng(seed).permutation(len(y))[:most]
        held = order[: int(HELD * len(order))]
        rest = order[held.size :]
        run = rg.play(learner, X[rest], y[rest])
        model = run.model()
        default += wrong(model, X[held], y[held])
        tested += held.size
        for kind in kinds:
            errors[kind] += wrong(run.model(kind), X[held], y[held])
        bounds.append(certificates(learner, model, X[rest], y[rest]))
    known = [row for row in bounds if not np.isnan(row).any()]
    means = np.mean(known, axis=0) if known else [np.nan] * 4
    title = repr(learner)
    return (
        Saved(name, title, tested, default, errors),
        Certified(name, title, *(float(mean) for mean in means)),
    )


def certificates(learner: Any, model: Any, X: Any, y: Any) -> tuple[float, ...]:
    """Of a file, of version 0.1's file, of an array, of version 0.1's array."""
    array = np.nan if model.certificate is None else model.certificate.value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npz"
        np.savez(
            path,
            data=X.data,
            indices=X.indices,
            indptr=X.indptr,
            shape=X.shape,
            format=b"csr",
            y=y,
        )
        found = rg.play(learner, path).model().certificate
    file = np.nan if found is None else found.value
    n, panel = len(y), isinstance(learner, rg.Panel)
    doubling = [512 * 2**k for k in range(40) if 512 * 2**k < n]
    shares = OLD_FEW if panel else OLD_SHARES
    positions = [int(share * n) for share in shares]
    after = {p: later(learner, X, y, p) for p in {*doubling, *positions}}
    old_file = min(
        kl_mixture(n - p, after[p], DELTA / (k * (k + 1)), float(max(p, 512)))
        for k, p in list(enumerate(doubling, 1))[-3 if panel else -8 :]
    )
    old_array = min(
        clopper_pearson(n - p, after[p], DELTA / len(positions)) for p in positions
    )
    return file, old_file, array, old_array


def later(learner: Any, X: Any, y: Any, position: int) -> int:
    """Errors of the hypothesis after so many rows on all rows after it."""
    model = rg.play(learner, X[:position], y[:position]).model("last")
    return wrong(model, X[position:], y[position:])


def wrong(model: Any, X: Any, y: Any) -> int:
    """Errors of a model; a tie is one."""
    scores = model.scores(X)
    places = {label: k for k, label in enumerate(model.classes)}
    numbers = np.array([places.get(label, -1) for label in y.tolist()])
    if scores.ndim == 2:
        known = np.where(numbers < 0, scores.shape[1], numbers)
        return int(wrong_classes(scores, known.astype(float)).sum())
    return int((~((2 * numbers - 1) * scores > 0)).sum())


def rows_of(path: Path) -> tuple[Any, Any]:
    """The rows of a file, as a matrix, and their labels."""
    from regretless.data.file_source import FileSource
    from regretless.parts.rows import Dense

    matrices: list[Any] = []
    labels: list[Any] = []
    source = FileSource(str(path), binary=False)
    width = 0
    for _, _, chunk in source.chunks():
        rows = chunk.rows
        assert not isinstance(rows, Dense)
        width = max(width, chunk.n_features)
        matrices.append((rows.values, rows.columns, rows.starts))
        labels.append(chunk.labels)
    stacked = [
        csr_matrix((values, columns, starts), shape=(len(starts) - 1, width))
        for values, columns, starts in matrices
    ]
    from scipy.sparse import vstack

    return csr_matrix(vstack(stacked)), np.concatenate(labels)


def lines(saved: Saved, found: Certified) -> str:
    """One learner on one set, for people."""
    shown = "  ".join(
        f"{kind} {count / saved.rows:.2%}" for kind, count in saved.kinds.items()
    )
    return (
        f"{saved.data:13} {saved.learner[:34]:34} default "
        f"{saved.default / saved.rows:.2%} ({saved.ratio:.3f} of the best: {shown})  "
        f"certified {found.file:.2%} ({found.file / found.old_file:.3f} of 0.1), "
        f"arrays {found.array:.2%} ({found.array / found.old_array:.3f})"
    )


def summary(saved: list[Saved], certified: list[Certified]) -> str:
    """The figures beside their bars."""
    ratios = np.array([one.ratio for one in saved])
    files = np.array([one.file / one.old_file for one in certified])
    arrays = np.array([one.array / one.old_array for one in certified])
    worst = saved[int(np.argmax(ratios))]
    loose = certified[int(np.nanargmax(files))]
    return f"""
default over the best kind: mean {ratios.mean():.4f} (bar {MEAN_BAR}), worst
  {ratios.max():.3f} on {worst.data}, {worst.learner} (bar {EACH_BAR})
certificate over version 0.1, files: mean {np.nanmean(files):.3f} (bar {RATIO_BAR}),
  worst {np.nanmax(files):.3f} on {loose.data}, {loose.learner} (bar {LOOSER_BAR})
the same of arrays: mean {np.nanmean(arrays):.3f}, worst {np.nanmax(arrays):.3f}"""


def command_line() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.saved")
    parser.add_argument("--data", default=os.environ.get("REGRETLESS_DATA", "data"))
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--json")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
