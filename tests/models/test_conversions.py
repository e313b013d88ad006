"""Each conversion is what its words say, recounted from the whole path of weights."""

from __future__ import annotations

import dataclasses
import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from scipy.stats import chisquare

import regretless as rg
from learners import CASES, label
from regretless import certify
from regretless.evidence.snapshots.positions import Grid, Reservoir, fractions
from regretless.models.conversions import conversions

EVERY = ("mean", "last-half", "random", "vote", "validated")
BINARY = [case for case in CASES if case.binary]
each = pytest.mark.parametrize("case", CASES, ids=label)
each_classifier = pytest.mark.parametrize("case", BINARY, ids=label)


def problem(case, n=700, d=4, seed=3):
    """Rows that the learner accepts, and noisy labels."""
    rng = np.random.default_rng(seed)
    low, high = max(case.low, -1.0), min(case.high, 1.0)
    X = np.round(rng.uniform(low, high, (n, d)), 3)
    clean = X @ np.array([1.0, -1.0, 0.5, 0.25]) + 0.2 * rng.normal(size=n)
    return X, np.where(clean > np.median(clean), 1, -1) if case.binary else clean


def pairs(X, y):
    """The same rows as a stream of unknown length."""
    return ((x, target) for x, target in zip(X, y.tolist(), strict=True))


def traced(case, **more):
    X, y = problem(case, **more)
    return rg.play(case.learner, X, y, trace=True), X, y


def threshold(run):
    return run.learner.composition(run.weights.size).threshold


# Means.


@each
def test_the_mean_is_the_plain_average(case):
    run, _, _ = traced(case)
    model = run.model("mean")
    plain = run.weight_path[:-1].mean(axis=0)
    np.testing.assert_allclose(model.weights, plain, rtol=1e-10, atol=1e-13)
    assert model.about == "the mean of all 700 hypotheses"


@each
def test_the_last_half_of_a_known_length(case):
    run, _, _ = traced(case, n=701)
    model = run.model("last-half")
    plain = run.weight_path[350:-1].mean(axis=0)
    np.testing.assert_allclose(model.weights, plain, rtol=1e-10, atol=1e-12)
    assert "of rounds 351 to 701" in model.about


@each
@pytest.mark.parametrize(("n", "start"), [(1, 0), (7, 3), (512, 226), (1100, 559)])
def test_the_last_half_of_an_unknown_length_starts_near_the_middle(case, n, start):
    run, X, y = traced(case, n=n)
    stream = rg.play(case.learner, pairs(X, y), models=["last-half"], n_features=4)
    model = stream.model("last-half")
    plain = run.weight_path[start:-1].mean(axis=0)
    np.testing.assert_allclose(model.weights, plain, rtol=1e-9, atol=1e-12)
    assert f"of rounds {start + 1:,} to {n:,}" in model.about


# One at random.


@each
def test_a_random_hypothesis_is_the_one_at_its_position(case):
    run, X, y = traced(case)
    again = rg.play(case.learner, X, y, models=["random"])
    position, hypothesis = again.recorder.random
    weights = hypothesis.weights()
    assert 0 <= position < run.rounds
    np.testing.assert_array_equal(weights, run.weight_path[position])
    model = again.model("random")
    np.testing.assert_array_equal(model.weights, weights)
    assert model.about.endswith(f"that after round {position:,}")
    if case.binary:
        assert "randomized hypothesis" in model.certificate.about
        assert "not the one that was drawn" in model.certificate.about


@pytest.mark.parametrize("n", [1, 2, 7])
def test_the_reservoir_is_uniform_over_the_positions_that_predicted(n):
    counts = np.zeros(n)
    for seed in range(3000):
        last, positions = 0, Reservoir(np.random.default_rng(seed))
        while positions.ahead < n:
            last = positions.ahead
            positions.advance()
        counts[last] += 1
    assert n == 1 or chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("length", [None, 10, 10**6])
def test_a_declared_length_that_is_wrong_leaves_the_draw_uniform(length):
    from regretless.evidence.snapshots import Recorder

    counts = np.zeros(6)
    source = np.ones(6)
    for seed in range(600):
        player = rg.Perceptron().player(1)
        recorder = Recorder(player, ["random"], length, seed=seed)
        recorder.play(rg.parts.rows.Dense(source, 1), source)
        counts[recorder.random[0]] += 1
    assert chisquare(counts).pvalue > 1e-3


# Votes.


def naive_vote(path, X, limit):
    score = np.zeros(len(X))
    for w in path:
        score += np.sign(X @ w - limit)
    return score / len(path)


@each_classifier
def test_the_vote_is_over_all_hypotheses_that_predicted(case):
    run, X, _ = traced(case, n=300)
    model = run.model("vote")
    slow = naive_vote(run.weight_path[:-1], X[:50], threshold(run))
    np.testing.assert_allclose(model.scores(X[:50]), slow, atol=0.011)
    assert np.mean(np.abs(model.scores(X[:50]) - slow) > 1e-9) < 0.05  # near ties
    assert model.exact
    assert model.counts.sum() == 300
    assert "all" in str(model)


def test_who_scores_0_abstains():
    X = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    model = rg.play(rg.Perceptron(), X, [1, -1, -1, 1]).model("vote")
    # w = (0, 0), (1, 0), (1, -1), (1, -1): the first abstains on all, and so on.
    np.testing.assert_allclose(model.scores([[1.0, 0.0], [0.0, 1.0]]), [0.75, -0.5])
    np.testing.assert_array_equal(model.predict([[0.0, 0.0]]), [-1])


def test_a_vote_beyond_the_budget_is_a_sample_and_says_so(monkeypatch):
    case = BINARY[0]
    run, X, _ = traced(case)
    monkeypatch.setattr(conversions, "BUDGET", 1000)
    model = run.model("vote")
    assert not model.exact
    assert "a uniform sample of 64 hypotheses" in str(model)
    assert "on average over the sampling" in model.certificate.about
    known = {w.tobytes() for w in run.weight_path[:-1]}
    assert all(w.tobytes() in known for w in model.hypotheses)
    slow = naive_vote(model.hypotheses, X, 0.0)
    np.testing.assert_allclose(model.scores(X), slow, atol=1e-12)


def test_a_vote_keeps_only_the_hypotheses_that_differ():
    X = np.tile([[1.0, 0.0]], (5000, 1))
    model = rg.play(rg.Perceptron(), X, np.ones(5000, int)).model("vote")
    np.testing.assert_array_equal(model.hypotheses, [[0, 0], [1, 0]])
    np.testing.assert_array_equal(model.counts, [1, 4999])


def test_the_hypothesis_after_the_last_round_has_no_vote():
    model = rg.play(rg.Perceptron(), [[1.0], [-1.0]], [1, 1]).model("vote")
    np.testing.assert_array_equal(model.hypotheses, [[0], [1]])
    np.testing.assert_array_equal(model.counts, [1, 1])


@each_classifier
def test_the_vote_is_certified_at_twice(case):
    run, _, _ = traced(case, n=300)
    found, single = run.model("vote").certificate, run.certificate()
    assert found.value == min(1.0, 2 * single.value)
    assert found.hoeffding == min(1.0, 2 * single.hoeffding)


# Validation.


def later_errors(run, X, y, position):
    w = run.weight_path[position]
    return int((y[position:] * (X[position:] @ w - threshold(run)) <= 0).sum())


def grid_below(n):
    positions, found = Grid(), []
    while positions.ahead < n:
        found.append(positions.ahead)
        positions.advance()
    return found


def judged_plainly(run, X, y, positions):
    """Each frozen hypothesis with its errors: the last, and the mean of its half."""
    found = []
    for p, start in positions:
        raw = run.weight_path[p]
        half = run.weight_path[start:p].mean(axis=0)
        for w in (raw, half):
            wrong = y[p:] * (X[p:] @ w - threshold(run)) <= 0
            found.append((p, w, len(wrong), int(wrong.sum())))
    return found


@each_classifier
@pytest.mark.parametrize("n", [700, 60])
def test_validation_at_a_preset_length(case, n):
    run, X, y = traced(case, n=n)
    again = rg.play(case.learner, X, y, models=["validated"])
    held = again.recorder.snapshots
    positions = fractions(n)
    assert positions == [int(share * n) for share in (0.25, 0.5, 0.75, 0.9)]
    plain = judged_plainly(run, X, y, [(p, p // 2) for p in positions])
    bounds = []
    for snapshot, (p, w, rounds, errors) in zip(held.held, plain, strict=True):
        assert snapshot.position == p
        np.testing.assert_allclose(
            held.hypothesis(snapshot).weights(), w, rtol=1e-9, atol=1e-12
        )
        assert (snapshot.rounds, snapshot.errors) == (rounds, errors)
        bounds.append(certify.clopper_pearson(rounds, errors, 0.1 / 8))
    model = again.model("validated", delta=0.1)
    best = held.held[int(np.argmin(bounds))]
    assert model.certificate.value == min(bounds)
    assert (model.certificate.learned, model.certificate.rows) == (best.position, n)
    assert not model.certificate.refit
    assert model.certificate.delta == 0.1
    assert (model.certificate.n, model.certificate.total) == (best.rounds, best.errors)
    np.testing.assert_array_equal(model.weights, held.hypothesis(best).weights())
    assert "preset length" in str(model.certificate)
    assert "any stopping time" not in str(model.certificate)
    paid = certify.hoeffding(best.rounds, best.errors, 0.1 / 8)
    assert model.certificate.hoeffding == paid


def test_a_tie_is_an_error_of_a_frozen_hypothesis():
    X, y = problem(BINARY[0])
    X[::5] = 0.0
    run = rg.play(rg.Perceptron(), X, y, trace=True, models=["validated"])
    for snapshot in run.recorder.snapshots.held:
        if snapshot.start is None:
            assert snapshot.errors == later_errors(run, X, y, snapshot.position)
        assert snapshot.errors >= snapshot.rounds // 5


@each_classifier
@pytest.mark.parametrize("n", [30, 1000])
def test_the_end_of_a_stream_of_unknown_length_is_preset(case, n):
    """Of the latest four positions those up to .9 of the rows are judged."""
    run, X, y = traced(case, n=n)
    stream = rg.play(case.learner, pairs(X, y), models=["validated"], n_features=4)
    grid = grid_below(n)
    latest = [p for p in grid[-4:] if p <= 0.9 * n]
    assert len(latest) >= 3
    half = {
        p: min([0, *grid[: grid.index(p)][-3:]], key=lambda h: abs(2 * h - p))
        for p in latest
    }
    plain = judged_plainly(run, X, y, [(p, half[p]) for p in latest])
    bounds = [
        certify.clopper_pearson(rounds, errors, 0.1 / len(plain))
        for _, _, rounds, errors in plain
    ]
    found = stream.model("validated", delta=0.1)
    assert found.certificate.value == min(bounds)
    _, w, rounds, errors = plain[int(np.argmin(bounds))]
    assert (found.certificate.n, found.certificate.total) == (rounds, errors)
    np.testing.assert_allclose(found.weights, w, rtol=1e-9, atol=1e-12)


@each_classifier
def test_stopped_by_somebody_it_is_certified_at_any_time(case):
    """The k-th position has a share of delta that is fixed before the data."""
    X, y = problem(case)
    stream = rg.play(case.learner, pairs(X, y), models=["validated"], n_features=4)
    grid = grid_below(700)
    assert [one.number for one in stream.recorder.snapshots.held[::2]] == [
        len(grid) - 3 + k for k in range(4)
    ]
    stopped = dataclasses.replace(stream, ended=False)
    found = stopped.model("validated", delta=0.1).certificate
    assert found.scope == "at any stopping time"
    same = stream.model("validated", delta=0.1).certificate  # at another price
    assert (found.about, found.n, found.total) == (same.about, same.n, same.total)
    (snapshot,) = {
        one.number: one
        for one in stream.recorder.snapshots.held
        if one.position == found.learned
    }.values()
    octave = (snapshot.number - 1) // 3 + 1
    share = 0.1 / (octave * (octave + 1) * 3 * 2)
    tuned = max(found.learned, 512)
    assert found.value == certify.kl_mixture(found.n, found.total, share, tuned)


def test_the_shares_of_delta_of_a_stopped_run_sum_to_one_at_most():
    octaves = [(k - 1) // 3 + 1 for k in range(1, 10_000)]
    shares = [2.0 / (octave * (octave + 1) * 3 * 2) for octave in octaves]
    assert sum(shares) <= 1.0


def test_one_row_is_too_few_to_validate():
    with pytest.raises(ValueError, match="1 round is too few"):
        rg.play(rg.Perceptron(), [({"a": 1.0}, 1)]).model("validated")


@each_classifier
def test_the_default_has_learned_every_row_beside_a_certificate(case):
    run, X, y = traced(case)
    model = run.model(delta=0.1)
    held = rg.play(case.learner, X, y, models=["validated"]).recorder.snapshots.held
    raw = sum(one.errors for one in held if one.start is None)
    half = sum(one.errors for one in held if one.start is not None)
    clearly = raw + 0.5 * math.sqrt(raw) < half
    assert model.kind == ("last" if clearly else "last-half")
    np.testing.assert_array_equal(model.weights, run.model(model.kind).weights)
    certified = run.model("validated", delta=0.1).certificate
    assert model.certificate.refit
    assert model.certificate.value == certified.value
    assert "this model has learned the rest as well" in " ".join(
        str(model.certificate).split()
    )


def test_rows_that_the_learner_refused_are_errors_in_every_certificate():
    from regretless.data import open_source
    from regretless.runs.session import Session

    X, y = problem(BINARY[0], n=400)
    X = np.abs(X) % 1.0
    X[300::10, 0] = 7.0  # Winnow takes rows in [0, 1]
    source = open_source(list(zip(X, y.tolist(), strict=True)), None, binary=True)
    game = Session(rg.Winnow(n_features=4), source, models=["validated"], skip=True)
    for batch in source.batches():
        game.take(batch)
    game.ended = True
    run = game.run()
    assert run.refused == 10
    found = run.certificate()
    assert (found.n, found.total) == (400, run.mistakes + 10)
    for snapshot in run.recorder.snapshots.held:
        seen = sum(
            1 for k in range(300, 400, 10) if k - (k - 300) // 10 >= snapshot.position
        )
        assert snapshot.rounds == run.rounds - snapshot.position + seen
        assert snapshot.errors >= seen


# In one pass, by replay, in chunks, in growing spaces.


def same(ours, theirs):
    """Equal to the last bit, whatever the kind of model."""
    assert str(ours) == str(theirs)
    assert ours.certificate == theirs.certificate
    if ours.kind == "vote":
        np.testing.assert_array_equal(ours.hypotheses, theirs.hypotheses)
        np.testing.assert_array_equal(ours.biases, theirs.biases)
        np.testing.assert_array_equal(ours.counts, theirs.counts)
    else:
        np.testing.assert_array_equal(ours.weights, theirs.weights)
        assert (ours.bias, ours.threshold) == (theirs.bias, theirs.threshold)


def kinds_for(case):
    return [k for k in EVERY[:-1] if case.binary or k not in ("vote", "validated")]


@each
def test_one_pass_equals_replay(case):
    X, y = problem(case)
    bare = rg.play(case.learner, X, y)
    full = rg.play(case.learner, X, y, models=EVERY[:-1])
    for kind in ("last", *kinds_for(case)):
        if kind != "validated":
            same(full.model(kind), bare.model(kind))
    if case.binary:  # a replay tests exchangeability without being asked
        full = rg.play(case.learner, X, y, models=EVERY)
        same(full.model("validated"), bare.model("validated"))


@each
def test_sparse_rows_and_chunks_equal_the_whole(case, monkeypatch):
    from regretless.data import event_source as events
    from regretless.evidence.snapshots import recorder

    X, y = problem(case)
    X[np.random.default_rng(0).random(X.shape) < 0.3] = 0.0
    kinds = [kind for kind in kinds_for(case) if kind != "vote"]  # exact or a sample
    whole = rg.play(case.learner, csr_array(X), y, models=EVERY)
    monkeypatch.setattr(recorder, "CHUNK", 37)
    monkeypatch.setattr(events, "CHUNK", 11)
    rows = ((csr_array(X[[i]]), y[i].item()) for i in range(len(y)))
    chunked = rg.play(case.learner, rows, models=EVERY, n_features=4, length=700)
    for kind in kinds:
        ours, theirs = chunked.model(kind), whole.model(kind)
        np.testing.assert_array_equal(ours.weights, theirs.weights)
        assert ours.certificate == theirs.certificate


def growing(n=2500, seed=1):
    """Events whose words become more and more."""
    rng = np.random.default_rng(seed)
    return [
        (
            {f"w{int(j)}": float(rng.normal()) for j in rng.integers(0, 3 + t // 4, 4)},
            bool(rng.random() < 0.5),
        )
        for t in range(n)
    ]


@pytest.mark.parametrize("bias", [False, True])
def test_models_of_a_growing_feature_space(bias):
    events = growing()
    learner = rg.Perceptron(bias=bias)
    once = rg.play(learner, iter(events), models=EVERY)
    again = rg.play(learner, events)
    for kind in ("last", "mean", "last-half", "random", "validated"):
        model, replayed = once.model(kind), again.model(kind)
        np.testing.assert_allclose(
            model.weights, replayed.weights, rtol=1e-12, atol=1e-12
        )
        assert len(model.named_weights()) == once.weights.size
        x = events[-1][0]
        named = model.named_weights()
        slow = sum(named[name] * value for name, value in x.items()) + model.bias
        assert model.scores(x)[0] == pytest.approx(slow)
    assert again.model("vote").exact
    assert not once.model("vote").exact  # a stream that is gone: a sample, it says so


@each
def test_the_bias_is_a_weight_like_any_other(case):
    from dataclasses import replace

    if case.low >= 0 or isinstance(case.learner, rg.EG | rg.NormalizedWinnow):
        pytest.skip("no bias worth having")
    learner = replace(case.learner, bias=True)
    X, y = problem(case, n=520)
    widened = np.hstack([np.ones((520, 1)), X])
    with_bias = rg.play(learner, X, y, models=EVERY)
    by_hand = rg.play(case.learner, widened, y, models=EVERY)
    for kind in kinds_for(case):
        ours, theirs = with_bias.model(kind), by_hand.model(kind)
        np.testing.assert_allclose(
            ours.scores(X[:9]), theirs.scores(widened[:9]), rtol=1e-6, atol=1e-7
        )


def test_rows_before_a_bad_one_are_counted():
    rng = np.random.default_rng(0)
    X = rng.random((900, 3))
    rows = [
        ({f"f{j}": v for j, v in enumerate(x)}, int(t > 0.5))
        for x, t in zip(X.tolist(), X[:, 0], strict=True)
    ]
    rows[700] = ({"f0": 5.0, "late": 1.0}, 1)
    good = rg.play(rg.Winnow(), iter(rows[:700]), models=EVERY, n_features=5)
    good = dataclasses.replace(good, ended=False)
    with pytest.raises(ValueError, match="row 700") as caught:
        rg.play(rg.Winnow(), iter(rows), models=EVERY, n_features=5)
    run = caught.value.run
    assert run.recorder.rounds == 700
    for kind in EVERY[:-1]:
        same(run.model(kind), good.model(kind))


# Classes, frames and dicts.


def test_classes_come_back():
    X = np.random.default_rng(0).normal(size=(600, 2))
    y = np.where(X[:, 0] > 0, "spam", "ham")
    run = rg.play(rg.Perceptron(), X, y)
    for kind in conversions.CONVERSIONS:
        found = run.model(kind).predict(X)
        assert set(found) == {"ham", "spam"}
        assert (found == y).mean() > 0.8


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames_and_dicts_are_matched_by_name(make):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    frame = make({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    shuffled = make({"c": X[:, 2], "z": X[:, 0], "a": X[:, 0], "b": X[:, 1]})
    run = rg.play(rg.Perceptron(), frame, X[:, 0] > 0)
    for kind in conversions.CONVERSIONS:
        model = run.model(kind)
        plain = model.scores(X)
        np.testing.assert_allclose(model.scores(shuffled), plain, atol=1e-12)
        np.testing.assert_allclose(model.scores(csr_array(X)), plain, atol=1e-12)
        rows = [dict(zip("cab", row, strict=True)) for row in X[:5, [2, 0, 1]].tolist()]
        np.testing.assert_allclose(model.scores(rows), plain[:5], atol=1e-12)
        unknown = model.scores({"a": 1.0, "unknown": 9.0})
        np.testing.assert_allclose(unknown, model.scores([1.0, 0.0, 0.0]), atol=1e-12)
        with pytest.raises(ValueError, match="no column 'b'"):
            model.predict(shuffled[["a", "c"]])
        with pytest.raises(ValueError, match="2 columns, but the model has 3"):
            model.predict(X[:, :2])
        with pytest.raises(ValueError, match="nan or infinity"):
            model.predict([[1.0, math.nan, 0.0]])
        with pytest.raises(ValueError, match="'a': inf is not a finite number"):
            model.predict({"a": math.inf})


def test_more_features_declared_than_appear():
    events = [({"a": 1.0, "b": -1.0}, 1), ({"b": 1.0}, 0)] * 300
    model = rg.play(rg.Winnow(), [({"a": 1.0}, 1), ({"b": 1.0}, 0)] * 300, n_features=5)
    model = model.model("mean")
    assert list(model.named_weights()) == ["a", "b"]
    frame = pd.DataFrame({"b": [0.0, 1.0], "a": [1.0, 0.0]})
    np.testing.assert_allclose(
        model.scores(frame), model.scores([events[0][0] | {"b": 0.0}, {"b": 1.0}])
    )


# What is certified.


@pytest.mark.parametrize("signed", [False, True])
def test_a_mean_survives_weights_that_explode(signed):
    """Steps so large that a weight is infinite until all are normalized again."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) * [1.0, 10.0, 100.0, 1000.0]
    learner = rg.EG(loss=rg.Squared(), signed=signed)
    run = rg.play(learner, X, 1e3 * X[:, 0], trace=True)
    plain = run.weight_path[:-1].mean(axis=0)
    np.testing.assert_allclose(run.model("mean").weights, plain, atol=1e-12)


@each
def test_the_error_of_a_mean_or_the_last_is_never_certified(case):
    run, _, _ = traced(case, n=300)
    for kind in ("last", "mean", "last-half"):
        model = run.model(kind)
        assert model.certificate is None
        if case.binary:
            assert "is not certified" in model.why_not
            assert 'model("validated")' in model.why_not
            assert "run.certificate()" in model.why_not
            assert "not certified" in str(model)
        else:
            assert "it predicts numbers" in model.why_not


def ball_run(n=3000, *, max_norm=1.0, stream=False, **more):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 3))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, 1, -1)
    learner = rg.OGD(radius=2.0, max_norm=max_norm, step=rg.InverseSqrt(1.0))
    if stream:
        return rg.play(learner, pairs(X, y), keep=True, trace=True, **more)
    return rg.play(learner, X, y, trace=True, **more)


def test_means_are_certified_under_a_bounded_hinge():
    run = ball_run(max_norm=1.0001)
    model = run.model("mean", delta=0.1)
    scale = 1.0 + 2.0 * 1.0001
    found = model.certificate
    assert found.scale == pytest.approx(scale)
    value = scale * certify.betting(run.losses / scale, 0.1, 3000)
    assert found.value == pytest.approx(value)
    assert found.measured == pytest.approx(run.losses.mean())
    assert "hinge loss of the mean of all 3,000 hypotheses" in " ".join(
        str(found).split()
    )
    assert "no row is longer than 1.0001, as declared" in " ".join(str(found).split())
    half = run.model("last-half", delta=0.1).certificate
    value = scale * certify.betting(run.losses[1500:] / scale, 0.1, 1500)
    assert half.value == pytest.approx(value)
    assert "preset length" in half.scope


def test_means_over_refused_rows_are_not_certified(tmp_path):
    X = np.random.default_rng(4).uniform(-0.5, 0.5, size=(200, 3))
    rows = [f"{1 if x[0] > 0 else -1} 1:{x[0]} 2:{x[1]} 3:{x[2]}" for x in X]
    learner = rg.OGD(radius=2.0, max_norm=1.0, step=rg.InverseSqrt(1.0))
    path = tmp_path / "a.svm"
    for refused in (0, 2):
        bad = ["1 1:1e200"] * refused  # its length is no number
        path.write_text("\n".join([*rows[:150], *bad, *rows[150:]]) + "\n")
        run = rg.play(learner, path, options=rg.ReadOptions(on_bad_rows="skip"))
        assert run.refused == refused
        for kind in ("mean", "last-half"):
            model = run.model(kind)
            assert (model.certificate is None) == (refused > 0)
            assert ("refused 2 rows" in model.why_not) == (refused > 0)
        if refused:
            assert run.model("validated").certificate.total >= refused


def test_a_mean_that_starts_anew_pays_for_every_start():
    run = dataclasses.replace(ball_run(stream=True, max_norm=1.0001), ended=False)
    recorder = run.game.record(["last-half"], run.length)
    start = recorder.halves.start(run.rounds)
    assert start.number == 2 + grid_below(run.rounds).index(start.position)
    found = run.model("last-half", delta=0.1).certificate
    share = 0.1 / (start.number * (start.number + 1))
    scale = 1.0 + 2.0 * 1.0001
    value = scale * certify.betting(run.losses[start.position :] / scale, share, 1e5)
    assert found.value == pytest.approx(value)
    assert (found.delta, found.spent) == (0.1, share)
    assert "any time" in found.scope
    ended = dataclasses.replace(run, ended=True).model("last-half", delta=0.1)
    assert ended.certificate.spent is None
    assert "preset length" in ended.certificate.scope


def test_a_false_max_norm_is_an_error():
    run = ball_run(max_norm=0.5)
    for kind in ("mean", "last-half"):
        with pytest.raises(ValueError, match=r"max_norm=0\.5 was declared"):
            run.model(kind)


def test_losses_on_the_border_are_not_outside_by_rounding():
    learner = rg.OGD(radius=0.3, max_norm=math.sqrt(0.02), step=rg.Constant(100.0))
    X = np.full((600, 2), 0.1)
    y = np.tile([1, -1], 300)
    assert rg.play(learner, X, y).model("mean").certificate.value <= 1 + 0.3 * 0.1415


# Bad input.


def test_bad_input_is_refused():
    X, y = problem(BINARY[0])
    run = rg.play(rg.Perceptron(), X, y)
    with pytest.raises(ValueError, match=r"model\('best'\): choose among last, mean"):
        run.model("best")
    for kind in conversions.CONVERSIONS:
        with pytest.raises(ValueError, match=r"delta=1\.5"):
            run.model(kind, delta=1.5)
    with pytest.raises(ValueError, match=r"delta=1\.5"):
        run.certificate(1.5, runs=3)
    with pytest.raises(ValueError, match="runs=0"):
        run.certificate(runs=0)
    with pytest.raises(ValueError, match="none of"):
        rg.play(rg.Perceptron(), X, y, models=["best"])
    for length in (0, -4, 2.5):
        with pytest.raises(ValueError, match="length="):
            rg.play(rg.Perceptron(), pairs(X, y), models=["mean"], length=length)


def test_conversions_that_a_regression_does_not_admit():
    X, y = problem(SimpleNamespace(low=-1.0, high=1.0, binary=False))
    run = rg.play(rg.OGD(rg.Squared(), rg.Constant(0.1)), X, y)
    with pytest.raises(ValueError, match="a vote is for classifiers"):
        run.model("vote")
    with pytest.raises(ValueError, match="validation is for classifiers"):
        run.model("validated")
    with pytest.raises(ValueError, match="no error to certify"):
        run.certificate()
    assert run.model("random").certificate is None
    np.testing.assert_allclose(
        run.model("mean").predict(X), run.model("mean").scores(X)
    )


def test_a_stream_that_is_gone_says_what_to_do():
    run = rg.play(rg.Perceptron(), iter([({"a": 1.0}, 1)] * 9))
    with pytest.raises(ValueError, match=r"models=\["):
        run.model("mean")


def test_several_runs_share_delta():
    X, y = problem(BINARY[0])
    run = rg.play(rg.Perceptron(), X, y)
    assert run.certificate(0.05, runs=5).value == certify.kl_mixture(
        700, run.mistakes, 0.01, 700
    )
