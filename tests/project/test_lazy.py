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
from regretless.evidence.theorems import theorems_about
from regretless.evidence.verdicts import task_types as kinds
from regretless.lazy import sibling

PACKAGES = (
    "",
    *(".algorithms.experts", ".algorithms.learners", ".models", ".models.conversions"),
    *(".evidence.claims", ".evidence.hindsight", ".evidence.verdicts"),
    *(".evidence.metrics", ".engine.players.classes"),
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
    assert theorems_about(Own()) == theorems_about(rg.Perceptron())
    assert theorems_about(Foreign()) == ()


def test_tables_by_name_name_what_there_is() -> None:
    unproven = {name for name, kind in LEARNERS.items() if not theorems_about(kind)}
    abstract = {name for name in LEARNERS if inspect.isabstract(LEARNERS[name])}
    # The safe BOA has a theorem; the loss of factors is not convex.
    assert unproven == abstract | {"BOA", "FactorizationMachine"}
    for home in {kind.comparators for kind in LEARNERS.values()}:
        found = sibling("regretless.evidence.verdicts", f"{home}.KIND")
        assert isinstance(found, kinds.Kind)


def test_what_is_fetched_late_is_what_the_linter_sees() -> None:
    """Homes that are strings are those of the imports for types, name by name.

    Packages with a stub have no such imports: the stub is made (test_stubs.py).
    """
    root = Path(rg.__file__).parent
    for name in PACKAGES:
        file = root.joinpath(*filter(None, name.split("."))) / "__init__.py"
        if file.with_suffix(".pyi").exists():
            continue
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
    """Some functions import by a string: of names for types, siblings and learners."""
    root = Path(rg.__file__).parent
    own = re.compile(r"""import_module\(\s*f?["'](\.|regretless)""")
    users = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        if own.search(file.read_text())
    }
    assert users == {"__init__.py", "algorithms/discovery.py", "lazy.py"}
