"""Learners that runs and models remember: who played, and where the game stands.

That of a run goes on event by event from where the run has stopped. A model has not
what its learner knew besides: to learn one more event would begin at round 1. So its
learner refuses, in one line.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar, cast

from ..parts.documents import Document
from .played import played_by

LearnerT = TypeVar("LearnerT")
OVER = (
    "{} is the learner of a run or a model, without what it learned: go on by "
    "rg.load_learner(path) from the file of a learner, a checkpoint or what train "
    "--resumable saved, by play(..., initial_model=path) from a model, or start anew "
    "with a new learner, or by its forget()"
)


@dataclass(frozen=True)
class Finished:
    """The game of such a learner: whatever is asked of it is refused.

    Parameters
    ----------
    who : str
        The call that makes the learner.
    """

    who: str

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # of Python, which asks what an object can do
            raise AttributeError(name)
        raise ValueError(OVER.format(self.who))


def finished(
    learner: LearnerT, stopped: Callable[[], Document] | None = None
) -> LearnerT:
    """A copy of `learner`: its parameters, and no events that it learns or predicts.

    Or those after a game, whose state `stopped` gives when it is asked for. It may be
    played like any other. `learner` itself stays as it is.

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.Perceptron()
    >>> run = rg.play(learner, [[1.0]], [1])
    >>> run.learner == learner
    True
    >>> run.model("last").learner.learn_one({"a": 1.0}, 1)
    Traceback (most recent call last):
    ValueError: Perceptron() is the learner of a run or a model, without what it
    learned: go on by rg.load_learner(path) from the file of a learner, a checkpoint or
    what train --resumable saved, by play(..., initial_model=path) from a model, or
    start anew with a new learner, or by its forget()
    >>> learner.learn_one({"a": 1.0}, 1)
    """
    kind = played_by(learner)
    if kind == "mixture":
        mixture = cast("Any", learner)
        members = [finished(one) for one in mixture.learners]
        return dataclasses.replace(mixture, learners=members)
    live = None if stopped else Finished(repr(learner))
    copied = copy.copy(learner)
    object.__setattr__(copied, "_live", live)
    if kind == "rows":
        object.__setattr__(copied, "_stopped", stopped)
    return copied
