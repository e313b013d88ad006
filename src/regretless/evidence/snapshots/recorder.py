"""Keep hypotheses of a run on the way: their mean, a random one, frozen ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import numpy as np

from ...engine.hypotheses.hypothesis import Hypothesis, StoredHypothesis
from ...engine.players.player import Averaging, Player
from ...engine.storage import COUNTS, Many, Stored, keep, same, unchecked
from ...parts.observers import ROUNDS
from ...parts.rows import Dense, Sparse, some_rows
from ...parts.state import Floats
from ..row_record import RowRecord
from .hypotheses import CHUNK, any_weights, freezer_of, refuse_wide
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


class Voter(NamedTuple):
    """A hypothesis that may vote, the bias first, and the position it is of."""

    position: int = 0
    weights: Floats = np.zeros(0)


class Recorder(Stored):
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

    kept = keep(
        *("record", "halves", "snapshots", "_queue"),
        **dict.fromkeys(("kinds", "length", "seed"), same),
        **dict.fromkeys(("rounds", "refused"), COUNTS),
        drawn=unchecked,
        voters=Many(Voter, {"position": COUNTS, "weights": any_weights}, VOTERS),
    )

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
        self.voters: list[Voter] = []
        rng = np.random.default_rng(seed)
        self._queue: dict[str, Positions] = {}
        validated = "validated" in self.kinds
        halves = "last-half" in self.kinds or (validated and player.averages)
        if halves or "mean" in self.kinds:
            self.linear.keep_mean()
        self.halves: HalfSums | None = None
        if halves:
            self.halves = HalfSums(self.linear)
            self._queue["half"] = Grid() if length is None else _halves(length)
        self.snapshots = Snapshots(
            player,
            self._frozen,
            self.halves,
            known=None if length is None else len(fractions(length)),
        )
        if validated:
            self._queue["snapshot"] = Grid() if length is None else Known(length)
        if "random" in self.kinds:
            self._queue["random"] = Reservoir(rng)
        if "vote" in self.kinds:
            for slot in range(VOTERS):
                own = np.random.default_rng([seed, slot])
                self._queue[f"voter {slot}"] = Reservoir(own)

    def check_state(self) -> None:
        """It stands where its player does, which has been restored before."""
        if self.rounds != self.player.statistics.counts[ROUNDS]:
            raise ValueError("it has watched other rounds than were played")
        for voter in self.voters:
            refuse_wide(self.player, voter.weights)
        if self._next() < self.rounds:
            raise ValueError("the positions that it waits for have passed")

    @property
    def drawn(self) -> tuple[int, StoredHypothesis] | None:
        """The random hypothesis as plain data and arrays, and its position."""
        if self.random is None:
            return None
        return self.random[0], self._frozen.pack(self.random[1])

    @drawn.setter
    def drawn(self, stored: tuple[int, StoredHypothesis] | None) -> None:
        if stored is not None:
            self.random = (int(stored[0]), self._frozen.unpack(stored[1]))

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

    def _next(self) -> int:
        return min((each.ahead for each in self._queue.values()), default=NEVER)

    def _reached(self) -> None:
        """Take all that is wanted at this position."""
        position = self.rounds
        for what, positions in self._queue.items():
            if positions.ahead != position:
                continue
            positions.advance()
            if what == "half":
                assert self.halves is not None
                self.halves.mark(position)
            elif what == "random":
                self.random = (position, self.player.hypothesis())
            elif what == "snapshot":
                self.snapshots.freeze(position)
            else:  # all voters are there from the first row on
                slot = int(what.removeprefix("voter "))
                voter = Voter(position, self.linear.all_weights())
                self.voters[slot : slot + 1] = [voter]

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
                    f"model({kind!r}) makes no sense of this learner: what it learns "
                    "has no mean, as an average of panels is no panel; ask for "
                    f"{others}"
                )
    elif task == "classes" and "vote" in wanted:
        raise ValueError(
            'model("vote") is for two classes: ask for "validated", "mean", '
            '"last-half", "random" or "last"'
        )


def _halves(length: int) -> Sorted:
    """Where halves begin: of each position of a known length, and of all of it."""
    return Sorted(sorted({p // 2 for p in (*fractions(length), length)}))
