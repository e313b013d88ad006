"""One event at a time: the same bits as a file, and a bad event changes nothing."""

from __future__ import annotations

import copy
import types
from collections import ChainMap
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import regretless as rg

NAN, INF = float("nan"), float("inf")

LEARNERS = [
    rg.Perceptron(),
    rg.Perceptron(bias=True),
    rg.Winnow(n_features=8),
    rg.EG(signed=True, n_features=8),
    rg.OGD(rg.Squared()),
]


def fresh(learner):
    copied = copy.copy(learner)
    copied.forget()
    return copied


def snapshot(learner):
    """All that a learner knows."""
    live = learner.live
    return (
        learner.weights,
        learner.ledger,
        learner.ledger.curve.tolist(),
        live.player.bias_weight(),
        live.player.weights().tolist(),
        live.encoder.names,
        live.labels.classes,
        live.labels.negative,
        live.labels.positive,
    )


BAD = [
    ({"a": NAN}, 1),
    ({"a": INF, "b": 1.0}, 1),
    ({"new": NAN}, 1),
    ({"new": 1.0, "newer": -INF}, 1),
    ({"new": 1e200}, 1),
    ({"a": 1e200}, 1),
    ({"a": 0.5, "new": ["1", 1.0]}, 1),
    ({"a": 0.5, "new": {"1": object()}}, 1),
    ({"new": "x", "a": NAN}, 1),
    ({"a": b"x"}, 1),
    ({"a": [[1.0]]}, 1),
    ({"a": 1j}, 1),
    ({"a": 10**400}, 1),
    ({"new": 10**400}, 1),
    ({"a": 0.5}, None),
    ({"new": 0.5}, NAN),
    ({"new": 0.5}, INF),
    ({"new": 0.5}, "label"),
    ({f"new {i}": 0.1 for i in range(200)} | {"a": NAN}, 1),
    ([1.0, 2.0], 1),
    (b"ab", 1),
    (None, 1),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda event: repr(event)[:40])
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_bad_event_leaves_the_learner_as_it_was(learner, bad):
    for before in ([], [({"a": 1.0, "b": 0.5}, 1), ({"b": 1.0}, 0), ({}, 1)]):
        learner = fresh(learner)
        if bad[1] == "label" and learner.binary and not before:
            continue  # a word may be the first of two classes
        for x, y in before:
            learner.learn_one(x, y)
        known = snapshot(learner)
        with pytest.raises(ValueError, match=f"row {len(before)}: "):
            learner.learn_one(*bad)
        assert snapshot(learner) == known
        learner.learn_one({"a": 0.5, "c": 1.0}, 1)  # and it goes on as if nothing were
        twin = fresh(learner)
        for x, y in [*before, ({"a": 0.5, "c": 1.0}, 1)]:
            twin.learn_one(x, y)
        assert snapshot(learner) == snapshot(twin)


@pytest.mark.parametrize("y", [2, -2, 0.5, "1", "yes", b"1", (1,), -1])
def test_bad_labels(y):
    learner = rg.Perceptron()
    learner.learn_one({"a": 1}, 0)
    known = snapshot(learner)
    with pytest.raises(rg.BadRow, match="row 1: label"):
        learner.learn_one({"b": 1}, y)
    assert snapshot(learner) == known


def test_outside_the_theorem_of_a_winnow():
    learner = rg.Winnow(n_features=3)
    known = snapshot(learner)
    with pytest.raises(rg.BadRow, match=r"row 0: feature 'b': 2 is outside \[0, 1\]"):
        learner.learn_one({"a": 1, "b": 2}, 1)
    assert snapshot(learner) == known


def test_more_names_than_declared():
    learner = rg.Winnow(n_features=3)
    learner.learn_one({"a": 1, "b": 1}, 1)
    known = snapshot(learner)
    with pytest.raises(rg.BadRow, match="'d' is feature number 4, but n_features=3"):
        learner.learn_one({"a": 1, "c": 1, "d": 1, "e": 1}, 1)
    assert snapshot(learner) == known
    learner.learn_one({"c": 1}, 1)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_predicting_changes_nothing(learner):
    learner = fresh(learner)
    for x, y in [({"a": 1.0, "b": 0.5}, 1), ({"b": 1.0}, 0)]:
        learner.learn_one(x, y)
    known = snapshot(learner)
    for x in ({"z": 1.0}, {}, {"a": 1.0, "z": 0.5}, {"a": 1.0, "b": 0.5}, {"b": 1.0}):
        learner.predict_one(x)
        learner.score_one(x)
    with pytest.raises(ValueError, match="'a': nan is not a finite number"):
        learner.score_one({"a": NAN})
    with pytest.raises(ValueError, match="field 'a' is a number, not '1'"):
        learner.predict_one({"a": "1"})
    with pytest.raises(ValueError, match="not a dict"):
        learner.predict_one([1.0])
    assert snapshot(learner) == known
    # Every way of caching the last names: same names, fewer, others, the same again.
    twin = fresh(learner)
    events = [({"a": 0.3, "b": 0.7}, 1), ({"b": 0.2, "c": 0.9}, 0), ({"a": 0.3}, 1)]
    for x, y in [({"a": 1.0, "b": 0.5}, 1), ({"b": 1.0}, 0), *events]:
        twin.learn_one(x, y)
    for x, y in events:
        learner.score_one(x)
        learner.learn_one(x, y)
        learner.predict_one({"q": 1.0, **x})
    assert snapshot(learner) == snapshot(twin)


def test_names_never_seen_have_their_starting_weight():
    winnow = rg.Winnow(n_features=4)
    assert winnow.score_one({"a": 1, "b": 1, "c": 1}) == 0.75 - 0.5
    assert winnow.predict_one({"a": 1, "b": 1, "c": 1}) is None
    assert winnow.weights == {}
    with pytest.raises(ValueError, match="feature number 5"):
        winnow.score_one(dict.fromkeys("abcde", 1))
    perceptron = rg.Perceptron()
    assert perceptron.score_one({"a": 1}) == 0.0
    perceptron.learn_one({"a": 2}, 1)
    assert perceptron.score_one({"a": 1, "never": 100}) == 2.0


def test_zero_features_and_one_feature():
    learner = rg.Perceptron()
    learner.learn_one({}, 1)
    learner.learn_one({"a": 1}, 1)
    learner.learn_one({}, 0)
    learner.learn_one({"b": 3}, 0)
    assert learner.weights == {"a": 1.0, "b": -3.0}
    assert learner.ledger.rounds == learner.ledger.mistakes == 4
    assert learner.score_one({}) == 0.0
    biased = rg.Perceptron(bias=True)
    biased.learn_one({}, 1)
    assert biased.score_one({}) == 1.0
    assert biased.predict_one({}) == 1


def test_numbers_of_every_kind():
    kinds = [
        True,
        np.True_,
        np.int8(2),
        np.float32(0.5),
        Fraction(1, 4),
        Decimal("0.5"),
    ]
    learner, plain = rg.Perceptron(), rg.Perceptron()
    for i, value in enumerate([*kinds, np.array(0.5), 3, np.uint64(7)]):
        learner.learn_one({"a": value, i: 1}, i % 2)
        plain.learn_one({"a": float(value), i: 1.0}, i % 2)
    assert snapshot(learner) == snapshot(plain)


def test_names_are_strings_or_whole_numbers():
    learner = rg.Perceptron()
    learner.learn_one({"1": 1, 1: 2}, 1)
    assert learner.weights == {"1": 1.0, 1: 2.0}
    for name in (("a", "b"), None, b"1", 1.5):
        with pytest.raises(ValueError, match="the name of a field is a string, not"):
            learner.learn_one({name: 3, "1": 1}, 1)
    learner.learn_one({True: 10.0}, 0)  # True is 1, as in any dict
    assert learner.weights[1] == 2.0 - 10.0
    learner.learn_one({np.str_("1"): 100.0}, 0)
    assert learner.weights["1"] == 1.0 - 100.0


@pytest.mark.parametrize("kind", [types.MappingProxyType, ChainMap, dict])
def test_mappings_of_every_kind(kind):
    learner = rg.Perceptron()
    learner.learn_one(kind({"a": 1.0}), 1)
    assert learner.predict_one(kind({"a": 1.0})) == 1


def test_order_of_names_does_not_matter():
    one, other = rg.Perceptron(), rg.Perceptron()
    for i in range(20):
        x = {"a": i, "b": -1, "c": 0.5}
        one.learn_one(x, i % 2)
        other.learn_one(x if i == 0 else dict(reversed(x.items())), i % 2)
    assert one.weights == other.weights


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ((0, 1), (0, 1)),
        ((1, -1), (-1, 1)),
        ((False, True), (False, True)),
        ((np.True_, np.False_), (False, True)),
        ((1.0, 0.0), (0, 1)),
        ((np.int64(-1), np.float32(1)), (-1, 1)),
        ((True, True), (True, True)),  # what has not come is not predicted
        ((1, 1), (1, 1)),
    ],
)
def test_labels_come_back_as_they_went_in(labels, classes):
    learner = rg.Perceptron()
    for y in labels:
        learner.learn_one({"a": 1 if y == 1 else -1}, y)
    guesses = learner.predict_one({"a": -1}), learner.predict_one({"a": 1})
    assert guesses == classes
    assert [type(guess) for guess in guesses] == [type(c) for c in classes]
    assert learner.predict_one({}) == classes[0]  # score 0 is the negative class


def test_real_labels_predict_numbers():
    learner = rg.OGD(rg.Squared(), rg.Constant(0.5))
    learner.learn_one({"a": 1.0}, 2.5)
    assert learner.predict_one({"a": 1.0}) == 2.5
    assert learner.ledger.mistakes is None


@pytest.mark.parametrize("learner", [rg.Perceptron(), rg.Winnow(n_features=700)])
def test_rows_of_growing_width(learner):
    rng = np.random.default_rng(0)
    events = []
    for t in range(60):
        width = min(1 + t * t // 6, 600)
        names = rng.choice(700, size=width, replace=False).tolist()
        events.append(
            (dict(zip(names, rng.random(width).tolist(), strict=True)), t % 2)
        )
    for x, y in events:
        learner.learn_one(x, y)
    run = rg.play(learner, events)
    assert run.ledger == learner.ledger
    assert run.named_weights() == learner.weights


def test_forget_and_copies():
    learner = rg.Perceptron()
    learner.learn_one({"a": 1.0}, 1)
    twin = copy.deepcopy(learner)
    twin.learn_one({"a": 1.0, "b": 2.0}, 0)
    assert learner.weights == {"a": 1.0}
    assert twin.weights == {"a": 0.0, "b": -2.0}
    learner.learn_one({"a": 1.0, "b": 2.0}, 0)
    assert snapshot(learner) == snapshot(twin)
    learner.forget()
    assert learner.weights == {}
    assert learner.ledger.rounds == 0
    assert learner == rg.Perceptron()


WORDS = ("ham", "spam")


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("learner", [rg.Perceptron(bias=True), rg.Panel()], ids=repr)
def test_words_are_learned_at_once_and_coded_as_if_both_were_known(learner, first, rng):
    """One word comes alone for a while; a bad event in between changes nothing."""
    numbers = [first] * 20 + [1 - first] + rng.integers(0, 2, 40).tolist()
    learner, twin = fresh(learner), fresh(learner)
    for k, number in enumerate(numbers):
        x = {"a": float(rng.normal()), f"b{k % 3}": 1.0}
        if k == 20:
            assert learner.predict_one(x) == WORDS[first]  # the only one so far
            known = snapshot(learner)
            with pytest.raises(rg.BadRow, match="row 20: feature"):
                learner.learn_one({"a": NAN}, WORDS[number])
            assert snapshot(learner) == known
        learner.learn_one(x, WORDS[number], 2.0 if k == 5 else 1.0)
        twin.learn_one(x, number, 2.0 if k == 5 else 1.0)
    assert learner.live.labels.classes == WORDS
    assert learner.ledger == twin.ledger
    assert learner.weights == twin.weights
    again = copy.deepcopy(learner)
    for each in (learner, again):
        each.learn_one({"a": 1.0}, "ham")
    assert snapshot(learner) == snapshot(again)
    with pytest.raises(rg.BadRow, match="label 'eggs' is a third value after 'ham'"):
        learner.learn_one({"a": 1.0}, "eggs")


def test_a_learner_saved_before_the_second_label_keeps_what_it_learned(tmp_path):
    learner = rg.Perceptron()
    learner.learn_one({"a": 1.0}, "ham")
    learner.save(tmp_path / "live.rgl")
    loaded = rg.load_learner(tmp_path / "live.rgl")
    assert loaded.weights == learner.weights
    loaded.learn_one({"b": 1.0}, "spam")
    assert {loaded.predict_one({name: 1.0}) for name in "ab"} == set(WORDS)
