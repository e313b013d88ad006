"""Snapshots: hypotheses frozen on the way, and what they did on the rows after.

They are frozen at positions known before the data (shares of a known length, else a
grid), so that every row after one is fresh to it. A linear learner freezes two
at each: its weights, and the mean of about the last half of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...engine.hypotheses.hypothesis import Hypothesis, StoredHypothesis
from ...engine.players.player import Player
from ...engine.storage import COUNTS, Many, Maybe, Stored, keep, unchecked
from ...parts.observers import ROUNDS
from ...parts.rows import Dense, Longs, Sparse
from ...parts.state import Bools, Floats
from ..exchangeability import Exchangeability
from .error_course import ErrorCourse
from .hypotheses import FrozenHypotheses
from .last_half import HalfSums


@dataclass
class Snapshot(Stored):
    """A frozen hypothesis, and what it did on the rounds after it was frozen.

    Attributes
    ----------
    number : int
        Of the position, counted from 1: how many had come by then.
    position : int
        The rounds before it.
    start : int or None
        It is the mean of the hypotheses after round `start`; None: it is one of them.
    place : int
        Where the hypothesis is held.
    rounds, errors : int
        Rows that it met since, refused ones among them, and on which it erred.
    sides : array
        Of these rows, by their label where there are two: how many were compared with
        the rows before it (a sample), and on how many of them it erred; how many have
        no copy there, and on how many of these it erred. Not counted of means.
    course : ErrorCourse
        Its errors over time.
    evidence : Exchangeability or None
        A test of its losses.
    """

    kept = keep(
        "course",
        **dict.fromkeys(("number", "position", "place", "rounds", "errors"), COUNTS),
        start=(COUNTS, None),
        sides=COUNTS,
        evidence=Maybe(lambda: Exchangeability(flags=True)),
    )

    number: int
    position: int
    start: int | None
    place: int
    rounds: int = 0
    errors: int = 0
    sides: Longs = field(default_factory=lambda: np.zeros((2, 4), np.int64))
    course: ErrorCourse = field(default_factory=ErrorCourse)
    evidence: Exchangeability | None = None


class Retired(NamedTuple):
    """What the test of a snapshot has found, which may have made room since."""

    number: int = 0
    position: int = 0
    evidence: float = 0.0
    round: int = 0
    since: int = 0
    turns: int = 0


class Snapshots(Stored):
    """The latest few of them.

    Parameters
    ----------
    player : player
        Whose hypotheses they are.
    frozen : FrozenHypotheses
        What holds them.
    halves : HalfSums or None
        Where the means of the last half come from.
    known : int or None
        The number of positions, where the length is known. Else the latest few are
        kept, and only every other position is tested, so that the many early ones take
        little from those that matter.
    """

    kept = keep(
        taken=COUNTS,
        retired=Many(Retired, COUNTS._replace(high=np.inf, whole=False)),
        held=Many(lambda: Snapshot(0, 0, None, 0)),
        weights=unchecked,
    )

    def __init__(
        self,
        player: Player,
        frozen: FrozenHypotheses,
        halves: HalfSums | None,
        *,
        known: int | None,
    ) -> None:
        self.player = player
        self.taken = 0  # positions so far
        self.held: list[Snapshot] = []
        self.retired: list[Retired] = []
        self._frozen = frozen
        self.halves = halves
        self._kept: int = frozen.kept if known is None else known
        self._every = 2 if known is None else 1

    def check_state(self) -> None:
        """All counts are those of one run."""
        rounds = int(self.player.statistics.counts[ROUNDS])
        for one in (*self.held, *self.retired):
            if not 1 <= one.number <= self.taken or one.position > rounds:
                raise ValueError("its frozen hypotheses are of another run")
        for one in self.held:
            counted = max(one.errors, int(one.sides.max())) <= one.rounds
            if not counted or self._to_test(one) != (one.evidence is not None):
                raise ValueError("the rows after a snapshot are counted wrongly")
        latest = range(max(0, self.taken - self._kept) + 1, self.taken + 1)
        if {one.number for one in self.held} != set(latest):
            raise ValueError(f"it has {len(self.held)} frozen hypotheses")

    @property
    def weights(self) -> list[StoredHypothesis]:
        """The frozen hypotheses, as plain data and arrays."""
        return [self._frozen.pack(self.hypothesis(one)) for one in self.held]

    @weights.setter
    def weights(self, stored: list[StoredHypothesis]) -> None:
        for one, weights in zip(self.held, stored, strict=True):
            if one.place >= 2 * self._kept:
                raise ValueError("it has more frozen hypotheses than there is room for")
            self._frozen.put(one.place, self._frozen.unpack(weights))

    def freeze(self, position: int) -> None:
        """Freeze what the player is now; the oldest makes room."""
        each = 1 if self.halves is None else 2
        place = each * (self.taken % self._kept)
        self.taken += 1
        self._make_room(self.taken - self._kept)
        raw = Snapshot(self.taken, position, None, place)
        self._frozen.put(place, self.player.hypothesis())
        if self._to_test(raw):
            raw.evidence = Exchangeability(self.taken, flags=True)
        self.held.append(raw)
        if self.halves is not None and position > 0:
            start, mean = self.halves.mean(position)
            self._frozen.put(place + 1, self.halves.player.averaged(mean))
            self.held.append(Snapshot(self.taken, position, start, place + 1))

    def tests(self) -> list[Retired]:
        """What all tests have found so far, numbered from 1 as they were begun.

        Rounds are counted from the position.
        """
        live = [_found(one) for one in self.held if one.evidence is not None]
        return [
            one._replace(number=(one.number - 1) // self._every + 1)
            for one in (*self.retired, *live)
        ]

    def _to_test(self, snapshot: Snapshot) -> bool:
        return snapshot.start is None and (snapshot.number - 1) % self._every == 0

    def hypothesis(self, snapshot: Snapshot) -> Hypothesis:
        """The frozen hypothesis itself."""
        return self._frozen.held(snapshot.place)

    def observe(self, rows: Dense | Sparse, targets: Floats, looked: Longs) -> None:
        """Let them predict rows that they have not seen.

        `looked` has, of the rows that were compared, their number among `rows` and how
        many rows ago the first one with the same content came. Of several copies after
        a snapshot the first one is alone: the others would err with it.
        """
        if not self.held or not targets.size:
            return
        places = [snapshot.place for snapshot in self.held]
        wrong = self._frozen.wrong(rows, targets, places)
        for snapshot, errs in zip(self.held, wrong, strict=True):
            snapshot.rounds += targets.size
            snapshot.errors += int(np.count_nonzero(errs))
            snapshot.course.feed(errs)
            if snapshot.start is None and len(looked):
                at, ago = looked.T
                snapshot.sides += compared(targets[at], errs[at], ago == 0)
            if snapshot.evidence is not None:
                snapshot.evidence.feed(errs)

    def refuse(self) -> None:
        """A row came that the learner refused: an error of every one of them."""
        for snapshot in self.held:
            snapshot.rounds += 1
            snapshot.errors += 1
            snapshot.course.feed(np.ones(1, np.bool_))

    def _make_room(self, last: int) -> None:
        """Drop those up to number `last`, but remember what their tests have found."""
        for old in self.held:
            if old.number <= last and old.evidence is not None:
                self.retired.append(_found(old))
        self.held = [one for one in self.held if one.number > last]


def compared(targets: Floats, wrong: Bools, alone: Bools) -> Longs:
    """Rows and errors, of all and of those without a copy, a row for each label.

    Of many classes there is one side; so there is of amounts.
    """
    kinds = 4 * (targets >= 0.0) + 2 * alone + wrong
    copied, copied_wrong, only, only_wrong = (
        np.bincount(kinds, minlength=8).reshape(2, 4).T
    )
    rows = copied + copied_wrong + only + only_wrong
    errors = copied_wrong + only_wrong
    return np.stack([rows, errors, only + only_wrong, only_wrong], axis=1)


def _found(snapshot: Snapshot) -> Retired:
    test = snapshot.evidence
    assert test is not None, "only what is tested is asked for"
    numbers = (test.evidence, test.round, test.since, test.turns)
    return Retired(snapshot.number, snapshot.position, *numbers)
