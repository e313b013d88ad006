"""Play a game: see x, predict, see y, pay, update; over all of the data, once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from inspect import signature
from typing import TYPE_CHECKING, Any, cast

from ..algorithms.played import played_by
from ..data.encoding.input_kind import are_files, kind_of, rows_by_name
from ..data.read_options import ReadOptions
from ..declared import declare, options_of
from ..errors import OptionError, did_you_mean
from ..lazy import sibling
from ..parts.documents import Document
from .session_options import SessionOptions

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..data import Schema
    from .session import Session


def play(  # noqa: PLR0913 - all but three are options; the type is in play.pyi
    learner: object,
    X: object = None,
    y: object = None,
    *,
    losses: object = None,
    loss: object = None,
    trace: bool = False,
    keep: bool = False,
    check: bool = False,
    u: npt.ArrayLike | None = None,
    models: Iterable[str] = (),
    length: int | None = None,
    schema: Schema | None = None,
    options: ReadOptions | None = None,
    group: object = None,
    on_batch: Callable[[Session], object] | None = None,
    **asked: object,
) -> object:
    """Play `learner` over data, in the order of the data, once.

    The learner itself is not changed: every call starts from its start.

    Parameters
    ----------
    learner : learner, or a list of learners
        Who plays. A list plays in one pass over the data, each as if alone. The name of
        a file instead (and no X) plays the default learner over it:
        :class:`~regretless.Panel`, or :class:`~regretless.RegressionPanel` where the
        labels are amounts. ``intervals(learner, 0.9)`` makes prediction sets too.
    X : path, array, sparse matrix, data frame, list of texts, or iterable of (x, y)
        What is seen. A path may be a glob, a URI, or a list of them (see
        :class:`~regretless.ReadOptions` for formats). In an iterable, x is a dict of
        features by name, a text, a row of numbers, or a sparse row. A frame may have
        columns of words, which are one-hot as in files. A list of strings
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
    check : bool
        Play the game again row by row and check every step of the proofs (Pythagoras,
        the growth of |w|, divergences, the pool of Halving, ...). Slow: for small
        games, and for learning.
    u : array, or number
        A comparator for the steps that need one, with ``check=True``.
    models : iterable of str
        What ``run.model`` will be asked for ("mean", "last-half", "random", "vote",
        "validated"), to be kept in this pass. Without it they are found by playing
        again, where the data allow that.
    length : int
        The number of rounds of a stream, where it is known in advance.
    schema : Schema
        What the fields of rows mean, in files, frames, texts and dicts alike.
    options : ReadOptions
        How files are laid out; it may say all that a schema does.
    group : str, or an array
        Seal whole groups of rows, such as users or days: a column of the frame X, or a
        value a row. Of files, ``ReadOptions(group=...)`` names the column.
    on_batch : callable
        Called with the session after every batch; ``session.run()`` is a run.
    **asked
        The options of a session.

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
    named = {name: value for name, value in locals().items() if name in OWN}
    given = {
        name: rows_by_name(value) if name == "X" else value
        for name, value in {**named, **asked}.items()
        if not _is_default(name, value)
    }
    if not given.keys() & {"X", "losses"} and are_files(learner, y):
        given["X"], learner = learner, None
    meant: Any = given.pop("schema", getattr(learner, "schema", None))
    if meant is not None and "X" in given:
        given["options"] = options = (options or ReadOptions()).meaning(meant)
    game = _game_of(learner)
    parameters = signature(game).parameters.keys()
    taken = parameters & OWN
    if "asked" in parameters:
        taken |= SEVERAL if game.__name__ in ("play_many", "play_mixture") else SESSION
    for name in given:
        if name not in taken:
            raise TypeError(_refusal(learner, name))
    if u is not None and not check:
        raise TypeError("u= goes with check=True; run.theorems(u=...) takes one too")
    if group is not None and "seal" not in given:
        raise TypeError("group= goes with seal=: rows are sealed by group")
    session = {name: given.pop(name) for name in SESSION & given.keys()}
    try:
        if "asked" in parameters:
            given["asked"] = _session(given.get("X"), y, options, session)
        return game(learner, **given)
    except OptionError as error:
        raise error.in_python() from None


def _is_default(name: str, value: object) -> bool:
    default = DEFAULTS.get(name)
    return value is None if default is None else value == default


def _refusal(learner: object, name: str) -> str:
    """Why an argument is refused."""
    if name not in DEFAULTS:
        return f"play() does not take {name}={did_you_mean(name, DEFAULTS)}"
    if _are_several(learner):
        return f"{name}= goes with one learner, not with several"
    return f"{type(learner).__name__} does not take {name}="


def _game_of(learner: object) -> Callable[..., object]:
    """What plays the game that a learner says it plays."""
    name = "rows" if learner is None else played_by(learner)
    if _are_several(learner):
        name = "many"
    if name not in GAMES:
        hint = "the learner comes first: play(rg.Panel(), X, y)"
        if isinstance(learner, type):
            hint = "did you forget the ()?"
        what = type(learner).__name__ if hasattr(learner, "shape") else repr(learner)
        raise TypeError(f"{what:.60} is not a learner; {hint}")
    return sibling(__package__, GAMES[name])


def _are_several(given: object) -> bool:
    """Whether it is a list of learners, not of rows."""
    items = cast("list[object]", given) if isinstance(given, list | tuple) else None
    return items is not None and (not items or kind_of(items[0]) != "table")


def _session(
    X: object, y: object, read: ReadOptions | None, asked: Document
) -> SessionOptions:
    """The options of a session."""
    named = are_files(X, y)
    files = cast("list[str]", X if isinstance(X, list | tuple) else [X])
    return SessionOptions(
        data=[os.fspath(one) for one in files] if named else [],
        reading={} if read is None else read.given(),
        **asked,
    )


GAMES = {
    "rows": "row_game.play_rows",
    "covered": "row_game.play_rows",
    "many": "many_learners.play_many",
    "mixture": "mixture_game.play_mixture",
    "experts": "round_game.play_experts",
    "numbers": "round_game.play_mean",
}
"""By the name of the game that a learner plays: the function, which says what it takes.

Where it takes what is ``asked``, options of a session go with it.
"""
OPTIONS = {
    one.name: one
    for one in options_of(SessionOptions)
    if getattr(one.option, "play", False)
}
SESSION = OPTIONS.keys()
SEVERAL = {n for n, one in OPTIONS.items() if "several" in one.goes_with}
OWN = signature(play).parameters.keys() - {"learner", "asked"}
DEFAULTS: Document = {
    **(play.__kwdefaults__ or {}),
    "X": None,
    "y": None,
    **{name: one.default for name, one in OPTIONS.items()},
}
declare(play, SessionOptions, OPTIONS.values())
