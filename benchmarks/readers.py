"""``python -m benchmarks.readers FILE...``: how fast files are read, by threads."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from regretless.data import FileSource, ReadOptions


def main() -> int:
    """Read each file three times with 0, 1 and 2 threads; show the best."""
    print(f"{'file':28} threads   MB/s  Mrows/s  Mvalues/s")
    for name in sys.argv[1:]:
        for threads in (0, 1, 2):
            seconds, rows, values = min(once(name, threads) for _ in range(3))
            size = Path(name).stat().st_size
            rates = size / seconds / 1e6, rows / seconds / 1e6, values / seconds / 1e6
            print(
                f"{Path(name).name:28} {threads:7} {rates[0]:6.0f} {rates[1]:8.2f} "
                f"{rates[2]:10.1f}"
            )
    return 0


def once(name: str, threads: int) -> tuple[float, int, int]:
    """Seconds, rows and values of one pass."""
    source = FileSource(name, ReadOptions(threads=threads), binary=True)
    began = time.perf_counter()
    rows = values = 0
    for batch in source.batches():
        if batch.failure is not None:
            raise batch.failure
        rows += batch.targets.size
        values += batch.rows.values.size
    return time.perf_counter() - began, rows, values


if __name__ == "__main__":
    raise SystemExit(main())
