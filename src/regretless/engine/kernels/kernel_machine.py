"""The dual loop: a hypothesis that is a sum over the rows it erred on.

    score = sum_i alpha_i K(x_i, x);  on a mistake: keep x with alpha = y

A row is spread over one entry a feature, so that its inner product with every support
vector costs what that vector has nonzeros. |w|^2 = alpha' K alpha is kept up to date.
"""

from __future__ import annotations

import math
from typing import Any

from ...parts import supports as s
from ...parts.generic import compiled
from ...parts.observers import PlayedRound, note
from ...parts.rows import begin, column, end, entry
from ...parts.similarities import similarity
from .compiled import kernel

FIRST, LAST, USED, BUDGET = s.FIRST, s.LAST, s.USED, s.BUDGET
ROUNDS, MISTAKES, FORGOTTEN, WANTS = s.ROUNDS, s.MISTAKES, s.FORGOTTEN, s.WANTS
FIRST_ROUND, FIRST_MISTAKES = s.FIRST_ROUND, s.FIRST_MISTAKES
SQUARE, LARGEST, TOTAL = s.SQUARE, s.LARGEST, s.TOTAL
FIRST_SQUARE, FIRST_LARGEST, FIRST_TOTAL = (
    s.FIRST_SQUARE,
    s.FIRST_LARGEST,
    s.FIRST_TOTAL,
)


@compiled(fastmath={"reassoc", "contract", "nsz"})
def contiguous_dot(values: Any, at: int, n: int, work: Any) -> float:
    """The inner product of the entries from `at` on with the first `n` of `work`."""
    total = 0.0
    for j in range(n):
        total += values[at + j] * work[j]
    return total


@compiled
def dot_with(known: Any, i: int, work: Any) -> float:
    """The inner product of support vector `i` with the row spread over `work`."""
    lo = known.begins[i]
    if known.full[i] > 0:
        return contiguous_dot(known.values, lo, known.full[i], work)
    total = 0.0
    for k in range(lo, known.ends[i]):
        total += known.values[k] * work[known.columns[k]]
    return total


@compiled
def score_of(part: Any, known: Any, square: float) -> float:
    """The score of the row spread over ``known.work``, whose |x|^2 is `square`."""
    score = 0.0
    for i in range(known.counts[FIRST], known.counts[LAST]):
        alike = similarity(
            part, dot_with(known, i, known.work), known.squares[i], square
        )
        score += known.alphas[i] * alike
    return score


@compiled
def spread(rows: Any, lo: int, hi: int, work: Any) -> tuple[float, float, float]:
    """Spread a row over `work`; its |x|^2, its smallest entry and its largest."""
    square = low = high = 0.0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        work[column(rows, k, lo, hi)] = x
        square += x * x
        low = min(low, x)
        high = max(high, x)
    return square, low, high


@compiled
def clear(rows: Any, lo: int, hi: int, work: Any) -> None:
    """Take the row away again."""
    for k in range(lo, hi):
        work[column(rows, k, lo, hi)] = 0.0


@compiled
def keep_row(
    known: Any, rows: Any, lo: int, hi: int, alpha: float, square: float
) -> bool:
    """Keep a row as the youngest support vector; False where there is no room."""
    i = known.counts[LAST]
    at = known.counts[USED]
    if i == known.alphas.size or at + hi - lo > known.values.size:
        known.counts[WANTS] = hi - lo + 1
        return False
    whole = hi > lo
    known.begins[i] = at
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        known.columns[at] = j
        known.values[at] = entry(rows, k, hi)
        whole = whole and j == k - lo
        at += 1
    known.ends[i] = known.counts[USED] = at
    known.full[i] = hi - lo if whole else 0
    known.alphas[i] = alpha
    known.squares[i] = square
    known.counts[LAST] = i + 1
    return True


@compiled
def forget_oldest(part: Any, known: Any) -> None:
    """Evict the oldest support vector."""
    counts, numbers, work = known.counts, known.numbers, known.work
    i = counts[FIRST]
    if counts[FORGOTTEN] == 0:
        counts[FIRST_ROUND] = counts[ROUNDS]
        counts[FIRST_MISTAKES] = counts[MISTAKES]
        numbers[FIRST_SQUARE] = numbers[SQUARE]
        numbers[FIRST_LARGEST] = numbers[LARGEST]
        numbers[FIRST_TOTAL] = numbers[TOTAL]
    for k in range(known.begins[i], known.ends[i]):
        work[known.columns[k]] = known.values[k]
    square = known.squares[i]
    alpha = known.alphas[i]
    own = similarity(part, square, square, square)
    numbers[SQUARE] += alpha * (alpha * own - 2.0 * score_of(part, known, square))
    for k in range(known.begins[i], known.ends[i]):
        work[known.columns[k]] = 0.0
    counts[FIRST] += 1
    counts[FORGOTTEN] += 1


@kernel
def play_dual(
    part: Any,
    known: Any,
    observer: Any,
    rows: Any,
    targets: Any,
    weights: Any,
    first: int,
) -> int:
    """Play rows with a kernel learner, from row `first` on.

    Plays the rows from `first` on, and returns how many of all were played. Fewer than
    given: the next one is refused, as by ``play_rows``; or, where counts[WANTS] is not
    0, it is a mistake that there is no room to keep.
    """
    counts = known.counts
    numbers = known.numbers
    weighted = weights.size > 0
    for i in range(first, targets.size):
        y = targets[i]
        lo = begin(rows, i)
        hi = end(rows, i)
        square, low, high = spread(rows, lo, hi, known.work)
        own = similarity(part, square, square, square)
        score = score_of(part, known, square)
        clear(rows, lo, hi, known.work)
        if not (square < math.inf and abs(own) < math.inf and abs(score) < math.inf):
            return i
        importance = weights[i] if weighted else 1.0
        alpha = y * importance
        mistake = y * score <= 0.0
        updated = mistake and importance > 0.0
        if updated and not keep_row(known, rows, lo, hi, alpha, square):
            return i
        counts[ROUNDS] += 1
        counts[MISTAKES] += mistake
        numbers[LARGEST] = max(numbers[LARGEST], own)
        length = 0.0
        if updated:
            length = importance * importance * own
            numbers[TOTAL] += length
            numbers[SQUARE] += 2.0 * alpha * score + length
            if 0 < counts[BUDGET] < counts[LAST] - counts[FIRST]:
                forget_oldest(part, known)
        note(
            observer,
            PlayedRound(
                y,
                score,
                importance * max(0.0, 1.0 - y * score),
                mistake,
                updated,
                1.0 if updated else 0.0,
                own,
                low,
                high,
                length,
                length,
                own if updated else 0.0,
            ),
        )
    return targets.size


@kernel
def score_dual(part: Any, known: Any, rows: Any, out: Any) -> None:
    """Score rows with a kernel learner, and learn nothing."""
    for i in range(out.size):
        lo = begin(rows, i)
        hi = end(rows, i)
        square = spread(rows, lo, hi, known.work)[0]
        out[i] = score_of(part, known, square)
        clear(rows, lo, hi, known.work)


@kernel
def gram_rows(part: Any, rows: Any, work: Any, squares: Any, out: Any) -> None:
    """Write K of every two rows."""
    for i in range(squares.size):
        lo = begin(rows, i)
        hi = end(rows, i)
        squares[i] = spread(rows, lo, hi, work)[0]
        for j in range(i + 1):
            first = begin(rows, j)
            last = end(rows, j)
            dot = 0.0
            for k in range(first, last):
                dot += entry(rows, k, last) * work[column(rows, k, first, last)]
            alike = similarity(part, dot, squares[j], squares[i])
            out[i, j] = alike
            out[j, i] = alike
        clear(rows, lo, hi, work)
