"""Forty-three small runs over all kinds of learners, sources and options.

`python tests/recorded/record.py NAME ...` writes down what they give.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from scipy import sparse

import regretless as rg
from golden import make
from recorded.outcomes import (
    about_arrays,
    about_certificate,
    about_estimator,
    about_model,
    about_run,
    digest,
)
from regretless.cli import main
from regretless.runs import watchers

ROUNDS = 200
HASHED = ("--bits", "8")
Record = dict[str, Any]
RUNS: dict[str, Callable[[], Record]] = {}
"""From the name of a run to the function that plays it, in the folder of the files."""


def files(folder: Path) -> None:
    """The files that the runs read: the golden tables, and the same in more formats."""
    make.data(folder)
    lines = (folder / "two.csv").read_text().splitlines()
    names, *rows = (line.split(",") for line in lines)
    table = [dict(zip(names, row, strict=True)) for row in rows]
    plain = [
        {
            "size": float(row["size"]),
            "colour": row["colour"],
            "flag": row["flag"] == "true",
            "seen": float(row["seen"]) if row["seen"] else None,
            "label": row["label"],
        }
        for row in table
    ]
    text = "".join(json.dumps(row) + "\n" for row in plain)
    (folder / "two.jsonl").write_text(text)
    pa.parquet.write_table(pa.Table.from_pylist(plain), folder / "two.parquet")
    vw = "".join(
        f"{1 if row['label'] == 'yes' else -1} |a size:{row['size']} "
        f"|b colour={row['colour']} flag={row['flag']}\n"
        for row in plain
    )
    (folder / "two.vw").write_text(vw)
    bad = (folder / "two.svm").read_text().splitlines()
    bad[20:20] = ["+1 1:nan", "+1 2:x"]
    (folder / "bad.svm").write_text("\n".join(bad) + "\n")


def rows(width: int = 5) -> Any:
    """Rows of numbers, some of them zero."""
    X = np.random.default_rng(11).normal(size=(ROUNDS, width)).round(3)
    X[np.random.default_rng(12).random(X.shape) < 0.3] = 0.0
    return X


def sides(X: Any) -> Any:
    """Labels -1 and +1 that a line nearly separates."""
    noise = 0.3 * np.random.default_rng(13).normal(size=len(X))
    return np.where(X[:, 0] - X[:, 1] + noise > 0, 1, -1)


def amounts(X: Any) -> Any:
    """Numbers to be predicted."""
    return X @ np.arange(1.0, X.shape[1] + 1) / 4 + sides(X)


def colors(X: Any) -> list[str]:
    """Three classes."""
    level = X[:, 0] - X[:, 1]
    return [("red", "green", "blue")[int(a > -0.4) + int(a > 0.6)] for a in level]


def events() -> Iterator[tuple[dict[str, float], int]]:
    """The rows as dicts, with labels 0 and 1."""
    X = rows()
    for row, side in zip(X.tolist(), sides(X), strict=True):
        yield {f"x{j}": x for j, x in enumerate(row) if x}, int(side > 0)


def play(
    learner: Any,
    X: Any,
    y: Any,
    kinds: Iterable[str | None] = ("last",),
    hindsight: bool = False,
    **options: Any,
) -> Record:
    """A game over arrays, and the models of it."""
    run = rg.play(learner, X, y, **options)
    found = about_run(run, hindsight=hindsight)
    for kind in kinds:
        found[f"model {kind}"] = about_model(run.model(kind), X)
    return found


def binary(
    learner: Any, form: Any = np.asarray, **options: Any
) -> Callable[[], Record]:
    """A classifier over the rows, in this form."""
    return lambda: play(learner, form(rows()), sides(rows()), **options)


def real(learner: Any, form: Any = np.asarray, **options: Any) -> Callable[[], Record]:
    """A learner of numbers over the rows, in this form."""
    return lambda: play(learner, form(rows()), amounts(rows()), **options)


def boxed(X: Any) -> Any:
    """The rows with entries between 0 and 1."""
    return (X > 0).astype(float)


def bounded(X: Any) -> Any:
    """The rows with entries between -1 and 1."""
    return np.clip(X, -1.0, 1.0)


RUNS["perceptron"] = binary(
    rg.Perceptron(), trace=True, kinds=("last", "vote", "random"), hindsight=True
)
RUNS["p-norm perceptron"] = binary(rg.PNormPerceptron(), hindsight=True)
RUNS["winnow"] = binary(rg.Winnow(), boxed)
RUNS["balanced winnow"] = binary(rg.BalancedWinnow(0.3), bounded)
RUNS["normalized winnow"] = binary(rg.NormalizedWinnow(0.3), bounded)
RUNS["gradient descent, csr"] = binary(
    rg.OGD(rg.Logistic(), rg.InverseSqrt(2.0**0.5), domain=rg.Ball(1.0)),
    sparse.csr_array,
    kinds=("mean", "last-half", "validated"),
    hindsight=True,
)
RUNS["exponentiated gradient"] = binary(
    rg.EG(rg.Logistic(), rg.Adaptive(1.0), 3.0, True), bounded
)
RUNS["adagrad"] = binary(rg.AdaGrad(rg.Hinge()), kinds=(None,))
RUNS["ftrl-proximal"] = binary(rg.FTRLProximal(0.5, 1.0, 0.4, 0.1, loss=rg.Logistic()))
RUNS["coin betting"] = binary(rg.CoinBetting(rg.Logistic(), max_norm=9.0))
RUNS["pegasos"] = binary(rg.Pegasos(0.1), kinds=("last-half",))
RUNS["passive-aggressive"] = real(rg.PassiveAggressive(0.5, epsilon=0.2))
RUNS["online newton step"] = binary(rg.ONS(rg.Logistic(), 2.0, 3.0))
RUNS["arow"] = binary(rg.AROW(0.7))
RUNS["vovk-azoury-warmuth"] = real(rg.VAW(0.5), hindsight=True)
RUNS["second-order perceptron"] = binary(rg.SecondOrderPerceptron(2.0))
RUNS["kernel perceptron"] = binary(rg.KernelPerceptron(rg.RBF(0.5), budget=20))
RUNS["panel"] = binary(rg.Panel(), kinds=(None, "last"))
RUNS["panel, csr, sealed"] = binary(
    rg.Panel(), sparse.csr_array, kinds=(None,), seal=0.2, seal_seed=1
)
RUNS["panel without a forest"] = binary(rg.Panel(forest=False), kinds=(None, "last"))
RUNS["regression panel"] = real(rg.RegressionPanel(), kinds=(None,))
RUNS["linear regression panel"] = real(rg.RegressionPanel(forest=False), kinds=(None,))


def many_classes(learner: Any) -> Callable[[], Record]:
    """A learner of three classes."""
    return lambda: play(learner, rows(), colors(rows()), kinds=(None,))


RUNS["multiclass perceptron"] = many_classes(rg.MulticlassPerceptron())
RUNS["one-versus-rest"] = many_classes(
    rg.OneVersusRest(rg.AdaGrad(rg.Logistic(), implicit=True, scale="rms"))
)
RUNS["multiclass panel"] = many_classes(rg.Panel())
RUNS["multiclass panel without a forest"] = many_classes(rg.Panel(forest=False))


def experts(learner: Any, what: str, **options: Any) -> Callable[[], Record]:
    """A game of four experts: their losses, votes or predictions."""

    def run() -> Record:
        X, y = rows(4), sides(rows(4))
        given = {
            "losses": {"losses": np.clip(np.abs(X), 0.0, 1.0)},
            "votes": {"X": (X > 0).astype(int), "y": (y > 0).astype(int)},
            "predictions": {"X": np.clip(X, 0, 1), "y": (y > 0).astype(float)},
        }[what]
        return about_run(rg.play(learner, **given, **options), hindsight=True)

    return run


RUNS["hedge"] = experts(rg.Hedge(), "losses", trace=True)
RUNS["fixed share"] = experts(rg.FixedShare(0.5, 0.05), "losses")
RUNS["weighted majority"] = experts(rg.WeightedMajority(0.5), "votes")
RUNS["bernstein experts"] = experts(rg.BOA(), "predictions", loss=rg.Squared())


def _leader() -> Record:
    return about_run(rg.play(rg.FollowTheLeader(), y=boxed(rows())[:, 0]))


def _mixture() -> Record:
    learner = rg.Mixture([rg.Perceptron(), rg.AROW(0.7)])
    run = rg.play(learner, rows(), sides(rows()))
    return {
        "weights": digest(run.weights),
        "ledger": {"mistakes": run.mistakes, "loss": run.loss},
        "certificate": about_certificate(run.certificate()),
        "members": [about_run(member) for member in run.members],
    }


def _many() -> Record:
    learners = [rg.OGD(rg.Hinge(), rg.Constant(eta)) for eta in (0.1, 0.5, 1.0)]
    runs = rg.play([*learners, rg.Perceptron()], rows(), sides(rows()))
    found = {f"run {k}": about_run(run) for k, run in enumerate(runs)}
    return {**found, "model": about_model(runs.model("last"), rows())}


def _classifier() -> Record:
    fitted = rg.sklearn.AdaGradClassifier(passes=2, shuffle=False).fit(
        rows(), sides(rows())
    )
    fitted.partial_fit(rows()[:50], sides(rows())[:50])
    return about_estimator(fitted, rows())


def _class_estimator() -> Record:
    fitted = rg.sklearn.PerceptronClassifier(shuffle=False).fit(rows(), colors(rows()))
    return about_estimator(fitted, rows())


def _regressor() -> Record:
    fitted = rg.sklearn.RegressionPanelRegressor(shuffle=False).fit(
        rows(), amounts(rows())
    )
    return about_estimator(fitted, rows())


def _live() -> Record:
    learner = rg.Perceptron(bias=True)
    for x, y in events():
        learner.learn_one(x, y)
    found = about_run(rg.events.run(learner))
    model = learner.snapshot()
    return {**found, "model": about_model(model, [x for x, _ in events()])}


def _late() -> Record:
    learner = rg.AdaGrad(rg.Hinge())
    progress = rg.events.progressive(learner, rg.events.delayed(events(), 7))
    found = {"mistakes": progress.mistakes, "loss": progress.loss}
    said = about_certificate(progress.run().certificate())
    return {
        "ledger": found,
        "certificate": said,
        "run": about_run(rg.events.run(learner)),  # late labels: it certifies nothing
    }


RUNS["follow the leader"] = _leader
RUNS["mixture"] = _mixture
RUNS["many learners"] = _many
RUNS["estimator, passes, partial_fit"] = _classifier
RUNS["estimator of classes"] = _class_estimator
RUNS["estimator of numbers"] = _regressor
RUNS["events"] = _live
RUNS["events with late labels"] = _late


def train(file: str, learner: str, *options: str) -> Record:
    """A training on the command line, and what its model predicts."""
    clean = "two.svm" if file == "bad.svm" else file
    return _trained(clean, [file, "-l", learner, *options])


def _trained(file: str, arguments: list[str]) -> Record:
    with redirect_stdout(StringIO()) as out:
        code = main(["train", *arguments, "-o", "recorded.rgl", "--json"])
    if code != 0:
        raise RuntimeError(f"{arguments}: exit code {code}: {out.getvalue()}")
    found = json.loads(out.getvalue())
    counts = {"rows": found["rows"], "skipped": found["skipped"]["count"]}
    curve = np.array(list(found["ledger"]["curve"].values())).T
    ledger = {**found["ledger"], "curve": digest(curve)}
    predicted = make.predictions("recorded.rgl", file)
    return {
        "ledger": {**counts, **ledger},
        "arrays": about_arrays("recorded.rgl"),
        "predictions": digest([row["prediction"] for row in predicted]),
        "scores": digest([row["score"] for row in predicted]),
        "certificate": about_certificate(rg.load("recorded.rgl").certificate),
    }


class KilledError(BaseException):
    """Nothing catches this: as if the process were gone."""


def killed_after(batches: int) -> Any:
    """Let the process end right after so many batches were learned."""
    original = watchers.Checkpointer.after
    seen = 0

    def after(self: Any, batch: Any, scores: Any, game: Any) -> None:
        nonlocal seen
        original(self, batch, scores, game)
        seen += 1
        if seen == batches:
            raise KilledError

    return mock.patch.object(watchers.Checkpointer, "after", after)


def _resumed() -> Record:
    saving = ["--checkpoint", "recorded.ckpt", "--every", "50rows"]
    arguments = ["two.csv", "-l", "adagrad scale=rms", *saving, *HASHED, "--quiet"]
    with killed_after(4), suppress(KilledError):
        main(["train", *arguments])
    return _trained("two.csv", ["--resume", "recorded.ckpt"])


RUNS["libsvm, bad rows skipped"] = lambda: train(
    "bad.svm", "perceptron bias=true", "--on-bad-rows", "skip"
)
RUNS["vw, hashed"] = lambda: train("two.vw", "perceptron", *HASHED, "-q", "ab")
RUNS["csv with words, passes, holdout"] = lambda: train(
    "two.csv", "adagrad scale=rms", "--passes", "2", "--holdout", "5", *HASHED
)
RUNS["tsv with text"] = lambda: train("text.tsv", "panel", "--text", "message", *HASHED)
RUNS["json lines, class weights"] = lambda: train(
    "two.jsonl", "adagrad scale=rms", "--class-weight", "yes=3"
)
RUNS["parquet, sealed"] = lambda: train(
    "two.parquet", "panel", "--seal", "20%", "--seal-seed", "1", *HASHED
)
RUNS["checkpoint, resumed"] = _resumed
