"""A label that has not come is not predicted: of two classes as of many."""

import copy
import pickle  # noqa: TID251 - not to load a model

import pytest

import live_games
import regretless as rg

LEARNERS = {
    name: game.make
    for name, game in live_games.games().items()
    if getattr(game.make(), "task", "numbers") in ("binary", "classes")
}
PAIRS = [(0, 1), (1, 0), (-1, 1), (1, -1), (False, True), (True, False)]
PAIRS += [("ham", "spam"), ("spam", "ham"), (3, 7), (7, 3)]
ASKED = [{}, {"a": 0.5}, {"a": 0.0, "b": 1.0}, {"new": 1.0}, live_games.event(3)]


def taught(make, labels):
    learner = make()
    for i, y in enumerate(labels):
        learner.learn_one(live_games.event(i), y)
    return learner


def stored(learner, path):
    learner.save(path / "live.rgl")
    return rg.load_learner(path / "live.rgl")


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("labels", PAIRS, ids=str)
def test_predictions(name, labels, tmp_path):
    make = LEARNERS[name]
    first, second = labels
    for before, allowed in (
        ([], {None}),
        ([first], {first}),
        ([first] * 3, {first}),
        ([first, second], {first, second}),
        ([first, first, second, first], {first, second}),
    ):
        learner = taught(make, before)
        for one in (
            learner,
            copy.deepcopy(learner),
            pickle.loads(pickle.dumps(learner)),
            stored(learner, tmp_path),
        ):
            found = [one.predict_one(x) for x in ASKED]
            assert set(found) <= allowed
            assert set(one.live.came) == allowed - {None}
            assert {type(each) for each in found} <= {type(y) for y in allowed}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_refused_second_label_has_not_come(name):
    learner = taught(LEARNERS[name], ["ham", "ham"])
    with pytest.raises(ValueError, match="row 2"):
        learner.learn_one({"a": float("nan")}, "spam")
    assert {learner.predict_one(x) for x in ASKED} == {"ham"}
    learner.learn_one(live_games.event(0), "spam", weight=2.0)
    learner.learn_one(live_games.event(1), "ham", weight=2.0)
    assert {learner.predict_one(x) for x in ASKED} <= {"ham", "spam"}


class Metric:
    """What River's metrics look like."""

    def __init__(self, labels):
        self.requires_labels = labels
        self.given = []

    def update(self, y_true, y_pred):
        self.given.append((y_true, y_pred))


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("labels", PAIRS, ids=str)
@pytest.mark.parametrize("late", [0, 1, 4])
@pytest.mark.parametrize("by_label", [True, False])
def test_metrics(name, labels, late, by_label):
    learner = LEARNERS[name]()
    if not by_label and not learner.probabilistic:
        pytest.skip("it predicts no probabilities")
    first, second = labels
    truth = [first, first, second, first, second, second, first, second]
    stream = [(live_games.event(i), y) for i, y in enumerate(truth)]
    events = rg.events.delayed(stream, late) if late else stream
    metric = Metric(by_label)
    progress = rg.events.progressive(learner, events, metric=metric)
    blind = max(late, 1)  # events that were asked before any label had come
    assert progress.answered == 8
    assert progress.metrics.rows == len(metric.given) == 8 - blind
    assert [y for y, _ in metric.given] == truth[blind:]
    for i, (_, said) in enumerate(metric.given, start=blind):
        came = set(truth[: i + 1 - blind])
        if by_label:
            assert said in came
            continue
        assert sum(said.values()) == pytest.approx(1.0)
        known = came | set(labels) if learner.task == "binary" else came
        assert came <= set(said) <= known
        assert all(type(y) is type(first) for y in said)


def test_numbers_are_predicted_from_the_start():
    metric = Metric(True)
    stream = [({"a": 1.0}, 2.5), ({"a": 1.0}, 1.5)]
    progress = rg.events.progressive(rg.RegressionPanel(), stream, metric=metric)
    assert progress.metrics.rows == len(metric.given) == 2
    assert rg.RegressionPanel().predict_one({"a": 1.0}) == 0.0


@pytest.mark.parametrize("learner", [rg.Panel(), rg.OneVersusRest(rg.Panel())])
def test_sets_hold_labels_that_have_come(learner):
    sets = rg.intervals(learner)
    assert sets.predict_set_one({"a": 1.0}) == set()
    sets.learn_one({"a": 1.0}, 1)
    assert sets.predict_set_one({"a": -1.0}) == {1}
    sets.learn_one({"a": -1.0}, 0)
    assert sets.predict_set_one({"a": -1.0}) <= {0, 1}
