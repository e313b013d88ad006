"""Files of older versions: every model predicts as it did.

`tests/golden/make.py` wrote them with the version that gives the folder its name.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from golden import make
from paths import GOLDEN

FOLDERS = sorted(p for p in GOLDEN.iterdir() if p.is_dir())
WRITTEN = {
    folder.name: json.loads((folder / "expected.json").read_text())
    for folder in FOLDERS
    if (folder / "expected.json").exists()
}
ALL = [(version, case) for version, found in WRITTEN.items() for case in found["cases"]]


@pytest.fixture
def files(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: Any) -> Any:
    """The golden files in a folder of their own, as old as they were."""
    version, case = request.param
    folder = GOLDEN / version
    for name in (make.CASES[case][0], f"{case}.rgl"):
        shutil.copy(folder / name, tmp_path / name)
    os.utime(tmp_path / make.CASES[case][0], (make.CHANGED, make.CHANGED))
    monkeypatch.chdir(tmp_path)
    same_machine = WRITTEN[version]["machine"] == make.machine()
    return case, WRITTEN[version]["cases"][case], 0.0 if same_machine else 1e-5


def assert_same(found: Any, expected: Any, tolerance: float, where: str = "") -> None:
    """Equal to the last bit, or numbers to a tolerance. New keys are allowed."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            assert_same(found[key], value, tolerance, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for k, value in enumerate(expected):
            assert_same(found[k], value, tolerance, f"{where}[{k}]")
    elif isinstance(expected, float) and tolerance:
        assert math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)
    else:
        assert found == expected, where


@pytest.mark.parametrize("files", ALL, indirect=True, ids="-".join)
def test_a_model_predicts_as_it_did(files: Any) -> None:
    case, expected, tolerance = files
    found = make.predictions(f"{case}.rgl", make.CASES[case][0])
    assert_same(found, expected["predictions"], tolerance)
