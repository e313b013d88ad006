"""What was played: the numbers of one game."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ..engine.feature_names import Names, weights_by_name
from ..parts.documents import Document
from ..parts.state import Bools, Floats
from ..parts.waiting import waiting

if TYPE_CHECKING:
    from ..engine.coverage_ledger import Coverage
    from ..engine.expert_ledger import ExpertLedger
    from ..engine.ledger import Ledger
    from ..engine.mean_ledger import MeanLedger
    from ..parts.rows import Longs
    from .claims.guard import Counted
    from .fingerprints import Fingerprints
    from .metrics import Metrics
    from .played_run import PlayedLearner
    from .row_record import RowRecord
    from .snapshots import Recorder


L_co = TypeVar("L_co", bound="PlayedLearner", covariant=True)
K_co = TypeVar("K_co", bound="Ledger | ExpertLedger | MeanLedger", covariant=True)
A_co = TypeVar("A_co", covariant=True)
LARGEST_PATH = 2**31  # bytes


@dataclass(frozen=True, repr=False, eq=False)
class RunData(Generic[L_co, K_co, A_co]):
    """The run of a learner L, with a ledger K, which can be played again as A.

    Attributes
    ----------
    learner : learner
        Who played.
    ledger : Ledger, ExpertLedger or MeanLedger
        What was met and paid.
    weights : ndarray
        The final weights, one a feature (or one an expert); of many classes, a row a
        class.
    bias : float or ndarray
        The weight of the bias, 0 where there is none; of many classes, one a class.
    names : tuple, mapping or None
        The features' (or experts') names, where the data have names; by their numbers,
        where names were hashed.
    classes : tuple or None
        The labels that stand for -1 and +1; of many classes, all that came, in order.
    length : int or None
        How many rounds there were to be, where that was known or declared in advance.
    seconds : float
        How long the learning took, without reading or compiling.
    weighted : bool
        Whether rows carried importance weights.
    warm : bool
        Whether it started from the weights of a model.
    ended : bool
        Whether the data were played to their end, a number of rows that nothing which
        was learned has chosen; else it was stopped, or it may go on.
    refused : int
        Rows that the learner refused and that were skipped: no rounds, but errors in
        every certificate.
    sealed : Sealed or None
        Rows that were reserved and not learned: they certify the last model.
    stopped : str
        Why it ended before the data did, where it was played beside others.
    reading : dict
        How the data were read, as plain JSON: it goes into the files of models.
    record : RowRecord or None
        What is remembered of the rows: whether they changed, or came again.
    said : Counted or None
        Of events: the predictions as they were made, in the order of asking, up to the
        first whose label has not come. A certificate is about these.
    measured : Metrics or None
        The metrics, where they were kept on the way; :attr:`metrics` finds the others.
    today : Metrics or None
        Those of the new rows alone, where the run went on from a state (``-i``).
    sets : Tracker or None
        The prediction sets as they stand; :attr:`coverage` says what came of them.
    """

    learner: L_co
    ledger: K_co
    weights: Floats
    bias: Any = 0.0
    names: Names | None = None
    classes: tuple[Any, ...] | None = None
    seconds: float = 0.0
    trace: tuple[Floats | None, Floats, Bools] | None = None
    game: A_co | None = None
    length: int | None = None
    recorder: Recorder | None = None
    weighted: bool = False
    warm: bool = False
    player: Any = None
    ended: bool = False
    refused: int = 0
    sealed: Any = None
    stopped: str = ""
    reading: Document = field(default_factory=dict[str, Any])
    record: RowRecord | None = None
    said: Counted | None = None
    measured: Metrics | None = None
    today: Metrics | None = None
    sets: Any = None

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return self.ledger.rounds

    @property
    def mistakes(self) -> int | None:
        """Mistakes made; None where there is nothing to be mistaken about."""
        return self.ledger.mistakes

    @property
    def loss(self) -> float:
        """The learner's total loss."""
        return self.ledger.loss

    @property
    def seen(self) -> Fingerprints | None:
        """A sample of hashes of the rows that were learned."""
        return None if self.record is None else self.record.seen

    @property
    def coverage(self) -> Coverage | None:
        """What came of the prediction sets; None where there are none.

        ``play(intervals(learner, 0.9), ...)`` makes them.
        """
        return None if self.sets is None else self.sets.ledger()

    @property
    def scores(self) -> Floats:
        """The real-valued prediction of every round, before any sign.

        Of many classes: a column a class, -inf where it had not come yet.
        """
        scores = self._trace("scores")[0]
        if scores is None:
            raise ValueError("experts given by their losses predict nothing to score")
        return scores

    @property
    def losses(self) -> Floats:
        """The loss of every round."""
        return self._trace("losses")[1]

    @property
    def mistake_rounds(self) -> Longs:
        """The rounds, from 0, that were mistakes."""
        return np.flatnonzero(self._trace("mistake_rounds")[2])

    @cached_property
    def weight_path(self) -> Floats:
        """w_0 .. w_m, one row each: before the first round, and after every round.

        Found by playing the game again, the first time it is asked for.
        """
        self._trace("weight_path")
        if getattr(self.ledger, "supports", None) is not None:
            raise ValueError("a kernel machine has no weights of features to follow")
        size = (self.rounds + 1) * self.weights.size * 8
        if size > LARGEST_PATH:
            raise ValueError(
                f"weight_path would take {size / 2**30:.1f} GB "
                f"({self.rounds + 1:,} rows of {self.weights.size:,} weights)"
            )
        game: Any = self.replayable("weight_path")
        return game.weight_path()

    def replayable(self, what: str) -> A_co:
        """The game, to be played again; raise ``ValueError`` where that cannot be."""
        if self.warm:
            raise ValueError(
                f"{what} needs the game played again, but it started from the weights "
                "of a model: play(..., models=[...]) keeps what models need"
            )
        if self.game is None:
            raise ValueError(
                f"{what} needs to see the data again, and they were a stream that can "
                "be read only once: play(..., keep=True) keeps the rows, and "
                "play(..., models=[...]) what models need of them"
            )
        return self.game

    def named_weights(self) -> dict[Hashable, Any]:
        """Weights by name (by number, where features have no names).

        Of many classes: by class first.
        """
        if self.weights.ndim == 2:
            rows = zip(self.classes or (), self.weights, strict=True)
            return {label: weights_by_name(self.names, row) for label, row in rows}
        return weights_by_name(self.names, self.weights)

    @cached_property
    def metrics(self) -> Metrics:
        """How good the predictions were, each made before its label was seen.

        :class:`~regretless.evidence.metrics.TwoClassMetrics`,
        :class:`~regretless.evidence.metrics.ManyClassMetrics` or
        :class:`~regretless.evidence.metrics.AmountMetrics`. Every row counts once,
        whatever its importance. Where they were not kept on the way, as of arrays, the
        game is played again, the first time they are asked for.

        Examples
        --------
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(2000, 5))
        >>> run = rg.play(rg.Panel(), X, X[:, 0] > 0)
        >>> run.metrics.auc > 0.99, run.metrics.baseline()["auc"]
        (True, 0.5)
        >>> run.metrics.rolling.rows
        1000
        """
        if self.measured is not None:
            return self.measured
        if self.learner.plays != "rows":
            raise ValueError(
                "metrics compare predictions with labels of rows, and "
                f"{type(self.learner).__name__} has none: its ledger says what it paid"
            )
        game: Any = self.replayable("metrics")
        with waiting("playing again, for metrics"):
            return game.metrics()

    @property
    def replay(self) -> str:
        """Why rows that came again leave nothing to certify; "" where none did."""
        found = None if self.seen is None else self.seen.replay
        return "" if found is None else str(found)

    def _trace(self, name: str) -> tuple[Floats | None, Floats, Bools]:
        if self.trace is None:
            raise ValueError(f"run.{name} needs play(..., trace=True)")
        return self.trace
