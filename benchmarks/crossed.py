"""``python -m benchmarks.crossed FOLDER``: what two interactions are worth, and cost.

FOLDER holds a click log in which a click depends on the advertiser within a category of
pages, and on the device in a slot: ``first.csv`` to learn from and ``later.csv`` to
predict, and both as Vowpal Wabbit's text, where the four are parts of namespaces.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

READ = "--label clicked --ignore impression_id --text query"
WORDS = ("advertiser_id", "campaign_id", "creative_id", "slot")
PAIRS = ("advertiser_id*page_cat", "device*slot")
NAMESPACES = ("as", "ds")
OURS = (sys.executable, "-m", "regretless")
THEIRS = (sys.executable, "-m", "vowpalwabbit")
LOGISTIC = "--loss_function logistic --link logistic --quiet --no_stdin"


def main() -> int:
    """Print AUC on later rows, with and without; then memory and CPU of VW text."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crossed")
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    words = [part for name in WORDS for part in ("--categorical", name)]
    read = [*READ.split(), *words]
    with tempfile.TemporaryDirectory() as made:
        model = str(Path(made) / "m.rgl")
        for title, pairs in (("no pairs", ()), ("two pairs", PAIRS)):
            crossed = [part for pair in pairs for part in ("--interactions", pair)]
            first, later = folder / "first.csv", folder / "later.csv"
            train = [*OURS, "train", str(first), "-b", "22", "-o", model, "--json"]
            _, memory, seconds = taken([*train, *read, *crossed])
            predict = [*OURS, "predict", model, str(later), "-o", os.devnull, "--json"]
            told = json.loads(taken(predict)[0])
            print(
                f"CSV, {title:>9}: AUC {auc_of(told):.4f} on later rows; learned in "
                f"{seconds:.2f} s of CPU, {memory:.0f} MB"
            )
        for bits in ("18", "22"):
            for title, pairs in (("no pairs", ()), ("two pairs", NAMESPACES)):
                crossed = [part for pair in pairs for part in ("-q", pair)]
                rest = [str(folder / "first.vw"), "-b", bits, *crossed]
                ours = taken([*OURS, "train", *rest, "-o", model, "--json"])
                line = f"VW text, -b {bits}, {title:>9}: {ours[2]:.2f} s of CPU, "
                line += f"{ours[1]:.0f} MB"
                try:
                    vw = [*THEIRS, "-d", *rest, *LOGISTIC.split(), "-f", f"{made}/m.vw"]
                    theirs = taken(vw)
                    line += f"; vw {theirs[2]:.2f} s, {theirs[1]:.0f} MB: "
                    line += f"{ours[2] / theirs[2]:.1f} and {ours[1] / theirs[1]:.1f}"
                    line += " times as much"
                except subprocess.CalledProcessError:
                    line += "; vowpalwabbit is not installed"
                print(line)
    return 0


def taken(command: list[str]) -> tuple[str, float, float]:
    """What a command prints, its peak memory in MB and its CPU time in seconds."""
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(command, stdout=told, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        told.seek(0)
        return told.read(), used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


def auc_of(document: Any) -> float:
    """The AUC that ``predict --json`` says."""
    return document["metrics"]["auc"]


if __name__ == "__main__":
    sys.exit(main())
