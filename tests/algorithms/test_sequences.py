"""Whatever is called in whatever order, and broken off anywhere: events are whole."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import interrupts
import live_games
import regretless as rg
import sequences

GAMES = live_games.games() | live_games.covered()
LEFT_OPEN = "ignore::pytest.PytestUnraisableExceptionWarning"  # the draft of a file
SOME = [
    *("Perceptron()", "VAW(strength=0.5)", "KernelPerceptron(budget=50)", "Hedge"),
    *("RegressionPanel(forest=False)", "MulticlassPerceptron()", "FollowTheLeader"),
    *("OneVersusRest(learner=Perceptron())", "OneVersusRest(learner=AROW())"),
]


@pytest.mark.parametrize("name", SOME)
def test_any_sequence_of_calls_leaves_a_learner_equal_to_its_twin(name: str) -> None:
    sequences.play(GAMES[name], 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(GAMES) - set(SOME)))
def test_so_does_every_kind(name: str) -> None:
    sequences.play(GAMES[name], 4)


@pytest.mark.filterwarnings(LEFT_OPEN)
@pytest.mark.parametrize("name", SOME)
def test_what_a_handler_of_a_signal_breaks_off_is_whole(
    name: str, tmp_path: Path
) -> None:
    breaker = interrupts.Point(random.Random(0))
    interrupts.attack(GAMES[name], breaker, 25, tmp_path)


@pytest.mark.slow
@pytest.mark.filterwarnings(LEFT_OPEN)
@pytest.mark.parametrize("name", sorted(set(GAMES) - set(SOME)))
def test_so_it_is_of_every_kind(name: str, tmp_path: Path) -> None:
    breaker = interrupts.Point(random.Random(1))
    interrupts.attack(GAMES[name], breaker, 25, tmp_path)


def test_a_regression_panel_forgets_names_that_were_only_asked(tmp_path: Path) -> None:
    learner, twin = rg.RegressionPanel(), rg.RegressionPanel()
    for each in (learner, twin):
        for i in range(20):
            each.learn_one({"a": i % 3, "b": 1.0}, float(i))
    learner.predict_one({"a": 1.0, "new": 2.0})
    with pytest.raises(rg.BadRow):
        learner.learn_one({"newer": float("nan")}, 1.0)
    assert learner.weights == twin.weights
    assert learner.ledger == twin.ledger
    assert learner.snapshot().n_features == 2
    learner.save(tmp_path / "live.rgl")
    assert rg.load_learner(tmp_path / "live.rgl").weights == twin.weights


def test_a_file_that_would_not_load_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner, path = rg.Perceptron(), tmp_path / "live.rgl"
    learner.learn_one({"a": 1.0}, 1)
    learner.save(path)
    before = path.read_bytes()
    learner.live.player.n_features = 0  # as if it had been torn
    with pytest.raises(RuntimeError, match="1 names and 1 events are remembered"):
        learner.save(path)

    def cut(*given: Any) -> list[bytes]:
        return [b"".join(whole(*given))[:-1]]

    from regretless.engine.storage import container

    whole = container.encoded
    learner.live.player.n_features = 1
    monkeypatch.setattr(container, "encoded", lambda *given: [*cut(*given), b""])
    with pytest.raises(OSError, match="what was written cannot be read"):
        learner.save(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["live.rgl"]
