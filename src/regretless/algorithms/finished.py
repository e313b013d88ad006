"""Learners that runs and models remember: who played, and not what was learned.

What a run has learned is in its weights. Its learner is the parameters of that game,
and to learn one more event with it would begin at round 1. So it refuses, in one line.
"""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar, cast

from .played import played_by

__all__ = ["Finished", "finished"]

LearnerT = TypeVar("LearnerT")
OVER = (
    "{} is the learner of a run or a model, without what it learned: go on from the "
    "file of a model by play(..., initial_model=path), from that of a learner by "
    "rg.load_learner(path), or start anew with a new learner, or by its forget()"
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


def finished(learner: LearnerT) -> LearnerT:
    """A copy of `learner`: its parameters, and no events that it learns or predicts.

    It may be played like any other. `learner` itself stays as it is.

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.Perceptron()
    >>> run = rg.play(learner, [[1.0]], [1])
    >>> run.learner == learner
    True
    >>> run.learner.learn_one({"a": 1.0}, 1)
    Traceback (most recent call last):
    ValueError: Perceptron() is the learner of a run or a model, without what it
    learned: go on from the file of a model by play(..., initial_model=path), from that
    of a learner by rg.load_learner(path), or start anew with a new learner, or by its
    forget()
    >>> learner.learn_one({"a": 1.0}, 1)
    """
    kind = played_by(learner)
    if kind == "mixture":
        mixture = cast("Any", learner)
        members = [finished(one) for one in mixture.learners]
        return dataclasses.replace(mixture, learners=members)
    if isinstance(getattr(learner, "_live", learner), Finished):
        return learner
    copied = copy.copy(learner)
    object.__setattr__(copied, "_live", Finished(repr(learner)))
    return copied
