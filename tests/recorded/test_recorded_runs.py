"""Runs give what they gave: models, predictions, ledgers, theorems, certificates.

A change of structure changes none of these numbers. Where one is meant to change,
`python tests/recorded/record.py NAME` records that run again, and the commit says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recorded.record import EXPECTED, LEVEL
from recorded.runs import RUNS, files
from regretless.engine.machine.level import level

RECORDED = json.loads(EXPECTED.read_text())
SOLVED = {"theorems", "certificate"}
"""What is computed by libraries of linear algebra and special functions."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> Iterator[Path]:
    """A folder with all files that the runs read."""
    path = tmp_path_factory.mktemp("recorded")
    files(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        yield path


def assert_same(found: Any, recorded: Any, where: str, tolerance: float = 0.0) -> None:
    """Equal to the last bit; solved values to a tolerance. New names are allowed."""
    if isinstance(recorded, dict):
        for name, value in recorded.items():
            near = 1e-9 if name in SOLVED else tolerance
            assert name in found, f"{where}: {name} is gone"
            assert_same(found[name], value, f"{where}: {name}", near)
    elif isinstance(recorded, list):
        assert len(found) == len(recorded), where
        for one, value in zip(found, recorded, strict=True):
            assert_same(one, value, where, tolerance)
    elif isinstance(recorded, float) and tolerance:
        assert found == pytest.approx(recorded, rel=tolerance, abs=1e-12), where
    else:
        assert found == recorded, where


def test_forty_runs_are_recorded() -> None:
    assert set(RECORDED) == set(RUNS)
    assert len(RUNS) >= 40


@pytest.mark.skipif(
    level() != LEVEL, reason=f"recorded on {LEVEL}: other levels differ in last bits"
)
@pytest.mark.parametrize("name", RUNS)
def test_a_run_gives_what_it_gave(name: str, folder: Path) -> None:
    found = json.loads(json.dumps(RUNS[name]()))
    assert_same(found, RECORDED[name], name)
