"""What the online losses certify: the hypothesis drawn at random, at any time."""

from __future__ import annotations

import math
from typing import Any

from ..certify import Certificate, betting, kl_mixture
from ..parts.state import Floats

__all__ = ["GUESS", "RANDOMIZED", "certificate_of", "loss_certificate", "vote_of"]

GUESS = 1e5  # n_opt where no length is declared
RANDOMIZED = (
    "the randomized hypothesis (one of those that predicted, drawn uniformly; on "
    "average over the draw, not the one that was drawn)"
)
ANYTIME = "to be read at any time"


def certificate_of(run: Any, delta: float = 0.05, *, runs: int = 1) -> Certificate:
    """The anytime certificate of a run's randomized hypothesis, for the 0-1 loss.

    `runs` is the number of runs that are certified together: each gets delta/runs.
    """
    if run.mistakes is None:
        raise ValueError(
            "this run makes no yes-or-no predictions, so there is no error to certify"
        )
    if runs < 1:
        raise ValueError(f"runs={runs!r} must be at least 1")
    n_opt = float(run.length if run.length is not None else GUESS)
    return Certificate(
        value=kl_mixture(run.rounds, run.mistakes, delta / runs, n_opt),
        delta=delta / runs,
        method="kl_mixture",
        about=RANDOMIZED,
        n=run.rounds,
        total=float(run.mistakes),
        scope=ANYTIME,
        n_opt=n_opt,
    )


def vote_of(certificate: Certificate, *, exact: bool) -> Certificate:
    """A majority vote errs at most twice as often as the randomized hypothesis."""
    sampled = "" if exact else " (on average over the sampling of the voters)"
    return Certificate(
        value=min(1.0, 2.0 * certificate.value),
        delta=certificate.delta,
        method="twice kl_mixture",
        about=f"the majority vote{sampled}",
        n=certificate.n,
        total=certificate.total,
        scope=certificate.scope,
        n_opt=certificate.n_opt,
    )


def loss_certificate(
    losses: Floats,
    scale: float,
    delta: float,
    length: int | None,
    about: str,
    loss: str,
) -> Certificate:
    """The anytime certificate of a mean, by convexity, for a loss in [0, scale]."""
    if not 0.0 < scale < math.inf:
        raise ValueError(f"the range of the loss must be positive, not {scale!r}")
    n_opt = float(length if length is not None else GUESS)
    scaled = losses / scale
    return Certificate(
        value=scale * betting(scaled, delta, n_opt),
        delta=delta,
        method="betting",
        about=about,
        n=losses.size,
        total=float(scaled.sum()),
        scope=ANYTIME,
        loss=loss,
        scale=scale,
        n_opt=n_opt,
    )
