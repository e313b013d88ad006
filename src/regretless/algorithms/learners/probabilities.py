"""Log-odds to probabilities, and what to say of a learner whose scores are none."""

from __future__ import annotations

import numpy as np

from ...parts.state import Floats

__all__ = ["NO_PROBABILITIES", "two_probabilities"]

NO_PROBABILITIES = (
    "{} has no probabilities: its scores are no log-odds. Panel, OneVersusRest, and "
    "learners with the logistic loss (OGD, AdaGrad, CoinBetting, FTRLProximal, EG, ONS "
    "with loss=Logistic()) have them"
)


def two_probabilities(scores: Floats) -> Floats:
    """sigma(-score) and sigma(score), a column each, from the log-odds of +1."""
    small = np.exp(-np.abs(scores))
    positive = np.where(scores > 0.0, 1.0, small) / (1.0 + small)
    negative = np.where(scores > 0.0, small, 1.0) / (1.0 + small)
    return np.stack([negative, positive], axis=-1)
