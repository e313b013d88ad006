"""A handler of a signal that uses the learner it interrupts is refused, or is right."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import live_games
import regretless as rg

GAMES = live_games.games() | live_games.covered()
KINDS = [
    "Panel()",
    "RegressionPanel()",
    "Perceptron()",
    "OneVersusRest(learner=Panel())",
    "Hedge",
    "intervals(Panel())",
]
EVENTS = 400
CALLS: dict[str, Callable[[live_games.LiveGame, Any, Path], Any]] = {
    "ask": lambda game, learner, _: game.wonder(learner, 3),
    "save": lambda game, learner, folder: learner.save(folder / "inner.rgl"),
    "ledger": lambda game, learner, _: repr(learner.ledger),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_handler_that_uses_its_learner(kind: str, call: str, tmp_path: Path) -> None:
    game, dice, refused = GAMES[kind], random.Random(1), list[str]()
    learner, twin = game.make(), game.make()
    for each in (learner, twin):
        for i in range(8):
            game.stream(each, i)
            game.wonder(each, i)

    def use(*_: object) -> None:
        try:
            CALLS[call](game, learner, tmp_path)
        except RuntimeError as error:
            refused.append(str(error))
        signal.setitimer(signal.ITIMER_REAL, dice.uniform(1e-4, 1e-3))

    before = signal.signal(signal.SIGALRM, use)
    try:
        use()
        for i in range(8, EVENTS):
            game.stream(learner, i)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    for i in range(8, EVENTS):
        game.stream(twin, i)
    found, wanted = (live_games.state(each) for each in (learner, twin))
    if call == "ask":  # which events were asked about is remembered
        for state in (found, wanted):
            state[0].pop("remembered", None)
    assert found == wanted
    assert all("in the middle of an event" in why for why in refused)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_interrupts_a_mixture_leaves_it_as_it_was(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    F, y = rng.random((80, 4)), (rng.random(80) < 0.5).astype(float)
    path = tmp_path / "mixture"
    rg.forecasts.combine(F, y, loss="brier", recalibrate=True).save(path)
    mixture, twin = map(rg.forecasts.load_mixture, (path, path))
    dice, hits, learned, armed = random.Random(2), 0, 0, False

    def stop(*_: object) -> None:
        if armed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        while hits < 30:
            rounds = mixture.rounds
            try:
                armed = True
                signal.setitimer(signal.ITIMER_REAL, dice.uniform(1e-5, 2e-3))
                mixture.learn(F[learned % 80], float(y[learned % 80]))
                armed = False
            except KeyboardInterrupt:
                hits += 1
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            if mixture.rounds > rounds:
                twin.learn(F[learned % 80], float(y[learned % 80]))
                learned += 1
            layers = [mixer.player.rounds for mixer in mixture.layers]
            assert layers == [mixer.player.rounds for mixer in twin.layers]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert np.array_equal(mixture.predict(F), twin.predict(F))
