"""``python -m benchmarks.classes_memory``: panels of many classes, memory and time.

First ``regretless train -o`` on 1,500 made-up texts of 18 words, which are hashed to
2^18 columns: seconds, processor time and the most memory that the command held. Then
what a row of 20 numbers costs once all classes have come, on one thread. Machine code
is compiled before anything is measured.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import regretless as rg
from regretless.parts.rows import Dense, some_rows

ROWS, WORDS, VOCABULARY = 1500, (12, 6), 5000
TEXT_CLASSES = (12, 40, 100, 400)
ROW_CLASSES = (10, 100, 1_000, 10_000)
WIDTH, WARM = 20, 64
ENTRIES = 2_000_000  # rows times classes that are measured


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classes_memory")
    parser.add_argument("--most", type=int, default=10_000, help="classes")
    most = parser.parse_args().most
    print("| texts of K classes | seconds | processor | memory |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.csv"
        write_texts(path, TEXT_CLASSES[0])
        trained(path)  # compiles
        for classes in TEXT_CLASSES:
            if classes <= most:
                write_texts(path, classes)
                seconds, processor, memory = trained(path)
                cells = f"{seconds:.1f} | {processor:.1f} | {memory / 1e6:,.0f} MB"
                print(f"| {classes} | {cells} |", flush=True)
    print("\n| 20 numbers, K classes | us a row | ns a row and class |")
    print("|---|---|---|")
    for classes in ROW_CLASSES:
        if classes <= most:
            row = time_of_row(classes)
            each = 1e9 * row / classes
            print(f"| {classes:,} | {1e6 * row:,.0f} | {each:,.0f} |", flush=True)


def write_texts(path: Path, classes: int) -> None:
    """Texts whose words are common to all, or those of their class."""
    rng = np.random.default_rng(0)
    shares = 1.0 / np.arange(1, VOCABULARY + 1)
    shares /= shares.sum()
    own = [rng.permutation(VOCABULARY) for _ in range(classes)]
    lines = ["text,label"]
    for label in rng.integers(0, classes, ROWS).tolist():
        common, other = (rng.choice(VOCABULARY, n, p=shares) for n in WORDS)
        words = np.r_[common, own[label][other]].tolist()
        lines.append(" ".join(f"w{word}" for word in words) + f",class{label}")
    path.write_text("\n".join(lines) + "\n")


def trained(path: Path) -> tuple[float, float, float]:
    """The seconds of ``train``, those of the processor, and the most bytes it held."""
    command = [sys.executable, "-m", "regretless", "train", str(path), "--text", "text"]
    return measured([*command, "-o", str(path.with_suffix(".rgl"))])


def measured(command: list[str]) -> tuple[float, float, float]:
    """The seconds of a command, those of the processor, and the most bytes it held."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: it failed")
    seconds = time.perf_counter() - began
    held = 1024.0 * usage.ru_maxrss  # kilobytes, on Linux
    return seconds, usage.ru_utime + usage.ru_stime, held


def time_of_row(classes: int) -> float:
    """The processor's seconds for a row, when all classes have come."""
    n = max(64, ENTRIES // classes)
    rng = np.random.default_rng(0)
    rows = Dense(rng.normal(size=(WARM + n) * WIDTH), WIDTH)
    labels = rng.integers(0, classes, WARM + n).astype(float)
    player = rg.OneVersusRest(rg.Panel()).player(WIDTH)
    player.threads = 1
    player.admit(classes)
    player.play(some_rows(rows, 0, WARM), labels[:WARM])
    began = time.process_time()
    player.play(some_rows(rows, WARM, WARM + n), labels[WARM:])
    return (time.process_time() - began) / n


if __name__ == "__main__":
    main()
