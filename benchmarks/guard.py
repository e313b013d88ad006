"""``python -m benchmarks.guard [--runs 200] [--only NAME] [--entrance NAME]``.

Whether anything false is said at any entrance: entrances x adversities, each bound
compared with the error on fresh rows, at delta = 20%. A cell shows the share of false
ones among the bounds without a caution, how many of these there are, and in how many
runs there was a caution (c) or no bound at all (-). ``!``: more are false than delta
allows, beyond chance.

``python -m benchmarks.guard --change``: the power of the test of change and its false
alarms. ``--retried``: how often retried rows are noticed. ``--cost``: what the guard
costs.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binom

import regretless as rg
from regretless import sklearn
from regretless.cli import main as command
from regretless.data import FileSource
from regretless.errors import NotCertified
from regretless.evidence.fingerprints import Fingerprints
from regretless.parts.rows import Dense

from .adversities import ADVERSITIES, NOT_TOLD, ROWS, World

DELTA = 0.2
SURE = 0.999  # of a cell that is called false


class Said(NamedTuple):
    """What an entrance said: a bound, the truth, and whether there was a caution."""

    bound: float | None
    truth: float = 0.0
    caution: bool = False


def _fast() -> Any:
    """A learner that memorizes what it sees often."""
    return rg.Panel()


def _said(certificate: Any, error: Callable[[], float]) -> Said:
    if certificate is None:
        return Said(None)
    return Said(certificate.value, error(), bool(certificate.cautions))


def _error(world: World, predict: Callable[[Any], Any]) -> float:
    X, y = world.fresh()
    return float(np.mean(predict(X) != y))


def _of_model(world: World, model: Any) -> Said:
    return _said(model.certificate, lambda: _error(world, model.predict))


def randomized(world: World) -> Said:
    """``run.certificate()`` of arrays: the mean risk of all that predicted."""
    run = rg.play(rg.Perceptron(), world.X, world.y)
    try:
        found = run.certificate(DELTA)
    except NotCertified:
        return Said(None)
    path = rg.play(rg.Perceptron(), world.X, world.y, trace=True)
    some = path.weight_path[: run.rounds : 50]
    X, y = world.fresh()
    wrong = np.mean(y[:, None] * (X @ some.T) <= 0.0)
    return Said(found.value, float(wrong), bool(found.cautions))


def default_model(world: World) -> Said:
    """``run.model()``: its certificate is of a copy, taken on the way."""
    run = rg.play(_fast(), world.X, world.y)
    beside = run.model(delta=DELTA).certificate
    copy = run.model("validated", DELTA)
    return _said(beside, lambda: _error(world, copy.predict))


def validated(world: World) -> Said:
    """``run.model("validated")``."""
    return _of_model(
        world, rg.play(_fast(), world.X, world.y).model("validated", DELTA)
    )


def vote(world: World) -> Said:
    """``run.model("vote")`` of a Perceptron."""
    run = rg.play(rg.Perceptron(), world.X, world.y, models=["vote"])
    return _of_model(world, run.model("vote", DELTA))


def sealed(world: World) -> Said:
    """``play(..., seal=)``."""
    return _of_model(
        world, rg.play(_fast(), world.X, world.y, seal=0.1).model(None, DELTA)
    )


def held_out(world: World) -> Said:
    """``play(..., holdout=)``."""
    run = rg.play(_fast(), world.X, world.y, holdout=10)
    return _of_model(world, run.model(None, DELTA))


def threshold(world: World) -> Said:
    """``threshold="recall=0.9"`` with a seal: the promised recall, as a bound."""
    run = rg.play(_fast(), world.X, world.y, seal=0.2, threshold="0.4")
    model = run.model(None, DELTA)
    return _of_model(world, model)


def sets(world: World) -> Said:
    """The prediction sets of a frozen model: how often they miss."""
    run = rg.play(rg.intervals(_fast(), level=0.8), world.X, world.y, seal=0.2)
    model = run.model(None, DELTA)
    found = run.set_certificate(model, DELTA)
    if found is None:
        return Said(None)
    X, y = world.fresh()
    labels = [model.classes.index(label) for label in y.tolist()]
    inside = np.asarray(model.predict_set(X))[np.arange(y.size), labels]
    return Said(found.value, float(1.0 - inside.mean()), bool(found.cautions))


def several(world: World) -> Said:
    """Two learners beside each other: the better one, at delta/2."""
    runs = rg.play([rg.Perceptron(), rg.AdaGrad()], world.X, world.y)
    model = runs.model("validated", DELTA)
    return _of_model(world, model)


def weighted(world: World) -> Said:
    """With class weights: every row still counts once."""
    run = rg.play(_fast(), world.X, world.y, class_weight={1: 3.0})
    return _of_model(world, run.model("validated", DELTA))


def events(world: World) -> Said:
    """``learn_one``, and ``learner.certificate()`` of what it said."""
    learner = rg.Perceptron()
    for x, y in zip(world.X.tolist(), world.y.tolist(), strict=True):
        event = dict(zip("abcdef", x, strict=True))
        learner.predict_one(event)
        learner.learn_one(event, y)
    try:
        found = learner.certificate(DELTA)
    except NotCertified:
        return Said(None)
    return randomized(world)._replace(bound=found.value, caution=bool(found.cautions))


def late(world: World) -> Said:
    """Labels that come 48 events late: what was said when it was asked."""
    learner = rg.Perceptron()
    stream = [
        (dict(zip("abcdef", x, strict=True)), y)
        for x, y in zip(world.X.tolist(), world.y.tolist(), strict=True)
    ]
    progress = rg.events.progressive(learner, rg.events.delayed(stream, 48))
    try:
        found = progress.run().certificate(DELTA)
    except NotCertified:
        return Said(None)
    fresh = randomized(world)
    return Said(found.value, fresh.truth, bool(found.cautions))


def _estimator(world: World, **options: Any) -> Said:
    kind = sklearn.PanelClassifier(delta=DELTA, **options).fit(world.X, world.y)
    try:
        found = kind.certificate_
    except AttributeError:
        return Said(None)
    return _said(found, lambda: _error(world, kind.predict))


def estimator(world: World) -> Said:
    """``PanelClassifier().fit``."""
    return _estimator(world)


def estimator_in_order(world: World) -> Said:
    """``PanelClassifier(shuffle=False).fit``."""
    return _estimator(world, shuffle=False)


def estimator_validated(world: World) -> Said:
    """``PanelClassifier(model="validated").fit``."""
    return _estimator(world, model="validated", shuffle=False)


def estimator_sealed(world: World) -> Said:
    """``PanelClassifier(seal=, passes=2).fit``."""
    return _estimator(world, seal=0.2, passes=2)


def partial_fit(world: World) -> Said:
    """``partial_fit`` in calls of 500 rows."""
    kind = sklearn.PanelClassifier(delta=DELTA)
    for at in range(0, len(world.y), 500):
        part = slice(at, at + 500)
        kind.partial_fit(world.X[part], world.y[part], classes=[-1, 1])
    try:
        found = kind.certificate_
    except AttributeError:
        return Said(None)
    return _said(found, lambda: _error(world, kind.predict))


def _write(path: Path, X: Any, y: Any) -> str:
    lines = (
        f"{t} " + " ".join(f"{j + 1}:{v:.6g}" for j, v in enumerate(x))
        for x, t in zip(X.tolist(), y.tolist(), strict=True)
    )
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def _train(*arguments: str) -> dict[str, Any] | None:
    """What ``train --json`` prints; None where it refuses."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        code = command([*arguments, "--json", "--delta", str(DELTA)])
    return json.loads(said.getvalue()) if code == 0 else None


def train(world: World) -> Said:
    """``regretless train FILES -o MODEL --model validated``."""
    with tempfile.TemporaryDirectory() as folder:
        here, cut = Path(folder), world.seam or len(world.y)
        files = [_write(here / "a.svm", world.X[:cut], world.y[:cut])]
        if world.seam:
            files.append(_write(here / "b.svm", world.X[cut:], world.y[cut:]))
        saved = str(here / "m.rgl")
        found = _train("train", *files, "--again", "-o", saved, "--model", "validated")
        assert found is not None
        return _of_model(world, rg.load(saved))


def train_on(world: World) -> Said:
    """``train -i``: tonight's file, with the state of last night."""
    with tempfile.TemporaryDirectory() as folder:
        here, cut = Path(folder), world.seam or len(world.y) * 6 // 10
        first, saved = str(here / "m1.rgl"), str(here / "m2.rgl")
        file = _write(here / "a.svm", world.X[:cut], world.y[:cut])
        options = ("--model", "validated")
        _train("train", file, "-o", first, "--resumable", *options)
        file = _write(here / "b.svm", world.X[cut:], world.y[cut:])
        found = _train("train", file, "-i", first, "-o", saved, *options, "--again")
        assert found is not None
        return _of_model(world, rg.load(saved))


ENTRANCES: dict[str, Callable[[World], Said]] = {
    one.__name__: one
    for one in (
        randomized,
        default_model,
        validated,
        vote,
        sealed,
        held_out,
        threshold,
        sets,
        several,
        weighted,
        events,
        late,
        estimator,
        estimator_in_order,
        estimator_validated,
        estimator_sealed,
        partial_fit,
        train,
        train_on,
    )
}


class Cell(NamedTuple):
    """What came of all runs of an entrance and an adversity."""

    false: int
    bounds: int
    cautions: int
    refused: int
    crashes: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether no more bounds are false than delta allows, beyond chance."""
        return not self.crashes and self.false <= binom.ppf(SURE, self.bounds, DELTA)

    def __str__(self) -> str:
        """As the table shows it."""
        share = f"{self.false / self.bounds:.0%}" if self.bounds else "."
        mark = "X" * bool(self.crashes) or "!" * (not self.good)
        return f"{share}{mark}/{self.bounds} c{self.cautions} -{self.refused}"


def cell(entrance: str, adversity: str, runs: int, rows: int = ROWS) -> Cell:
    """All runs of a cell."""
    false = bounds = cautions = refused = 0
    crashes: list[str] = []
    for run in range(runs):
        rng = np.random.default_rng([run, len(adversity), 77])
        try:
            said = ENTRANCES[entrance](ADVERSITIES[adversity](rng, rows))
        except Exception as problem:
            crashes.append(f"{type(problem).__name__}: {problem}")
            continue
        if said.bound is None:
            refused += 1
        elif said.caution:
            cautions += 1
        else:
            noise = math.sqrt(said.truth * (1.0 - said.truth) / 6_000)
            bounds += 1
            false += said.truth > said.bound + 1.5 * noise
    return Cell(false, bounds, cautions, refused, tuple(crashes))


def _one(job: tuple[str, str, int]) -> tuple[str, str, Cell]:
    return job[0], job[1], cell(*job)


def table(runs: int, entrances: list[str], adversities: list[str]) -> int:
    """Print the table; 1 where a cell is false that is not listed in the docs."""
    jobs = [(e, a, runs) for a in adversities for e in entrances]
    bad = 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for entrance, adversity, found in pool.map(_one, jobs):
            known = adversity in NOT_TOLD
            bad += not found.good and not known
            print(f"{adversity:>18} {entrance:>20} {found}", flush=True)
            for problem in sorted(set(found.crashes)):
                print(f"{'':>39} {problem}")
    print(f"{bad} false cells of {len(jobs)} (not counted: {', '.join(NOT_TOLD)})")
    return int(bad > 0)


def change(runs: int) -> int:
    """The power of the test of change, and its false alarms."""
    from regretless.evidence.claims.change import ALARM, SHARES, noticed
    from regretless.evidence.exchangeability import Exchangeability

    def alarms(draw: Callable[[Any], Any], share: float, flags: bool) -> float:
        found = 0
        for run in range(runs):
            test = Exchangeability(run, flags=flags)
            test.feed(draw(np.random.default_rng([run, 5])))
            found += share * test.evidence >= ALARM
        return found / runs

    def changes(before: float, after: float, m: int, n: int) -> Iterator[float]:
        yield alarms(
            lambda rng: rng.random(m + n) < np.repeat([before, after], [m, n]),
            SHARES[0],
            True,
        )

    for given, wanted in (
        ((0.025, 0.018, 60_000, 40_000), 0.95),
        ((0.1, 0.2, 3_000, 3_000), 0.95),
        ((0.3, 0.35, 5_000, 5_000), 0.3),
    ):
        (found,) = changes(*given)
        print(
            f"{given[0]:.1%} -> {given[1]:.1%}: power {found:.3f} (at least {wanted})"
        )
    for rows in (1_000, 10_000, 100_000):
        for rate in (0.5, 0.1, 0.02):
            step = noticed(rows, rate)
            if step < 1.0 - rate:
                (found,) = changes(rate, rate + step, rows // 2, rows // 2)
                said = f"{rows:,} rows, {rate:.0%} {step / rate:+.0%} halfway"
                print(f"{said}: power {found:.3f} (promised: 0.9)")
    for name, draw, flags in (
        ("rare labels", lambda rng: rng.random(20_000) < 0.005, True),
        ("labels", lambda rng: rng.random(20_000) < 0.4, True),
        (
            "many classes",
            lambda rng: rng.random(26)[rng.integers(0, 26, 20_000)],
            False,
        ),
        ("ties", lambda rng: rng.integers(0, 3, 20_000), False),
        ("|x|", lambda rng: rng.lognormal(size=20_000), False),
    ):
        print(f"{name}: false alarms {alarms(draw, 1.0, flags):.3f} (at most 0.05)")
    return 0


def retried(tables: int, data: str | None) -> int:
    """How often rows that come again are noticed; which files seem to repeat rows."""

    def feed(seen: Fingerprints, X: Any) -> None:
        for at in range(0, len(X), 4096):
            part = np.ascontiguousarray(X[at : at + 4096])
            seen.feed(Dense(part.reshape(-1), X.shape[1]), len(part))

    ways = ("last file", "first file", "shuffled", "a half", "in two halves")
    noticed, refused = dict.fromkeys(ways, 0), 0
    for k in range(tables):
        rng = np.random.default_rng(k)
        n, width = int(10 ** rng.uniform(4, 5.5)), int(rng.integers(3, 40))
        X = rng.normal(size=(n, width)).round(int(rng.integers(2, 7)))
        if k % 4 == 1:  # words: few distinct values a column
            X = rng.integers(0, 5, size=(n, max(width, 8))).astype(float)
        cut = n * 6 // 10
        start = Fingerprints()
        feed(start, X)
        natural = start.replay is not None
        refused += natural
        for way in ways:
            seen = start.copy()
            numbers = np.arange(cut) if way == "first file" else np.arange(cut, n)
            if way in ("shuffled", "a half", "in two halves"):
                numbers = rng.permutation(numbers)
            if way == "a half":
                numbers = numbers[: numbers.size // 2]
            halves = np.array_split(numbers, 2 if way == "in two halves" else 1)
            for half in halves:
                feed(seen, X[half])
            noticed[way] += seen.replay is not None
    for way, count in noticed.items():
        print(f"{way}: noticed in {count} of {tables}")
    print(f"natural tables refused: {refused} of {tables}")
    _files(data)
    return 0


def _files(data: str | None) -> None:
    """Which files of a folder seem to repeat rows."""
    for path in sorted(Path(data).glob("*.svm.gz")) if data else ():
        seen = Fingerprints()
        for batch in FileSource(path, binary=False).batches():
            seen.feed(batch.rows, batch.targets.size)
        if seen.replay is not None:
            print(f"{path.name}: {seen.replay}")


def cost(rows: int = 200_000) -> int:
    """What record and tests cost in a pass over text, panel and Perceptron."""
    import time
    from unittest.mock import patch

    from regretless.evidence.exchangeability import Exchangeability
    from regretless.evidence.row_record import RowRecord

    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.svm"
        with path.open("w") as file:
            for _ in range(rows):
                words = np.unique((rng.pareto(0.7, 75) * 20).astype(int) % 40_000) + 1
                label = 1 if (words % 7 == 0).mean() > 0.14 else -1
                file.write(f"{label} " + " ".join(f"{w}:0.5" for w in words) + "\n")
        nothing = np.zeros((0, 2), np.int64)
        for learner in (rg.Perceptron(), rg.Panel(forest=False)):
            best = {"with": math.inf, "without": math.inf}
            for _ in range(7):
                for name in ("with", "without"):
                    with contextlib.ExitStack() as stack:
                        if name == "without":
                            off = {"feed": lambda *_: nothing}
                            stack.enter_context(patch.multiple(RowRecord, **off))
                            off = {"feed": lambda *_: None}
                            stack.enter_context(patch.multiple(Exchangeability, **off))
                        began = time.perf_counter()
                        rg.play(learner, path, models=("validated",))
                        best[name] = min(best[name], time.perf_counter() - began)
            share = best["with"] / best["without"] - 1.0
            print(
                f"{learner!r}: {best['with']:.3f} s with, {best['without']:.3f} s "
                f"without: {share:+.1%}"
            )
    return 0


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--only", choices=ADVERSITIES, action="append")
    parser.add_argument("--entrance", choices=ENTRANCES, action="append")
    parser.add_argument("--change", action="store_true")
    parser.add_argument("--retried", action="store_true")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--data", help="a folder of LIBSVM files, for --retried")
    given = parser.parse_args()
    if given.change:
        return change(2 * given.runs)
    if given.retried:
        return retried(given.runs // 2, given.data)
    if given.cost:
        return cost()
    entrances, adversities = given.entrance, given.only
    return table(given.runs, entrances or [*ENTRANCES], adversities or [*ADVERSITIES])


if __name__ == "__main__":
    raise SystemExit(main())
