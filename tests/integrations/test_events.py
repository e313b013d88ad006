"""Streams of events: the River-style loop, late labels, weights, receipts."""

from __future__ import annotations

import copy
import datetime
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import learners
import regretless as rg
from regretless.errors import NotCertified

CASES = [*learners.CASES, *learners.SCALED_CASES]
NAMES = [f"n{j}" for j in range(12)]


def fresh(learner, **changes):
    copied = copy.copy(learner)
    copied.forget()
    for name, value in changes.items():
        setattr(copied, name, value)
    return copied


def some_events(n=120, *, low=-1.0, high=1.0, binary=True, seed=0):
    """Events whose names appear one after the other, with gaps and zeros."""
    rng = np.random.default_rng(seed)
    events = []
    for t in range(n):
        known = NAMES[: 2 + t * len(NAMES) // n]
        chosen = rng.choice(known, size=rng.integers(0, len(known) + 1), replace=False)
        x = {
            str(name): float(rng.uniform(max(low, -1), min(high, 1))) for name in chosen
        }
        score = x.get("n0", 0.0) - x.get("n1", 0.0) + x.get("n5", 0.0)
        y = float(score > rng.normal(0.0, 0.1)) if binary else score + rng.normal()
        events.append((x, y, float(rng.integers(0, 4)) / 2.0))
    return events


def looped(learner, events, *, predict=True):
    """As one would write it."""
    for x, y, *weight in events:
        if predict:
            learner.predict_one(x)
        learner.learn_one(x, y, *weight)
    return learner


def assert_same(learner, run):
    assert learner.ledger == run.ledger
    assert learner.ledger.curve.tolist() == run.ledger.curve.tolist()
    assert learner.weights == run.named_weights()
    assert learner.live.player.bias_weight() == run.bias


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", CASES, ids=learners.label)
def test_the_loop_and_play_agree_bit_for_bit(case, weighted):
    events = some_events(low=case.low, high=case.high, binary=case.binary)
    events = events if weighted else [event[:2] for event in events]
    learner = fresh(case.learner, n_features=len(NAMES))
    run = rg.play(learner, events)
    # Who predicts as well compiles one more kernel: those whose start is special do.
    assert_same(looped(learner, events, predict=case.learner.fixed), run)
    assert run.weighted == learner.live.weighted == weighted
    assert rg.events.run(learner).ledger == run.ledger


@pytest.mark.parametrize("bias", [False, True])
def test_the_loop_and_play_agree_where_features_keep_appearing(bias):
    events = some_events()
    learner = looped(rg.Perceptron(bias=bias), events)
    assert_same(learner, rg.play(learner, events))


@pytest.mark.parametrize("members", [8, 4])
def test_the_loop_and_play_agree_of_panels(members):
    events = some_events()
    learner = looped(rg.Panel(members=members), events)
    assert_same(learner, rg.play(learner, events))


def naive_delayed(learner, events, delay):
    """Late labels, by looking at all of them after every event."""
    waiting, scores, mistakes = [], [], 0
    for i, (x, y) in enumerate(events):
        for each in sorted(w for w in waiting if w[0] <= i):
            waiting.remove(each)
            learner.learn_one(*events[each[1]])
        score = learner.score_one(x)
        scores.append(score)
        mistakes += score * (1 if y == 1 else -1) <= 0
        waiting.append((i + delay(x, y), i))
    for _, i in sorted(waiting):
        learner.learn_one(*events[i])
    return scores, mistakes


@pytest.mark.parametrize(
    "delay",
    [0, 1, 2, 7, 1000, math.inf, lambda x, y: 3 * len(x), lambda x, y: 9 if y else 0.5],
)
@pytest.mark.parametrize("learner", [rg.Perceptron(), rg.Panel()], ids=repr)
def test_late_labels_against_the_naive_loop(learner, delay):
    events = [event[:2] for event in some_events()]
    twin = fresh(learner)
    after = delay if callable(delay) else lambda x, y: delay
    _, mistakes = naive_delayed(twin, events, after)
    learner = fresh(learner)
    progress = rg.events.progressive(learner, rg.events.delayed(events, delay))
    assert progress.mistakes == mistakes
    assert progress.asked == progress.answered == len(events)
    assert progress.pending == 0
    assert learner.ledger == twin.ledger
    assert learner.weights == twin.weights


def test_what_was_predicted_counts_not_what_would_be_by_now():
    events = [({"a": 1.0}, 1)] * 10
    learner = rg.Perceptron()
    progress = rg.events.progressive(learner, rg.events.delayed(events, 5))
    assert progress.mistakes == 5  # the first label came when five had been asked
    assert learner.ledger.mistakes == 1  # but after the first one it knew
    assert progress.error == 0.5


def test_progressive_is_play_where_labels_are_not_late():
    events = some_events()
    for make in (rg.Perceptron, lambda: rg.OGD(rg.Logistic()), rg.Panel):
        progress = rg.events.progressive(make(), events)
        run = rg.play(make(), events)
        assert progress.mistakes == run.mistakes
        assert progress.loss == pytest.approx(run.loss)
        assert progress.run().ledger == run.ledger
    numbers = some_events(binary=False)
    progress = rg.events.progressive(rg.OGD(rg.Squared()), numbers)
    assert progress.mistakes is progress.error is None
    assert progress.loss == pytest.approx(rg.play(rg.OGD(rg.Squared()), numbers).loss)
    assert "mistakes" not in str(progress)
    progress = rg.events.progressive(rg.RegressionPanel(), numbers)
    assert progress.loss == pytest.approx(rg.play(rg.RegressionPanel(), numbers).loss)


@pytest.mark.parametrize(
    "make", [rg.MulticlassPerceptron, lambda: rg.OneVersusRest(rg.Perceptron())]
)
def test_progressive_of_many_classes(make):
    """Classes come late, and what was said before they came is a mistake."""
    labels = [min(t // 9, t * t % 5) for t in range(120)]
    events = [
        (x, np.str_(f"k{label}"), weight)
        for (x, _, weight), label in zip(some_events(), labels, strict=True)
    ]
    metric = Accuracy()
    progress = rg.events.progressive(make(), events, step=50, metric=metric)
    run = rg.play(make(), events)
    assert progress.mistakes == run.mistakes
    assert progress.run().ledger == run.ledger
    assert progress.loss is progress.mean_loss is None
    assert "loss" not in str(progress)
    assert metric.n == 119  # nothing was said before the first label
    assert metric.right >= 120 - progress.mistakes
    late = rg.events.progressive(make(), rg.events.delayed(events, 30))
    assert late.mistakes > 30


class Accuracy:
    """What River's metrics look like."""

    def __init__(self):
        self.right = self.n = 0

    def update(self, y_true, y_pred):
        self.n += 1
        self.right += y_true == y_pred

    def __str__(self):
        return f"Accuracy: {self.right / self.n:.2%}"


def test_steps_curve_and_metric():
    events = [event[:2] for event in some_events()]
    points = list(
        rg.events.iter_progressive(
            rg.Perceptron(bias=True), events, step=50, metric=Accuracy()
        )
    )
    assert [point.answered for point in points] == [50, 100, 120]
    assert points[-1].curve == tuple(
        (point.answered, point.mistakes, point.loss) for point in points
    )
    assert points[-1].metric.n == points[-1].metrics.rows == 119  # not the first one
    assert points[-1].metric.right >= 120 - points[-1].mistakes
    assert "Accuracy" in str(points[-1])
    assert "<table" in points[-1]._repr_html_()
    late = rg.events.delayed(events, 10)
    first = next(rg.events.iter_progressive(rg.Perceptron(), late))
    assert (first.asked, first.answered, first.pending) == (10, 1, 9)
    assert "no label yet" in str(first)
    (empty,) = rg.events.iter_progressive(rg.Perceptron(), [])
    assert math.isnan(empty.error)
    assert math.isnan(empty.mean_loss)


class Likelihood(Accuracy):
    requires_labels = False

    def update(self, y_true, y_pred):
        self.n += 1
        self.right += y_pred.get(y_true, 0.5)


def test_quantiles_are_measured_at_their_own_level():
    events = [({"a": float(k % 7)}, float(k % 5)) for k in range(200)]
    learner = rg.AdaGrad(loss="pinball(0.9)")
    found = rg.events.progressive(learner, events).metrics
    played = rg.play(rg.AdaGrad(loss="pinball(0.9)"), events).metrics
    assert found.level == played.level == 0.9
    assert found.pinball == pytest.approx(played.pinball)


def test_metrics_that_take_probabilities():
    metric = Likelihood()
    rg.events.progressive(rg.Panel(), some_events(), metric=metric)
    assert 60 < metric.right < metric.n == 119
    with pytest.raises(TypeError, match="Perceptron predicts none"):
        rg.events.progressive(rg.Perceptron(), [], metric=metric)


def test_moments():
    start = datetime.datetime(2030, 1, 1)
    hours = [0, 1, 1, 2, 5, 6]
    stream = [
        ({"at": start + datetime.timedelta(hours=h), "wait": h, "a": 1.0}, h % 2)
        for h in hours
    ]
    two = datetime.timedelta(hours=2)
    order = [
        (type(each).__name__[0], each.i)
        for each in rg.events.delayed(stream, two, moment="at")
    ]
    assert "".join(f"{kind}{i}" for kind, i in order) == "Q0Q1Q2A0Q3A1A2A3Q4Q5A4A5"
    (question, *_) = rg.events.delayed(stream, two, "at")
    assert question.x == {"wait": 0, "a": 1.0}  # a date is no feature
    progress = rg.events.progressive(
        rg.Perceptron(), rg.events.delayed(stream, two, moment=lambda x: x.pop("at"))
    )
    assert progress.answered == 6
    plain = [({"at": h, "wait": w}, 1) for h, w in [(0, 5), (1, 1), (3, 0)]]
    order = [each.i for each in rg.events.delayed(plain, "wait", "at")]
    assert order == [0, 1, 1, 2, 2, 0]


@pytest.mark.parametrize(
    ("stream", "arguments", "said"),
    [
        ([({}, 1)], {"delay": -1}, "row 0: its label comes -1 later"),
        ([({}, 1)], {"delay": 1, "moment": "at"}, "row 0: it has no field 'at'"),
        ([({}, 1)], {"delay": "late"}, "row 0: it has no field 'late', the delay"),
        ([({}, 1)], {"delay": None}, "row 0: None cannot be added to 0"),
        ([({"t": 2}, 1), ({"t": 1}, 1)], {"delay": 1, "moment": "t"}, "row 1: its mom"),
        ([({}, 1), 7], {"delay": 1}, r"row 1: an event is \(x, y\) or"),
        ([({}, 1, 1, 1)], {"delay": 1}, r"row 0: an event is \(x, y\) or"),
    ],
)
def test_streams_that_cannot_be(stream, arguments, said):
    with pytest.raises(ValueError, match=said):
        list(rg.events.delayed(stream, **arguments))


def test_what_progressive_refuses():
    with pytest.raises(TypeError, match="does not learn one event at a time"):
        rg.events.progressive(rg.Hedge(), [])
    with pytest.raises(ValueError, match="step=0 must be"):
        list(rg.events.iter_progressive(rg.Perceptron(), [], step=0))
    with pytest.raises(TypeError, match="metric='accuracy' has no update"):
        rg.events.progressive(rg.Perceptron(), [], metric="accuracy")
    with pytest.raises(ValueError, match="no events that were learned"):
        rg.Perceptron().certificate()
    with pytest.raises(TypeError, match="does not learn one event"):
        rg.events.run("perceptron")


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf, "2", None, [1.0]])
def test_weights_that_are_none(weight):
    learner = rg.Perceptron()
    learner.learn_one({"a": 1.0}, 1)
    before = learner.ledger, learner.weights
    with pytest.raises(ValueError, match=r"row 1: weight .*: it is a number, 0 or m"):
        learner.learn_one({"b": 1.0}, 0, weight)
    assert (learner.ledger, learner.weights) == before
    with pytest.raises(ValueError, match="row 1: weight"):
        rg.play(learner, [({"a": 1.0}, 1), ({"b": 1.0}, 0, weight)])


def test_a_weight_multiplies_the_loss():
    heavy, plain = rg.OGD(), rg.OGD(step=rg.Constant(1.5))
    heavy.learn_one({"a": 1.0}, 1, weight=3)
    plain.learn_one({"a": 1.0}, 1)
    assert heavy.weights == plain.weights == {"a": 1.5}
    assert heavy.ledger.loss == 3.0 * plain.ledger.loss
    heavy.learn_one({"a": -1.0}, 1, weight=0.0)
    assert heavy.weights == {"a": 1.5}


def test_categories_gaps_and_flags():
    learner = rg.Perceptron()
    learner.learn_one({"color": "red", "size": None, "sale": True, "price": 0.5}, 1)
    assert learner.weights == {"color=red": 1.0, "sale": 1.0, "price": 0.5}
    learner.learn_one({"color": "blue", "color=blue": 2.0}, 0)
    assert learner.weights["color=blue"] == -3.0
    assert learner.score_one({"color": "blue", "size": "never seen"}) == -3.0
    assert learner.predict_one({"color": "red", "size": None}) == 1
    run = rg.play(
        rg.Perceptron(),
        [
            ({"color": "red", "size": None, "sale": True, "price": 0.5}, 1),
            ({"color": "blue", "color=blue": 2.0}, 0),
        ],
    )
    assert run.named_weights() == learner.weights
    model = learner.snapshot()
    assert model.scores([{"color": "blue", "size": "x"}, {"price": None}]).tolist() == [
        -3.0,
        0.0,
    ]


def test_text_in_place_of_a_dict():
    learner = rg.Perceptron()
    learner.learn_one("Free money, FREE!", 1)
    assert learner.weights == {"free": 2.0, "money": 1.0}
    assert learner.predict_one("money?") == 1
    assert rg.play(rg.Perceptron(), [("Free money, FREE!", 1)]).named_weights() == {
        "free": 2.0,
        "money": 1.0,
    }


@pytest.mark.parametrize("learner", [rg.Perceptron(bias=True), rg.Panel()], ids=repr)
def test_a_snapshot_stays_as_it_is(learner, tmp_path):
    events = some_events()
    learner = looped(fresh(learner), events[:60])
    model, run = learner.snapshot(), rg.events.run(learner)
    weights = run.weights.tolist()
    inputs = [x for x, *_ in events[:60]]
    before = model.scores(inputs).tolist()
    assert before == pytest.approx([learner.score_one(x) for x in inputs], abs=1e-12)
    looped(learner, events[60:])
    assert model.scores(inputs).tolist() == before
    assert run.weights.tolist() == weights
    assert learner.snapshot().scores(inputs).tolist() != before
    model.save(tmp_path / "model.rgl")
    assert rg.load(tmp_path / "model.rgl").scores(inputs).tolist() == before


def test_the_certificate_of_a_learner_fed_one_by_one():
    events = [event[:2] for event in some_events(400)]  # more names, longer rows
    for changed in (looped(rg.Perceptron(), events), rg.play(rg.Perceptron(), events)):
        with pytest.raises(NotCertified, match=r"changed .*seen in the .x. "):
            changed.certificate()
    np.random.default_rng(0).shuffle(events)
    learner = looped(rg.Perceptron(), events)
    found = learner.certificate(0.1)
    assert found == rg.play(rg.Perceptron(), events).certificate(0.1)
    assert found.n == 400
    run = rg.events.run(learner)
    with pytest.raises(ValueError, match="needs to see the data again"):
        run.model("mean")
    with pytest.raises(ValueError, match="no yes-or-no"):
        looped(rg.OGD(rg.Squared()), some_events(binary=False)).certificate()


def test_averaging_really_averages():
    events = [event[:2] for event in some_events()]
    run = rg.play(rg.Perceptron(), events, trace=True, n_features=len(NAMES))
    mean, last = run.model("mean").weights, run.model("last").weights
    assert np.abs(mean - last).max() > 0.1
    np.testing.assert_allclose(mean, run.weight_path[:-1].mean(axis=0), atol=1e-12)


def test_buffers_do_not_outlive_the_names_they_were_filled_for():
    # Names are compared by address: freed ones must never be taken for new ones.
    learner, twin = rg.Perceptron(), {}
    rng = np.random.default_rng(0)
    for t in range(3000):
        names = [f"w{j}" for j in rng.integers(0, 300, size=rng.integers(1, 90))]
        x = {name: float(j + 1) for j, name in enumerate(names)}
        y = 1 if rng.random() < 0.5 else -1
        if t % 3 == 0:
            learner.predict_one({f"w{j}": 1.0 for j in range(290, 310)})
        if t % 50 == 0:
            with pytest.raises(ValueError, match="not a finite"):
                learner.learn_one({**x, "w1": math.nan}, y)
        if y * sum(twin.get(name, 0.0) * value for name, value in x.items()) <= 0.0:
            for name, value in x.items():
                twin[name] = twin.get(name, 0.0) + y * value
        learner.learn_one(x, y)
    assert {n: w for n, w in learner.weights.items() if w} == {
        n: w for n, w in twin.items() if w
    }


def test_a_refused_weight_leaves_no_names_behind():
    learner = rg.Perceptron()
    for j in range(40):
        learner.learn_one({f"w{j}": 1.0 + j}, j % 2)
    weights = learner.weights
    for t in range(300):
        with pytest.raises(ValueError, match="weight"):
            learner.learn_one({f"w{t % 40}": 1.0, f"new{t}": 1.0}, 1, weight=-1.0)
        name = f"w{(t + 7) % 40}"
        assert learner.score_one({name: 1.0}) == weights[name]


class Meddler:
    """A number that takes its event apart while it is read."""

    def __init__(self, event):
        self.event = event

    def __float__(self):
        self.event.clear()
        self.others = [f"other{j}" for j in range(1000)]
        return 1.0


class Name:
    """A name that does so while it is looked up."""

    def __init__(self, event):
        self.event, self.ready = event, False

    def __hash__(self):
        if self.ready:
            self.event.clear()
        return 5


def test_events_that_change_while_they_are_read():
    learner = rg.Perceptron()
    for j in range(20):
        learner.learn_one({f"w{j % 5}": 1.0, "b": 2.0}, j % 2)
    weights = learner.weights
    for t in range(100):
        event = {}
        event |= {f"w{t}": Meddler(event), "b": 1.0}
        with pytest.raises(RuntimeError, match="changed size"):
            learner.learn_one(event, 1)
        assert learner.weights == weights
        event = {}
        event |= {Name(event): 1.0, "b": 1.0}
        for name in event:
            if name != "b":
                name.ready = True
        assert learner.score_one(event) == 0.0  # there is nothing left of it
        assert learner.score_one({"b": 1.0}) == weights["b"]


@pytest.mark.parametrize(
    "kind", [int, np.float64, np.float32, np.int8, np.bool_, Decimal, Fraction]
)
def test_numbers_of_every_type(kind):
    learner, twin = rg.Perceptron(), rg.Perceptron()
    for j in range(4):
        learner.learn_one({"a": kind(j % 2), "b": kind(1)}, j % 2)
        twin.learn_one({"a": float(j % 2), "b": 1.0}, j % 2)
    assert learner.weights == twin.weights
