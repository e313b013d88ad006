"""The way of one row: the functions it passes from the file to the model file.

``python -m benchmarks.hops`` trains on one row with ``train -o`` and watches five
moments: the row is parsed, played, entered in the ledger, put into a model, and the
file is replaced. Each moment has a stack of functions of ours. A function counts once,
where it is met first.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import regretless
from regretless.cli import main

PACKAGE = f"{Path(regretless.__file__).parent}/"
# The last function of each moment, by the folder or file that it lives in.
MOMENTS = {
    "parse": "data/formats/",
    "play": "engine/players/",
    "ledger": "engine/players/",
    "model_of": "models/",
    "commit": "engine/storage/atomic.py",
}


def chain(learner: str = "perceptron") -> list[tuple[str, str]]:
    """Every function on the way, as (file, name), in the order of the way."""
    found: dict[str, list[CodeType]] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_name not in MOMENTS:
            return
        home = code.co_filename.removeprefix(PACKAGE)
        if home.startswith(MOMENTS[code.co_name]):
            found[code.co_name] = stack(frame)

    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "one.csv")
        data.write_text("label,a,b\n1,0.5,-1\n-1,2,3\n")
        words = ["train", str(data), "-l", learner, "-o", f"{folder}/m.rgl", "--quiet"]
        main(words)  # so that nothing is imported or compiled on the way
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            main(words)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    way = dict.fromkeys(code for name in MOMENTS for code in found.get(name, []))
    return [(code.co_filename.removeprefix(PACKAGE), code.co_qualname) for code in way]


def stack(frame: FrameType | None) -> list[CodeType]:
    """Our functions from the outermost to this one, without comprehensions."""
    codes: list[CodeType] = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<"):
            codes.append(code)
        frame = frame.f_back
    return codes[::-1]


if __name__ == "__main__":
    way = chain(*sys.argv[1:])
    for number, (home, name) in enumerate(way, start=1):
        print(f"{number:3}  {home:40}  {name}")
    print(f"\n{len(way)} functions in {len({home for home, _ in way})} files")
