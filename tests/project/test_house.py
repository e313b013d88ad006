"""The house as it is built: what was won in order and size is not lost again."""

from __future__ import annotations

from benchmarks import house

ANYS = 300
"""Uses of Any outside kernels: fewer are welcome, more are not. The goal is 500."""
TWICE = {"Mixture", "Progress"}
"""Public names of two modules each."""


def test_folders_and_layers() -> None:
    assert len(house.folders()) <= 12
    assert len(house.layers()) <= 10


def test_types_are_not_given_up() -> None:
    assert sum(house.anys().values()) <= ANYS


def test_a_class_name_stands_for_one_thing() -> None:
    twice = {name for name, files in house.class_names().items() if len(files) > 1}
    assert twice <= TWICE


def test_files_have_one_idea() -> None:
    assert not house.long_files()  # of more than 400 lines
