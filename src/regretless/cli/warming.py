"""Machine code made in advance: everything that built-in learners need, compiled now.

For checkouts, for images of containers, and for wheels, which bring what comes out of
it. A small game is played with every learner, on rows of every kind and from files of
every format; whatever that needs is compiled and kept (``machine.store``).
"""

# pyarrow has no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import dataclasses
import importlib.util
import itertools
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..parts.documents import Document

if TYPE_CHECKING:
    from ..data.chunk import Array
    from ..parts.state import Floats


ROWS, COLUMNS = 48, 4


def warmup(*learners: Any, tell: Callable[[str], None] | None = None) -> None:
    """Compile what these learners need, or all built-in ones; then keep it.

    Parameters
    ----------
    *learners : learner
        Learners of rows or of experts; none: all that are built in, the readers of all
        formats, and the mixtures of forecasts.
    tell : callable
        Told what comes next.

    Examples
    --------
    >>> import regretless as rg
    >>> rg.warmup(rg.Perceptron())
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, game in _games(learners, Path(folder)):
            if tell is not None:
                tell(name)
            game()


def _games(
    learners: tuple[Any, ...], folder: Path
) -> Iterator[tuple[str, Callable[[], None]]]:
    for learner in learners or _built_in():
        yield repr(learner), lambda learner=learner: _play(learner, folder)
    if not learners:
        yield "readers", lambda: _read_all(folder)
        yield "metrics", _measure
        yield "forecasts", _forecast
        yield "panels on two cores", _play_in_stages
        yield "events of hashed names", _hash_events
        yield "a crowd of classes", _play_crowd
        yield "several learners at once", lambda: _play_several(folder)
        yield "games", _play_games
        if importlib.util.find_spec("sklearn") is not None:
            yield "estimators", _fit_estimators


def _measure() -> None:
    """Metrics of more rows than are kept one by one."""
    from ..evidence.metrics.ranks import BUFFER, RankTable

    table, rng = RankTable(), np.random.default_rng(0)
    table.feed(rng.random(BUFFER + 1), rng.random(BUFFER + 1) - 0.5)


def _built_in() -> Iterator[Any]:
    """Every learner, with the losses that are usual."""
    import regretless as rg

    from ..algorithms.discovery import all_learners, takes_learners
    from ..lab.games import LINEUP, set_up

    for kind in all_learners():
        fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
        if takes_learners(kind):
            continue
        if any(field.default is dataclasses.MISSING for field in fields.values()):
            yield set_up(kind, LINEUP[kind].worst, ROWS)
        else:
            yield kind()
        for loss in (rg.Hinge(), rg.Logistic(), rg.Absolute()):
            if "loss" in fields and loss != fields["loss"].default:
                with suppress(ValueError):  # not all take any loss
                    yield kind(loss=loss)
    yield rg.PassiveAggressive(C=1.0)
    yield from (rg.OGD(loss=rg.Squared()), rg.AdaGrad(loss=rg.Squared()))
    for loss in (rg.Hinge(), rg.Logistic()):
        yield rg.OGD(loss=loss, radius=10.0)
        yield rg.OGD(loss=loss, step=rg.Constant(0.1), radius=10.0)
        yield rg.OGD(loss=loss, step=rg.Constant(0.1))
    yield from map(rg.OneVersusRest, (rg.Panel(), rg.Perceptron()))
    for kind in (rg.AdaGrad, rg.OGD):
        yield rg.OneVersusRest(kind(loss=rg.Logistic()))


def _play(learner: Any, folder: Path) -> None:
    """One small game in each way that a learner can be played."""
    import regretless as rg

    rng = np.random.default_rng(0)
    if learner.plays == "numbers":
        rg.play(learner, y=rng.random(ROWS))
        return
    if learner.plays == "experts":
        _play_experts(learner, rng)
        return
    X = (rng.random((ROWS, COLUMNS)) < 0.5).astype(float)
    X[:, 0] = 1.0
    y = _labels(learner.task, X)
    path = folder / "rows.svm"
    path.write_text("".join(map(_svm, y.tolist(), X.tolist())))
    for data in ((X, y), (path,)):
        for trace in (False, True):
            run = rg.play(
                learner,
                *data,
                trace=trace,
                n_features=COLUMNS,
            )
        run.model().predict(X)
        run.theorems()
    if learner.task == "real" or learner.probabilistic:
        run = rg.play(rg.intervals(learner), X, y, n_features=COLUMNS)
        if learner.task == "real":
            run.model("last").predict_interval(X)
    fields = {field.name for field in dataclasses.fields(learner) if field.init}
    start = {"n_features": COLUMNS} if "n_features" in fields else {}
    events = dataclasses.replace(learner, **start)
    rows = [{str(k): value for k, value in enumerate(x)} for x in X.tolist()]
    for event, label in zip(rows, y.tolist(), strict=True):
        events.predict_one(event)
        events.learn_one(event, label)
    events.snapshot().predict_one(rows[0])


def _hash_events() -> None:
    """Events whose names share columns."""
    import regretless as rg

    learner = rg.Perceptron(schema=rg.Schema(bits=4))
    for label in (0, 1):
        learner.predict_one({"a": 1.0, "b": "c"})
        learner.learn_one({"a": 1.0, "b": "c"}, label)


def _play_in_stages() -> None:
    """Panels on more rows than one thread is enough for."""
    import regretless as rg

    from ..engine.players.panel import FEWEST_WIDE
    from ..parts.rows import Dense, Sparse

    values = np.ones(FEWEST_WIDE)
    starts, columns = np.arange(FEWEST_WIDE + 1), np.zeros(FEWEST_WIDE, np.int32)
    for rows in (Dense(values, 1), Sparse(starts, columns, values)):
        for panel in (rg.Panel(), rg.Panel(forest=False), rg.OneVersusRest(rg.Panel())):
            player = panel.player(1)
            player.threads = 2
            low = 0.0 if player.classes else -1.0
            player.play(rows, np.array([low, 1.0] * (FEWEST_WIDE // 2)))


def _play_crowd() -> None:
    """Panels of more classes than play a row."""
    import regretless as rg

    from ..parts.panel.shortlist import LISTED
    from ..parts.rows import Dense, Sparse

    n = LISTED + 1
    values, labels = np.ones(n), np.arange(float(n))
    starts, columns = np.arange(n + 1), np.zeros(n, np.int32)
    for rows in (Dense(values, 1), Sparse(starts, columns, values)):
        player = rg.OneVersusRest(rg.Panel()).player(1)
        player.admit(n)
        player.play(rows, labels)
        player.scores(rows, n)


def _play_experts(learner: Any, rng: np.random.Generator) -> None:
    """Experts that vote, that predict, or whose losses are told."""
    import regretless as rg

    y = (rng.random(ROWS) < 0.5).astype(int)
    votes = (rng.random((ROWS, COLUMNS)) < 0.5).astype(int)
    votes[:, 0] = y  # one expert is right
    games: list[Document] = [{"X": votes, "y": y}]
    games.append({"losses": rng.random((ROWS, COLUMNS))})
    for data in games:
        for trace in (False, True):
            with suppress(TypeError):  # learners of votes take no losses
                rg.play(learner, **data, trace=trace)


def _read_all(folder: Path) -> None:
    """A file of every format."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv, feather

    import regretless as rg

    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(ROWS, COLUMNS))
    y = np.where(numbers[:, 0] > 0, 1, -1)
    words = ["red", "blue", "green"]
    columns: Document = {f"x{k}": numbers[:, k] for k in range(COLUMNS)}
    columns |= {"color": [words[k % 3] for k in range(ROWS)], "label": y}
    texts = [f"{words[k % 3]} and {words[k % 2]}" for k in range(ROWS)]
    table = pa.table(columns)
    texted = pa.table(columns | {"text": texts})
    csv.write_csv(table, folder / "rows.csv")
    csv.write_csv(texted, folder / "texts.csv")
    pq.write_table(table, folder / "rows.parquet")
    feather.write_feather(table, folder / "rows.arrow", compression="uncompressed")
    lines = [json.dumps(row) for row in table.to_pylist()]
    (folder / "rows.jsonl").write_text("\n".join(lines))
    np.savez(folder / "rows.npz", X=numbers, y=y)
    vw = [f"{y[k]} |a {words[k % 3]} b:{numbers[k, 0]:.3f} |c d" for k in range(ROWS)]
    (folder / "rows.vw").write_text("\n".join(vw))
    paths = [folder / f"rows.{end}" for end in ("csv", "parquet", "arrow", "jsonl")]
    for learner in (rg.Panel(), rg.Perceptron()):
        for path in (*paths, folder / "rows.npz", folder / "rows.vw"):
            rg.play(learner, path).model()
        text = rg.ReadOptions(text=("text",))
        rg.play(learner, folder / "texts.csv", options=text).model()
        rg.play(learner, texts, y.tolist()).model()
    crossed = rg.ReadOptions(interactions=("a*c",))
    rg.play(rg.Perceptron(), folder / "rows.vw", options=crossed)
    crossed = rg.ReadOptions(interactions=("color*x0",))
    rg.play(rg.Perceptron(), folder / "rows.csv", options=crossed)
    rg.play(rg.RegressionPanel(), folder / "rows.csv").model()


def _forecast() -> None:
    """Forecasters compared and mixed."""
    from .. import forecasts

    rng = np.random.default_rng(0)
    y = (rng.random(ROWS) < 0.5).astype(float)
    table = np.clip(y[:, None] * 0.4 + rng.random((ROWS, 3)) * 0.6, 0.01, 0.99)
    forecasts.compare(table, y)
    forecasts.combine(table, y)
    forecasts.calibration(table[:, 0], y)


def _play_several(folder: Path) -> None:
    """Learners side by side, which share the reading of a row."""
    import regretless as rg

    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = np.where(X[:, 0] > 0, 1, -1)
    path = folder / "several.svm"
    path.write_text("".join(map(_svm, y.tolist(), X.tolist())))
    for loss in (rg.Hinge(), rg.Logistic()):
        for step in (rg.Constant(0.1), rg.OGD(loss=loss).step):
            for learner in (rg.OGD(loss, step), rg.OGD(loss, step, radius=10.0)):
                for data in ((X, y), (path,)):
                    rg.play([learner] * 8, *data, models=("last",))  # in vectors
                    rg.play([learner] * 2, *data)[0].model()  # which keep means


def _play_games() -> None:
    """Adversaries against those whose bounds they reach."""
    import regretless as rg

    learners = (rg.Halving(), rg.WeightedMajority(), rg.Hedge(), rg.FollowTheLeader())
    for learner in (*learners, rg.Perceptron(), rg.Winnow()):
        for game in rg.games.games_for(learner):
            with suppress(ValueError):  # no expert may be left to follow
                rg.arena(learner, game, rounds=8)


def _fit_estimators() -> None:
    """Every estimator, on arrays and on sparse matrices, all at once and in parts."""
    from scipy.sparse import csr_matrix

    import regretless as rg

    rng = np.random.default_rng(0)
    X = (rng.random((ROWS, COLUMNS)) < 0.5).astype(float)
    for name in rg.sklearn.__all__:
        if name in ("OnlineClassifier", "OnlineRegressor"):
            continue  # what the others have in common
        labels = [X.sum(axis=1)]
        if name.endswith("Classifier"):
            total = X.sum(axis=1).astype(int)
            labels = [total > 2, np.minimum(total, 2)]
        kind = getattr(rg.sklearn, name)
        losses = ({}, {"loss": "logistic"}) if hasattr(kind(), "loss") else ({},)
        for y, loss in itertools.product(labels, losses):
            for rows in (X, csr_matrix(X)):
                with suppress(ValueError):  # some take two classes only
                    kind(**loss).fit(rows, y).predict(rows)


def _labels(task: str, X: Floats) -> Array:
    total = X.sum(axis=1)
    if task == "real":
        return total
    return total.astype(int) if task == "classes" else np.where(total > 2.5, 1, -1)


def _svm(label: float, x: list[float]) -> str:
    entries = [f"{k + 1}:{value:g}" for k, value in enumerate(x) if value]
    return f"{label:g} {' '.join(entries)}\n"
