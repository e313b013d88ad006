"""Dynamic validation: freeze hypotheses on the way, judge each by what came after it.

A frozen hypothesis meets only fresh rows, so its errors there are those of a fixed
classifier on iid data. The one with the least upper bound is taken, and the
multiplicity is paid for: every bound holds at once.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..certify import Certificate, clopper_pearson, kl_mixture
from ..parts.state import Floats
from ..recorders import Recorder, Snapshot
from .certificates import PRESET
from .evidence import evidence_of

__all__ = ["exact_validation", "validated"]


def validated(
    recorder: Recorder, rounds: int, delta: float
) -> tuple[Snapshot, Certificate]:
    """The snapshot with the least bound, and its certificate.

    A run that ended at its preset length: Clopper-Pearson at delta/K for K snapshots.
    Otherwise the anytime bound, at delta/(k(k+1)) for the k-th snapshot.
    """
    preset = recorder.length == rounds
    order = sorted(recorder.snapshots, key=lambda snapshot: snapshot.position)
    if not order:
        raise ValueError(
            f"{rounds:,} rounds are too few: no hypothesis was frozen yet, the first "
            f"would have been after round {recorder.first_snapshot:,}"
        )
    oldest = recorder.taken - len(order)
    found: list[tuple[float, float, Snapshot]] = []
    for k, snapshot in enumerate(order, oldest + 1):
        n, errors = snapshot.rounds, snapshot.errors
        if preset:
            share = delta / len(order)
            bound = clopper_pearson(n, errors, share)
        else:
            share = delta / (k * (k + 1))
            bound = kl_mixture(n, errors, share, float(max(snapshot.position, 512)))
        found.append((bound, share, snapshot))
    bound, share, best = min(found, key=lambda one: one[0])
    how = "Clopper-Pearson" if preset else "kl_mixture"
    paid = f"{how} at {share:.3g}, for {len(found)} frozen hypotheses"
    return best, Certificate(
        value=bound,
        delta=delta,
        method=paid,
        about=f"this classifier (frozen after round {best.position:,})",
        n=best.rounds,
        total=float(best.errors),
        scope=PRESET if preset else "at any stopping time",
        spent=share,
        evidence=evidence_of(recorder),
    )


def exact_validation(path: Floats, wrong: Any, delta: float) -> tuple[int, Certificate]:
    """Dekel's dynamic validation over all m hypotheses of a small run.

    ``wrong[i, t]`` is whether hypothesis i errs on round t; only t >= i counts. The
    value of argmin_i mean error on the rounds after + sqrt(ln(m/delta)/(2 rounds)) is
    an upper bound with probability 1 - delta.
    """
    m = path.shape[0]
    later = np.triu(np.ones((m, m), bool))
    errors: Floats = (wrong & later).sum(axis=1).astype(np.float64)
    left = np.arange(m, 0.0, -1.0)
    bounds = errors / left + np.sqrt(math.log(m / delta) / (2.0 * left))
    best = int(np.argmin(bounds))
    return best, Certificate(
        value=min(1.0, float(bounds[best])),
        delta=delta,
        method=f"Hoeffding at delta/m, for all m = {m:,} hypotheses (Dekel)",
        about=f"this classifier (the hypothesis after round {best:,})",
        n=int(left[best]),
        total=float(errors[best]),
        scope=PRESET,
        spent=delta / m,
    )
