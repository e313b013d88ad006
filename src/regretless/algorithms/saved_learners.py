"""Learners that learn one event at a time as files: they go on where they stood.

The content of such a file (see :mod:`regretless.engine.storage.container` for what is
around it) is ::

    {
        "learner": recipe,
        "made_by": ...,
        "level": ...,
        "game": ...,
        "sets": ...,
        "facts": ...,
    }

``game`` is the state of the game that ``learn_one`` plays, None before the first event;
``sets`` is that of prediction sets, where there are any; ``facts`` are the user's own.
Nothing of a file is ever run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ..engine.machine.level import level
from ..engine.storage import copied, largest_array, read_file, write_file
from ..engine.storage.container import MALFORMED, refusal, what_is
from ..lazy import provided
from ..parts.documents import Document

if TYPE_CHECKING:
    from .covered_learner import Covered
    from .learners.row_learner import RowLearner
    from .live_learner import LiveLearner


AnyLearner: TypeAlias = "LiveLearner[Any]"
"""One that learns one event at a time."""
NO_FACTS: Mapping[str, object] = MappingProxyType({})
"""What is kept beside a learner that was not loaded."""

FOREIGN = (
    "{}: {} has parts of your own, which no file can bring back: give an equal "
    "learner, load_learner(path, learner)"
)


def save_learner(
    learner: AnyLearner,
    path: str | os.PathLike[str],
    facts: Document | None = None,
    sets: Callable[[], Document] | None = None,
) -> None:
    """Write a learner and its game to a file, whole or not at all.

    Others wait for its lock while the state is copied, not while it is written.
    """
    from .recipes import recipe_of

    content: Document = {
        "learner": recipe_of(learner),
        "made_by": repr(learner),
        "level": level(),
        "facts": _checked(facts or {}),
    }
    live = learner.live
    live.refuse_inner()
    with live.lock:  # all of it is of one moment
        live.settle()
        content["sets"] = None if sets is None else copied(sets())
        content["game"] = copied(live.state_dict())
    write_file(path, "learner", content)


def _checked(facts: object) -> Document:
    """Facts that come back equal from a file; ``ValueError`` for others."""
    try:
        found: object = json.loads(json.dumps(facts, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"facts are plain JSON: {error}") from None
    if not isinstance(facts, dict) or found != facts:
        raise ValueError(f"facts are a dict that JSON can hold, not {facts!r:.60}")
    return cast("Document", found)


def load_learner(
    path: str | os.PathLike[str], learner: AnyLearner | None = None
) -> Any:
    """The learner in a file that ``learner.save(path)`` wrote; it goes on from there.

    Or from where a training on files stood when it wrote a checkpoint, or a model with
    its state (``train --resumable``): events are the rows that come next.

    Parameters
    ----------
    path : path
        The file.
    learner : learner
        Needed only where a part of it is your own, such as a loss: an equal of the
        learner that was saved. It forgets what it has learned, and goes on from the
        file.

    Returns
    -------
    learner
        To the same bits as the one that was saved, on processors of the same level.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    ValueError
        Where it is not such a file, is damaged, or holds another learner.

    Examples
    --------
    >>> import regretless as rg, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "live.rgl")
    >>> learner = rg.Perceptron()
    >>> learner.learn_one({"cheap": 1.0}, 1)
    >>> learner.save(path, facts={"offset": 17})
    >>> later = rg.load_learner(path)
    >>> later.weights, later.facts
    ({'cheap': 1.0}, {'offset': 17})
    """
    if what_is(path) in ("checkpoint", "model"):
        return provided("learner of a state")(path, learner)
    content, _ = read_file(path, "learner")
    try:
        found = _learner(path, content, learner)
        if content["game"] is None:
            found.forget()
        else:  # what was given stays as it is where the file is refused
            _check_start(found, content["game"])
            found.resume(content["game"])
        return with_rest(found, content["sets"], _checked(content["facts"]))
    except _Another:
        raise
    except MALFORMED as error:
        raise refusal(path, "learner", error) from None


def with_rest(
    learner: RowLearner, sets: Document | None, facts: Document
) -> RowLearner | Covered:
    """A learner with the prediction sets and the facts that a file keeps beside it."""
    found: RowLearner | Covered = learner
    if sets is not None:
        from .covered_learner import Covered

        found = Covered(learner, float(sets["level"]))
        found.sets.load_state(sets)
    object.__setattr__(found, "facts", facts)
    return found


class _Another(ValueError):  # noqa: N818 - it is what the learner is
    """The file holds another learner, or one that no file can bring back."""


def _check_start(learner: Any, game: Document) -> None:
    """Refuse a start that fills more weights than the game has had."""
    declared = getattr(learner, "n_features", None) or 0
    if getattr(learner, "fixed", False) and declared > largest_array(game):
        raise ValueError(f"it has no weights for n_features={declared}")


def _learner(
    path: str | os.PathLike[str], content: Document, given: AnyLearner | None
) -> Any:
    """The learner that is to go on, at its start."""
    from .recipes import learner_from_dict, recipe_of

    made_by = str(content["made_by"])
    if given is None:
        found = learner_from_dict(content["learner"])
        if found is None:
            raise _Another(FOREIGN.format(os.fspath(path), made_by))
    elif recipe_of(given) != content["learner"]:
        raise _Another(f"{os.fspath(path)}: it holds {made_by}, not {given!r}")
    else:
        found = given
    return found
