"""Any sequence of calls of a learner: what it has learned is all that counts.

A twin learns the same events, is asked the same, and never sees anything else: no event
that is refused, no file, no copy.
"""

from __future__ import annotations

import copy
import pickle  # noqa: TID251 - users do
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as some
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

import live_games
import regretless as rg
from interrupts import differences, refuse

STEPS = 12


class Sequences(RuleBasedStateMachine):
    """One learner, and its twin."""

    game: live_games.LiveGame

    def __init__(self) -> None:
        super().__init__()
        self.learner, self.twin = self.game.make(), self.game.make()
        self.learned = 0

    @initialize(events=some.integers(0, 40))
    def live(self, events: int) -> None:
        """It has learned some events."""
        for _ in range(max(events, self.game.before)):
            self.learn()

    @rule()
    def learn(self) -> None:
        """Learn the next event."""
        for each in (self.learner, self.twin):
            self.game.stream(each, self.learned)
        self.learned += 1

    @rule(i=some.integers(0, 50))
    def ask(self, i: int) -> None:
        """Predict an event, with names that are new or not."""
        said, wanted = (self.game.wonder(each, i) for each in (self.learner, self.twin))
        assert repr(said) == repr(wanted)
        self.same()

    @rule(i=some.integers(0, 50), which=some.integers(0, 20))
    def refused(self, i: int, which: int) -> None:
        """Be given an event that cannot be learned."""
        events = self.game.refused(i)
        refuse(self.learner, events[which % len(events)])
        self.same()

    @rule()
    def saved(self) -> None:
        """Go on from a file, which does not hold the event that was asked last."""
        for each in (self.learner, self.twin):
            self.game.wonder(each, self.learned)
            self.game.stream(each, self.learned)
        self.learned += 1
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "live.rgl")
            self.learner.save(path)
            self.same()
            self.learner = rg.load_learner(path)
        self.same()

    @rule()
    def copied(self) -> None:
        """Go on as a copy."""
        self.learner = copy.deepcopy(self.learner)
        self.same()

    @rule()
    def pickled(self) -> None:
        """Go on from a pickle."""
        self.learner = pickle.loads(pickle.dumps(self.learner))
        self.same()

    @rule()
    def frozen(self) -> None:
        """Be looked at."""
        if self.learned and hasattr(self.learner, "snapshot"):
            models = [each.snapshot() for each in (self.learner, self.twin)]
            assert models[0].n_features == models[1].n_features
            assert certified(self.learner) == certified(self.twin)
        self.same()

    def same(self) -> None:
        """Everything that can be seen of the two is equal."""
        found, wanted = map(live_games.state, (self.learner, self.twin))
        assert found == wanted, differences(found, wanted)
        if self.learned:
            assert repr(self.learner.ledger) == repr(self.twin.ledger)
        if hasattr(self.twin, "weights"):
            assert repr(self.learner.weights) == repr(self.twin.weights)

    def teardown(self) -> None:
        """Go on to the same bits."""
        for _ in range(3):
            self.learn()
        self.same()


def certified(learner: Any) -> str:
    """What is certified, or why nothing is."""
    try:
        return repr(learner.certificate())
    except ValueError as error:
        return str(error)


def play(game: live_games.LiveGame, sequences: int) -> None:
    """So many sequences of calls, the same ones every time."""
    kind: Any = type("Sequences", (Sequences,), {"game": game})
    options = settings(
        max_examples=sequences,
        stateful_step_count=STEPS,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    make: Callable[[], Any] = kind
    run_state_machine_as_test(make, settings=options)
