"""``python -m benchmarks.mutated [--inputs N] [FORMAT ...]``: files that went wrong.

CSV, JSON lines, Parquet, Arrow, npz and our own converted files, mutated at
random. Each is either refused in one line that names it, or read as pandas, json,
pyarrow, or NumPy and scipy read it (a converted file: as its source is). Models,
states, checkpoints, learners and mixtures are changed and signed again
(``resigned_files`` of the tests): each is refused in one line, or used without harm.
All are read in processes of their own, so that a crash or a hang is seen; where the
peer alone crashes on a file, too, that is reported apart.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

sys.path += [
    str(Path(__file__).parents[1] / "tests" / "support"),
    str(Path(__file__).parents[1] / "tests"),
]

import file_forms
import flips
import mutated_files
import resigned_files

RESIGNED = resigned_files.SORTS
FORMATS = (*mutated_files.MAKE, "converted", *RESIGNED)
BLOCK = 2000  # inputs a process
PATIENCE = 10  # seconds an input may take
COMPILING = 120  # seconds where something is compiled
SHOWN = 10  # differences that are shown


def main() -> int:
    """Read mutated files until the inputs are used up."""
    arguments = command_line()
    if arguments.peer:
        return peer(arguments.formats[0], Path(arguments.folder))
    if arguments.folder:
        return block(arguments)
    bad = 0
    for kind in arguments.formats:
        began = time.perf_counter()
        begins = range(0, arguments.inputs, BLOCK)
        with ThreadPoolExecutor(arguments.workers) as pool:
            parts = [
                pool.submit(supervised, kind, k, min(k + BLOCK, arguments.inputs))
                for k in begins
            ]
            counts = sum((part.result() for part in parts), collections.Counter[str]())
        seconds = time.perf_counter() - began
        wrong = sum(counts[what] for what in ("crash", "hang", "difference"))
        told = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
        verdict = "0 crashes, 0 hangs, 0 differences" if not wrong else "BAD"
        print(
            f"{kind}: {arguments.inputs:,} inputs in {seconds:.0f} s: {told}: {verdict}"
        )
        bad += wrong
    return int(bad > 0)


def command_line() -> argparse.Namespace:
    """What to try."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutated")
    parser.add_argument("formats", nargs="*", default=list(FORMATS), metavar="FORMAT")
    parser.add_argument("--inputs", type=int, default=100_000, metavar="N")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--begin", type=int, default=0, metavar="K")
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="SECONDS")
    parser.add_argument("--folder", help="in this process, with files in this folder")
    parser.add_argument("--peer", action="store_true", help="let the peer read alone")
    found = parser.parse_args()
    for kind in found.formats:
        if kind not in FORMATS:
            parser.error(f"{kind}: one of {', '.join(FORMATS)}")
    return found


def supervised(kind: str, begin: int, end: int) -> collections.Counter[str]:
    """The inputs from `begin` to `end`, each read, whatever becomes of the process."""
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="regretless-mutated-") as folder:
        while begin < end:
            ended = started(kind, folder, begin, end)
            for line in ended.stdout.splitlines():
                what, _, count = line.rpartition(" ")
                counts[what] += int(count)
            if ended.returncode == 0:
                print(ended.stderr, end="", file=sys.stderr)
                break
            if not (Path(folder) / "number").exists():
                raise RuntimeError(f"{kind}: nothing to mutate:\n{ended.stderr}")
            at = int((Path(folder) / "number").read_text())
            begin = at + 1
            what = "hang" if "Timeout" in ended.stderr else "crash"
            if what == "hang" and kind in RESIGNED:
                # A made-up learner may need machine code: it is compiled once.
                more = ("--patience", str(COMPILING))
                again = started(kind, folder, at, at + 1, *more)
                if again.returncode == 0:
                    print(again.stderr, end="", file=sys.stderr)
                    counts[again.stdout.rpartition(" ")[0]] += 1
                    continue
            if what == "crash" and kind in mutated_files.MAKE:
                alone = started(kind, folder, begin, end, "--peer")
                if alone.returncode < 0:
                    name = signal.Signals(-alone.returncode).name
                    what = f"crash of the peer itself ({name})"
            counts[what] += 1
            print(f"{kind} {at}: {what}\n{ended.stderr[-1500:]}", file=sys.stderr)
    return counts


def started(kind: str, folder: str, begin: int, end: int, *more: str) -> Any:
    """Read in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.mutated", kind, "--folder", folder]
    numbers = ["--begin", str(begin), "--inputs", str(end)]
    return subprocess.run(
        [*command, *numbers, *more], capture_output=True, check=False, text=True
    )


def block(arguments: argparse.Namespace) -> int:
    """Read some inputs here; print what became of them."""
    kind, folder = arguments.formats[0], Path(arguments.folder)
    warnings.simplefilter("ignore")
    targets: list[Any] = converted_files(folder) if kind == "converted" else []
    if kind in RESIGNED:
        targets = resigned_files.made(kind, folder)
    differences = 0
    for number in range(arguments.begin, arguments.inputs):
        (folder / "number").write_text(str(number))
        faulthandler.dump_traceback_later(arguments.patience, exit=True)
        try:
            found = tried(kind, folder, number, targets)
        except AssertionError as error:
            found = "difference"
            differences += 1
            if differences <= SHOWN:
                print(f"{kind} {number}: {error}", file=sys.stderr, flush=True)
        except Exception as error:
            found = "difference"
            print(f"{kind} {number}: {error!r}", file=sys.stderr, flush=True)
        faulthandler.cancel_dump_traceback_later()
        print(found, 1, flush=True)  # whatever becomes of the process
    return 0


def tried(kind: str, folder: Path, number: int, targets: list[Any]) -> str:
    """What became of one input."""
    if kind == "converted":
        dice = random.Random(number)
        target = dice.choice(targets)
        data = mutated_files.mutate(target.whole, dice, text=False)
        if dice.random() < 0.5:
            data = target.damaged(dice)
        return target.check(data)
    if kind in RESIGNED:
        made = resigned_files.drawn(targets, number)
        return resigned_files.check(*made, folder / "a.rgl")
    path = folder / f"a.{kind}"
    data = mutated_files.made(kind, number)
    path.write_bytes(data)
    return mutated_files.check(kind, path, data)


def converted_files(folder: Path) -> list[Any]:
    """Converted files of all kinds of rows."""
    table = file_forms.table(np.random.default_rng(0), rows=120)
    return [flips.Target(path, how) for path, how in flips.files(folder, table)]


def peer(kind: str, folder: Path) -> int:
    """Let the peer alone read the file that ended a process."""
    data = (folder / f"a.{kind}").read_bytes()
    mutated_files.read_alone(kind, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
