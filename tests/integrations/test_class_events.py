"""Streams of events of many classes: the loop with its receipts, and play, agree."""

from __future__ import annotations

import copy
import re

import numpy as np
import pytest

import regretless as rg
from regretless.errors import NotCertified

LABELS = ["ham", "offer", "spam", "junk"]
SLOW = [
    rg.OneVersusRest(rg.SecondOrderPerceptron()),
    rg.OneVersusRest(rg.AROW(bias=True)),
    rg.OneVersusRest(rg.ONS(rg.Logistic(), 0.5)),  # clipped: ties are mistakes
    rg.OneVersusRest(rg.AdaGrad(rg.Logistic(), scale="rms")),
    rg.OneVersusRest(rg.Pegasos(0.1)),  # weights with a lazy factor
    rg.OneVersusRest(rg.Winnow(domain="allow", n_features=9)),
]
LEARNERS = [
    rg.OneVersusRest(rg.Perceptron()),
    rg.OneVersusRest(rg.Panel()),
    rg.MulticlassPerceptron(bias=True),
    *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW),
]
every_learner = pytest.mark.parametrize("learner", LEARNERS, ids=repr)


def fresh(learner):
    copied = copy.copy(learner)
    copied.forget()
    return copied


def some_events(n=150, seed=0):
    """Names and classes that appear one after the other; weights, some zero."""
    rng = np.random.default_rng(seed)
    events = []
    for t in range(n):
        known = 2 + t * 7 // n
        names = rng.choice(known, size=rng.integers(1, known + 1), replace=False)
        x = {f"n{j}": float(rng.uniform(0.0, 1.0)) for j in names.tolist()}
        came = 1 + min(3, t // 12)
        y = LABELS[int(4 * x.get("n0", 0.9 * rng.uniform())) % came]
        events.append((x, y, float(rng.integers(0, 4)) / 2.0))
    return events


def naive_mistakes(learner, events, late):
    """Labels that come `late` events later, each looked up by its own name."""
    scores, mistakes = [], 0

    def learn(i):
        x, y, *weight = events[i]
        others = [value for label, value in scores[i].items() if label != y]
        right = y in scores[i] and all(scores[i][y] > value for value in others)
        learner.learn_one(x, y, *weight)
        return not right

    for i, (x, *_) in enumerate(events):
        if i >= late > 0:
            mistakes += learn(i - late)
        scores.append(learner.score_one(x))
        if not late:
            mistakes += learn(i)
    return mistakes + sum(learn(i) for i in range(len(events) - late, len(events)))


@every_learner
@pytest.mark.parametrize("weighted", [False, True])
def test_progressive_is_play_where_labels_are_not_late(learner, weighted):
    events = some_events()
    events = events if weighted else [event[:2] for event in events]
    progress = rg.events.progressive(fresh(learner), events)
    run = rg.play(fresh(learner), events)
    assert progress.mistakes == run.mistakes
    assert 4 < run.mistakes < 150
    assert progress.run().ledger == run.ledger
    assert progress.run().classes == run.classes == tuple(LABELS)
    assert progress.run().weighted == weighted


@every_learner
def test_scores_are_those_that_play_predicts_with(learner):
    events = some_events()
    learner, scores = fresh(learner), []
    for x, y, weight in events:
        scores.append(learner.score_one(x))
        assert learner.score_one(x) == scores[-1]
        learner.learn_one(x, y, weight)
    told = rg.play(learner, events, trace=True).scores
    for row, said in zip(told, scores, strict=True):
        # Names never met are left out of a row, which changes how the rest adds up.
        came = row[np.isfinite(row)].tolist()
        assert came == pytest.approx(list(said.values()), rel=1e-12, abs=1e-14)


@every_learner
@pytest.mark.parametrize("late", [1, 20])
def test_late_labels_against_the_naive_loop(learner, late):
    events = some_events()
    twin, learner = fresh(learner), fresh(learner)
    mistakes = naive_mistakes(twin, events, late)
    progress = rg.events.progressive(learner, rg.events.delayed(events, late))
    assert progress.mistakes == mistakes
    assert learner.ledger == twin.ledger
    assert progress.asked == progress.answered == 150


def test_a_class_that_is_asked_before_it_has_come_is_a_mistake():
    stream = [({"a": 1.0}, y) for y in "xyxy"]
    learner = rg.MulticlassPerceptron()
    progress = rg.events.progressive(learner, rg.events.delayed(stream, 10))
    assert progress.mistakes == 4  # nothing had come when all were asked
    assert learner.ledger.mistakes == rg.play(learner, stream).mistakes


class Accuracy:
    """What River's metrics look like."""

    def __init__(self):
        self.right = self.n = 0

    def update(self, y_true, y_pred):
        assert y_pred in LABELS
        self.n += 1
        self.right += y_true == y_pred


class Likelihood(Accuracy):
    requires_labels = False


def test_what_progress_says_of_many_classes():
    learner = rg.OneVersusRest(rg.Perceptron())
    *_, last = points = list(
        rg.events.iter_progressive(learner, some_events(), step=60, metric=Accuracy())
    )
    assert [point.answered for point in points] == [60, 120, 150]
    assert last.loss is last.mean_loss is None
    assert last.curve == tuple((p.answered, p.mistakes, None) for p in points)
    assert last.metric.n == 149  # at the first there was no class to predict
    assert last.metric.right >= 150 - last.mistakes  # it may break ties rightly
    assert "mistakes" in str(last)
    assert "loss" not in str(last)
    with pytest.raises(TypeError, match="MulticlassPerceptron predicts none"):
        rg.events.progressive(rg.MulticlassPerceptron(), [], metric=Likelihood())


@every_learner
def test_receipts_of_a_learner_fed_one_by_one(learner, tmp_path):
    events = [event[:2] for event in some_events()]
    learner = fresh(learner)
    rg.events.progressive(learner, events)
    run = rg.play(fresh(learner), events)
    with pytest.raises(NotCertified, match="the rows seem to have changed") as why:
        learner.certificate(0.1)
    with pytest.raises(NotCertified, match=re.escape(str(why.value))):
        run.certificate(0.1)
    np.random.default_rng(0).shuffle(events)
    learner = fresh(learner)
    rg.events.progressive(learner, events)
    run = rg.play(fresh(learner), events)
    assert learner.certificate(0.1) == run.certificate(0.1)
    model, last = learner.snapshot(), run.model("last")
    inputs = [x for x, _ in events]
    before = model.scores(inputs).tolist()
    assert before == last.scores(inputs).tolist()
    rg.events.progressive(learner, some_events(seed=1))
    assert model.scores(inputs).tolist() == before  # it stays as it is
    assert learner.snapshot().scores(inputs).tolist() != before
    model.save(tmp_path / "model.rgl")
    assert rg.load(tmp_path / "model.rgl").scores(inputs).tolist() == before
    with pytest.raises(ValueError, match="no events that were learned"):
        fresh(learner).certificate()


def test_the_regression_panel_is_scored_as_it_goes():
    events = [(x, len(y) + sum(x.values()), w) for x, y, w in some_events()]
    progress = rg.events.progressive(rg.RegressionPanel(), events)
    run = rg.play(rg.RegressionPanel(), events)
    assert progress.mistakes is None
    assert progress.loss == pytest.approx(run.loss, rel=1e-12)
    assert progress.run().ledger == run.ledger
    late = rg.events.delayed(events, 30)
    assert rg.events.progressive(rg.RegressionPanel(), late).loss > progress.loss
