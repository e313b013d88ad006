"""A regression panel in the middle of a game: its members, and the stack over them.

A batch is played by one member after the other, each as if alone; what they said before
they saw the labels is then combined, row by row. That is at every moment a linear
function of a row, which :meth:`RegressionPlayer.all_weights` says. On narrow tables,
curves and a forest make more of it (:mod:`.second_layer`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from ...errors import BadRow
from ...parts.composition import Composition
from ...parts.documents import Document
from ...parts.lengths import length_of
from ...parts.losses import Squared
from ...parts.observers import Trace, TraceArrays, new_statistics, traced
from ...parts.part_types import Loss
from ...parts.regression import (
    COUNT,
    LABELS,
    RATES,
    SEEN,
    SUMS,
    combiner,
    ridge_member,
    tracker,
)
from ...parts.rows import Biased, Dense, Rows, Sparse
from ...parts.state import Floats, State
from ..feature_names import NamesOf
from ..hypotheses.hypothesis import Hypothesis
from ..hypotheses.linear import LinearHypothesis
from ..hypotheses.met_features import MET, features_for, features_from
from ..storage import checked_int, keep
from .amount_limits import allowing, first_too_large
from .linear import LinearPlayer
from .regression_batch import Piece, RegressionBatch, new_trace
from .row_player import EQUAL, LARGEST_COLUMN, Call, Mark, RowPlayer
from .second_layer import OnCurves, SecondLayer, told_of
from .stages import cores_for, worth_stages

ORDINARY = 1e30  # what is smaller makes no member overflow


class RegressionPlayer(RowPlayer):
    """The mutable middle of a regression panel's run.

    Parameters
    ----------
    n_features : int
        Features that have appeared.
    forest : bool
        Whether curves and a forest play on top, while rows are narrow.

    Attributes
    ----------
    met : PlainColumns
        The numbers under which members know features, those first that the ridge
        regression sees.
    """

    kept = keep("members", "stack", "sums", "second_layer")

    starts_from = "weights"
    bias = True

    def __init__(self, n_features: int = 0, *, forest: bool = False) -> None:
        self.met = features_for(n_features, SEEN)
        known = self.met.count + self.met.blank
        self.members = [
            *(_member(tracker(eta), known) for eta in RATES),
            _member(ridge_member(), known, partial=True),
        ]
        self.stack = LinearPlayer(lambda _: combiner(), len(self.members) + 1)
        self.sums = np.zeros(SUMS)
        self.linear = not forest  # nothing but weights
        self.unknown_features_matter = forest  # how many there are says who predicts
        self.second_layer = SecondLayer(live=forest)
        super().__init__(n_features)
        self._inputs = Dense(np.zeros(self.stack.n_features), self.stack.n_features)
        self._zeros = np.zeros(known + 1)
        self.second_layer.grow(known)

    @property
    def n_features(self) -> int:
        """Features that have appeared, or may: as many as each member knows."""
        return self.met.room

    @n_features.setter
    def n_features(self, known: int) -> None:
        self.met.room = known
        for member in self.members:
            member.n_features = self.met.count + self.met.blank

    @property
    def binary(self) -> bool:
        """Labels are numbers."""
        return False

    @property
    def loss(self) -> Loss:
        """What a prediction costs."""
        return Squared()

    @property
    def parts(self) -> Composition:
        """What the first member is made of."""
        return self.members[0].parts

    @property
    def state(self) -> State:
        """What the first member knows of every feature."""
        return self.members[0].state

    def play(
        self,
        rows: Rows,
        targets: Floats,
        *,
        first: int = 0,
        trace: TraceArrays | None = None,
        names: NamesOf | None = None,
        weights: Floats | None = None,
    ) -> None:
        """Play a batch of rows in order; see :meth:`LinearPlayer.play`."""
        self.make_room(rows)
        n, problem = first_too_large(self.sums, self.second_layer, targets, weights)
        failure = BadRow(first + n, problem) if problem else None
        threads, before = self._cores(rows, targets, weights), self.seconds
        piece = (self.meet(rows), targets, weights, trace)
        batch = RegressionBatch(self, piece, rows, n, failure)
        batch.play(threads, first, names)
        everyone = [*self.members, self.second_layer]
        taken = [self.seconds - before, *(player.seconds for player in everyone)]
        self.seconds = before + max(*taken, sum(taken) / threads)
        for player in everyone:
            player.seconds = 0.0
        if batch.failure is not None:
            raise batch.failure

    def _cores(self, rows: Rows, targets: Floats, weights: Floats | None) -> int:
        """How many threads play the members.

        One, where a member might refuse a row: the others stop where it did.
        """
        importance = EQUAL if weights is None else weights
        if not worth_stages(self.threads, targets.size, importance):
            return 1
        used = rows.values
        if isinstance(rows, Sparse):
            used = used[rows.starts[0] : rows.starts[-1]]
        for numbers in (used, targets):
            low, high = numbers.min(initial=0.0), numbers.max(initial=0.0)
            if not -ORDINARY < low <= high < ORDINARY:
                return 1
        return cores_for(self.threads)

    def play_layers(
        self, piece: Piece, said: Floats, told: OnCurves | None = None
    ) -> None:
        """Combine what members said of rows, and what those on curves told, if any."""
        began = time.perf_counter()
        for kernel, arguments in self._layers(piece, said, told):
            kernel(*arguments)
        self.seconds += time.perf_counter() - began

    def _layers(
        self, piece: Piece, said: Floats, told: OnCurves | None
    ) -> Iterator[Call]:
        """What combines what members said of rows, and what those on curves told."""
        rows, targets, weights, trace = piece
        observer = traced(self.statistics, trace)
        if told is None:
            yield self._combining(rows, said, targets, observer, weights)
            return
        base = new_trace(targets.size)
        unseen = traced(new_statistics(), base)
        yield self._combining(rows, said, targets, unseen, weights)
        yield self.second_layer.playing(
            told, rows, base[0], targets, observer, self._zeros, weights
        )

    def _combining(
        self,
        rows: Rows,
        said: Floats,
        targets: Floats,
        observer: Trace,
        weights: Floats | None,
    ) -> Call:
        from ..kernels.combine import combine_rows
        from ..kernels.compiled import entry

        arguments = (
            self.stack.parts,
            self.stack.state,
            self.sums,
            observer,
            self._inputs,
            said.reshape(-1),
            Biased(rows),
            self._zeros,
            targets,
            EQUAL if weights is None else weights,
        )
        return entry(combine_rows, arguments), arguments

    def _adding_up(self, said: Floats, out: Floats, state: State) -> Call:
        """What adds up what members said of rows, learning nothing."""
        from ..kernels.combine import combine_scores
        from ..kernels.compiled import entry

        size = self.stack.n_features
        inputs = Dense(np.zeros(size), size)
        arguments = (self.stack.parts, state, self.sums, inputs, said, out)
        return entry(combine_scores, arguments), arguments

    def scores(self, rows: Rows, n: int) -> Floats:
        """What is said of `n` rows, learning nothing."""
        out = np.empty(n)
        self._score_into(rows, out)
        return out

    def _score_into(self, rows: Rows, out: Floats) -> None:
        came, rows = rows, self.met.find(rows)
        each = [member.scores(rows, out.size) for member in self.members]
        said = np.column_stack(each).reshape(-1)
        kernel, arguments = self._adding_up(said, out, self.stack.with_room(0))
        kernel(*arguments)
        if self.second_layer.live:
            # How many new features there are says who predicts.
            met = self.met.copy()
            rows = met.meet(came)
            out[:] = self.second_layer.scores(rows, out.copy(), met.count + met.blank)

    def learning(self, rows: Rows, targets: Floats, importance: Floats) -> list[Call]:
        """What plays one row: members, curves, stacks and forest."""
        numbering, rows = self.met.numbering(rows, learned=True)
        said, layer, told = np.zeros((1, len(self.members))), self.second_layer, None
        calls = [*numbering, allowing(self.sums, layer, targets, importance)]
        for k, member in enumerate(self.members):
            _, losses, mistakes = new_trace(1)
            trace = (said[0, k : k + 1], losses, mistakes)
            calls.append(member.playing(rows, targets, importance, trace))
        if layer.narrow:
            told = told_of(1)
            calls.append(layer.playing_curves(told, rows, targets, importance))
        return [*calls, *self._layers((rows, targets, importance, None), said, told)]

    def asking(self, rows: Rows, out: Floats, *, apart: bool = False) -> list[Call]:
        """What scores one row; `apart`: in room of its own, as others may ask, too."""
        said, layer = np.zeros(len(self.members)), self.second_layer
        numbering, rows = self.met.numbering(rows, learned=False)
        calls = [*numbering, allowing(self.sums, layer, EQUAL, EQUAL)]
        for k, member in enumerate(self.members):
            each = (rows, said[k : k + 1])
            calls += [member.scoring(*each)] if apart else member.asking(*each)
        stack = self.stack.with_room(0) if apart else self.stack.state
        if not layer.live:
            return [*calls, self._adding_up(said, out, stack)]
        base, longest = np.zeros(1), rows.values.size if apart else 0
        calls.append(self._adding_up(said, base, stack))
        return [*calls, *layer.asking(rows, base, out, longest)]

    def held(self) -> tuple[object, ...]:
        """The arrays of all members and stacks, and which of them play."""
        states = [member.state for member in self.members]
        layers = (*self.stack.held(), self._zeros, *self.second_layer.held())
        return *states, *layers, *self.met.held()

    def shares(self) -> Floats:
        """How much what each member, and at last the running mean, says counts."""
        size = self.stack.n_features
        return 1.0 / size + self.stack.all_weights()

    def all_weights(self) -> Floats:
        """The linear function that the panel is now, the bias first."""
        *shares, constant = self.shares().tolist()
        known = self.met.count
        total = np.zeros(known + 1)
        for share, member in zip(shares, self.members, strict=True):
            total += share * member.all_weights()[: known + 1]
        if self.sums[COUNT] > 0.0:
            total[0] += constant * self.sums[LABELS] / self.sums[COUNT]
        return self.met.spread(total)

    def weights(self) -> Floats:
        """The same without the bias."""
        return self.all_weights()[1:]

    def bias_weight(self) -> float:
        """The weight of the bias."""
        return float(self.all_weights()[0])

    def weight_norm(self) -> float:
        """|w| of the linear function."""
        return length_of(self.all_weights())

    def grow(self, n_features: int) -> None:
        """Make room for more features."""
        self.met.grow(n_features)
        self._make_room()

    def meet(self, rows: Rows) -> Rows:
        """Rows that are to be played, with the numbers of their features."""
        found = self.met.meet(rows)
        if self.met.blank:
            self._make_room()
        return found

    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""
        return self.n_features, self.met.count

    def return_to(self, mark: Mark) -> None:
        """Undo growth; the room stays."""
        self.met.return_to(mark[1])
        self.n_features = mark[0]

    def _make_room(self) -> None:
        n_features = self.met.count + self.met.blank
        if n_features >= self._zeros.size:
            self._zeros = np.zeros(2 * n_features + 1)
        for member in self.members:
            member.grow(n_features)
        self.second_layer.grow(n_features)

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""
        for member in self.members:
            member.make_tile(longest)
        self.second_layer.make_tile(longest)

    def begin_at(self, weights: Floats, bias: float) -> None:
        """Refuse to start from weights alone."""
        raise ValueError(
            "a regression panel cannot start from the weights of a model: those of its "
            "members come from their own start"
        )

    def state_dict(self) -> Document:
        """All that the rounds to come depend on, as plain data and arrays (its own)."""
        return super().state_dict() | self.met.arrays()

    def prepare_state(self, stored: Document, /) -> None:
        """Know the same features."""
        known = checked_int(stored, "n_features", 0, LARGEST_COLUMN)
        met = features_from(stored, stored[MET].size if MET in stored else known)
        if met.blank and not np.array_equal(met.columns[:SEEN], np.arange(SEEN)):
            raise ValueError("its ridge regression sees other features")
        self.met, self.second_layer.known = met, met.count + met.blank

    def check_state(self) -> None:
        """All members know the same features, and the stack knows the members."""
        known = self.second_layer.known
        if any(member.n_features != known for member in self.members):
            raise ValueError("its members do not know the same features")
        if self.stack.n_features != len(self.members) + 1:
            raise ValueError("its stack is not over its members")
        self._zeros = np.zeros(known + 1)

    def hypothesis(self) -> Hypothesis:
        """What it would predict with now: weights, or a copy of the panel."""
        if self.linear:
            return self.averaged(self.all_weights())
        from ..hypotheses.regression_panel import FrozenRegression

        return FrozenRegression(self.copy())

    def averaged(self, weights: Floats) -> LinearHypothesis:
        """All weights, that of the bias first, as a hypothesis."""
        return LinearHypothesis.of_all(weights, 0.0, bias=True)


def _member(
    parts: Composition, n_features: int, *, partial: bool = False
) -> LinearPlayer:
    player = LinearPlayer(lambda _: parts, n_features, bias=True, partial=partial)
    player.made_for = 0  # the parts are the same for any width
    return player
