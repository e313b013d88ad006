"""Modules that users import keep their names, wherever the code lives."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

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
    "river": "integrations.river",
    "sklearn": "integrations.sklearn",
}


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_module_has_all_names_of_its_home(name: str) -> None:
    public = importlib.import_module(f"regretless.{name}")
    home = importlib.import_module(f"regretless.{PUBLIC[name]}")
    assert getattr(rg, name) is public
    assert public.__doc__
    assert set(public.__all__) == set(home.__all__)
    for each in public.__all__:
        assert getattr(public, each) is getattr(home, each)


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
