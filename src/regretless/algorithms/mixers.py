"""Mixers: from what several learners say to one prediction, learned on the way.

A mixer takes the scores of a batch, one column a learner, and the labels, and returns
the mixture's score of every row, each made before its label was used.
"""

from __future__ import annotations

import numpy as np

from ..parts.expert_inputs import Predictions
from ..parts.losses import Absolute, Squared
from ..parts.panel.stack import new_stack, new_stack_row
from ..parts.panel.state import Constants
from ..parts.state import Floats
from .experts import AdaHedge, Squint


def make_mixer(by: str, members: int, *, binary: bool) -> Stacker | VoteMixer:
    """The mixer that is called `by`."""
    if by == "stack":
        if not binary:
            raise ValueError('by="stack" is for two classes: take by="adahedge"')
        return Stacker(members)
    if by == "squint" and not binary:
        raise ValueError('by="squint" needs losses in [0, 1]: take by="adahedge"')
    rule = AdaHedge() if by == "adahedge" else Squint()
    return VoteMixer(rule, members, binary=binary)


class VoteMixer:
    """The weighted mean of votes, 0 or 1 (a tie is half a vote), or of numbers.

    Parameters
    ----------
    rule : AdaHedge or Squint
        How voters are weighed.
    members : int
        How many there are.
    binary : bool
        Whether they vote, rather than say numbers.
    """

    def __init__(self, rule: AdaHedge | Squint, members: int, *, binary: bool) -> None:
        self.rule = rule
        self.binary = binary
        self.player = rule.player(members)
        self.loss = 0.0

    def take(self, scores: Floats, targets: Floats) -> Floats:
        """The mixture's scores: the vote minus a half, or the mean number."""
        n, members = scores.shape
        trace = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
        said, outcomes, loss = scores, targets, Squared()
        if self.binary:
            said = np.where(scores > 0.0, 1.0, np.where(scores < 0.0, 0.0, 0.5))
            outcomes, loss = (targets > 0.0).astype(np.float64), Absolute()
        values = np.ascontiguousarray(said).reshape(-1)
        self.player.play(Predictions(values, members, outcomes, loss), trace=trace)
        self.loss += float(trace[1].sum())
        return trace[0] - 0.5 if self.binary else trace[0]

    def weights(self) -> Floats:
        """How much each learner counts in the coming round."""
        return self.player.weights()


class Stacker:
    """Bayesian logistic regression on the margins.

    Parameters
    ----------
    members : int
        How many learners there are.
    """

    rule = None
    player = None

    def __init__(self, members: int) -> None:
        self.members = members
        self.constants = Constants()
        self.state = new_stack(self.constants, members)
        self.row = new_stack_row(members)
        self.loss = 0.0

    def take(self, scores: Floats, targets: Floats) -> Floats:
        """The log-odds of +1."""
        from ..engine.kernels.compiled import entry
        from ..engine.kernels.stack import play_stack

        out = np.zeros(targets.size)
        margins = np.ascontiguousarray(scores).reshape(-1)
        arguments = (self.constants, self.state, self.row, margins, targets, out)
        entry(play_stack, arguments)(*arguments)
        self.loss += float(np.logaddexp(0.0, -targets * out).sum())
        return out

    def weights(self) -> Floats:
        """What each learner's margin weighs while it is small."""
        near = self.state.stack[: self.members]
        return near + self.state.stack[self.members : 2 * self.members]
