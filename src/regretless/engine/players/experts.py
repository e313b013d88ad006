"""Experts in the middle of a game: the rule, what each has lost, the statistics."""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Sequence

import numpy as np

from ...errors import BadRow
from ...parts.expert_inputs import Losses, Predictions, Votes, count
from ...parts.expert_state import WIDE, ExpertState, new_expert_state
from ...parts.expert_statistics import HIGHEST, LOWEST, SUMS
from ...parts.generic import canonical, implemented
from ...parts.observers import ROUNDS, TraceArrays, new_statistics, traced
from ...parts.part_types import Rule
from ...parts.rules import AdaptiveRate, SquintGrid, prime, prove
from ...parts.state import Floats
from ..expert_ledger import ExpertLedger, read_expert_statistics
from ..ledger import checked_statistics
from ..storage import FINITE, SIZES, Range, Stored, keep

Rounds = Votes | Predictions | Losses
EXPERTS: dict[str, Range] = {
    "losses": FINITE,
    "spared": FINITE,
    "slept": SIZES,
    "extra": FINITE,
    "numbers": FINITE,
}
"""What the state of experts holds; the rest of it is room to work in."""


class ExpertPlayer(Stored):
    """The mutable middle of a run of experts.

    Parameters
    ----------
    rule : a rule
        How experts are weighed; see :mod:`regretless.parts.rules`.
    n_experts : int
        How many experts there are.
    name : str
        What the learner is called in messages.
    """

    kept = keep(
        "predictions",
        expert_state=EXPERTS,
        statistics=checked_statistics,
        seconds=SIZES,
    )

    def __init__(self, rule: Rule, n_experts: int, name: str) -> None:
        self.rule = canonical(rule)
        self.n_experts = n_experts
        self.name = name
        self.expert_state = new_expert_state(n_experts, self.rule.has_extra)
        prime(self.rule, self.expert_state)
        self.statistics = new_statistics(SUMS, LOWEST, HIGHEST)
        self.predictions = False
        self.seconds = 0.0  # spent in the kernel

    def check_state(self) -> None:
        """Refuse sums of squares, which come after the first sums, below zero."""
        if implemented(prove, self.rule):
            squares = self.expert_state.extra[self.n_experts :]
            if SIZES.refusal(squares) or self.expert_state.numbers[WIDE] < 0.0:
                raise ValueError("the sums of squares of its experts are negative")

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self.statistics.counts[ROUNDS])

    def play(
        self,
        rounds: Rounds,
        *,
        trace: TraceArrays | None = None,
        names: Sequence[Hashable] | None = None,
    ) -> None:
        """Play some rounds in order.

        Raises :class:`BadRow` at the first one that is refused; those before it are
        learned. `names` are the experts', for its message.
        """
        from ..kernels.compiled import entry
        from ..kernels.experts import play_rounds

        first, observer = self.rounds, traced(self.statistics, trace)
        arguments = (self.rule, self.expert_state, observer, rounds)
        kernel = entry(play_rounds, arguments)
        began = time.perf_counter()
        played = kernel(*arguments)
        self.seconds += time.perf_counter() - began
        self.predictions = self.predictions or isinstance(rounds, Predictions)
        if played < count(rounds):
            raise BadRow(first + played, self._problem(rounds, played, names))

    def score(self, rounds: Votes | Predictions) -> tuple[float, float]:
        """The score of the first of `rounds`, and its margin; learn nothing."""
        from ..kernels.compiled import entry
        from ..kernels.experts import score_round

        out = np.zeros(2)
        arguments = (self.rule, self._asked(), rounds, out)
        if entry(score_round, arguments)(*arguments) == 0:
            raise BadRow(self.rounds, self._problem(rounds, 0, None))
        return float(out[0]), float(out[1])

    def weights(self) -> Floats:
        """The weights of all experts for the coming round; they add up to one."""
        from ..kernels.compiled import entry
        from ..kernels.experts import weigh_experts

        out = np.zeros(self.n_experts)
        arguments = (self.rule, self._asked(), out)
        entry(weigh_experts, arguments)(*arguments)
        return out

    def _asked(self) -> ExpertState:
        """The state, with numbers of its own: rates are those of a round."""
        return self.expert_state._replace(numbers=self.expert_state.numbers.copy())

    def ledger(self) -> ExpertLedger:
        """What has been met and paid so far."""
        proved = implemented(prove, self.rule)
        return read_expert_statistics(
            self.statistics,
            self.expert_state,
            votes=self.rule.votes,
            predictions=self.predictions,
            adaptive=isinstance(self.rule, AdaptiveRate),
            squared=isinstance(self.rule, SquintGrid),
            bounds=prove(self.rule, self.expert_state) if proved else None,
        )

    def _problem(self, rounds: Rounds, i: int, names: Sequence[Hashable] | None) -> str:
        """Say what is wrong with round `i`, which the kernel refused."""
        row = rounds.values[i * rounds.width : (i + 1) * rounds.width].tolist()
        for k, said in enumerate(row):
            expert = f"expert {names[k] if names is not None else k!r}"
            if math.isnan(said):
                continue
            if isinstance(rounds, Votes) and said not in (0.0, 1.0):
                return f"{expert}: {said:g} is no vote: 0, 1, or nan for asleep"
            if math.isinf(said):
                return f"{expert}: {said} is not a finite number (nan: asleep)"
        if all(math.isnan(said) for said in row):
            return "every expert is asleep"
        if isinstance(rounds, Votes):
            return (
                f"every expert has been wrong by now, and {self.name} never forgives: "
                "WeightedMajority(beta=0.5) needs no perfect expert"
            )
        return "a loss is not a finite number"
