"""Watch a certified risk after deployment: an alarm that is rarely false, ever.

Given a certificate "the risk is at most b", bet on every new loss L against it ::

    wealth *= 1 + lambda (L - b),     0 <= lambda < 1/b

While the risk is at most b the wealth is not expected to grow, so it ever exceeds
1/alpha with probability at most alpha: whatever lambda is, as long as it is chosen
before the loss is seen. A bet that is lost while nothing happens is missed when
something does. So the bet rests while losses are quiet. A second, imagined wealth, that
always bets on odds 1.4 times as high and never falls below 1, tells unrest: ::

    unrest = max(0, unrest + ln(1 + lambda_0 (L - b))),   0: it is quiet again
    lambda = 1.5 (m - b)/(b (1 - b)) where unrest >= 1.75, else 0

with m the mean loss since it was last quiet, twenty losses at the rate b in advance.
Wealth grows fastest at lambda = (m - b)/(b (1 - b)) if m is the risk; those twenty make
m too small, hence the 1.5. A bet is at most half of 1/b. (The numbers are the best of a
few; ``python -m benchmarks.watch`` takes the delays.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...parts.documents import Document
from ...parts.notebook_html import Printed
from .checks import checked_delta

ODDS = 1.4  # those of a risk that causes unrest, relative to those of the bound
UNREST = 1.75  # from here on it bets
ADVANCE = 20.0  # losses at the rate of the bound, before the first one
BOLD = 1.5  # times what would be best if the mean loss were the risk
LARGEST = 0.5  # share of the largest bet, 1/b


@dataclass(frozen=True)
class Alarm(Printed):
    """The certificate no longer holds: when it was noticed, on what evidence."""

    round: int
    evidence: float

    def __str__(self) -> str:
        """The alarm in one line."""
        return (
            f"alarm at round {self.round:,}: the losses are {self.evidence:,.0f} times "
            "better explained by a higher risk than by the certificate"
        )


class Watch(Printed):
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
    >>> for loss in [0, 0, 1, 0] + [1] * 20:
    ...     watch.feed(loss)
    >>> watch.alarm.round
    18
    """

    def __init__(self, bound: float, alpha: float = 0.01) -> None:
        if not 0.0 < bound < 1.0:
            raise ValueError(f"bound={bound!r} must be strictly between 0 and 1")
        self.bound = float(bound)
        self.alpha = checked_delta(alpha)
        self.rounds = 0
        self.alarm: Alarm | None = None
        self._log_wealth = 0.0
        self._unrest = UNREST  # at the start nothing is known to be quiet
        self._since = 0  # rounds since it was last quiet
        self._lost = 0.0  # in them

    @property
    def evidence(self) -> float:
        """The wealth now: how much better a higher risk explains the losses."""
        return math.exp(min(self._log_wealth, 700.0))

    def feed(self, loss: float) -> None:
        """Bet on one more loss, in [0, 1]."""
        number = float(loss)
        if not 0.0 <= number <= 1.0:
            raise ValueError(f"a watched loss must be in [0, 1], not {loss!r}")
        bound = self.bound
        self.rounds += 1
        self._log_wealth += math.log1p(self._bet() * (number - bound))
        steady = (ODDS - 1.0) / (1.0 - bound + ODDS * bound)
        change = math.log1p(steady * (number - bound))
        self._unrest = max(0.0, self._unrest + change)
        self._since += 1
        self._lost += number
        if self._unrest == 0.0:
            self._since, self._lost = 0, 0.0
        if self.alarm is None and self.evidence >= 1.0 / self.alpha:
            self.alarm = Alarm(self.rounds, self.evidence)

    def _bet(self) -> float:
        """Lambda for the coming round: it depends on the past alone."""
        if self._unrest < UNREST:
            return 0.0
        bound = self.bound
        mean = (self._lost + ADVANCE) / (self._since + ADVANCE / bound)
        best = max(0.0, mean - bound) / (bound * (1.0 - bound))
        return min(BOLD * best, LARGEST / bound)

    def as_dict(self) -> Document:
        """All of its state, as plain data for JSON."""
        alarm = self.alarm
        return {
            "bound": self.bound,
            "alpha": self.alpha,
            "rounds": self.rounds,
            "alarm": None if alarm is None else [alarm.round, alarm.evidence],
            "log_wealth": self._log_wealth,
            "unrest": self._unrest,
            "since": self._since,
            "lost": self._lost,
        }

    @classmethod
    def from_dict(cls, data: Document) -> Watch:
        """The watch that :meth:`as_dict` described, ready to go on."""
        watch = cls(data["bound"], data["alpha"])
        watch.rounds = int(data["rounds"])
        watch._log_wealth = float(data["log_wealth"])
        watch._unrest = float(data["unrest"])
        watch._since, watch._lost = int(data["since"]), float(data["lost"])
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
