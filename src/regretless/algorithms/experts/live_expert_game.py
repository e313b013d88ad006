"""Experts one event at a time, through the same machine code that plays tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias, cast

import numpy as np

from ...data.encoding import AmountLabels, TwoClassLabels
from ...data.encoding.expert_names import ExpertNames
from ...data.encoding.outcomes import Outcomes
from ...engine.expert_ledger import ExpertLedger
from ...engine.players.experts import ExpertPlayer, Rounds
from ...engine.shared_game import SharedGame
from ...engine.storage import checked_int, keep, largest_array, pack_names, unpack_names
from ...parts.documents import Document
from ...parts.expert_inputs import Losses, Predictions, Votes
from ...parts.generic import canonical
from ...parts.losses import Absolute
from ...parts.part_types import Loss
from ...parts.rules.majority import RandomMajority, coin
from ...parts.state import Floats

__all__ = ["LiveExperts"]


Begun: TypeAlias = (
    "tuple[tuple[int, Floats], ExpertPlayer, ExpertNames, TwoClassLabels, bool]"
)
"""Rounds and numbers before an event, and what the game has where it is learned."""


class LiveExperts(SharedGame):
    """A game of experts played event by event.

    Parameters
    ----------
    make : callable
        From the number of experts to a player at the start.
    votes : bool
        Whether experts vote.
    """

    kept = keep("_labels", "player")

    constant = ("_make", "_votes")
    changing = ("_labels", "roster", "player")

    def __init__(self, make: Callable[[int], ExpertPlayer], votes: bool) -> None:
        self._make = make
        self._votes = votes
        self._labels = TwoClassLabels()
        self.roster = ExpertNames()
        self.player: ExpertPlayer | None = None
        self._start()

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return 0 if self.player is None else self.player.rounds

    def learn(self, x: object, y: object, loss: Loss | None) -> None:
        """Play one round; a bad one changes nothing."""
        self.refuse_inner()
        with self.lock:
            self.settle()
            roster, labels = self._copies()
            values = roster.encode(x, self.rounds)
            player = self.player or self._make(values.size)
            played = self._rounds(values, y, loss, labels)
            predicts = player.predictions or isinstance(played, Predictions)
            now = self.rounds, player.expert_state.numbers.copy()
            self.begun = now, player, roster, labels, predicts
            try:
                player.play(played, names=roster.names)
            finally:
                self.settle()

    def settle(self) -> None:
        """Take over what goes with an event, if the player has learned it."""
        if self.begun is not None:
            begun = cast("Begun", self.begun)
            (rounds, numbers), player, roster, labels, predicts = begun
            if player.rounds > rounds:
                player.predictions = predicts
                self.player, self.roster, self._labels = player, roster, labels
            else:  # some are of the round that was refused
                player.expert_state.numbers[:] = numbers
            self.begun = None

    def score(self, x: object) -> tuple[float, float]:
        """The share of weight for 1 or the mean prediction, and the lean towards 1."""
        self.refuse_inner()
        with self.lock:
            self.settle()
            values = self._copies()[0].encode(x, self.rounds)
            player = self.player or self._make(values.size)
            outcome = np.zeros(1)
            if self._votes:
                return player.score(Votes(values, values.size, outcome))
            return player.score(Predictions(values, values.size, outcome, Absolute()))

    def predict(self, x: object) -> float:
        """The vote, or the mean prediction."""
        self.refuse_inner()
        with self.lock:
            self.settle()
            score, lean = self.score(x)
            if not self._votes:
                return score
            rule = (self.player or self._make(1)).rule
            if not isinstance(rule, RandomMajority):
                return int(lean > 0.0)
            with np.errstate(over="ignore"):  # the coin counts modulo 2^64
                return int(coin(rule.seed, float(self.rounds)) < score)

    def named_weights(self) -> dict[Hashable, float]:
        """Weights by expert; none before the first event."""
        self.refuse_inner()
        with self.lock:
            self.settle()
            if self.player is None:
                return {}
            names = self.roster.names or range(self.player.n_experts)
            return dict(zip(names, self.player.weights().tolist(), strict=True))

    def ledger(self) -> ExpertLedger:
        """The ledger of the events so far; ``ValueError`` before the first."""
        self.refuse_inner()
        with self.lock:
            self.settle()
            if self.player is None:
                raise ValueError("no event has been learned yet")
            return self.player.ledger()

    def state_dict(self) -> Document:
        """All that the events to come depend on, as plain data and arrays."""
        self.settle()
        return {
            "n_experts": self.roster.size,
            "names": pack_names(self.roster.names),
            **super().state_dict(),
        }

    def prepare_state(self, stored: Document, /) -> None:
        """Be of as many experts, of these names."""
        names = unpack_names(stored["names"])
        if stored["player"] is None:
            return
        n = checked_int(stored, "n_experts", 1, largest_array(stored["player"]))
        if names is not None:
            self.roster.numbers = {name: k for k, name in enumerate(names)}
            if len(self.roster.numbers) != n:
                raise ValueError("it names other experts than it has weights for")
        self.roster.size = n
        self.player = self._make(n)

    def _rounds(
        self, values: Floats, y: object, loss: Loss | None, labels: TwoClassLabels
    ) -> Rounds:
        if y is None:
            return Losses(values, values.size)
        if self._votes:
            outcome = np.array([Outcomes().encode_one(y, self.rounds)])
            return Votes(values, values.size, outcome)
        part: Loss = canonical(loss if loss is not None else Absolute())
        code = labels if part.task == "binary" else AmountLabels()
        outcome = np.array([code.encode_one(y, self.rounds)])
        return Predictions(values, values.size, outcome, part)

    def _copies(self) -> tuple[ExpertNames, TwoClassLabels]:
        """What an event may change, to be kept only if it is good."""
        roster, labels = ExpertNames(), TwoClassLabels()
        roster.size, roster.numbers = self.roster.size, self.roster.numbers
        labels.restore(self._labels.state())
        return roster, labels
