"""``python -m benchmarks.coverage [--runs N] [--only PATH] [--delta D]``: who misses.

Every run draws rows from a distribution of its own, over few points with known
probabilities. So the true risk of any model is a sum, ::

    risk = sum over (x, y) of p(x, y) [the model errs on (x, y)]

and a certificate at delta (20%) is a miss where its value is below the risk of the very
hypothesis that it is about. Where several are claimed to hold at once, one that is
missed is a miss. A run without a certificate (a false alarm of the test of
exchangeability) is none. Misses may exceed delta by chance: `most` is what a
Binomial(runs, delta) exceeds with probability 1%.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from scipy.stats import binom

import regretless as rg
from regretless.certify import clopper_pearson
from regretless.cli import main as command_line
from regretless.data import open_source, taken
from regretless.data.sealed_rows import SealedSample
from regretless.engine.hypotheses.classes import wrong_classes
from regretless.errors import NotCertified
from regretless.runs.session import Session

DELTA = 0.2
ROWS = 240
POINTS, WIDTH = 2_000, 4  # so many that few rows have copies
READINGS = range(30, ROWS + 1, 30)  # rounds at which a run may be stopped
SEAL = 0.3
GROUPS = 100
HELD = 40  # sealed events that there is room for


class Claim(NamedTuple):
    """What a certificate says, and what is true; None where nothing is certified."""

    value: float | None
    truth: float

    @property
    def missed(self) -> bool:
        """Whether it is false."""
        return self.value is not None and self.truth > self.value


class World:
    """A distribution of rows: points, and the probability of every label at each.

    Parameters
    ----------
    rng : Generator
        For the distribution, and for the rows that are drawn from it.
    classes : int
        The number of labels, which are 0, 1, ...
    points : array or None
        The points; None: drawn from a Gaussian.
    """

    def __init__(
        self, rng: np.random.Generator, classes: int = 2, points: Any = None
    ) -> None:
        self.rng = rng
        self.points = rng.normal(size=(POINTS, WIDTH)) if points is None else points
        m, width = self.points.shape
        best = (self.points @ rng.normal(size=(width, classes))).argmax(axis=1)
        noise = rng.uniform(0.02, 0.3)
        labels = np.full((m, classes), noise / (classes - 1))
        labels[np.arange(m), best] = 1.0 - noise
        self.p = rng.dirichlet(np.ones(m))[:, None] * labels

    def draw(self, n: int = ROWS) -> tuple[Any, Any]:
        """Rows and labels."""
        cells = self.rng.choice(self.p.size, n, p=self.p.ravel())
        return self.points[cells // self.p.shape[1]], cells % self.p.shape[1]

    def events(self, n: int = ROWS) -> Iterator[Any]:
        """The same as pairs that come once."""
        X, y = self.draw(n)
        return iter(list(zip(X, y.tolist(), strict=True)))

    def risk(self, model: Any) -> float:
        """The true error of a model; a tie, or a label that it never met, is one."""
        if not model.many:
            return self.linear(model.weights, model.bias - model.threshold)[0]
        scores, risk = model.scores(self.points), 0.0
        places = {label: k for k, label in enumerate(model.classes)}
        for label in range(self.p.shape[1]):
            target = places.get(label, scores.shape[1])
            wrong = wrong_classes(scores, np.full(len(scores), float(target)))
            risk += self.p[wrong, label].sum()
        return risk

    def linear(self, weights: Any, shift: float = 0.0) -> Any:
        """The true error of every row of weights."""
        scores = np.atleast_2d(weights) @ self.points.T + shift
        return (scores >= 0.0) @ self.p[:, 0] + (scores <= 0.0) @ self.p[:, 1]

    def hinge(self, weights: Any) -> float:
        """The true mean hinge loss of weights."""
        scores = self.points @ weights
        losses = np.maximum(0.0, 1.0 + np.outer(scores, [1.0, -1.0]))
        return float((self.p * losses).sum())


def of_model(world: World, model: Any) -> Claim:
    """What a model's certificate says about the model itself."""
    found = model.certificate
    return Claim(None if found is None else found.value, world.risk(model))


# The paths. Each is one run, and the claims that are made to hold at once.


def ends(world: World) -> Iterator[Claim]:
    """An array: the validated model, Clopper-Pearson at the preset length."""
    yield of_model(world, rg.play(rg.Perceptron(), *world.draw()).model(*VALIDATED))


def stops(world: World) -> Iterator[Claim]:
    """Read after every 30 rows, as if somebody stopped there: all at once."""
    for run in _readings(world):
        yield of_model(world, run.model(*VALIDATED))


def randomized(world: World) -> Iterator[Claim]:
    """run.certificate() read after every 30 rows: all at once."""
    runs = list(_readings(world, trace=True))
    risks = world.linear(runs[-1].weight_path[:-1])
    for run in runs:
        value: float | None = None
        with suppress(NotCertified):
            value = run.certificate(DELTA).value
        yield Claim(value, risks[: run.rounds].mean())


def snapshots(world: World) -> Iterator[Claim]:
    """All weights frozen in a stream of unknown length, to its end: all at once."""
    yield from _frozen(world, means=False)


def half_means(world: World) -> Iterator[Claim]:
    """The same of the frozen means of the last half."""
    yield from _frozen(world, means=True)


def half_mean_hinge(world: World) -> Iterator[Claim]:
    """model("last-half") of OGD in a ball: its mean hinge loss, by convexity."""
    world.points /= np.linalg.norm(world.points, axis=1, keepdims=True)
    learner = rg.OGD(radius=2.0, max_norm=1.0, step=rg.InverseSqrt(1.0))
    model = rg.play(learner, *world.draw()).model("last-half", DELTA)
    found = model.certificate
    yield Claim(None if found is None else found.value, world.hinge(model.weights))


def seal(world: World) -> Iterator[Claim]:
    """An array with sealed rows: the last model itself."""
    run = rg.play(rg.Perceptron(), *world.draw(), seal=SEAL)
    yield of_model(world, run.model(None, DELTA))


def seal_with_eviction(world: World) -> Iterator[Claim]:
    """A stream with more sealed events than there is room for."""
    small = partial(SealedSample, most=HELD)
    with patch("regretless.runs.sealing.SealedSample", small):
        run = rg.play(rg.Perceptron(), world.events(), seal=SEAL)
        model = run.model(None, DELTA)
    assert model.certificate is None or model.certificate.n <= HELD
    yield of_model(world, model)


def seal_by_group(world: World) -> Iterator[Claim]:
    """Groups of one point each, of 1 to 6 rows: the mean error rate of a group."""
    rng, at = world.rng, world.p.sum(axis=1)
    points = rng.choice(POINTS, GROUPS, p=at)
    users = rng.permutation(np.repeat(np.arange(GROUPS), 1 + points % 6))
    where = points[users]
    y = (rng.random(where.size) < (world.p[:, 1] / at)[where]).astype(int)
    run = rg.play(rg.Perceptron(), world.points[where], y, seal=SEAL, group=users)
    yield of_model(world, run.model(None, DELTA))


def seal_after_passes(world: World) -> Iterator[Claim]:
    """``train --seal 30% --passes 3``: the saved model."""
    _written(*world.draw())
    arguments = ["train", "rows.svm", "-l", "perceptron", "--delta", str(DELTA)]
    arguments += ["--seal", str(SEAL), "--passes", "3", "-o", "m.rgl", "--json"]
    with redirect_stdout(io.StringIO()) as shown:
        assert command_line(arguments) == 0
    assert len(json.loads(shown.getvalue())["later_passes"]) == 2
    yield of_model(world, rg.load("m.rgl"))


def amounts(world: World) -> Iterator[Claim]:
    """Sealed rows of amounts: the mean squared error, large ones cut."""
    model, errors = _amounts(world)
    found = model.certificate
    yield Claim(
        found.value, float((world.p * np.minimum(errors, found.cut) ** 2).sum())
    )


def amount_quantiles(world: World) -> Iterator[Claim]:
    """The share of errors that are larger than a certified quantile (one of two)."""
    model, errors = _amounts(world)
    found = model.certificate.within
    share, most = found[world.rng.integers(len(found))]
    yield Claim(1.0 - share, float(world.p[errors > most].sum()))


def intervals(world: World) -> Iterator[Claim]:
    """Frozen 80% intervals, certified by sealed rows: the share outside of them."""
    X, y, values = _heavy(world)
    run = rg.play(rg.intervals(rg.RegressionPanel(), 0.8), X, y, seal=SEAL)
    model = run.model(None, DELTA)
    low, high = model.predict_interval(world.points).T[:, :, None]
    found = run.set_certificate(model, DELTA)
    outside = (values < low) | (values > high)
    yield Claim(found and found.value, float(world.p[outside].sum()))


def class_sets(world: World) -> Iterator[Claim]:
    """Frozen 80% sets of four classes, certified by fresh rows: the share outside."""
    world = World(world.rng, classes=4)
    learner = rg.OneVersusRest(rg.OGD(rg.Logistic()))
    model = rg.play(rg.intervals(learner, 0.8), *world.draw()).model("last")
    inside = model.predict_set(world.points)[:, np.argsort(model.classes)]
    found = model.certify_sets(*world.draw(), delta=DELTA)
    yield Claim(found.value, float(world.p[~inside].sum()))


def _amounts(world: World) -> tuple[Any, Any]:
    """A model of heavy-tailed amounts, and its error at every point and label."""
    X, y, values = _heavy(world)
    model = rg.play(rg.RegressionPanel(), X, y, seal=SEAL).model(None, DELTA)
    return model, np.abs(values - model.scores(world.points)[:, None])


def _heavy(world: World) -> tuple[Any, Any, Any]:
    """Rows with heavy-tailed amounts; and the amount of every point and label."""
    signal = world.points @ world.rng.normal(size=WIDTH)
    tails = world.rng.standard_t(2.0, size=world.p.shape)
    cells = world.rng.choice(world.p.size, ROWS, p=world.p.ravel())
    values = signal[:, None] + tails
    return world.points[cells // world.p.shape[1]], values.ravel()[cells], values


def by_class(world: World) -> Iterator[Claim]:
    """``train --seal``: the rate of false positives, at the threshold 0."""
    return _point(world, None, "false positives")


def misses_by_class(world: World) -> Iterator[Claim]:
    """The same of false negatives."""
    return _point(world, None, "false negatives")


def log_loss(world: World) -> Iterator[Claim]:
    """The same of the log loss, clipped to a range."""
    return _point(world, None, "log loss")


def recall(world: World) -> Iterator[Claim]:
    """``--threshold recall=0.8``: an order statistic of the sealed positives."""
    return _point(world, "recall=0.8", "false negatives")


def recall_negatives(world: World) -> Iterator[Claim]:
    """The same threshold: the rate of false positives there."""
    return _point(world, "recall=0.8", "false positives")


def precision(world: World) -> Iterator[Claim]:
    """``--threshold precision=0.8``, chosen on learned rows: false alarms."""
    return _point(world, "precision=0.8", "false alarms")


def cost(world: World) -> Iterator[Claim]:
    """``--threshold cost:fp=1,fn=5``, chosen on learned rows: the cost of a row."""
    return _point(world, "cost:fp=1,fn=5", "cost")


def weights(world: World) -> Iterator[Claim]:
    """Importance weights that depend on the row: every row counts once."""
    X, y = world.draw()
    importance = np.where(y == 1, 5.0, 0.2) * (1.0 + np.abs(X[:, 0]))
    events = list(zip(X, y.tolist(), importance.tolist(), strict=True))
    yield of_model(world, rg.play(rg.Perceptron(), events).model(*VALIDATED))


def many_learners(world: World) -> Iterator[Claim]:
    """Five learners in one pass, each at delta/5: all at once."""
    learners = [rg.Perceptron(), *(_ogd(eta) for eta in (0.01, 0.1, 0.5, 3.0))]
    kept = ("validated",)
    runs = rg.play(learners, *world.draw(), models=kept)
    for run in runs:
        yield of_model(world, run.model("validated", DELTA / len(learners)))


def many_classes(world: World) -> Iterator[Claim]:
    """MulticlassPerceptron and four classes: the validated model."""
    world = World(world.rng, classes=4)
    run = rg.play(rg.MulticlassPerceptron(), *world.draw())
    yield of_model(world, run.model(*VALIDATED))


def many_classes_sealed(world: World) -> Iterator[Claim]:
    """The same with sealed rows: the last model itself."""
    world = World(world.rng, classes=4)
    run = rg.play(rg.MulticlassPerceptron(), *world.draw(), seal=SEAL)
    yield of_model(world, run.model(None, DELTA))


def skipped_rows(world: World) -> Iterator[Claim]:
    """Winnow refuses some points of a file: each such row is an error."""
    points = world.rng.integers(0, 2, size=(POINTS, 6)).astype(float)
    points[:4, 0] = -1.0  # about a tenth of the rows
    world = World(world.rng, points=points)
    _written(*world.draw())
    run = rg.play(
        rg.Winnow(n_features=6), "rows.svm", options=rg.ReadOptions(on_bad_rows="skip")
    )
    model = run.model(*VALIDATED)
    assert run.rounds + run.refused == ROWS
    scores = world.points @ model.weights + model.bias - model.threshold
    truth = world.p[scores >= 0.0, 0].sum() + world.p[scores <= 0.0, 1].sum()
    right = scores[:4, None] * [-1.0, 1.0] > 0.0
    found = model.certificate
    yield Claim(
        None if found is None else found.value,
        truth + (world.p[:4] * right).sum(),
    )


def control(world: World) -> Iterator[Claim]:
    """No certificate of ours: Clopper-Pearson of the last model on its own rows."""
    world = World(world.rng, points=world.rng.normal(size=(400, 100)))
    X, y = world.draw()
    run = rg.play(rg.Perceptron(), np.tile(X, (5, 1)), np.tile(y, 5))
    wrong = int((np.where(y == 1, 1, -1) * (X @ run.weights) <= 0.0).sum())
    value = clopper_pearson(ROWS, wrong, DELTA)
    yield Claim(value, world.linear(run.weights)[0])


VALIDATED = ("validated", DELTA)
PATHS: dict[str, Callable[[World], Iterator[Claim]]] = {
    "ends": ends,
    "stops": stops,
    "randomized": randomized,
    "snapshots": snapshots,
    "half-means": half_means,
    "half-mean, hinge": half_mean_hinge,
    "seal": seal,
    "seal with eviction": seal_with_eviction,
    "seal by group": seal_by_group,
    "seal after passes": seal_after_passes,
    "amounts": amounts,
    "amounts, quantiles": amount_quantiles,
    "intervals": intervals,
    "sets of classes": class_sets,
    "false positives": by_class,
    "false negatives": misses_by_class,
    "log loss": log_loss,
    "recall threshold": recall,
    "recall, false positives": recall_negatives,
    "precision threshold": precision,
    "cost threshold": cost,
    "weights": weights,
    "many learners": many_learners,
    "many classes": many_classes,
    "many classes, seal": many_classes_sealed,
    "skipped rows": skipped_rows,
    "control (must miss)": control,
}


def _point(world: World, goal: str | None, name: str) -> Iterator[Claim]:
    """One certificate of the operating point of a saved model, and the truth."""
    _written(*world.draw())
    arguments = ["train", "rows.svm", "-l", "ogd loss=logistic step=0.5", "--quiet"]
    arguments += ["--delta", str(DELTA), "--seal", str(SEAL), "-o", "m.rgl"]
    arguments += [] if goal is None else ["--threshold", goal]
    with redirect_stderr(io.StringIO()) as said:
        code = command_line(arguments)
    if code:  # too few rows for such a promise, or none is that precise
        assert "--threshold" in said.getvalue()
        yield Claim(None, 0.0)
        return
    model = rg.load("m.rgl")
    point = model.operating_point
    if point is None or name not in point.certificates:
        yield Claim(None, 0.0)
        return
    scores = world.points @ model.weights + model.bias - model.threshold
    yield Claim(point.certificates[name].value, _truth(world, scores, point, name))


def _truth(world: World, scores: Any, point: Any, name: str) -> float:
    """The true rate, cost or loss of a threshold."""
    down, up = world.p[:, 0], world.p[:, 1]
    flags = scores > point.threshold
    wrong, missed = down[flags].sum(), up[~flags].sum()
    if name == "log loss":
        losses = np.logaddexp(0.0, np.outer(scores, [1.0, -1.0]))
        return float((world.p * np.minimum(losses, -np.log(0.01))).sum())
    return {
        "false positives": wrong / down.sum(),
        "false negatives": missed / up.sum(),
        "false alarms": wrong / max(world.p[flags].sum(), 1e-300),
        "cost": wrong + 5.0 * missed,
    }[name]


def _readings(world: World, *, trace: bool = False) -> Iterator[Any]:
    """The runs of one game, as somebody sees them who looks after every 30 rows."""
    source = open_source(*world.draw(), binary=True)
    kinds = ("validated",)
    game = Session(rg.Perceptron(), source, models=kinds, trace=trace)
    game.length = None  # nobody has said how long it will be
    whole = next(iter(source.batches()))
    for end in READINGS:
        game.take(taken(whole, np.arange(end - READINGS.step, end)))
        yield game.run()


def _frozen(world: World, *, means: bool) -> Iterator[Claim]:
    """The bounds of what a stream has frozen, each at its share of delta."""
    run: Any = rg.play(rg.Perceptron(), world.events())
    model = run.model(*VALIDATED)
    if model.certificate is None:
        yield Claim(None, 0.0)
        return
    kept: Any = run.recorder.snapshots
    bounds: list[float] = []
    for one in kept.held:
        if not one.rounds or 10 * one.position > 9 * run.rounds:
            continue  # these do not count
        bounds.append(clopper_pearson(one.rounds, one.errors, model.certificate.spent))
        if (one.start is not None) == means:
            yield Claim(bounds[-1], world.linear(kept.hypothesis(one).weights())[0])
    assert min(bounds) == model.certificate.value


def _ogd(eta: float) -> Any:
    return rg.OGD(step=rg.Constant(eta))


def _written(X: Any, y: Any) -> None:
    """The rows as a file."""
    lines = (
        f"{2 * label - 1} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x))
        for x, label in zip(X.tolist(), y.tolist(), strict=True)
    )
    Path("rows.svm").write_text("\n".join(lines) + "\n")


class Counted(NamedTuple):
    """The misses of one path, and the runs in which nothing was certified."""

    runs: int
    misses: int
    uncertified: int

    @property
    def most(self) -> int:
        """Misses that are exceeded with probability 1% where delta is true."""
        return int(binom.ppf(0.99, self.runs, DELTA))


def counted(name: str, runs: int, seed: int = 0) -> Counted:
    """Run a path so many times."""
    misses = uncertified = 0
    for run in range(runs):
        rng = np.random.default_rng([seed, run, *name.encode()])
        claims = list(PATHS[name](World(rng)))
        misses += any(claim.missed for claim in claims)
        uncertified += all(claim.value is None for claim in claims)
    return Counted(runs, misses, uncertified)


def _set_delta(delta: float) -> None:
    """Let every path claim with this delta."""
    global DELTA, VALIDATED
    DELTA, VALIDATED = delta, ("validated", delta)


def main() -> int:
    """Print the table; 1 where a path misses too often."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--only", choices=PATHS, metavar="PATH")
    parser.add_argument("--delta", type=float, default=DELTA)
    given = parser.parse_args()
    _set_delta(given.delta)
    bad = False
    print("| path | runs | misses | share | most | no certificate | CPU s |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name in PATHS if given.only is None else [given.only]:
            began = time.process_time()
            found = counted(name, given.runs)
            row = (
                name,
                found.runs,
                found.misses,
                f"{found.misses / found.runs:.1%}",
                found.most,
                found.uncertified,
                f"{time.process_time() - began:.1f}",
            )
            print("|", " | ".join(map(str, row)), "|", flush=True)
            bad |= found.misses > found.most and PATHS[name] is not control
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main())
