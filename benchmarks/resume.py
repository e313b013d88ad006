"""``python -m benchmarks.resume [--cases N]``: kill -9 after a checkpoint, then resume.

Every format x kind of column x kind of learner, with the options of training dealt out
in turn. Three processes a case: one is never interrupted; one is killed, by SIGKILL,
some batches after it wrote a checkpoint; one resumes. A case counts if the second one
was really killed in the middle: it ended by signal 9, left a checkpoint of fewer rounds
than there are, and no model. It passes if both models have the same bits, and both
commands said the same.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))

import resume_cases as cases

ROOT = Path(__file__).parents[1]
CHILD = "--train"


def main() -> int:
    """Run the cases; print how many gave the same bits, and those that did not."""
    if CHILD in sys.argv:
        return train(sys.argv[sys.argv.index(CHILD) + 1 :])
    arguments = parse()
    chosen = cases.all_cases()
    random.Random(arguments.seed).shuffle(chosen)
    chosen = chosen[: arguments.cases]
    began = time.perf_counter()
    with ThreadPoolExecutor(arguments.workers) as pool:
        found = list(pool.map(tried, chosen, range(len(chosen))))
    for case, what in zip(chosen, found, strict=True):
        if what != SAME:
            print(f"{' | '.join(case)}: {what}")
    counts = Counter(found)
    killed = len(found) - counts[MISSED]
    print(
        f"{len(chosen)} cases, {killed} killed in the middle by SIGKILL: "
        f"{counts[SAME]} of {killed} the same bits, "
        f"in {time.perf_counter() - began:.0f} s"
    )
    return 0 if counts[SAME] == len(chosen) else 1


SAME = "the same bits"
MISSED = "it was not interrupted"


def tried(case: cases.Case, number: int) -> str:
    """What came of a case."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        case.write(folder)
        straight = started(folder, "0", *case.arguments("s"), "--json")
        if straight.returncode:
            return f"it cannot be trained: {straight.stderr.strip()}"
        saving = ["--checkpoint", "c.ck", "--every", cases.EVERY]
        # Killed so many batches after the first checkpoint.
        more = str(1 + random.Random(number).randrange(5))
        killed = started(folder, more, *case.arguments("r"), *saving)
        whole = json.loads(straight.stdout)
        if not really_killed(folder, killed, whole["rows"]):
            return MISSED
        asked = ["-p", "r.txt"] if case.way == "predictions" else []
        resumed = started(
            folder, "0", "--resume", "c.ck", "-o", "r.rgl", *asked, "--json"
        )
        if resumed.returncode:
            return f"it cannot be resumed: {resumed.stderr.strip()}"
        return compared(folder, whole, json.loads(resumed.stdout))


def started(folder: Path, kill: str, *arguments: str) -> Any:
    """Train in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.resume", CHILD, kill, *arguments]
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
    )


def train(arguments: list[str]) -> int:
    """``regretless train`` in small batches; killed after a checkpoint, if asked."""
    from regretless.cli import main as regretless
    from regretless.data import lines
    from regretless.data.formats import arrow_ipc, npz, parquet
    from regretless.runs import watchers

    lines.BLOCK = cases.BLOCK
    for module in (arrow_ipc, npz, parquet):
        module.ROWS = cases.BATCH
    left = int(arguments[0])
    if left:
        after = watchers.Checkpointer.after

        def killing(self: Any, *given: Any) -> None:
            nonlocal left
            after(self, *given)
            left -= Path("c.ck").exists()
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

        watchers.Checkpointer.after = killing
    return regretless(["train", *arguments[1:]])


def really_killed(folder: Path, process: Any, rows: int) -> bool:
    """Whether a process was killed between a checkpoint and the end."""
    from regretless.runs.checkpoints import read_checkpoint

    left = process.returncode == -signal.SIGKILL and not (folder / "r.rgl").exists()
    path = folder / "c.ck"
    return left and path.exists() and 0 < read_checkpoint(path).rounds < rows


def compared(folder: Path, straight: dict[str, Any], resumed: dict[str, Any]) -> str:
    """Compare two trainings: what was said, the models, the predictions."""
    for said in (straight, resumed):
        for name in ("seconds", "seconds_learning"):
            del said[name]
        said["model"]["path"] = ""
    if straight != resumed:
        names = [name for name in straight if straight[name] != resumed.get(name)]
        return f"{', '.join(names)} differ"
    if cases.model_bits(folder / "s.rgl") != cases.model_bits(folder / "r.rgl"):
        return "the models differ"
    texts = [folder / f"{name}.txt" for name in "sr"]
    if texts[0].exists() and texts[0].read_bytes() != texts[1].read_bytes():
        return "the predictions differ"
    return SAME


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resume")
    parser.add_argument("--cases", type=int, default=200, metavar="N")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
