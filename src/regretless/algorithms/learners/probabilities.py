"""Log-odds to probabilities, and what to say of a learner whose scores are none."""

from __future__ import annotations

import numpy as np

from ...parts.state import Floats

NO_PROBABILITIES = (
    "{} has no probabilities: its scores are no log-odds. Panel, OneVersusRest, and "
    "learners with the logistic loss (OGD, AdaGrad, CoinBetting, FTRLProximal, EG, ONS "
    "with loss=Logistic()) have them"
)


def probability(score: float) -> float:
    """sigma(score) of one row, to the same bits.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.algorithms.learners.probabilities import probability
    >>> probability(0.3) == two_probabilities(np.array([0.3]))[0, 1]
    np.True_
    """
    small = float(np.exp(-abs(score)))  # math.exp may differ in the last bit
    return (1.0 if score > 0.0 else small) / (1.0 + small)


def two_probabilities(scores: Floats) -> Floats:
    """sigma(-score) and sigma(score), a column each, from the log-odds of +1."""
    small = np.exp(-np.abs(scores))
    positive = np.where(scores > 0.0, 1.0, small) / (1.0 + small)
    negative = np.where(scores > 0.0, small, 1.0) / (1.0 + small)
    return np.stack([negative, positive], axis=-1)
