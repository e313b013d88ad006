"""How it went, out of the ledger alone: loss, mistakes and certificate over time.

The ledger keeps (round, mistakes, loss) at no more than 256 checkpoints, whatever the
length of the run; the certificate after round n is a function of n and the mistakes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..evidence.certify import Certificate, hoeffding, kl_mixture
from ..evidence.played_run import PlayedRun
from ..parts.state import Floats

STRETCHES = 40  # the most pieces of a run whose own mean loss is shown


@dataclass(frozen=True, eq=False)
class ProgressChart:
    """The checkpoints of a run.

    Attributes
    ----------
    rounds : ndarray
        When; the end of the run is the last.
    mistakes : ndarray or None
        So far; None where there is nothing to be mistaken about.
    loss : ndarray
        So far.
    certified, hoeffding : ndarray or None
        The anytime certificate of the error, and Hoeffding's bound beside it, had one
        stopped there.
    """

    rounds: Floats
    mistakes: Floats | None
    loss: Floats
    certified: Floats | None = None
    hoeffding: Floats | None = None

    @property
    def paid(self) -> Floats:
        """What the run is about: mistakes, or the loss."""
        return self.loss if self.mistakes is None else self.mistakes

    @property
    def means(self) -> Floats:
        """The mean so far."""
        return self.paid / self.rounds

    def stretches(self) -> tuple[Floats, Floats]:
        """Where stretches of rounds end, and the mean of each alone."""
        step = -(-self.rounds.size // STRETCHES)
        last = self.rounds.size - 1
        at = np.unique(np.append(np.arange(step - 1, last, step), last))
        ends = np.concatenate([[0.0], self.rounds[at]])
        paid = np.concatenate([[0.0], self.paid[at]])
        return ends[1:], np.diff(paid) / np.diff(ends)


def progress_of(
    run: PlayedRun, certificate: Certificate | None = None
) -> ProgressChart:
    """The checkpoints of a run, with the certificate where there is one."""
    ledger = run.ledger
    curve = ledger.curve
    if curve.shape[0] == 0 or curve[-1, 0] != ledger.rounds:
        end = (ledger.rounds, ledger.mistakes or 0, ledger.loss)
        curve = np.vstack([curve, np.array([end], np.float64)])
    rounds = np.ascontiguousarray(curve[:, 0])
    loss = np.ascontiguousarray(curve[:, 2])
    if ledger.mistakes is None:
        return ProgressChart(rounds, None, loss)
    mistakes = np.ascontiguousarray(curve[:, 1])
    if certificate is None:
        return ProgressChart(rounds, mistakes, loss)
    delta = certificate.delta
    return ProgressChart(
        rounds,
        mistakes,
        loss,
        certified=kl_mixture(rounds, mistakes, delta, certificate.n_opt),
        hoeffding=hoeffding(rounds, mistakes, delta),
    )
