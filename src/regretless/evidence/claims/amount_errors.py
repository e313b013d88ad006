"""What sealed rows say about a model that predicts amounts.

The errors e = |y - prediction| of a fixed model on fresh rows are independent draws.
Two things are certified. First the mean of min(e, B)^2, by betting: B is 10 times the
root mean squared error of the rows that were learned (or the range of their labels,
where that is less), so it was known before a sealed row was looked at. Then quantiles:
with e_(1) <= ... <= e_(n), fresh errors are within e_(k) with probability q or more,
unless ::

    P(Binomial(n, 1 - q) <= n - k) > delta

so e_(k) is taken for the least k at which that is at most delta; such a k there is from
about ln(1/delta)/(1 - q) rows on.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np

from ...engine.ledger import Ledger
from ...parts.documents import Document
from ...parts.state import Floats
from ..certify import Certificate, betting, clopper_pearson

TIMES = 10.0  # the root mean squared error of learned rows, where errors are cut
SHARES = (0.5, 0.9)


def largest_error(ledger: Ledger) -> float:
    """Where errors are cut: a number that learned rows alone decide."""
    rounds = max(1, ledger.rounds)
    error = TIMES * math.sqrt((ledger.squared_error or 0.0) / rounds)
    wide = ledger.max_label - ledger.min_label
    found = min(error, wide) if wide > 0.0 else error
    return found if 0.0 < found < math.inf else 1.0


def within(errors: Floats, delta: float) -> tuple[tuple[float, float], ...]:
    """(q, e): the share q of fresh rows, or more, has errors of at most e.

    Each with probability 1 - delta; a share that takes more rows is left out.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.claims.amount_errors import within
    >>> within(np.arange(1.0, 101.0), 0.05)
    ((0.5, 59.0), (0.9, 96.0))
    >>> within(np.ones(10), 0.05)
    ((0.5, 1.0),)
    """
    ordered, found = np.sort(errors), list[tuple[float, float]]()
    n = ordered.size
    for share in SHARES:
        low, high = -1, n  # so many errors above are too few to doubt it; too many
        while high - low > 1:
            above = (low + high) // 2
            good = clopper_pearson(n, above, delta) <= 1.0 - share
            low, high = (above, high) if good else (low, above)
        if low >= 0 and ordered[n - 1 - low] < math.inf:
            found.append((share, float(ordered[n - 1 - low])))
    return tuple(found)


def amount_certificate(
    errors: Floats,
    groups: list[Hashable] | None,
    cut: float,
    delta: float,
    *,
    spent: float | None = None,
    **shared: object,
) -> Certificate:
    """The certificate of a model by its errors on sealed rows; nan: it has no answer.

    Rows that were sealed by group are no independent draws, but the groups are: then
    the mean over groups is certified, and no quantile.
    """
    level = spent or delta
    errors = np.nan_to_num(errors, nan=np.inf, posinf=np.inf)
    losses = np.square(np.minimum(errors, cut) / cut)
    told: Document = {
        "method": "betting; order statistics",
        "within": within(errors, level),
        "scope": "sealed rows, never seen",
        "spent": spent,
        **shared,
    }
    if groups is not None:
        rows = losses.size
        known = {unit: k for k, unit in enumerate(dict.fromkeys(groups))}
        places = np.array([known[unit] for unit in groups], np.int64)
        losses = np.bincount(places, losses) / np.bincount(places)
        told |= {
            "method": "betting on the mean of each group",
            "within": (),
            "scope": f"{losses.size:,} sealed groups with {rows:,} rows, never seen",
        }
    return Certificate(
        value=cut * cut * betting(losses, level, float(losses.size)),
        delta=delta,
        n=losses.size,
        total=float(losses.sum()),
        loss="squared error",
        scale=cut * cut,
        cut=cut,
        **told,
    )
