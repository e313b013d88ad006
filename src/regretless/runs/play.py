"""Play a game: see x, predict, see y, pay, update; over all of the data, once."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..algorithms.played import played_by
from ..data.encoding.input_kind import are_files, kind_of, rows_by_name
from ..data.read_options import ReadOptions
from ..errors import OptionError
from ..parts.documents import Document
from .session_options import SessionOptions

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..algorithms.covered_learner import Covered
    from ..algorithms.experts import ExpertLearner, FollowTheLeader
    from ..algorithms.learners.row_learner import RowLearner
    from ..data import Schema
    from .many_runs import Runs
    from .mixture_game import Mixture, MixtureRun
    from .run import Run
    from .session import Session


def play(  # noqa: PLR0913 - all but three are options
    learner: object,
    X: object = None,
    y: object = None,
    *,
    losses: object = None,
    loss: object = None,
    trace: bool = False,
    keep: bool = False,
    n_features: int | None = None,
    check: bool = False,
    u: npt.ArrayLike | None = None,
    models: Iterable[str] = (),
    length: int | None = None,
    schema: Schema | None = None,
    options: ReadOptions | None = None,
    seal: float | str | None = None,
    seal_seed: int | None = None,
    again: bool = False,
    group: object = None,
    task: str | None = None,
    passes: int = 1,
    holdout: int | None = None,
    threshold: str | float | None = None,
    class_weight: Mapping[Hashable, float] | str | None = None,
    initial_model: str | os.PathLike[str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    every: str | int = "30s",
    resume: str | os.PathLike[str] | None = None,
    on_batch: Callable[[Session], object] | None = None,
) -> Any:
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
    n_features : int
        The number of features, for learners whose start depends on it, where the data
        do not tell.
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
    again : bool
        Whether files may be learned that are there twice, or that `initial_model` has
        learned. Nothing is certified then.
    seal : float or str
        The share of the rows to seal, such as 0.05 or "5%": reserved by coins, not
        learned, and scored once at the end. ``run.model()`` is then certified itself.
    seal_seed : int or None
        Of these coins; None: it is drawn, and the certificate says which one it was.
    group : str, or an array
        Seal whole groups of rows, such as users or days: a column of the frame X, or a
        value a row. Of files, ``ReadOptions(group=...)`` names the column.
    task : str
        "binary", "multiclass" or "regression"; "auto": as the labels suggest. None:
        that of the learner; a panel takes two classes or more.
    passes : int
        How often the rows are learned. Only the first pass is online: the run is about
        it, ``run.later_passes`` says what others paid; ``run.model()`` learned all.
    holdout : int
        Test on every so many-th row instead of learning it: ``run.held_out()``, and the
        certificate of ``run.model()``.
    threshold : str
        Of two classes, what ``run.model()`` predicts the positive one by:
        "recall=0.9", "precision=0.8", "cost:fp=1,fn=20", or a number. It is chosen on
        the rows learned last, and certified by sealed ones, with ``seal=``.
    class_weight : dict or "balanced"
        How much the rows of each class count: {"spam": 2.0}.
    initial_model : path
        Go on from this file: with its state, if it has one, else at its weights.
    checkpoint : path
        Of files: save everything here, every so often, to go on from.
    every : str or int
        How often: "30s", "5min", "100000rows"; a number counts rows.
    resume : path
        Go on from this checkpoint. Options that are left out are as they were.
    on_batch : callable
        Called with the session after every batch; ``session.run()`` is a run.

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
    given: Document = {
        name: rows_by_name(value) if name == "X" else value
        for name, value in locals().items()
        if name != "learner" and not _is_default(name, value)
    }
    if not given.keys() & {"X", "losses"} and are_files(learner, y):
        given["X"], learner = learner, None
    schema = given.pop("schema", getattr(learner, "schema", None))
    if schema is not None and "X" in given:
        given["options"] = (options or ReadOptions()).meaning(schema)
    game = _game_of(learner)
    for name in given:
        if name not in game.takes:
            raise TypeError(game.refusal(learner, name))
    if u is not None and not check:
        raise TypeError("u= goes with check=True; run.theorems(u=...) takes one too")
    if group is not None and seal is None:
        raise TypeError("group= goes with seal=: rows are sealed by group")
    try:
        return game.play(learner, **given)
    except OptionError as error:
        raise error.in_python() from None


def _is_default(name: str, value: object) -> bool:
    default = (play.__kwdefaults__ or {}).get(name)
    return value is None if default is None else value == default


class _Game(NamedTuple):
    """How a kind of game is played, and which arguments of ``play`` go with it."""

    play: Callable[..., Any]
    takes: frozenset[str]
    several: bool = False

    def refusal(self, learner: object, name: str) -> str:
        """Why an argument is refused."""
        if self.several:
            return f"{name}= goes with one learner, not with several"
        return f"{type(learner).__name__} does not take {name}="


def _game_of(learner: object) -> _Game:
    """The game that a learner says it plays."""
    if _are_several(learner):
        return GAMES["many"]
    name = "rows" if learner is None else played_by(learner)
    if name not in GAMES:
        hint = "the learner comes first: play(rg.Panel(), X, y)"
        if isinstance(learner, type):
            hint = "did you forget the ()?"
        what = type(learner).__name__ if hasattr(learner, "shape") else repr(learner)
        raise TypeError(f"{what:.60} is not a learner; {hint}")
    return GAMES[name]


def _are_several(given: object) -> bool:
    """Whether it is a list of learners, not of rows."""
    items = cast("list[object]", given) if isinstance(given, list | tuple) else None
    return items is not None and (not items or kind_of(items[0]) != "table")


def _rows(  # noqa: PLR0913 - all but three are options
    learner: RowLearner | None,
    X: object = None,
    y: object = None,
    *,
    check: bool = False,
    u: npt.ArrayLike | None = None,
    trace: bool = False,
    keep: bool = False,
    models: Iterable[str] = (),
    length: int | None = None,
    options: ReadOptions | None = None,
    group: object = None,
    level: float | None = None,
    on_batch: Callable[[Session], object] | None = None,
    **asked: object,
) -> Run:
    from .row_game import play_rows

    if check and (learner is None or not learner.linear):
        raise TypeError(f"{type(learner).__name__} does not take check=")
    if X is None:
        raise TypeError("there is nothing to play: play(learner, X, y)")
    asked |= {"interval": level}
    run = play_rows(
        _session_options(X, y, options, **asked),
        *(learner, X, y),
        read=options,
        group=group,
        trace=trace,
        keep=keep or trace or check,
        models=tuple(models),
        length=length,
        on_batch=on_batch,
    )
    if check:
        from ..evidence.verdicts.identities import check_linear

        check_linear(run, u)
    return run


def _covered(learner: Covered, X: object = None, y: object = None, **given: Any) -> Run:
    """A learner with prediction sets."""
    return _rows(learner.learner, X, y, level=learner.level, **given)


def _many(
    learner: Sequence[object], X: object = None, y: object = None, **given: object
) -> Runs:
    from .many_learners import play_many

    return play_many(learner, X, y, **_of_several(X, y, given))


def _mixture(
    learner: Mixture, X: object = None, y: object = None, **given: object
) -> MixtureRun:
    from .mixture_game import play_mixture

    return play_mixture(learner, X, y, **_of_several(X, y, given))


def _of_several(X: object, y: object, given: Document) -> Document:
    """The arguments of games in which several learners play."""
    asked = {name: given.pop(name) for name in SHARED & given.keys()}
    read = given.pop("options", None)
    return {**given, "read": read, "options": _session_options(X, y, read, **asked)}


def _experts(
    learner: ExpertLearner,
    X: object = None,
    y: object = None,
    *,
    losses: object = None,
    loss: object = None,
    trace: bool = False,
    keep: bool = False,
    check: bool = False,
) -> Run:
    """A game of experts; with `check`, of a majority whose pool is watched."""
    from .expert_game import play_experts

    if check and not learner.majority:
        raise TypeError(f"{type(learner).__name__} does not take check=")
    run = play_experts(
        learner,
        X,
        y,
        losses=losses,
        loss=loss,
        trace=trace or check,
        keep=keep or trace or check,
    )
    if check:
        from ..evidence.verdicts.identities import check_experts

        check_experts(run)
    return run if trace or not check else replace(run, trace=None)


def _mean(
    learner: FollowTheLeader,
    y: object = None,
    *,
    trace: bool = False,
    keep: bool = False,
    check: bool = False,
    u: float | None = None,
) -> Run:
    """The mean game; with `check`, its identity."""
    from .mean_game import play_mean

    run = play_mean(learner, y, trace=trace, keep=keep or trace or check)
    if check:
        from ..evidence.verdicts.identities import check_mean

        check_mean(run, u)
    return run


ROWS = frozenset({"X", "y", "n_features", "length", "options"})
SHARED = frozenset({"n_features", "task", "class_weight"})  # of several learners
GAMES = {
    "rows": _Game(
        _rows,
        ROWS
        | {"trace", "keep", "check", "u", "models", "seal", "seal_seed", "group"}
        | {"again", "task", "passes", "holdout", "threshold", "class_weight"}
        | {"initial_model", "checkpoint", "every", "resume", "on_batch"},
    ),
    "many": _Game(_many, ROWS | SHARED | {"keep", "models", "on_batch"}, several=True),
    "mixture": _Game(_mixture, ROWS | SHARED | {"trace", "keep"}),
    "experts": _Game(
        _experts, frozenset({"X", "y", "losses", "loss", "trace", "keep", "check"})
    ),
    "numbers": _Game(_mean, frozenset({"y", "trace", "keep", "check", "u"})),
}
GAMES["covered"] = GAMES["rows"]._replace(play=_covered)
"""By the name of the game that a learner plays."""


def _session_options(
    X: object, y: object, read: ReadOptions | None, **asked: Any
) -> SessionOptions:
    """The options of a session, by the names of the command line."""
    for name in ("initial_model", "checkpoint", "resume"):
        if asked.get(name) is not None:
            asked[name] = os.fspath(asked[name])
    weights = asked.pop("class_weight", None)
    if weights is not None and not isinstance(weights, str):
        weights = {str(label): float(weight) for label, weight in weights.items()}
    if "threshold" in asked:
        asked["threshold"] = str(asked["threshold"])
    asked.setdefault("task", None)
    named = are_files(X, y)
    files = cast("list[str]", X if isinstance(X, list | tuple) else [X])
    return SessionOptions(
        data=[os.fspath(one) for one in files] if named else [],
        features=asked.pop("n_features", None),
        class_weights=weights or {},
        reading={} if read is None else read.given(),
        **asked,
    )
