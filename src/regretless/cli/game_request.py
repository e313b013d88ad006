"""What a ``game`` command asks for: a learner, a game, and how many rounds."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

from ..algorithms.covered_learner import intervals
from ..lab.experiments import Experiment, Results
from ..lab.experiments import find as find_experiment
from ..lab.games import LINEUP, Game, find, games_for, name_of, parameters_of, set_up
from ..lab.games.noisy_labels import NoisyLabels
from ..lab.games.opponents import fits
from ..lab.games.quadratic import Quadratic
from ..lab.games.ranges import whole
from ..parts.documents import Document
from .grammar import expert_names, learner_names, parse_learner, parse_value


def contest(
    words: list[str],
    adversary: str | None,
    rounds: int | None,
    flags: Document,
) -> tuple[Any, Game, int]:
    """The learner, the game and the number of rounds that the words stand for.

    Raises
    ------
    ValueError
        Where there is no such thing, or it is out of range; one line says what.
    """
    if rounds is not None:
        whole("rounds", rounds, 1)
    kinds = {**learner_names(), **expert_names()}
    name = words[0]
    plain = name.lower().replace("-", "").replace("_", "")
    settled = parse_learner(" ".join(words), kinds) if len(words) > 1 else None
    if plain not in kinds:
        parse_learner(name, kinds)  # says what there is
    kind: type = kinds[plain]
    game = _game(adversary, _default(kind, settled), rounds, flags)
    many = game.natural if rounds is None else rounds
    learner = settled if settled is not None else set_up(kind, game, many)
    if game.covered and getattr(learner, "task", "") == "real":
        learner = intervals(learner)
    if not fits(learner, game):
        known = ", ".join(games_for(learner))
        if not known:
            raise ValueError(
                f"there is no game for {name}: `regretless game` lists who plays what"
            )
        raise ValueError(f"{name} cannot play {name_of(game)}: it plays {known}")
    return learner, game, many


def _default(kind: type, settled: object) -> Game:
    """The hardest game of learners of this kind, or else one that they can play."""
    pairing = LINEUP.get(kind)
    games: list[Game] = [] if pairing is None else [pairing.worst]
    for game in (*games, NoisyLabels(), Quadratic()):
        learner = settled if settled is not None else set_up(kind, game, game.natural)
        if fits(learner, game):
            return game
    return NoisyLabels()


def _game(
    adversary: str | None, default: Game, rounds: int | None, flags: Document
) -> Game:
    """The game that is named, or the default, with what flags and settings say."""
    given: Document = {}
    text = name_of(default) if adversary is None else adversary
    name, *settings = text.split() or [""]
    start = default if adversary is None else find(name)
    known = parameters_of(type(start))
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not value:
            raise ValueError(f"{setting!r}: settings of {name} are written key=value")
        given[key.replace("-", "_")] = parse_value(value)
    for flag, value in flags.items():
        if value is not None:
            alias = "voters" if flag == "experts" and "voters" in known else flag
            if alias not in known:
                takes = ", ".join(known) or "nothing"
                raise ValueError(f"--{flag}: {name} has no such thing; it has {takes}")
            given[alias] = value
    if rounds is not None and "horizon" in known:
        given.setdefault("horizon", rounds)
    if any(key not in known for key in given):
        find(name, **given)  # says which one is not known
    return dataclasses.replace(start, **given)


def experiment(name: str, words: list[str], adversary: str | None) -> Experiment:
    """The experiment of this name, which brings its own learners and games."""
    if words or adversary is not None:
        raise ValueError("--experiment brings its own learners and games")
    return find_experiment(name)


def run(trial: Experiment) -> Results:
    """Play it all, with a bar on a terminal."""
    if not sys.stderr.isatty():
        return trial.run()
    from .status import StatusLine

    with StatusLine() as line:
        return trial.run(
            lambda done, of: line.draw(f"{trial.name}  {done:,} of {of:,} games")
        )


def refuse_alone(
    adversary: str | None,
    rounds: int | None,
    report: Path | None,
    flags: Document,
) -> None:
    """Raise ValueError where a game was described, but no learner to play it."""
    described = [adversary, rounds, report, *flags.values()]
    if any(one is not None for one in described):
        if adversary is not None:
            find(adversary.split()[0] if adversary.split() else "")
        raise ValueError(
            "who plays? regretless game LEARNER ...; `regretless game` lists them"
        )
