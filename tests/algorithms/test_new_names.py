"""Events that bring new names are predicted as the same rows are when played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.algorithms.learners import event_game

LEARNERS: dict[str, Any] = {
    "amounts": rg.RegressionPanel,
    "amounts, fast": lambda: rg.RegressionPanel(forest=False),
    "two": rg.Panel,
    "many": lambda: rg.OneVersusRest(rg.Panel()),
}


@pytest.mark.parametrize("kind", LEARNERS)
def test_a_row_that_widens_the_table_is_predicted_as_it_is_played(kind: str) -> None:
    """Curves have a ridge up to 24 features, and there is a forest up to 200."""
    rng = np.random.default_rng(3)
    events: list[Any] = []
    for i in range(260):
        x = {"a": float(rng.normal()), "b": float(rng.normal())}
        names = rng.integers(10 if i < 100 else 400, size=3).tolist()
        events.append(x | {f"word {name}": 1.0 for name in names})
    amounts = [x["a"] * x["b"] + 0.3 * rng.normal() for x in events]
    y: list[Any] = amounts
    if kind == "two":
        y = [amount > 0.0 for amount in amounts]
    elif kind == "many":
        y = np.digitize(amounts, [-0.5, 0.5]).tolist()
    assert len({name for x in events for name in x}) > 201
    run = rg.play(LEARNERS[kind](), list(zip(events, y, strict=True)), trace=True)
    learner = LEARNERS[kind]()
    for i, (x, label) in enumerate(zip(events, y, strict=True)):
        score = learner.score_one(x)
        said = list(score.values()) if kind == "many" else [score]
        assert said == np.ravel(run.scores[i])[: len(said)].tolist()
        learner.learn_one(x, label)


@pytest.mark.parametrize("kind", LEARNERS)
def test_new_names_make_no_new_calls_while_there_is_room(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    plain = event_game.chained
    monkeypatch.setattr(
        event_game, "chained", lambda *given: calls.append(given) or plain(*given)
    )
    learner = LEARNERS[kind]()
    for i in range(600):
        x = {f"n{i}": 1.0, f"m{i}": 0.5, "a": i % 3}
        learner.predict_one(x)
        learner.learn_one(x, "xyz"[i % 3] if kind == "many" else i % 2)
    assert learner.live.player.n_features == 1201
    # Twice for every time that arrays double, or a class comes, or a forest ends.
    assert len(calls) < 120


@pytest.mark.parametrize(
    "learner", [rg.OGD(rg.Logistic()), rg.AdaGrad(scale="rms"), rg.AROW()], ids=repr
)
def test_a_long_event_may_be_asked_after_a_short_one(learner: Any) -> None:
    wide = {f"n{k}": 0.1 + k for k in range(60)}
    said: list[float] = []
    for first in ({"n1": 1.0}, wide):
        learner.forget()
        learner.learn_one(wide, 1)
        learner.learn_one({"n1": 1.0}, 0)
        learner.score_one(first)
        said.append(learner.score_one(wide))
    assert said[0] == said[1]
