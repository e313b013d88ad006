"""Which rows of the input a batch stands for, and why the others are not in it.

A batch holds the rows that are played. Bad rows that were skipped and rows that were
sealed or held out are rows of the input as well: what writes one prediction a row
must know where they stood.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..parts.rows import Longs
from .chunk import Array, Chunk, Mask, Problem

SEALED = "sealed: reserved for the certificate"
HELD_OUT = "held out for the test"


class InputRows(NamedTuple):
    """The consecutive rows of the input that a batch was made from.

    Attributes
    ----------
    n : int
        How many.
    at : ndarray of int64
        The place of every row of the batch among them.
    ids : ndarray or None
        What all of them are called; None: not asked for, or none has a tag.
    reasons : dict
        Why the row at this place is not in the batch.
    """

    n: int
    at: Longs
    ids: Array | None
    reasons: dict[int, str]

    def without(self, held: Mask) -> InputRows:
        """The same where these rows of the batch, a mask, are held out."""
        left = dict.fromkeys(self.at[held].tolist(), HELD_OUT)
        return self._replace(at=self.at[~held], reasons=self.reasons | left)


def input_rows(chunk: Chunk, problems: list[Problem]) -> InputRows:
    """The rows of a chunk, of which the bad ones are `problems`, in the file's order.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.parts.rows import Dense
    >>> from regretless.data.chunk import Chunk, Problem
    >>> lines = np.array([2, 3, 6])
    >>> chunk = Chunk(Dense(np.zeros(3), 1), np.zeros(3), 1, lines, 6)
    >>> found = input_rows(chunk, [Problem(2, 5, "it has no label")])
    >>> found.n, found.at.tolist(), found.reasons
    (4, [0, 1, 3], {2: 'it has no label'})
    """
    lines, sealed_ids = chunk.sealed or (np.empty(0, np.int64), None)
    bad = np.array([problem.line for problem in problems], np.int64)
    order = np.argsort(np.concatenate([chunk.lines, bad, lines]), kind="stable")
    places: Longs = np.empty(order.size, np.int64)
    places[order] = np.arange(order.size)
    good, end = chunk.lines.size, chunk.lines.size + bad.size
    reasons = {
        place: problem.what
        for place, problem in zip(places[good:end].tolist(), problems, strict=True)
    }
    reasons |= dict.fromkeys(places[end:].tolist(), SEALED)
    called = [problem.called for problem in problems]
    ids = _together(chunk.tags, called, sealed_ids, (good, bad.size, lines.size))
    return InputRows(
        order.size, places[:good], None if ids is None else ids[order], reasons
    )


def _together(
    tags: Array | None,
    bad: list[object],
    sealed: Array | None,
    sizes: tuple[int, int, int],
) -> Array | None:
    """Ids of good, bad and sealed rows as one array; None where no row has any."""
    if tags is None and sealed is None and not any(bad):
        return None
    if tags is not None and sum(sizes) == sizes[0]:
        return tags
    return np.concatenate(
        [
            np.full(size, "", object) if part is None else np.asarray(part, object)
            for part, size in zip((tags, bad, sealed), sizes, strict=True)
        ]
    )
