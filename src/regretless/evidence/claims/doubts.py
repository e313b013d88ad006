"""What speaks against a run: it is no better than nothing, or nothing is certified.

Nothing is the most frequent label so far, or of numbers their mean so far. A learner
whose losses grow, and that is worse than that, diverges.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np

from ...errors import NotCertified
from ...parts.state import Floats
from ..played_run import PlayedRun
from .guard import Counted, guarded
from .randomized import certificate_of

if TYPE_CHECKING:
    from ...engine.expert_ledger import ExpertLedger
    from ...engine.ledger import Ledger
    from ...engine.mean_ledger import MeanLedger
    from ..certify import Certificate
    from ..metrics import Metrics
    from ..snapshots import Recorder
    from .operating_point import OperatingPoint

    AnyLedger: TypeAlias = Ledger | ExpertLedger | MeanLedger

NO_ERRORS = (
    "Nothing is certified: a certificate is about yes-or-no errors, and this run made "
    "no yes-or-no predictions."
)
AMOUNTS = f"{NO_ERRORS} Rows set aside certify amounts: --seal 10%."
EXPERTS = (
    "Nothing is certified: experts may be anything, and the theorems need no "
    "randomness. What is promised is the regret."
)
TOO_FEW = (
    "Nothing is certified: {:,} {} to judge by are too few, the bound would be 100%."
)
GROWN = 3.0  # times that the losses of the last tenth are those of the first


class Doubts(NamedTuple):
    """How a run compares with answering without looking.

    Attributes
    ----------
    better : bool or None
        Whether it is better than the majority, or the running mean; None: not known.
    diverges : bool
        Whether its weights are not finite, or its losses grow while it is no better.
    words : str
        The same in a sentence; empty where there is no doubt.
    """

    better: bool | None
    diverges: bool
    words: str


def doubts_of(run: PlayedRun) -> Doubts:
    """The doubts about a run of rows."""
    ledger = run.ledger
    paid, without, what = compared(ledger)
    better = None if without is None else paid < without
    if better is False and run.measured is not None and not no_better(run.measured):
        better = True  # its probabilities are, as of a rare class
    finite = bool(np.isfinite(run.weights).all() and np.isfinite(run.loss))
    diverges = not finite or (better is False and _grows(ledger.curve))
    words = ""
    if diverges:
        words = "the learner diverges: take a smaller step, or scale the columns"
    if better is False:
        worse = f"no better than {what}: {paid:,.6g} against {without:,.6g}"
        words = f"{words}; it is {worse}" if words else f"the learner is {worse}"
    return Doubts(better, diverges, words)


def no_better(metrics: Metrics) -> bool:
    """Whether one answer for all rows would have been as good, in every measure.

    The measures are the error and, where there are probabilities, the log loss; of
    amounts the RMSE.
    """
    known = [
        metric.of(metrics) >= metric.baseline(metrics)
        for metric in metrics.declared
        if metric.decides and not math.isnan(metric.of(metrics))
    ]
    return bool(metrics.rows and known) and all(known)


def compared(ledger: AnyLedger) -> tuple[float, float | None, str]:
    """What was paid, what answering without looking would have cost, and how."""
    if ledger.plays != "rows":
        return 0.0, None, ""
    size, mistakes = max(ledger.rounds, 1), ledger.mistakes
    if mistakes is None:
        paid, mean = ledger.squared_error, ledger.running_mean_error
        if paid is None or mean is None:
            return 0.0, None, ""
        what = "the running mean (RMSE)"
        return math.sqrt(paid / size), math.sqrt(mean / size), what
    if ledger.confusion is not None:
        counts = np.asarray(ledger.confusion).sum(axis=1)
        if counts.size < 2:
            return mistakes, None, ""
        often = ledger.rounds - int(counts.max())
        return mistakes, often, "the most frequent class (mistakes)"
    return mistakes, ledger.majority_mistakes, "the majority so far (mistakes)"


def why_not(
    run: PlayedRun, recorder: Recorder | None = None, delta: float = 0.05
) -> str:
    """Why nothing is certified about the online pass of a run; "" where something is.

    Screens, documents and pages take the reason from here, or from the model's own
    ``why_not`` where there is a model. What refuses certificates raises
    :class:`~regretless.errors.NotCertified`, and needs no mention here.

    Parameters
    ----------
    run : Run
        Of any learner.
    recorder : Recorder or None
        What has tested its rows; None: the run's own.
    delta : float
        The probability that a certificate is wrong.
    """
    if run.ledger.plays == "experts":
        return EXPERTS
    if run.mistakes is None:
        return AMOUNTS if run.ledger.plays == "rows" else NO_ERRORS
    if not run.rounds:
        return "Nothing is certified: no row was learned."
    try:
        guarded(run, certificate_of(run, delta), Counted.online(run), recorder)
    except NotCertified as reason:
        return str(reason)
    return ""


class JudgedModel(Protocol):
    """A model, and what is certified about it, or why not."""

    @property
    def certificate(self) -> Certificate | None:
        """What is certified; None if nothing is."""
        ...

    @property
    def operating_point(self) -> OperatingPoint | None:
        """Its threshold, with what is certified there."""
        ...

    @property
    def why_not(self) -> str:
        """Why nothing is certified."""
        ...


def missing_of(model: JudgedModel) -> str:
    """Why nothing is certified about a model; "" where something is."""
    point = model.operating_point
    if point is not None and point.certificates:
        return ""
    return model.why_not if model.certificate is None else too_few(model.certificate)


def too_few(certificate: Certificate) -> str:
    """Why a certificate says nothing, where all errors are within its bound."""
    full = certificate.cut is None and certificate.value >= certificate.scale
    units = "groups" if "group" in certificate.loss else "rows"
    return TOO_FEW.format(certificate.n, units) if full else ""


def _grows(curve: Floats) -> bool:
    """Whether the mean loss of the last tenth is a multiple of that of the first."""
    if len(curve) < 20:
        return False
    rounds, loss = curve[:, 0], curve[:, 2]
    tenth = max(1, len(curve) // 10)
    first = loss[tenth - 1] / max(rounds[tenth - 1], 1.0)
    last = (loss[-1] - loss[-1 - tenth]) / max(rounds[-1] - rounds[-1 - tenth], 1.0)
    return bool(last > GROWN * first)
