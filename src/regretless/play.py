"""Play a game: see x, predict, see y, pay, update; over all of the data, once."""

from __future__ import annotations

from typing import Any

from .learners import LinearLearner
from .protocol.linear import play_linear
from .run import Run

__all__ = ["play"]


def play(
    learner: Any,
    X: Any = None,
    y: Any = None,
    *,
    trace: bool = False,
    keep: bool = False,
    n_features: int | None = None,
) -> Run:
    """Play `learner` over data, in the order of the data, once.

    The learner itself is not changed: every call starts from its start.

    Parameters
    ----------
    learner : learner
        Who plays.
    X : array, sparse matrix, data frame, or iterable of (x, y)
        What is seen. In an iterable, x is a dict of features by name, a row of numbers,
        or a sparse row.
    y : array, or the name of a column of X
        What is revealed after each prediction. Two values for a classifier, numbers for
        a regression loss.
    trace : bool
        Keep one entry a round: ``run.scores``, ``run.losses``, ``run.mistake_rounds``,
        ``run.weight_path``.
    keep : bool
        Keep the rows of an iterable that can be read only once, so that what needs a
        second look at the data can have it.
    n_features : int
        The number of features, for learners whose start depends on it, where the data
        do not tell.

    Returns
    -------
    Run
        The ledger and the weights.

    Raises
    ------
    ValueError
        Where the data cannot be learned from; it says which row and why. Arrays are
        refused whole. A stream stops at the bad row, and the error's ``run`` holds the
        run of the rows before it.

    Examples
    --------
    >>> import regretless as rg
    >>> events = [({"cheap": 1}, 1), ({"meeting": 1}, 0), ({"cheap": 1, "now": 1}, 1)]
    >>> run = rg.play(rg.Perceptron(), events)
    >>> run.mistakes, run.named_weights()
    (2, {'cheap': 1.0, 'meeting': -1.0, 'now': 0.0})
    """
    if not isinstance(learner, LinearLearner):
        raise TypeError(f"{learner!r:.60} is not a learner")
    if X is None:
        raise TypeError("there is nothing to play: play(learner, X, y)")
    return play_linear(
        learner, X, y, trace=trace, keep=keep or trace, n_features=n_features
    )
