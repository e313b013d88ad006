"""What a comparator u would have paid and met on the rounds that a learner played.

The data are read once more and the learner plays them again, a batch at a time, because
some theorems charge u only where the learner erred or moved.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...data import Batch, Source
from ...engine.ledger import Ledger
from ...engine.players.linear import LinearPlayer
from ...parts.documents import Document
from ...parts.penalties import strength
from ...parts.rows import Biased, some_rows
from ...parts.state import Floats
from .budget import spend
from .solution import Solution

AGAIN = 4  # times the work of one pass: rows are read, played, and judged by u


@dataclass(frozen=True, repr=False, eq=False)
class ComparatorLedger(Solution):
    """A comparator, and what it pays and meets.

    Attributes
    ----------
    u : ndarray
        All its weights; that of the bias first, where there is one.
    rounds : int
        Rounds played.
    loss : float
        The sum over all rounds of the learner's own loss, at u.
    penalty : float
        The sum over all rounds of the learner's own penalty, at u.
    loss_on_mistakes, loss_on_updates : float
        The part of the loss on the rounds where the learner erred, and moved.
    mistakes, updates : int
        How many rounds these were.
    min_margin, min_margin_on_mistakes : float or None
        min y*(u.x - threshold) over all rounds, and over the learner's mistakes (inf
        where it made none); None where labels are real numbers.
    max_score : float
        max |u.x - threshold|.
    squares_on_updates : float
        The sum of (u.x - threshold)^2 on the rounds where the learner moved.
    distance : float
        |w - u|, w the learner's weights after the last round.
    approach : float
        |u|^2 - |w - u|^2, computed as w.(2u - w), which loses no digits.
    tallies : dict
        What the learner's geometry has summed for its own theorems, by name.
    """

    problem = "a comparator u pays"

    u: Floats
    rounds: int
    loss: float
    penalty: float
    loss_on_mistakes: float
    loss_on_updates: float
    mistakes: int | None
    updates: int
    min_margin: float | None
    min_margin_on_mistakes: float | None
    max_score: float
    squares_on_updates: float
    distance: float
    approach: float
    tallies: Document = field(default_factory=dict[str, object])

    @property
    def objective(self) -> float:
        """The loss with the penalty: what the learner's own loss is compared with."""
        return self.loss + self.penalty

    @cached_property
    def norm1(self) -> float:
        """|u|_1."""
        return float(np.abs(self.u).sum())

    @cached_property
    def norm(self) -> float:
        """|u|_2."""
        return float(np.linalg.norm(self.u))

    @cached_property
    def norm_inf(self) -> float:
        """|u|_inf."""
        return float(np.abs(self.u).max(initial=0.0))

    @cached_property
    def sum_u_log_u(self) -> float | None:
        """Sum of u_i ln u_i, as Winnow's divergence wants; None if some u_i < 0."""
        if (self.u < 0.0).any():
            return None
        positive = self.u[self.u > 0.0]
        return float((positive * np.log(positive)).sum())

    @cached_property
    def entropy(self) -> float:
        """H of |u|/|u|_1, as EG's bound wants; 0 at u = 0."""
        sizes = np.abs(self.u[self.u != 0.0])
        if sizes.size == 0:
            return 0.0
        shares = sizes / sizes.sum()
        return max(0.0, float(-(shares * np.log(shares)).sum()))

    def lines(self) -> list[tuple[str, str]]:
        """The comparison as (what, how much), for people."""
        rows = [("loss", f"{self.loss:,.6g}  in {self.rounds:,} rounds")]
        if self.penalty > 0.0:
            rows.append(("penalty", f"{self.penalty:,.6g}"))
        if self.mistakes is not None:
            mistakes = f"{self.loss_on_mistakes:,.6g}  in {self.mistakes:,} rounds"
            rows += [
                ("where the learner erred", mistakes),
                ("smallest margin", f"{self.min_margin:.6g}"),
            ]
        return [
            *rows,
            (
                "where the learner moved",
                f"{self.loss_on_updates:,.6g}  in {self.updates:,} rounds",
            ),
            (
                "|u|_1, |u|_2, |u|_inf",
                f"{self.norm1:.6g}, {self.norm:.6g}, {self.norm_inf:.6g}",
            ),
        ]


def compare_with(
    source: Source,
    player_factory: Callable[[int | None], LinearPlayer],
    u: npt.ArrayLike,
    bias_weight: float = 0.0,
) -> ComparatorLedger:
    """Play the learner again and let `u` pay beside it.

    Parameters
    ----------
    source : Source
        The data, which must be readable again.
    player_factory : callable
        From the number of features to a player at its start: ``learner.player``.
    u : array
        The weights of the comparator, one a feature.
    bias_weight : float
        The weight of its bias, for a learner with a bias.

    Returns
    -------
    ComparatorLedger
        What u pays and meets.

    Examples
    --------
    >>> import regretless as rg
    >>> from regretless.evidence.hindsight import compare_with
    >>> from regretless.data import open_source
    >>> rows = open_source(
    ...     [[1.0, 2.0], [2.0, 1.0], [-1.0, 1.0]], [1, 1, -1], binary=True
    ... )
    >>> found = compare_with(rows, rg.Perceptron().player, [1.0, -0.5])
    >>> found.loss, found.loss_on_mistakes, found.min_margin
    (1.0, 1.0, 0.0)
    """
    *_, (_, found) = compare_along(source, player_factory, u, bias_weight)
    return found


def compare_along(
    source: Source,
    player_factory: Callable[[int | None], LinearPlayer],
    u: npt.ArrayLike,
    bias_weight: float = 0.0,
    stops: Sequence[int] = (),
) -> Iterator[tuple[Ledger, ComparatorLedger]]:
    """The same, on the way: the learner's statistics and u's after these many rounds.

    `stops` are in increasing order; the end of the data is one too. The other
    parameters are those of :func:`compare_with`.
    """
    if not getattr(source, "rereadable", True):
        raise ValueError(
            "these data can be read only once, so nothing can be compared in "
            "hindsight: play(..., keep=True) keeps the rows"
        )
    weights = _checked(u, bias_weight)
    width = getattr(source, "n_features", None)
    if width is None:
        width = max((batch.n_features for batch in source.batches()), default=0)
    spend(0, 0, AGAIN * width)
    player = player_factory(width)
    if weights.size != player.n_features:
        raise ValueError(
            f"u has {weights.size:,} weights, but the data have "
            f"{player.n_features:,} features"
        )
    if player.bias:
        weights = np.concatenate([[float(bias_weight)], weights])
    elif bias_weight != 0.0:
        raise ValueError("this learner has no bias, so u can have none")
    from ...engine.kernels.comparison import MARGIN, MISTAKE_MARGIN, SUMS

    sums = np.zeros(SUMS)
    sums[MARGIN] = sums[MISTAKE_MARGIN] = math.inf
    ahead = iter(stops)
    stop = next(ahead, None)
    rounds = 0
    for batch in source.batches():
        spend(AGAIN * batch.rows.values.size, AGAIN * batch.targets.size, 0)
        for piece in _cut(batch, rounds, stops):
            _compare(player, piece, weights, sums)
            rounds += piece.targets.size
            if rounds == stop:
                yield _conclude(player, weights, sums)
                stop = next(ahead, None)
    if not stops or rounds != stops[-1]:
        yield _conclude(player, weights, sums)


def _cut(batch: Batch, rounds: int, stops: Sequence[int]) -> Iterator[Batch]:
    """A batch whose first row is round `rounds`, in pieces that end at the stops."""
    n = batch.targets.size
    first, last = bisect_right(stops, rounds), bisect_left(stops, rounds + n)
    inside = [stop - rounds for stop in stops[first:last]]
    for begin, end in zip([0, *inside], [*inside, n], strict=True):
        yield batch._replace(
            rows=some_rows(batch.rows, begin, end),
            targets=batch.targets[begin:end],
            failure=batch.failure if end == n else None,
        )


def _compare(player: LinearPlayer, batch: Batch, weights: Floats, sums: Floats) -> None:
    """Play one batch, then let u pay on it."""
    from ...engine.kernels.comparison import compare_rows
    from ...engine.kernels.compiled import entry

    n = batch.targets.size
    trace = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
    first = int(player.statistics.counts[0])
    player.play(batch.rows, batch.targets, first=first, trace=trace)
    rows = Biased(batch.rows) if player.bias else batch.rows
    arguments = (player.parts, rows, batch.targets, trace[0], weights, sums)
    entry(compare_rows, arguments)(*arguments)
    if batch.failure is not None:
        raise batch.failure


def _conclude(
    player: LinearPlayer, weights: Floats, sums: Floats
) -> tuple[Ledger, ComparatorLedger]:
    from ...engine.kernels import comparison as c

    ledger = player.ledger()
    square = float(weights @ weights)
    binary = player.binary
    final = player.all_weights()
    with np.errstate(over="ignore", invalid="ignore"):  # weights may have overflowed
        distance = float(np.linalg.norm(final - weights))
        approach = float(final @ (2.0 * weights - final))
    return ledger, ComparatorLedger(
        u=weights,
        rounds=ledger.rounds,
        loss=float(sums[c.LOSS]),
        penalty=0.5 * strength(player.parts.penalty) * square * ledger.rounds,
        loss_on_mistakes=float(sums[c.MISTAKE_LOSS]),
        loss_on_updates=float(sums[c.UPDATE_LOSS]),
        mistakes=ledger.mistakes,
        updates=int(sums[c.UPDATES]),
        min_margin=float(sums[c.MARGIN]) if binary else None,
        min_margin_on_mistakes=float(sums[c.MISTAKE_MARGIN]) if binary else None,
        max_score=float(sums[c.SCORE]),
        squares_on_updates=float(sums[c.UPDATE_SQUARES]),
        distance=distance,
        approach=approach,
        tallies=player.extra_sums(),
    )


def _checked(u: npt.ArrayLike, bias_weight: float) -> Floats:
    try:
        weights = np.ascontiguousarray(u, np.float64)
    except (TypeError, ValueError):
        raise ValueError("u is not an array of numbers") from None
    if weights.ndim != 1:
        raise ValueError(f"u must have one dimension; it has {weights.ndim}")
    if not np.isfinite(weights).all():
        at = int(np.flatnonzero(~np.isfinite(weights))[0])
        raise ValueError(f"u[{at}] is {weights[at]}: weights must be finite")
    if not math.isfinite(bias_weight):
        raise ValueError(f"bias_weight={bias_weight!r} must be finite")
    return weights
