"""``python -m benchmarks.attack [--games N] [--seed S]``: theorems under attack.

Every game takes a learner and breaks something on purpose: a part, a loss, a declared
constant, a horizon, the range of the entries, the comparator, the start, the weights of
rows, or experts who sleep; rows come in scales from 1e-3 to 1e3. The attack knows which
theorems that makes false. Two things are counted: theorems that claim to apply although
they were broken ("false applies"), and theorems that apply and are exceeded
("violations"). Both must be 0. Games are small, and all of one kind share a compiled
loop.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import regretless as rg
from regretless.evidence.theorems import TheoremViolated

from .own_losses import Hollow, LogCosh, Wave

__all__ = ["KINDS", "attack", "main"]

Dice = np.random.Generator
ALL = ""  # the prefix of every theorem's name
SLACK = 1e-9


class Attacked(NamedTuple):
    """A run, the comparator it is judged by, and the prefixes of what was broken."""

    run: Any
    u: Any
    broken: tuple[str, ...]


def made_with(learner: Any, **parts: Any) -> Any:
    """The same learner with other parts, as a class of one's own would have them."""
    kind = type(learner)

    @dataclasses.dataclass(repr=False)
    class Changed(kind):
        def composition(self, n_weights: int) -> Any:
            return super().composition(n_weights)._replace(**parts)

    given = (one.name for one in dataclasses.fields(kind) if one.init)
    fields = {name: getattr(learner, name) for name in given}
    return Changed(**fields)


def rows(dice: Dice, low: float = -1.0, high: float = 1.0) -> tuple[Any, Any, Any]:
    """Rows in some scale, labels of some plane (perhaps noisy), and that plane."""
    n, d = int(dice.integers(2, 25)), int(dice.integers(1, 5))
    X = dice.uniform(low, high, size=(n, d))
    if dice.random() < 0.3:
        X = np.where(dice.random(X.shape) < 0.5, low, high)
    plane = dice.normal(size=d)
    y = np.where(X @ plane > 0, 1.0, -1.0)
    if dice.random() < 0.5:
        y[dice.random(n) < 0.3] *= -1.0
    return X, y, plane


def scale(dice: Dice) -> float:
    """Units."""
    return float(10.0 ** dice.integers(-3, 4))


def comparator(dice: Dice, plane: Any) -> Any:
    """The plane, or any other vector, of any length."""
    u = plane if dice.random() < 0.5 else dice.normal(size=plane.size)
    return u * 10.0 ** dice.uniform(-2, 2)


def other_game(dice: Dice, found: Attacked) -> Attacked:
    """Now and then: as if rows had weights, or the start had been another."""
    if dice.random() < 0.9:
        return found
    flag = {"weighted": True} if dice.random() < 0.5 else {"warm": True}
    return Attacked(dataclasses.replace(found.run, **flag), found.u, (ALL,))


# Kinds of attack: each plays one game.


def perceptron(dice: Dice) -> Attacked:
    """Any constant step is right; any other part is wrong."""
    X, y, plane = rows(dice)
    X = X * scale(dice)
    wrong: list[dict[str, Any]] = [
        {"trigger": rg.Always()},
        {"trigger": rg.OnMargin(float(dice.uniform(0.1, 2)))},
        {"step": rg.InverseSqrt(float(dice.uniform(0.1, 2)))},
        {"loss": rg.Hinge(float(dice.uniform(0.1, 0.9)))},
        {"domain": rg.Ball(float(dice.uniform(0.1, 2)))},
        {"penalty": rg.L2(float(dice.uniform(0.01, 1)))},
    ]
    if dice.random() < 0.4:
        eta = float(10.0 ** dice.uniform(-3, 3))
        parts, broken = {"step": rg.Constant(eta)}, ()
    else:
        parts, broken = wrong[dice.integers(len(wrong))], (ALL,)
    run = rg.play(made_with(rg.Perceptron(), **parts), X, y)
    return Attacked(run, comparator(dice, plane), broken)


def pnorm(dice: Dice) -> Attacked:
    """Any p; now and then on every round."""
    X, y, plane = rows(dice)
    learner: Any = rg.PNormPerceptron(float(dice.uniform(2, 8)))
    broken: tuple[str, ...] = ()
    if dice.random() < 0.3:
        learner, broken = made_with(learner, trigger=rg.Always()), (ALL,)
    return Attacked(
        rg.play(learner, X * scale(dice), y), comparator(dice, plane), broken
    )


def winnow(dice: Dice) -> Attacked:
    """Thresholds, steps and entries that the theorems do not allow."""
    high = 1.0 if dice.random() < 0.7 else 3.0
    X, y, plane = rows(dice, 0.0, high)
    eta = float(dice.uniform(0.05, 0.9))
    threshold = 0.5 if dice.random() < 0.7 else float(dice.uniform(0.6, 2))
    run = rg.play(rg.Winnow(eta, threshold, domain="allow"), X, y)
    broken: tuple[str, ...] = ()
    if threshold != 0.5:
        broken = (ALL,)
    elif X.max() > 1.0:
        broken = ("winnow/pot", "winnow/agn", "winnow/dis", "winnow/lec", "winnow/err")
    elif eta >= 0.5:
        broken = ("winnow/agn", "winnow/dis", "winnow/lec", "winnow/err")
    if threshold == 0.5 and 2.0 * eta * X.max() > 1.0 + SLACK:
        broken += ("winnow/regret",) if run.ledger.max_gradient * eta > 1.001 else ()
    u = np.abs(comparator(dice, plane))
    if dice.random() < 0.3:
        u = (dice.random(u.size) < 0.5).astype(float)
    if dice.random() < 0.2:
        u[0], broken = -1.0, (ALL,)
    return Attacked(run, u, broken)


def unnormalized(dice: Dice) -> Attacked:
    """Steps that are too large for the gradients."""
    X, y, plane = rows(dice)
    X = X * scale(dice)
    eta = float(10.0 ** dice.uniform(-5, 1))
    run = rg.play(rg.UnnormalizedEG(rg.Logistic(), rg.Constant(eta)), X, y)
    u = np.abs(comparator(dice, plane))
    return Attacked(run, u, ())


def panel(dice: Dice, signed: bool) -> Attacked:
    """Margins that are declared too large, entries out of the box, negative u."""
    top = 1.0 if dice.random() < 0.7 else 2.0
    X, y, plane = rows(dice, -top, top)
    if not signed:
        plane = np.abs(plane)
    if dice.random() < 0.7:
        y = np.where(X @ plane > 0, 1.0, -1.0)
    reached = float((y * (X @ plane)).min() / np.abs(plane).sum())
    declared = float(np.clip(abs(reached) * dice.choice([0.5, 1.0, 1.5]), 1e-3, 0.99))
    kind = rg.BalancedWinnow if signed else rg.NormalizedWinnow
    run = rg.play(kind(math.atanh(declared), domain="allow"), X, y)
    prefix = "balanced-winnow" if signed else "normalized-winnow"
    broken: tuple[str, ...] = ()
    if reached <= 0.0 or (not signed and (plane < 0).any()):
        broken = (ALL,)
    elif np.abs(X).max() > 1.0:
        broken = tuple(
            f"{prefix}/{name}" for name in ("data", "step", "tuned", "panel")
        )
    elif declared > reached * 1.001:
        broken = (f"{prefix}/tuned", f"{prefix}/panel")
    return Attacked(run, plane * float(10.0 ** dice.uniform(-2, 2)), broken)


def descent(dice: Dice) -> Attacked:
    """Constants and horizons that are false, and u outside of the ball."""
    X, y, plane = rows(dice)
    X = X * scale(dice)
    longest = float(np.linalg.norm(X, axis=1).max())
    share = float(dice.choice([0.5, 0.9, 1.0, 2.0]))
    horizon = len(X) if dice.random() < 0.7 else len(X) + int(dice.integers(1, 9))
    radius = float(10.0 ** dice.uniform(-1, 1))
    fixed = dice.random() < 0.5
    learner = rg.OGD(
        step="theorem",
        radius=radius,
        max_norm=share * longest,
        horizon=horizon if fixed else None,
    )
    run = rg.play(learner, X, y)
    broken: tuple[str, ...] = ("ogd/anytime", "ogd/square", "ogd/adaptive", "strongly")
    if not fixed:
        broken = ("ogd/data", "ogd/final", "ogd/lecture", "ogd/square", "ogd/adaptive")
        if run.ledger.max_gradient > share * longest * 1.001:
            broken += ("ogd/anytime/",)
    elif horizon != len(X) or share < 1.0:
        broken += ("ogd/lecture",)
    u = comparator(dice, plane)
    if dice.random() < 0.8:
        u = u * min(1.0, radius / float(np.linalg.norm(u)))
    elif np.linalg.norm(u) > radius * 1.001:
        broken = (ALL,)
    return Attacked(run, u, broken)


def squares(dice: Dice) -> Attacked:
    """The square loss with false bounds on rows or labels."""
    X, _, plane = rows(dice)
    X = X * float(10.0 ** dice.integers(-1, 2))
    y = X @ plane + 0.1 * dice.normal(size=len(X))
    longest = float(np.linalg.norm(X, axis=1).max())
    share = float(dice.choice([0.5, 1.0, 2.0]))
    radius = float(dice.uniform(0.5, 4))
    learner = rg.OGD(
        loss=rg.Squared(), step="theorem", radius=radius, max_norm=share * longest
    )
    run = rg.play(learner, X, y)
    reach = radius * share * longest
    false = share < 1.0 or np.abs(y).max() > reach * 1.001
    u = plane * min(1.0, radius / float(np.linalg.norm(plane)))
    return Attacked(run, u, ("ogd/square",) if false else ())


def pegasos(dice: Dice) -> Attacked:
    """Steps for more curvature than there is."""
    X, y, plane = rows(dice)
    sigma = float(10.0 ** dice.uniform(-3, 1))
    claimed = sigma * float(dice.choice([0.5, 1.0, 2.0]))
    learner = made_with(rg.Pegasos(sigma), step=rg.InverseTime(claimed))
    run = rg.play(learner, X * scale(dice), y)
    return Attacked(run, comparator(dice, plane), (ALL,) if claimed > sigma else ())


def exponentiated(dice: Dice, signed: bool) -> Attacked:
    """False largest entries and horizons, and u that is not on the simplex."""
    X, y, plane = rows(dice)
    X = X * scale(dice)
    largest = float(np.abs(X).max())
    share = float(dice.choice([0.5, 1.0, 2.0]))
    horizon = len(X) if dice.random() < 0.7 else len(X) + 3
    radius = float(10.0 ** dice.uniform(-1, 1))
    learner = rg.EG(
        step="theorem",
        radius=radius,
        signed=signed,
        max_entry=share * largest,
        horizon=horizon,
    )
    run = rg.play(learner, X, y)
    u = plane if signed else np.abs(plane)
    u = u * radius / np.abs(u).sum()
    broken: tuple[str, ...] = ()
    if share < 1.0 or horizon != len(X):
        broken = ("eg/lecture",)
    if dice.random() < 0.2:
        u, broken = 2.0 * u, (ALL,)
    return Attacked(run, u, broken)


def adaptive(dice: Dice) -> Attacked:
    """AdaGrad, FTRL-Proximal and coins, in all units."""
    X, y, plane = rows(dice)
    X = X * scale(dice)
    u = comparator(dice, plane)
    which = int(dice.integers(3))
    if which == 0:
        eta = float(10.0 ** dice.uniform(-2, 2))
        learner: Any = rg.AdaGrad(eta=eta, radius=1.0)
        broken = () if math.isclose(eta, math.sqrt(2.0)) else ("adagrad/box",)
        u = np.clip(u, -1.0, 1.0)
    elif which == 1:
        learner = rg.FTRLProximal(
            float(dice.uniform(0.1, 3)), 1.0, float(dice.uniform(0, 1)), 0.1
        )
        broken = ("ftrl-proximal/box",)
    else:
        longest = float(np.linalg.norm(X, axis=1).max())
        allowed = longest * float(dice.choice([0.5, 1.0, 3.0]))
        learner = rg.CoinBetting(rg.Hinge(), max_norm=allowed)
        run = rg.play(learner, X, y)
        false = run.ledger.max_gradient > allowed * 1.001
        return Attacked(run, u, (ALL,) if false else ())
    return Attacked(rg.play(learner, X, y), u, broken)


def aggressive(dice: Dice) -> Attacked:
    """PA and PA-I; with a penalty it is neither."""
    X, y, plane = rows(dice)
    limit = None if dice.random() < 0.5 else float(10.0 ** dice.uniform(-2, 2))
    learner: Any = rg.PassiveAggressive(limit)
    broken = ("passive-aggressive/" + ("one" if limit is None else "sep"),)
    return Attacked(
        rg.play(learner, X * scale(dice), y), comparator(dice, plane), broken
    )


def own_losses(dice: Dice) -> Attacked:
    """Losses that are convex, that are not, and that say so falsely.

    What says so falsely is played with its proof: a step that fails ends the game.
    """
    X, _, plane = rows(dice)
    X = X * float(10.0 ** dice.integers(-1, 2))
    y = X @ plane + dice.normal(size=len(X))
    width = float(10.0 ** dice.uniform(-1, 1))
    loss = (LogCosh(width), Wave(width), Hollow(width))[dice.integers(3)]
    steps = (rg.Constant(float(10.0 ** dice.uniform(-2, 0))), rg.Adaptive(1.0))
    radius = None if dice.random() < 0.3 else float(10.0 ** dice.uniform(-1, 1))
    learners = (
        rg.OGD(loss=loss, step=steps[0]),
        rg.OGD(loss=loss, step=steps[1], radius=radius or 1.0),
        rg.AdaGrad(loss=loss, radius=radius),
        rg.CoinBetting(loss, max_norm=float(np.abs(X).sum())),
    )
    u = comparator(dice, plane)
    if radius:
        u = u * min(1.0, radius / float(np.abs(u).sum()))
    learner = learners[dice.integers(2 if isinstance(loss, Hollow) else 4)]
    proof: dict[str, Any] = {"check": True, "u": u} if isinstance(loss, Hollow) else {}
    found = rg.play(learner, X, y, **proof)
    return Attacked(found, u, (ALL,) if isinstance(loss, Wave) else ())


def voters(dice: Dice) -> Attacked:
    """Majorities, some of whose experts sleep."""
    n, k = int(dice.integers(2, 25)), int(dice.integers(2, 6))
    votes = dice.integers(0, 2, size=(n, k)).astype(float)
    y = dice.integers(0, 2, size=n)
    sleepy = dice.random() < 0.4
    if sleepy:
        asleep = dice.random(votes.shape) < 0.2
        asleep[:, 0] = False
        votes[asleep] = math.nan
    sleepy = bool(np.isnan(votes).any())
    beta = float(dice.uniform(0.05, 0.95))
    kinds = (
        rg.WeightedMajority,
        rg.RandomizedWeightedMajority,
        rg.ConservativeWeightedMajority,
    )
    run = rg.play(kinds[dice.integers(3)](beta), votes, y)
    return Attacked(run, int(dice.integers(k)), ("conservative",) if sleepy else ())


def experts(dice: Dice) -> Attacked:
    """Rates, horizons and losses that are not what was declared; sleepers."""
    n, k = int(dice.integers(2, 25)), int(dice.integers(2, 6))
    losses = dice.random((n, k))
    unit = dice.random() < 0.6
    if not unit:
        losses = (losses - 0.5) * scale(dice) * 3.0
    unit = bool(losses.min() >= 0.0 and losses.max() <= 1.0)
    if dice.random() < 0.3:
        asleep = dice.random(losses.shape) < 0.2
        asleep[:, 0] = False
        losses[asleep] = math.nan
    sleepy = bool(np.isnan(losses).any())
    horizon = n if dice.random() < 0.5 else n + 5
    learners: list[tuple[Any, tuple[str, ...]]] = [
        (rg.Hedge(float(dice.uniform(0.05, 3))), ("hedge/anytime",)),
        (rg.Hedge(horizon=horizon), ("hedge/anytime",)),
        (rg.Hedge(), ("hedge/data", "hedge/rate", "hedge/horizon")),
        (rg.AdaHedge(), ()),
        (rg.FixedShare(float(dice.uniform(0.05, 2)), 0.1), ()),
        (rg.Squint(), ()),
        (rg.BOA(), ()),
        (rg.MLPoly(), ()),
    ]
    learner, broken = learners[dice.integers(len(learners))]
    if not unit:
        broken += ("hedge/rate", "hedge/hor", "hedge/any", "squint", "fixed-share")
    if sleepy:
        broken += ("fixed-share",)
    if horizon != n:
        broken += ("hedge/horizon",) if learner.__dict__.get("horizon") else ()
    return Attacked(rg.play(learner, losses=losses), int(dice.integers(k)), broken)


def numbers(dice: Dice) -> Attacked:
    """The mean game, against any number."""
    low = float(dice.normal()) * scale(dice)
    width = scale(dice)
    y = low + width * dice.random(int(dice.integers(2, 40)))
    run = rg.play(rg.FollowTheLeader(low, low + width), y=y)
    mean = float(np.mean(y))
    u = low + width * float(dice.random())
    far = abs(u - mean) > 1e-6 * max(1.0, abs(mean))
    return Attacked(run, u, ("mean/identity",) if far else ())


KINDS: dict[str, Callable[[Dice], Attacked]] = {
    "perceptron": perceptron,
    "p-norm": pnorm,
    "winnow": winnow,
    "unnormalized": unnormalized,
    "normalized winnow": lambda dice: panel(dice, False),
    "balanced winnow": lambda dice: panel(dice, True),
    "gradient descent": descent,
    "squares": squares,
    "pegasos": pegasos,
    "EG": lambda dice: exponentiated(dice, False),
    "signed EG": lambda dice: exponentiated(dice, True),
    "adaptive": adaptive,
    "aggressive": aggressive,
    "own losses": own_losses,
    "voters": voters,
    "experts": experts,
    "numbers": numbers,
}


class Outcome(NamedTuple):
    """What one game came to."""

    kind: str
    applied: int
    refused: int
    false: tuple[str, ...]
    violated: tuple[str, ...]


def attack(games: int, seed: int = 0) -> Iterator[Outcome]:
    """Play so many games, each of its own seed."""
    names = list(KINDS)
    for number in range(games):
        name = names[number % len(names)]
        dice = np.random.default_rng([seed, number])
        try:
            found = other_game(dice, KINDS[name](dice))
        except (rg.BadRow, TheoremViolated):
            # Weights that overflow, or a step of a proof that fails, end a game.
            yield Outcome(name, 0, 0, (), ())
            continue
        yield judged(name, found)


def judged(kind: str, found: Attacked) -> Outcome:
    """Which theorems apply, and which should not have."""
    try:
        other = getattr(found.run, "weighted", False) or getattr(
            found.run, "warm", False
        )
        theorems = found.run.theorems(u=None if other else found.u)
    except TheoremViolated as error:
        return Outcome(kind, 0, 0, (), (str(error),))
    applying = [one.theorem.name for one in theorems.applying]
    false = tuple(
        name for name in applying if any(_hit(name, one) for one in found.broken)
    )
    exceeded = tuple(
        one.theorem.name
        for one in theorems.applying
        if one.happened is not None
        and one.value is not None
        and one.happened
        > one.value + SLACK * max(1.0, abs(one.value), abs(found.run.ledger.loss))
    )
    return Outcome(
        kind, len(applying), len(theorems.verdicts) - len(applying), false, exceeded
    )


def _hit(name: str, prefix: str) -> bool:
    """Whether a theorem is meant; a prefix that ends in / is a whole name."""
    return name == prefix[:-1] if prefix.endswith("/") else name.startswith(prefix)


def main() -> int:
    """Attack, and say what came of it; 1 where anything did."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)  # sums may overflow on purpose
    began = time.process_time()
    games, applied, refused, failed = Counter[str](), Counter[str](), 0, 0
    for number, one in enumerate(attack(arguments.games, arguments.seed)):
        games[one.kind] += 1
        applied[one.kind] += one.applied
        refused += one.refused
        for what, names in (("false applies", one.false), ("violated", one.violated)):
            if names:
                failed += 1
                print(f"game {number} ({one.kind}): {what}: {', '.join(names)}")
    seconds = time.process_time() - began
    for kind, count in games.items():
        print(f"{kind:<18} {count:>7,} games, {applied[kind]:>9,} theorems applied")
    print(
        f"{sum(games.values()):,} games, seed {arguments.seed}: {applied.total():,} "
        f"theorems applied, {refused:,} refused, {failed:,} false applies or "
        f"violations, in {seconds:.0f} s of CPU"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
