"""Keep hypotheses of a run on the way: their mean, a random one, frozen ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..classes import ClassPlayer, OneVersusRestPlayer
from ..dual_player import DualPlayer
from ..exchangeability import Exchangeability
from ..panel_player import PanelPlayer
from ..parts.observers import ROUNDS
from ..parts.rows import Dense, Sparse, some_rows
from ..parts.state import Floats
from ..player import Player
from ..players import AnyPlayer
from ..regression_player import RegressionPlayer
from ..storage import checked_array, checked_int
from .frozen import CHUNK, FrozenHypotheses, FrozenPanels, FrozenWeights
from .positions import (
    FIRST,
    NEVER,
    Doubling,
    Positions,
    Preset,
    Reservoir,
    fractions,
)

__all__ = ["KINDS", "Recorder", "Snapshot", "refuse_averages", "refuse_votes"]

KINDS = (
    "last",
    "mean",
    "last-half",
    "random",
    "vote",
    "validated",
    "exchangeability",
)
VOTERS = 64
AVERAGES = ("mean", "last-half", "vote")


@dataclass
class Snapshot:
    """A frozen hypothesis, and what it did on the rounds after it was frozen."""

    position: int
    weights: Any  # or the panel
    rounds: int = 0
    errors: int = 0
    evidence: Exchangeability | None = None

    def state_dict(self) -> dict[str, Any]:
        """All of it, as plain data and arrays (its own)."""
        evidence = None if self.evidence is None else self.evidence.state_dict()
        return {**self.__dict__, "evidence": evidence}


class Recorder:
    """Watches a player and keeps what was asked for.

    Parameters
    ----------
    player : AnyPlayer
        At its start.
    kinds : iterable of str
        Of ``KINDS``.
    length : int or None
        How many rounds there will be, where that is known or declared.
    seed : int
        Of the random hypothesis, the voters and the coins of the tests.
    """

    def __init__(
        self,
        player: AnyPlayer,
        kinds: Iterable[str],
        length: int | None,
        seed: int = 0,
    ) -> None:
        self.player = player
        self.kinds = set(kinds)
        unknown = self.kinds - set(KINDS)
        if unknown:
            raise ValueError(f"models={min(unknown)!r} is none of {', '.join(KINDS)}")
        if length is not None and (length < 1 or length != int(length)):
            raise ValueError(f"length={length!r} must be a whole number from 1 on")
        refuse_kinds(player, self.kinds)
        self._frozen = _freezer(player)
        self.length = length
        self.seed = seed
        self.rounds = 0
        self.half = 0  # the last half begins after this round
        self.starts = 1  # of halves, so far
        self.half_sum: Floats = np.zeros(0)
        self.random: tuple[int, Any] | None = None
        self.snapshots: list[Snapshot] = []
        positions = [] if length is None else fractions(length, self._frozen.kept)
        self.first_snapshot = positions[0] if positions else FIRST
        self.taken = 0  # snapshots ever taken
        self.voters: dict[int, tuple[int, Floats]] = {}
        self.tests: dict[str, Exchangeability] = {}
        rng = np.random.default_rng(seed)
        self._queue: dict[tuple[str, int], Positions] = {}
        if self.kinds & {"mean", "last-half"}:
            self._linear.keep_mean()
        if "last-half" in self.kinds:
            halves = Preset([length // 2]) if length is not None else Doubling()
            self._queue["half", 0] = halves
        if "random" in self.kinds:
            self._queue["random", 0] = Reservoir(rng)
        if "vote" in self.kinds:
            for slot in range(VOTERS):
                own = np.random.default_rng([seed, slot])
                self._queue["voter", slot] = Reservoir(own)
        if "validated" in self.kinds:
            known = Preset(positions) if length is not None else Doubling()
            self._queue["snapshot", 0] = known
        if "exchangeability" in self.kinds:
            self.tests = {"labels": Exchangeability(seed), "|x|": Exchangeability(seed)}

    def play(
        self,
        rows: Dense | Sparse,
        targets: Floats,
        *,
        first: int = 0,
        tape: Any = None,
        names: Any = None,
        weights: Floats | None = None,
    ) -> None:
        """Play a batch, stopping at every position to take what is wanted there."""
        done = 0
        while done < targets.size:
            self._reached()  # only what is about to predict is a hypothesis of the run
            ahead = self._next() - self.rounds
            stop = min(targets.size, done + ahead, done + CHUNK)
            piece = some_rows(rows, done, stop)
            part = None if tape is None else tuple(each[done:stop] for each in tape)
            before = int(self.player.books.counts[ROUNDS])
            try:
                self.player.play(
                    piece,
                    targets[done:stop],
                    first=first + done,
                    tape=part,
                    names=names,
                    weights=None if weights is None else weights[done:stop],
                )
            finally:  # the rows before a bad one were played
                played = int(self.player.books.counts[ROUNDS]) - before
                stop = done + played
                self._observe(some_rows(rows, done, stop), targets[done:stop])
                self.rounds += played
            done = stop

    def mean(self) -> Floats:
        """The mean of all hypotheses that predicted, the bias first."""
        return self._linear.unscaled(self._linear.summed() / self.rounds)

    def last_half(self) -> Floats:
        """The mean of those after round ``half``, the bias first."""
        total = _since(self._linear.summed(), self.half_sum)
        return self._linear.unscaled(total / (self.rounds - self.half))

    def state_dict(self) -> dict[str, Any]:
        """All that it keeps and will keep, as plain data and arrays (its own)."""
        return {
            "kinds": sorted(self.kinds),
            "length": self.length,
            "seed": self.seed,
            "rounds": self.rounds,
            "half": self.half,
            "starts": self.starts,
            "half_sum": self.half_sum,
            "taken": self.taken,
            "random": None if self.random is None else self._packed_random(),
            "voters": [[slot, *held] for slot, held in self.voters.items()],
            "snapshots": [
                {**each.state_dict(), "weights": self._frozen.pack(each.weights)}
                for each in self.snapshots
            ],
            "tests": {name: test.state_dict() for name, test in self.tests.items()},
            "queue": [
                [what, slot, positions.state_dict()]
                for (what, slot), positions in self._queue.items()
            ],
        }

    def load_state(self, stored: dict[str, Any]) -> None:
        """Stand where :meth:`state_dict` says; the player has been loaded before.

        Kinds, length and seed are those that this recorder was made with. The arrays
        become its own.
        """
        rounds = int(self.player.books.counts[ROUNDS])
        self.rounds = checked_int(stored, "rounds", rounds, rounds)
        self.half = checked_int(stored, "half", 0, rounds)
        self.starts = checked_int(stored, "starts", 1, NEVER)
        self.half_sum = self._kept_weights(stored, "half_sum")
        self.taken = checked_int(stored, "taken", 0, NEVER)
        if stored["random"] is not None:
            position, packed = stored["random"]
            self.random = (int(position), self._frozen.unpack(packed))
        self.voters = {
            int(held[0]): (int(held[1]), self._kept_weights(held, 2))
            for held in stored["voters"]
        }
        for name, test in self.tests.items():
            test.load_state(stored["tests"][name])
        self._load_snapshots(stored["snapshots"])
        self._load_queue(stored["queue"])

    def _load_snapshots(self, stored: list[dict[str, Any]]) -> None:
        kept = min(self.taken, self._frozen.kept)
        if len(stored) != kept * ("validated" in self.kinds):
            raise ValueError(f"it has {len(stored)} frozen hypotheses")
        tested = "exchangeability" in self.kinds
        self.snapshots = []
        for place, each in enumerate(stored):
            frozen: Any = self._frozen.unpack(each["weights"])
            snapshot = Snapshot(int(each["position"]), frozen)
            snapshot.rounds = checked_int(each, "rounds", 0, self.rounds)
            snapshot.errors = checked_int(each, "errors", 0, snapshot.rounds)
            if tested:
                snapshot.evidence = Exchangeability()
                snapshot.evidence.load_state(each["evidence"])
            self.snapshots.append(snapshot)
            self._frozen.put(place, frozen)

    def _load_queue(self, stored: list[list[Any]]) -> None:
        states = {(what, slot): state for what, slot, state in stored}
        if states.keys() != self._queue.keys():
            raise ValueError("what it will keep is not what it was asked for")
        for key, positions in self._queue.items():
            positions.load_state(states[key])
        if self._next() < self.rounds:
            raise ValueError("what it will keep has passed")

    def _kept_weights(self, stored: Any, name: Any) -> Floats:
        """Weights that were kept, which are never more than the player has."""
        player = self.player
        many = isinstance(player, ClassPlayer) and stored[name].size > 0
        shape = (None, None) if many else (None,)
        weights = checked_array(stored, name, shape=shape)
        rows = len(weights) - 1 if many else 0
        known = player.n_classes if isinstance(player, ClassPlayer) else 0
        wide = weights.shape[-1] > player.n_features + player.bias
        if wide or rows > known:
            raise ValueError("it has kept more weights than there are")
        return weights

    def _packed_random(self) -> list[Any]:
        assert self.random is not None
        position, hypothesis = self.random
        return [position, self._frozen.pack(hypothesis)]

    def _next(self) -> int:
        return min((each.ahead for each in self._queue.values()), default=NEVER)

    def _reached(self) -> None:
        """Take all that is wanted at this position."""
        position = self.rounds
        for (what, slot), positions in self._queue.items():
            if positions.ahead != position:
                continue
            positions.advance()
            if what == "half":
                self.half = position
                self.starts += 1
                self.half_sum = self._linear.summed()
            elif what == "random":
                self.random = (position, self._hypothesis())
            elif what == "voter":
                self.voters[slot] = (position, self._linear.all_weights())
            else:
                self._freeze(position)

    def _freeze(self, position: int) -> None:
        place = self.taken % self._frozen.kept
        snapshot = Snapshot(position, self._frozen.take(place))
        if "exchangeability" in self.kinds:
            snapshot.evidence = Exchangeability(position)
        self.taken += 1
        if len(self.snapshots) == self._frozen.kept:
            self.snapshots[place] = snapshot
        else:
            self.snapshots.append(snapshot)

    def _observe(self, rows: Dense | Sparse, targets: Floats) -> None:
        """Let the frozen hypotheses predict rows that they have not seen."""
        if not targets.size:
            return
        if self.tests:
            self.tests["labels"].feed(targets)
            self.tests["|x|"].feed(_lengths(rows, targets.size))
        if not self.snapshots:
            return
        wrong = self._frozen.wrong(rows, targets, len(self.snapshots))
        for snapshot, errs in zip(self.snapshots, wrong.T, strict=True):
            snapshot.rounds += targets.size
            snapshot.errors += int(np.count_nonzero(errs))
            if snapshot.evidence is not None:
                snapshot.evidence.feed(errs)

    def _hypothesis(self) -> Any:
        """What the player is now: weights, or a panel."""
        if isinstance(self.player, Player | RegressionPlayer):
            return self.player.all_weights()
        return self.player.frozen()

    @property
    def _linear(self) -> Any:
        """The player, of which averages are kept."""
        assert not isinstance(self.player, PanelPlayer)
        return self.player


def refuse_kinds(player: AnyPlayer, kinds: Iterable[str]) -> None:
    """Raise ``ValueError`` for kinds of models that this player cannot make."""
    if isinstance(player, ClassPlayer):
        panels = isinstance(player, OneVersusRestPlayer) and player.panels
        refuse_averages(kinds) if panels else refuse_votes(kinds)
    elif not isinstance(player, Player):
        refuse_averages(kinds, numbers=isinstance(player, RegressionPlayer))


def _freezer(player: AnyPlayer) -> FrozenWeights | FrozenPanels | FrozenHypotheses:
    """Who freezes what this player is."""
    if isinstance(player, PanelPlayer | DualPlayer):
        return FrozenPanels(player)
    if isinstance(player, ClassPlayer):
        return FrozenHypotheses(player)
    return FrozenWeights(player)


def refuse_averages(kinds: Iterable[str], *, numbers: bool = False) -> None:
    """Raise ``ValueError`` for kinds of models that only weights make."""
    others = '"random" or "last"' if numbers else '"validated", "random" or "last"'
    for kind in AVERAGES:
        if kind in kinds:
            raise ValueError(
                f"model({kind!r}) makes no sense of this learner: an average of panels "
                "is no panel, and one of kernel machines remembers all rows; ask for "
                f"{others}"
            )


def refuse_votes(kinds: Iterable[str]) -> None:
    """Raise ``ValueError`` for a vote, which is for two classes."""
    if "vote" in kinds:
        raise ValueError(
            'model("vote") is for two classes: ask for "validated", "mean", '
            '"last-half", "random" or "last"'
        )


def _since(total: Floats, before: Floats) -> Floats:
    """A sum of hypotheses without what it was before.

    Of classes: the last row is of the rest, which every later class was then.
    """
    if before.ndim == 2:
        was = np.minimum(np.arange(len(total)), len(before) - 1)
        total[:, : before.shape[1]] -= before[was]
    elif before.size:
        before = before[: total.size]
        total[: before.size] -= before
    return total


def _lengths(rows: Dense | Sparse, n: int) -> Floats:
    """|x| of every row, the same to the last bit however rows are cut into batches."""
    if isinstance(rows, Dense):
        return np.linalg.norm(rows.values.reshape(n, rows.width), axis=1)
    begin, end = rows.starts[0], rows.starts[-1]
    sums, some = np.zeros(n), np.diff(rows.starts) > 0
    if some.any():
        squares = rows.values[begin:end] ** 2
        sums[some] = np.add.reduceat(squares, rows.starts[:-1][some] - begin)
    return np.sqrt(sums)
