"""``python -m benchmarks.wide``: CSV tables of very many columns, read once.

The time is to grow with the number of fields, not with the square of the columns.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from regretless.data.file_source import FileSource

ROWS = 100


def main() -> int:
    """Print a line for each width."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wide")
    parser.add_argument("columns", type=int, nargs="*")
    with tempfile.TemporaryDirectory() as folder:
        for n in parser.parse_args().columns or [25_000, 50_000, 100_000]:
            path = Path(folder) / f"{n}.csv"
            write(path, n)
            wall, cpu = time.perf_counter(), time.process_time()
            source = FileSource(str(path), None, binary=True)
            rows = sum(batch.targets.size for batch in source.batches())
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            size = path.stat().st_size / 1e6
            print(
                f"{n:>7,} columns x {rows} rows ({size:.0f} MB): {wall:.2f} s, "
                f"{cpu:.2f} s of CPU"
            )
            path.unlink()
    return 0


def write(path: Path, n: int) -> None:
    """A table of `n` columns of numbers and a label of words."""
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        file.write(f"label,{','.join(f'x{j}' for j in range(n))}\n")
        for i in range(ROWS):
            numbers = rng.integers(-5000, 5000, n) / 1000
            file.write(f"{'yes' if i % 2 else 'no'},{','.join(map(str, numbers))}\n")


if __name__ == "__main__":
    sys.exit(main())
