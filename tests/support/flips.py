"""Files of parsed rows with some bits flipped, and what is read from them.

What is read from a damaged file is either what was read from the whole one, or an error
that names the file. Shared by the tests and by ``benchmarks/flips.py``.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np

from file_forms import FORMS, opened


def words_and_weights(rows: int) -> bytes:
    """A table with words, a weight, labels that are words, and missing entries."""
    lines = ["label,w,city,x"]
    for i in range(rows):
        city = ("ulm", "bonn", "", "köln")[i % 4]
        lines.append(f"{('no', 'yes')[i % 3 == 0]},{1 + i % 2},{city},{i % 7}")
    return "\n".join(lines).encode()


def files(folder: Path, table: Any) -> list[tuple[Path, dict[str, Any]]]:
    """One source of each kind of rows: sparse, dense, named as they come, and words."""
    made: list[tuple[Path, dict[str, Any]]] = []
    for name in ("a.svm", "a.csv", "a.jsonl", "a.vw"):
        (folder / name).write_bytes(FORMS[name](*table))
        made.append((folder / name, {}))
    (folder / "words.csv").write_bytes(words_and_weights(60))
    made.append((folder / "words.csv", {"weight": "w"}))
    return made


def rows_of(source: Any) -> list[Any]:
    """All that a learner would get, to the last bit."""
    found: list[Any] = []
    for batch in source.batches():
        if batch.failure is not None:
            raise batch.failure
        parts = (*batch.rows, batch.targets, batch.weights)
        found.append([np.asarray(part).tobytes() for part in parts])
        found.append(batch.n_features)
    return [*found, source.classes]


class Target:
    """A file of parsed rows that is damaged again and again.

    Parameters
    ----------
    path : Path
        The source.
    how : dict
        How it is read.
    """

    def __init__(self, path: Path, how: dict[str, Any]) -> None:
        from regretless.data.convert import convert_files
        from regretless.data.read_options import ReadOptions

        bits = {"bits": 8} if path.suffix == ".vw" else {}
        self.file = path.with_name(f"{path.name}.arrow")
        convert_files(str(path), str(self.file), ReadOptions(**how, **bits))
        self.whole = self.file.read_bytes()
        self.expected = rows_of(self.open())

    def open(self) -> Any:
        """The rows, as a learner is given them."""
        return opened(self.file, format="arrow")

    def damaged(self, dice: random.Random) -> bytes:
        """The file with a few bits flipped, anywhere or in its first or last page."""
        data = bytearray(self.whole)
        size = len(data)
        ranges = [(0, size), (0, min(size, 1024)), (max(0, size - 4096), size)]
        low, high = dice.choice(ranges)
        for _ in range(dice.choice((1, 1, 1, 2, 8))):
            at = dice.randrange(low, high)
            data[at] ^= 1 << dice.randrange(8)
        return bytes(data)

    def check(self, data: bytes) -> str:
        """What became of these bytes; AssertionError where rows differ silently."""
        self.file.write_bytes(data)
        try:
            found = rows_of(self.open())
        except ValueError as error:
            refused = str(error)
            assert self.file.name in refused, refused
            assert "\n" not in refused, refused
            return "refused"
        assert found == self.expected, "other rows, without a word"
        return "the same"
