"""Two nights of training, and one: the same bits wherever a file is cut.

Run ``python -m benchmarks.continued [--cuts N] [--rows M]``. For every kind of learner
a file of M rows is cut at N random places (20); the first part is learned and saved
with ``--resumable``, the second one goes on from there with ``-i``. The model, its
certificate, its ledger and its fingerprints must equal those of one training on the
whole file, to the last bit.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from regretless.cli import main as command
from regretless.engine.feature_names import numbered
from regretless.engine.storage import read_file, unpack_names

__all__ = ["KINDS", "Nights", "main"]

KINDS = {
    "Perceptron": ("two", "perceptron"),
    "FTRL-Proximal": ("two", "ftrl-proximal alpha=0.1 l1=0.1"),
    "AdaGrad": ("two", "adagrad scale=rms"),
    "gradient descent": ("two", "ogd loss=logistic step=adaptive(1)"),
    "Pegasos": ("two", "pegasos strength=0.01"),
    "coin betting": ("two", "coin-betting"),
    "multiplicative": ("two", "balanced-winnow eta=0.1 domain=allow --features 100"),
    "second order": ("two", "arow"),
    "Newton": ("amounts", "ons"),
    "kernel": ("two", "kernel-perceptron"),
    "panel": ("two", "panel"),
    "vote": ("two", "perceptron --model vote"),
    "frozen": ("two", "perceptron --model validated"),
    "many classes": ("many", "perceptron"),
    "many panels": ("many", "panel"),
    "multiclass Perceptron": ("many", "multiclass-perceptron"),
    "regression": ("amounts", "ogd loss=squared radius=5"),
    "regression panel": ("amounts", "regression-panel"),
    "sealed": ("two", "perceptron --seal 20% --seal-seed 3"),
    "held out": ("two", "perceptron --holdout 7"),
    "weighted": ("two", "perceptron --class-weight spam=3"),
    "balanced": ("many", "perceptron --class-weight balanced --holdout 9"),
}
"""A kind of labels, and what to say to ``train``."""
ASIDE = ("sealed", "held out", "balanced")
"""Where the rows that certify are those of the last night."""
FORMS = ("csv", "jsonl", "svm")
OTHERWISE = {"seconds", "date", "files", "request", "file", "at", "line", "length"}
"""What two nights and one may say differently: when, from which files."""


class Nights:
    """A folder with the rows of a kind of labels in every form.

    Parameters
    ----------
    folder : Path
        Where the files go.
    rows : int
        How many rows.
    """

    def __init__(self, folder: Path, rows: int) -> None:
        self.folder = folder
        self.rows = rows

    def lines(self, kind: str, form: str) -> list[str]:
        """The rows as text, the header first where there is one."""
        dice = random.Random(1)
        found: list[str] = ["a,b,word,label"] if form == "csv" else []
        for _ in range(self.rows):
            a, b = round(dice.gauss(0, 1), 3), round(dice.gauss(0, 1), 3)
            word = dice.choice(["x", "y", f"w{dice.randrange(40)}"])
            noisy = a + b / 2 + dice.gauss(0, 0.5)
            label: Any = {
                "two": "spam" if noisy > 0 else "ham",
                "many": "abcd"[min(3, int(abs(noisy) * 1.5))],
                "amounts": round(noisy, 3),
            }[kind]
            if form == "csv":
                found.append(f"{a},{b},{word},{label}")
            elif form == "jsonl":
                told = label if kind == "amounts" else f'"{label}"'
                found.append(f'{{"a": {a}, "{word}": {b}, "label": {told}}}')
            else:
                number = {"spam": 1, "ham": -1}.get(label, label)
                number = number if kind != "many" else "abcd".index(label)
                found.append(f"{number} 1:{a} {2 + len(word) + ord(word[-1]) % 9}:{b}")
        return found

    def train(self, name: str, lines: list[str], options: list[str], more: str) -> Path:
        """The model of a training on these lines."""
        data, model = self.folder / name, self.folder / f"{more or 'one'}.rgl"
        data.unlink(missing_ok=True)
        text = "\n".join(lines) + "\n"
        if more or "vote" not in options:
            data.write_text(text)
        else:  # of rows that can be read again all hypotheses vote, not a sample
            os.mkfifo(data)
            threading.Thread(target=data.write_text, args=(text,)).start()
        told = ["train", str(data), *options, "-o", str(model), "--resumable"]
        label = [] if name.endswith("svm") else ["--label", "label"]
        label += ["--bits", "6"] if name.endswith("csv") else []
        assert command([*told, *label, "--quiet"]) == 0
        return model

    def same(self, kind: str, form: str, *cuts: int) -> bool:
        """Whether training goes on as in one file that is cut at these places."""
        labels, told = KINDS[kind]
        if form == "svm" and "spam" in told:
            told = told.replace("spam", "1")
        learner, *rest = told.split(" --", 1)
        options = ["-l", learner, *(f"--{rest[0]}".split() if rest else [])]
        lines = self.lines(labels, form)
        head = lines[:1] if form == "csv" else []
        rows = lines[len(head) :]
        whole = self.train(f"one.{form}", lines, options, "")
        more: list[str] = options
        edges = [0, *sorted(cuts), len(rows)]
        for begin, end in pairwise(edges):
            saved = self.train(f"two.{form}", head + rows[begin:end], more, "two")
            more = [*options[2:], "-i", str(saved)]
        one, two = content(whole), content(self.folder / "two.rgl")
        if kind in ASIDE:
            for each in (one, two):
                each["certificate"] = each["provenance"]["point"] = None
        return same_tree(one, two)


def content(path: Path) -> dict[str, Any]:
    """Everything in a model's file but its state, in which arrays have room to grow."""
    found = read_file(path, "model")[0]
    names = unpack_names(found.pop("names"))
    found.pop("state")
    return {**found, "names": sorted(numbered(names, 0))}


def same_tree(one: Any, other: Any) -> bool:
    """Whether two trees have the same bits, but for what may differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = (one.keys() | other.keys()) - OTHERWISE
        return all(
            key in one and key in other and same_tree(one[key], other[key])
            for key in keys
        )
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same_tree, one, other))
    if hasattr(one, "dtype"):
        same = one.dtype == other.dtype and one.shape == other.shape
        return same and np.asarray(one).tobytes() == np.asarray(other).tobytes()
    return repr(one) == repr(other)  # nan is nan


def main() -> None:
    """Print how many of the cuts gave the same bits."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--rows", type=int, default=600)
    asked = parser.parse_args()
    dice = random.Random(7)
    print("the same bits, of", asked.cuts, "cuts:", *FORMS)
    with tempfile.TemporaryDirectory() as folder:
        nights = Nights(Path(folder), asked.rows)
        for kind in KINDS:
            counts: list[str] = []
            for form in FORMS:
                cuts = [dice.randrange(20, asked.rows - 20) for _ in range(asked.cuts)]
                found = [nights.same(kind, form, cut) for cut in cuts]
                counts.append(f"{sum(found):5d}")
            print(f"{kind:24}", *counts, flush=True)


if __name__ == "__main__":
    main()
