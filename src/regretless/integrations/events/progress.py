"""How a learner is doing: what was predicted, and what was paid for it, so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...parts.notebook_html import Listed

if TYPE_CHECKING:
    from ...algorithms.learners.row_learner import RowLearner
    from ...evidence.claims.guard import Counted
    from ...evidence.metrics import Metrics
    from ...runs.run import Run
    from .measured import EventMetrics


@dataclass(frozen=True, repr=False)
class Progress(Listed):
    """The score of a learner on a stream, every event predicted before it was learned.

    Attributes
    ----------
    asked : int
        Events predicted so far.
    answered : int
        Those whose label has come. All that follows is about these.
    mistakes : int or None
        Wrong predictions, as they were made at the time; None for numbers. A score of 0
        is a mistake either way, as in the ledger; of many classes, so are a tie and
        the first row of a class.
    loss : float or None
        The learner's loss (without its penalty), of the predictions as they were made.
        None for many classes, where a class that has not come is not asked.
    metric : object or None
        The metric that was given.
    seconds : float
        Time taken so far.
    curve : tuple of (answered, mistakes, loss)
        The same at every step so far.
    learner : learner
        Who predicts; it learns on.
    measured : Measured
        What :attr:`metrics` come from.
    said : Counted or None
        The predictions as they were made, in the order of asking, up to the first whose
        label has not come: what ``run().certificate()`` is about. None of numbers.
    """

    asked: int
    answered: int
    mistakes: int | None
    loss: float | None
    metric: object = None
    seconds: float = field(default=0.0, compare=False)
    curve: tuple[tuple[int, int | None, float | None], ...] = ()
    learner: RowLearner = field(compare=False, kw_only=True)
    measured: EventMetrics = field(compare=False, kw_only=True)
    said: Counted | None = field(default=None, compare=False, kw_only=True)

    @property
    def metrics(self) -> Metrics:
        """How good the predictions were as they were made; they go on with the stream.

        ``metrics.rolling`` is about the last 1,000 alone. An event that was asked
        before any label had come is not among them: there was no class to predict.

        Examples
        --------
        >>> import regretless as rg
        >>> stream = [({"cheap": 1}, 1), ({"meeting": 1}, 0)] * 50
        >>> found = rg.events.progressive(rg.Panel(), stream).metrics
        >>> found.rows, found.error < 0.1, found.rolling.rows
        (99, True, 99)
        """
        return self.measured.metrics

    @property
    def pending(self) -> int:
        """Events whose label has not come yet."""
        return self.asked - self.answered

    @property
    def error(self) -> float | None:
        """The portion of predictions that were wrong; nan before the first label."""
        if self.mistakes is None:
            return None
        return self.mistakes / self.answered if self.answered else float("nan")

    @property
    def mean_loss(self) -> float | None:
        """The loss of a prediction; nan before the first label."""
        if self.loss is None:
            return None
        return self.loss / self.answered if self.answered else float("nan")

    def run(self) -> Run:
        """The receipts of the learner now: ledger, theorems, certificate, model.

        Its ledger is about what the learner was asked as labels came. Where they came
        late it has learned more by then than it had when it predicted: the certificate
        is about the predictions that were really made, as they are counted here.
        """
        from copy import deepcopy

        from .concluding import run

        found = run(self.learner)
        return replace(found, measured=deepcopy(self.metrics), said=self.said)

    def lines(self) -> list[tuple[str, str]]:
        """What there is to say, and how much."""
        lines = [("events", f"{self.answered:,}")]
        if self.pending:
            lines.append(("no label yet", f"{self.pending:,}"))
        if self.mistakes is not None:
            lines.append(("mistakes", f"{self.mistakes:,}  ({self.error:.2%})"))
        if self.loss is not None:
            lines.append(("mean loss", f"{self.mean_loss:.6g}"))
        if self.metric is not None:
            shown = str(self.metric)
            name = type(self.metric).__name__
            lines.append((name, shown.removeprefix(f"{name}: ")))
        pace = self.asked / self.seconds if self.seconds else 0.0
        lines.append(("time", f"{self.seconds:.3g} s  ({pace:,.3g} events a second)"))
        return lines

    def heading(self) -> str:
        """Who learned."""
        return repr(self.learner)
