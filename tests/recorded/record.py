"""Record runs again, on purpose: `python tests/recorded/record.py [NAME ...]`.

Without names, all that are not recorded yet. Say in the commit why a run changed.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

TESTS = Path(__file__).resolve().parents[1]
sys.path[:1] = [str(TESTS), str(TESTS / "support")]

from recorded.runs import RUNS, files  # noqa: E402
from regretless.engine.machine.level import level  # noqa: E402

EXPECTED = Path(__file__).resolve().parent / "expected.json"
LEVEL = "x86-64-v3"

if __name__ == "__main__":
    if level() != LEVEL:
        raise SystemExit(f"runs are recorded on {LEVEL}; this machine is {level()}")
    kept = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    names = sys.argv[1:] or [name for name in RUNS if name not in kept]
    if unknown := set(names) - set(RUNS):
        raise SystemExit(f"no such run: {', '.join(sorted(unknown))}")
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        files(Path(folder))
        kept |= {name: RUNS[name]() for name in names}
    order = (f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in RUNS)
    EXPECTED.write_text("{\n" + ",\n".join(order) + "\n}\n")
    print("recorded:", ", ".join(names) or "nothing new")
