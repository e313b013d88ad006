"""``python -m benchmarks.outputs``: every output of every command under every fault.

Full disks, limits of files, pipes without a reader, processes that are killed while
they write; Python buffered and not. Printed is what happened: "refused" is another exit
code than 0, one line, and a file that was there as it was. A cut output with exit code
0, or a file that is gone, is LOST. Where no disk can be mounted, it is left out.
"""

from __future__ import annotations

import collections
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

import faulty_outputs as faulty
from command_files import FORECASTS, rows
from regretless.cli import main as command

__all__ = ["main"]


def main() -> int:
    """Print the table; the exit code is 1 where anything was lost."""
    began = time.perf_counter()
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder, small = Path(name) / "work", Path(name) / "small"
        folder.mkdir()
        small.mkdir()
        (folder / "a.svm").write_text("".join(rows(1500, seed=1)))
        (folder / "f.csv").write_text(FORECASTS)
        data, model = (str(folder / one) for one in ("a.svm", "m.rgl"))
        command(["train", data, "-l", "perceptron", "-o", model, "--quiet"])
        for flag in ("", "-u"):
            names = [*faulty.STREAMS, *(() if flag else faulty.FILES)]
            found: dict[str, dict[str, str]] = {}
            with faulty.full_disk(small) as disk:
                made = faulty.outcomes(folder, names, unbuffered=bool(flag), disk=disk)
                for output, fault, outcome in made:
                    found.setdefault(output, {})[fault] = outcome
                    counts[outcome.partition(":")[0]] += 1
            for output, outcomes in found.items():
                cells = "  ".join(f"{one} {what}" for one, what in outcomes.items())
                print(f"{output:22} {'python -u' if flag else '':9} {cells}")
    told = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
    print(f"{told}, in {time.perf_counter() - began:.0f} s")
    return 1 if counts["LOST"] else 0


if __name__ == "__main__":
    sys.exit(main())
