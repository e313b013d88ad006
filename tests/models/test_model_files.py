"""A model that was saved and loaded is the same; a file that is none is refused."""

from __future__ import annotations

import dataclasses
import json
import os
import resource
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import regretless as rg
from learners import CASES, LOSS_CASES, STEP_CASES
from paths import OLD_FILES
from regretless.algorithms.recipes import learner_from_dict, recipe_of
from regretless.engine.hypotheses.hypothesis import Hypothesis
from regretless.engine.hypotheses.linear import LinearHypothesis
from regretless.engine.hypotheses.vote import Vote
from regretless.engine.storage import Sized, keep
from regretless.models import Model

FINITE = st.floats(allow_nan=False, allow_infinity=False)
KINDS = ("last", "mean", "last-half", "random", "vote", "validated")


def round_trip(model, folder):
    path = folder / "model.rgl"
    model.save(path)
    return rg.load(path)


def same(model, found):
    """Equal in everything but in who holds it."""
    assert type(found) is type(model)
    assert type(found.hypothesis) is type(model.hypothesis)
    mine = {**vars(model), **vars(model.hypothesis)}
    theirs = {**vars(found), **vars(found.hypothesis)}
    assert mine.keys() - {"one_row"} == theirs.keys() - {"one_row"}
    for name in mine.keys() - {"provenance", "hypothesis", "one_row"}:
        one, other = mine[name], theirs[name]
        assert type(one) is type(other), name
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype
            assert one.shape == other.shape
            assert one.tobytes() == other.tobytes()
        else:
            assert one == other, name
    assert str(found) == str(model)


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 5))
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=1500) > 0, "spam", "ham")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_model(kind, table, tmp_path):
    X, y = table
    learner = rg.OGD(step=rg.Adaptive(1.0), radius=2.0, max_norm=9.0, bias=True)
    run = rg.play(learner, X, y)
    run = dataclasses.replace(run, reading={"format": "svm", "bits": 18, "skip": [1]})
    model = run.model(kind)
    found = round_trip(model, tmp_path)
    same(model, found)
    assert found.scores(X).tobytes() == model.scores(X).tobytes()
    assert found.predict(X).tolist() == model.predict(X).tolist()
    assert found.learner == learner
    assert found.ledger == run.ledger
    assert found.ledger.curve.tobytes() == run.ledger.curve.tobytes()
    assert dataclasses.replace(found.provenance, learner=None) == dataclasses.replace(
        model.provenance, learner=None
    )
    assert found.provenance.reading == {"format": "svm", "bits": 18, "skip": [1]}
    assert found.provenance.seconds == run.seconds
    assert found.provenance.rounds == found.provenance.length == 1500
    same(found, round_trip(found, tmp_path))


def test_the_date_is_utc(table):
    made = rg.play(rg.Perceptron(), *table).model("last").provenance.date
    when = datetime.strptime(made, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert abs((datetime.now(UTC) - when).total_seconds()) < 3600


def test_a_loaded_certificate_is_watched_on(table, tmp_path):
    model = rg.play(rg.Perceptron(), *table).model("validated")
    found = round_trip(model, tmp_path)
    assert found.certificate == model.certificate
    assert found.certificate.watch().bound == model.certificate.watch().bound


@given(
    weights=arrays(np.float64, st.integers(0, 40), elements=FINITE),
    bias=FINITE,
    threshold=FINITE,
    zeros=st.integers(0, 300),
)
def test_bits_of_weights(weights, bias, threshold, zeros, tmp_path_factory):
    weights = np.r_[weights, np.zeros(zeros)]
    model = Model(LinearHypothesis(weights, bias, threshold), "last", "a model")
    same(model, round_trip(model, tmp_path_factory.mktemp("bits")))


@given(
    weights=arrays(np.float64, (6, 3), elements=st.floats(-1e6, 1e6)),
    X=arrays(np.float64, (5, 6), elements=st.floats(-1e6, 1e6)),
)
def test_predictions_do_not_change(weights, X, tmp_path_factory):
    folder = tmp_path_factory.mktemp("predictions")
    linear = Model(
        LinearHypothesis(weights[:, 0], 0.5, 0.25), "mean", "a model", classes=(0, 1)
    )
    vote = Model(
        Vote(weights.T, weights[0], np.ones(3), True), "vote", "", classes=(0, 1)
    )
    for model in (linear, vote):
        found = round_trip(model, folder)
        assert found.scores(X).tobytes() == model.scores(X).tobytes()
        assert found.predict(X).tobytes() == model.predict(X).tobytes()


scalars = (
    st.text()
    | st.integers()
    | st.booleans()
    | st.none()
    | st.floats(allow_nan=False)
    | st.characters(categories=["Cs"])
)
hashables = scalars | st.tuples(scalars, scalars) | st.tuples(st.tuples(scalars))


@given(names=st.lists(hashables, unique=True, max_size=20) | st.lists(st.text()))
def test_names_come_back(names, tmp_path_factory):
    model = Model(
        LinearHypothesis(np.ones(len(names))), "last", "a model", names=tuple(names)
    )
    found = round_trip(model, tmp_path_factory.mktemp("names"))
    assert found.names == tuple(names)
    assert [type(name) for name in found.names] == [type(name) for name in names]


@pytest.mark.parametrize(
    "names", [(), ("",), ("a", ""), (1, 2**63), (-(2**63), 5), (True, 2), (1.0, "1")]
)
def test_odd_names(names, tmp_path):
    model = Model(LinearHypothesis(np.ones(3)), "last", "a model", names=names)
    found = round_trip(model, tmp_path).names
    assert found == names
    assert [type(name) for name in found] == [type(name) for name in names]


@pytest.mark.parametrize("name", [b"bytes", frozenset([1]), (1, object()), 1j])
def test_names_that_no_file_can_hold(name, tmp_path):
    model = Model(LinearHypothesis(np.ones(1)), "last", "a model", names=(name,))
    with pytest.raises(ValueError, match=r"a feature's name.*cannot be stored: a file"):
        model.save(tmp_path / "model.rgl")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("classes", [("a", "b"), (False, True), (0, 1), (0.5, 2.5)])
def test_labels_come_back(classes, tmp_path):
    model = Model(LinearHypothesis(np.ones(1)), "last", "a model", classes=classes)
    same(model, round_trip(model, tmp_path))


def test_labels_that_no_file_can_hold(tmp_path):
    day = datetime(2030, 1, 1, tzinfo=UTC)
    model = Model(
        LinearHypothesis(np.ones(1)), "last", "a model", classes=(day, "never")
    )
    with pytest.raises(ValueError, match=r"classes/0: datetime.* cannot be stored"):
        model.save(tmp_path / "model.rgl")


def test_names_of_events_and_frames(tmp_path):
    events = [({"cheap": 1, 3: 1.5}, 1), ({"meeting": 1}, 0)]
    model = rg.play(rg.Perceptron(), events).model("last")
    found = round_trip(model, tmp_path)
    assert found.named_weights() == model.named_weights()
    assert found.predict({"cheap": 1, "new": 1}).tolist() == [1]


# Small files.


def test_few_nonzero_weights_take_little_room(tmp_path):
    weights = np.zeros(2**20)
    weights[::1000] = np.random.default_rng(0).normal(size=weights[::1000].size)
    weights[5] = -0.0
    model = Model(LinearHypothesis(weights), "last", "a model")
    same(model, round_trip(model, tmp_path))
    assert (tmp_path / "model.rgl").stat().st_size < 16_000


def test_what_is_too_large_to_unfold_is_stored_in_full(tmp_path, monkeypatch):
    from regretless.engine.storage import trees

    monkeypatch.setattr(trees, "LARGEST", 8 * 150)
    model = Model(
        Vote(np.zeros((1, 100)), np.zeros(1), np.ones(1), True), "vote", "a vote"
    )
    same(model, round_trip(model, tmp_path))
    small = (tmp_path / "model.rgl").stat().st_size
    model = Model(
        Vote(np.zeros((2, 100)), np.zeros(2), np.ones(2), True), "vote", "a vote"
    )
    same(model, round_trip(model, tmp_path))
    assert (tmp_path / "model.rgl").stat().st_size > small + 1200
    monkeypatch.setattr(trees, "LARGEST", 8 * 99)
    model = Model(
        Vote(np.zeros((1, 60)), np.zeros(1), np.ones(1), True), "vote", "a vote"
    )
    same(model, round_trip(model, tmp_path))


def test_many_names_cost_their_letters(tmp_path):
    names = tuple(f"feature {i}" for i in range(20_000))
    model = Model(LinearHypothesis(np.ones(20_000)), "last", "a model", names=names)
    assert round_trip(model, tmp_path).names == names
    letters = sum(map(len, names))
    assert (tmp_path / "model.rgl").stat().st_size < letters + 16 * 20_000 + 2000


# Learners.

LEARNERS = [case.learner for case in (*CASES, *LOSS_CASES, *STEP_CASES)]
LEARNERS += [rg.Perceptron(bias=True, n_features=7), rg.Hedge(0.5), rg.Halving()]
LEARNERS += [rg.FollowTheLeader(), rg.OGD(step="theorem", radius=1.0, max_norm=2.0)]
LEARNERS += [rg.RandomizedWeightedMajority(seed=4), rg.FixedShare(0.1, 0.2)]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_learners_are_made_again(learner):
    recipe = json.loads(json.dumps(recipe_of(learner)))
    found = learner_from_dict(recipe)
    assert found == learner
    assert type(found) is type(learner)
    assert repr(found) == repr(learner)


def test_a_recipe_of_a_part_is_no_learner():
    with pytest.raises(ValueError, match="does not name a known learner"):
        learner_from_dict(recipe_of(rg.Hinge()))


class Capped(NamedTuple):
    """A loss of a user's own."""

    most: float = 2.0
    task = "binary"
    convex = False


@rg.implement(rg.value, Capped)
def _(loss, score, y):
    return min(max(0.0, 1.0 - y * score), loss.most)


@rg.implement(rg.slope, Capped)
def _(loss, score, y):
    return -y if 1.0 - loss.most < y * score < 1.0 else 0.0


def test_a_part_of_your_own_is_told_in_words(table, tmp_path):
    learner = rg.OGD(loss=Capped(3.0))
    model = rg.play(learner, *table).model("last")
    found = round_trip(model, tmp_path)
    same(model, found)
    assert found.learner is None
    assert found.provenance.made_by == "OGD(loss=Capped(most=3.0))"
    same(found, round_trip(found, tmp_path))


def test_a_recipe_cannot_name_what_is_not_listed():
    for name in ("Player", "LinearLearner", "os.system", "Live", ""):
        with pytest.raises(ValueError, match="is no learner or part"):
            learner_from_dict({"learner": name, "parameters": {}})


# Another kind of hypothesis needs no more than its arrays and facts.


class Always(Hypothesis, stored_as="test-constant"):
    n_features = 0

    kept = keep(value=Sized("values"))

    def __init__(self, value, unit):
        self.value, self.unit = value, unit

    def scores(self, rows, n):
        return np.repeat(self.value, n)

    def grow(self, n_features):
        pass

    def describe(self):
        return f"{self.value} {self.unit}"

    def facts(self):
        return {"unit": self.unit}

    @classmethod
    def blank(cls, facts):
        return cls(np.zeros(0), facts["unit"])


def test_another_kind_of_model(tmp_path):
    made = Always(np.array([2.5]), "m")
    model = Model(made, "last", "a constant", why_not="nobody asked")
    found = round_trip(model, tmp_path)
    assert found.stored_as == "test-constant"
    assert found.hypothesis.unit == "m"
    assert found.why_not == "nobody asked"
    assert found.predict(np.zeros((2, 0))).tolist() == [2.5, 2.5]
    with pytest.raises(AttributeError, match=r"no 'weights'.*'test-constant'"):
        found.weights  # noqa: B018
    with pytest.raises(TypeError, match="exists already"):

        class Again(Hypothesis, stored_as="linear"):
            pass


# Writing: whole or not at all.


def some_model(size=3):
    weights = np.arange(1.0, size + 1)
    return Model(LinearHypothesis(weights), "last", "a model", why_not="nobody asked")


def only(folder):
    return [file.name for file in folder.iterdir()]


def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.rgl"
    some_model().save(path)
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OSError, match=r"not saved: .*; the file that was there is"):
            some_model(10_000).save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert only(tmp_path) == ["model.rgl"]


def test_a_failing_rename_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model.rgl"
    some_model().save(path)
    before = path.read_bytes()

    def fail(self, target):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PermissionError, match=r"model.rgl: not saved: Permission") as e:
        some_model(9).save(path)
    assert ".tmp" not in str(e.value)
    assert path.read_bytes() == before
    assert only(tmp_path) == ["model.rgl"]


def test_a_missing_folder(tmp_path):
    path = tmp_path / "none" / "model.rgl"
    with pytest.raises(FileNotFoundError, match=r"model.rgl: not saved: No such file"):
        some_model().save(path)
    assert not only(tmp_path)


def test_an_interrupt_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        some_model().save(tmp_path / "model.rgl")
    assert not only(tmp_path)


def test_the_file_and_its_folder_are_synced_before_and_after_the_rename(
    tmp_path, monkeypatch
):
    done, fsync, rename = [], os.fsync, Path.replace

    def sync(descriptor):
        done.append("folder" if os.path.isdir(f"/dev/fd/{descriptor}") else "file")  # noqa: PTH112
        fsync(descriptor)

    def replace(self, target):
        done.append("rename")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    some_model().save(tmp_path / "model.rgl")
    assert done == ["file", "rename", "folder"]


def test_only_files_are_replaced(tmp_path):
    with pytest.raises(OSError, match="something that is not a file"):
        some_model().save(tmp_path)
    with pytest.raises(OSError, match="something that is not a file"):
        some_model().save("/dev/null")


def test_links_are_followed_and_permissions_kept(tmp_path):
    path, link = tmp_path / "model.rgl", tmp_path / "link.rgl"
    some_model().save(path)
    usual = tmp_path / "usual"
    usual.touch()
    assert path.stat().st_mode == usual.stat().st_mode
    path.chmod(0o640)
    link.symlink_to(path)
    some_model(5).save(str(link))
    assert link.is_symlink()
    assert rg.load(path).weights.size == 5
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_of_another_layout_is_refused():
    with pytest.raises(ValueError, match="by an older version") as caught:
        rg.load(OLD_FILES / "model-v1.rgl")
    assert "model-v1.rgl: written" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_loading_needs_no_compiler(tmp_path):
    path = tmp_path / "model.rgl"
    run = rg.play(rg.Perceptron(), [({"cheap": 1}, "spam"), ({"meeting": 1}, "ham")])
    run.model("last").save(path)
    rg.load(path).predict([{"cheap": 2.0}])  # kept from now on
    code = (
        "import sys, regretless as rg\n"
        "import regretless.models\n"
        "assert 'safetensors' not in sys.modules\n"
        f"model = rg.load({str(path)!r})\n"
        "model.predict([{'cheap': 2.0}])\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
