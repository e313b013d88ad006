"""Players are known by what they can do, never by their type."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import live_games
import regretless as rg
from regretless.algorithms import experts, learners
from regretless.engine.hypotheses.hypothesis import Hypothesis
from regretless.engine.players import player as contract
from regretless.evidence.snapshots.hypotheses import freezer_of
from regretless.parts.rows import Dense

ROOT = Path(rg.__file__).parent
CAPABILITIES = ("classes", "n_classes", "averages", "linear", "starts_from", "binary")
KINDS = [
    name
    for package in (experts, learners)
    for name in package.__all__
    if name not in ("EG", "Mixture")  # a name of parts; a list of learners
]
PLAYERS = {
    name: game.make().player(3)
    for name, game in live_games.games().items()
    if hasattr(game.make(), "task")
}


def test_nobody_asks_a_player_for_its_type() -> None:
    asked = re.compile(r"isinstance\([^()]*\b\w*Player\b")
    found = {
        file.relative_to(ROOT).as_posix()
        for file in ROOT.rglob("*.py")
        if asked.search(file.read_text())
    }
    assert {name for name in found if not name.startswith("engine/players/")} == set()


def test_nobody_asks_a_learner_a_model_or_a_ledger_for_its_type() -> None:
    """Their attributes say what they can do: plays, task, linear, averages, ..."""
    kinds = "|".join([*KINDS, r"\w*(?:Learner|Model|Ledger|Hypothesis)"])
    asked = re.compile(rf"isinstance\([^()]*,[^()]*\b(?:{kinds})\b")
    found = {
        file.relative_to(ROOT).as_posix()
        for file in ROOT.rglob("*.py")
        if asked.search(file.read_text())
    }
    assert found - {"engine/expert_ledger.py"} == set()


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_says_what_it_can_do(name: str) -> None:
    player = PLAYERS[name]
    wanted = [each for each in vars(contract.Player) if not each.startswith("_")]
    assert not [each for each in wanted if not hasattr(player, each)]
    assert not [each for each in CAPABILITIES if getattr(player, each) is None]
    hypothesis = player.hypothesis()
    assert hypothesis.stored_as in Hypothesis.kinds
    assert hypothesis.n_features <= player.n_features
    assert hypothesis.describe()
    rows = Dense(np.array([1.0, 0.0, 1.0]), 3)
    assert len(hypothesis.scores(rows, 1)) == 1
    packed = freezer_of(player).pack(hypothesis)
    again = freezer_of(player).unpack(packed)
    assert freezer_of(player).pack(again) is not None
    assert type(again) is type(hypothesis)
