"""A kernel machine in the middle of a game: a frozen one that also plays."""

from __future__ import annotations

import math
from dataclasses import replace

from ...parts import supports as s
from ...parts.observers import Trace, TraceArrays, traced
from ...parts.part_types import Part
from ...parts.rows import Longs, Rows
from ...parts.state import Floats
from ...parts.supports import new_supports
from ..hypotheses.machine import FrozenMachine
from ..ledger import Ledger, read_statistics
from ..storage import COUNTS, keep
from .row_player import EQUAL, Call, RowPlayer

PER_SUPPORT = ("begins", "ends", "full", "alphas", "squares")


class KernelPlayer(FrozenMachine, RowPlayer):
    """A kernel machine that plays, as ``players.linear`` is one of weights."""

    kept = keep("numbers", counts=COUNTS)

    starts_from = "weights"
    unknown_features_matter = True  # they are a part of the length of a row

    def __init__(self, part: Part, budget: int | None, n_features: int = 0) -> None:
        super().__init__(part, n_features)
        self.known.counts[s.BUDGET] = budget or 0
        self.begin_statistics()

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self.known.counts[s.ROUNDS])

    def playing(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats = EQUAL,
        trace: TraceArrays | None = None,
    ) -> Call:
        """What plays `rows`, and the arguments."""
        observer = traced(self.statistics, trace)
        self._play(observer, rows, targets[:0], importance)  # compiles, plays nothing
        return self._play, (observer, rows, targets, importance)

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """What scores `rows` into `out`: by the support vectors that there are then."""
        return RowPlayer.scoring(self, rows, out)

    def _play(
        self, observer: Trace, rows: Rows, targets: Floats, importance: Floats
    ) -> int:
        """Play rows, making room as mistakes are kept; how many were played."""
        from ..kernels.compiled import entry
        from ..kernels.kernel_machine import play_dual

        played = 0
        while True:
            arguments = (self.part, self.known, observer, rows, targets, importance)
            arguments = (*arguments, played)
            played = entry(play_dual, arguments)(*arguments)
            wanted = int(self.known.counts[s.WANTS])
            if not wanted:
                return played
            self._make_room(wanted)

    def _make_room(self, entries: int) -> None:
        """Move the support vectors to the beginning of a pool that holds more."""
        old = self.known
        first, last, used = old.counts[[s.FIRST, s.LAST, s.USED]].tolist()
        begin = int(old.begins[first]) if last > first else used
        new = new_supports(
            2 * (last - first) + 16, 2 * (used - begin + entries), old.work.size
        )
        for name in PER_SUPPORT:
            getattr(new, name)[: last - first] = getattr(old, name)[first:last]
        for place in (new.begins, new.ends):
            place[: last - first] -= begin
        new.columns[: used - begin] = old.columns[begin:used]
        new.values[: used - begin] = old.values[begin:used]
        new.counts[:] = old.counts
        new.numbers[:] = old.numbers
        new.counts[[s.FIRST, s.LAST, s.USED]] = 0, last - first, used - begin
        new.counts[s.WANTS] = 0
        self.known = new

    def ledger(self) -> Ledger:
        """What has been met and paid so far; norms are those of the kernel's space."""
        counts, numbers = self.known.counts, self.known.numbers
        norm = math.sqrt(max(0.0, float(numbers[s.SQUARE])))
        found = read_statistics(self.statistics, binary=True, weight_norm=norm)
        first = int(counts[s.FIRST_ROUND])
        return replace(found, supports=self.size, first_eviction=first or None)

    def until_eviction(self) -> dict[str, float]:
        """The statistics up to the first eviction, with that round; or up to now."""
        counts, numbers = self.known.counts, self.known.numbers
        evicted = bool(counts[s.FORGOTTEN])
        rounds, mistakes = (
            counts[[s.FIRST_ROUND, s.FIRST_MISTAKES]]
            if evicted
            else counts[[s.ROUNDS, s.MISTAKES]]
        )
        square, largest, total = (
            numbers[[s.FIRST_SQUARE, s.FIRST_LARGEST, s.FIRST_TOTAL]]
            if evicted
            else numbers[[s.SQUARE, s.LARGEST, s.TOTAL]]
        )
        return {
            "rounds": int(rounds),
            "mistakes": int(mistakes),
            "weight_norm": math.sqrt(max(0.0, float(square))),
            "max_norm": math.sqrt(float(largest)),
            "sum_squared_norms": float(total),
        }

    @property
    def numbers(self) -> Floats:
        """What is counted and summed of the game, as files have it."""
        return self.known.numbers

    @numbers.setter
    def numbers(self, found: Floats) -> None:
        if (found[[s.LARGEST, s.FIRST_LARGEST]] < 0.0).any():
            raise ValueError("its rows are shorter than nothing")
        self.known.numbers[:] = found

    @property
    def counts(self) -> Longs:
        """What is counted; where its support vectors lie, it says itself."""
        return self.known.counts

    @counts.setter
    def counts(self, found: Longs) -> None:
        if found[s.BUDGET] != self.known.counts[s.BUDGET]:
            raise ValueError("it may remember another number of rows")
        kept = [s.FIRST, s.LAST, s.USED, s.WANTS]
        found[kept] = self.known.counts[kept]
        self.known.counts[:] = found

    def begin_at(self, weights: Floats, bias: float) -> None:
        """A model has no rows to start from."""
        raise ValueError("a kernel machine starts from no support vectors, not a model")
