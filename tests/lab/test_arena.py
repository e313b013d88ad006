"""Bouts: curves that end where theorems do, pictures, tables, and experiments."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import regretless as rg
from regretless.experiments import Contest, Experiment
from regretless.games import Curve, checkpoints, sketch

g = rg.games


@pytest.fixture(scope="module")
def bout():
    return rg.arena(rg.Perceptron(), g.NoisyLabels(features=4), 150)


def test_curves_are_the_theorems_of_the_prefixes(bout):
    data = bout.game.take(150)
    assert {curve.name for curve in bout.curves} == {
        verdict.theorem.name for verdict in bout.theorems.applying
    }
    final = bout.theorems["perceptron/root"]
    t = int(bout.curve.rounds[10])
    run = rg.play(rg.Perceptron(), data["X"][:t], data["y"][:t])
    verdict = run.theorems(u=final.facts.comparison.u)["perceptron/root"]
    assert bout.curve.name == "perceptron/root"
    assert bout.curve.happened[10] == verdict.happened == run.mistakes
    assert bout.curve.bound[10] == pytest.approx(verdict.value, rel=1e-12)
    for curve in bout.curves:
        assert curve.rounds[-1] == 150
        assert curve.bound[-1] == bout.theorems[curve.name].value
        assert (curve.happened <= curve.bound + 1e-9).all()


def test_known_comparators_are_those_of_the_prefix():
    found = rg.arena(rg.OGD(step=rg.Constant(0.05)), g.Orthogonal(), 200)
    np.testing.assert_allclose(found.curve.happened, found.curve.bound, rtol=1e-9)
    biased = rg.arena(rg.Perceptron(bias=True), g.UnitVectors(8))
    assert biased.theorems["perceptron/separable"].applies


def test_a_comparator_that_the_learner_does_not_compete_with_is_replaced():
    # The panel is no point of the simplex; EG is judged by the best that is.
    learner = rg.EG(step=rg.Constant(0.1))
    found = rg.arena(learner, g.SchapirePanel(9, 3), 100, points=3)
    assert found.theorems["eg/data"].applies
    assert np.isfinite(found.curve.bound).all()


def test_a_theorem_about_the_end_borrows_a_curve():
    found = rg.arena(rg.Hedge(horizon=100), g.AlternatingHalves(4, 100))
    assert found.headline.theorem.name == "hedge/horizon"
    assert found.curve.name == "hedge/data"
    assert found.curve.points > 50


def test_names_and_seeds():
    one = rg.arena(rg.Perceptron(), "separable", 60, seed=3, points=1)
    many = rg.arena(rg.Perceptron(), "separable", 60, seed=range(2, 5), points=1)
    assert [each.seed for each in many] == [2, 3, 4]
    assert many[1].run.mistakes == one.run.mistakes
    assert many.ratios[1] == one.headline.ratio
    assert "3 seeds" in str(many)
    assert "share" in many._repr_html_()
    assert len(many.as_dict()["bouts"]) == len(many) == 3


def test_the_learner_is_not_touched():
    learner = rg.Halving()
    learner.learn_one([0, 1], 1)
    before = learner.weights
    rg.arena(learner, g.Splitting(8), points=1)
    assert learner.weights == before


def test_a_bout_in_words(bout):
    text = str(bout)
    assert "perceptron/root" in text
    assert "█" in text
    assert "<table" in bout._repr_html_()
    document = json.loads(json.dumps(bout.as_dict()))
    assert document["curves"][0]["rounds"][-1] == 150
    assert document["headline"] == "perceptron/root"
    nothing = rg.arena(rg.NormalizedWinnow(3.0), g.SchapirePanel(9), 20)
    assert nothing.headline is nothing.curve is None
    assert "no theorem applies" in str(nothing)
    with pytest.raises(ValueError, match="no theorem applies"):
        nothing.plot()


def test_checkpoints():
    assert checkpoints(3).tolist() == [1, 2, 3]
    assert checkpoints(500, 1).tolist() == [500]
    assert len(checkpoints(10**6)) == 64


def test_the_sketch_shows_both_sides():
    rounds = np.arange(1, 65)
    lines = sketch(Curve("a", "M <= T", rounds, rounds * 0.5, rounds * 1.0), 64, 8)
    assert lines[0].count("•") > 0
    columns = [line[line.index("┤") + 1 :].ljust(64) for line in lines[:9]]
    for column in zip(*columns, strict=True):
        marks = "".join(column).strip()
        assert marks.count("•") == 1  # the bound is one line,
        assert re.fullmatch(r"• *[▁▂▃▄▅▆▇█]*", marks)  # with the bars below it
    assert "mistakes 32   • bound 64" in lines[-1]
    met = sketch(Curve("a", "R <= T", rounds, rounds * 1.0, rounds * 1.0), 64, 8)
    assert sum(line.count("•") for line in met[:9]) == 64
    far = sketch(Curve("a", "M <= T", rounds, rounds * 1.0, rounds * 1e6))
    assert "(logarithmic)" in far[-1]
    none = np.full(64, np.nan)
    assert sketch(Curve("a", "M <= T", rounds, none, none)) == []
    zero = np.zeros(64)
    assert sketch(Curve("a", "M <= T", rounds, zero, zero)) == []


def test_pictures(bout, tmp_path):
    pytest.importorskip("vl_convert")
    page = tmp_path / "bout.html"
    figure = bout.plot(page)
    with pytest.raises(ValueError, match=r"bout.gif: a chart ends in .html, .svg"):
        bout.plot(tmp_path / "bout.gif")
    assert not (tmp_path / "bout.gif").exists()
    text = page.read_text()
    assert 'src="http' not in text
    assert "prefers-color-scheme: dark" in text
    (panel,) = figure.panels
    assert any("perceptron/root" in mark.name for mark in panel.marks)
    assert panel.x.title == "rounds"
    bound, below, happened = (mark.data for mark in panel.marks[:3])
    assert happened["y"] == below["y2"] == pytest.approx(bout.curve.happened)
    assert bound["y"] == pytest.approx(bout.curve.bound)
    many = rg.arena(rg.Perceptron(), "separable", 60, seed=range(3))
    assert [mark.kind for mark in many.plot().marks] == ["area", "line", "line"]
    ended = rg.arena(rg.Hedge(horizon=50), g.AlternatingHalves(4, 50)).plot()
    assert any(mark.symbol == "diamond" for mark in ended.marks)
    far = rg.arena(rg.Perceptron(), g.Bisection(20)).plot()
    assert far.panels[0].y.kind == "log"


def test_plots_say_what_they_need(bout, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(ModuleNotFoundError, match=r"regretless\[report\]"):
        bout.plot()


# Experiments.


@pytest.fixture(scope="module")
def growth():
    return rg.experiments.panel_growth(voters=(11, 51), seeds=(0, 1)).run()


def test_an_experiment_is_a_tidy_table(growth):
    assert len(growth) == 2 * (2 + 4)  # adversaries are not random: one seed is enough
    table = growth.to_arrow()
    assert table.num_rows == len(growth)
    assert {"contest", "voters", "k", "seed", "happened", "bound"} <= set(
        growth.columns
    )
    assert growth.to_pandas().groupby("contest").happened.mean().min() > 0
    for row in growth:
        assert row["happened"] <= row["bound"]
        assert row["mistakes"] == row["happened"]
    assert "Perceptron, adversary" in str(growth)
    assert "<table>" in growth._repr_html_()
    assert json.loads(json.dumps(growth.as_dict()))["experiment"] == "panel-growth"


def test_bounds_in_the_picture_are_those_of_the_lecture(growth):
    pytest.importorskip("vl_convert")
    figure = growth.plot()
    (panel,) = figure.panels
    assert panel.x.kind == panel.y.kind == "log"
    perceptron, winnow = (m.data["y"] for m in panel.marks if "bound" in m.name)
    assert perceptron == pytest.approx([33, 153])
    assert winnow == pytest.approx(18 * np.log([11, 51]))


def test_rates_are_flat_where_they_should_be():
    pytest.importorskip("vl_convert")
    found = rg.experiments.regret_rates(rounds=(100, 1600), seeds=[0]).run()
    figure = found.plot()
    ratio = {
        (mark.name, side): mark.data["y"][1] / mark.data["y"][0]
        for side, panel in zip(("x", "x2"), figure.panels, strict=True)
        for mark in panel.marks
    }
    for name in ("OGD, orthogonal gradients", "OGD, coin tosses"):
        assert ratio[name, "x"] == pytest.approx(1, abs=0.15)
        assert ratio[name, "x2"] > 2
    for name in ("OGD with steps 1/(2t), (w - z)^2", "Follow the leader, mean game"):
        assert ratio[name, "x"] < 0.5
        assert ratio[name, "x2"] == pytest.approx(1, abs=0.2)


def test_sweeps_reach_only_the_games_that_have_them():
    trial = Experiment(
        "t",
        "T",
        [
            Contest("a", rg.Halving(), g.Splitting()),
            Contest("b", rg.Halving(), g.FreundTable()),
        ],
        sweep={"experts": [4, 8], "rounds": [3]},
    )
    told = []
    found = trial.run(lambda done, of: told.append((done, of)))
    assert [row.get("experts") for row in found] == [4, 8, None]
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert [mark.kind for mark in found.plot().marks] == ["point", "point", "rule"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"sweep": {"expert": [1]}}, "no game here has a parameter 'expert'"),
        ({"sweep": {"experts": []}}, "experts has no values"),
        ({"seeds": []}, "seeds: there are none"),
    ],
)
def test_experiments_refuse(more, message):
    with pytest.raises(ValueError, match=message):
        Experiment("t", "T", [Contest("a", rg.Halving(), g.Splitting())], **more)


def test_experiments_by_name():
    assert rg.experiments.find("panel_growth").name == "panel-growth"
    with pytest.raises(ValueError, match="did you mean 'regret-rates'"):
        rg.experiments.find("regret-rate")


@pytest.mark.slow
def test_every_learner_on_one_page():
    found = rg.experiments.every_learner(points=5).run()
    judged = [row for row in found if row["share"] is not None]
    others = {row["learner"] for row in found if row["share"] is None}
    assert others == {"BOA()"}  # its bound is not asserted: SafeBOA has one
    assert all(-1 < row["share"] <= 1 + 1e-9 for row in judged)
    figure = found.plot()
    assert len(figure.panels) == len(judged)
    assert [len(panel.marks) for panel in figure.panels] == [3] * len(judged)
