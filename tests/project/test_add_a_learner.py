"""CONTRIBUTING adds a learner with three files: follow it, and run the laws."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAWS = (
    "tests/engine/test_linear_naive.py::test_fast_equals_naive",
    "tests/engine/test_linear_laws.py::test_dense_equals_sparse",
    "tests/engine/test_linear_laws.py::test_any_cut_into_batches",
    "tests/evidence/test_theorem_parts.py",
    "tests/integrations/test_sklearn_generated.py",
    "tests/integrations/test_sklearn_checks.py::test_parameters_are_those_of_the_learner",
)
START = """
import sys

import regretless.algorithms.learners as learners

learners.__path__.append(sys.argv[1])
sys.path[:0] = [sys.argv[1], "tests/support"]
"""
USED = """
import pickle, tempfile
from pathlib import Path

import numpy as np
import regretless as rg
from regretless.cli.grammar import parse_learner
from regretless.games import LINEUP

assert "SteppedPerceptron" in rg.__all__
learner = parse_learner("stepped-perceptron eta=0.25")
assert learner == rg.SteppedPerceptron(0.25)
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 3))
y = np.where(X @ [1.0, -1.0, 0.5] + 0.1 * rng.normal(size=200) > 0, "yes", "no")
run = rg.play(learner, X, y)
assert [one.theorem.name for one in run.theorems().applying] == [
    "stepped-perceptron/oracle"
]
path = Path(tempfile.mkdtemp(), "model.rgl")
run.model().save(path)
assert (rg.load(path).predict(X) == run.model().predict(X)).all()
kind = rg.sklearn.SteppedPerceptronClassifier
model = pickle.loads(pickle.dumps(kind(eta=0.25, bias=False, shuffle=False).fit(X, y)))
assert model.ledger_ == run.ledger
assert type(LINEUP[type(learner)].worst).__name__ == "UnitVectors"
assert rg.arena(learner, "unit-vectors", rounds=10).run.mistakes > 0
"""
PLAYED = """
import naive_stepped_perceptron
import pytest

options = ["-q", "-n0", "-p", "no:cacheprovider", "-k", "Stepped"]
sys.exit(pytest.main(options + sys.argv[2:]))
"""


def blocks() -> list[str]:
    """What the page says to write: the learner, and its twin."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    section = page.partition("## Add a learner")[2].partition("\n## ")[0]
    return re.findall(r"^```py(?:thon)?\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Run code in a new process, with the learner and its twin where they belong."""
    learner, twin = blocks()
    (tmp_path / "stepped_perceptron.py").write_text(learner)
    (tmp_path / "naive_stepped_perceptron.py").write_text(twin)

    def in_new_process(code: str, *arguments: str) -> str:
        command = [sys.executable, "-c", START + code, str(tmp_path), *arguments]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, check=False, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return in_new_process


def test_a_learner_is_found_everywhere(run: Callable[..., str]) -> None:
    run(USED)


@pytest.mark.slow
def test_the_laws_run_on_it_and_on_its_twin(run: Callable[..., str]) -> None:
    shown = run(PLAYED, *LAWS)
    assert shown.count(".") >= 9, shown  # all that were asked for, of this learner
