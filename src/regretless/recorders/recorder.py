"""Keep hypotheses of a run on the way: their mean, a random one, frozen ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..exchangeability import Exchangeability
from ..panel_player import PanelPlayer
from ..parts.observers import ROUNDS
from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from ..player import Player
from .frozen import CHUNK, FrozenPanels, FrozenWeights
from .positions import FIRST, doubling, fractions, reservoir

__all__ = ["KINDS", "Recorder", "Snapshot", "refuse_averages"]

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
NEVER = 2**62


@dataclass
class Snapshot:
    """A frozen hypothesis, and what it did on the rounds after it was frozen."""

    position: int
    weights: Any  # or the panel
    rounds: int = 0
    errors: int = 0
    evidence: Exchangeability | None = None


class Recorder:
    """Watches a player and keeps what was asked for.

    Parameters
    ----------
    player : Player or PanelPlayer
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
        player: Player | PanelPlayer,
        kinds: Iterable[str],
        length: int | None,
        seed: int = 0,
    ) -> None:
        self.player = player
        self.kinds = set(kinds)
        self._frozen: FrozenWeights | FrozenPanels
        unknown = self.kinds - set(KINDS)
        if unknown:
            raise ValueError(f"models={min(unknown)!r} is none of {', '.join(KINDS)}")
        if length is not None and (length < 1 or length != int(length)):
            raise ValueError(f"length={length!r} must be a whole number from 1 on")
        if isinstance(player, PanelPlayer):
            refuse_averages(self.kinds)
            self._frozen = FrozenPanels(player)
        else:
            self._frozen = FrozenWeights(player)
        self.length = length
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
        self._queue: dict[tuple[str, int], tuple[int, Iterator[int]]] = {}
        if self.kinds & {"mean", "last-half"}:
            self._linear.keep_mean()
        if "last-half" in self.kinds:
            halves = iter([length // 2]) if length is not None else doubling()
            self._schedule("half", 0, halves)
        if "random" in self.kinds:
            self._schedule("random", 0, reservoir(rng))
        if "vote" in self.kinds:
            for slot in range(VOTERS):
                own = np.random.default_rng([seed, slot])
                self._schedule("voter", slot, reservoir(own))
        if "validated" in self.kinds:
            known = iter(positions) if length is not None else doubling()
            self._schedule("snapshot", 0, known)
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
    ) -> None:
        """Play a batch, stopping at every position to take what is wanted there."""
        done = 0
        while done < targets.size:
            self._reached()  # only what is about to predict is a hypothesis of the run
            ahead = self._next() - self.rounds
            stop = min(targets.size, done + ahead, done + CHUNK)
            piece = _piece(rows, done, stop)
            part = None if tape is None else tuple(each[done:stop] for each in tape)
            before = int(self.player.books.counts[ROUNDS])
            try:
                self.player.play(
                    piece,
                    targets[done:stop],
                    first=first + done,
                    tape=part,
                    names=names,
                )
            finally:  # the rows before a bad one were played
                played = int(self.player.books.counts[ROUNDS]) - before
                stop = done + played
                self._observe(_piece(rows, done, stop), targets[done:stop])
                self.rounds += played
            done = stop

    def mean(self) -> Floats:
        """The mean of all hypotheses that predicted, the bias first."""
        return self._linear.summed() / self.rounds

    def last_half(self) -> Floats:
        """The mean of those after round ``half``, the bias first."""
        total = self._linear.summed()
        before = self.half_sum[: total.size]
        total[: before.size] -= before
        return total / (self.rounds - self.half)

    def _schedule(self, what: str, slot: int, positions: Iterator[int]) -> None:
        self._queue[what, slot] = (next(positions, NEVER), positions)

    def _next(self) -> int:
        return min((position for position, _ in self._queue.values()), default=NEVER)

    def _reached(self) -> None:
        """Take all that is wanted at this position."""
        for (what, slot), (position, positions) in list(self._queue.items()):
            if position != self.rounds:
                continue
            self._queue[what, slot] = (next(positions, NEVER), positions)
            if what == "half":
                self.half = position
                self.starts += 1
                self.half_sum = self._linear.summed()
            elif what == "random":
                self.random = (position, self._hypothesis())
            elif what == "voter":
                self.voters[slot] = (position, self.player.all_weights())
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
        if isinstance(self.player, PanelPlayer):
            return self.player.frozen()
        return self.player.all_weights()

    @property
    def _linear(self) -> Player:
        """The player, of which averages are kept."""
        assert isinstance(self.player, Player)
        return self.player


def refuse_averages(kinds: Iterable[str]) -> None:
    """Raise ``ValueError`` for kinds of models that a panel cannot make."""
    for kind in AVERAGES:
        if kind in kinds:
            raise ValueError(
                f"model({kind!r}) makes no sense of a panel: an average of panels is "
                'not one; ask for "validated", "random" or "last"'
            )


def _piece(rows: Dense | Sparse, start: int, stop: int) -> Dense | Sparse:
    """Rows `start` to `stop`, without a copy."""
    if isinstance(rows, Dense):
        return Dense(rows.values[start * rows.width : stop * rows.width], rows.width)
    return Sparse(rows.starts[start : stop + 1], rows.columns, rows.values)


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
