"""A new kind of learner is one file among the players and one among the learners.

The two files below are put where they belong, and nothing else is told about them: the
learner is played, kept in checkpoints, and its model is saved and found again.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.algorithms import learners
from regretless.engine import players
from regretless.engine.hypotheses.hypothesis import Hypothesis
from regretless.runs.checkpoints import read_checkpoint, write_checkpoint

PLAYER = '''
"""Two centroids: a row belongs to the nearer one."""

import numpy as np

from ...parts.observers import PlayedRound, note, traced
from ...parts.rows import Dense
from ..hypotheses.hypothesis import Hypothesis
from ..storage import Sized, keep
from .row_player import EQUAL, RowPlayer


def table_of(rows, n, width):
    """Rows as a table."""
    if isinstance(rows, Dense):
        return rows.values.reshape(n, rows.width)
    table = np.zeros((n, width))
    for i in range(n):
        lo, hi = rows.starts[i : i + 2]
        table[i, rows.columns[lo:hi]] = rows.values[lo:hi]
    return table


class Centroids(Hypothesis, stored_as="centroids"):
    """score = |x - c_-|^2 - |x - c_+|^2."""

    noun = "pair of centroids"
    binary = True
    log_odds = False

    kept = keep(centers=Sized(2, "features"))

    def __init__(self, centers=np.zeros((2, 0))):
        self.centers = centers
        self.check_state()

    def check_state(self):
        self.n_features = self.centers.shape[1]

    def scores(self, rows, n):
        x = table_of(rows, n, self.n_features)[:, None, :]
        low, high = ((x - self.centers) ** 2).sum(axis=2).T
        return low - high

    def grow(self, n_features):
        pass

    def describe(self):
        return f"two centers of {self.n_features} features"


class CentroidPlayer(RowPlayer):
    """Each center is the mean of its class so far, starting from zero."""

    kept = keep("sums", "counts")

    def __init__(self, n_features):
        super().__init__(n_features)
        self.sums, self.counts = np.zeros((2, n_features)), np.zeros(2)

    def hypothesis(self):
        return Centroids(self.sums / np.maximum(self.counts, 1.0)[:, None])

    def scores(self, rows, n):
        return self.hypothesis().scores(rows, n)

    def playing(self, rows, targets, importance=EQUAL, trace=None):
        return self._play, (traced(self.statistics, trace), rows, targets)

    def _play(self, observer, rows, targets):
        for i, x in enumerate(table_of(rows, targets.size, self.n_features)):
            if not np.isfinite(x).all():
                return i
            y, score = targets[i], float(self.scores(Dense(x, x.size), 1)[0])
            self.sums[int(y > 0)] += x
            self.counts[int(y > 0)] += 1.0
            wrong, square = not y * score > 0, float(x @ x)
            facts = (y, score, float(wrong), wrong, True, 1.0, square, x.min(), x.max())
            note(observer, PlayedRound(*facts, 0.0, 0.0, 0.0))
        return targets.size

'''
LEARNER = '''
"""The nearest of two centroids."""

from dataclasses import dataclass, field

from ...engine.players.centroids import CentroidPlayer
from .event_learner import EventLearner


@dataclass(repr=False)
class NearestCentroid(EventLearner):
    """Predict the class whose mean is nearer."""

    n_features: int | None = None
    _live: object = field(default=None, init=False, repr=False, compare=False)

    task, binary, bias, fixed = "binary", True, False, False
    averages, whole = False, True

    def player(self, n_features):
        return CentroidPlayer(n_features or self.n_features or 0)
'''


@pytest.fixture
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    for package, name, text in (
        (players, "centroids", PLAYER),
        (learners, "nearest_centroid", LEARNER),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.py").write_text(text)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    importlib.invalidate_caches()
    yield importlib.import_module(f"{learners.__name__}.nearest_centroid")
    _forget()


def _forget() -> None:
    """As if nobody had imported the two files."""
    Hypothesis.kinds.pop("centroids", None)
    for name in (
        f"{players.__name__}.centroids",
        f"{learners.__name__}.nearest_centroid",
    ):
        sys.modules.pop(name, None)


def _rows(n: int = 400) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    y = np.where(rng.random(n) < 0.5, 1, -1)
    return rng.normal(size=(n, 3)) + 2.0 * y[:, None] * [1.0, 0.0, -1.0], y


def test_a_new_kind_is_played_kept_and_saved(learner: Any, tmp_path: Path) -> None:
    X, y = _rows()
    nearest = learner.NearestCentroid()
    run = rg.play(nearest, X, y, trace=True)
    assert run.mistakes < 20
    means = np.array([X[y < 0].mean(axis=0), X[y > 0].mean(axis=0)])
    for kind in ("last", "random", "validated", None):
        model = run.model(kind)
        model.save(tmp_path / "model.rgl")
        expected = model.scores(X)
        _forget()
        again = rg.load(tmp_path / "model.rgl")
        assert again.stored_as == "centroids"
        assert again.scores(X).tobytes() == expected.tobytes()
        assert again.certificate == model.certificate
        assert str(again) == str(model)
        assert (again.predict(X) == np.where(expected > 0, 1, -1)).all()
    np.testing.assert_allclose(run.model("last").hypothesis.centers, means)
    with pytest.raises(ValueError, match="is no panel"):
        run.model("mean")
    with pytest.raises(ValueError, match="is not solved for"):
        run.regret()
    assert not run.theorems().verdicts
    assert run.certificate().value < 0.15
    assert model.explain_one(X[0]).keys() == {0, 1, 2}


def test_a_new_kind_goes_on_from_a_checkpoint(learner: Any, tmp_path: Path) -> None:
    from regretless.evidence.snapshots import Recorder
    from regretless.parts.rows import Dense

    X, y = _rows()
    nearest = learner.NearestCentroid(3)

    def feed(recorder: Recorder, lo: int, hi: int) -> None:
        recorder.play(Dense(X[lo:hi].ravel(), 3), y[lo:hi].astype(float), first=lo)

    kinds = ("random", "validated")
    straight = Recorder(nearest.player(None), kinds, 400)
    feed(straight, 0, 400)
    begun = Recorder(nearest.player(None), kinds, 400)
    feed(begun, 0, 250)
    path = tmp_path / "run.ckpt"
    write_checkpoint(path, learner=nearest, player=begun.player, recorder=begun)
    player, recorder = read_checkpoint(path).restore(nearest)
    feed(recorder, 250, 400)
    assert player.ledger() == straight.player.ledger()
    for one, other in zip(
        recorder.snapshots.held, straight.snapshots.held, strict=True
    ):
        assert (one.position, one.errors) == (other.position, other.errors)
        ours = recorder.snapshots.hypothesis(one).state_dict()["centers"]
        theirs = straight.snapshots.hypothesis(other).state_dict()["centers"]
        assert ours.tobytes() == theirs.tobytes()


def test_a_new_kind_learns_one_event_at_a_time(learner: Any, tmp_path: Path) -> None:
    X, y = _rows(50)
    nearest = learner.NearestCentroid(3)
    for x, label in zip(X, y, strict=True):
        nearest.learn_one(dict(enumerate(x)), int(label))
    whole = rg.play(learner.NearestCentroid(3), X, y)
    assert nearest.ledger == whole.ledger
    assert nearest.predict_one(dict(enumerate(X[0]))) == y[0]
