"""A run with what evidence says about it: theorems, certificates, doubts."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any

import numpy as np

from ..parts.documents import Document
from ..parts.notebook_html import Listed
from ..parts.waiting import waiting
from .run_data import RunData

if TYPE_CHECKING:
    from .certify import Certificate
    from .claims.change import Change
    from .claims.doubts import Doubts
    from .theorems import Theorems
    from .verdicts import Regret


class JudgedRun(Listed, RunData[Any, Any, Any]):
    """A run of any kind, and what is proved and certified about it.

    Models are made farther out, so a subclass makes them.
    """

    @property
    def change(self) -> Change | None:
        """That the rows changed on the way, where they were tested; else None.

        Then nothing is certified about the future, and this says what there is instead.
        """
        from .claims import change_of

        return change_of(self)

    @property
    def objection(self) -> str:
        """Why nothing is certified about new rows, in sentences; "" where nothing is.

        Rows that came again, labels that came late, or rows that changed.
        """
        from .claims import objection

        return objection(self)

    @property
    def doubts(self) -> Doubts:
        """Whether it is better than the majority, or the running mean; or diverges."""
        from .claims.doubts import doubts_of

        return doubts_of(self)

    def theorems(self, u: Any = None, *, hindsight: bool = True) -> Theorems:
        """Every theorem about this learner, evaluated on this very data.

        Parameters
        ----------
        u : array, or for experts a number or a sequence of numbers
            A comparator of your own. None: the best in hindsight, for each theorem.
        hindsight : bool
            Whether to look for comparators at all: it takes more passes over the data.

        Returns
        -------
        Theorems
            For each: its assumptions as measured, the bound, what happened, the ratio;
            or why it does not apply. Print it.

        Raises
        ------
        TheoremViolated
            Where a bound does not hold: a declared constant is false, or it is a bug.

        Examples
        --------
        >>> import regretless as rg
        >>> run = rg.play(rg.Perceptron(), [[1, 0], [0, 1]], [1, -1])
        >>> found = run.theorems(u=[1, -1])["perceptron/separable"]
        >>> found.happened, round(found.value, 9)
        (2.0, 2.0)
        """
        from .verdicts import theorems_of

        with waiting("evaluating theorems"):
            return theorems_of(self, u, hindsight=hindsight)

    def iid_theorems(
        self, u: Any = None, *, delta: float = 0.05, sigma: float | None = None
    ) -> Theorems:
        """What the lectures prove about fresh rows, if rows are independent draws.

        From online to batch: the mean and the random hypothesis, the vote, dynamic
        validation, and the excess risk of gradient descent. The right sides are
        evaluated; the left sides are about new rows. Certificates
        (:meth:`certificate`, :meth:`model`) are tighter; these are the lectures' own.

        Parameters
        ----------
        u : array, or number
            The comparator; the best in hindsight if None. In the mean game the mean of
            the distribution, which must be declared.
        delta : float
            The probability that a statement is false.
        sigma : float
            The standard deviation, in the mean game.

        Examples
        --------
        >>> import regretless as rg
        >>> run = rg.play(rg.FollowTheLeader(), y=[0.2, 0.9, 0.4])
        >>> found = run.iid_theorems(u=0.5, sigma=0.3)["iid/leader"]
        >>> found.theorem.statement, round(found.value, 3)
        ('E[R(mu)] = (x_1 - mu)^2 + sigma^2 H', 0.135)
        """
        from .verdicts import iid_theorems_of

        return iid_theorems_of(self, u, delta=delta, sigma=sigma)

    def hindsight(self, *, switches: int | None = None, tolerance: float = 1e-3) -> Any:
        """The best fixed comparator in hindsight, with the gap to its optimality.

        The best u of the class that the learner competes with: its ball, its simplex,
        its penalty. For a free learner, whose least loss need not be attained, the best
        in a ball ten times as wide as |w|; for Winnow the best of a few |u|_1. For
        experts: the best one, or with `switches` the best sequence that changes at most
        so often. For the mean game: the mean.

        Parameters
        ----------
        switches : int
            For experts: how often the sequence may change.
        tolerance : float
            The relative gap to reach.
        """
        from .verdicts import hindsight_of

        with waiting("solving for the best comparator"):
            return hindsight_of(self, switches=switches, tolerance=tolerance)

    def regret(self, u: Any = None, *, tolerance: float = 1e-3) -> Regret:
        """The regret against `u`, or against what :meth:`hindsight` finds.

        An interval, where the comparator is only known to be nearly the best.
        """
        from .verdicts import regret_of

        with waiting("solving for the best comparator"):
            return regret_of(self, u, tolerance=tolerance)

    def certificate(
        self, delta: float = 0.05, *, runs: int = 1, among: object = None
    ) -> Certificate:
        """An upper bound on the error of the randomized hypothesis, at any time.

        Parameters
        ----------
        delta : float
            The probability of being wrong.
        runs : int
            How many runs are certified together; each gets delta/runs.
        among : label or None
            Certify the error among the rows of one class: of false positives and of
            false negatives, each at its own delta.

        Raises
        ------
        NotCertified
            Where rows changed on the way, or had been learned before: they certify
            nothing.

        Examples
        --------
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(2000, 5))
        >>> certificate = rg.play(rg.Perceptron(), X, X[:, 0] > 0).certificate()
        >>> certificate.measured < certificate.value < 0.1
        True
        """
        from .claims import Counted, certificate_of, guarded

        found = certificate_of(self, delta, runs=runs, among=among)
        counted = Counted.online(self) if among is None else None
        return guarded(self, found, counted)

    @property
    def later_passes(self) -> list[Document]:
        """What each pass after the first paid: none of it is an online loss."""
        return []

    @abc.abstractmethod
    def model(self, kind: str | None = None, delta: float = 0.05) -> Any:
        """One model out of all the hypotheses of the run."""

    def heading(self) -> str:
        """Who played."""
        return repr(self.learner)

    def lines(self) -> list[tuple[str, str]]:
        """The run as (what, how much), for people."""
        speed = self.rounds / self.seconds if self.seconds > 0 else 0.0
        time = f"{self.seconds:.3g} s  ({speed:,.3g} rounds a second)"
        nonzero = int(np.count_nonzero(self.weights))
        shape = " x ".join(f"{side:,}" for side in self.weights.shape)
        weights = ("weights", f"{shape}  ({nonzero:,} nonzero)")
        early = [("stopped", self.stopped)] if self.stopped else []
        return [
            *early,
            *self.ledger.lines(),
            *([] if self.coverage is None else self.coverage.lines()),
            *([weights] if self.weights.size else []),
            ("time", time),
        ]
