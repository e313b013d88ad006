"""The rows of a game as its learner saw them: what its comparators are judged on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...data import Batch, Source
from ...data.batch import SourceView
from ...engine.kernels.compiled import entry
from ...engine.kernels.views import view_rows
from ...parts.part_types import View
from ...parts.rows import longest_of
from ...parts.state import Floats
from ...parts.views import AsIs, Viewed
from ..played_run import ComposedLearner


def seen_by(learner: ComposedLearner, source: Source) -> Source:
    """The same rows, divided by the running scales that `learner` divides them by."""
    view = learner.composition(learner.n_features or 2).view
    return source if isinstance(view, AsIs) else SeenSource(view, source)


class SeenSource(SourceView):
    """Rows seen through a view, from the first row on whenever they are read."""

    n_rows: int | None

    def __init__(self, view: View, source: Source) -> None:
        super().__init__(source)
        self._view = view

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        seen = np.zeros(0)
        for batch in self._source.batches():
            seen = _grown(seen, batch.n_features * self._view.width)
            rows = batch.rows
            out = np.zeros(rows.values.size)
            viewed = Viewed(self._view, rows, seen, np.zeros(longest_of(rows)))
            arguments = (viewed, batch.targets.size, out)
            entry(view_rows, arguments)(*arguments)
            yield batch._replace(rows=rows._replace(values=out))


def _grown(seen: Floats, size: int) -> Floats:
    if size <= seen.size:
        return seen
    larger = np.zeros(max(size, 2 * seen.size))
    larger[: seen.size] = seen
    return larger
