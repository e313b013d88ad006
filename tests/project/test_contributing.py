"""The recipes of CONTRIBUTING.md, followed to the letter in a module of their own."""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import regretless as rg
from pages import blocks
from paths import ROOT
from regretless.cli.parsing import command_of
from regretless.data import format_detection, read_options
from regretless.data.formats import readers

TEXT = (ROOT / "CONTRIBUTING.md").read_text()
RECIPES = dict(re.findall(r"(?ms)^## Add an? ([\w -]+)\n(.*?)(?=^## )", TEXT))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The code of all recipes as one module, as a contributor would write it."""
    code = "\n\n".join(
        block.text
        for text in RECIPES.values()
        for block in blocks(text)
        if block.language == "python"  # a twin is in a file of its own
    )
    path = tmp_path_factory.mktemp("contributed") / "contributed.py"
    path.write_text(code)
    return module_at(path)


def module_at(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def test_there_is_a_recipe_for_each() -> None:
    wanted = {"loss", "geometry", "learner", "estimator", "reader", "game"}
    assert {*wanted, "command-line option"} <= set(RECIPES)


def test_the_loss_keeps_its_laws(made: ModuleType) -> None:
    loss = made.LogCosh(0.5)
    scores = np.linspace(-3.0, 3.0, 13)
    for score, y in itertools.product(scores, (-1.0, 0.0, 0.3)):
        at, slope = rg.value(loss, score, y), rg.slope(loss, score, y)
        rise = rg.value(loss, score + 1e-6, y) - rg.value(loss, score - 1e-6, y)
        assert slope == pytest.approx(rise / 2e-6, abs=1e-6)
        for other in scores:  # the subgradient inequality: it says convex = True
            line = at + slope * (other - score)
            assert rg.value(loss, other, y) >= line - 1e-12


def test_loss_and_geometry_play_as_they_say(made: ModuleType) -> None:
    """Fast = naive, dense = sparse, one by one = whole, and bad rows change nothing."""

    class Descent(made.LinearLearner):
        def composition(self, n_weights: int) -> rg.Composition:
            loss, geometry = made.LogCosh(0.5), made.Weighted(4.0)
            return rg.Composition(loss, geometry, rg.Constant(0.3))

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)) * (rng.random((300, 4)) < 0.6)
    y = X @ [1.0, -2.0, 0.0, 0.5] + rng.normal(size=300)
    w, loss = np.zeros(4), made.LogCosh(0.5)
    for x, target in zip(X, y, strict=True):
        w -= 0.3 / 4.0 * rg.slope(loss, float(w @ x), target) * x
    run = rg.play(Descent(), X, y)
    np.testing.assert_allclose(run.weights, w, rtol=1e-12)
    from scipy.sparse import csr_array

    sparse = rg.play(Descent(), csr_array(X), y)
    np.testing.assert_allclose(sparse.weights, w, rtol=1e-12)
    live = Descent()
    for x, target in zip(X[:20], y[:20], strict=True):
        live.learn_one(dict(enumerate(x.tolist())), float(target))
    assert live.ledger.loss == pytest.approx(rg.play(Descent(), X[:20], y[:20]).loss)
    broken = X[:5].copy()
    broken[3, 1] = np.nan
    with pytest.raises(ValueError, match="not a finite number"):
        rg.play(Descent(), broken, y[:5])


def test_the_learner_equals_its_naive_twin(made: ModuleType) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=200) > 0, 1, -1)
    w, mistakes = np.zeros(3), 0
    for x, label in zip(X, y, strict=True):
        wrong = label * (w @ x) <= 0.0
        mistakes += wrong
        w = w + 0.5 * label * x if wrong else w
    run = rg.play(made.SteppedPerceptron(0.5), X, y)
    np.testing.assert_allclose(run.weights, w, rtol=1e-12)
    assert run.mistakes == mistakes
    assert repr(made.SteppedPerceptron(0.5)) == "SteppedPerceptron(eta=0.5)"


def test_the_estimator_is_there(
    made: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = pytest.importorskip("sklearn.base")
    from regretless.algorithms import learners

    kind = made.SteppedPerceptron
    monkeypatch.setattr(learners, "SteppedPerceptron", kind, raising=False)
    estimator = rg.sklearn.SteppedPerceptronClassifier
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] > 0, "ham", "spam")
    fitted = base.clone(estimator(eta=2.0)).fit(X, y)
    assert fitted.score(X, y) > 0.9
    assert fitted.get_params()["eta"] == 2.0
    assert "which only scales w" in estimator.__doc__


def test_the_reader_reads_what_others_read(
    made: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Name it where the recipe says, and it is read as CSV is."""
    monkeypatch.setitem(sys.modules, "regretless.data.formats.orc", made)
    monkeypatch.setitem(readers.READERS, "orc", "orc.OrcReader")
    monkeypatch.setitem(format_detection.ENDINGS, ".orc", "orc")
    formats = (*read_options.FORMATS, "orc")
    monkeypatch.setitem(read_options.CHOICES, "format", (None, *formats))
    for option, allowed in read_options.ONLY.items():
        if "parquet" in allowed:
            monkeypatch.setitem(read_options.ONLY, option, (*allowed, "orc"))
    rng = np.random.default_rng(3)
    X = rng.integers(-8, 9, size=(60, 3)) / 4.0
    columns = {f"x{j}": X[:, j] for j in range(3)}
    table = made.pa.table({"label": np.where(X[:, 0] > 0, 1, -1), **columns})
    made.orc.write_table(table, tmp_path / "rows.orc")
    from pyarrow import csv

    csv.write_csv(table, tmp_path / "rows.csv")
    read, other = (
        rg.play(rg.Perceptron(), str(tmp_path / name))
        for name in ("rows.orc", "rows.csv")
    )
    np.testing.assert_array_equal(read.weights, other.weights)
    assert read.mistakes == other.mistakes
    (tmp_path / "bad.orc").write_bytes(b"ORC, or not")
    with pytest.raises(ValueError, match=r"bad\.orc: it is not an ORC file"):
        rg.play(rg.Perceptron(), str(tmp_path / "bad.orc"))


def test_the_game_keeps_its_rules(made: ModuleType) -> None:
    game = made.Contradiction(features=2)
    short, long = game.take(10), game.take(30)
    np.testing.assert_array_equal(short["X"], long["X"][:10])
    np.testing.assert_array_equal(short["y"], long["y"][:10])
    streamed = list(itertools.islice(game.stream(), 10))
    np.testing.assert_array_equal([x for x, _ in streamed], short["X"])
    assert short["X"].shape == (10, game.width)
    assert rg.games.name_of(game) == "contradiction"
    with pytest.raises(ValueError, match="features"):
        made.Contradiction(features=0)
    bout = rg.arena(rg.Perceptron(), game, points=1)
    assert bout.run.mistakes == bout.run.rounds == game.natural
    (aimed,) = game.reaches
    assert bout.theorems[aimed].theorem.name == bout.headline.theorem.name
    assert bout.headline.ratio == pytest.approx(1.0)


def test_the_option_is_parsed_and_explained(
    made: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = command_of(made.count)
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\nthree\n")
    command.main([str(path), "--skip", "1"], standalone_mode=False)
    assert capsys.readouterr().out == "2\n"
    command.main(["--help"], standalone_mode=False)
    assert "Lines that do not count." in capsys.readouterr().out
    import click

    with pytest.raises(click.BadParameter):
        command.main([str(path), "--skip", "-1"], standalone_mode=False)


# The tree as it is told.


def test_the_layers_are_those_of_the_contract() -> None:
    layers = module_at(ROOT / "docs" / "layers.py")
    told = re.findall(r"(?m)^\| (`.+?`) \| .+ \| .+ \|$", TEXT)
    assert [set(re.findall(r"`(\w+)`", names)) for names in told] == [
        set(names) for names in layers.layers()
    ]
    assert sum(map(len, layers.layers())) == 12
    picture = layers.svg()
    for names in layers.layers():
        assert all(f">{name}</text>" in picture for name in names)


def test_the_way_of_a_row_is_as_measured() -> None:
    hops = module_at(ROOT / "benchmarks" / "hops.py")
    way = [home for home, _ in hops.chain()]
    page = (ROOT / "docs" / "how-it-works.md").read_text()
    table = page.partition("| moment | passes |")[2].partition("\n\n")[0]
    told = re.findall(r"`([\w/]+\.py)`", table)
    assert [home for home in dict.fromkeys(way) if home in told] == told
    assert len(way) <= 22
