"""Models out of a run of a panel or a kernel machine: last, random, validated."""

from __future__ import annotations

from typing import Any

from ...algorithms.learners import Panel
from ...evidence.claims.randomized import NOT_BY_AVERAGE, certificate_of
from ...evidence.claims.validation import validated
from ...evidence.snapshots import Recorder, refuse_averages
from .. import KernelModel, PanelModel, RegressionModel

__all__ = ["regression_model_of", "whole_model_of"]


def whole_model_of(
    run: Any, kind: str, delta: float, recorder: Recorder | None
) -> PanelModel | KernelModel:
    """The panel, or the kernel machine, that conversion `kind` makes of a run."""
    what = "panel" if isinstance(run.learner, Panel) else "machine"
    refuse_averages((kind,))
    found: Any = None
    why_not = ""
    panel: Any
    if kind == "last":
        about, panel = f"the last {what}", _last(run)
        why_not = NOT_BY_AVERAGE.format(about)
    elif kind == "random":
        assert recorder is not None
        assert recorder.random is not None
        position, panel = recorder.random
        about = f"one {what} drawn at random: that after round {position:,}"
        found = certificate_of(run, delta)
    else:
        assert recorder is not None
        snapshot, found = validated(run, recorder, delta)
        panel, about = recorder.snapshots.hypothesis(snapshot), found.about
    panel.grow(run.weights.size)
    shared: dict[str, Any] = {
        "kind": kind,
        "about": about,
        "names": run.names,
        "classes": run.classes,
        "certificate": found,
        "why_not": why_not,
    }
    if what == "panel":
        return PanelModel(panel=panel, **shared)
    return KernelModel(machine=panel, **shared)


def regression_model_of(
    run: Any, kind: str, why_not: str, recorder: Recorder | None
) -> RegressionModel:
    """The regression panel that conversion `kind` makes of a run."""
    refuse_averages((kind,), numbers=True)
    if kind == "random":
        assert recorder is not None
        assert recorder.random is not None
        position, panel = recorder.random
        about = f"one panel drawn at random: that after round {position:,}"
    else:
        about, panel = "the last panel", _last(run)
    panel.grow(run.weights.size)
    return RegressionModel(
        panel=panel,
        kind=kind,
        about=about,
        names=run.names,
        why_not=why_not.format(about),
    )


def _last(run: Any) -> Any:
    """The panel as it stood when the run was concluded."""
    player = run.player
    if player is None or player.rounds != run.rounds:  # it has played on since
        player = run.replayable('model("last")').record(("last",), run.length).player
    return player.frozen()
