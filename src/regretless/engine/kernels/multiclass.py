"""Many classes in one pass over a row: the weights of a feature for all of them.

A feature has one weight a class, in whole vectors of eight. One-versus-rest plays a
lane a class (:mod:`regretless.engine.kernels.vectorized`); the multiclass Perceptron
moves two lanes at a time.
"""

# An intrinsic is called with one argument less than its code takes.
# pyright: reportCallIssue=false

from __future__ import annotations

import math
from typing import Any

from ...parts.generic import compiled
from ...parts.multiclass import ClassRound
from ...parts.observers import PlayedRound, Statistics, note
from ...parts.rows import begin, column, end, entry, look
from ...parts.state import SCALE, State
from .compiled import kernel
from .vectorized import land_lane, measure_lanes, play_lane
from .vectors import LANES, spread


@compiled
def judge(scores: Any, candidates: int, label: int) -> ClassRound:
    """Who the best of the wrong classes is, and whether the right one beats it.

    Only the first `candidates` classes may be predicted. A tie is a mistake, and so is
    a class that is not among them. The lowest number is the best at ties.
    """
    rival = -1
    best = -math.inf
    for k in range(candidates):
        if k != label and (rival < 0 or scores[k] > best):
            rival = k
            best = scores[k]
    if label >= candidates:
        return ClassRound(rival, rival, 0.0, True)
    if rival < 0:
        return ClassRound(rival, label, 0.0, False)
    margin = scores[label] - best
    mine = margin > 0.0 or (margin == 0.0 and label < rival)
    return ClassRound(rival, label if mine else rival, margin, not margin > 0.0)


@compiled
def remember(confusion: Any, trace: Any, i: int, label: int, seen: Any) -> None:
    """Enter a prediction into the table of confusions, and on the trace."""
    scores, candidates, judged = seen
    if label < confusion.shape[0] and 0 <= judged.predicted < confusion.shape[0]:
        confusion[label, judged.predicted] += 1
    if trace.losses.size > 0:
        for k in range(trace.scores.shape[1]):
            trace.scores[i, k] = scores[k] if k < candidates else -math.inf


@compiled
def record(trace: Any, i: int, paid: float, mistake: bool) -> None:
    """Enter what a round cost on the trace."""
    if trace.losses.size > 0:
        trace.losses[i] = paid
        trace.mistakes[i] = mistake


@compiled
def tell(
    observer: Any,
    confusion: Any,
    trace: Any,
    i: int,
    y: float,
    said: tuple[Any, int],
    paid: float,
) -> None:
    """Judge round `i`, and write it down: `said` are the scores, and who may win."""
    scores, candidates = said
    judged = judge(scores, candidates, int(y))
    remember(confusion, trace, i, int(y), (scores, candidates, judged))
    record(trace, i, paid, judged.mistake)
    nothing = (0.0, 0.0, 0.0)
    note(
        observer,
        PlayedRound(
            y,
            judged.margin,
            paid,
            judged.mistake,
            False,
            0.0,
            *nothing,
            0.0,
            0.0,
            0.0,
        ),
    )


@compiled
def spread_blocks(weights: Any, rows: Any, lo: int, hi: int, steps: Any) -> None:
    """``weights[feature] += steps * x``, in blocks of eight where any class steps."""
    blocks = steps.size // LANES
    for block in range(blocks):
        moving = False
        for lane in range(block * LANES, (block + 1) * LANES):
            moving |= steps[lane] != 0.0
        if moving:
            for k in range(lo, hi):
                at = column(rows, k, lo, hi) * blocks + block
                spread(weights, at, steps, block, entry(rows, k, hi))


@compiled
def statistics_of(lanes: Any, lane: int) -> Statistics:
    """The statistics of one lane."""
    return Statistics(lanes.counts[lane], lanes.sums[lane], lanes.curves[lane])


@kernel
def play_one_versus_rest(
    parts: Any,
    lanes: Any,
    blank: Any,
    observer: Any,
    confusion: Any,
    trace: Any,
    rows: Any,
    targets: Any,
    importance: Any,
    known: tuple[int, int, int],
) -> int:
    """Play rows with one learner for every class.

    Then come ``trace, rows, targets, importance, known``. `targets` are the numbers of
    classes; ``known = (before, after, active)`` says how many classes may be predicted
    on the first row, and from the second one on; the first `active` lanes play, of
    which those from `after` on see no row of their own. `blank` is a state without
    arrays. It returns how many rows were played; fewer than given mean that the
    next one is refused, and that no class has learned from it.
    """
    weights, numbers, scores = lanes.weights, lanes.numbers, lanes.scores
    work = (lanes.dots, lanes.steps, lanes.gains)
    blocks = scores.size // LANES
    candidates, classes, active = known
    for i in range(targets.size):
        label = int(targets[i])
        lo = begin(rows, i)
        hi = end(rows, i)
        c = importance[i] if importance.size > 0 else 1.0
        square, low, high = measure_lanes(rows, lo, hi, weights, lanes.dots, blocks)
        finite = square < math.inf
        for lane in range(active):
            scale = numbers[lane, SCALE]
            scores[lane] = lanes.dots[lane] * scale - parts.threshold
            finite &= abs(scores[lane]) < math.inf
        if not finite:
            return i
        judged = judge(scores, candidates, label)
        remember(confusion, trace, i, label, (scores, candidates, judged))
        paid = 0.0
        moving = False
        for lane in range(active):
            y = 1.0 if lane == label else -1.0
            seen = (lane, y, c, square, low, high)
            book = statistics_of(lanes, lane)
            alone = play_lane(
                parts, numbers[lane], book, weights, work, lanes.alive, seen
            )
            if lane < classes:
                paid += alone
            moving |= lanes.gains[scores.size + lane] != 0.0
        if moving:
            spread_blocks(weights, rows, lo, hi, lanes.steps)
            for lane in range(active):
                state = State(
                    blank.primal,
                    blank.dual,
                    numbers[lane],
                    blank.scratch,
                    blank.sums,
                    blank.clock,
                    blank.seen,
                    blank.shown,
                )
                land_lane(parts, state, weights, lanes.gains, lane, rows, lo, hi)
        candidates = classes
        record(trace, i, paid, judged.mistake)
        met = (square, low, high)
        note(
            observer,
            PlayedRound(
                targets[i],
                judged.margin,
                paid,
                judged.mistake,
                moving,
                0.0,
                *met,
                0.0,
                0.0,
                0.0,
            ),
        )
    return targets.size


@kernel
def play_class_perceptron(
    lanes: Any,
    observer: Any,
    confusion: Any,
    trace: Any,
    rows: Any,
    targets: Any,
    importance: Any,
    known: tuple[int, int],
) -> int:
    """Play rows with the Perceptron of many classes.

    Then come ``targets, importance, known``, as of ``play_one_versus_rest``. On a
    mistake, w_y += x and w_r -= x for the best of the wrong classes, if there is any.
    ``lanes.sums[0, 0]`` counts rounds; where ``lanes.means`` is not empty, it gathers
    the steps times the number of the round, which is all that a mean needs.
    """
    weights, scores, steps = lanes.weights, lanes.scores, lanes.steps
    blocks = scores.size // LANES
    candidates = known[0]
    for i in range(targets.size):
        label = int(targets[i])
        lo = begin(rows, i)
        hi = end(rows, i)
        c = importance[i] if importance.size > 0 else 1.0
        square, low, high = measure_lanes(rows, lo, hi, weights, lanes.dots, blocks)
        finite = square < math.inf
        for k in range(known[1]):
            scores[k] = lanes.dots[k]
            finite &= abs(scores[k]) < math.inf
        if not finite:
            return i
        judged = judge(scores, candidates, label)
        remember(confusion, trace, i, label, (scores, candidates, judged))
        paid = 1.0
        if judged.rival >= 0:
            paid = max(0.0, 1.0 - (scores[label] - scores[judged.rival]))
        elif not judged.mistake:
            paid = 0.0
        lanes.sums[0, 0] += 1.0
        updated = judged.mistake and judged.rival >= 0 and c != 0.0
        if updated:
            steps[label] = c
            steps[judged.rival] = -c
            spread_blocks(weights, rows, lo, hi, steps)
            if lanes.means.size > 0:
                steps[label] = c * lanes.sums[0, 0]
                steps[judged.rival] = -c * lanes.sums[0, 0]
                spread_blocks(lanes.means, rows, lo, hi, steps)
            steps[label] = 0.0
            steps[judged.rival] = 0.0
        candidates = known[1]
        record(trace, i, c * paid, judged.mistake)
        met = (square, low, high)
        twice = 2.0 * square
        note(
            observer,
            PlayedRound(
                targets[i],
                judged.margin,
                c * paid,
                judged.mistake,
                updated,
                c,
                *met,
                c * c * twice,
                c * c * twice,
                twice,
            ),
        )
    return targets.size


@kernel
def score_classes(
    weights: Any,
    dots: Any,
    numbers: Any,
    scaled: bool,
    shift: float,
    rows: Any,
    n: int,
    out: Any,
) -> None:
    """Score rows for every class, and learn nothing.

    A row of `out` a row, a column a class. Where weights are `scaled`, a row of
    `numbers` belongs to each class.
    """
    blocks = dots.size // (4 * LANES)
    for i in range(n):
        lo = begin(rows, i)
        hi = end(rows, i)
        look(rows, lo, hi)
        measure_lanes(rows, lo, hi, weights, dots, blocks)
        for k in range(out.shape[1]):
            scale = numbers[k, SCALE] if scaled else 1.0
            out[i, k] = dots[k] * scale + shift


@kernel
def write_signs(targets: Any, signs: Any) -> int:
    """Write what each class is told of a row: +1 if it is its own, or else -1."""
    for k in range(signs.size):
        signs[k] = 1.0 if targets[0] == k else -1.0
    return 1


@kernel
def judge_rows(
    observer: Any,
    confusion: Any,
    trace: Any,
    scores: Any,
    paid: Any,
    targets: Any,
    known: tuple[int, int],
) -> int:
    """Judge rounds of classes that have been played one by one.

    Last comes ``known``. For classes that have been played one by one: ``scores[i]``
    are those of all classes before row i was learned, and ``paid[k, i]`` is what class
    k has paid for it.
    """
    candidates = known[0]
    for i in range(targets.size):
        said = (scores[i], candidates)
        total = 0.0
        for k in range(paid.shape[0]):
            total += paid[k, i]
        tell(observer, confusion, trace, i, targets[i], said, total)
        candidates = known[1]
    return targets.size
