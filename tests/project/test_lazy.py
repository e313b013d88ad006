"""Names that are imported when they are used: all there, and what they should be."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import regretless as rg
from regretless.algorithms import experts, learners
from regretless.evidence.theorems import index
from regretless.evidence.verdicts import task_types as kinds
from regretless.lazy import sibling
from regretless.models.files import HOMES as MODELS
from regretless.models.model import Model

PACKAGES = (
    "",
    *(".algorithms.experts", ".algorithms.learners", ".models", ".models.conversions"),
    *(".evidence.claims", ".evidence.hindsight", ".evidence.verdicts"),
    ".evidence.metrics",
)
LEARNERS = {
    name: getattr(package, name)
    for package in (learners, experts)
    for name in package.__all__
    if name != "Mixture"  # which is played by others, and has no rounds of its own
}


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_of_a_package_is_found_and_listed(name: str) -> None:
    package = importlib.import_module(f"regretless{name}")
    assert set(package.__all__) <= set(dir(package))
    for each in package.__all__:
        found = getattr(package, each)
        if inspect.isclass(found):
            assert found.__name__ == each
    with pytest.raises(AttributeError, match="has no attribute 'nobody'"):
        package.nobody  # noqa: B018
    names: dict[str, object] = {}
    exec(f"from {package.__name__} import *", names)
    assert set(package.__all__) <= set(names)


@pytest.mark.parametrize("name", PACKAGES[1:])
def test_no_name_is_that_of_a_module(name: str) -> None:
    """It would be the module, once anybody has imported that."""
    package = importlib.import_module(f"regretless{name}")
    modules = {each.name for each in pkgutil.iter_modules(package.__path__)}
    assert not modules & set(package.__all__)


def test_a_foreign_class_of_the_same_name_is_another() -> None:
    Foreign = type("Perceptron", (), {"__module__": "theirs"})
    Own = type("Own", (rg.Perceptron,), {"__module__": "theirs"})
    assert index.theorems_about(Own()) == index.theorems_about(rg.Perceptron())
    assert index.theorems_about(Foreign()) == ()


def test_tables_by_name_name_what_there_is() -> None:
    assert set(index._ABOUT) <= set(LEARNERS)
    assert all(index.all_theorems())
    for home in {kind.comparators for kind in LEARNERS.values()}:
        found = sibling("regretless.evidence.verdicts", f"{home}.KIND")
        assert isinstance(found, kinds.Kind)
    for stored, home in MODELS.items():
        assert sibling("regretless.models", home).stored_as == stored
    ours = {name for name, kind in Model.kinds.items() if "regretless." in str(kind)}
    assert ours == set(MODELS)


def test_what_is_fetched_late_is_what_the_linter_sees() -> None:
    """Homes that are strings are those of the imports for types, name by name."""
    root = Path(rg.__file__).parent
    for name in PACKAGES:
        file = root.joinpath(*filter(None, name.split("."))) / "__init__.py"
        tree = ast.parse(file.read_text())
        block = next(node for node in tree.body if isinstance(node, ast.If))
        seen = {
            (node.module, each.name)
            for node in block.body
            if isinstance(node, ast.ImportFrom) and node.module is not None
            for each in node.names
        }
        tables = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
        table = ast.literal_eval(tables[0])
        told = {(home, each) for home in table for each in table[home].split()}
        assert seen == told, name


def test_no_import_of_another_layer_hides_in_a_string() -> None:
    """Two functions import by a string: of names for types, and of siblings."""
    root = Path(rg.__file__).parent
    own = re.compile(r"""import_module\(\s*f?["'](\.|regretless)""")
    users = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        if own.search(file.read_text())
    }
    assert users == {"__init__.py", "lazy.py"}
