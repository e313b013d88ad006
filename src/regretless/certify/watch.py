"""Watch a certified risk after deployment: an alarm that is rarely false, ever.

Given a certificate "the risk is at most b", bet on every new loss L against it ::

    wealth *= 1 + lambda (L - b),     0 <= lambda < 1/b

While the risk is at most b the wealth is not expected to grow, so it ever exceeds
1/alpha with probability at most alpha. The wealth is a mixture over bets lambda and
over starting times 1, 2, 4, 8, ..., so that a late change is seen as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..notebooks import as_text
from ..parts.state import Floats
from .checks import checked_delta

__all__ = ["Alarm", "Watch"]

BETS = np.exp(-np.arange(1.0, 13.0) / 2.0)  # shares of the largest bet, 1/b


@dataclass(frozen=True)
class Alarm:
    """The certificate no longer holds: when it was noticed, on what evidence."""

    round: int
    evidence: float

    def __str__(self) -> str:
        """The alarm in one line."""
        return (
            f"alarm at round {self.round:,}: the losses are {self.evidence:,.0f} times "
            "better explained by a higher risk than by the certificate"
        )

    def _repr_html_(self) -> str:
        return as_text(self)


class Watch:
    """An e-process against "the risk is at most `bound`", in constant memory.

    Parameters
    ----------
    bound : float
        The certified risk, strictly between 0 and 1.
    alpha : float
        The probability of ever raising a false alarm while the risk is at most `bound`.
        (The certificate itself may be wrong with probability delta: together,
        delta + alpha.)

    Examples
    --------
    >>> from regretless.certify import Watch
    >>> watch = Watch(0.1, alpha=0.01)
    >>> for loss in [0, 0, 1, 0] + [1] * 10:
    ...     watch.feed(loss)
    >>> watch.alarm.round
    8
    """

    def __init__(self, bound: float, alpha: float = 0.01) -> None:
        if not 0.0 < bound < 1.0:
            raise ValueError(f"bound={bound!r} must be strictly between 0 and 1")
        self.bound = float(bound)
        self.alpha = checked_delta(alpha)
        self.rounds = 0
        self.alarm: Alarm | None = None
        self._starts: list[Floats] = []  # log wealth of every bet, a row a start

    @property
    def evidence(self) -> float:
        """The wealth now: how much better a higher risk explains the losses."""
        if not self._starts:
            return 1.0
        total = 1.0 / (len(self._starts) + 1)  # held back for the starts to come
        for i, logs in enumerate(self._starts, 1):
            total += float(np.exp(np.minimum(logs, 700.0)).mean()) / (i * (i + 1))
        return total

    def feed(self, loss: float) -> None:
        """Bet on one more loss, in [0, 1]."""
        number = float(loss)
        if not 0.0 <= number <= 1.0:
            raise ValueError(f"a watched loss must be in [0, 1], not {loss!r}")
        if self.rounds & (self.rounds - 1) == 0:  # 0, 1, 2, 4, 8, ...
            self._starts.append(np.zeros(BETS.size))
        self.rounds += 1
        gain = np.log1p(BETS / self.bound * (number - self.bound))
        self._starts = [logs + gain for logs in self._starts]
        if self.alarm is None and self.evidence >= 1.0 / self.alpha:
            self.alarm = Alarm(self.rounds, self.evidence)

    def as_dict(self) -> dict[str, Any]:
        """All of its state, as plain data for JSON."""
        alarm = self.alarm
        return {
            "bound": self.bound,
            "alpha": self.alpha,
            "rounds": self.rounds,
            "alarm": None if alarm is None else [alarm.round, alarm.evidence],
            "log_wealth": [logs.tolist() for logs in self._starts],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Watch:
        """The watch that :meth:`as_dict` described, ready to go on."""
        watch = cls(data["bound"], data["alpha"])
        watch.rounds = int(data["rounds"])
        watch._starts = [np.array(logs) for logs in data["log_wealth"]]
        if data["alarm"] is not None:
            watch.alarm = Alarm(int(data["alarm"][0]), float(data["alarm"][1]))
        return watch

    def __str__(self) -> str:
        """Where the watch stands, in one line."""
        if self.alarm is not None:
            return str(self.alarm)
        return (
            f"no alarm after {self.rounds:,} rounds: evidence {self.evidence:.3g} "
            f"against risk <= {self.bound:.4g} (alarm at {1 / self.alpha:,.0f})"
        )

    def _repr_html_(self) -> str:
        return as_text(self)
