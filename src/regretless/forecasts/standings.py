"""The table of a combination: every forecaster beside the others, on the same rows.

Losses of different rows cannot be compared. So each forecaster stands beside what the
mixture, and what the other forecasters on average, lost in the rows in which it spoke.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..parts.documents import Document
from ..parts.notebook_html import as_text
from ..parts.rows import Longs
from ..parts.state import Floats
from ..parts.text_tables import table_lines
from .oracles import why_no_mix
from .scores import about_quantiles

if TYPE_CHECKING:
    from .combination import Combination


FAR = 20.0  # so many times the median loss is no forecaster, perhaps


@dataclass(frozen=True, eq=False)
class Standings:
    """Columns, one entry a forecaster; and the lines of those who are no forecasters.

    Attributes
    ----------
    names : tuple of str
        The forecasters.
    rows : ndarray
        In how many rows each was judged.
    loss, mixture, others : ndarray
        Its mean loss there, the mixture's, and that of the other forecasters.
    relative : ndarray
        Its loss over the others': below 1 is better than they were on the same rows.
    weight : ndarray
        Its weight for the coming round.
    calibration : ndarray
        Forecasts less outcomes on average; of quantiles, the share of outcomes between
        the outermost two.
    summary : list of (who, mean loss or None, note)
        The mixture, the mean, the median, and those who knew better.
    sequence_loss : float or None
        What the best sequence lost in all.
    """

    names: tuple[str, ...]
    rows: Longs
    loss: Floats
    mixture: Floats
    others: Floats
    relative: Floats
    weight: Floats
    calibration: Floats
    calibration_name: str
    summary: list[tuple[str, float | None, str]]
    sequence_loss: float | None
    loss_name: str
    unit: str

    @property
    def order(self) -> Longs:
        """The forecasters from the best on, relative to the others."""
        return np.argsort(np.where(np.isnan(self.relative), np.inf, self.relative))

    @property
    def far_off(self) -> list[str]:
        """Who is so far from the truth that it may be no forecaster."""
        middle = np.nanmedian(self.loss) if np.isfinite(self.loss).any() else np.nan
        return [
            name
            for name, lost in zip(self.names, self.loss.tolist(), strict=True)
            if len(self.names) > 2 and lost > FAR * middle > 0.0
        ]

    def _repr_html_(self) -> str:
        return as_text("\n".join(self.lines(len(self.names))))

    def lines(self, most: int) -> list[str]:
        """The table as text, with at most so many forecasters."""
        head = f"{self.loss_name} loss a {self.unit}"
        wide = max([len(head), *(len(who) for who, _, _ in self.summary)])
        rows = [
            (who, "-" if loss is None else f"{loss:.5g}", note)
            for who, loss, note in self.summary
        ]
        lines = table_lines((head, "", ""), rows, left=(0, 2))
        return [lines[0], "-" * wide, *lines[1:], "", *self.forecasters(most)]

    def forecasters(self, most: int) -> list[str]:
        """The forecasters as text, from the best on."""
        shown: list[int] = self.order[:most].tolist()
        head = ("forecaster", f"{self.unit}s", "loss", "mixture", "relative", "weight")
        rest = len(self.names) - len(shown)
        more = [f"... and {rest:,} others"] if rest else []
        rows = [self._row(k) for k in shown]
        return [*table_lines((*head, self.calibration_name), rows), *more]

    def _row(self, k: int) -> tuple[str, ...]:
        columns = [self.loss, self.mixture, self.relative, self.calibration]
        loss, mixture, relative, calibration = (column[k].item() for column in columns)
        told = (_told(loss), _told(mixture), _told(relative, 4))
        weight = f"{self.weight[k]:.3f}"
        return (
            self.names[k],
            f"{self.rows[k]:,}",
            *told,
            weight,
            _told(calibration, 3),
        )

    def as_dicts(self) -> list[Document]:
        """One entry a forecaster, for JSON."""
        columns = {
            "rows": self.rows,
            "loss": self.loss,
            "mixture_loss": self.mixture,
            "others_loss": self.others,
            "relative": self.relative,
            "weight": self.weight,
            self.calibration_name: self.calibration,
        }
        return [
            {"name": name}
            | {
                key: None if np.isnan(column[k]) else column[k].item()
                for key, column in columns.items()
            }
            for k, name in enumerate(self.names)
        ]


def standings_of(found: Combination) -> Standings:
    """Put every forecaster beside the mixture and the others."""
    lost = found.expert_losses
    heard = ~np.isnan(lost)
    rows = heard.sum(axis=0)
    known = np.nan_to_num(lost)
    all_others = known.sum(axis=1)[:, None] - known
    many_others = heard.sum(axis=1)[:, None] - heard
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_others = np.where(
            heard & (many_others > 0), all_others / many_others, np.nan
        )
        together = ~np.isnan(mean_others)
        others = np.nansum(mean_others, axis=0) / together.sum(axis=0)
        alone = np.where(together, known, 0.0).sum(axis=0) / together.sum(axis=0)
        loss, mixture = found.totals / rows, found.own / rows
        name, calibration = _calibration(found)
        return Standings(
            names=found.names,
            rows=rows,
            loss=loss,
            mixture=mixture,
            others=others,
            relative=alone / others,
            weight=found.weights[: len(found.names)],
            calibration=calibration,
            calibration_name=name,
            summary=_summary(found),
            sequence_loss=_sequence_loss(found)[0],
            loss_name=found.loss_name,
            unit=found.unit,
        )


def _calibration(found: Combination) -> tuple[str, Floats]:
    """How far forecasts are from what happened, on average."""
    values, y = found.table.values, found.table.y
    told = ~np.isnan(found.expert_losses)
    if about_quantiles(found.score):
        inside = (values[:, :, 0] <= y[:, None]) & (y[:, None] <= values[:, :, -1])
        levels = found.score.levels
        return (
            f"in {100 * (levels[-1] - levels[0]):.3g}%",
            np.where(told, inside, 0).sum(axis=0) / told.sum(axis=0),
        )
    if values.ndim == 3:
        return "bias", np.full(len(found.names), np.nan)
    gap = np.where(told, values - y[:, None], 0.0)
    return "bias", gap.sum(axis=0) / told.sum(axis=0)


def _summary(found: Combination) -> list[tuple[str, float | None, str]]:
    """Who, the mean loss on all judged rows (None: there is none), and what to know."""
    rows = max(found.rows, 1)
    mean, median = found.ensembles
    by = found.by if isinstance(found.by, str) else repr(found.by)
    learning = ", learning from gradients" * found.slopes
    k = found.names.index(found.best)
    spoke = max(int(found.heard[k]), 1)
    ours = f"in {spoke:,} {found.unit}s; the mixture there {found.own[k] / spoke:.5g}"
    lines: list[tuple[str, float | None, str]] = [
        ("mixture", found.loss / rows, f"rule: {by}{learning}"),
        ("mean of all", mean / rows, ""),
        ("median of all", median / rows, ""),
        (
            f"best forecaster: {found.best}",
            found.best_loss / spoke,
            ours if spoke < rows else "",
        ),
    ]
    mix = found.best_mix
    if mix is None:
        lines.append(("best convex mix", None, why_no_mix(found.table, found.score)))
    else:
        most = np.argsort(-mix.u, kind="stable")[:3]
        told = ", ".join(f"{found.names[k]} {mix.u[k]:.2f}" for k in most)
        lines.append(("best convex mix", mix.loss / rows, told))
    total, note = _sequence_loss(found)
    name = f"best sequence, {found.switches} changes"
    lines.append((name, None if total is None else total / rows, note))
    return lines


def _sequence_loss(found: Combination) -> tuple[float | None, str]:
    try:
        path = found.best_sequence
    except ValueError as refusal:
        return None, str(refusal)
    return path.loss, f"{path.switches} changes"


def _told(number: float, digits: int = 5) -> str:
    return "-" if np.isnan(number) else f"{number:.{digits}g}"
