"""Where a model of two classes says yes, and what is certified about that point.

A row is flagged (predicted +1) where its score exceeds the threshold. The threshold is
chosen on rows that were learned, and judged by sealed ones: there the model and the
threshold are fixed, so that within a class, and among the flagged rows, errors are
independent: Clopper-Pearson on that count.

A goal for recall is met by the sealed rows themselves. With s_(1) <= ... <= s_(n) the
scores of the sealed rows of the positive class, recall at the threshold s_(k) (rows as
high as it are flagged) is below r with probability ::

    P(Binomial(n, 1 - r) <= k - 1)

at most, so the largest k for which that is at most delta promises what was asked. The
count of positive rows has chosen the threshold then, and certifies nothing more; the
negative rows have not, and do.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...parts.documents import Document
from ...parts.notebook_html import Printed, as_text
from ...parts.state import Floats
from ..certify import Certificate, betting, clopper_pearson

CLIP = 0.01  # probabilities below it count as this much in the certified log loss
WORDS = {
    "false negatives": "recall{of} is at least {rest:.1%}",
    "false alarms": "precision at least {rest:.1%}",
    "false positives": "false positives at most {bound:.1%}",
    "cost": "cost at most {bound:.4g} a row",
}
"""What a certificate says of a threshold, in the order in which it is said."""
FORMS = "recall=0.9, precision=0.8, cost:fp=1,fn=20, or a number such as 0.3"


class Goal(NamedTuple):
    """What a threshold is for.

    Attributes
    ----------
    kind : str
        "recall", "precision", "cost" or "at".
    value : float
        The share that was asked for, or the threshold itself.
    fp, fn : float
        What a false positive and a false negative cost.
    """

    kind: str
    value: float = 0.0
    fp: float = 1.0
    fn: float = 1.0

    def __str__(self) -> str:
        """As it is written."""
        if self.kind == "cost":
            return f"cost:fp={self.fp:g},fn={self.fn:g}"
        return f"{self.value:g}" if self.kind == "at" else f"{self.kind}={self.value:g}"

    _repr_html_ = as_text


def parse_goal(given: str | float) -> Goal:
    """The goal that a text says.

    Raises
    ------
    ValueError
        In one line, with what may be said.

    Examples
    --------
    >>> from regretless.evidence.claims.operating_point import parse_goal
    >>> str(parse_goal("recall=0.9")), str(parse_goal("cost: fp=1, fn=20"))
    ('recall=0.9', 'cost:fp=1,fn=20')
    """
    plain = "".join(str(given).lower().split())
    try:
        kind, equals, number = plain.partition("=")
        if plain.startswith("cost:"):
            costs = dict(one.split("=") for one in plain[5:].split(","))
            goal = Goal("cost", fp=float(costs.pop("fp")), fn=float(costs.pop("fn")))
            good = not costs and 0.0 < goal.fp < math.inf and 0.0 < goal.fn < math.inf
        elif not equals:
            goal = Goal("at", _share(plain))
            good = math.isfinite(goal.value)
        else:
            goal = Goal(kind, _share(number))
            good = kind in ("recall", "precision") and 0.0 < goal.value < 1.0
    except (ValueError, KeyError):
        good, goal = False, Goal("at")
    if not good:
        raise ValueError(f"--threshold {given}: write {FORMS}")
    return goal


def _share(text: str) -> float:
    return float(text[:-1]) / 100.0 if text.endswith("%") else float(text)


@dataclass(frozen=True)
class OperatingPoint(Printed):
    """A threshold, and what is known about it.

    Attributes
    ----------
    threshold : float
        A row whose score is larger is flagged.
    goal : str
        What was asked for; "" where nothing was.
    chosen : str
        By which rows it was chosen.
    shown : float
        The threshold as a probability, where scores are log-odds; else the score.
    flagged : float or None
        The share of the sealed rows that are flagged.
    certificates : dict
        Upper bounds by what they are about: "false positives" and "false negatives"
        (of the rows of that class), "false alarms" (of the flagged rows), "cost" (a
        row), "log loss" (with probabilities clipped to 1%).
    positive : str
        The label of the rows that are looked for; "" where it is not known.
    """

    threshold: float = 0.0
    goal: str = ""
    chosen: str = ""
    shown: float = 0.5
    flagged: float | None = None
    certificates: dict[str, Certificate] = field(default_factory=dict[str, Certificate])
    positive: str = ""

    def as_dict(self) -> Document:
        """As plain data."""
        plain = {name: one.as_dict() for name, one in self.certificates.items()}
        return {**dataclasses.asdict(self), "certificates": plain}

    @classmethod
    def from_dict(cls, plain: Document) -> OperatingPoint:
        """The point that :meth:`as_dict` described."""
        kept = dict(plain["certificates"]).items()
        found = {str(name): Certificate.from_dict(one) for name, one in kept}
        flagged = plain["flagged"]
        return cls(
            threshold=float(plain["threshold"]),
            goal=str(plain["goal"]),
            chosen=str(plain["chosen"]),
            shown=float(plain["shown"]),
            flagged=None if flagged is None else float(flagged),
            certificates=found,
            positive=str(plain.get("positive", "")),
        )

    def __str__(self) -> str:
        """In one line: what holds at this threshold."""
        found = self.certificates
        of = f" of {self.positive}" if self.positive else ""
        said = [
            words.format(bound=found[name].value, rest=1 - found[name].value, of=of)
            for name, words in WORDS.items()
            if name in found
        ]
        asked = parse_goal(self.goal) if self.goal else Goal("at")
        alarms = found.get("false alarms")
        wanted = asked.value if asked.kind == "precision" else 0.0
        if alarms is not None and 1.0 - alarms.value < wanted:
            said.append(f"less precise than the {wanted:.1%} asked for")
        at = f"at threshold {self.shown:.3g}"
        if not said:
            if asked.kind == "at":
                return f"{at}, as asked"
            return f"{at}, for {self.goal}{of}, chosen on {self.chosen}"
        sure = 1.0 - next(iter(found.values())).delta
        each = "each " if len(said) > 1 else ""
        return (
            f"{at} {', '.join(said)} ({each}with probability {sure:g}); "
            f"{self.flagged:.1%} of rows are flagged"
        )


def choose(goal: Goal, scores: Floats, targets: Floats) -> float:
    """The threshold that meets a goal on these rows, which were learned.

    Parameters
    ----------
    goal : Goal
        Not "at".
    scores, targets : array
        Of the rows; targets are -1 and +1.

    Raises
    ------
    ValueError
        Where none does, in one line.
    """
    up = targets > 0.0
    if not up.any() or up.all():
        raise ValueError(f"--threshold {goal}: the last rows have one class only")
    if goal.kind == "recall":
        ordered = np.sort(scores[up])
        missed = min(int((1.0 - goal.value) * ordered.size + 1e-9), ordered.size - 1)
        found = _below(float(ordered[missed]))
        if (scores > found).all():
            raise ValueError(_every_row(goal))
        return found
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    right = np.cumsum(up[order])
    wrong = np.arange(1, ranked.size + 1) - right
    last = np.append(ranked[1:] < ranked[:-1], True)  # of rows that score the same
    if goal.kind == "precision":
        precision = right / (right + wrong)
        good = np.flatnonzero(last & (precision >= goal.value))
        if not good.size:
            best = float(precision[last].max())
            raise ValueError(
                f"--threshold {goal}: no threshold is that precise on the rows learned "
                f"last; {best:.1%} is the most: ask for less"
            )
        return _below(float(ranked[good[-1]]))
    costs = goal.fp * wrong + goal.fn * (int(up.sum()) - right)
    costs = np.where(last, costs, np.inf)
    best = int(np.argmin(costs))
    if goal.fn * float(up.sum()) <= costs[best]:
        return float(ranked[0])  # to flag nothing is cheapest
    return _below(float(ranked[best]))


def sealed_recall(goal: Goal, scores: Floats, delta: float) -> float:
    """The threshold that promises a recall: an order statistic of sealed positives.

    Raises
    ------
    ValueError
        Where there are too few of them.
    """
    from scipy.stats import binom

    n, miss = scores.size, 1.0 - goal.value
    k = int(np.sum(binom.cdf(np.arange(n), n, miss) <= delta))
    if k == 0:
        need = math.ceil(math.log(delta) / math.log(goal.value))
        raise ValueError(
            f"{_every_row(goal)}: {need:,} sealed rows of the positive class are "
            f"needed to promise it, and there are {n:,}: seal more, or ask for less"
        )
    return _below(float(np.sort(scores)[k - 1]))


def sealed_point(
    goal: Goal | None,
    threshold: float,
    scores: Floats,
    targets: Floats,
    delta: float,
    *,
    chosen: str = "",
    log_odds: bool = False,
) -> OperatingPoint:
    """What the sealed rows say about a threshold; for a recall, they choose it.

    Parameters
    ----------
    goal : Goal or None
        What was asked for.
    threshold : float
        What was chosen on other rows; not used where the goal is a recall.
    scores, targets : array
        Of the sealed rows that have a label; nan: one that was never learned.
    delta : float
        Of each certificate.
    chosen : str
        By which rows the threshold was chosen.
    log_odds : bool
        Whether scores are log-odds.
    """
    up, down = targets > 0.0, targets < 0.0
    recall = goal if goal is not None and goal.kind == "recall" else None
    if recall is not None:
        threshold = sealed_recall(recall, scores[up], delta)
        chosen = f"{int(up.sum()):,} sealed rows of the positive class"
        if (scores > threshold).all():
            raise ValueError(f"{_every_row(recall)}: ask for less")
    flags = scores > threshold
    wrong, missed = int((flags & ~up).sum()), int((~flags & up).sum())
    found: dict[str, Certificate] = {}
    if recall is not None:
        found["false negatives"] = _sealed(
            1.0 - recall.value,
            delta,
            "an order statistic of the sealed positives",
            int(up.sum()),
            missed,
            "rate of false negatives",
        )
    else:
        _add(found, "false negatives", int(up.sum()), missed, delta)
        _add(found, "false alarms", int(flags.sum()), wrong, delta)
    _add(found, "false positives", int(down.sum()), int((flags & down).sum()), delta)
    if goal is not None and goal.kind == "cost" and scores.size:
        found["cost"] = _cost(goal, scores.size, wrong, missed, delta)
    if log_odds and scores.size and recall is None:
        found["log loss"] = _log_loss(scores, targets, delta)
    return OperatingPoint(
        threshold=threshold,
        goal="" if goal is None else str(goal),
        chosen=chosen,
        shown=probability_of(threshold) if log_odds else threshold,
        flagged=float(flags.mean()) if scores.size else None,
        certificates=found,
    )


def _add(
    found: dict[str, Certificate], name: str, n: int, errors: int, delta: float
) -> None:
    """A certificate of one rate; where there is no such row, nothing is known."""
    if n:
        value = clopper_pearson(n, errors, delta)
        loss = f"rate of {name}"
        found[name] = _sealed(value, delta, "Clopper-Pearson", n, errors, loss)


def _sealed(
    value: float,
    delta: float,
    method: str,
    n: int,
    total: float,
    loss: str,
    scale: float = 1.0,
) -> Certificate:
    """A certificate about the model, by sealed rows."""
    return Certificate(
        value=value,
        delta=delta,
        method=method,
        about="this model",
        n=n,
        total=float(total),
        scope="sealed rows, never seen",
        loss=loss,
        scale=scale,
    )


def _cost(goal: Goal, n: int, wrong: int, missed: int, delta: float) -> Certificate:
    """What a row costs at most: both counts at half of delta."""
    value = goal.fp * clopper_pearson(n, wrong, delta / 2.0)
    value += goal.fn * clopper_pearson(n, missed, delta / 2.0)
    most = max(goal.fp, goal.fn)
    total = (goal.fp * wrong + goal.fn * missed) / most
    method = "Clopper-Pearson on both counts, at delta/2 each"
    return _sealed(min(value, most), delta, method, n, total, "cost of a row", most)


def _log_loss(scores: Floats, targets: Floats, delta: float) -> Certificate:
    """The mean log loss of probabilities that are clipped to [CLIP, 1], by betting."""
    most = -math.log(CLIP)
    losses: Floats = np.logaddexp(0.0, -np.nan_to_num(targets, nan=-np.inf) * scores)
    losses = np.minimum(np.nan_to_num(losses, nan=most, posinf=most), most) / most
    value = most * betting(losses, delta, float(losses.size))
    loss = f"log loss, probabilities clipped to {CLIP:.0%}"
    total = float(losses.sum())
    return _sealed(value, delta, "betting", losses.size, total, loss, most)


def _below(score: float) -> float:
    """The largest threshold at which this score is flagged."""
    return float(np.nextafter(score, -np.inf))


def probability_of(score: float) -> float:
    """The probability whose log-odds are this score."""
    return 1.0 / (1.0 + math.exp(-max(min(score, 700.0), -700.0)))


def _every_row(goal: Goal) -> str:
    return f"--threshold {goal} would flag every row"
