"""What a session remembers of its rows: whatever is claimed about it asks here.

Hashes tell whether rows came before (:mod:`.fingerprints`); tests of the labels and of
|x| tell whether rows changed on the way (:mod:`.exchangeability`). Features made of
dates, and columns that only rise, are no part of |x|: time moves them, whatever the
rows are like.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import NamedTuple

import numpy as np

from ..data.encoding.dates import PARTS
from ..engine.feature_names import MetNames, Names, numbered
from ..engine.kernels.compiled import entry
from ..engine.kernels.row_lengths import row_lengths
from ..engine.storage import COUNTS, UNBOUNDED, Many, Sized, Stored, keep
from ..parts.rows import Dense, Longs, Sparse
from ..parts.state import Floats
from .exchangeability import Exchangeability
from .fingerprints import Fingerprints
from .rising_columns import RisingColumns

FIRST = 2**12  # rows whose |x| is tested; of later ones one in STRIDE
STRIDE = 32
RUNS, SORTED = 28, 10  # runs of labels by chance, and how many fewer they are
FEW = 10  # rows of a label that are expected in a shard, or it is not compared
DRAWN = 0x636C617373  # the seed of numbers for classes


class ShardLabels(NamedTuple):
    """Labels of class 1 in a shard, and its rows."""

    ones: int = 0
    rows: int = 0


class RowRecord(Stored):
    """The record of rows that were learned, in their order.

    Parameters
    ----------
    task : str
        "binary", "classes" or "real": what labels are.
    seen : Fingerprints or None
        Those of the model that the session started from.

    Attributes
    ----------
    tests : dict
        Of exchangeability, by what is tested.
    late : int
        Events whose label came after later events had been asked.
    drawn : int
        How many rows, the first ones, came in an order that was drawn for them: such
        rows do not change on the way.
    closed : bool
        Whether rows that come now are those of an earlier pass: they are not looked at.
    """

    kept = keep(
        *("seen", "tests", "closed", "_rising"),
        **dict.fromkeys(("late", "drawn", "_switches"), COUNTS),
        **dict.fromkeys(("_last", "_worst"), UNBOUNDED),
        shards=Many(ShardLabels, COUNTS),
        _dates=Sized("dates"),
    )

    def __init__(self, task: str = "binary", seen: Fingerprints | None = None) -> None:
        self.task = task
        self.seen = seen or Fingerprints()
        labels = "classes" if task == "classes" else "labels"
        self.tests = {
            labels: Exchangeability(0, flags=task == "binary"),
            "|x|": Exchangeability(1),
        }
        self.shards: list[ShardLabels] = []
        self.late = 0
        self.drawn = 0
        self._switches, self._last = 0, math.inf  # of labels from row to row
        self._worst = 0.0  # of the neighbors in shards
        self.closed = False
        self._dates = np.zeros(0, np.int64)  # features that are made of them
        self._rising = RisingColumns()

    @property
    def rows(self) -> int:
        """How many rows were learned."""
        return self.seen.rows

    def begin_file(self, digest: str | None = None) -> None:
        """Another file begins, which has this digest."""
        if not self.closed:
            self.seen.begin_file(digest)

    def leave_out(self, names: Names | None) -> None:
        """Leave the features that are made of dates out of |x|."""
        if not self.rows:
            if isinstance(names, MetNames):
                names = names[: names.first]  # those that are hashed are words
            self._dates = np.array(_dates(dict(numbered(names, 0))), np.int64)

    def feed(self, rows: Dense | Sparse, targets: Floats) -> Longs:
        """Remember rows, and test them; what :meth:`Fingerprints.feed` found."""
        if self.closed:
            return np.zeros((0, 2), np.int64)
        self.feed_labels(targets)
        self.feed_lengths(rows, targets.size, _chosen(self.rows, targets.size))
        return self.seen.feed(rows, targets.size)

    def feed_labels(self, targets: Floats) -> None:
        """Test some more labels."""
        if self.task != "real" and targets.size:
            before = np.concatenate([[self._last], targets[:-1]])
            self._switches += int(np.count_nonzero(targets != before))
            self._last = float(targets[-1])
        if self.task == "classes":
            self.tests["classes"].feed(_drawn(targets))
        else:
            self.tests["labels"].feed(targets)

    @property
    def neighbors(self) -> float:
        """How many standard deviations more labels equal the one before than by chance.

        Of two classes: S changes of label among n rows, n p of one, are 2 n p (1 - p)
        in the mean of all orders.
        """
        if self.task != "binary" or self.shards:
            return self._worst
        ones, rows = next(iter(self.tests.values())).ones
        usual = 2.0 * ones * (rows - ones) / max(rows, 1)
        if usual < RUNS:
            return 0.0
        noise = math.sqrt(usual * max(usual - 1.0, 1.0) / (rows - 1.0))
        return (usual - (self._switches - 1)) / noise

    @property
    def by_label(self) -> bool:
        """Whether labels of two classes come in far longer runs than by chance."""
        if self.task != "binary" or self.shards:
            return False
        ones, rows = next(iter(self.tests.values())).ones
        usual = 2.0 * ones * (rows - ones) / max(rows, 1)
        return usual >= RUNS and self._switches <= usual / SORTED

    def feed_lengths(self, rows: Dense | Sparse, n: int, chosen: Longs) -> None:
        """Test |x| of those of `n` rows that are `chosen`, but for the first ones."""
        chosen = chosen[chosen >= self._rising.look(rows, n)]
        if chosen.size:
            left_out = np.concatenate([self._dates, self._rising.found])
            lengths = np.empty(chosen.size)
            arguments = (rows, chosen, left_out, lengths)
            entry(row_lengths, arguments, typed_by=rows)(*arguments)
            self.tests["|x|"].feed(np.nan_to_num(lengths))

    def join(self, later: RowRecord) -> None:
        """Take in the record of another shard, whose rows come after these.

        Of each test the one with the most evidence counts, for its share of all.
        """
        if later.rows:
            for name, test in later.tests.items():
                if not self.rows or test.evidence > self.tests[name].evidence:
                    self.tests[name] = test.copy()
            self._worst = max(self._worst, later.neighbors)
            ones, rows = later.tests[next(iter(later.tests))].ones
            self.shards.append(ShardLabels(ones, rows))
            self.seen.join(later.seen)

    def between_shards(self) -> float:
        """Evidence that labels of two classes differ from shard to shard.

        The largest deviation z of a shard's share of a label from that of all, as
        exp(z^2/4)/2 over the number of shards, of those that are large enough.
        """
        if len(self.shards) < 2 or self.task != "binary":
            return 0.0
        ones, rows = np.array(self.shards, np.float64).T
        share = ones.sum() / rows.sum()
        enough = rows * min(share, 1.0 - share) >= FEW
        ones, rows = ones[enough], rows[enough]
        if rows.size < 2:
            return 0.0
        noise = share * (1.0 - share) * (1.0 / rows - 1.0 / rows.sum())
        z = np.abs(ones / rows - share) / np.sqrt(np.maximum(noise, 1e-300))
        largest = float(z.max()) if share * (1.0 - share) > 0.0 else 0.0
        return 0.5 * math.exp(min(largest * largest / 4.0, 700.0)) / len(self.shards)


def _drawn(classes: Floats) -> Floats:
    """A number for each class, drawn at random, in place of its own.

    Classes are numbered as they appear, so their numbers grow at first whatever the
    order of the rows is. Numbers that are drawn for them say nothing about it.
    """
    numbers = classes.astype(np.int64)
    rng = np.random.default_rng(DRAWN)
    return rng.random(int(numbers.max(initial=0)) + 1)[numbers]


def _chosen(first: int, n: int) -> Longs:
    """Which of `n` rows, the first of which has this number, have their |x| tested."""
    early = np.arange(min(n, max(0, FIRST - first)))
    begin = max(first, FIRST)
    begin += -begin % STRIDE
    return np.concatenate([early, np.arange(begin, first + n, STRIDE) - first])


def _dates(names: Mapping[int, Hashable]) -> list[int]:
    """The features that are made of dates, by their names."""
    texts = {j: name for j, name in names.items() if isinstance(name, str)}
    dates = {
        name.removesuffix(end)
        for name in texts.values()
        for end in PARTS[1:]
        if name.endswith(end)
    }
    parts = {f"{date}{part}" for date in dates for part in PARTS}
    return [j for j, name in texts.items() if name in parts]
