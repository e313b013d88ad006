"""A figure: what was measured, against whom, and the bar it has to clear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["Figure", "Measured", "SkippedError", "as_json", "table"]

HEADER = ("what", "ours", "peer", "ratio", "bar", "")


class SkippedError(Exception):
    """This figure cannot be taken here; the message says why."""


@dataclass(frozen=True)
class Figure:
    """How to take one figure.

    ``measure`` returns the seconds of ours and of the peer, for the same work; ``work``
    is how much work that is, in ``unit``. Where ``better`` is ``"faster"``, the ratio
    is peer/ours and must be at least ``bar``; where it is ``"no slower"``, the ratio is
    ours/peer and must be at most ``bar``.
    """

    name: str
    what: str
    peer: str
    bar: float
    measure: Callable[[], tuple[float, float]]
    better: Literal["faster", "no slower"] = "faster"
    unit: str = "s"
    work: Callable[[], float] | None = None

    def take(self) -> Measured:
        """Measure."""
        ours, peer = self.measure()
        ratio = peer / ours if self.better == "faster" else ours / peer
        met = ratio >= self.bar if self.better == "faster" else ratio <= self.bar
        return Measured(
            name=self.name,
            what=self.what,
            against=self.peer,
            ours_seconds=ours,
            peer_seconds=peer,
            ours=self._show(ours),
            peer=self._show(peer),
            ratio=ratio,
            bar=self.bar,
            better=self.better,
            met=met,
        )

    def _show(self, seconds: float) -> str:
        if self.work is not None:
            return f"{self.work() / seconds:,.0f} {self.unit}"
        scale = {
            "s": 1.0,
            "ms": 1e3,
            "us": 1e6,
            "ns": 1e9,
            "%": 100.0,
            "loss": 1.0,
            "runs": 1.0,
            "bytes": 1.0,
        }[self.unit]
        return f"{seconds * scale:,.3g} {self.unit}"


@dataclass(frozen=True)
class Measured:
    """A figure that has been taken."""

    name: str
    what: str
    against: str
    ours_seconds: float
    peer_seconds: float
    ours: str
    peer: str
    ratio: float
    bar: float
    better: str
    met: bool

    def cells(self) -> tuple[str, ...]:
        """The figure as a row of the table."""
        sign = ">=" if self.better == "faster" else "<="
        return (
            self.what,
            self.ours,
            f"{self.peer}  ({self.against})",
            f"{self.ratio:.2f}x",
            f"{sign} {self.bar:g}x",
            "met" if self.met else "missed",
        )


def table(figures: Sequence[Measured]) -> str:
    """The figures for people."""
    rows = [HEADER, *(figure.cells() for figure in figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    lines.insert(1, "-" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join(line.rstrip() for line in lines)


def as_json(figures: Sequence[Measured]) -> list[dict[str, Any]]:
    """The figures for machines."""
    return [asdict(figure) for figure in figures]
