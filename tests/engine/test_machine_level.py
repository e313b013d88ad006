"""One level of processors for everything on a machine, and files say which."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import regretless as rg
from regretless.engine.machine.level import LEVELS, level
from regretless.runs.checkpoints import (
    read_checkpoint,
    warn_of_level,
    write_checkpoint,
)


def test_a_model_says_its_level(tmp_path):
    model = rg.play(rg.Perceptron(), np.eye(2), [1, -1]).model()
    model.save(tmp_path / "m.rgl")
    assert rg.load(tmp_path / "m.rgl").provenance.level == level()


def test_a_checkpoint_says_its_level(tmp_path):
    learner = rg.Perceptron()
    write_checkpoint(tmp_path / "c.ckpt", learner=learner, player=learner.player(2))
    assert read_checkpoint(tmp_path / "c.ckpt").level == level()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        warn_of_level("c.ckpt", level())
        assert warned == []
        warn_of_level("c.ckpt", "x86-64-v9")
    said = str(warned[0].message)
    assert said.startswith("c.ckpt: made for x86-64-v9 processors")
    assert said.endswith("the last bits may differ")


PLAY = """
import numpy as np, regretless as rg
from regretless.engine.machine.level import level
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 20))
y = np.where(X @ rng.normal(size=20) > 0, 1, -1)
run = rg.play(rg.Perceptron(), X, y)
print(level(), run.mistakes, run.weights.tobytes().hex()[:40])
"""


@pytest.mark.skipif(level() not in LEVELS, reason="levels of x86-64")
def test_a_lower_level_can_be_asked_for():
    lower = list(LEVELS)[list(LEVELS).index(level()) :]
    found = []
    for name in (lower[0], lower[min(1, len(lower) - 1)]):
        done = subprocess.run(
            [sys.executable, "-c", PLAY],
            env=os.environ | {"REGRETLESS_LEVEL": name},
            capture_output=True,
            text=True,
            check=True,
        )
        used, mistakes, _ = done.stdout.split()
        assert used == name
        found.append(mistakes)
    assert found[0] == found[1]
    refused = subprocess.run(
        [sys.executable, "-c", PLAY],
        env=os.environ | {"REGRETLESS_LEVEL": "x86-64-v9"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "REGRETLESS_LEVEL=x86-64-v9: this machine has" in refused.stderr
