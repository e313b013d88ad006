"""Several threads on one learner: every event counts once, and nothing is torn."""

from __future__ import annotations

import copy
import inspect
import pickle  # noqa: TID251 - learners may be sent to other processes
import sys
import threading

import numpy as np
import pytest

import regretless as rg
from live_games import event, games
from regretless.errors import BadRow

GAMES = games()
THREADS, EVENTS = 4, 400
FEW = ("Perceptron()", "VAW(strength=0.5)", "Panel()", "Hedge", "FollowTheLeader")
SLOW = pytest.mark.slow
EVERY = [
    pytest.param(name, id=name, marks=() if name in FEW else SLOW) for name in GAMES
]


@pytest.fixture(autouse=True)
def hasty():
    """Let threads interrupt each other as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def together(*works):
    """Run all of them at once, and raise what one of them raised."""
    errors = []
    ready = threading.Barrier(len(works))

    def run(work):
        try:
            ready.wait()
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_every_learner_of_events_has_a_game():
    kinds = {type(game.make()) for game in GAMES.values()}
    exported = {
        kind
        for kind in (getattr(rg, name) for name in rg.__all__)
        if inspect.isclass(kind)
        and hasattr(kind, "learn_one")
        and not inspect.isabstract(kind)
    }
    assert exported == kinds


@pytest.mark.parametrize("name", EVERY)
def test_every_event_counts_once(name):
    game = GAMES[name]
    learner = game.make()

    def teach(first):
        for i in range(first, first + EVENTS):
            game.teach(learner, i)

    def look():
        for _ in range(EVENTS // 20):
            if learner.live.rounds:
                game.ask(learner)
                assert learner.ledger.rounds <= THREADS * EVENTS

    starts = [k * EVENTS for k in range(THREADS)]
    together(look, *(lambda first=first: teach(first) for first in starts))
    assert learner.ledger.rounds == THREADS * EVENTS


def test_sums_are_whole():
    """Whatever the order, VAW has summed the same rows: its matrix says so."""
    learner, alone = rg.VAW(), rg.VAW()
    rows = [{"a": float(i % 3), f"f{i % 7}": 1.0} for i in range(1200)]
    for row in rows:
        alone.learn_one(row, 1.0)

    def teach(k):
        for row in rows[k::THREADS]:
            learner.learn_one(row, 1.0)

    together(*(lambda k=k: teach(k) for k in range(THREADS)))
    assert learner.weights == pytest.approx(alone.weights, abs=1e-9)


def test_snapshots_and_copies_are_of_one_moment():
    learner = rg.Perceptron(bias=True)
    learner.learn_one(event(0), 0)
    found = []

    def teach():
        for i in range(1, 4 * EVENTS):
            learner.learn_one({**event(i), f"new{i % 300}": 1.0}, i % 2)

    def look():
        for _ in range(40):
            run = rg.events.run(learner)
            assert run.ledger.rounds == run.player.rounds
            assert len(run.names) == run.weights.size
            found.append(copy.deepcopy(learner))
            found.append(pickle.loads(pickle.dumps(learner)))

    together(teach, look)
    for twin in found:
        twin.learn_one({"a": 1.0}, 1)
        rounds = twin.ledger.rounds
        assert twin.ledger == rg.events.run(twin).ledger
        assert 1 < rounds <= 4 * EVENTS + 1
    assert learner.ledger.rounds == 4 * EVENTS


@pytest.mark.parametrize("name", ["MulticlassPerceptron()", "Hedge", "FollowTheLeader"])
def test_copies_learn_on_by_themselves(name):
    game = GAMES[name]
    learner = game.make()
    for i in range(10):
        game.teach(learner, i)
    for twin in (copy.deepcopy(learner), pickle.loads(pickle.dumps(learner))):
        game.teach(twin, 10)
        assert (learner.ledger.rounds, twin.ledger.rounds) == (10, 11)


def test_a_bad_event_gives_the_lock_back():
    learner = rg.Perceptron()
    learner.learn_one({"a": 1.0}, 1)
    for bad in ({"a": float("nan")}, 3.0):
        with pytest.raises(BadRow):
            learner.learn_one(bad, 1)
        with pytest.raises(BadRow):
            learner.predict_one(bad)
    together(lambda: learner.learn_one({"a": 1.0}, 1))
    assert learner.ledger.rounds == 2


def test_progress_judges_its_own_events():
    """Two progressive runs of one learner: each is scored by its own labels."""
    learner = rg.OGD(rg.Squared(), rg.Constant(1e-300))  # it predicts 0
    found = {}

    def follow(label):
        stream = [({"a": 1.0}, label)] * EVENTS
        found[label] = rg.events.progressive(learner, stream)

    together(lambda: follow(1.0), lambda: follow(3.0))
    assert found[1.0].loss == EVENTS
    assert found[3.0].loss == 9 * EVENTS


PREDICTORS = (
    "Panel()",
    "KernelPerceptron(budget=50)",
    "OneVersusRest(learner=Panel())",
)


@pytest.mark.parametrize("name", PREDICTORS)
def test_a_model_predicts_in_many_threads(rng, name):
    game = GAMES[name]
    learner = game.make()
    for i in range(60):
        game.teach(learner, i)
    model = learner.snapshot()
    same_in_threads(model.scores, rng.random((300, model.n_features)))


@pytest.mark.parametrize(
    ("kind", "classes"),
    [("PanelClassifier", 2), ("PanelClassifier", 3), ("KernelPerceptronClassifier", 2)],
)
def test_an_estimator_predicts_in_many_threads(rng, kind, classes):
    from regretless import sklearn as estimators

    X = rng.random((300, 14))
    y = np.arange(300) % classes
    estimator = getattr(estimators, kind)().fit(X, y)
    same_in_threads(estimator.decision_function, X)


def same_in_threads(score, X):
    """Four threads score what one has scored before, to the last bit."""
    batches = [X * k for k in range(1, 6)]
    alone = [score(batch) for batch in batches]
    differ = []

    def predict():
        for _ in range(8):
            for batch, expected in zip(batches, alone, strict=True):
                if not np.array_equal(score(batch), expected):
                    differ.append(batch)

    together(*[predict] * THREADS)
    assert not differ
