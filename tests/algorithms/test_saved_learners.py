"""Learners that were saved between two events go on as if nobody had saved them."""

from __future__ import annotations

import copy
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import live_games
import regretless as rg
from regretless.engine.storage import read_file, write_file

GAMES = live_games.games()


bits = live_games.state


@pytest.mark.parametrize("name", GAMES)
def test_a_saved_learner_goes_on_to_the_same_bits(name: str, tmp_path: Path) -> None:
    game, path = GAMES[name], tmp_path / "live.rgl"
    alone, saved = game.make(), game.make()
    for i in range(60):
        game.teach(alone, i)
        game.teach(saved, i)
        if i in (0, 7, 41):
            saved.save(path)
            saved = rg.load_learner(path)
            assert saved == alone
    assert bits(saved) == bits(alone)
    assert game.ask(saved) == game.ask(alone)
    assert saved.weights == alone.weights if hasattr(alone, "weights") else True
    assert saved.ledger == alone.ledger
    alone.save(path)  # to save changes nothing
    assert bits(saved) == bits(alone)


def test_nothing_was_learned_yet(tmp_path: Path) -> None:
    for game in (GAMES["Perceptron()"], GAMES["Halving"], GAMES["FollowTheLeader"]):
        game.make().save(tmp_path / "live.rgl")
        learner, other = rg.load_learner(tmp_path / "live.rgl"), game.make()
        game.teach(learner, 1)
        game.teach(other, 1)
        assert bits(learner) == bits(other)


def test_words_weights_and_certificates_go_along(tmp_path: Path) -> None:
    path = tmp_path / "live.rgl"
    learner = rg.Perceptron(bias=True)
    for i in np.random.default_rng(0).integers(0, 100, 200).tolist():
        x = {"color": ("red", "blue")[i % 2], "size": i / 7, f"a {i % 3}": True}
        learner.learn_one(x, i % 2 == 0, weight=1.0 + i % 3)
    learner.save(path)
    loaded = rg.load_learner(path)
    assert loaded.weights == learner.weights
    assert loaded.certificate() == learner.certificate()
    assert loaded.predict_one({"color": "red"}) is True
    assert loaded.snapshot().predict([{"color": "red"}]) == [True]


def test_prediction_sets_go_along(tmp_path: Path) -> None:
    path = tmp_path / "live.rgl"
    for inner in (rg.RegressionPanel(), rg.Panel()):
        learner = rg.intervals(inner, 0.8)
        for i in range(80):
            learner.learn_one({"a": i % 5}, i % 2)
        learner.save(path)
        loaded = rg.load_learner(path)
        for i in range(40):
            learner.learn_one({"a": i % 5}, i % 2)
            loaded.learn_one({"a": i % 5}, i % 2)
        assert repr(loaded) == repr(learner)
        assert loaded.coverage == learner.coverage
        assert bits(loaded.learner) == bits(learner.learner)


class Mine(NamedTuple):
    """A loss that is not of the package."""

    task = "real"
    convex = True


@rg.implement(rg.value, Mine)
def _(loss: Any, score: float, y: float) -> float:
    return (score - y) * (score - y)


@rg.implement(rg.slope, Mine)
def _(loss: Any, score: float, y: float) -> float:
    return 2.0 * (score - y)


def test_a_learner_with_a_part_of_ones_own_is_given_again(tmp_path: Path) -> None:
    path = tmp_path / "live.rgl"
    learner = rg.OGD(Mine(), rg.Constant(0.1))
    learner.learn_one({"a": 1.0}, 2.0)
    learner.save(path)
    with pytest.raises(ValueError, match="give an equal learner"):
        rg.load_learner(path)
    with pytest.raises(ValueError, match="it holds OGD"):
        rg.load_learner(path, rg.Perceptron())
    loaded = rg.load_learner(path, rg.OGD(Mine(), rg.Constant(0.1)))
    assert loaded.weights == learner.weights


@pytest.mark.parametrize("name", ["Perceptron()", "MulticlassPerceptron()", "Hedge"])
def test_files_that_make_no_sense_are_refused(name: str, tmp_path: Path) -> None:
    """Kernels do not look at bounds, so whatever they index by is looked at."""
    game, path = GAMES[name], tmp_path / "live.rgl"
    learner = game.make()
    for i in range(30):
        game.teach(learner, i)
    learner.save(path)
    content, _ = read_file(path, "learner")

    def branches(tree: Any, at: tuple[Any, ...] = ()) -> Any:
        if isinstance(tree, dict):
            for key in tree:
                yield from branches(tree[key], (*at, key))
        elif at[-1] not in ("seconds", "earlier", "limit", "rows", "weighted"):
            yield at, tree

    refused = 0
    for at, found in list(branches(content["game"])):
        lies = [None, "x", -1]
        if isinstance(found, np.ndarray):
            lies += [found[:-1], np.resize(found, found.size + 9), found.astype("f4")]
        for lie in lies:
            broken = copy.deepcopy(content)
            inner = broken["game"]
            for key in at[:-1]:
                inner = inner[key]
            inner[at[-1]] = lie
            write_file(path, "learner", broken)
            with suppress(ValueError):
                game.teach(rg.load_learner(path), 1)
                continue
            refused += 1
    assert refused > 20


def test_other_files_are_not_learners(tmp_path: Path) -> None:
    learner = rg.Perceptron()
    learner.learn_one({"a": 1.0}, 1)
    learner.snapshot().save(tmp_path / "model.rgl")
    with pytest.raises(ValueError, match="not a regretless learner: it is a model"):
        rg.load_learner(tmp_path / "model.rgl")
    learner.save(tmp_path / "live.rgl")
    with pytest.raises(ValueError, match="not a regretless model: it is a learner"):
        rg.load(tmp_path / "live.rgl")
    whole = (tmp_path / "live.rgl").read_bytes()
    (tmp_path / "live.rgl").write_bytes(whole[:-5])
    with pytest.raises(ValueError, match="cut short"):
        rg.load_learner(tmp_path / "live.rgl")
    with pytest.raises(FileNotFoundError):
        rg.load_learner(tmp_path / "none.rgl")
