"""Play a mixture: the learners beside each other, and a mixer on what they say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.finished import finished
from ..algorithms.learners.mixture import Mixture
from ..algorithms.mixers import make_mixer
from ..data import Batch, ReadOptions
from ..errors import BadRow
from ..parts.notebook_html import Printed
from ..parts.reprs import short_call
from ..parts.state import Floats
from .many_learners import checked_learners
from .many_runs import Runs
from .opening import open_rows
from .run import Run
from .session import Session
from .session_options import SessionOptions

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
    from ..evidence.theorems import Theorems


@dataclass(frozen=True, repr=False, eq=False)
class MixtureRun(Printed):
    """The receipts of a mixture.

    Attributes
    ----------
    learner : Mixture
        Who played.
    members : Runs
        The learners' own runs.
    weights : ndarray
        How much each learner counts in the coming round.
    rounds, mistakes, loss
        Of the mixture: a tied vote is a mistake; the loss is the absolute loss of the
        mean vote, the log loss of a stack, or the squared loss of the mean number.
    """

    learner: Mixture
    members: Runs
    weights: Floats
    rounds: int
    mistakes: int | None
    loss: float
    length: int | None = None
    weighted: bool = False
    scores: Floats | None = field(default=None, repr=False)
    votes: Run | None = field(default=None, repr=False)

    def certificate(self, delta: float = 0.05) -> Certificate:
        """An upper bound on the error of the changing mixture, to be read any time."""
        from ..evidence.certify.checks import checked_delta
        from ..evidence.claims import anytime_certificate, guarded

        # A row that a member refuses ends it all: none was left out.
        found = anytime_certificate(
            self.rounds,
            self.mistakes,
            checked_delta(delta),
            length=self.length,
            weighted=self.weighted,
        )
        return guarded(self.members[0], found)

    def theorems(self) -> Theorems:
        """The regret of the mean vote against the best learner, beside its bound."""
        if self.votes is None:
            raise ValueError(
                'nothing is proven of by="stack": its steps approximate a posterior'
            )
        return self.votes.theorems()

    def __str__(self) -> str:
        """The mixture, then its members."""
        n = max(self.rounds, 1)
        paid = f"loss {self.loss:,.6g} ({self.loss / n:.4g} a row)"
        if self.mistakes is not None:
            paid = f"{self.mistakes:,} mistakes ({self.mistakes / n:.2%}), {paid}"
        shares = [
            f"{weight:8.3f}  {short_call(run.learner)}"
            for weight, run in zip(self.weights, self.members, strict=True)
        ]
        head = f"a mixture of {len(self.members)} by {self.learner.by}: {paid}"
        return "\n".join([head, *shares, "", str(self.members)])


def play_mixture(
    mixture: Mixture,
    X: object = None,
    y: object = None,
    *,
    asked: SessionOptions,
    options: ReadOptions | None = None,
    trace: bool = False,
    keep: bool = False,
    length: int | None = None,
) -> MixtureRun:
    """Play `mixture` over the rows of X, as :func:`regretless.play` says."""
    learners = checked_learners(mixture.learners)
    opened = open_rows(asked, learners, X, y, read=options)
    if opened.choice.many:
        raise ValueError(
            "a mixture is of learners of two classes, or of numbers: "
            f"{opened.learners[0]!r} takes many classes"
        )
    binary, source = opened.choice.task == "binary", opened.source
    games = [Session(learner, source, length=length) for learner in learners]
    mixer = make_mixer(mixture.by, len(games), binary=binary)
    mistakes = 0
    kept: list[Floats] = []
    for batch in source.batches():
        said = _played(games, batch)
        labeled = ~np.isnan(batch.targets)
        targets = batch.targets[labeled]
        scores = mixer.take(said[labeled], targets)
        mistakes += int((scores * targets <= 0.0).sum())
        if trace:
            kept.append(scores)
    runs = Runs(tuple(game.run() for game in games))
    return MixtureRun(
        learner=finished(mixture),
        members=runs,
        weights=mixer.weights(),
        rounds=runs[0].rounds,
        mistakes=mistakes if binary else None,
        loss=mixer.loss,
        length=games[0].length,
        weighted=runs[0].weighted,
        scores=np.concatenate(kept) if trace and kept else None,
        votes=_votes(mixer),
    )


def _played(games: list[Session], batch: Batch) -> Floats:
    """Let everybody play the batch; what each said of every row before its label."""
    said = np.zeros((batch.targets.size, len(games)))
    for k, game in enumerate(games):
        column = np.zeros(batch.targets.size)
        try:
            game.take(batch, column)
        except BadRow as error:
            if batch.failure is not None and error is batch.failure:
                raise
            who = f"{short_call(game.learner)} cannot go on: {error.problem}"
            raise BadRow(error.row, who, error.where) from None
        said[:, k] = column
    return said


def _votes(mixer: Any) -> Run | None:
    """The voting as a game of experts, for its theorems."""
    if mixer.player is None:
        return None
    player = mixer.player
    return Run(learner=mixer.rule, ledger=player.ledger(), weights=player.weights())
