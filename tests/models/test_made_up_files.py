"""Files that were made up, with right checksums: refused in one line, or harmless.

A checksum shows that a file was damaged, not who wrote it. Kernels index with what they
find in a file, so its values are checked. Many more are tried by
``python -m benchmarks.mutated``.
"""

import math
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

import live_games
import regretless as rg
import resigned_files
from regretless.engine.storage.container import read_file, write_file

FEW = {
    "model": 150,
    "state": 30,
    "checkpoint": 30,
    "learner": 150,
    "mixture": 40,
}
SOME = {  # kinds of the fast tests, where all take long to make
    "state": ["panel", "amounts"],
    "checkpoint": ["classes", "kernel"],
}


def tried(sort, folder, count, names=None):
    kinds = resigned_files.made(sort, folder, names)
    found = set()
    for number in range(count):
        kind, data = resigned_files.drawn(kinds, number)
        try:
            found.add(resigned_files.check(kind, data, folder / "a.rgl"))
        except AssertionError as error:
            raise AssertionError(f"{sort} {number}: {error}") from None
    assert found == {"used", "refused"}


@pytest.mark.parametrize("sort", resigned_files.SORTS)
def test_changed_and_signed_again(sort, tmp_path):
    tried(sort, tmp_path, FEW[sort], SOME.get(sort))


@pytest.mark.slow
@pytest.mark.parametrize("sort", resigned_files.SORTS)
def test_every_kind_changed_and_signed_again(sort, tmp_path):
    tried(sort, tmp_path, 10 * FEW[sort])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of each kind that is asked for, and how it is used."""
    folder, made = tmp_path_factory.mktemp("made"), {}

    def file(sort, name):
        if (sort, name) not in made:
            made[sort, name] = resigned_files.made(sort, folder, [name])[0]
        return made[sort, name]

    return file


def inside(tree, path):
    """Where in a tree of tables and lists a path ends: what holds it, and its key."""
    *steps, last = path.split(".")
    for step in steps:
        tree = tree[int(step) if isinstance(tree, list | tuple) else step]
    return tree, last


def refusal(files, tmp_path, sort, name, change, where):
    """Why a file is refused whose content was changed so."""
    kind = files(sort, name)
    path = tmp_path / "a.rgl"
    write_file(path, kind.what, kind.content)
    content = read_file(path, kind.what)[0]
    held, key = inside(content, where)
    held[key] = change(held[key])
    write_file(path, kind.what, content)
    with pytest.raises((ValueError, resigned_files.RefusedError)) as caught:
        kind.use(path)
    why = str(caught.value).strip()
    assert "\n" not in why
    return why


def filled(value):
    return lambda array: np.full_like(array, value)


def first(value):
    def change(array):
        array.reshape(-1)[0] = value
        return array

    return change


def halved(array):
    return array[: len(array) // 2].copy()


def replaced(new, _):
    return new


FORESTS = [
    ("model", "panel", "arrays."),
    ("model", "class-panels", "arrays."),
    ("model", "regression-panel", "arrays.panel.second_layer.table."),
    ("state", "panel", "state.player."),
    ("state", "amounts", "state.player.second_layer.table."),
    ("checkpoint", "classes", "player."),
]
WRONG = {
    "nodes far away": ("nodes", filled(10**6)),
    "a node that is its own child": ("nodes", filled(0)),
    "half of the nodes": ("nodes", halved),
    "a leaf out of range": ("nodes", lambda nodes: np.where(nodes < 0, nodes, 9000)),
    "a feature that no row had": ("known", filled(2**20)),
    "counts out of range": ("numbers", filled(1e9)),
    "counts that are not whole": ("numbers", filled(1.5)),
    "trials out of range": ("leaves", filled(1e9)),
    "sizes out of range": ("sizes", filled(10**6)),
    "not a number": ("stack", first(math.nan)),
}


@pytest.mark.parametrize(("sort", "name", "at"), FORESTS)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_forest_that_cannot_have_grown(files, tmp_path, sort, name, at, wrong):
    array, change = WRONG[wrong]
    where = f"{at}forest_{array}"
    assert "forest" in refusal(files, tmp_path, sort, name, change, where)


def test_a_stack_without_features(files, tmp_path):
    where = "arrays.panel.second_layer.stacks.1.n_features"
    zero = partial(replaced, 0)
    assert refusal(files, tmp_path, "model", "regression-panel", zero, where)


@pytest.mark.parametrize(
    "labels",
    [(1, 1), ("a", "a"), (1, True), (0, 0.0), (math.nan, 1), (-math.inf, 1)],
    ids=str,
)
def test_labels_that_cannot_be_told_apart(files, tmp_path, labels):
    changes = [
        ("model", "linear", labels, "classes"),
        ("state", "panel", [*labels], "state.facts.mark.labels"),
        ("checkpoint", "panel", [*labels], "facts.mark.labels"),
    ]
    for sort, name, equal, where in changes:
        why = refusal(files, tmp_path, sort, name, partial(replaced, equal), where)
        assert "of its labels" in why or "its labels are" in why


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    ("sort", "name", "where"),
    [
        ("model", "linear", "arrays.weights"),
        ("model", "vote", "arrays.counts"),
        ("model", "machine", "arrays.supports.alphas"),
        ("model", "panel", "arrays.stack"),
        ("model", "classes", "arrays.weights"),
        ("state", "last half", "state.player.learned.primal"),
        ("learner", "Hedge", "game.player.expert_state.losses"),
        ("mixture", "brier", "layers.0.apart"),
    ],
)
def test_weights_that_are_not_finite(files, tmp_path, sort, name, where, value):
    assert refusal(files, tmp_path, sort, name, first(value), where)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.25])
def test_a_bound_that_is_none(tmp_path, value):
    X = np.random.default_rng(0).normal(size=(400, 2))
    run = rg.play(rg.Perceptron(), X, np.sign(X[:, 0]))
    path = tmp_path / "a.rgl"
    run.model("validated").save(path)
    content = read_file(path, "model")[0]
    content["certificate"]["value"] = value
    write_file(path, "model", content)
    with pytest.raises(ValueError, match="cannot be a bound"):
        rg.load(path)


SIZES = [5e-324, 1e-200, 1e-160, 1.0, -3.0, 1e100, 1e153, -1e160, 1e200, 1.7e308]
LEARNERS = [name for name, game in live_games.games().items() if "(" in name]


@pytest.mark.parametrize("name", LEARNERS)
def test_what_a_learner_reaches_is_not_refused(name, rng, tmp_path):
    """Numbers of any size, whether the learner takes them or refuses them."""
    game, path = live_games.games()[name], tmp_path / "a"
    learner = game.make()
    for i in range(24):
        game.teach(learner, i)
    for i in range(32):
        x = dict(zip(live_games.event(0), rng.choice(SIZES, 3).tolist(), strict=True))
        label = rng.choice(SIZES) if learner.task == "real" else rng.integers(2)
        label = "xy"[label] if learner.task == "classes" else label
        with suppress(rg.BadRow):
            learner.learn_one(x, label)
        if i % 8 == 0:
            learner.save(path)
            rg.load_learner(path)
