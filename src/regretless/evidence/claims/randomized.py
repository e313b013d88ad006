"""What the online losses certify: the hypothesis drawn at random, at any time."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...parts.state import Floats
from ..certify import Certificate, betting, kl_mixture
from ..certify.checks import checked_delta
from ..played_run import PlayedRun

GUESS = 1e5  # n_opt where no length is declared
RANDOMIZED = (
    "the randomized hypothesis (one of those that predicted, drawn uniformly; on "
    "average over the draw, not the one that was drawn)"
)
ANYTIME = "to be read at any time"
UNWEIGHTED = ", every row counted once whatever its importance weight"
PRESET = "this run's preset length"
NOT_BY_AVERAGE = (
    "The error of {} is not certified: the online average speaks about the hypotheses "
    'that predicted, one at a time. Ask for model("validated") instead, or for '
    "run.certificate() of the randomized hypothesis."
)

SEEN = (
    "The error of {} is not certified: the hypotheses that predicted divided each row "
    "by scales that it had a part in, and this model by the scales of one moment. Ask "
    'for model("validated") instead, or for run.certificate() of the randomized '
    "hypothesis."
)


def certificate_of(
    run: PlayedRun, delta: float = 0.05, *, runs: int = 1, among: object = None
) -> Certificate:
    """The anytime certificate of a run's randomized hypothesis, for the 0-1 loss.

    `runs` is the number of runs that are certified together: each gets delta/runs.
    `among` is a label: the error is then that of rows of this class. Given the labels,
    the rows of one class are independent draws, and the same bound holds of them.
    """
    if runs < 1:
        raise ValueError(f"runs={runs!r} must be at least 1")
    rounds, errors = run.rounds, run.mistakes
    if run.said is not None:  # labels came late
        rounds, errors = run.said.rows, run.said.errors
    about = RANDOMIZED
    if among is not None and errors is not None:
        rounds, errors = _of_class(run, among)
        about = f"{RANDOMIZED}, among rows labeled {among},"
    # A row that the learner refused is one that it did not get right.
    return anytime_certificate(
        rounds + run.refused,
        None if errors is None else errors + run.refused,
        checked_delta(delta) / runs,
        length=run.length,
        about=about,
        weighted=run.weighted,
    )


def anytime_certificate(
    rounds: int,
    errors: int | None,
    delta: float,
    *,
    length: int | None,
    about: str = RANDOMIZED,
    weighted: bool = False,
) -> Certificate:
    """The anytime certificate of hypotheses that made so many errors, one a round.

    `length` is the number of rounds that was declared, for which it is tuned.
    """
    if errors is None:
        raise ValueError(
            "this run makes no yes-or-no predictions, so there is no error to certify"
        )
    n_opt = float(GUESS if length is None else length)
    return Certificate(
        value=kl_mixture(rounds, errors, delta, n_opt),
        delta=delta,
        method="kl_mixture",
        about=about,
        n=rounds,
        total=float(errors),
        scope=ANYTIME + UNWEIGHTED * weighted,
        n_opt=n_opt,
    )


def _of_class(run: Any, label: object) -> tuple[int, int]:
    """The rows of one class, and the mistakes that were made on them."""
    classes = (-1, 1) if run.classes is None else run.classes
    if label not in classes:
        known = ", ".join(map(str, classes[:5])) + ", ..." * (len(classes) > 5)
        raise ValueError(f"among={label!r}: no row has this label; there are {known}")
    number = classes.index(label)
    rows, wrong = (int(count) for count in run.metrics.by_class()[number])
    if run.ledger.false_positives is not None:  # a tie is right for neither class
        wrong = (run.ledger.false_positives, run.ledger.false_negatives)[number]
    return rows, wrong


def vote_of(certificate: Certificate, *, exact: bool) -> Certificate:
    """A majority vote errs at most twice as often as the randomized hypothesis."""
    sampled = "" if exact else " (on average over the sampling of the voters)"
    return replace(
        certificate,
        value=min(1.0, 2.0 * certificate.value),
        method="twice kl_mixture of the randomized hypothesis, which was measured",
        about=f"the majority vote{sampled}",
        factor=2.0,
    )


def loss_certificate(
    losses: Floats,
    scale: float,
    delta: float,
    length: int | None,
    about: str,
    loss: str,
    *,
    spent: float | None = None,
) -> Certificate:
    """The anytime certificate of a mean, by convexity, for a loss in [0, scale]."""
    if not 0.0 < scale < math.inf:
        raise ValueError(f"the range of the loss must be positive, not {scale!r}")
    n_opt = float(length if length is not None else GUESS)
    scaled = losses / scale
    # Weights on the border of their domain may lie outside it by rounding.
    scaled = np.where(scaled <= 1.0 + 1e-9, np.minimum(scaled, 1.0), scaled)
    return Certificate(
        value=scale * betting(scaled, delta if spent is None else spent, n_opt),
        delta=delta,
        method="betting",
        about=about,
        n=losses.size,
        total=float(scaled.sum()),
        scope=ANYTIME,
        loss=loss,
        scale=scale,
        spent=spent,
        n_opt=n_opt,
    )
