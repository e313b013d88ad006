"""A run: what came out of playing a learner over data once."""

from __future__ import annotations

import html
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .parts.state import Floats

__all__ = ["Run"]

LARGEST_PATH = 2**31  # bytes


@dataclass(frozen=True, repr=False)
class Run:
    """The receipts of one game.

    Attributes
    ----------
    learner : learner
        Who played.
    ledger : Ledger, ExpertLedger or MeanLedger
        What was met and paid.
    weights : ndarray
        The final weights, one a feature (or one an expert).
    bias : float
        The weight of the bias, 0 where there is none.
    names : tuple or None
        The features' (or experts') names, where the data have names.
    classes : tuple or None
        The labels that stand for -1 and +1.
    seconds : float
        How long the learning took, without reading or compiling.
    """

    learner: Any
    ledger: Any
    weights: Floats
    bias: float = 0.0
    names: tuple[Hashable, ...] | None = None
    classes: tuple[Any, Any] | None = None
    seconds: float = field(default=0.0, compare=False)
    tape: tuple[Floats | None, Floats, Any] | None = field(default=None, repr=False)
    replay: Callable[[], Floats] | None = field(default=None, repr=False, compare=False)

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
    def scores(self) -> Floats:
        """The real-valued prediction of every round, before any sign."""
        scores = self._tape("scores")[0]
        if scores is None:
            raise ValueError("experts given by their losses predict nothing to score")
        return scores

    @property
    def losses(self) -> Floats:
        """The loss of every round."""
        return self._tape("losses")[1]

    @property
    def mistake_rounds(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The rounds, from 0, that were mistakes."""
        return np.flatnonzero(self._tape("mistake_rounds")[2])

    @cached_property
    def weight_path(self) -> Floats:
        """w_0 .. w_m, one row each: before the first round, and after every round.

        Found by playing the game again, the first time it is asked for.
        """
        self._tape("weight_path")
        size = (self.rounds + 1) * self.weights.size * 8
        if size > LARGEST_PATH:
            raise ValueError(
                f"weight_path would take {size / 2**30:.1f} GB "
                f"({self.rounds + 1:,} rows of {self.weights.size:,} weights)"
            )
        if self.replay is None:
            raise ValueError("the data cannot be played again: they were a stream")
        return self.replay()

    def named_weights(self) -> dict[Hashable, float]:
        """Weights by name (by number, where features have no names)."""
        names = self.names if self.names is not None else range(self.weights.size)
        return dict(zip(names, self.weights.tolist(), strict=True))

    def _tape(self, name: str) -> tuple[Floats | None, Floats, Any]:
        if self.tape is None:
            raise ValueError(f"run.{name} needs play(..., trace=True)")
        return self.tape

    def lines(self) -> list[tuple[str, str]]:
        """The run as (what, how much), for people."""
        speed = self.rounds / self.seconds if self.seconds > 0 else 0.0
        time = f"{self.seconds:.3g} s  ({speed:,.3g} rounds a second)"
        nonzero = int(np.count_nonzero(self.weights))
        return [
            *self.ledger.lines(),
            ("weights", f"{self.weights.size:,}  ({nonzero:,} nonzero)"),
            ("time", time),
        ]

    def __str__(self) -> str:
        lines = self.lines()
        left = max(len(what) for what, _ in lines)
        right = max(len(much) for _, much in lines)
        rule = "-" * (left + 2 + right)
        body = [f"{what:<{left}}  {much}" for what, much in lines]
        return "\n".join([repr(self.learner), rule, *body])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th style='text-align:left'>{html.escape(what)}</th>"
            f"<td style='text-align:left'>{html.escape(much)}</td></tr>"
            for what, much in self.lines()
        )
        title = html.escape(repr(self.learner))
        return f"<table><caption>{title}</caption>{cells}</table>"
