"""A combination of forecasters: the mixture, beside those who knew better."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..algorithms.experts import ExpertLearner
from ..data.chunk import Array
from ..engine.expert_ledger import ExpertLedger
from ..evidence.hindsight import BestSequence, Hindsight
from ..evidence.theorems import Theorems
from ..parts.documents import Document
from ..parts.notebook_html import Printed
from ..parts.rows import Longs
from ..parts.state import Floats
from .mixture import Mixture, with_ensembles
from .oracles import best_mix, best_path, why_no_mix
from .scores import Score, losses_of, score_name
from .standings import Standings, standings_of
from .table import Table

if TYPE_CHECKING:
    from ..report.charts import Figure


SHOWN = 12  # forecasters in a printed table
TOLD = (
    *("slopes", "rounds", "rows", "unknown", "silent", "lag", "notes", "headline"),
    *("best", "best_loss", "regret"),
)


@dataclass(frozen=True, repr=False, eq=False)
class Combination(Printed):
    """What came of mixing forecasters online.

    Attributes
    ----------
    by : str or ExpertLearner
        Who weighed them.
    score : a loss
        What forecasts are compared by.
    table : Table
        The forecasts and the outcomes, in the order of time.
    forecasts : ndarray
        The mixture's forecasts: one a row as they were given (x outcomes, quantiles);
        nan where no forecaster spoke.
    losses : ndarray
        What each of them cost; nan where the outcome is not known.
    shares : ndarray
        In the order of time, one over how many rows were learned together with each.
    weight_path, weight_rounds : ndarray
        Weights before some rounds, at most 256, and which rounds (from 0).
    weight_part : tuple
        The key of the one of `parts` whose weights these are.
    parts : dict of Mixture
        The mixtures as they stand now: one, or one a key where weights are separate.
    lag : int
        After how many rounds all outcomes of a round were known.
    switches : int
        m, how often the best sequence may change.
    """

    by: str | ExpertLearner
    score: Score
    table: Table
    forecasts: Floats
    losses: Floats
    shares: Floats
    weight_path: Floats
    weight_rounds: Longs
    weight_part: tuple[object, ...]
    parts: dict[tuple[object, ...], Mixture]
    lag: int
    switches: int

    # The mixture as it stands.

    @property
    def mixture(self) -> Mixture:
        """The mixture, which goes on: predict, learn, save."""
        if len(self.parts) > 1:
            keys = ", ".join(str(key) for key in list(self.parts)[:4])
            raise ValueError(
                f"there are several mixtures: parts[key], key one of {keys}"
            )
        return next(iter(self.parts.values()))

    def predict(self, forecasts: object) -> Floats | float:
        """Mix new forecasts with the present weights; see :meth:`Mixture.predict`."""
        return self.mixture.predict(forecasts)

    def learn(self, forecasts: object, y: npt.ArrayLike) -> None:
        """Learn one more round; see :meth:`Mixture.learn`. The record stays."""
        self.mixture.learn(forecasts, y)

    def save(self, path: str | Path) -> None:
        """Save the mixture, for :func:`load_mixture`."""
        self.mixture.save(path)

    def mix(self, row: object) -> Floats | float:
        """Mix one new row; ValueError where all are missing."""
        found = self.predict(row)
        if np.isnan(found).any():
            raise ValueError(f"all {len(self.names)} forecasters are missing")
        return found

    @property
    def slopes(self) -> bool:
        """Whether it learned from slopes of the loss at the mixture."""
        return next(iter(self.parts.values())).slopes

    @property
    def members(self) -> tuple[str, ...]:
        """Who is weighed: the forecasters, and by "auto" their mean and median."""
        return next(iter(self.parts.values())).members

    @property
    def weights(self) -> Floats:
        """The weights of the members for the coming round, a mean over the parts."""
        return np.mean([part.weights for part in self.parts.values()], axis=0)

    @property
    def ledger(self) -> ExpertLedger:
        """The statistics of the game that the last layer played, in rounds."""
        return self.mixture.layers[-1].player.ledger()

    # What happened. Every row counts the same.

    @property
    def names(self) -> tuple[str, ...]:
        """The forecasters."""
        return self.table.names

    @property
    def loss_name(self) -> str:
        """What forecasts are compared by."""
        return score_name(self.score)

    @property
    def times(self) -> Array:
        """The time of every round: the user's own, or its number from 1."""
        return self.table.round_times

    @property
    def rounds(self) -> int:
        """How many rounds there are: times."""
        return self.table.rounds

    @cached_property
    def own_losses(self) -> Floats:
        """The mixture's losses, in the order of time."""
        return self.losses[self.table.rows]

    @property
    def rows(self) -> int:
        """In how many rows the mixture was judged."""
        return int((~np.isnan(self.losses)).sum())

    @cached_property
    def loss(self) -> float:
        """What the mixture lost in all."""
        return float(np.nansum(self.losses))

    @cached_property
    def expert_losses(self) -> Floats:
        """The loss of every forecaster in every row, in the order of time, or nan."""
        return losses_of(self.score, self.table.values, self.table.y)

    @cached_property
    def heard(self) -> Longs:
        """In how many rows each forecaster was judged."""
        return (~np.isnan(self.expert_losses)).sum(axis=0)

    @cached_property
    def totals(self) -> Floats:
        """What each forecaster lost in the rows in which it spoke."""
        return np.nansum(self.expert_losses, axis=0)

    @cached_property
    def own(self) -> Floats:
        """What the mixture lost in these."""
        heard = ~np.isnan(self.expert_losses)
        return np.nan_to_num(self.own_losses) @ heard

    @property
    def best(self) -> str:
        """The forecaster against whom regret is largest: who lost least, if all spoke.

        Each is compared in the rows in which it spoke.
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
    def ensembles(self) -> tuple[float, float]:
        """What the plain mean and the median of all who spoke lost, in all."""
        both = with_ensembles(self.table.values, self.score)[:, -2:]
        lost = losses_of(self.score, both, self.table.y)
        mean, median = np.nansum(lost, axis=0).tolist()
        return mean, median

    @cached_property
    def best_mix(self) -> Hindsight | None:
        """The best fixed convex mix, with the gap to its optimality.

        None where there is none: the loss is not convex, or forecasts are missing.
        """
        if why_no_mix(self.table, self.score):
            return None
        return best_mix(self.table, self.score)

    @cached_property
    def best_sequence(self) -> BestSequence:
        """The best sequence of forecasters with at most `switches` changes.

        It is judged by the rows by which the mixture is: a forecaster who is missing in
        one row of a round is not followed in that round. ValueError where no sequence
        has a forecast in every row.
        """
        told = ~np.isnan(self.own_losses)
        first = np.unique(self.table.round_of[told], return_index=True)[1]
        by_round = np.add.reduceat(self.expert_losses[told], first, axis=0)
        return best_path(by_round, self.switches)

    @cached_property
    def sequence_losses(self) -> Floats:
        """What the best sequence lost, in the order of time; nan as for the mixture."""
        told = ~np.isnan(self.own_losses)
        _, at = np.unique(self.table.round_of[told], return_inverse=True)
        followed = self.best_sequence.path[at][:, None]
        lost = np.full(len(told), np.nan)
        lost[told] = np.take_along_axis(self.expert_losses[told], followed, 1)[:, 0]
        return lost

    @property
    def silent(self) -> int:
        """Rows in which no forecaster spoke."""
        return int(self.table.missing.all(axis=1).sum())

    @property
    def unknown(self) -> int:
        """Rows whose outcome is not known: they were forecast, and not learned."""
        return int(np.isnan(self.table.y).sum())

    def theorems(self) -> Theorems:
        """What is proved about the mixture, against each of the three, on these data.

        Raises
        ------
        TheoremViolated
            Where a bound does not hold: a bug.
        """
        from .guarantees import theorems_of

        return theorems_of(self)

    # For people.

    @cached_property
    def standings(self) -> Standings:
        """Every forecaster beside the mixture and the others, on the same rows."""
        return standings_of(self)

    @property
    def unit(self) -> str:
        """What a loss is counted by: rounds, or rows where times have several."""
        return "round" if len(self.table.y) == self.rounds else "row"

    @property
    def headline(self) -> str:
        """The result in one sentence."""
        k = self._best
        heard = max(int(self.heard[k]), 1)
        where = f" in the {heard:,} {self.unit}s it forecast" * (heard < self.rows)
        return (
            f"the mixture lost {self.own[k] / heard:.4g} a {self.unit}, the best "
            f"forecaster ({self.best}) {self.best_loss / heard:.4g}{where}"
        )

    @property
    def notes(self) -> list[str]:
        """What to know about the data, in sentences."""
        found = list(self.table.notes)
        if self.lag > 1:
            found.append(
                f"outcomes were learned up to {self.lag} rounds after forecasts"
            )
        if self.unknown:
            found.append(f"{self.unknown:,} rows without outcome were forecast only")
        if self.silent:
            found.append(f"{self.silent:,} rows without any forecast were left out")
        if len(self.parts) > 1:
            found.append(f"weights are means over {len(self.parts):,} separate parts")
        far = self.standings.far_off
        if far:
            found.append(
                f"{', '.join(far)}: far from all others; are these forecasters? "
                "(forecasters=, --forecasters)"
            )
        return found

    def as_dict(self, *, oracles: bool = True) -> Document:
        """Plain data for JSON, without the forecasts themselves."""
        mean, median = self.ensembles
        plain: Document = {
            "by": self.by if isinstance(self.by, str) else repr(self.by),
            "loss": self.loss_name,
            **{name: getattr(self, name) for name in TOLD},
            "mixture_loss": self.loss,
            "mean_loss": mean,
            "median_loss": median,
            "weights": _by_name(self.members, self.weights),
            "forecasters": self.standings.as_dicts(),
        }
        if len(self.parts) > 1:
            plain["separate"] = {
                part_name(key): _by_name(self.members, part.weights)
                for key, part in self.parts.items()
            }
        if oracles:
            mix = self.best_mix
            plain["best_mix"] = None if mix is None else self._mix_dict(mix)
            plain["best_sequence"] = self.standings.sequence_loss
            plain["switches"] = self.switches
            plain["theorems"] = self.theorems().as_dicts()
        return plain

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw losses above the mixture's, and weights; write it to `path`, if given.

        Needs the extra ``report``. A name ends in .html, .svg, .png or .pdf.
        """
        from .charts import draw_combination

        return draw_combination(self, path)

    def __str__(self) -> str:
        """The mixture beside those who knew better, and the forecasters."""
        lines = [self.headline, "", *self.standings.lines(SHOWN)]
        for note in self.notes:
            lines += textwrap.wrap(
                note, 86, initial_indent="- ", subsequent_indent="  "
            )
        return "\n".join(lines)

    def _mix_dict(self, mix: Hindsight) -> Document:
        return {
            "loss": mix.loss,
            "gap": mix.objective - mix.lower_bound,
            "weights": _by_name(self.names, mix.u),
        }

    @cached_property
    def _best(self) -> int:
        spoke = self.heard > 0
        return int(np.argmax(np.where(spoke, self.own - self.totals, -np.inf)))


def _by_name(names: Sequence[str], weights: Floats) -> dict[str, float]:
    return dict(zip(names, weights.tolist(), strict=True))


def part_name(key: tuple[object, ...]) -> str:
    """What one of several mixtures is called: its place, its horizon, its level."""
    return "/".join(map(str, key))
