"""From files: whole processes, start-up included, against Vowpal Wabbit and others.

Both tools read the same rows in one run, in turn, the best of several.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from . import files
from .figures import Figure

__all__ = ["figures"]

REPEATS = 3
KILLS = 30
OURS = (sys.executable, "-m", "regretless", "train")
CONVERT = (sys.executable, "-m", "regretless", "convert")
PERCEPTRON = ("--learner", "perceptron", "--quiet")
VW = (sys.executable, "-m", "vowpalwabbit", "--quiet")
LOGISTIC = ("--loss_function", "logistic")
HINGE = ("--sgd", "--loss_function", "hinge")
SKLEARN = """
import sys
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron
X, y = load_svmlight_file(sys.argv[1])
X.indices, X.indptr = X.indices.astype("int32"), X.indptr.astype("int32")
Perceptron(max_iter=1, tol=None, shuffle=False).fit(X, y)
"""


def figures() -> list[Figure]:
    """The figures of reading files."""
    return [
        Figure(
            name="libsvm",
            what="1 GB of LIBSVM text, Perceptron, ledger and certificate",
            peer="vw --sgd hinge, the same rows as VW text",
            bar=3.0,
            measure=lambda: in_turn(ours_on("libsvm", 1), vw_on(1)),
        ),
        Figure(
            name="libsvm-425",
            what="425 MB of it",
            peer="vw --sgd hinge, the same rows as VW text",
            bar=2.5,
            measure=lambda: in_turn(ours_on("libsvm", 0.425), vw_on(0.425)),
        ),
        Figure(
            name="libsvm-more",
            what="the second gigabyte alone: time(2 GB) - time(1 GB)",
            peer="vw, likewise",
            bar=4.0,
            measure=second_gigabyte,
        ),
        Figure(
            name="vw-text",
            what="the same rows as VW text in both",
            peer="vw --sgd hinge",
            bar=2.0,
            measure=lambda: in_turn(ours_on("vw", 1), vw_on(1)),
        ),
        Figure(
            name="converted",
            what="from our converted file",
            peer="vw from its cache",
            bar=1.5,
            measure=converted,
        ),
        Figure(
            name="sklearn-file",
            what="1 GB of LIBSVM text, Perceptron",
            peer="load_svmlight_file + Perceptron.fit",
            bar=10.0,
            measure=lambda: in_turn(ours_on("libsvm", 1), sklearn_on(1), repeats=1),
        ),
        Figure(
            name="panel-file",
            what="1 GB of LIBSVM text, the panel",
            peer="vw, default updates, logistic",
            bar=1.0,
            measure=lambda: in_turn(panel_on(1), vw_on(1, *LOGISTIC)),
            better="no slower",
        ),
        Figure(
            name="memory",
            what="peak memory at 4 GB (MB)",
            peer="at 1 GB",
            bar=1.1,
            measure=memory,
            better="no slower",
        ),
        Figure(
            name="kills",
            what=f"runs killed at a random moment, of {KILLS}",
            peer="resumed bit for bit",
            bar=1.0,
            measure=kills,
        ),
    ]


def ours_on(kind: str, gigabytes: float) -> list[str]:
    """Our command on the file of this kind."""
    path = files.libsvm(gigabytes) if kind == "libsvm" else files.vw(gigabytes)
    return [*OURS, str(path), *PERCEPTRON]


def panel_on(gigabytes: float) -> list[str]:
    """The default learner on LIBSVM text."""
    return [*OURS, str(files.libsvm(gigabytes)), "--quiet"]


def vw_on(gigabytes: float, *how: str) -> list[str]:
    """Vowpal Wabbit on the same rows."""
    return [*VW, *(how or HINGE), "-d", str(files.vw(gigabytes))]


def sklearn_on(gigabytes: float) -> list[str]:
    """What people do without either."""
    return [sys.executable, "-c", SKLEARN, str(files.libsvm(gigabytes))]


def seconds(command: list[str]) -> float:
    """How long a process takes, from start to end."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def in_turn(
    ours: list[str], peer: list[str], repeats: int = REPEATS
) -> tuple[float, float]:
    """The best of `repeats` of each, after one warm-up of ours, which compiles."""
    seconds(ours)
    times = [(seconds(ours), seconds(peer)) for _ in range(repeats)]
    return min(one for one, _ in times), min(other for _, other in times)


def second_gigabyte() -> tuple[float, float]:
    """What one more gigabyte costs."""
    one = in_turn(ours_on("libsvm", 1), vw_on(1))
    two = in_turn(ours_on("libsvm", 2), vw_on(2))
    return two[0] - one[0], two[1] - one[1]


def converted() -> tuple[float, float]:
    """Our converted file, and their cache, which a first run has written."""
    path = files.libsvm(1)
    rows = path.with_name(f"{path.name}.arrow")
    seconds([*CONVERT, str(path), str(rows)])
    ours = [*OURS, str(rows), *PERCEPTRON]
    peer = [*vw_on(1), "-c"]
    seconds(peer)
    return in_turn(ours, peer)


def memory() -> tuple[float, float]:
    """Peak resident memory in MB, at 4 GB and at 1 GB."""
    return peak(ours_on("libsvm", 4)), peak(ours_on("libsvm", 1))


def peak(command: list[str]) -> float:
    """The most memory that a process held, in MB."""
    watch = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    run = [sys.executable, "-c", watch, *command]
    said = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    unit = 1.0 if sys.platform == "darwin" else 1024.0
    return float(said.split()[-1]) * unit / 1e6


def kills() -> tuple[float, float]:
    """How often a killed run was resumed to the very bits, as 1/share and 1."""
    dice = random.Random(0)
    folder = files.folder() / "kills"
    folder.mkdir(exist_ok=True)
    data = str(piece())
    straight = str(folder / "straight.rgl")
    seconds([*OURS, data, *PERCEPTRON, "-o", straight])
    length = seconds([*OURS, data, *PERCEPTRON, "-o", straight])
    moments = [dice.random() * length for _ in range(KILLS)]
    same = sum(killed(folder, data, straight, moment) for moment in moments)
    return KILLS / max(same, 1e-9), float(KILLS)


def killed(folder: Path, data: str, straight: str, after: float) -> bool:
    """Kill a run, resume it until it ends, compare."""
    checkpoint, output = folder / "run.ck", folder / "run.rgl"
    for path in (checkpoint, output):
        path.unlink(missing_ok=True)
    saving = ["-o", str(output), "--checkpoint", str(checkpoint)]
    saving += ["--every", "20000rows"]
    process = subprocess.Popen([*OURS, data, *PERCEPTRON, *saving])
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if not output.exists():
        start = ["--resume", str(checkpoint)] if checkpoint.exists() else [data]
        learner = () if checkpoint.exists() else PERCEPTRON[:2]
        subprocess.run([*OURS, *start, *learner, "--quiet", *saving], check=True)
    return bits(str(output)) == bits(straight)


def bits(path: str) -> Any:
    """All that is learned in a model, to the last bit."""
    import regretless as rg

    model = rg.load(path)
    return model.weights.tobytes(), model.certificate, model.ledger


@cache
def piece() -> Path:
    """A tenth of a gigabyte."""
    path = files.folder() / "piece.svm"
    with files.libsvm(1).open("rb") as whole, path.open("wb") as part:
        part.write(whole.read(100_000_000))
        part.write(whole.readline())
    return path
