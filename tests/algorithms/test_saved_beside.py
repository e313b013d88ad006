"""Facts beside a learner, in the same file; and others, who do not wait for it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import live_games
import regretless as rg
from regretless.algorithms import saved_learners

GAMES = live_games.games()
FACTS = {"offset": 17, "topic": "clicks", "parts": [1, 2.5, None, True], "of": {"a": 1}}


@pytest.mark.parametrize("name", GAMES)
def test_facts_are_of_the_same_file(name: str, tmp_path: Path) -> None:
    game, path = GAMES[name], tmp_path / "live.rgl"
    learner = game.make()
    assert dict(learner.facts) == {}
    for i in range(6):
        game.teach(learner, i)
    learner.save(path, facts=FACTS)
    found = rg.load_learner(path)
    assert found.facts == FACTS
    assert found.ledger == learner.ledger
    found.save(path)  # they are of that file, and not of this one
    assert rg.load_learner(path).facts == {}


@pytest.mark.parametrize(
    "bad",
    [[1], "text", {1: 2}, {"a": (1, 2)}, {"a": {1}}, {"a": float("nan")}, {"$a": 1}],
)
def test_facts_that_no_file_can_hold(bad: Any, tmp_path: Path) -> None:
    path = tmp_path / "live.rgl"
    learner = rg.Perceptron()
    learner.learn_one({"a": 1.0}, 1)
    learner.save(path, facts=FACTS)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"^facts|cannot be stored"):
        learner.save(path, facts=bad)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", GAMES)
def test_others_learn_while_it_is_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they learn is not in the file: it is of the moment of the copy."""
    game, path = GAMES[name], tmp_path / "live.rgl"
    learner = game.make()
    for i in range(6):
        game.teach(learner, i)
    writes, learned = saved_learners.write_file, list[int]()

    def teach() -> None:
        for i in range(6, 12):
            game.teach(learner, i)
            game.ask(learner)
        learned.append(learner.ledger.rounds)

    def write(*arguments: Any) -> None:
        other = threading.Thread(target=teach)
        other.start()
        other.join(timeout=30.0)
        writes(*arguments)

    monkeypatch.setattr(saved_learners, "write_file", write)
    learner.save(path)
    assert learned == [12]
    found = rg.load_learner(path)
    assert found.ledger.rounds == 6
    for i in range(6, 12):
        game.teach(found, i)
    assert found.ledger == learner.ledger
    assert repr(game.ask(found)) == repr(game.ask(learner))


def test_a_learner_that_is_saved_again_and_again_by_threads(tmp_path: Path) -> None:
    learner, done = rg.Panel(), threading.Event()

    def teach() -> None:
        for i in range(3000):
            learner.learn_one({f"w{i % 700}": 1.0, "b": i % 3}, i % 2)
        done.set()

    teacher = threading.Thread(target=teach)
    teacher.start()
    rounds: list[int] = []
    while not done.is_set() or not rounds:
        learner.save(tmp_path / "live.rgl", facts={"at": len(rounds)})
        found = rg.load_learner(tmp_path / "live.rgl")
        assert found.facts == {"at": len(rounds)}
        rounds.append(found.ledger.rounds)
    teacher.join()
    assert rounds == sorted(rounds)
