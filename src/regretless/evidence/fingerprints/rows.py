"""Have these rows been learned before? Two samples of hashes: exact, and coarse ones.

Rows are compared as they are, and as they would be if they had been rounded coarsely:
yesterday's rows with fewer digits are still yesterday's rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.row_hashes import hash_rows
from ...engine.storage import COUNTS, Many, Stored, keep
from ...parts.notebook_html import as_text
from ...parts.rows import Dense, Longs, Sparse
from .sample import SMALL, Sample

EXACT, COARSE = 2, 3  # columns of what ``hash_rows`` finds
FILES, SEAMS = 4096, 64  # that are remembered
NEAR = 1000  # rows after the beginning of a file
OFTEN = 5.0  # times as frequent as before
APART = 500  # rows; neighbors that agree coarsely are natural
RARE, MOSTLY = 0.01, 0.3  # twins before, and twins now, where no file begins


class Replay(NamedTuple):
    """Rows came that had been learned before.

    Attributes
    ----------
    since : int
        The round at which they began to come, counted from 1.
    twins, compared : int
        How many of the sampled rows since then had been learned before, when that was
        certain.
    earlier : bool
        Whether the run started from a model that had learned rows.
    coarse : bool
        Whether they are the same only if numbers are rounded.
    """

    since: int
    twins: int
    compared: int
    earlier: bool
    coarse: bool = False

    def __str__(self) -> str:
        """The reason why nothing is certified, in one line."""
        who = ", here or by the model that the run started from" * self.earlier
        nearly = ", but for the last digits" * self.coarse
        return (
            f"Nothing is certified: rows came again from about round {self.since:,} on "
            f"({self.twins:,} of {self.compared:,} compared had been learned before"
            f"{who}{nearly}), and rows seen before certify nothing."
        )

    _repr_html_ = as_text


class Fingerprints(Stored):
    """A sample of the rows that a learner has learned, and whether rows came again.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.fingerprints import Fingerprints
    >>> from regretless.parts.rows import Dense
    >>> X = np.random.default_rng(0).normal(size=(300, 4))
    >>> seen = Fingerprints()
    >>> _ = seen.feed(Dense(X.reshape(-1), 4), 300)
    >>> seen.replay is None
    True
    >>> _ = seen.feed(Dense(X[::-1].reshape(-1), 4), 300)
    >>> seen.replay.since
    301
    """

    kept = keep(
        "exact",
        "coarse",
        rows=COUNTS,
        earlier=COUNTS,
        files=Many(str, most=FILES),
        seams=Many(int, COUNTS, SEAMS),
    )

    def __init__(self) -> None:
        self.rows = 0  # learned in this run
        self.earlier = 0  # learned before it, by the model that it started from
        self.exact, self.coarse = Sample(), Sample(APART)
        self.files: list[str] = []  # digests of those that were learned, the latest
        self.seams: list[int] = []  # the rows before which another file began
        self._joined: Replay | None = None  # of shards that were joined

    def begin_file(self, digest: str | None) -> None:
        """A file begins that has this digest."""
        if self.rows and self.rows not in self.seams[-1:]:
            self.seams = [*self.seams[1 - SEAMS :], self.rows]
            self.coarse.bet_anew()
        if digest is not None and digest not in self.files:
            self.files = [*self.files[1 - FILES :], digest]

    def feed(self, rows: Dense | Sparse, n: int) -> Longs:
        """Compare `n` rows with those learned so far, and remember them.

        Returns
        -------
        found : array
            A row for each of the rows in the sample: its number among `rows`, and how
            many rows ago the first one with the same content came (0: it is the first;
            more than there are: learned before the run).
        """
        found = np.empty((n, 4), np.int64)
        limit = max(self.exact.limit, self.coarse.limit)
        arguments = (rows, n, limit, found)
        found = found[: entry(hash_rows, arguments, typed_by=rows)(*arguments)]
        self.exact.meet(found, EXACT, self.rows)
        self.coarse.meet(found, COARSE, self.rows)
        found = found[found[:, EXACT] >= -1][:, [0, EXACT]]
        found[:, 1] = self.rows + found[:, 0] - found[:, 1]
        self.rows += n
        return found

    @property
    def replay(self) -> Replay | None:
        """That rows came again; None where none did.

        Rows that agree coarsely may be those of the same hour of another day. So they
        count only where that is far more frequent than it was before: from the
        beginning of a file on; elsewhere where it was rare, and is usual now.
        """
        if self._joined is not None:
            return self._joined
        if self.exact.replay is not None:
            since, twins, compared = self.exact.replay
            return Replay(since + 1, twins, compared, self.earlier > 0)
        if self.coarse.replay is None:
            return None
        since, twins, compared = self.coarse.replay
        seams = [*self.seams, 0] if self.earlier else self.seams
        near = any(0 <= since - seam <= NEAR for seam in seams)
        natural = self.coarse.natural
        if not near and (natural > RARE or twins < MOSTLY * compared):
            return None
        if twins < OFTEN * natural * compared:
            return None
        return Replay(since + 1, twins, compared, self.earlier > 0, True)

    def continued(self, kept: int | None = None) -> Fingerprints:
        """For a run that starts from what was learned here; `kept` rows at most."""
        later = Fingerprints()
        later.earlier = self.earlier + self.rows
        later.exact = self.exact.continued(kept)
        later.coarse = self.coarse.continued(kept)
        later.files = [*self.files]
        return later

    def for_model(self) -> Fingerprints:
        """A smaller sample, of the same rows, that a model's file can carry."""
        found = self.continued(SMALL)
        found.rows, found.earlier = self.rows, self.earlier
        return found

    def join(self, later: Fingerprints) -> None:
        """Take in the sample of rows that came after these, and met none of them."""
        first, found = self.rows, later.replay
        self.rows += later.rows
        for digest in later.files:
            self.begin_file(digest)
        if found is not None and self._joined is None:
            self._joined = found._replace(since=first + found.since)
        if not first:
            self.exact, self.coarse = later.exact.copy(), later.coarse.copy()
            return
        self.exact.meet(later.exact.rows(), EXACT, first)
        self.coarse.meet(later.coarse.rows(), EXACT, first)
