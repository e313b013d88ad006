"""A certificate: a bound on risk that says in words what it is about and assumes."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from dataclasses import dataclass

from ...engine.storage import checked_fields
from ...parts.documents import Document
from ...parts.notebook_html import Printed
from ...parts.reprs import shown
from .checks import checked_delta
from .fixed import hoeffding
from .watch import Watch

IID = "the rows are independent draws from one distribution, past and future alike"


@dataclass(frozen=True, repr=False)
class Certificate(Printed):
    """An upper bound on the risk of a model on fresh data.

    Attributes
    ----------
    value : float
        The bound, on the scale of the loss.
    delta : float
        The probability of being wrong.
    method : str
        The function of :mod:`regretless.certify` that computed it.
    about : str
        Which model it speaks about.
    loss : str
        Which loss: "error" for 0-1.
    n : int
        Rounds that went into it.
    total : float
        S, the sum of their losses in [0, 1].
    scope : str
        When it may be read.
    scale : float
        What a loss of 1 stands for: the range of the loss itself.
    factor : float
        How many times the bound on the measured losses is taken: 2 for a vote.
    spent : float or None
        The part of delta that this bound may use, where several hold at once.
    n_opt : float or None
        The guess of the number of rounds that the method was tuned for.
    assumptions : tuple of str
        What it needs.
    evidence : str
        What tests of the first assumption found.
    learned : int or None
        The rows that the certified hypothesis had learned, where it was frozen on the
        way, or is judged by sealed rows.
    rows : int or None
        The rows that were learned in all.
    refit : bool
        Whether the model that carries the certificate has learned more rows than the
        hypothesis that is certified.
    cut : float or None
        Of amounts: errors above it count as this much.
    within : tuple of (float, float)
        Of amounts, (q, e): the share q of fresh rows, or more, has errors of at most e,
        each with probability 1 - delta.
    cautions : tuple of str
        What should be known beside the bound.
    last : (int, float) or None
        About the last tenth of the rounds that went into it, and the error there.
    """

    value: float
    delta: float
    method: str
    about: str
    n: int
    total: float
    scope: str
    loss: str = "error"
    scale: float = 1.0
    factor: float = 1.0
    spent: float | None = None
    n_opt: float | None = None
    assumptions: tuple[str, ...] = (IID,)
    evidence: str = ""
    learned: int | None = None
    rows: int | None = None
    refit: bool = False
    cut: float | None = None
    within: tuple[tuple[float, float], ...] = ()
    cautions: tuple[str, ...] = ()
    last: tuple[int, float] | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be a certificate."""
        checked_delta(self.delta)
        if self.n < 1:
            raise ValueError("a certificate needs at least one round")
        if self.spent is not None:
            checked_delta(self.spent)
        if not (math.isfinite(self.scale * self.factor) and 0 <= self.value < math.inf):
            raise ValueError(f"value={self.value!r} cannot be a bound")
        if not 0.0 <= self.total <= self.n:
            raise ValueError(f"total={self.total!r} must be between 0 and n={self.n}")
        if self.refit and not (self.learned and self.rows):
            raise ValueError("refit=True: say how many of the rows had been learned")

    @property
    def measured(self) -> float:
        """The mean loss that was measured online."""
        return self.scale * self.total / self.n

    @property
    def hoeffding(self) -> float:
        """The plain bound of the lectures, for comparison: one n fixed in advance.

        It pays for what the certificate pays for.
        """
        share = self.delta if self.spent is None else self.spent
        found = self.factor * self.scale * hoeffding(self.n, self.total, share)
        return min(found, self.scale)

    def watch(self, alpha: float = 0.01) -> Watch:
        """Watch the losses after deployment for signs that the risk is higher.

        Feed it losses in [0, 1] (divide by ``scale`` where that is not 1).
        """
        return Watch(self.value / self.scale, alpha)

    def as_dict(self) -> Document:
        """Plain data for JSON."""
        return {
            **dataclasses.asdict(self),
            "assumptions": list(self.assumptions),
            "cautions": list(self.cautions),
            "measured": self.measured,
            "hoeffding": self.hoeffding,
        }

    @classmethod
    def from_dict(cls, data: Document) -> Certificate:
        """The certificate that :meth:`as_dict` described."""
        assumptions = tuple(data.get("assumptions", (IID,)))
        within = tuple((float(q), float(e)) for q, e in data.get("within", ()))
        cautions = tuple(str(each) for each in data.get("cautions", ()))
        last = data.get("last")
        given = {
            **data,
            "assumptions": assumptions,
            "within": within,
            "cautions": cautions,
            "last": None if last is None else (int(last[0]), float(last[1])),
        }
        return cls(**checked_fields(cls, given))

    def __str__(self) -> str:
        """The certificate in words."""
        what = self.loss if self.loss.startswith("error") else f"{self.loss} loss"
        if self.refit:
            return textwrap.fill(f"{self._stopped()} {self._fine_print()}", 88)
        if self.cut is not None:
            return textwrap.fill(f"{self._amounts()} {self._fine_print()}", 88)
        text = (
            f"With probability {1 - self.delta:.4g} over the data, the expected {what} "
            f"of {self.about} on fresh data is at most {self._show(self.value)} "
            f"(measured online: {self._show(self.measured)} over {self.n:,} rounds"
            f"{self._recent()}, {self.scope}; Hoeffding's bound would be "
            f"{self._show(self.hoeffding)})."
        )
        return textwrap.fill(f"{text} {self._fine_print()}", 88)

    def _stopped(self) -> str:
        """What is certified about a learner that has learned on since."""
        learned, rows = self.learned or 0, self.rows or 1
        return (
            f"Stopped after {learned / rows:.0%} of the rows, it errs at most "
            f"{self._show(self.value)} on fresh data, with probability "
            f"{1 - self.delta:.4g} (measured: {self._show(self.measured)} on the "
            f"{self.n:,} rows after them{self._recent()}, {self.scope}); this model "
            "has learned the rest as well."
        )

    def _recent(self) -> str:
        """The error on the last rows."""
        if self.last is None:
            return ""
        return f", {self._show(self.last[1])} on the last {self.last[0]:,}"

    def _amounts(self) -> str:
        """What is certified about a model that predicts amounts."""
        return (
            f"With probability {1 - self.delta:.4g} over the data, the root mean "
            f"squared error of {self.about} on fresh data is at most "
            f"{shown(math.sqrt(self.value))}, errors above {shown(self.cut)} counted "
            f"as that (measured: {shown(math.sqrt(self.measured))}, n = {self.n:,}, "
            f"{self.scope}).{self.quantiles(' Also, ')}"
        )

    def quantiles(self, before: str = "") -> str:
        """How large most errors are, in words; "" where nothing is known."""
        said = [f"{share:.0%} of errors at most {shown(e)}" for share, e in self.within]
        each = " (each with that probability)" if said else ""
        return f"{before}{', '.join(said)}{each}{'.' * bool(before)}" if said else ""

    def _fine_print(self) -> str:
        text = (
            f"Method: {self.method}. Assumes that {'; that '.join(self.assumptions)}."
        )
        cautions = "".join(f" Caution: {each}." for each in self.cautions)
        return f"{' '.join([text, self.evidence]).strip()}{cautions}"

    def _show(self, number: float) -> str:
        return f"{number:.2%}" if self.loss == "error" else shown(number)
