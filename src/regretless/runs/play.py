"""Play a game: see x, predict, see y, pay, update; over all of the data, once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

from ..algorithms.covered_learner import Covered
from ..algorithms.experts import (
    ExpertLearner,
    FollowTheLeader,
    Halving,
    WeightedMajority,
)
from ..algorithms.learners import Mixture
from ..algorithms.played import played_by
from ..data.encoding.input_kind import are_files
from .expert_game import play_experts
from .many_learners import play_many
from .mean_game import play_mean
from .mixture_game import play_mixture
from .row_game import play_linear

__all__ = ["play"]


def play(  # noqa: PLR0913 - all but three are options
    learner: Any,
    X: Any = None,
    y: Any = None,
    *,
    losses: Any = None,
    loss: Any = None,
    trace: bool = False,
    keep: bool = False,
    n_features: int | None = None,
    check: bool = False,
    u: Any = None,
    models: Iterable[str] = (),
    length: int | None = None,
    options: Any = None,
    seal: float | str | None = None,
    group: Any = None,
) -> Any:
    """Play `learner` over data, in the order of the data, once.

    The learner itself is not changed: every call starts from its start.

    Parameters
    ----------
    learner : learner, or a list of learners
        Who plays. A list plays in one pass over the data, each as if alone. The name of
        a file instead (and nothing else) plays the default learner over it:
        :class:`~regretless.Panel`, or :class:`~regretless.RegressionPanel` where the
        labels are amounts. ``intervals(learner, 0.9)`` makes prediction sets too.
    X : path, array, sparse matrix, data frame, list of texts, or iterable of (x, y)
        What is seen. A path may be a glob, a URI, or a list of them (see
        :class:`~regretless.ReadOptions` for formats). In an iterable, x is a dict of
        features by name, a text, a row of numbers, or a sparse row. A list of strings
        is texts if labels y come with it, else names of files. For experts: their
        votes or predictions, a row a round, a column an expert, nan asleep.
    y : array, or the name of a column of X
        What is revealed after each prediction. Two values for a classifier, any for a
        learner of many classes (:class:`~regretless.OneVersusRest`, which a panel
        becomes by itself where there are more than two, and
        :class:`~regretless.MulticlassPerceptron`), numbers for a regression loss. In
        the mean game it stands alone, ``play(learner, y=y)``, without X.
    losses : array, data frame, or iterable of rows
        For experts: their losses, in place of X and y.
    loss : a loss
        For experts that predict: what compares X with y; the absolute loss by default.
    trace : bool
        Keep one entry a round: ``run.scores``, ``run.losses``, ``run.mistake_rounds``,
        ``run.weight_path``.
    keep : bool
        Keep the rows of an iterable that can be read only once, so that what needs a
        second look at the data can have it.
    n_features : int
        The number of features, for learners whose start depends on it, where the data
        do not tell.

    check : bool
        Play the game again row by row and check every step of the proofs: Pythagoras,
        the growth of |w|, the progress of gradient descent, the divergences of the
        multiplicative learners, the pool of Halving, the identity of the mean game.
        Slow: for small games, and for learning.
    u : array, or number
        A comparator for the steps that need one, with ``check=True``.

    models : iterable of str
        What ``run.model`` will be asked for ("mean", "last-half", "random", "vote",
        "validated", and "exchangeability" for the test beside it), to be kept in this
        pass. Without it they are found by playing again, where the data allow that.
    length : int
        The number of rounds of a stream, where it is known in advance.
    options : ReadOptions
        How to read files, or texts.
    seal : float or str
        The share of the rows to seal, such as 0.05 or "5%": reserved by coins, seen by
        nobody, and scored once at the end. ``run.model()`` is then certified itself.
    group : str, or an array
        Seal whole groups of rows, such as users or days: a column of the frame X, or a
        value a row. Of files, ``ReadOptions(group=...)`` names the column.

    Returns
    -------
    Run, or Runs of a list of learners
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
    if X is None and y is None and losses is None and are_files(learner, None):
        return play_linear(
            None,
            learner,
            None,
            trace=trace,
            keep=keep or trace,
            n_features=n_features,
            models=tuple(models),
            length=length,
            options=options,
            seal=seal,
            group=group,
        )
    level: float | None = None
    if isinstance(learner, Covered):
        learner, level = learner.learner, learner.level
    keep = keep or trace or check
    if u is not None and not check:
        raise TypeError("u= goes with check=True; run.theorems(u=...) takes one too")
    if isinstance(learner, list | tuple):
        _refuse(learner, losses=losses, loss=loss, trace=trace or None, u=u)
        _refuse(learner, check=check or None, seal=seal, group=group)
        return play_many(
            cast("list[Any]", learner),
            X,
            y,
            keep=keep,
            n_features=n_features,
            models=tuple(models),
            length=length,
            options=options,
        )
    if isinstance(learner, Mixture):
        _refuse(learner, losses=losses, loss=loss, u=u, check=check or None)
        _refuse(learner, models=tuple(models) or None, seal=seal, group=group)
        return play_mixture(
            learner,
            X,
            y,
            trace=trace,
            n_features=n_features,
            length=length,
            options=options,
        )
    if isinstance(learner, ExpertLearner):
        _refuse(learner, n_features=n_features, length=length, u=u)
        _refuse(learner, models=tuple(models) or None, seal=seal, group=group)
        more = {"losses": losses, "loss": loss, "keep": keep}
        return _play_experts(learner, X, y, trace, check, more)
    if isinstance(learner, FollowTheLeader):
        _refuse(learner, X=X, losses=losses, loss=loss, n_features=n_features)
        _refuse(learner, seal=seal, group=group)
        return _play_mean(learner, y, trace, keep, check, u)
    if played_by(learner) != "rows":
        hint = "; did you forget the ()?" if isinstance(learner, type) else ""
        raise TypeError(f"{learner!r:.60} is not a learner{hint}")
    _refuse(learner, losses=losses, loss=loss)
    if not learner.linear:
        _refuse(learner, check=check or None)
    if X is None:
        raise TypeError("there is nothing to play: play(learner, X, y)")
    run = play_linear(
        learner,
        X,
        y,
        trace=trace,
        keep=keep,
        n_features=n_features,
        models=tuple(models),
        length=length,
        options=options,
        seal=seal,
        group=group,
        level=level,
    )
    if check:
        _identities().check_linear(run, u)
    return run


def _play_experts(
    learner: Any, X: Any, y: Any, trace: bool, check: bool, more: dict[str, Any]
) -> Any:
    """A game of experts; with `check`, of a majority whose pool is watched."""
    majority = isinstance(learner, Halving | WeightedMajority)
    _refuse(learner, check=(check and not majority) or None)
    run = play_experts(learner, X, y, trace=trace or check, **more)
    if check:
        _identities().check_experts(run)
    return run if trace or not check else replace(run, tape=None)


def _play_mean(
    learner: Any, y: Any, trace: bool, keep: bool, check: bool, u: Any
) -> Any:
    """The mean game; with `check`, its identity."""
    run = play_mean(learner, y, trace=trace, keep=keep)
    if check:
        _identities().check_mean(run, u)
    return run


def _identities() -> Any:
    """The checks, imported only when they are asked for."""
    from ..evidence.verdicts import identities

    return identities


def _refuse(learner: Any, **given: Any) -> None:
    """Raise TypeError where an argument is given that this learner cannot use."""
    several = isinstance(learner, list | tuple)
    for name, value in given.items():
        if value is not None and several:
            raise TypeError(f"{name}= goes with one learner, not with several")
        if value is not None:
            raise TypeError(f"{type(learner).__name__} does not take {name}=")
