"""Many classes: what the naive versions do, and laws that tie every way of playing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import naive_classes as naive
import regretless as rg
from class_problems import OVR, ULTRA, problem
from learners import CASES, SCALED_CASES, label
from regretless.parts.rows import Dense
from regretless.runs.opening import open_rows
from regretless.runs.session_options import SessionOptions

BOTH = pytest.mark.parametrize("learner", [OVR, ULTRA], ids=repr)


def alike(one: Any, other: Any) -> None:
    """Two runs are equal to the last bit."""
    assert np.array_equal(one.weights, other.weights)
    assert one.ledger == other.ledger
    assert np.array_equal(one.ledger.curve, other.ledger.curve)
    assert one.classes == other.classes


# What the learners are.


def is_own_game(learner: Any, X: Any, y: Any, *, mixed: bool = False) -> None:
    """One-versus-rest of `learner` is one binary game for each class.

    Panels learn as in these games, but predict what is `mixed` of all that they say
    once three classes have come (``tests/engine/test_class_mixture.py`` has the page).
    """
    run = rg.play(rg.OneVersusRest(learner), X, y, trace=True)
    classes, numbers = naive.numbered(y.tolist())
    assert run.classes == tuple(classes)
    alone = [rg.play(learner, X, np.where(y == c, 1, -1), trace=True) for c in classes]
    for k, one in enumerate(alone):
        assert np.array_equal(run.weights[k], one.weights), k
        assert run.ledger.class_mistakes[k] == one.mistakes
    scores = np.stack([one.scores for one in alone], axis=1)
    came = np.maximum.accumulate([-1, *numbers])[:-1]
    hidden = np.arange(len(classes)) > came[:, None]
    own = came < 2 if mixed else came < len(classes)
    assert np.array_equal(run.scores[own], np.where(hidden, -np.inf, scores)[own])
    scores = np.where(own[:, None], scores, run.scores)
    mistakes = naive.mistakes_of(scores, numbers)
    assert run.mistakes == sum(mistakes)
    assert run.mistake_rounds.tolist() == np.flatnonzero(mistakes).tolist()
    assert run.loss == pytest.approx(sum(one.loss for one in alone), rel=1e-12)
    found = run.theorems(hindsight=False)["one-versus-rest/sum"]
    if mixed:
        assert not found.applies
        return
    assert (
        found.happened
        <= found.value
        == len(classes) + sum(one.mistakes for one in alone)
    )


def test_one_versus_rest_is_one_binary_game_for_each_class():
    is_own_game(rg.Perceptron(), *problem())
    is_own_game(rg.AdaGrad(), *problem(1))


def test_more_classes_than_one_vector_holds():
    X, y = problem(2, n=300, k=19)
    assert y.max() == 18
    is_own_game(rg.Perceptron(), X, y)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [case for case in CASES + SCALED_CASES if case.binary], ids=label
)
def test_every_binary_learner_plays_for_each_class(case):
    X, y = problem(3)
    X = X / 9.0
    X[:, 0] = 1.0
    if case.low == 0.0:
        X = np.abs(X)
    is_own_game(case.learner, X, y)
    rows = csr_array(X)
    alike(
        rg.play(rg.OneVersusRest(case.learner), rows, y),
        rg.play(rg.OneVersusRest(case.learner), rows, y, models=["validated"]),
    )


@pytest.mark.slow
def test_panels_play_for_each_class():
    X, y = problem(4)
    panel = rg.Panel(forest=False)  # a forest is shared
    is_own_game(panel, X + 0.1, y, mixed=True)


def test_the_multiclass_perceptron_does_what_the_naive_one_does():
    X, y = problem(5, n=300)
    run = rg.play(ULTRA, X, y, trace=True, models=["mean", "last-half"])
    classes, numbers = naive.numbered(y.tolist())
    twin = naive.MulticlassPerceptron(len(classes), X.shape[1])
    for x, number in zip(X, numbers, strict=True):
        twin.learn(x, number)
    assert np.array_equal(run.weights, twin.w)
    assert run.mistakes == twin.mistakes == run.ledger.updates + 1
    assert run.loss == twin.loss
    assert np.array_equal(run.weight_path[:-1], twin.hypotheses)
    mean = np.mean(twin.hypotheses, axis=0)
    assert np.allclose(run.model("mean").weights, mean, rtol=1e-12, atol=1e-12)
    half = np.mean(twin.hypotheses[150:], axis=0)
    assert np.allclose(run.model("last-half").weights, half, rtol=1e-12, atol=1e-12)
    assert np.abs(run.weights.sum(axis=0)).max() == 0.0


def test_the_mean_of_one_versus_rest_is_that_of_each_class():
    X, y = problem(6)
    learner = rg.AdaGrad()
    run = rg.play(rg.OneVersusRest(learner), X, y)
    for kind in ("mean", "last-half"):
        model = run.model(kind)
        for k, c in enumerate(run.classes):
            one = rg.play(learner, X, np.where(y == c, 1, -1)).model(kind)
            assert np.array_equal(model.weights[k], one.weights)
    assert not np.array_equal(run.model("mean").weights, run.weights)


# Ways of playing that must not matter.


@BOTH
@given(data=st.data())
def test_any_split_into_batches_learns_the_same(learner, data):
    X, y = problem(7, n=60)
    cuts = sorted(data.draw(st.lists(st.integers(1, 59), max_size=4)))
    whole = learner.player(5)
    pieces = learner.player(5)
    target = np.array(naive.numbered(y.tolist())[1], float)
    whole.play(Dense(X.ravel(), 5), target)
    for lo, hi in zip([0, *cuts], [*cuts, 60], strict=True):
        pieces.play(Dense(X[lo:hi].ravel(), 5), target[lo:hi])
    assert np.array_equal(whole.all_weights(), pieces.all_weights())
    assert whole.ledger() == pieces.ledger()


@BOTH
def test_arrays_sparse_rows_events_and_single_events_agree(learner):
    X, y = problem(8)
    words = np.array(["zero", "one", "two", "three"])[y]
    run = rg.play(learner, X, words)
    alike(run, rg.play(learner, csr_array(X), words))
    events = [(dict(enumerate(x)), w) for x, w in zip(X.tolist(), words, strict=True)]
    stream = rg.play(learner, iter(events))
    alike(run, stream)
    learner.forget()
    for x, w in events:
        learner.learn_one(x, w)
    assert learner.ledger == run.ledger
    scores = learner.score_one(events[0][0])
    assert list(scores) == list(run.classes)
    assert learner.predict_one(events[0][0]) == max(scores, key=lambda c: scores[c])
    assert scores[run.classes[0]] == X[0] @ run.weights[0]
    assert learner.weights[run.classes[1]][0] == run.weights[1, 0]
    learner.forget()
    assert learner.predict_one({"new": 1.0}) is None


@BOTH
def test_a_bad_event_changes_nothing(learner):
    X, y = problem(9, n=40)
    learner.forget()
    for x, c in zip(X.tolist(), y.tolist(), strict=True):
        learner.learn_one(dict(enumerate(x)), c)
    before, weights = learner.ledger, learner.weights
    for x, c in (({0: np.inf}, 77), ({"new": np.nan}, 0), ({0: 1.0}, None), (3, 1)):
        with pytest.raises(ValueError, match="row 40: "):
            learner.learn_one(x, c)
        assert learner.ledger == before
        assert learner.weights == weights
    learner.forget()


@BOTH
def test_a_bad_row_stops_before_it_and_is_skipped_where_it_begins_a_class(learner):
    X, y = problem(10, n=40)
    X = np.vstack([X[:20], np.full((1, 5), np.nan), X[20:]])
    y = np.r_[y[:20], 99, y[20:]]
    pairs = list(zip(X.tolist(), y.tolist(), strict=True))
    with pytest.raises(rg.BadRow, match="row 20") as caught:
        rg.play(learner, iter(pairs))
    assert caught.value.run.rounds == 20
    assert 99 not in caught.value.run.classes
    alike(caught.value.run, rg.play(learner, X[:20], y[:20]))


@BOTH
def test_a_refused_row_brings_no_class(learner):
    X, y = problem(18, n=40)
    numbers = np.array(naive.numbered(y.tolist())[1], float)
    rows, bad = Dense(X.ravel(), 5), Dense(np.full(5, np.inf), 5)
    player, other = learner.player(5), learner.player(5)
    player.play(rows, numbers)
    other.play(rows, numbers)
    known, before = player.n_classes, player.ledger()
    with pytest.raises(rg.BadRow, match="row 40: column 0: inf"):
        player.play(bad, np.array([float(known)]), first=40)
    assert player.n_classes == known
    assert player.ledger() == before
    for one in (player, other):
        one.play(rows, numbers[::-1].copy())
    assert np.array_equal(player.all_weights(), other.all_weights())
    assert player.ledger() == other.ledger()


@BOTH
def test_rows_of_weight_two_teach_twice_as_much(learner):
    X, y = problem(11, n=40)
    player, other = learner.player(5), learner.player(5)
    numbers = np.array(naive.numbered(y.tolist())[1], float)
    player.play(Dense(X.ravel(), 5), numbers, weights=np.full(40, 2.0))
    other.play(Dense(X.ravel(), 5), numbers)
    assert np.array_equal(player.all_weights(), 2.0 * other.all_weights())


def test_classes_known_in_advance_change_nothing():
    X, y = problem(12)
    learner = rg.OneVersusRest(rg.AdaGrad())
    known = rg.play(learner, X, y)
    assert len(known.player.state_dict()["players"]) == len(known.classes)
    player = learner.player(5)
    player.play(Dense(X.ravel(), 5), np.array(naive.numbered(y.tolist())[1], float))
    assert len(player.state_dict()["players"]) == len(known.classes) + 1
    assert np.array_equal(player.all_weights(), known.weights)
    assert player.ledger() == known.ledger


# What a run says.


def test_confusions_count_predictions():
    X, y = problem(13)
    run = rg.play(ULTRA, X, y, trace=True)
    numbers = naive.numbered(y.tolist())[1]
    table = np.zeros((4, 4), int)
    for row, number in list(zip(run.scores, numbers, strict=True))[1:]:
        table[number, int(np.argmax(row))] += 1
    assert np.array_equal(run.ledger.confusion, table)
    assert "false" not in str(run)
    assert "4 x 5" in str(run)
    named = run.named_weights()
    assert [list(named[c].values()) for c in run.classes] == run.weights.tolist()


def test_no_majority_is_told_of_more_than_two_classes():
    """The statistics count two labels; of the numbers of classes they know nothing."""
    ledger = rg.play(ULTRA, *problem(60)).ledger
    assert ledger.majority_mistakes is None
    assert "majority" not in repr(ledger)


def test_a_panel_becomes_one_versus_rest_where_labels_are_many(tmp_path):
    X, y = problem(14, n=60)
    words = np.array(["a", "b", "c", "d"])[y]
    wide = rg.OneVersusRest(rg.Panel())

    def fitted(learner, X, y):
        opened = open_rows(SessionOptions(task=None), [learner], X, y)
        getattr(opened.rows, "close", bool)()
        return opened.learners[0]

    assert fitted(rg.Panel(), X, words) == wide
    assert fitted(rg.Panel(), X, y) == wide
    with pytest.raises(ValueError, match="is a third value"):  # amounts are no classes
        fitted(rg.Panel(), X, X[:, 0] + 0.5)
    assert fitted(rg.Panel(), X, y == 1) == rg.Panel()
    with pytest.raises(ValueError, match="takes two, OneVersusRest"):
        fitted(rg.Perceptron(), X, y)
    path = tmp_path / "rows.csv"
    lines = [",".join([*map(str, x), w]) for x, w in zip(X, words, strict=True)]
    path.write_text("\n".join(["p,q,r,s,t,label", *lines]) + "\n")
    assert fitted(rg.Panel(), str(path), "label") == wide
    assert fitted(None, str(path), "label") == wide
    run = rg.play(rg.OneVersusRest(rg.Perceptron()), str(path), "label")
    alike(run, rg.play(rg.OneVersusRest(rg.Perceptron()), X, words))


# What is refused.


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: rg.play(rg.Perceptron(), X, y), "takes two, OneVersusRest"),
        (lambda X, y: rg.OneVersusRest(rg.Perceptron), "forget the ()"),
        (lambda X, y: rg.OneVersusRest(rg.OGD(rg.Squared())), "learns numbers"),
        (lambda X, y: rg.OneVersusRest(OVR), "must be a linear learner"),
        (lambda X, y: rg.MulticlassPerceptron(bias=3), "bias=3"),
        (lambda X, y: rg.play(OVR, X, y * np.nan), "row 0: label nan"),
        (lambda X, y: rg.play(OVR, X, [None] * len(y)), "row 0: label None"),
        (lambda X, y: rg.play(ULTRA, X, X[:, 0] + np.pi * y), "these are amounts"),
        (lambda X, y: rg.play(ULTRA, X, y).regret(), "not solved for"),
        (lambda X, y: rg.play(ULTRA, X, y).theorems(u=[1.0]), "u has 4 rows"),
        (lambda X, y: rg.play(OVR, X, y).model("vote"), "is for two classes"),
        (lambda X, y: rg.play(OVR, X, y, check=True), "does not take check="),
        (lambda X, y: rg.play([OVR, rg.Perceptron()], X, y), "many classes and"),
        (
            lambda X, y: rg.play(rg.Mixture([OVR, ULTRA]), X, y),
            "OneVersusRest.* takes many classes",
        ),
        (
            lambda X, y: rg.play(OVR, [({"a": 1.0}, [1])]),
            r"row 0: label \[1\] cannot be a class",
        ),
    ],
)
def test_refusals_say_why(call, message):
    X, y = problem(15, n=400, k=4)
    X = X + np.arange(400)[:, None] / 1e3
    with pytest.raises((ValueError, TypeError), match=message):
        call(X, y)


def test_ten_thousand_classes_and_no_more():
    from regretless.data.encoding.labels import MOST, ManyClassLabels

    labels = ManyClassLabels()
    assert labels.encode(np.arange(MOST))[-1] == MOST - 1
    with pytest.raises(rg.BadRow, match="10,000 other labels"):
        labels.encode_one(-1, 5)
    labels.load_state({"classes": ["a", 2.5, 3]})
    assert [labels.encode_one(y, 0) for y in (3.0, np.str_("a"), 2.5)] == [2, 0, 1]


def test_several_learners_of_many_classes_in_one_pass():
    X, y = problem(16)
    runs = rg.play([OVR, ULTRA], X, y)
    for learner, run in zip([OVR, ULTRA], runs, strict=True):
        alike(run, rg.play(learner, X, y))


@pytest.mark.parametrize("learner", [OVR, ULTRA, rg.OneVersusRest(rg.AdaGrad())])
def test_more_than_fits_into_memory_is_refused_in_words(learner, monkeypatch):
    from regretless.engine import memory

    monkeypatch.setattr(memory, "physical_memory", lambda: 2000.0)
    X, y = problem(17, n=300, k=20)
    player = learner.player(5)
    numbers = np.array(naive.numbered(y.tolist())[1], float)
    with pytest.raises(ValueError, match=r"classes on 5 features would take .*-b 1,"):
        player.play(Dense(X.ravel(), 5), numbers)
