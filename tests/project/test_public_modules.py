"""Modules that users import keep their names, wherever the code lives.

So do those that pickled estimators of older versions name.
"""

from __future__ import annotations

import copy
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import regretless as rg
from paths import ROOT

PUBLIC = {
    "certify": "evidence.certify",
    "cluster": "integrations.ray",
    "events": "integrations.events",
    "experiments": "lab.experiments",
    "forecasts": "forecasts",
    "games": "lab.games",
    "metrics": "evidence.metrics",
    "report": "report",
    "sklearn": "integrations.sklearn",
}
PICKLED = {
    "regretless.learners": """
        adagrad.AdaGrad arow.AROW balanced_winnow.BalancedWinnow
        coin_betting.CoinBetting eg.EG ftrl_proximal.FTRLProximal
        kernel_perceptron.KernelPerceptron multiclass_perceptron.MulticlassPerceptron
        normalized_winnow.NormalizedWinnow ogd.OGD one_versus_rest.OneVersusRest
        ons.ONS panel.Panel passive_aggressive.PassiveAggressive pegasos.Pegasos
        perceptron.Perceptron pnorm.PNormPerceptron regression_panel.RegressionPanel
        second_order_perceptron.SecondOrderPerceptron unnormalized_eg.UnnormalizedEG
        vaw.VAW winnow.Winnow""",
    "regretless.parts": """
        losses.Absolute losses.Hinge losses.Logistic losses.Squared similarities.RBF
        steps.Adaptive steps.Constant""",
    "regretless.sklearn": """
        adagrad.AdaGradClassifier adagrad.AdaGradRegressor
        coin_betting.CoinBettingClassifier coin_betting.CoinBettingRegressor
        course.Course eg.EGClassifier eg.EGRegressor
        ftrl_proximal.FTRLProximalClassifier ftrl_proximal.FTRLProximalRegressor
        kernel_perceptron.KernelPerceptronClassifier labels.ManyClasses labels.Numbers
        labels.TwoClasses ogd.OGDClassifier ogd.OGDRegressor ons.ONSClassifier
        ons.ONSRegressor panel.PanelClassifier
        passive_aggressive.PassiveAggressiveClassifier
        passive_aggressive.PassiveAggressiveRegressor pegasos.PegasosClassifier
        perceptrons.MulticlassPerceptronClassifier perceptrons.PNormPerceptronClassifier
        perceptrons.PerceptronClassifier regression_panel.RegressionPanelRegressor
        second_order.AROWClassifier second_order.SecondOrderPerceptronClassifier
        unnormalized_eg.UnnormalizedEGClassifier unnormalized_eg.UnnormalizedEGRegressor
        vaw.VAWRegressor winnows.BalancedWinnowClassifier
        winnows.NormalizedWinnowClassifier winnows.WinnowClassifier""",
}
"""Every class that pickles of fitted estimators of version 0.1 name."""
FIND = """
import importlib, sys
for name in sys.argv[1:]:
    module, _, kind = name.rpartition(".")
    found = getattr(importlib.import_module(module), kind)
    assert getattr(sys.modules[found.__module__], kind) is found, name
"""


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_module_has_all_names_of_its_home(name: str) -> None:
    public = importlib.import_module(f"regretless.{name}")
    home = importlib.import_module(f"regretless.{PUBLIC[name]}")
    assert getattr(rg, name) is public
    assert public.__doc__
    assert set(public.__all__) == set(home.__all__)
    for each in public.__all__:
        assert getattr(public, each) is getattr(home, each)


def test_pickled_names_are_found_by_a_new_process() -> None:
    names = [
        f"{package}.{each}" for package in PICKLED for each in PICKLED[package].split()
    ]
    subprocess.run([sys.executable, "-c", FIND, *names], check=True)


def test_an_estimator_of_an_older_version_has_parameters_that_came_later() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    fitted = rg.sklearn.PanelClassifier().fit(X, X[:, 0] > 0)
    state = fitted.__getstate__()
    older = {name: state[name] for name in state if name not in ("forest", "level")}
    found = object.__new__(rg.sklearn.PanelClassifier)
    found.__setstate__(copy.deepcopy(older))
    assert found.get_params() == fitted.get_params()
    found.partial_fit(X, X[:, 0] > 0)
    fitted.partial_fit(X, X[:, 0] > 0)
    assert (found.predict_proba(X) == fitted.predict_proba(X)).all()


def test_the_tree_has_twelve_folders_that_say_what_they_hold() -> None:
    root = Path(rg.__file__).parent
    folders = sorted(path.parent.name for path in root.glob("*/__init__.py"))
    assert len(folders) <= 12
    for name in folders:
        assert importlib.import_module(f"regretless.{name}").__doc__


def test_the_documents_show_the_layers_of_the_import_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    first = contracts["importlinter"]["contracts"][0]
    assert first["exhaustive"]
    assert "ignore_imports" not in first
    loose = {path.stem for path in (ROOT / "src" / "regretless").glob("*.py")}
    layers = [
        [name for name in re.split(r" [:|] ", layer) if name not in loose]
        for layer in first["layers"]
    ]
    assert len(layers) == 10
    page = (ROOT / "docs" / "how-it-works.md").read_text()
    assert "\n<!-- layers -->\n" in page  # where docs/layers.py draws them
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("## The tree")[2]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", table, re.MULTILINE)
    assert [re.findall(r"\w+", row) for row in rows] == layers
