"""Charts of bouts: what happened as an area, every bound as a line above it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .canvas import BAND, BLUE, COLORS, RED, finish, plotly
from .curves import Curve

__all__ = ["draw_bout", "draw_bouts"]

FAR = 25.0  # a bound so many times above what happened is shown on logarithmic axes
DASHES = ("dash", "dot", "dashdot", "longdash")


def draw_bout(bout: Any, path: str | Path | None) -> Any:
    """One game: the headline's bound drawn through, the others dashed."""
    graph = plotly("graph_objects")
    main = bout.curve
    if main is None:
        raise ValueError(f"{bout.title}: no theorem applies, so there is no bound")
    figure = graph.Figure()
    # The bound below, and wider: where it is met, both are seen.
    figure.add_trace(_bound(graph, main, RED, None, 5.0))
    figure.add_trace(_area(graph, main))
    head = bout.headline
    if head.theorem.name != main.name:  # it speaks of the end alone
        figure.add_trace(
            graph.Scatter(
                x=[bout.run.rounds],
                y=[head.value],
                name=f"{head.theorem.name}: {head.theorem.statement}",
                mode="markers",
                marker={"color": RED, "size": 12, "symbol": "diamond"},
            )
        )
    others = [
        curve
        for curve in bout.curves
        if curve.about == main.about and curve is not main and curve.points > 1
    ]
    for i, curve in enumerate(_distinct([main, *others])[1:]):
        color = COLORS[2 + i % (len(COLORS) - 2)]
        figure.add_trace(_bound(graph, curve, color, DASHES[i % len(DASHES)], 1.8))
    _axes(figure, main)
    share = f", {head.ratio:.1%} of the bound" if head.ratio > 5e-4 else ""
    detail = f"{head.theorem.statement}: {head.happened:,.4g} of {head.value:,.4g}"
    return finish(figure, bout.title, detail + share, path)


def draw_bouts(bouts: Any, path: str | Path | None) -> Any:
    """Several seeds of one game: the median, and from the least to the most."""
    graph = plotly("graph_objects")
    curves = [one.curve for one in bouts if one.curve is not None]
    if not curves:
        raise ValueError("no theorem applies, so there is no bound")
    main = curves[0]
    happened = np.array([curve.happened for curve in curves])
    figure = graph.Figure()
    low, high = happened.min(axis=0), happened.max(axis=0)
    blank = {"width": 0}
    figure.add_scatter(
        x=main.rounds, y=high, line=blank, showlegend=False, hoverinfo="skip"
    )
    name = f"{main.about}, least to most of {len(curves)} seeds"
    figure.add_scatter(
        x=main.rounds, y=low, line=blank, fill="tonexty", fillcolor=BAND, name=name
    )
    median = np.median(happened, axis=0)
    figure.add_scatter(
        x=main.rounds, y=median, name="median", line={"color": BLUE, "width": 3}
    )
    bound = np.median([curve.bound for curve in curves], axis=0)
    shown = Curve(main.name, main.statement, main.rounds, median, bound)
    figure.add_trace(_bound(graph, shown, RED, None, 3.0))
    _axes(figure, shown)
    shares = bouts.ratios
    detail = (
        f"{main.statement}: {np.nanmin(shares):.1%} to {np.nanmax(shares):.1%} of the "
        f"bound over {len(curves)} seeds"
    )
    first = bouts[0]
    return finish(figure, f"{first.learner!r} against {first.game!r}", detail, path)


def _area(graph: Any, curve: Curve) -> Any:
    return graph.Scatter(
        x=curve.rounds,
        y=curve.happened,
        name=f"{curve.about} (what happened)",
        mode="lines",
        line={"color": BLUE, "width": 3},
        fill="tozeroy",
        fillcolor=BAND,
    )


def _bound(graph: Any, curve: Curve, color: str, dash: str | None, width: float) -> Any:
    return graph.Scatter(
        x=curve.rounds,
        y=curve.bound,
        name=f"{curve.name}: {curve.statement}",
        mode="lines",
        line={"color": color, "width": width, "dash": dash},
        connectgaps=True,
    )


def _axes(figure: Any, curve: Curve) -> None:
    figure.update_xaxes(title_text="rounds", showgrid=False)
    figure.update_yaxes(title_text=f"{curve.about} so far", rangemode="tozero")
    happened, bound = float(curve.happened[-1]), float(curve.bound[-1])
    if happened > 0 and bound > FAR * happened:
        title = f"{curve.about} so far (log scale)"
        figure.update_yaxes(type="log", title_text=title, exponentformat="power")


def _distinct(curves: list[Curve]) -> list[Curve]:
    """Without those that lie on top of another one, or so far above as to hide all."""
    kept: list[Curve] = []
    for curve in curves:
        same = any(
            np.allclose(curve.bound, one.bound, rtol=1e-3, equal_nan=True)
            for one in kept
        )
        far = bool(kept) and curve.bound[-1] > 4.0 * kept[0].bound[-1]
        if not same and not far:
            kept.append(curve)
    return kept
