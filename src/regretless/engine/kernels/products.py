"""Rows times weights: score_k(x) = w_k.x + shift_k, entries added one after the other.

So scipy adds them up, too: a score does not depend on which of them computed it.
Entries of features that have no weight are left out.
"""

from __future__ import annotations

from typing import Any

from .compiled import kernel


@kernel
def score_weights(weights: Any, shifts: Any, rows: Any, out: Any) -> None:
    """Score compressed rows by vectors of weights: columns of `out`."""
    width = weights.shape[1]
    for i in range(out.shape[0]):
        for k in range(out.shape[1]):
            total = 0.0
            for j in range(rows.starts[i], rows.starts[i + 1]):
                if rows.columns[j] < width:
                    total += rows.values[j] * weights[k, rows.columns[j]]
            out[i, k] = total + shifts[k]
