"""An experiment: contests, what is varied, and from which seeds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from ..arena import arena
from ..games import Bout, Curve, Game, name_of
from .results import Drawing, Record, Results


@dataclass(frozen=True)
class Contest:
    """A learner and a game.

    Parameters
    ----------
    label : str
        What it is called in tables and pictures.
    learner : learner, or callable
        Who plays; or a function of the game and the rounds that makes it.
    game : Game
        Whom it meets; an experiment varies its parameters.
    rounds : int or None
        How many; None: what is natural to the game, or what is varied.
    """

    label: str
    learner: object
    game: Game
    rounds: int | None = None


@dataclass(frozen=True)
class Experiment:
    """Contests over a grid of parameters, repeated from several seeds.

    Parameters
    ----------
    name : str
        A short name.
    title : str
        What it shows, in a sentence.
    contests : sequence of Contest
        Who plays whom.
    sweep : mapping
        What is varied: parameters of the games, or ``rounds``, with their values. A
        game that has no such parameter is played once for each of the others.
    seeds : sequence of int
        Games in which nothing is random are played from the first one only.
    points : int
        On how many prefixes the bounds are evaluated; 1 is the end alone.
    draw : callable or None
        The picture: a function of the results and a path.

    Examples
    --------
    >>> import regretless as rg
    >>> from regretless.experiments import Contest, Experiment
    >>> trial = Experiment(
    ...     "halving",
    ...     "Halving meets its bound",
    ...     [Contest("halving", rg.Halving(), rg.games.Splitting())],
    ...     sweep={"experts": [8, 100]},
    ... )
    >>> for row in trial.run():
    ...     print(row["experts"], row["happened"], row["bound"])
    8 3.0 3.0
    100 6.0 6.0
    """

    name: str
    title: str
    contests: Sequence[Contest]
    sweep: Mapping[str, Sequence[object]] = field(
        default_factory=dict[str, Sequence[object]]
    )
    seeds: Sequence[int] = (0,)
    points: int = 1
    draw: Drawing | None = None

    def __post_init__(self) -> None:
        for name, values in self.sweep.items():
            if not values:
                raise ValueError(f"sweep: {name} has no values")
            taken = [name in _fields(contest.game) for contest in self.contests]
            if name != "rounds" and not any(taken):
                raise ValueError(f"sweep: no game here has a parameter {name!r}")
        if not self.seeds:
            raise ValueError("seeds: there are none")

    def run(self, progress: Callable[[int, int], None] | None = None) -> Results:
        """Play everything; `progress` is told how much is done, and of how much."""
        cases = list(self._cases())
        rows: list[Record] = []
        curves: list[Curve | None] = []
        for done, (contest, given, seed) in enumerate(cases):
            if progress is not None:
                progress(done, len(cases))
            bout = _play(contest, given, seed, self.points)
            rows.append(_row(contest, bout))
            curves.append(bout.curve)
        if progress is not None:
            progress(len(cases), len(cases))
        return Results(
            self.name,
            self.title,
            tuple(rows),
            tuple(curves),
            self.draw,
            tuple(self.sweep),
        )

    def _cases(self) -> Iterator[tuple[Contest, Record, int]]:
        for contest in self.contests:
            names = [
                name
                for name in self.sweep
                if name == "rounds" or name in _fields(contest.game)
            ]
            seeds = self.seeds if contest.game.random else self.seeds[:1]
            for values in product(*(self.sweep[name] for name in names)):
                for seed in seeds:
                    yield contest, dict(zip(names, values, strict=True)), seed


def _play(contest: Contest, given: Record, seed: int, points: int) -> Bout:
    game = dataclasses.replace(
        contest.game, **{key: value for key, value in given.items() if key != "rounds"}
    )
    rounds = given.get("rounds", contest.rounds)
    rounds = game.natural if rounds is None else rounds
    learner = contest.learner
    if callable(learner):
        learner = learner(game, rounds)
    return arena(learner, game, rounds, seed=seed, points=points)


def _row(contest: Contest, bout: Bout) -> Record:
    head = bout.headline
    return {
        "contest": contest.label,
        "learner": repr(bout.learner),
        "game": name_of(bout.game),
        **{key: getattr(bout.game, key) for key in _fields(bout.game)},
        "rounds": bout.run.rounds,
        "seed": bout.seed,
        "mistakes": bout.run.mistakes,
        "loss": bout.run.loss,
        "theorem": None if head is None else head.theorem.name,
        "statement": None if head is None else head.theorem.statement,
        "happened": None if head is None else head.happened,
        "bound": None if head is None else head.value,
        "share": None if head is None else head.ratio,
    }


def _fields(game: Game) -> list[str]:
    return [field.name for field in dataclasses.fields(game)]
