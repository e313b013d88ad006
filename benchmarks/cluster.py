"""More than one core by Ray: figures, and the constants of a plan past this machine.

``python -m benchmarks cluster`` takes the figures. ``python -m benchmarks.cluster``
measures what a gigabyte, a shard and a synchronization cost here, and prints what that
comes to on 10, 100 and 1,000 workers. ``CLUSTER_GB`` says how large the file is.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from . import files
from .figures import Figure, SkippedError
from .timing import clock

__all__ = ["figures"]

GIGA = 10**9
SHARDS = 16
KILLS = 10
REPEATS = 3
ROWS = 200_000
NETWORK = 1.25  # GB/s into a machine of CORES workers: 10 Gbit/s
CORES = 8
TERABYTES = 100
OFTEN = 9  # synchronizations, to see what one costs
GROUP = 16  # shards that are merged at a time


def figures() -> list[Figure]:
    """The figures of playing in shards."""
    size = _gigabytes()
    return [
        Figure(
            name="cluster-workers",
            what=f"{size:g} GB of LIBSVM text in {SHARDS} shards, two Ray workers",
            peer="one Ray worker",
            bar=1.7,
            measure=lambda: in_turn(on_ray(2), on_ray(1)),
        ),
        Figure(
            name="cluster-pipeline",
            what="the same, two Ray workers",
            peer="one process, two threads, the mean kept as well",
            bar=1.15,
            better="no slower",
            measure=lambda: in_turn(on_ray(2), alone(("mean",))),
        ),
        Figure(
            name="cluster-plain",
            what="the same, two Ray workers",
            peer="one process, two threads, no mean kept",
            bar=1.15,
            better="no slower",
            measure=lambda: in_turn(on_ray(2), alone(())),
        ),
        Figure(
            name="cluster-killed",
            what="runs of which a worker was killed in the middle",
            peer="of those, runs with the same bits",
            bar=1.0,
            measure=killed,
            unit="runs",
        ),
        Figure(
            name="cluster-error",
            what=f"held-out error of the mean, 4 shards, {ROWS:,} rows",
            peer="one stream",
            bar=1.10,
            better="no slower",
            measure=lambda: (error(4), error(1)),
            unit="%",
        ),
    ]


def in_turn(ours: Any, peer: Any) -> tuple[float, float]:
    """The best of several of each, taken in turn."""
    ours()
    peer()
    taken = [(clock(ours), clock(peer)) for _ in range(REPEATS)]
    return min(one for one, _ in taken), min(other for _, other in taken)


def on_ray(workers: int) -> Any:
    """Play the file on so many workers of a cluster that is up already."""
    rg = _connected()
    return lambda: rg.cluster.play(
        rg.Perceptron(), str(text()), shards=SHARDS, workers=workers
    )


def alone(models: tuple[str, ...]) -> Any:
    """Play the file in this process."""
    import regretless as rg

    options = rg.ReadOptions(threads=2)
    return lambda: rg.play(rg.Perceptron(), str(text()), models=models, options=options)


def killed() -> tuple[float, float]:
    """Kill a worker in the middle of a shard, again and again; same bits?"""
    play = on_ray(2)
    expected = _bits(play())
    done = same = 0
    while done < KILLS:
        gone: list[int] = []
        thread = threading.Thread(target=_kill_one, args=(gone,))
        thread.start()
        found = _bits(play())
        thread.join()
        done += bool(gone)
        same += bool(gone) and found == expected
    return float(done), float(same)


def _kill_one(gone: list[int]) -> None:
    until = time.monotonic() + 5.0
    time.sleep(float(np.random.default_rng(os.getpid()).uniform(0.05, 0.3)))
    while not gone and time.monotonic() < until:
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError, ProcessLookupError):
                title = (entry / "cmdline").read_bytes()
                if b"ray::play_shard" in title and _ours(int(entry.name)):
                    os.kill(int(entry.name), signal.SIGKILL)
                    gone.append(int(entry.name))
                    return


def _ours(number: int) -> bool:
    """Whether a process descends from this one."""
    while number > 1 and number != os.getpid():
        status = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2]
        number = int(status.split()[1])
    return number == os.getpid()


def _bits(run: Any) -> tuple[Any, ...]:
    return run.weights.tobytes(), run.mean.tobytes(), str(run.ledger.as_dict())


@cache
def error(shards: int) -> float:
    """The held-out error of the mean of the command's own learner, in shards."""
    rg = _connected()
    from regretless.cli.messages import write_messages

    folder = _folder()
    paths = {name: folder / f"{name}.vw" for name in ("seen", "fresh")}
    for seed, (name, rows) in enumerate((("seen", ROWS), ("fresh", 50_000)), 1):
        if not paths[name].exists():
            write_messages(paths[name], rows, seed)
    learner = rg.AdaGrad(loss=rg.Logistic(), bias=True)
    model = rg.cluster.play(learner, str(paths["seen"]), shards=shards).model("mean")
    return _error_of(model, paths["fresh"])


def _error_of(model: Any, path: Path) -> float:
    from regretless.data.file_source import FileSource
    from regretless.models.batches import scores_of

    wrong = rows = 0
    for batch in FileSource(str(path), binary=True).batches():
        scores = scores_of(model, batch.rows, batch.targets.size)
        wrong += int((~(scores * batch.targets > 0.0)).sum())
        rows += batch.targets.size
    return wrong / rows


@cache
def text() -> Path:
    """The file, a part of the benchmark's gigabyte where it is to be smaller."""
    wanted = _gigabytes()
    if wanted >= 1:
        return files.libsvm(round(wanted))
    path = _folder() / "part.svm"
    with files.libsvm(1).open("rb") as whole, path.open("wb") as part:
        left = int(wanted * GIGA)
        while left > 0 and (piece := whole.read(min(left, 1 << 24))):
            part.write(piece)
            left -= len(piece)
        part.write(whole.readline())
    return path


@cache
def _folder() -> Path:
    import atexit

    path = Path(tempfile.mkdtemp(prefix="regretless-cluster-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def _gigabytes() -> float:
    return float(os.environ.get("CLUSTER_GB", "4"))


@cache
def _connected() -> Any:
    """The package, with a local cluster of two workers that is up already."""
    import regretless as rg
    from regretless.integrations.ray.connection import QUIET, import_ray

    try:
        ray = import_ray()
    except ModuleNotFoundError as error:
        raise SkippedError(str(error)) from None
    ray.init(address="local", num_cpus=2, **QUIET)
    return rg


# The constants, and what they come to elsewhere.


def main() -> int:
    """Measure the constants and print the plan."""
    found = constants()
    print("measured here")
    for what, much in found.items():
        print(f"  {what:<52} {much:.4g}", flush=True)
    print()
    print(f"held-out error by the number of shards, {ROWS:,} rows")
    for shards in (1, 4, 16, 64):
        print(f"  {shards:>4} {error(shards):.3%}")
    print()
    print(plan(found))
    return 0


def constants() -> dict[str, float]:
    """Seconds of everything that a plan is made of."""
    rg = _connected()
    size = text().stat().st_size / GIGA
    play = on_ray(1)
    play()
    best = min(clock(play) for _ in range(REPEATS))
    small = _folder() / "small.svm"
    few = {}
    for width in (1 << 10, 1 << 20):
        rows = [f"{1 if k % 2 else -1} 1:1 {width}:0.5\n" for k in range(2048)]
        small.write_text("".join(rows))
        for often in (1, OFTEN):
            work = _small(rg, small, often)
            work()
            few[width, often] = min(clock(work) for _ in range(REPEATS))
    narrow = (few[1 << 10, OFTEN] - few[1 << 10, 1]) / (OFTEN - 1)
    wide = (few[1 << 20, OFTEN] - few[1 << 20, 1]) / (OFTEN - 1)
    return {
        "s a GB, one worker": best / size,
        "s a shard beside its bytes": narrow / 2,
        "s a synchronization of 2 shards, 1,024 weights": narrow,
        "s a synchronization of 2 shards, 1,048,576 weights": wide,
        "s for each million weights of a synchronization": max(wide - narrow, 0.0),
        "s a file to look at before the start": _a_look(rg),
    }


def _small(rg: Any, path: Path, often: int) -> Any:
    return lambda: rg.cluster.play(
        rg.Perceptron(), str(path), shards=2, synchronizations=often
    )


def _a_look(rg: Any) -> float:
    """Seconds that one more file costs before anything is played."""
    from regretless.integrations.ray.job_spec import agree
    from regretless.integrations.ray.shards import plan_shards

    for k in range(200):
        (_folder() / f"look{k}.csv").write_text("label,a,b\n1,2,3\n-1,1,2\n")
    names = str(_folder() / "look*.csv")

    def look() -> None:
        terms, places = agree(rg.Perceptron(), names, rg.ReadOptions(), None)
        plan_shards(places, terms.options.format or "")

    look()
    return clock(look) / 200


def plan(found: dict[str, float]) -> str:
    """The time of 100 TB by workers and weights, term by term."""
    a_gigabyte = found["s a GB, one worker"]
    a_shard = found["s a shard beside its bytes"]
    a_million = found["s for each million weights of a synchronization"] / 2
    head = ("workers", "weights", "compute", "network", "merging", "total")
    lines = [
        f"{TERABYTES} TB, shards of 1 GB, {CORES} workers, {NETWORK:g} GB/s a machine",
        " ".join(f"{name:>10}" for name in head),
    ]
    shards = TERABYTES * 1000
    for workers in (10, 100, 1000):
        machines = math.ceil(workers / CORES)
        for millions in (1, 16):
            compute = TERABYTES * 1000 * a_gigabyte / workers
            read = TERABYTES * 1000 / (NETWORK * machines)
            sent = shards * 16e-3 * millions  # GB: two vectors of float64 a shard
            levels = math.ceil(math.log(shards, GROUP))
            merging = (
                shards * (a_shard + a_million * millions) / workers
                + sent / (NETWORK * machines)
                + levels * GROUP * 16e-3 * millions / NETWORK
            )
            total = max(compute, read) + merging
            times = [_time(one) for one in (compute, read, merging, total)]
            cells = (f"{workers:,}", f"{millions}M", *times)
            lines.append(" ".join(f"{cell:>10}" for cell in cells))
    return "\n".join(lines)


def _time(seconds: float) -> str:
    for limit, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= limit:
            return f"{seconds / limit:.1f} {unit}"
    return f"{seconds:.1f} s"


if __name__ == "__main__":
    sys.exit(main())
