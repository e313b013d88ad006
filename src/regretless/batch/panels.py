"""Models out of a run of a panel: the last, a random one, the validated one."""

from __future__ import annotations

from typing import Any

from ..models import PanelModel
from ..recorders import Recorder, refuse_averages
from .certificates import NOT_BY_AVERAGE, certificate_of
from .validation import validated

__all__ = ["panel_model_of"]


def panel_model_of(
    run: Any, kind: str, delta: float, recorder: Recorder | None
) -> PanelModel:
    """The panel that conversion `kind` makes of a run."""
    refuse_averages((kind,))
    if recorder is None:  # the last one, of which a run keeps no copy
        game = run.replayable(f"model({kind!r})")
        recorder = game.record(("last",), run.length)
    assert recorder is not None
    found: Any = None
    why_not = ""
    if kind == "last":
        about, player = "the last panel", recorder.player
        panel: Any = player
        panel = panel.frozen()
        why_not = NOT_BY_AVERAGE.format(about)
    elif kind == "random":
        assert recorder.random is not None
        position, panel = recorder.random
        about = f"one panel drawn at random: that after round {position:,}"
        found = certificate_of(run, delta)
    else:
        snapshot, found = validated(recorder, run.rounds, delta)
        panel, about = snapshot.weights, found.about
    panel.grow(run.weights.size)
    return PanelModel(
        panel=panel,
        kind=kind,
        about=about,
        names=run.names,
        classes=run.classes,
        certificate=found,
        why_not=why_not,
    )
