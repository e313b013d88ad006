"""What the columns of a table look like while it is learned: ids, and ids that repeat.

Warnings are made of this at the end (:mod:`.cautions`).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..data.encoding.hash_index import WIDE
from ..engine.feature_names import numbered
from ..parts.rows import Dense

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..data import Batch, FileSource
    from ..parts.state import Floats

    Kinds: TypeAlias = tuple[tuple[str, str], ...]


ENOUGH = 100  # rows that a column is called an id by
CLOSE = 4.0  # times the rows: numbers that range no farther may be those of rows
CROWDED = 8  # features to a word that is looked at: few share one then
FEWEST, MOST = 20, 2**17  # values of a column of ids that repeat
OFTEN = (2.0, 1_000.0)  # rows of each of them
MEMBERS = (
    "user|customer|client|patient|subject|person|member|visitor|student|account|"
    "household|session|driver|device|machine|sensor|store|shop"
)
GROUP = re.compile(rf"(?:.*[\W_])?(?:(?:{MEMBERS})s?|[a-z]?id)|.*[a-z](?:Id|ID)")
MEMBER = re.compile(rf"(?:.*[\W_])?({MEMBERS})s?(?:[\W_]?id)?", re.IGNORECASE)


class SeenColumns:
    """A watcher that looks for columns like ids.

    Attributes
    ----------
    ids : tuple of str
        Columns whose numbers are whole and all different in the first batch.
    fresh : dict
        Of each column of words: how many different ones a row had, at the beginning.
    values : dict
        Of each column of whole numbers whose name is that of an id: how many different
        ones there were in all rows.
    """

    scored = False

    def __init__(self, source: FileSource | None = None) -> None:
        self._source = source
        self._places: dict[str, int] | None = None  # of the columns that are counted
        self._kept: dict[str, Floats] = {}
        self.ids: tuple[str, ...] = ()
        self.fresh: dict[str, float] = {}

    @property
    def values(self) -> dict[str, int]:
        """How many different numbers a column like ids has; those with too many not."""
        counts = {name: found.size for name, found in self._kept.items()}
        return {name: count for name, count in counts.items() if count <= MOST}

    def after(self, batch: Batch, scores: Floats | None, session: object) -> None:
        """Look at a batch: at all columns of the first one."""
        if self._source is None or not batch.targets.size:
            return
        if self._places is None:
            self._places = self._begin(batch, self._source)
        for name, j in self._places.items():
            known = self._kept.get(name, np.zeros(0))
            if known.size <= MOST:
                self._kept[name] = np.union1d(known, _column(batch, j))

    def _begin(self, first: Batch, source: FileSource) -> dict[str, int]:
        """Look at the first batch; the columns whose values are to be counted."""
        kinds: Kinds = tuple(getattr(source.options, "columns", None) or ())
        names = {j: str(name) for j, name in numbered(source.names, 0)}
        if first.targets.size < ENOUGH or not kinds:
            return {}
        words = {name for name, kind in kinds if kind == "word"}
        if words:
            room = 2 ** (source.options.bits or WIDE) // (CROWDED * len(words))
            self.fresh = _fresh(first, names, words, max(ENOUGH, room))
        numbers = {name for name, kind in kinds if kind == "number"}
        columns = {
            name: _column(first, j) for j, name in names.items() if name in numbers
        }
        self.ids = tuple(name for name in columns if _like_ids(columns[name]))
        return {
            name: j
            for j, name in names.items()
            if name in columns
            and name not in self.ids
            and GROUP.fullmatch(name)
            and _whole(columns[name])
        }

    def last(self, session: object) -> None:
        """Nothing is left to do."""


def group_column(counts: Mapping[str, int], rows: int) -> str | None:
    """The column that rows belong together by: members first, then the most values."""
    found = [
        name
        for name, count in counts.items()
        if GROUP.fullmatch(name)
        and count >= FEWEST
        and OFTEN[0] <= rows / count <= OFTEN[1]
    ]
    order = [(MEMBER.fullmatch(name) is not None, counts[name]) for name in found]
    return found[order.index(max(order))] if found else None


def members_of(name: str) -> str:
    """What the values of a column are called: "users" of ``user_id``.

    Examples
    --------
    >>> members_of("user_id"), members_of("Patient"), members_of("pid")
    ('users', 'patients', 'values of it')
    """
    found = MEMBER.fullmatch(name)
    return "values of it" if found is None else f"{found[1].lower()}s"


def _column(batch: Batch, j: int) -> Floats:
    """The numbers of a column in a batch."""
    rows, n = batch.rows, batch.targets.size
    if isinstance(rows, Dense):
        return rows.values.reshape(n, rows.width)[:, j]
    first, last = rows.starts[0], rows.starts[-1]
    at = first + np.flatnonzero(rows.columns[first:last] == j)
    values = np.zeros(n)  # zeros are not stored
    values[np.searchsorted(rows.starts, at, "right") - 1] = rows.values[at]
    return values


def _fresh(
    batch: Batch, names: Mapping[int, str], words: set[str], most: int
) -> dict[str, float]:
    """How many different words of each column a row has, among the first so many."""
    rows, n = batch.rows, min(batch.targets.size, most)
    if isinstance(rows, Dense):
        return {}
    met = np.unique(rows.columns[rows.starts[0] : rows.starts[n]]).tolist()
    columns = (names.get(j, "").partition("=")[0] for j in met)
    counts = Counter(name for name in columns if name in words)
    return {name: count / n for name, count in counts.items()}


def _whole(values: Floats) -> bool:
    return bool((values == np.floor(values)).all())


def _like_ids(values: Floats) -> bool:
    """Whether numbers are whole, all different, and in order or close together."""
    if not _whole(values):
        return False
    steps = np.diff(np.sort(values))
    if not (steps > 0.0).all():
        return False
    rising = np.diff(values) > 0.0
    return bool(rising.all() or (~rising).all() or steps.sum() <= CLOSE * values.size)
