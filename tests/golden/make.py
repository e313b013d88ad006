"""Write the golden files of one version: `python tests/golden/make.py FOLDER`.

For every kind of model: the file that a run saves, and in `expected.json` the
predictions that every later version must give. Files of a released version are never
written again.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.cli import main

CHANGED = 1_700_000_000  # the time of change of every data file
WORDS = ("red", "green", "blue")
TALK = ("free money now", "see you at lunch", "cheap pills now", "notes of the meeting")

CASES = {
    "perceptron": ("two.svm", "perceptron bias=true", "last"),
    "p-norm": ("two.svm", "p_norm_perceptron n_features=12", "last"),
    "eg": ("two.svm", "eg signed=true n_features=12 eta=0.1", "last"),
    "pegasos": ("two.svm", "pegasos strength=0.1", "last-half"),
    "coin-betting": ("two.svm", "coin_betting", "random"),
    "mean": ("two.svm", "ogd loss=logistic eta=0.1", "mean"),
    "vote": ("two.svm", "perceptron", "vote"),
    "validated": ("two.svm", "ftrl_proximal", "validated"),
    "names": ("two.csv", "adagrad scale=rms", "last"),
    "text": ("text.tsv", "ogd loss=logistic eta=0.1", "last"),
    "panel": ("two.svm", "panel", "last"),
    "panel-names": ("two.csv", "panel", "last"),
    "panel-text": ("text.tsv", "panel", "last"),
    "regression-panel": ("amounts.csv", "regression_panel", "last"),
    "huber": ("amounts.csv", "ogd loss=huber eta=0.01", "last"),
    "vaw": ("amounts.csv", "vaw", "last"),
    "ons": ("two.svm", "ons loss=logistic reach=2", "last"),
    "arow": ("two.svm", "arow", "last"),
    "arow-diagonal": ("two.svm", "arow matrix=diagonal", "last"),
    "second-order": ("two.svm", "second_order_perceptron", "last"),
    "kernel": ("two.svm", "kernel_perceptron", "last"),
    "classes-panel": ("three.csv", "panel", "last"),
    "classes-linear": ("three.csv", "adagrad scale=rms", "last"),
    "classes-matrix": ("three.csv", "arow", "last"),
    "classes-perceptron": ("three.csv", "multiclass_perceptron", "last"),
}


def data(folder: Path, rounds: int = 240) -> None:
    """Small tables of every task: words, missing values, booleans and text."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(rounds, 12)).round(3)
    X[rng.random(X.shape) < 0.5] = 0.0
    side = X[:, :4].sum(1) + 0.3 * rng.normal(size=rounds)
    colour = rng.integers(0, 3, rounds)
    yes = side + colour > 1.0
    with (folder / "two.svm").open("w") as file:
        for row, good in zip(X, side > 0.0, strict=True):
            entries = (f"{j + 1}:{x:g}" for j, x in enumerate(row) if x)
            file.write(f"{'+1' if good else '-1'} {' '.join(entries)}\n")
    head = "size,colour,flag,seen,"
    columns = [
        f"{row[0]:g},{WORDS[c]},{'true' if row[1] > 0 else 'false'},"
        f"{'' if row[2] > 1 else format(row[2], 'g')},"
        for row, c in zip(X, colour, strict=True)
    ]
    labels = {
        "two": np.where(yes, "yes", "no"),
        "three": np.where(yes, "high", np.where(side > -0.5, "middle", "low")),
        "amounts": [f"{value:.3f}" for value in 10.0 + 3.0 * side + colour],
    }
    for name, column in labels.items():
        body = "".join(f"{a}{b}\n" for a, b in zip(columns, column, strict=True))
        (folder / f"{name}.csv").write_text(f"{head}label\n{body}")
    spam = rng.integers(0, 4, rounds)
    body = "".join(
        f"{TALK[k]}\t{x:g}\t{k % 2}\n" for k, x in zip(spam, X[:, 5], strict=True)
    )
    (folder / "text.tsv").write_text(f"message\tsize\tlabel\n{body}")


def command(case: str) -> list[str]:
    """How the run of a case is begun."""
    file, learner, kind = CASES[case]
    text = ["--text", "message"] if file == "text.tsv" else []
    return ["train", file, "-l", learner, "--model", kind, *text]


def outcome(arguments: list[str]) -> dict[str, Any]:
    """The JSON of a command that must succeed."""
    with redirect_stdout(StringIO()) as out:
        code = main([*arguments, "--json"])
    if code != 0:
        raise SystemExit(f"{arguments}: exit code {code}: {out.getvalue()}")
    return json.loads(out.getvalue())


def predictions(model: str, file: str) -> list[Any]:
    """What a model says about the rows it was made from."""
    with redirect_stdout(StringIO()) as out:
        code = main(["predict", model, file, "--scores", "--json", "--quiet"])
    if code != 0:
        raise SystemExit(f"{model}: exit code {code}: {out.getvalue()}")
    return json.loads(out.getvalue())["predictions"]


def make(case: str) -> dict[str, Any]:
    """The model of a case, and what it must give."""
    outcome([*command(case), "-o", f"{case}.rgl"])
    return {"predictions": predictions(f"{case}.rgl", CASES[case][0])}


def machine() -> str:
    """What decides the last bits: the instructions that kernels are compiled for."""
    from llvmlite import binding

    features = dict(binding.get_host_cpu_features())
    return "avx512" if features.get("avx512f") else "avx2"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    data(folder)
    for file in folder.iterdir():
        os.utime(file, (CHANGED, CHANGED))
    os.chdir(folder)
    expected = {}
    for case in CASES:
        print(case, flush=True)
        expected[case] = make(case)
    about = f'"version": "{rg.__version__}", "machine": "{machine()}"'
    cases = ",\n".join(f'"{case}": {json.dumps(expected[case])}' for case in expected)
    Path("expected.json").write_text(f'{{{about}, "cases": {{\n{cases}\n}}}}\n')
