"""Few rows are read once; many are read again, and none is lost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from regretless.data import Batch, open_source
from regretless.evidence.hindsight import remembered
from regretless.evidence.hindsight.remembered import Remembered, size_of


class Counted:
    """Two batches, and how often they were read."""

    n_features = 2

    def __init__(self) -> None:
        self.read = 0

    def batches(self) -> Iterator[Batch]:
        self.read += 1
        for begin in (0, 3):
            rows = np.arange(begin, begin + 6.0).reshape(3, 2)
            yield from open_source(rows, [1, -1, 1], binary=True).batches()


@pytest.mark.parametrize(("spare", "reads"), [(0, 1), (-1, 3)])
def test_rows_are_kept_if_they_fit(
    spare: int, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Counted()
    expected = list(Counted().batches())
    size = sum(size_of(batch.rows) for batch in expected)
    monkeypatch.setattr(remembered, "FEW", size + spare)
    kept = Remembered(source)
    assert kept.n_features == 2
    for _ in range(3):
        found = list(kept.batches())
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one.rows.values, other.rows.values)
            np.testing.assert_array_equal(one.targets, other.targets)
    assert source.read == reads


def test_rows_that_were_not_read_to_the_end_are_not_kept() -> None:
    source = Counted()
    kept = Remembered(source)
    next(kept.batches())
    assert len(list(kept.batches())) == 2
    assert source.read == 2
