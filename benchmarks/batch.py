"""The figures of online to batch: what models and certificates cost, and are worth.

Certificates are simulated on the learning curve of the theory's study: the hypothesis
after t rounds has risk .05 + .45/sqrt(1 + t/10). All snapshots meet the same rows: one
that is better errs on a part of the rows on which a worse one errs, so that the least
bound of eight does not profit from independent luck.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.special import bdtr

import regretless as rg
from regretless import certify
from regretless.evidence.certify.mixtures import bets
from regretless.evidence.snapshots.positions import fractions

from .data import text_like
from .figures import Figure
from .timing import alternate, clock

__all__ = ["figures"]

DELTA = 0.05
RUNS = 2_000
ROUNDS = 10_000
HELD_OUT = 0.2
LOOKS = 2_000  # rounds of the runs that are looked at after every one of them
BLOCK = 100

Floats = np.ndarray[Any, np.dtype[np.float64]]


def figures() -> list[Figure]:
    """Time, tightness, coverage."""
    return [
        Figure(
            name="models",
            what="Perceptron, mean + 8 snapshots + certificates",
            peer="bare run",
            bar=4.0,
            better="no slower",
            measure=_models,
            unit="ms",
        ),
        Figure(
            name="validated",
            what="mean certificate, n = 10^4, validated",
            peer="20% held out, Clopper-Pearson",
            bar=1.05,
            better="no slower",
            measure=_tightness,
            unit="%",
        ),
        *_coverage(),
    ]


def _models() -> tuple[float, float]:
    X, y = text_like()

    def full() -> None:
        run = rg.play(rg.Perceptron(), X, y, models=("mean", "validated"))
        run.model("mean")
        str(run.model("validated").certificate)
        str(run.certificate())

    return alternate(
        lambda: clock(full), lambda: clock(lambda: rg.play(rg.Perceptron(), X, y)), 15
    )


# Tightness.


def curve(t: Any) -> Any:
    """The risk of the hypothesis after t rounds."""
    return 0.05 + 0.45 / np.sqrt(1.0 + np.asarray(t) / 10.0)


def _tightness() -> tuple[float, float]:
    """Mean values of both certificates, each over the same 2,000 streams."""
    rng = np.random.default_rng(1)
    positions = fractions(ROUNDS)
    held_out = int(HELD_OUT * ROUNDS)
    ours, theirs = np.empty(RUNS), np.empty(RUNS)
    for run in range(RUNS):
        coins = rng.random(ROUNDS)
        errors = [(coins[p:] < curve(p)).sum() for p in positions]
        rounds = ROUNDS - np.array(positions)
        bounds = certify.clopper_pearson(rounds, errors, DELTA / len(positions))
        ours[run] = bounds.min()
        wrong = (coins[-held_out:] < curve(ROUNDS - held_out)).sum()
        theirs[run] = certify.clopper_pearson(held_out, wrong, DELTA)
    return float(ours.mean()), float(theirs.mean())


# Coverage.


def _coverage() -> list[Figure]:
    """Misses of each method, at delta = 5%, at n and at any n, the worst of all."""
    valid = ("kl_mixture", "betting", "empirical_bernstein")
    rows = [("hoeffding", "at n")]
    rows += [(name, when) for name in valid for when in ("at n", "at any n")]
    return [
        *(_misses(name, when) for name, when in rows),
        Figure(
            name="misses-clopper-pearson-at-n",
            what="delta, of clopper_pearson on progressive errors at n",
            peer="its misses",
            bar=3.0,
            measure=lambda: (DELTA, _worst()["clopper_pearson", "at n"]),
            unit="%",
        ),
    ]


def _misses(name: str, when: str) -> Figure:
    return Figure(
        name=f"misses-{name.replace('_', '-')}-{when.replace(' ', '-')}",
        what=f"misses of {name} {when}",
        peer="delta",
        bar=1.0,
        better="no slower",
        measure=lambda: (_worst()[name, when], DELTA),
        unit="%",
    )


@cache
def _worst() -> dict[tuple[str, str], float]:
    """The largest share of misses among four kinds of risk, in 2,000 runs each."""
    worst: dict[tuple[str, str], float] = {}
    for kind in ("constant", "decaying", "pushed", "frozen", "quiet"):
        rng = np.random.default_rng(2)
        counts: dict[tuple[str, str], float] = {}
        for _ in range(RUNS // BLOCK):
            losses, risks = _play(kind, rng.random((BLOCK, LOOKS)))
            for name, missed in _methods(losses, risks).items():
                for when, many in (
                    ("at n", missed[:, -1].sum()),
                    ("at any n", missed.any(axis=1).sum()),
                ):
                    before = counts.get((name, when), 0.0)
                    counts[name, when] = before + float(many) / RUNS
        print(f"  {kind}: {_shares(counts)}")
        worst = {key: max(worst.get(key, 0.0), counts[key]) for key in counts}
    return worst


def _shares(counts: dict[tuple[str, str], float]) -> str:
    return ", ".join(f"{name} {when} {v:.2%}" for (name, when), v in counts.items())


def _play(kind: str, coins: Floats) -> tuple[Floats, Floats]:
    """Losses and risks; an adversary sees the losses so far.

    "pushed" raises the risk when they are low; "quiet" stops erring once the
    Clopper-Pearson bound is too low.
    """
    runs, n = coins.shape
    t = np.arange(n)
    fixed: dict[str, Any] = {
        "constant": np.full(n, 0.1),
        "decaying": curve(t),
        "frozen": curve(np.minimum(t, n // 4)),
    }
    if kind in fixed:
        risks = np.tile(fixed[kind], (runs, 1))
        return (coins < risks).astype(float), risks
    losses, risks = np.zeros((runs, n)), np.zeros((runs, n))
    total, expected = np.zeros(runs), np.zeros(runs)
    for i in range(n):
        if kind == "pushed":
            risk = np.where(total < expected, 0.3, 0.03)
        else:
            risk = np.where(bdtr(total, n, expected / n) < DELTA, 0.0, 0.1)
        risks[:, i] = risk
        losses[:, i] = coins[:, i] < risk
        total, expected = total + losses[:, i], expected + risk
    return losses, risks


def _methods(losses: Floats, risks: Floats) -> dict[str, Any]:
    """Where each method's bound is below the true mean risk so far."""
    t = np.arange(1, losses.shape[1] + 1)
    total, mean = np.cumsum(losses, axis=1), np.cumsum(risks, axis=1) / t
    guess = (0.5 + total - losses) / t

    def kl(theta: float) -> Floats:
        lost = total * np.log1p(-theta) if theta < 1.0 else np.log(total == 0)
        return lost - t * np.log1p(-theta * mean)

    def betting(theta: float) -> Floats:
        gains = theta * (risks - guess) + np.log1p(theta * (guess - losses))
        return np.cumsum(gains, axis=1)

    def bernstein(theta: float) -> Floats:
        if theta == 1.0:
            return np.full(losses.shape, -np.inf)
        psi = -np.log1p(-theta) - theta
        gains = theta * (risks - losses) - psi * (losses - guess) ** 2
        return np.cumsum(gains, axis=1)

    return {
        "kl_mixture": _refuted(kl),
        "betting": _refuted(betting),
        "empirical_bernstein": _refuted(bernstein),
        "hoeffding": mean > total / t + np.sqrt(np.log(1 / DELTA) / (2 * t)),
        "clopper_pearson": bdtr(total, t, mean) < DELTA,
    }


def _refuted(process: Callable[[float], Floats]) -> Any:
    """Where the mixture of the processes of all bets exceeds 1/delta."""
    wealth: Any = 0.0
    with np.errstate(divide="ignore"):
        for theta, log_weight in zip(*bets(LOOKS, DELTA), strict=True):
            wealth = wealth + np.exp(np.minimum(log_weight + process(theta), 600.0))
    return wealth > 1.0 / DELTA
