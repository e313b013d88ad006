"""Dynamic validation: freeze hypotheses on the way, judge each by what came after it.

A frozen hypothesis meets only fresh rows, so its errors there are those of a fixed
classifier on iid data. The one with the least upper bound is taken, and the
multiplicity is paid for: every bound holds at once.
"""

from __future__ import annotations

from dataclasses import replace

from ..certify import Certificate, clopper_pearson, kl_mixture
from ..played_run import PlayedRun
from ..snapshots import Recorder, Snapshot
from .randomized import PRESET, UNWEIGHTED

SHORTEST = 512.0  # rounds that an anytime bound is tuned for, at least
OCTAVE = 3  # positions of the grid in which it doubles, or more than that


def validated(
    run: PlayedRun, recorder: Recorder, delta: float
) -> tuple[Snapshot, Certificate]:
    """The snapshot with the least bound, and its certificate.

    At the end of the data, which nothing that was learned has chosen: Clopper-Pearson
    at delta/K for the K snapshots up to .9 of the rows. Otherwise the same snapshot
    (all bounds hold at once, so any may be taken) with its anytime bound, at shares of
    delta that are fixed in advance and sum to it at most.
    """
    judged = _judged(run, recorder)
    if not judged:
        raise ValueError(
            f"{run.rounds:,} {'rounds are' if run.rounds != 1 else 'round is'} too "
            "few: no hypothesis was frozen that has met rows since"
        )
    share = delta / len(judged)
    bounds = [clopper_pearson(one.rounds, one.errors, share) for one in judged]
    bound, best = min(zip(bounds, judged, strict=True), key=lambda one: one[0])
    if not run.ended:
        each = 1 if recorder.halves is None else 2
        octave = (best.number - 1) // OCTAVE + 1
        share = delta / (octave * (octave + 1) * OCTAVE * each)
        tuned = max(float(best.position), SHORTEST)
        bound = kl_mixture(best.rounds, best.errors, share, tuned)
    how = "Clopper-Pearson" if run.ended else "kl_mixture"
    return best, Certificate(
        value=bound,
        delta=delta,
        method=f"{how} at {share:.3g}, for {len(judged)} frozen hypotheses",
        about=_about(best),
        n=best.rounds,
        total=float(best.errors),
        scope=(PRESET if run.ended else "at any stopping time")
        + UNWEIGHTED * run.weighted,
        spent=share,
        learned=best.position,
        rows=run.rounds,
    )


def stopped(
    run: PlayedRun, recorder: Recorder, delta: float
) -> tuple[Snapshot, Certificate]:
    """The same, beside a model that has learned the other rows as well."""
    snapshot, found = validated(run, recorder, delta)
    share = snapshot.position / run.rounds
    about = f"this learner stopped after {share:.0%} of the rows"
    return snapshot, replace(found, about=about, refit=True)


def _judged(run: PlayedRun, recorder: Recorder) -> list[Snapshot]:
    """Those that count: which ones they are depends on the number of rows alone."""
    held = recorder.snapshots.held
    return [one for one in held if one.rounds and 10 * one.position <= 9 * run.rounds]


def _about(snapshot: Snapshot) -> str:
    if snapshot.start is None:
        return f"this classifier (frozen after round {snapshot.position:,})"
    return (
        "this classifier (the mean of the hypotheses of rounds "
        f"{snapshot.start + 1:,} to {snapshot.position:,})"
    )
