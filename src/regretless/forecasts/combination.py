"""A combination of forecasters: the mixture, beside those who knew better."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..expert_ledger import ExpertLedger
from ..hindsight import BestSequence, Hindsight
from ..notebooks import as_text
from ..parts.state import Floats
from ..theory import Theorems
from .oracles import best_mix, best_path, why_no_mix
from .panel import Panel
from .scores import losses_of

__all__ = ["Combination"]


@dataclass(frozen=True, repr=False, eq=False)
class Combination:
    """What came of mixing forecasters online.

    Attributes
    ----------
    by : ExpertLearner
        Who weighed them.
    slopes : bool
        Whether it learned from slopes of the loss at the mixture.
    loss_name : str
        What forecasts are compared by.
    names : tuple of str
        The forecasters.
    forecasts : ndarray
        The mixture's forecasts: rounds, or rounds x outcomes.
    losses : ndarray
        What each of them cost.
    weights : ndarray
        The weights for the coming round.
    totals, own : ndarray
        What each forecaster lost in the rounds in which it spoke, and what the mixture
        lost in these.
    waking_rounds : ndarray
        How many those were.
    weight_path, weight_rows : ndarray
        Weights before some rounds, at most 256, and which rounds (from 0).
    times : ndarray
        When: the number of the round (from 1), or the user's own times.
    switches : int
        m, how often the best sequence may change.
    ledger : ExpertLedger
        The books of the game that was played: of losses, or of slopes.
    """

    by: Any
    slopes: bool
    loss_name: str
    names: tuple[str, ...]
    forecasts: Floats
    losses: Floats
    weights: Floats
    totals: Floats
    own: Floats
    waking_rounds: Floats
    weight_path: Floats
    weight_rows: Any
    times: Any
    switches: int
    ledger: ExpertLedger
    panel: Panel
    score: Any

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return len(self.losses)

    @cached_property
    def loss(self) -> float:
        """What the mixture lost in all."""
        return float(self.losses.sum())

    @property
    def best(self) -> str:
        """The forecaster against whom regret is largest: who lost least, if all spoke.

        Each is compared in the rounds in which it spoke.
        """
        return self.names[self._best]

    @property
    def best_loss(self) -> float:
        """What the best forecaster lost."""
        return float(self.totals[self._best])

    @property
    def regret(self) -> float:
        """What the mixture lost above the best forecaster; negative: it was better."""
        return float((self.own - self.totals)[self._best])

    @cached_property
    def expert_losses(self) -> Floats:
        """The loss of every forecaster in every round, nan where it said nothing."""
        return losses_of(self.score, self.panel.values, self.panel.y)

    @cached_property
    def best_mix(self) -> Hindsight | None:
        """The best fixed convex mix, with the gap to its optimality.

        None where there is none: the loss is not convex, or forecasts are missing.
        """
        if why_no_mix(self.panel, self.score):
            return None
        return best_mix(self.panel, self.score)

    @cached_property
    def best_sequence(self) -> BestSequence:
        """The best sequence of forecasters with at most `switches` changes."""
        return best_path(self.expert_losses, self.switches)

    def theorems(self) -> Theorems:
        """What is proved about the mixture, against each of the three, on these data.

        Raises
        ------
        TheoremViolated
            Where a bound does not hold: a bug.
        """
        from .guarantees import theorems_of

        return theorems_of(self)

    def mix(self, row: Any) -> Any:
        """Mix a new row of forecasts (nan: missing) with the present weights."""
        said = np.asarray(row, np.float64)
        many = len(self.names)
        if said.shape[:1] != (many,) or said.shape[1:] != self.forecasts.shape[1:]:
            raise ValueError(f"a row holds the forecasts of {many} forecasters")
        silent = np.isnan(said) if said.ndim == 1 else np.isnan(said).any(axis=1)
        if silent.all():
            raise ValueError(f"all {many} forecasters are missing")
        w = np.where(silent, 0.0, self.weights)
        if w.sum() == 0.0:
            w = np.where(silent, 0.0, 1.0)
        mixed = (w / w.sum()) @ np.where(np.isnan(said), 0.0, said)
        return float(mixed) if said.ndim == 1 else mixed

    @property
    def headline(self) -> str:
        """The result in one sentence."""
        k = self._best
        heard = self.waking_rounds[k]
        ours = self.own[k] / heard
        where = "" if heard == self.rounds else f" in {int(heard):,} rounds it forecast"
        return (
            f"the mixture lost {ours:.4g} a round, the best forecaster "
            f"({self.best}) {self.best_loss / heard:.4g}{where}"
        )

    def rows(self, *, oracles: bool = True) -> list[tuple[str, float | None, str]]:
        """The table: who, the total loss (None: there is none), and what to know."""
        asleep = int(self.rounds - self.waking_rounds[self._best])
        note = f"silent in {asleep:,} rounds" if asleep else ""
        found: list[tuple[str, float | None, str]] = [
            ("mixture", self.loss, f"by {self.by!r}{' on slopes' * self.slopes}"),
            (f"best forecaster: {self.best}", self.best_loss, note),
        ]
        if not oracles:
            return found
        mix = self.best_mix
        if mix is None:
            reason = why_no_mix(self.panel, self.score)
            found.append(("best convex mix", None, reason))
        else:
            most = np.argsort(-mix.u, kind="stable")[:3]
            told = ", ".join(f"{self.names[k]} {mix.u[k]:.2f}" for k in most)
            found.append(("best convex mix", mix.loss, told))
        try:
            path = self.best_sequence
            changes = f"{path.switches} changes"
            found.append(
                (f"best sequence, {self.switches} changes", path.loss, changes)
            )
        except ValueError as refusal:
            found.append(
                (f"best sequence, {self.switches} changes", None, str(refusal))
            )
        return found

    def as_dict(self, *, oracles: bool = True) -> dict[str, Any]:
        """Plain data for JSON, without the forecasts themselves."""
        plain: dict[str, Any] = {
            "by": repr(self.by),
            "slopes": self.slopes,
            "loss": self.loss_name,
            "rounds": self.rounds,
            "headline": self.headline,
            "mixture_loss": self.loss,
            "best": self.best,
            "best_loss": self.best_loss,
            "regret": self.regret,
            "weights": dict(zip(self.names, self.weights.tolist(), strict=True)),
            "losses": dict(zip(self.names, self.totals.tolist(), strict=True)),
            "rounds_heard": dict(
                zip(self.names, self.waking_rounds.astype(int).tolist(), strict=True)
            ),
        }
        if oracles:
            mix = self.best_mix
            plain["best_mix"] = None if mix is None else self._mix_dict(mix)
            plain["best_sequence"] = next(
                loss for who, loss, _ in self.rows() if who.startswith("best sequence")
            )
            plain["switches"] = self.switches
            plain["theorems"] = self.theorems().as_dicts()
        return plain

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw losses above the mixture's, and weights; write HTML if `path` is given.

        Needs the extra ``report`` (plotly). Returns the plotly figure.
        """
        from .charts import draw_combination

        return draw_combination(self, path)

    def __str__(self) -> str:
        """The mixture beside those who knew better."""
        rows = self.rows()
        wide = max(len(who) for who, _, _ in rows)
        head = f"{f'{self.loss_name} loss':<{wide}}  {'total':>12}  {'a round':>10}"
        lines = [self.headline, "", head, "-" * len(head)]
        for who, loss, note in rows:
            if loss is None:
                lines.append(f"{who:<{wide}}  {'-':>12}  {'-':>10}  {note}".rstrip())
            else:
                mean = loss / self.heard(who)
                lines.append(
                    f"{who:<{wide}}  {loss:>12,.6g}  {mean:>10.5g}  {note}".rstrip()
                )
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_text(self)

    def heard(self, who: str) -> float:
        """In how many rounds a row of the table counts."""
        best = who.startswith("best forecaster")
        return float(self.waking_rounds[self._best]) if best else self.rounds

    def _mix_dict(self, mix: Hindsight) -> dict[str, Any]:
        return {
            "loss": mix.loss,
            "gap": mix.objective - mix.lower_bound,
            "weights": dict(zip(self.names, mix.u.tolist(), strict=True)),
        }

    @cached_property
    def _best(self) -> int:
        spoke = self.waking_rounds > 0
        return int(np.argmax(np.where(spoke, self.own - self.totals, -np.inf)))
