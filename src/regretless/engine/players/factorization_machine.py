"""A factorization machine: its kernels, who plays with it, and what predicts.

    score = b + w.z + 1/2 sum_f [(sum_i V_if z_i)^2 - sum_i V_if^2 z_i^2]

where z_i is x_i divided by the largest size of feature i so far, x_i included. All
coordinates take an implicit AdaGrad step together: with d the derivative of the score,
and g the slope of the loss,

    G_c += (g d_c)^2,    c -= eta_c u d_c/sqrt(G_c)

where u is the slope at the score that this leads to, as far as the score is linear in
the coordinates; eta_c is eta for b and w, half of it for V. The factors of a feature
are zero until its first row was predicted. Then small numbers are added to them that
depend on a seed and the number of the feature alone.

Scores are counted in units of the first amount that is not zero, where the loss is the
squared one: then no prediction depends on the unit of the labels.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...parts.generic import canonical, compiled
from ...parts.lengths import length_of
from ...parts.losses import LARGEST, Squared, slope, value
from ...parts.observers import PlayedRound, TraceArrays, note, traced
from ...parts.part_types import Loss, Part
from ...parts.rows import Biased, Rows, begin, column, end, entry
from ...parts.rules.majority import coin
from ...parts.state import Floats
from ...parts.updates import Implicit, Standing, advance
from ..hypotheses.feature_effects import Effects, effects_of_one
from ..hypotheses.hypothesis import Hypothesis
from ..kernels.compiled import entry as machine_code
from ..kernels.compiled import kernel
from ..storage import SIZES, Range, Sized, keep
from .row_player import EQUAL, LARGEST_COLUMN, Call, RowPlayer

MOST_FACTORS = 1024  # each has a number of its own within its feature
SPREAD = 0.1  # factors begin between -half of it and half of it
FACTOR_STEP = 0.5  # of the step of weights


class Rule(NamedTuple):
    """How a machine learns."""

    loss: Loss
    eta: float
    seed: int
    bias: int
    update: Part = Implicit()


class Factors(NamedTuple):
    """What was learned: a row of each array a feature, that of the bias first."""

    unit: Floats  # one number: of scores; 0 as long as it is not known
    weights: Floats
    factors: Floats  # a column a factor
    largest: Floats  # sizes of entries so far; 0: never met
    weight_squares: Floats  # G; what only predicts has none
    factor_squares: Floats


@compiled
def seen(known: Factors, rows: Any, k: int, lo: int, hi: int) -> tuple[int, float]:
    """The column of an entry, and the entry as it is seen: 0 of a column unknown."""
    j = column(rows, k, lo, hi)
    x = entry(rows, k, hi)
    if x == 0.0 or j >= known.largest.size:
        return 0, 0.0
    return j, x / max(known.largest[j], abs(x))


@compiled
def predict(
    known: Factors, sums: Floats, rows: Any, lo: int, hi: int, bias: int
) -> tuple[float, float, float, float]:
    """The score in its unit, |z|^2, and the least and the largest entry of z or 0.

    The first row of `sums` becomes sum_i V_if z_i, the second one that of the squares.
    """
    rank = known.factors.shape[1]
    for f in range(rank):
        sums[0, f] = sums[1, f] = 0.0
    score = square = low = high = 0.0
    for k in range(lo, hi):
        j, z = seen(known, rows, k, lo, hi)
        score += known.weights[j] * z if z != 0.0 else 0.0
        square += z * z
        low = min(low, z)
        high = max(high, z)
        if z != 0.0 and k < hi - bias:
            for f in range(rank):
                product = known.factors[j, f] * z
                sums[0, f] += product
                sums[1, f] += product * product
    for f in range(rank):
        score += 0.5 * (sums[0, f] * sums[0, f] - sums[1, f])
    return score, square, low, high


@compiled
def observe(
    rule: Rule,
    known: Factors,
    sums: Floats,
    rows: Any,
    lo: int,
    hi: int,
    gradient: float,
) -> float:
    """Add squared gradients, `gradient` the slope; how far a step of 1 moves a score."""
    length = 0.0
    for k in range(lo, hi):
        j, z = seen(known, rows, k, lo, hi)
        if z == 0.0:
            continue
        total = known.weight_squares[j] + gradient * z * (gradient * z)
        known.weight_squares[j] = total
        length += rule.eta * z * z / math.sqrt(total) if total > 0.0 else 0.0
        if k < hi - rule.bias:
            for f in range(known.factors.shape[1]):
                d = z * (sums[0, f] - known.factors[j, f] * z)
                total = known.factor_squares[j, f] + gradient * d * (gradient * d)
                known.factor_squares[j, f] = total
                eta = FACTOR_STEP * rule.eta
                length += eta * d * d / math.sqrt(total) if total > 0.0 else 0.0
    return length


@compiled
def move(
    rule: Rule,
    known: Factors,
    sums: Floats,
    rows: Any,
    lo: int,
    hi: int,
    step: float,
) -> None:
    """Take a step, which is a number u of the module's docstring."""
    for k in range(lo, hi):
        j, z = seen(known, rows, k, lo, hi)
        if z == 0.0:
            continue
        total = known.weight_squares[j]
        if total > 0.0:
            known.weights[j] -= rule.eta * step * z / math.sqrt(total)
        if k < hi - rule.bias:
            for f in range(known.factors.shape[1]):
                total = known.factor_squares[j, f]
                if total > 0.0:
                    d = z * (sums[0, f] - known.factors[j, f] * z)
                    change = FACTOR_STEP * rule.eta * step * d / math.sqrt(total)
                    known.factors[j, f] -= change


@compiled
def remember(rule: Rule, known: Factors, rows: Any, lo: int, hi: int) -> None:
    """Remember how large the entries were; a new feature begins to have factors."""
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        x = abs(entry(rows, k, hi))
        if x > known.largest[j]:
            if known.largest[j] == 0.0 and k < hi - rule.bias:
                first = float(j - rule.bias) * MOST_FACTORS
                for f in range(known.factors.shape[1]):
                    known.factors[j, f] += SPREAD * (coin(rule.seed, first + f) - 0.5)
            known.largest[j] = x


@kernel
def play_factors(
    rule: Any,
    known: Any,
    sums: Any,
    observer: Any,
    rows: Any,
    targets: Any,
    weights: Any,
) -> int:
    """Play rows; how many were played, as ``play_rows`` of linear learners does it."""
    for i in range(targets.size):
        y = targets[i]
        lo = begin(rows, i)
        hi = end(rows, i)
        score, square, low, high = predict(known, sums, rows, lo, hi, rule.bias)
        unit = known.unit[0]
        if unit == 0.0:
            unit = abs(y) if y != 0.0 else 1.0
        told = unit * score
        importance = weights[i] if weights.size > 0 else 1.0
        paid = importance * value(rule.loss, told, y)
        plain = slope(rule.loss, score, y / unit)
        gradient = importance * plain
        steep = unit * gradient
        g_square = steep * steep * square
        if not (abs(told) < math.inf and paid <= LARGEST and g_square < math.inf):
            return i
        if y != 0.0:
            known.unit[0] = unit
        length = g_dual = 0.0
        updated = gradient != 0.0
        if updated:
            length = observe(rule, known, sums, rows, lo, hi, gradient)
            g_dual = steep * steep * length
            at = Standing(score, score, y / unit, plain, importance, length)
            step = advance(rule.update, rule.loss, at)
            move(rule, known, sums, rows, lo, hi, step)
        remember(rule, known, rows, lo, hi)
        mistake, eta = y * told <= 0.0, rule.eta if updated else 0.0
        facts = (square, low, high, g_square, g_dual, length)
        note(observer, PlayedRound(y, told, paid, mistake, updated, eta, *facts))
    return targets.size


@kernel
def score_factors(known: Any, sums: Any, rows: Any, bias: int, out: Any) -> None:
    """Score rows, and learn nothing."""
    unit = known.unit[0] if known.unit[0] > 0.0 else 1.0
    for i in range(out.size):
        lo = begin(rows, i)
        hi = end(rows, i)
        out[i] = unit * predict(known, sums, rows, lo, hi, bias)[0]


PREDICTS: dict[str, object] = {
    "unit": SIZES,
    "weights": Sized("columns"),
    "factors": Sized("columns", "rank"),
    "largest": Sized("columns", holds=SIZES),
}
LEARNS: dict[str, object] = {
    **PREDICTS,
    "weight_squares": Sized("columns", holds=SIZES),
    "factor_squares": Sized("columns", "rank", holds=SIZES),
}


def new_factors(size: int, rank: int, unit: float = 0.0) -> Factors:
    """Those of so many features, none of which was met."""
    return Factors(
        np.array([unit]),
        np.zeros(size),
        np.zeros((size, rank)),
        np.zeros(size),
        np.zeros(size),
        np.zeros((size, rank)),
    )


def first_of(known: Factors, size: int) -> Factors:
    """Those of the first features."""
    return Factors(known.unit, *(array[:size] for array in known[1:]))


def scoring(known: Factors, rows: Rows, bias: bool, out: Floats) -> Call:
    """What scores `rows` into `out`, in room of its own: threads may predict at once."""
    seen_rows = Biased(rows) if bias else rows
    arguments = (known, new_sums(known), seen_rows, int(bias), out)
    return machine_code(score_factors, arguments), arguments


def new_sums(known: Factors) -> Floats:
    """Room for what :func:`predict` adds up."""
    return np.zeros((2, known.factors.shape[1]))


class FrozenFactors(Hypothesis, stored_as="factorization-machine"):
    """A factorization machine that predicts, and does not move.

    Parameters
    ----------
    known : Factors
        What was learned; of features that came later there is nothing.
    n_features : int
        Features that have appeared.
    biased : bool
        Whether the first row of each array is that of the bias.
    """

    kept = keep("biased", n_features=Range(0, LARGEST_COLUMN), known=PREDICTS)

    noun: ClassVar[str] = "factorization machine"
    weighs: ClassVar[bool] = True
    effect_of: ClassVar[str] = "1 alone"
    shows: ClassVar[tuple[str, ...]] = ("bias", "factors")

    def __init__(
        self,
        known: Factors = new_factors(0, 0),  # noqa: B008
        n_features: int = 0,
        *,
        biased: bool = False,
    ) -> None:
        self.known = known
        self.n_features = n_features
        self.biased = biased

    def check_state(self) -> None:
        """It has learned of no more features than have appeared."""
        if self.known.weights.size > self.n_features + self.biased:
            raise ValueError("it has more weights than there are features")

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows."""
        out = np.empty(n)
        code, arguments = self.scoring(rows, out)
        code(*arguments)
        return out

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments."""
        return scoring(self.known, rows, self.biased, out)

    def grow(self, n_features: int) -> None:
        """Features that came later add nothing."""
        self.n_features = max(self.n_features, n_features)

    def fitted(self, n_features: int, n_classes: int) -> FrozenFactors:
        """The same for so many features; it may have met names of a bad row."""
        known = first_of(self.known, n_features + self.biased)
        return FrozenFactors(known, n_features, biased=self.biased)

    @property
    def unit(self) -> float:
        """What its scores are counted in."""
        return float(self.known.unit[0]) or 1.0

    def weights(self) -> Floats:
        """One a feature, of rows as they come."""
        return self._raw(self.known.weights * self.unit)

    @property
    def bias(self) -> float:
        """What is added to each score."""
        return float(self.known.weights[: self.biased].sum() * self.unit)

    @property
    def factors(self) -> Floats:
        """A row a feature, of rows as they come: two of them say what a pair adds."""
        return self._raw(self.known.factors * math.sqrt(self.unit))

    def _raw(self, numbers: Floats) -> Floats:
        """Numbers of entries as they are seen, as those of rows as they come."""
        largest = np.where(self.known.largest > 0.0, self.known.largest, 1.0)
        own = (numbers.T / largest).T[self.biased :]
        found = np.zeros((self.n_features, *own.shape[1:]))
        found[: len(own)] = own
        return found

    def effects(self) -> Effects:
        """The weights: what 1 of a feature adds in a row that has nothing else."""
        return effects_of_one(self.weights())

    def notes(self) -> list[tuple[str, list[tuple[str, ...]]]]:
        """How pairs of features count."""
        rank = self.known.factors.shape[1]
        counts = f"{rank:,} factors each: explain(X) has their part in rows"
        return [("pairs of features", [("what they add", counts)])] if rank else []

    def describe(self) -> str:
        """How many weights and factors."""
        rank = self.known.factors.shape[1]
        return f"{self.n_features:,} weights, and {rank:,} factors each"


class FactorPlayer(RowPlayer):
    """A factorization machine that plays.

    Parameters
    ----------
    loss : Loss
        What a prediction costs.
    rank : int
        How many factors a feature has.
    eta : float
        The step of weights.
    seed : int
        What the first factors depend on.
    bias : bool
        Whether there is a b.
    n_features : int
        Features that have appeared.
    """

    kept = keep(learned=LEARNS)

    def __init__(
        self,
        loss: Loss,
        rank: int,
        eta: float,
        seed: int,
        *,
        bias: bool,
        n_features: int = 0,
    ) -> None:
        self.bias = bias
        self.rule = canonical(Rule(loss, eta, seed, int(bias)))
        unit = 0.0 if isinstance(loss, Squared) else 1.0
        self.known = new_factors(n_features + bias, rank, unit)
        self._sums = new_sums(self.known)
        super().__init__(n_features)

    @property
    def binary(self) -> bool:
        """Whether labels are -1 and +1."""
        return self.loss.task == "binary"

    @property
    def loss(self) -> Loss:
        """What a prediction costs."""
        return self.rule.loss

    def playing(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats = EQUAL,
        trace: TraceArrays | None = None,
    ) -> Call:
        """The machine code that plays `rows`, and its arguments."""
        seen_rows = Biased(rows) if self.bias else rows
        observer = traced(self.statistics, trace)
        book = (self.known, self._sums, observer)
        arguments = (self.rule, *book, seen_rows, targets, importance)
        return machine_code(play_factors, arguments), arguments

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments."""
        return scoring(self.known, rows, self.bias, out)

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows, learning nothing."""
        return self._now().scores(rows, n)

    def held(self) -> tuple[object, ...]:
        """What was learned."""
        return (self.known,)

    def hypothesis(self) -> FrozenFactors:
        """What it would predict with now."""
        return self._now().copy()

    def _now(self) -> FrozenFactors:
        """The same, but that it will move."""
        return FrozenFactors(self.learned, self.n_features, biased=self.bias)

    def weights(self) -> Floats:
        """The weights of the features, of rows as they come."""
        return self._now().weights()

    def bias_weight(self) -> float:
        """The weight of the bias, 0 without one."""
        return self._now().bias

    def weight_norm(self) -> float:
        """|(b, w)| of rows as they come."""
        return length_of(self.all_weights())

    def grow(self, n_features: int) -> None:
        """Make room for more features; the arrays double."""
        super().grow(n_features)
        size, old = self.n_features + self.bias, self.known
        if size > old.weights.size:
            room = max(size, 2 * old.weights.size)
            self.known = new_factors(room, old.factors.shape[1], float(old.unit[0]))
            for mine, before in zip(self.known[1:], old[1:], strict=True):
                mine[: len(before)] = before

    @property
    def learned(self) -> Factors:
        """What was learned without room to grow; ValueError where it does not fit."""
        return first_of(self.known, self.n_features + self.bias)

    @learned.setter
    def learned(self, found: Factors) -> None:
        rank, size = self.known.factors.shape[1], self.n_features + self.bias
        if found.factors.shape != (size, rank):
            raise ValueError(f"it has not {size:,} features of {rank:,} factors")
        self.known = found
