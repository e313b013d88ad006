"""Labels of files: which are -1 and +1, what is bad, which task they suggest."""

from __future__ import annotations

import json

import numpy as np
import pytest

import regretless as rg
from regretless.data.encoding import label_codec
from regretless.data.task_detection import suggested, task_of

nan = float("nan")


def numbers(*values):
    return np.array(values, float)


def words(*values):
    return np.array(values, object)


def test_minus_one_and_one():
    targets = label_codec(True)
    found, bad = targets.encode_some(numbers(1, -1, 1))
    assert found.tolist() == [1, -1, 1]
    assert bad == []
    assert targets.classes == (-1, 1)


def test_zero_and_one():
    targets = label_codec(True)
    assert targets.encode_some(numbers(0, 1))[0].tolist() == [-1, 1]
    assert targets.classes == (0, 1)
    third = "label -1 is a third value after 0 and 1: a binary learner takes two, "
    more = "OneVersusRest(...) and MulticlassPerceptron() take more (--task "
    task = "multiclass, or regression where they are amounts)"
    assert targets.encode_some(numbers(-1))[1] == [(0, third + more + task)]


@pytest.mark.parametrize("first", [-1, 0])
def test_the_negative_may_come_late(first):
    targets = label_codec(True)
    assert targets.encode_some(numbers(1, 1))[0].tolist() == [1, 1]
    assert targets.classes == (-1, 1)
    assert targets.encode_some(numbers(first, 1))[0].tolist() == [-1, 1]
    assert targets.classes == (first, 1)


@pytest.mark.parametrize("first", [-1, 0])
def test_the_positive_may_come_late(first):
    targets = label_codec(True)
    assert targets.encode_some(numbers(first))[0].tolist() == [-1]
    assert targets.encode_some(numbers(1, first))[0].tolist() == [1, -1]


def test_any_two_values_of_the_first_chunk():
    targets = label_codec(True)
    assert targets.encode_some(numbers(2, 1, 2))[0].tolist() == [1, -1, 1]
    assert targets.classes == (1, 2)


def test_words():
    targets = label_codec(True)
    found, bad = targets.encode_some(words("spam", "ham", None))
    assert found[:2].tolist() == [1, -1]
    assert np.isnan(found[2])
    assert not bad
    third = "label 'eggs' is a third value after 'ham' and 'spam'"
    assert targets.encode_some(words("eggs"))[1][0][1].startswith(third)


def test_positive_says_which():
    targets = label_codec(True, positive="ham")
    assert targets.encode_some(words("spam", "ham"))[0].tolist() == [-1, 1]
    late = label_codec(True, positive="1")
    assert late.encode_some(numbers(1, 1))[0].tolist() == [1, 1]
    assert late.encode_some(numbers(2, 1))[0].tolist() == [-1, 1]
    assert late.classes == (2, 1)
    with pytest.raises(ValueError, match="labels are numbers"):
        label_codec(True, positive="ham").encode_some(numbers(1, 2))


def test_one_value_alone_does_not_say_which_it_is():
    for labels in (numbers(2, 2), words("a", "a")):
        found, bad = label_codec(True).encode_some(labels)
        assert np.isnan(found).all()
        assert [row for row, _ in bad] == [0, 1]
        assert "say --positive" in bad[0][1]
    targets = label_codec(True)
    targets.encode_some(numbers(1))
    assert "label 2 comes after 1 alone" in targets.encode_some(numbers(2))[1][0][1]


def test_a_third_value_in_the_first_chunk():
    found, bad = label_codec(True).encode_some(numbers(5, 7, 6, 5))
    assert found[[0, 1, 3]].tolist() == [-1, 1, -1]
    assert [row for row, _ in bad] == [2]


def test_missing_and_endless():
    for binary in (True, False):
        found, bad = label_codec(binary).encode_some(numbers(1, nan, -1, np.inf))
        assert found[[0, 2]].tolist() == [1, -1]
        assert np.isnan(found[1])
        assert bad == [(3, "label inf is not a finite number")]


def test_nothing_but_missing_decides_nothing():
    targets = label_codec(True)
    targets.encode_some(numbers(nan, nan))
    assert targets.encode_some(numbers(3, 4))[0].tolist() == [-1, 1]


def test_real_labels_stay():
    found, bad = label_codec(False).encode_some(numbers(2.5, -3))
    assert found.tolist() == [2.5, -3]
    assert not bad
    assert label_codec(False).encode_some(words("a", None))[1] == [
        (0, "label 'a' is not a number")
    ]
    assert label_codec(False).classes is None


def test_state_is_plain_and_goes_on():
    targets, later = label_codec(True), label_codec(True)
    targets.encode_some(numbers(3, 4))
    later.restore(json.loads(json.dumps(targets.state())))
    assert later.encode_some(numbers(4, 3))[0].tolist() == [1, -1]


@pytest.mark.parametrize(
    ("labels", "task"),
    [
        ([0, 1, 1], "binary"),
        ([-1, 1], "binary"),
        ([3.5, 7.25, 3.5], "binary"),
        (["a", "b"], "binary"),
        ([1, 1], "binary"),
        ([], "binary"),
        ([nan, nan], "binary"),
        ([1, 2, 3], "multiclass"),
        ([0, 1, nan, 2], "multiclass"),
        (["a", "b", "c", None], "multiclass"),
        (list(range(100)), "multiclass"),
        (list(range(101)), "regression"),
        ([0.5, 1, 2], "regression"),
    ],
)
def test_task_of(labels, task):
    kind = object if any(isinstance(label, str) for label in labels) else float
    assert task_of(np.array(labels, kind)) == task


def ages(rng):
    return np.clip(rng.normal(45, 14, 3000).round(), 18, 90)


MADE = {
    "ratings": (lambda rng: rng.integers(1, 6, 500), "multiclass", "regression"),
    "105 classes": (lambda rng: rng.integers(0, 105, 4000), "multiclass", "regression"),
    "a thousand classes": (
        lambda rng: rng.permutation(1000)[rng.zipf(1.3, 20_000) % 1000],
        "multiclass",
        "regression",
    ),
    "ages": (ages, "regression", "multiclass"),
    "ages, each as often": (
        lambda rng: rng.integers(18, 81, 3000),
        "regression",
        "multiclass",
    ),
    "counts": (lambda rng: rng.poisson(12, 3000), "regression", "multiclass"),
    "amounts": (lambda rng: rng.integers(0, 10**6, 3000), "regression", ""),
    "four codes": (lambda rng: 10 * rng.integers(1, 5, 99), "multiclass", "regression"),
    "fractions": (lambda rng: rng.normal(size=99), "regression", ""),
}


@pytest.mark.parametrize("name", MADE)
def test_whole_numbers_are_told_apart_by_more_than_their_count(name, rng):
    make, task, other = MADE[name]
    found = suggested(make(rng))
    assert (found.task, found.other) == (task, other)
    assert ("--task" in found.line()) == bool(other)


@pytest.mark.parametrize("n", [100, 512, 5000])
def test_classes_that_come_about_as_often_are_never_amounts(n):
    made = (np.random.default_rng(seed).integers(0, 10, n) for seed in range(200))
    assert {task_of(labels) for labels in made} == {"multiclass"}


@pytest.mark.parametrize("kind", ["arrays", "file"])
def test_whole_numbers_are_classes_to_a_panel_that_is_asked_for(kind, rng, tmp_path):
    y = np.clip(rng.normal(6, 2, 300).round(), 0, 12)
    assert task_of(y) == "regression"
    X = rng.normal(size=(300, 2)).round(2)
    source = (X, y)
    if kind == "file":
        path = tmp_path / "rows.csv"
        np.savetxt(path, np.c_[y, X], delimiter=",", header="y,a,b", comments="")
        source = (path, "y")
    assert set(rg.play(rg.Panel(), *source).classes) == set(y)
