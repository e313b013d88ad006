"""Keep hypotheses of a run on the way: their mean, a random one, frozen ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from ...engine.hypotheses.hypothesis import Hypothesis
from ...engine.players.player import Averaging, Player
from ...engine.storage import checked_array, checked_int
from ...parts.documents import Document
from ...parts.observers import ROUNDS
from ...parts.rows import Dense, Sparse, some_rows
from ...parts.state import Floats
from ..row_record import RowRecord
from .hypotheses import CHUNK, freezer_of
from .last_half import HalfSums
from .positions import NEVER, Grid, Known, Positions, Reservoir, Sorted, fractions
from .snapshot import Snapshots

KINDS = (
    "last",
    "mean",
    "last-half",
    "random",
    "vote",
    "validated",
)
VOTERS = 64
AVERAGES = ("mean", "last-half", "vote")


class Recorder:
    """Watches a player and keeps what was asked for.

    Parameters
    ----------
    player : Player
        At its start.
    kinds : iterable of str
        Of ``KINDS``.
    length : int or None
        How many rounds there will be, where that is known or declared.
    record : RowRecord or None
        What remembers the rows, which are fed to it on the way; None: one of its own.
    seed : int
        Of the random hypothesis and the voters.
    """

    def __init__(
        self,
        player: Player,
        kinds: Iterable[str],
        length: int | None,
        record: RowRecord | None = None,
        seed: int = 0,
    ) -> None:
        self.player = player
        self.kinds = set(kinds)
        unknown = self.kinds - set(KINDS)
        if unknown:
            raise ValueError(f"models={min(unknown)!r} is none of {', '.join(KINDS)}")
        if length is not None and (length < 1 or length != int(length)):
            raise ValueError(f"length={length!r} must be a whole number from 1 on")
        task = "classes" if player.classes else "binary" if player.binary else "real"
        refuse_kinds(self.kinds, averages=player.averages, task=task)
        self.record = RowRecord(task) if record is None else record
        self._frozen = freezer_of(player)
        self.length = length
        self.seed = seed
        self.rounds = 0
        self.refused = 0  # rows that the learner refused, which count as errors
        self.random: tuple[int, Hypothesis] | None = None
        self.voters: dict[int, tuple[int, Floats]] = {}
        rng = np.random.default_rng(seed)
        self._queue: dict[tuple[str, int], Positions] = {}
        validated = "validated" in self.kinds
        halves = "last-half" in self.kinds or (validated and player.averages)
        if halves or "mean" in self.kinds:
            self.linear.keep_mean()
        self.halves: HalfSums | None = None
        if halves:
            self.halves = HalfSums(self.linear)
            self._queue["half", 0] = Grid() if length is None else _halves(length)
        self.snapshots = Snapshots(
            player,
            self._frozen,
            self.halves,
            known=None if length is None else len(fractions(length)),
        )
        if validated:
            self._queue["snapshot", 0] = Grid() if length is None else Known(length)
        if "random" in self.kinds:
            self._queue["random", 0] = Reservoir(rng)
        if "vote" in self.kinds:
            for slot in range(VOTERS):
                own = np.random.default_rng([seed, slot])
                self._queue["voter", slot] = Reservoir(own)

    def play(
        self,
        rows: Dense | Sparse,
        targets: Floats,
        *,
        first: int = 0,
        trace: Any = None,
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
            part = None if trace is None else tuple(each[done:stop] for each in trace)
            before = int(self.player.statistics.counts[ROUNDS])
            try:
                self.player.play(
                    piece,
                    targets[done:stop],
                    first=first + done,
                    trace=part,
                    names=names,
                    weights=None if weights is None else weights[done:stop],
                )
            finally:  # the rows before a bad one were played
                played = int(self.player.statistics.counts[ROUNDS]) - before
                stop = done + played
                self._observe(some_rows(rows, done, stop), targets[done:stop])
                self.rounds += played
            done = stop

    def last(self) -> Floats:
        """The weights of the last hypothesis, the bias first."""
        return self.linear.all_weights()

    def mean(self) -> Floats:
        """The mean of all hypotheses that predicted, the bias first."""
        return self.linear.unscaled(self.linear.summed() / self.rounds)

    def last_half(self) -> tuple[int, Floats]:
        """Where about the last half begins, and its mean, the bias first."""
        assert self.halves is not None
        return self.halves.mean(self.rounds)

    def refuse(self) -> None:
        """Count a row that the learner refused as an error of whatever is certified."""
        self.refused += 1
        self.snapshots.refuse()

    def state_dict(self) -> Document:
        """All that it keeps and will keep, as plain data and arrays (its own)."""
        return {
            "kinds": sorted(self.kinds),
            "length": self.length,
            "seed": self.seed,
            "rounds": self.rounds,
            "refused": self.refused,
            "record": self.record.state_dict(),
            "halves": None if self.halves is None else self.halves.state_dict(),
            "random": None
            if self.random is None
            else [self.random[0], self._frozen.pack(self.random[1])],
            "voters": [[slot, *held] for slot, held in self.voters.items()],
            "snapshots": self.snapshots.state_dict(),
            "queue": [
                [what, slot, positions.state_dict()]
                for (what, slot), positions in self._queue.items()
            ],
        }

    def load_state(self, stored: Document) -> None:
        """Restore from `stored`; the player has been loaded before.

        Kinds, length and seed are those that this recorder was made with. The arrays
        become its own.
        """
        rounds = int(self.player.statistics.counts[ROUNDS])
        self.rounds = checked_int(stored, "rounds", rounds, rounds)
        if stored["random"] is not None:
            position, packed = stored["random"]
            self.random = (int(position), self._frozen.unpack(packed))
        self.voters = {
            int(held[0]): (
                int(held[1]),
                self._kept_weights({"voter": held[2]}, "voter"),
            )
            for held in stored["voters"]
        }
        self.refused = checked_int(stored, "refused", 0, NEVER)
        self.record.load_state(stored["record"])
        if self.halves is not None:
            self.halves.load_state(stored["halves"], self._kept_weights)
        self.snapshots.load_state(stored["snapshots"], self.rounds)
        self._load_queue(stored["queue"])

    def _load_queue(self, stored: list[tuple[str, int, Document]]) -> None:
        states = {(what, slot): state for what, slot, state in stored}
        if states.keys() != self._queue.keys():
            raise ValueError("what it will keep is not what it was asked for")
        for key, positions in self._queue.items():
            positions.load_state(states[key])
        if self._next() < self.rounds:
            raise ValueError("what it will keep has passed")

    def _kept_weights(self, stored: Document, name: str) -> Floats:
        """Weights that were kept, which are never more than the player has."""
        player = self.player
        many = player.classes and stored[name].size > 0
        shape = (None, None) if many else (None,)
        weights = checked_array(stored, name, shape=shape)
        rows = len(weights) - 1 if many else 0
        wide = weights.shape[-1] > player.n_features + player.bias
        if wide or rows > player.n_classes:
            raise ValueError("it has kept more weights than there are")
        return weights

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
                assert self.halves is not None
                self.halves.mark(position)
            elif what == "random":
                self.random = (position, self.player.hypothesis())
            elif what == "voter":
                self.voters[slot] = (position, self.linear.all_weights())
            else:
                self.snapshots.freeze(position)

    def _observe(self, rows: Dense | Sparse, targets: Floats) -> None:
        """Let the frozen hypotheses predict rows that they have not seen."""
        if targets.size:
            looked = self.record.feed(rows, targets)
            self.snapshots.observe(rows, targets, looked)

    @property
    def linear(self) -> Averaging:
        """The player, of which averages are kept."""
        assert self.player.averages
        return cast("Averaging", self.player)


def refuse_kinds(kinds: Iterable[str], *, averages: bool, task: str) -> None:
    """Raise ``ValueError`` for kinds of models that cannot be made.

    A mean needs hypotheses whose mean is one, a vote two classes.
    """
    wanted = set(kinds)
    if not averages:
        real = task == "real"
        others = '"random" or "last"' if real else '"validated", "random" or "last"'
        for kind in AVERAGES:
            if kind in wanted:
                raise ValueError(
                    f"model({kind!r}) makes no sense of this learner: an average of "
                    "panels is no panel, and one of kernel machines remembers all "
                    f"rows; ask for {others}"
                )
    elif task == "classes" and "vote" in wanted:
        raise ValueError(
            'model("vote") is for two classes: ask for "validated", "mean", '
            '"last-half", "random" or "last"'
        )


def _halves(length: int) -> Sorted:
    """Where halves begin: of each position of a known length, and of all of it."""
    return Sorted(sorted({p // 2 for p in (*fractions(length), length)}))
