"""A factorization machine: its kernels, who plays with it, and what predicts.

    score = b + w.z + 1/2 sum_f [(sum_i V_if z_i)^2 - sum_i V_if^2 z_i^2]

where z_i is x_i divided by the largest size of feature i so far, x_i included. All
coordinates take an implicit AdaGrad step together: with d the derivative of the score,
and g the slope of the loss,

    G_c += (g d_c)^2,    c -= eta_c u d_c/sqrt(G_c)

where u is the slope at the score that this leads to, as far as the score is linear in
the coordinates; eta_c is eta for b and w, a quarter of it for V. The factors of a
feature are zero until its first row was predicted; then small numbers are added that
depend on a seed and its number alone. Under the squared loss, scores are counted in
units of the first label that is not zero: no prediction depends on the unit of labels.
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
from ...parts.rows import Biased, Measures, Rows, SeenRows, begin, column, end, entry
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
FACTOR_STEP = 0.25  # of the step of weights


class FactorRule(NamedTuple):
    """How a machine learns; `bias` is 1 where there is a b, else 0."""

    loss: Loss
    eta: float
    seed: int
    bias: int
    update: Part = Implicit()


class Factors(NamedTuple):
    """What was learned: a row of each array a feature, that of the bias first."""

    unit: Floats  # one number: of scores; 0 as long as it is not known
    sums: Floats  # room for two numbers a factor: see ``predict``
    weights: Floats
    factors: Floats  # a column a factor
    largest: Floats  # sizes of entries so far; 0: never met
    weight_squares: Floats  # G
    factor_squares: Floats


class FactorRow(NamedTuple):
    """The row [lo, hi) of `rows`; entries from `pairs` on, the bias, are in no pair."""

    rows: SeenRows
    lo: int
    hi: int
    pairs: int


@compiled
def seen(known: Factors, row: FactorRow, k: int) -> tuple[int, float]:
    """The column of an entry, and the entry as it is seen: 0 of a column unknown."""
    j = column(row.rows, k, row.lo, row.hi)
    x = entry(row.rows, k, row.hi)
    if x == 0.0 or j >= known.largest.size:
        return 0, 0.0
    return j, x / max(known.largest[j], abs(x))


@compiled
def predict(known: Factors, row: FactorRow) -> Measures:
    """The score in its unit, |z|^2, and the least and the largest entry of z or 0.

    The first row of ``sums`` becomes sum_i V_if z_i, the second that of the squares.
    """
    rank, sums = known.factors.shape[1], known.sums
    for f in range(rank):
        sums[0, f] = sums[1, f] = 0.0
    score = square = low = high = 0.0
    for k in range(row.lo, row.hi):
        j, z = seen(known, row, k)
        if z == 0.0:
            continue
        score += known.weights[j] * z
        square += z * z
        low = min(low, z)
        high = max(high, z)
        if k < row.pairs:
            for f in range(rank):
                product = known.factors[j, f] * z
                sums[0, f] += product
                sums[1, f] += product * product
    for f in range(rank):
        score += 0.5 * (sums[0, f] * sums[0, f] - sums[1, f])
    return score, square, low, high


@compiled
def observe(known: Factors, row: FactorRow, eta: float, g: float) -> float:
    """Add squared gradients, g the slope; by how much u = 1 would move the score."""
    length = 0.0
    for k in range(row.lo, row.hi):
        j, z = seen(known, row, k)
        if z == 0.0:
            continue
        total = known.weight_squares[j] + g * z * (g * z)
        known.weight_squares[j] = total
        length += eta * z * z / math.sqrt(total) if total > 0.0 else 0.0
        for f in range(known.factors.shape[1] if k < row.pairs else 0):
            d = z * (known.sums[0, f] - known.factors[j, f] * z)
            total = known.factor_squares[j, f] + g * d * (g * d)
            known.factor_squares[j, f] = total
            if total > 0.0:
                length += FACTOR_STEP * eta * d * d / math.sqrt(total)
    return length


@compiled
def move(known: Factors, row: FactorRow, step: float, seed: int, bias: int) -> None:
    """Take a step of eta * u; remember how large entries were; begin new factors."""
    for k in range(row.lo, row.hi):
        j, z = seen(known, row, k)
        if z == 0.0:
            continue
        total = known.weight_squares[j]
        known.weights[j] -= step * z / math.sqrt(total) if total > 0.0 else 0.0
        for f in range(known.factors.shape[1] if k < row.pairs else 0):
            total = known.factor_squares[j, f]
            if total > 0.0:
                d = z * (known.sums[0, f] - known.factors[j, f] * z)
                known.factors[j, f] -= FACTOR_STEP * step * d / math.sqrt(total)
            if known.largest[j] == 0.0:
                drawn = coin(seed, float(j - bias) * MOST_FACTORS + f)
                known.factors[j, f] += SPREAD * (drawn - 0.5)
        known.largest[j] = max(known.largest[j], abs(entry(row.rows, k, row.hi)))


@kernel
def play_factors(
    rule: Any, known: Any, observer: Any, rows: Any, targets: Any, weights: Any
) -> int:
    """Play rows; how many were played, as ``play_rows`` of linear learners does it."""
    for i in range(targets.size):
        y = targets[i]
        hi = end(rows, i)
        row = FactorRow(rows, begin(rows, i), hi, hi - rule.bias)
        score, square, low, high = predict(known, row)
        unit = known.unit[0]
        if unit == 0.0:
            unit = abs(y) if y != 0.0 else 1.0
        told = unit * score
        importance = weights[i] if weights.size > 0 else 1.0
        paid = importance * value(rule.loss, told, y)
        plain = slope(rule.loss, score, y / unit)
        g = importance * plain
        g_square = unit * g * (unit * g) * square
        if not (abs(told) < math.inf and paid <= LARGEST and g_square < math.inf):
            return i
        if y != 0.0:
            known.unit[0] = unit
        length = step = 0.0
        if g != 0.0:
            length = observe(known, row, rule.eta, g)
            at = Standing(score, score, y / unit, plain, importance, length)
            step = rule.eta * advance(rule.update, rule.loss, at)
        move(known, row, step, rule.seed, rule.bias)
        mistake, g_dual = y * told <= 0.0, unit * g * (unit * g) * length
        facts = (square, low, high, g_square, g_dual, length)
        note(observer, PlayedRound(y, told, paid, mistake, g != 0.0, rule.eta, *facts))
    return targets.size


@kernel
def score_factors(known: Any, rows: Any, bias: int, out: Any) -> None:
    """Score rows, and learn nothing."""
    unit = known.unit[0] if known.unit[0] > 0.0 else 1.0
    for i in range(out.size):
        hi = end(rows, i)
        row = FactorRow(rows, begin(rows, i), hi, hi - bias)
        out[i] = unit * predict(known, row)[0]


LEARNS: dict[str, object] = {
    "unit": SIZES,
    "weights": Sized("columns"),
    "factors": Sized("columns", "rank"),
    "largest": Sized("columns", holds=SIZES),
    "weight_squares": Sized("columns", holds=SIZES),
    "factor_squares": Sized("columns", "rank", holds=SIZES),
}


PREDICTS = {name: kind for name, kind in LEARNS.items() if "squares" not in name}


def new_factors(size: int, rank: int, unit: float = 0.0) -> Factors:
    """Those of so many features, none of which was met."""
    shapes = ((2, rank), size, (size, rank), size, size, (size, rank))
    return Factors(np.array([unit]), *map(np.zeros, shapes))


def first_of(known: Factors, size: int) -> Factors:
    """Those of the first features."""
    return Factors(known.unit, known.sums, *(array[:size] for array in known[2:]))


NOTHING = new_factors(0, 0)


class FrozenFactors(Hypothesis, stored_as="factorization-machine"):
    """A factorization machine that predicts, and does not move.

    Of features that came late nothing may be `known`; the first row of its arrays is
    that of the bias, if it is `biased`.
    """

    kept = keep("biased", n_features=Range(0, LARGEST_COLUMN), known=PREDICTS)

    noun: ClassVar[str] = "factorization machine"
    weighs = True
    effect_of = "1 alone"
    shows: ClassVar[tuple[str, ...]] = ("bias",)

    def __init__(
        self, known: Factors = NOTHING, n_features: int = 0, biased: bool = False
    ) -> None:
        self.known = known
        self.n_features = n_features
        self.biased = biased

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows."""
        out = np.empty(n)
        code, arguments = self.scoring(rows, out)
        code(*arguments)
        return out

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments."""
        known = self.known._replace(sums=np.zeros((2, self.known.factors.shape[1])))
        arguments = (known, Biased(rows) if self.biased else rows, self.biased, out)
        return machine_code(score_factors, arguments), arguments

    def grow(self, n_features: int) -> None:
        """Features that came later add nothing."""
        self.n_features = max(self.n_features, n_features)

    def fitted(self, n_features: int, n_classes: int) -> FrozenFactors:
        """The same for so many features; it may have met names of a bad row."""
        known = first_of(self.known, n_features + self.biased)
        return FrozenFactors(known, n_features, self.biased)

    @property
    def unit(self) -> float:
        """What its scores are counted in."""
        return float(self.known.unit[0]) or 1.0

    def weights(self) -> Floats:
        """One a feature, of rows as they come."""
        known = first_of(self.known, self.n_features + self.biased)
        own = self.unit * known.weights / np.where(known.largest, known.largest, 1.0)
        later = self.n_features + self.biased - own.size
        return np.pad(own, (0, later))[self.biased :]

    @property
    def bias(self) -> float:
        """What is added to each score."""
        return self.unit * float(self.known.weights[: self.biased].sum())

    def effects(self) -> Effects:
        """The weights: what 1 of a feature adds in a row that has nothing else."""
        return effects_of_one(self.weights())

    def describe(self) -> str:
        """How many weights and factors."""
        rank = self.known.factors.shape[1]
        return f"{self.n_features:,} weights, each with {rank:,} factors of pairs"


class FactorPlayer(RowPlayer):
    """A factorization machine that plays.

    Parameters
    ----------
    rule : FactorRule
        How it learns.
    rank : int
        How many factors a feature has.
    n_features : int
        Features that have appeared.
    """

    kept = keep(learned=LEARNS)

    def __init__(self, rule: FactorRule, rank: int, n_features: int = 0) -> None:
        self.rule = canonical(rule)
        self.bias = bool(rule.bias)
        unit = 0.0 if isinstance(rule.loss, Squared) else 1.0
        self.known = new_factors(n_features + self.bias, rank, unit)
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
        arguments = (self.rule, self.known, observer, seen_rows, targets, importance)
        return machine_code(play_factors, arguments), arguments

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments."""
        return self._now().scoring(rows, out)

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows, learning nothing."""
        return self._now().scores(rows, n)

    def held(self) -> tuple[object, ...]:
        """What was learned."""
        return (self.known,)

    def hypothesis(self) -> FrozenFactors:
        """What it would predict with now."""
        predicts = {name: getattr(self.learned, name).copy() for name in PREDICTS}
        known = NOTHING._replace(**predicts)
        return FrozenFactors(known, self.n_features, self.bias)

    def _now(self) -> FrozenFactors:
        """The same, but that it will move."""
        return FrozenFactors(self.known, self.n_features, self.bias)

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
            for mine, before in zip(self.known[2:], old[2:], strict=True):
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
