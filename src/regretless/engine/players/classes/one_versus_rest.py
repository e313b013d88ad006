"""One-versus-rest in the middle of a game: binary learners, one a class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias, TypeGuard

import numpy as np

from ....parts import observers as o
from ....parts.documents import Document
from ....parts.domains import Ball, Everywhere
from ....parts.geometries import Euclidean
from ....parts.losses import Logistic
from ....parts.observers import LOSS, Statistics
from ....parts.panel.forest import SETTINGS, new_forest
from ....parts.prediction_rules import AsItStands
from ....parts.rows import Rows
from ....parts.state import Floats
from ....parts.views import AsIs
from ...hypotheses.class_probabilities import Slopes
from ...hypotheses.classes import FrozenClasses
from ...hypotheses.each_class import EachClass
from ...hypotheses.hypothesis import Hypothesis
from ...ledger import Ledger
from ...storage import checked_int
from ..linear import LinearPlayer
from ..panel import PanelPlayer
from ..row_player import Call, Mark, RowPlayer
from .class_player import ClassPiece, ClassPlayer, Confusion
from .lane_members import VectorizedMembers
from .members import BinaryPlayer, SequentialMembers
from .panels import PanelMembers
from .probabilities import Calibrated, ClassCalibration

AnyMembers: TypeAlias = SequentialMembers[RowPlayer] | VectorizedMembers | PanelMembers


class OneVersusRestPlayer(ClassPlayer):
    """Binary players, one a class.

    Parameters
    ----------
    rest : RowPlayer
        At its start: who plays the rest, and what every class begins as.
    forest : bool
        Of panels: whether a forest of all classes learns on top of their scores.
    """

    def __init__(self, rest: RowPlayer, *, forest: bool = False) -> None:
        super().__init__()
        self.bias = rest.bias
        self.fixed = rest.fixed
        self.unknown_features_matter = rest.unknown_features_matter
        self.advice = rest.advice
        self._pattern = rest
        self._members: AnyMembers
        if isinstance(rest, PanelPlayer):
            state = new_forest(SETTINGS, codes=True, live=forest)
            self._members = PanelMembers.begun(rest, state)
            self.calibration = Calibrated()
        else:
            self._members = _members_of([rest], 0)
            log_odds = isinstance(rest.loss, Logistic)
            self.calibration = ClassCalibration(log_odds=log_odds)

    @property
    def n_classes(self) -> int:
        """How many classes have come."""
        return self._members.n_classes

    @property
    def n_features(self) -> int:
        """How many features have come."""
        return self._members.n_features

    @n_features.setter
    def n_features(self, known: int) -> None:
        self._members.n_features = known

    @property
    def allowed(self) -> tuple[float, float]:
        """The least and the largest entry that rows may have."""
        return self._pattern.allowed

    @property
    def averages(self) -> bool:
        """Whether a mean of its hypotheses is one: an average of panels is no panel."""
        return self._pattern.averages

    def players(self) -> Sequence[RowPlayer]:
        """The binary players, one a class."""
        return self._members.members()[: self.n_classes]

    def alone(self, k: int) -> RowPlayer:
        """The player of class number `k`, with what a forest of all says of it."""
        return self._members.alone(k)

    def admit(self, n_classes: int) -> None:
        """Let there be so many classes, each a copy of the rest."""
        for number in range(self.n_classes + 1, n_classes + 1):
            # All that the rest has paid was paid by the learner of this class.
            paid = self._members.rest_loss()
            self._members.admit(number, last=number == self.most)
            self.statistics.sums[LOSS] += paid

    def expect(self, rows: Rows, n_classes: int) -> None:
        """Make room for rows and classes that are to come."""
        self._members.expect(rows, n_classes)

    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""
        return float(self.statistics.sums[LOSS]), *self._members.mark()

    def return_to(self, mark: Mark) -> None:
        """Undo growth of features and classes; the room stays."""
        self.statistics.sums[LOSS] = mark[0]
        self._members.return_to(mark[1:])

    def play_piece(self, piece: ClassPiece) -> tuple[int, float]:
        """Play; return how many rows were, and the seconds it took."""
        self._members.threads = self.threads
        return self._members.play(self.statistics, self.confusion, piece)

    def playing(self, piece: ClassPiece) -> list[Call]:
        """What plays a row that is alone."""
        return self._members.playing(self.statistics, self.confusion, piece)

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores one row."""
        return self._members.asking(rows, out)

    def held(self) -> tuple[object, ...]:
        """What calls hold on to."""
        return self.n_classes, *self._members.held()

    def meet(self, rows: Rows) -> Rows:
        """Rows that are to be played, with room for their features."""
        return self._members.meet(rows)

    def scores(self, rows: Rows, n: int) -> Floats:
        """What would be said of `n` rows now, a column a class, learning nothing."""
        return self._members.scores(rows, n)

    def grow(self, n_features: int) -> None:
        """Make room for more features."""
        if n_features > self.n_features:
            if self.fixed:
                self._pattern.grow(n_features)  # says why it cannot
            self._members.grow(n_features)

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""
        self._members.make_tile(longest)

    def all_weights(self) -> Floats:
        """A row a class, the bias first where there is one."""
        return self._members.all_weights()

    def known_weights(self) -> Floats:
        """The same; panels leave features out that no row has had."""
        return self._members.known_weights()

    def hypothesis(self) -> Hypothesis:
        """What predicts now, to be kept."""
        members = self._members
        if isinstance(members, PanelMembers):
            return members.frozen(self.slopes)
        if self.averages:
            return self.averaged(self.all_weights())
        each = [player.hypothesis() for player in self.players()]
        return EachClass(self._pattern.hypothesis(), each, self.slopes)

    def averaged(self, weights: Floats) -> FrozenClasses:
        """A mean of hypotheses as a hypothesis, with the slopes of now."""
        return self._weights(weights, self.slopes)

    def _weights(self, weights: Floats, slopes: Slopes | None) -> FrozenClasses:
        shift = -float(self._linear()[0].parts.threshold)
        return FrozenClasses(weights, shift, self.bias, slopes)

    def _linear(self) -> list[LinearPlayer]:
        """All members, where they are weights, of which there is a mean."""
        if not self.averages:
            raise ValueError(f"{self._pattern!r}: a class each has no mean")
        return [p for p in self._members.members() if isinstance(p, LinearPlayer)]

    @property
    def slopes(self) -> Slopes | None:
        """What makes probabilities of the scores of the next row."""
        return None if self.calibration is None else self.calibration.slopes()

    def keep_mean(self) -> None:
        """From now on, keep the sum of all hypotheses that predict."""
        members = list[RowPlayer]()
        for player in self._linear():
            player.keep_mean()
            members.append(player)
        self.keeps_mean = True
        self._members = SequentialMembers(members, self.n_classes)

    def summed(self) -> Floats:
        """The sum of all own weights, a row a class, and a last one for the rest."""
        return np.array([player.summed() for player in self._linear()])

    def unscaled(self, own: Floats) -> Floats:
        """Weights for rows as they come, from weights for rows as learners see them."""
        players = self._linear()[: self.n_classes]
        rows = [p.unscaled(row) for p, row in zip(players, own, strict=False)]
        return np.array(rows).reshape(len(rows), own.shape[1])

    def class_ledger(self, found: Ledger, confusion: Confusion | None) -> Ledger:
        """The ledger with what only the binary learners know."""
        from dataclasses import replace

        statistics: list[Statistics] = self._members.statistics()
        sums = np.array([book.sums for book in statistics])
        mine = sums[: self.n_classes]
        counts = np.array([book.counts for book in statistics])[: self.n_classes]
        return replace(
            super().class_ledger(found, confusion),
            updates=int(counts[:, o.UPDATES].sum()),
            max_norm=float(np.sqrt(sums[:, o.X_LONGEST].max())),
            min_entry=float(sums[:, o.X_LOWEST].min()),
            max_entry=float(sums[:, o.X_HIGHEST].max()),
            max_dual_norm=float(np.sqrt(mine[:, o.X_DUAL].max(initial=0.0))),
            sum_squared_norms=float(mine[:, o.X_SQUARES].sum()),
            sum_squared_gradients=float(mine[:, o.G_SQUARES].sum()),
            sum_dual_gradients=float(mine[:, o.G_DUAL].sum()),
            sum_rated_gradients=float(mine[:, o.G_RATED].sum()),
            max_gradient=float(np.sqrt(mine[:, o.G_LARGEST].max(initial=0.0))),
            class_mistakes=tuple(counts[:, o.MISTAKES].tolist()),
            mixture_losses=self._members.mixture_losses(),
        )

    def state_dict(self) -> Document:
        """The same, with the binary players, that of the rest last."""
        return super().state_dict() | self._members.state_dict()

    def prepare_state(self, stored: Document, /) -> None:
        """Restore from `stored`; raise ValueError if it is invalid."""
        states = stored["players"]
        known = checked_int(stored, "n_classes", 0, len(states))
        if not states or len(states) - known not in (0, 1):
            raise ValueError(
                f"{len(states)} players cannot be those of {known} classes"
            )
        if isinstance(self._pattern, PanelPlayer):
            self._members = PanelMembers.restored(self._pattern, known, stored)
        else:
            self._members = _members_of(_restored(self._pattern, states), known)
        self.keeps_mean = stored["keeps_mean"] is True


def _restored(pattern: BinaryPlayer, states: Sequence[Document]) -> list[BinaryPlayer]:
    players = [pattern.twin() for _ in states]
    for player, state in zip(players, states, strict=True):
        player.load_state(state)
    return players


def _members_of(
    players: list[RowPlayer], n_classes: int
) -> SequentialMembers[RowPlayer] | VectorizedMembers:
    linear = [player for player in players if _is_fusible(player)]
    if len(linear) == len(players):
        return VectorizedMembers(linear, n_classes)
    return SequentialMembers(players, n_classes)


def _is_fusible(player: RowPlayer) -> TypeGuard[LinearPlayer]:
    """Whether a player is additive, and sees rows as they are."""
    if not isinstance(player, LinearPlayer):
        return False
    parts = player.parts
    return (
        isinstance(parts.geometry, Euclidean)
        and isinstance(parts.domain, Everywhere | Ball)
        and isinstance(parts.view, AsIs)
        and isinstance(parts.prediction_rule, AsItStands)
        and (parts.low, parts.high) == (-math.inf, math.inf)
        and not player.keeps_mean
    )
