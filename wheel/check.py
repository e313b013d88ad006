"""Try a wheel where nothing can be compiled: empty cache, numba unimportable.

``python wheel/check.py dist/regretless-*.whl`` installs it into a new environment
and runs the demo, the commands on a file of every format, and events one by one. Both
numba and llvmlite are hidden, so that whatever the wheel does not bring fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HIDDEN = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ImportError(f"{name} is hidden: the wheel has no machine code here")

sys.meta_path.insert(0, Hidden())
"""

FILES = """
import json
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
from pyarrow import csv, feather

rng = np.random.default_rng(1)
X = rng.normal(size=(400, 3))
y = np.where(X[:, 0] > 0, 1, -1)
table = pa.table({f"x{k}": X[:, k] for k in range(3)} | {
    "color": [("red", "blue")[k % 2] for k in range(400)], "label": y})
csv.write_csv(table, "rows.csv")
pq.write_table(table, "rows.parquet")
feather.write_feather(table, "rows.arrow", compression="uncompressed")
open("rows.jsonl", "w").write("\\n".join(map(json.dumps, table.to_pylist())))
np.savez("rows.npz", X=X, y=y)
entries = [" ".join(f"{k + 1}:{v:.3f}" for k, v in enumerate(x)) for x in X]
open("rows.svm", "w").write("\\n".join(f"{a} {b}" for a, b in zip(y, entries)))
open("rows.vw", "w").write("\\n".join(f"{a} |f {b}" for a, b in zip(y, entries)))
kinds = np.digitize(X[:, 0], [-1, 0, 1])
open("classes.svm", "w").write("\\n".join(f"{a} {b}" for a, b in zip(kinds, entries)))
lines = [f"{a[0]:.3f} {b}" for a, b in zip(X, entries)]
open("amounts.svm", "w").write("\\n".join(lines))
"""

EVENTS = """
import regretless as rg
for learner in (rg.Panel(), rg.Perceptron(), rg.AdaGrad(), rg.RegressionPanel(),
                rg.OneVersusRest(rg.Panel())):
    for k in range(50):
        x = {"a": k % 3 / 2, "b": k % 5 / 4}
        learner.predict_one(x)
        learner.learn_one(x, float(k % 2))
"""

FITS = """
import numpy as np, regretless as rg
X = (np.random.default_rng(0).random((60, 4)) < 0.5).astype(float)
y = X.sum(axis=1)
for name in ("Perceptron", "OGD", "AdaGrad", "FTRLProximal", "Panel"):
    getattr(rg.sklearn, f"{name}Classifier")().fit(X, y > 2).predict(X)
rg.sklearn.OGDClassifier(loss="logistic").fit(X, y.astype(int)).predict_proba(X)
rg.sklearn.RegressionPanelRegressor().fit(X, y).predict(X)
wide = np.tile(np.eye(300), (2, 1))
rg.play(rg.Panel(), wide, np.arange(600) % 300).model().predict(wide)
rg.play(rg.Panel(), np.tile(X, (100, 1)), np.arange(6000) % 2).model().predict(X)
rg.play(rg.Hedge(), losses=X)
rg.play(rg.WeightedMajority(), X.astype(int), (y > 2).astype(int))
"""

COMMANDS = (
    ("train", "rows.svm", "--learner", "ogd", "loss=logistic", "step=0.1", "radius=10"),
    ("train", "rows.svm", "--grid", "ogd eta=0.01:10:log8"),
    ("train", "rows.svm", "--learner", "ogd,perceptron,adagrad"),
    ("game", "halving", "--adversary", "splitting", "--experts", "64"),
)

ENDS = ("svm", "vw", "csv", "jsonl", "parquet", "arrow", "npz")


def main(wheel: str) -> int:
    """Install and try it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python = str(programs / "python")
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
        subprocess.run([*pip, f"{Path(wheel).resolve()}[sklearn]"], check=True)
        (folder / "sitecustomize.py").write_text(HIDDEN)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "REGRETLESS_STORE": str(folder / "store"),
            "PYTHONPATH": str(folder),
        }

        def run(*words: str) -> None:
            print("$", *words[:4], flush=True)
            subprocess.run(
                words, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE
            )

        regretless = str(programs / "regretless")
        run(python, "-c", FILES)
        run(regretless, "demo", "--rows", "5000")
        for end in ENDS:
            for learner in ("panel", "perceptron"):
                model = f"{learner}-{end}.rgl"
                told = (regretless, "train", f"rows.{end}", "--learner", learner)
                run(*told, "-o", model, "-p", "said.txt")
                run(regretless, "predict", model, f"rows.{end}", "-o", "said.txt")
        for rows in ("classes", "amounts"):
            run(regretless, "train", f"{rows}.svm", "-o", f"{rows}.rgl", "--hindsight")
            run(regretless, "inspect", f"{rows}.rgl")
        for words in COMMANDS:
            run(regretless, *words)
        run(python, "-c", EVENTS)
        run(python, "-c", FITS)
        compiled = list((folder / "store").glob("*.o"))
        assert not compiled, f"{len(compiled)} kernels were compiled"
    print("nothing was compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
