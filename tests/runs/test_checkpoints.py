"""Killed and resumed equals uninterrupted, bit for bit; a bad checkpoint is refused."""

from __future__ import annotations

import json
import struct
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rg
from learners import CASES, label
from regretless.data.encoding import Encoder, TwoClassLabels
from regretless.engine.storage import write_file
from regretless.evidence.snapshots import Recorder
from regretless.parts.rows import Dense, Sparse
from regretless.runs.checkpoints import read_checkpoint, write_checkpoint
from regretless.runs.run import Run

EVERY = ("mean", "last-half", "random", "vote", "validated")
each = pytest.mark.parametrize("case", CASES, ids=label)


def batches(case, n=1300, d=4, seed=3, size=90):
    """Dense rows that the learner accepts, a batch at a time."""
    rng = np.random.default_rng(seed)
    low, high = max(case.low, -1.0), min(case.high, 1.0)
    X = np.round(rng.uniform(low, high, (n, d)), 3)
    clean = X @ np.array([1.0, -1.0, 0.5, 0.25]) + 0.2 * rng.normal(size=n)
    y = np.where(clean > np.median(clean), 1.0, -1.0) if case.binary else clean
    return [
        (Dense(X[i : i + size].reshape(-1), d), y[i : i + size], d)
        for i in range(0, n, size)
    ]


def growing(n=1300, seed=5, size=90):
    """Sparse rows whose features keep appearing."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(0, n, size):
        m, width = min(size, n - i), 3 + i // 20
        columns = np.sort(rng.integers(0, width, (m, 3)), axis=1)
        columns += np.arange(3)  # no column twice
        values = np.round(rng.normal(size=(m, 3)), 2)
        y = np.where(values[:, 0] + 0.3 * rng.normal(size=m) > 0, 1.0, -1.0)
        starts = np.arange(0, 3 * m + 1, 3)
        rows = Sparse(starts, columns.reshape(-1).astype(np.int32), values.reshape(-1))
        found.append((rows, y, width + 3))
    return found


def feed(player, recorder, some):
    for rows, y, width in some:
        player.grow(width)
        (recorder or player).play(rows, y)


def begun(learner, rows, kinds, length):
    player = learner.player(rows[0][2])
    return player, Recorder(player, kinds, length) if kinds else None


def interrupted(learner, rows, kinds, length, at, path):
    """Play up to batch `at`, write, and go on in new objects."""
    player, recorder = begun(learner, rows, kinds, length)
    feed(player, recorder, rows[:at])
    write_checkpoint(path, learner=learner, player=player, recorder=recorder)
    player, recorder = read_checkpoint(path).restore(learner)
    feed(player, recorder, rows[at:])
    return player, recorder


def assert_same(one, other, at=""):
    """Trees of plain data and arrays that agree to the last bit."""
    assert type(one) is type(other), at
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, at
        assert one.shape == other.shape, at
        assert one.tobytes() == other.tobytes(), at
    elif isinstance(one, dict):
        assert list(one) == list(other), at
        for key in one:
            if key != "seconds":
                assert_same(one[key], other[key], f"{at}/{key}")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), at
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_same(a, b, f"{at}/{i}")
    else:
        assert one == other, at


def run_of(learner, player, recorder, length):
    return Run(
        learner=learner,
        ledger=player.ledger(),
        weights=player.weights(),
        bias=player.bias_weight(),
        classes=(-1, 1) if player.binary else None,
        length=length,
        recorder=recorder,
    )


def assert_same_game(learner, rows, kinds, length, at, path):
    """All that comes out of a run: state, weights, ledger, models, certificates."""
    player, recorder = begun(learner, rows, kinds, length)
    feed(player, recorder, rows)
    again, recorded = interrupted(learner, rows, kinds, length, at, path)
    assert_same(player.state_dict(), again.state_dict())
    if recorder is not None:
        assert_same(recorder.state_dict(), recorded.state_dict())
    one = run_of(learner, player, recorder, length)
    other = run_of(learner, again, recorded, length)
    assert one.ledger == other.ledger
    assert_same(one.ledger.curve, other.ledger.curve)
    assert_same(one.weights, other.weights)
    assert one.bias == other.bias
    if player.binary:
        assert one.certificate() == other.certificate()
    for kind in ("last", *kinds):
        if kind in ("vote", "validated") and not player.binary:
            continue
        model, found = one.model(kind), other.model(kind)
        assert_same(model.arrays(), found.arrays())
        assert model.facts() == found.facts()
        assert model.certificate == found.certificate
        assert str(model) == str(found)


@each
@pytest.mark.parametrize("length", [None, 1300])
def test_resumed_equals_uninterrupted(case, length, tmp_path):
    rows = batches(case)
    rng = np.random.default_rng(7)
    for at in rng.integers(1, len(rows), 2).tolist():
        path = tmp_path / "run.ckpt"
        assert_same_game(case.learner, rows, EVERY, length, at, path)


@pytest.mark.parametrize("at", [0, 1, 6, 14, 15])
@pytest.mark.parametrize("bias", [False, True])
def test_features_that_appear_before_and_after(at, bias, tmp_path):
    learner = rg.Perceptron(bias=bias)
    rows = growing()
    assert_same_game(learner, rows, EVERY, None, at, tmp_path / "run.ckpt")


def test_without_a_recorder(tmp_path):
    for kinds in ((), ("random",), ("mean",)):
        path = tmp_path / "run.ckpt"
        assert_same_game(rg.Pegasos(0.1, bias=True), growing(), kinds, None, 9, path)


def test_a_mean_that_nobody_records(tmp_path):
    path, rows = tmp_path / "run.ckpt", growing()
    straight, player = rg.Perceptron().player(0), rg.Perceptron().player(0)
    straight.keep_mean()
    player.keep_mean()
    feed(straight, None, rows)
    feed(player, None, rows[:3])
    write_checkpoint(path, learner=rg.Perceptron(), player=player)
    again, _ = read_checkpoint(path).restore()
    feed(again, None, rows[3:])
    assert_same(straight.state_dict(), again.state_dict())
    assert_same(straight.summed(), again.summed())


def test_the_bias_needs_room_too(tmp_path):
    path, learner = tmp_path / "run.ckpt", rg.Perceptron(bias=True)
    write_checkpoint(path, learner=learner, player=learner.player(4))
    content = parts_of(path)
    content["player"]["n_features"] = 5
    write_file(path, "checkpoint", content)
    with pytest.raises(ValueError, match="5 weights cannot be those of 5 features"):
        read_checkpoint(path).restore()


def test_a_chain_of_checkpoints(tmp_path):
    learner, rows = CASES[0].learner, batches(CASES[0])
    player, recorder = begun(learner, rows, EVERY, None)
    feed(player, recorder, rows)
    again, recorded = begun(learner, rows, EVERY, None)
    path = tmp_path / "run.ckpt"
    for batch in rows:
        feed(again, recorded, [batch])
        write_checkpoint(path, learner=learner, player=again, recorder=recorded)
        again, recorded = read_checkpoint(path).restore()  # the learner in the file
    assert_same(player.state_dict(), again.state_dict())
    assert_same(recorder.state_dict(), recorded.state_dict())
    assert [file.name for file in tmp_path.iterdir()] == ["run.ckpt"]


def test_a_checkpoint_is_restored_once_and_the_file_as_often_as_wanted(tmp_path):
    case = CASES[0]
    rows = batches(case)
    player, recorder = begun(case.learner, rows, EVERY, None)
    feed(player, recorder, rows[:8])
    path = tmp_path / "run.ckpt"
    write_checkpoint(path, learner=case.learner, player=player, recorder=recorder)
    checkpoint = read_checkpoint(path)
    with pytest.raises(ValueError, match="only go on with"):
        checkpoint.restore(rg.Pegasos(1.0))
    assert not checkpoint.taken
    first, kept = checkpoint.restore()
    feed(first, kept, rows[8:])
    with pytest.raises(ValueError, match="restored already: read it again"):
        checkpoint.restore()
    second, recorded = read_checkpoint(path).restore()
    assert_same(player.state_dict(), second.state_dict())
    assert_same(recorder.state_dict(), recorded.state_dict())


@given(
    at=st.integers(0, 15),
    seed=st.integers(0, 99),
    length=st.sampled_from([None, 1300, 500]),
)
@settings(max_examples=12)
def test_any_batch_any_data(at, seed, length, tmp_path_factory):
    case = CASES[0]
    path = tmp_path_factory.mktemp("law") / "run.ckpt"
    assert_same_game(case.learner, batches(case, seed=seed), EVERY, length, at, path)


# What the caller stores.


def test_facts_come_back(tmp_path):
    player = rg.Perceptron().player(2)
    labels, encoder = TwoClassLabels(), Encoder()
    labels.encode_one(False, 0)
    encoder.encode({"a": 1, "ns": 2, 7: 1, "ü\ud800": 1}, 0)
    facts = {
        "mark": {"file": "x.svm", "byte": 2**40, "share": 0.1, "at": float("inf")},
        "labels": labels.state_dict(),
        "encoder": encoder.state_dict(),
        "trace": np.arange(5.0),
    }
    path = tmp_path / "run.ckpt"
    write_checkpoint(path, learner=rg.Perceptron(), player=player, facts=facts)
    checkpoint = read_checkpoint(path)
    assert checkpoint.rounds == 0
    assert checkpoint.made_by == "Perceptron()"
    assert checkpoint.facts["mark"] == facts["mark"]
    np.testing.assert_array_equal(checkpoint.facts["trace"], np.arange(5.0))
    other, names = TwoClassLabels(), Encoder()
    other.load_state(checkpoint.facts["labels"])
    names.load_state(checkpoint.facts["encoder"])
    assert other.classes == (False, True)
    assert other.negative is False
    assert names.numbers == encoder.numbers


# The learner.


class Cubic(NamedTuple):
    """A loss of a user's own; it is never played here."""

    width: float = 1.0
    task = "real"
    convex = True


@rg.implement(rg.value, Cubic)
def _(loss, score, y):
    return abs(score - y) ** 3 / loss.width


@rg.implement(rg.slope, Cubic)
def _(loss, score, y):
    return 3.0 * (score - y) * abs(score - y) / loss.width


def test_another_learner_is_refused(tmp_path):
    path = tmp_path / "run.ckpt"
    learner = rg.OGD(step=rg.Constant(0.25))
    write_checkpoint(path, learner=learner, player=learner.player(2))
    checkpoint = read_checkpoint(path)
    assert checkpoint.learner == learner
    for other in (rg.OGD(), rg.OGD(step=rg.Constant(0.25), bias=True), rg.Perceptron()):
        with pytest.raises(
            ValueError, match=r"begun by OGD\(step=Constant\(eta=0.25\)\)"
        ):
            checkpoint.restore(other)
    checkpoint.restore(rg.OGD(step=rg.Constant(0.25)))


def test_parts_of_your_own_must_be_given_again(tmp_path):
    path = tmp_path / "run.ckpt"
    learner = rg.OGD(loss=Cubic(2.0))
    write_checkpoint(path, learner=learner, player=learner.player(3))
    checkpoint = read_checkpoint(path)
    assert checkpoint.learner is None
    with pytest.raises(ValueError, match="has parts of your own"):
        checkpoint.restore()
    with pytest.raises(ValueError, match="only go on with the learner"):
        checkpoint.restore(rg.OGD(loss=Cubic(3.0)))
    player, recorder = checkpoint.restore(rg.OGD(loss=Cubic(2.0)))
    assert player.n_features == 3
    assert recorder is None


# Files that are not what they should be.


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The bytes of a checkpoint."""
    path = tmp_path_factory.mktemp("good") / "run.ckpt"
    case = CASES[0]
    rows = batches(case)
    player, recorder = begun(case.learner, rows, EVERY, None)
    feed(player, recorder, rows[:8])
    write_checkpoint(path, learner=case.learner, player=player, recorder=recorder)
    return path.read_bytes()


def refused(path, data):
    path.write_bytes(data)
    with pytest.raises(ValueError, match="not a regretless checkpoint: ") as caught:
        read_checkpoint(path)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None
    return str(caught.value)


def test_cut_anywhere(good, tmp_path):
    rng = np.random.default_rng(0)
    for size in {
        0,
        1,
        7,
        8,
        9,
        len(good) - 1,
        *rng.integers(0, len(good), 50).tolist(),
    }:
        refused(tmp_path / "cut.ckpt", good[:size])
    refused(tmp_path / "long.ckpt", good + b"\0")


def test_a_flipped_byte_anywhere(good, tmp_path):
    rng = np.random.default_rng(1)
    header = 8 + struct.unpack("<Q", good[:8])[0]
    places = [
        *range(16),
        *rng.integers(0, header, 300),
        *rng.integers(0, len(good), 300),
    ]
    for place in places:
        data = bytearray(good)
        data[place] ^= int(rng.integers(1, 256))
        if data[place] in b" \t\r\n" and good[place] in b" \t\r\n":
            continue  # room at the end of the header, which says nothing
        refused(tmp_path / "flipped.ckpt", bytes(data))


def test_a_model_is_no_checkpoint_and_the_other_way_round(good, tmp_path):
    path = tmp_path / "file"
    rg.play(rg.Perceptron(), [[1.0]], [1]).model("last").save(path)
    with pytest.raises(ValueError, match="not a regretless checkpoint: it is a model"):
        read_checkpoint(path)
    path.write_bytes(good)
    with pytest.raises(ValueError, match="not a regretless model: it is a checkpoint"):
        rg.load(path)


def test_a_missing_file_is_said_in_the_usual_words(tmp_path):
    with pytest.raises(FileNotFoundError, match="No such file"):
        read_checkpoint(tmp_path / "none")


def parts_of(path):
    """The content of a checkpoint as a tree that may be changed and written again."""
    return read_checkpoint(path).content


def spoil(tree, where, value):
    for key in where[:-1]:
        tree = tree[key]
    tree[where[-1]] = value


HOSTILE = [
    (["player", "n_features"], 5),
    (["player", "n_features"], 2**31),
    (["player", "n_features"], 2**70),
    (["player", "n_features"], -1),
    (["player", "n_features"], "4"),
    (["player", "learned", "primal"], np.zeros(3)),
    (["player", "learned", "primal"], np.zeros((2, 2))),
    (["player", "learned", "primal"], np.zeros(4, np.int64)),
    (["player", "learned", "primal"], [0.0] * 4),
    (["player", "learned", "dual"], np.zeros(1)),
    (["player", "learned", "numbers"], np.zeros(9)),
    (["player", "learned", "sums"], np.zeros(3)),
    (["player", "learned", "clock"], np.zeros(7)),
    (["player", "keeps_mean"], False),
    (["player", "seconds"], "long"),
    (["player", "statistics", "counts"], np.array([9, 0, 0, 0, 0, 256, 1, 9])),
    (["player", "statistics", "counts"], np.array([9, 0, 0, 0, 0, -1, 1, 9])),
    (["player", "statistics", "counts"], np.array([9, 0, 0, 0, 0, 0, 0, 9])),
    (["player", "statistics", "sums"], np.zeros(3)),
    (["player", "statistics", "curve"], np.zeros((2, 3))),
    (["recorder", "rounds"], 3),
    (["recorder", "kinds"], ["mean", "everything"]),
    (["recorder", "kinds"], ["mean"]),
    (["recorder", "length"], "many"),
    (["recorder", "seed"], -3),
    (["recorder", "halves", "starts", 0, "total"], np.zeros(1000)),
    (["recorder", "halves"], 3),
    (["recorder", "refused"], -1),
    (["recorder", "drawn"], [0, np.zeros(1000)]),
    (["recorder", "voters"], 3),
    (["recorder", "snapshots"], []),
    (["recorder", "snapshots", "held"], []),
    (["recorder", "snapshots", "taken"], 1),
    (["recorder", "snapshots", "held", 0, "place"], 8),
    (["recorder", "snapshots", "weights", 0], np.zeros(1000)),
    (["recorder", "snapshots", "held", 0, "errors"], 10**9),
    (["recorder", "snapshots", "held", 2, "evidence"], None),
    (["recorder", "record"], {}),
    (["recorder", "record", "late"], None),
    (["recorder", "record", "dates"], np.zeros(2)),
    (["recorder", "record", "rising", "rows"], 65),
    (["recorder", "record", "tests", "labels", "clock"], np.array([3, 1, 64, 8, 1])),
    (["recorder", "record", "tests", "labels", "tree"], np.full(3, 2**40)),
    (["recorder", "record", "seen", "rows"], -1),
    (["recorder", "record", "tests"], {}),
    (["recorder", "record", "tests", "labels", "tree"], np.zeros(5, np.int64)),
    (["recorder", "record", "tests", "labels", "wealth"], np.zeros(5)),
    (["recorder", "record", "tests", "labels", "seed"], -1),
    (["recorder", "record", "tests", "labels", "seed"], 2**40),
    (["recorder", "queue"], []),
    (["recorder", "queue", "half", "ahead"], 1),
    (["recorder", "queue", "half", "ahead"], -1),
    (["learner"], {"learner": "Popen", "parameters": {}}),
    (["learner"], {"part": "Hinge", "fields": {}}),
    (["learner"], {"learner": "OGD", "parameters": {"step": {"part": "Run"}}}),
    (["learner"], {"learner": "OGD", "parameters": {"nothing": 1}}),
    (["learner"], 3),
    (["player"], None),
    (["recorder"], 3),
]


@pytest.mark.parametrize(("where", "value"), HOSTILE, ids=lambda v: repr(v)[:40])
def test_made_up_content_with_right_checksums(good, where, value, tmp_path):
    path = tmp_path / "run.ckpt"
    path.write_bytes(good)
    content = parts_of(path)
    spoil(content, where, value)
    write_file(path, "checkpoint", content)
    with pytest.raises(ValueError, match="not a regretless checkpoint: ") as caught:
        read_checkpoint(path).restore()
    assert "\n" not in str(caught.value)


def test_whatever_is_missing_is_named(good, tmp_path):
    path = tmp_path / "run.ckpt"
    path.write_bytes(good)
    for key in parts_of(path):
        path.write_bytes(good)
        content = parts_of(path)
        del content[key]
        write_file(path, "checkpoint", content)
        with pytest.raises(ValueError, match=f"it has no '{key}'"):
            read_checkpoint(path).restore()


def test_the_header_is_strict_json(good):
    size = struct.unpack("<Q", good[:8])[0]
    header = json.loads(good[8 : 8 + size])

    def refuse(text):
        raise AssertionError(text)

    document = json.loads(header["__metadata__"]["regretless"], parse_constant=refuse)
    assert document["what"] == "checkpoint"
