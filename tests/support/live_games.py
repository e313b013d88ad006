"""One game a kind of learner, to be played one event at a time: the list for threads.

A learner that the package exports and that has ``learn_one`` has an entry here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import regretless as rg
from learners import CASES, FORESEEN_CASES

WORDS = [f"w{k}" for k in range(12)]


class LiveGame(NamedTuple):
    """A learner at its start, and how its event number `i` is taught and asked."""

    make: Callable[[], Any]
    teach: Callable[[Any, int], None]
    ask: Callable[[Any], Any]


def event(i: int) -> dict[str, float]:
    """Two features that every event has, and one that few have."""
    return {"a": 0.5, "b": (i % 5) / 4.0, WORDS[i % 12]: 1.0}


def of_rows(learner: Any) -> LiveGame:
    """A learner of two classes, of numbers, or of three classes."""
    if getattr(learner, "fixed", False) and learner.n_features is None:
        learner = replace(learner, n_features=16)
    many = learner.task == "classes"

    def teach(learner: Any, i: int) -> None:
        learner.learn_one(event(i), "xyz"[i % 3] if many else i % 2)

    return LiveGame(
        lambda: replace(learner), teach, lambda learner: learner.predict_one(event(1))
    )


def of_experts(learner: Any) -> LiveGame:
    """Three experts that vote, or that predict; the first is always right."""

    def teach(learner: Any, i: int) -> None:
        learner.learn_one({"right": i % 2, "no": 0, "yes": 1}, i % 2)

    x = {"right": 1, "no": 0, "yes": 1}
    return LiveGame(
        lambda: replace(learner), teach, lambda learner: learner.predict_one(x)
    )


def of_numbers() -> LiveGame:
    """The mean game."""
    return LiveGame(
        rg.FollowTheLeader,
        lambda learner, i: learner.learn_one(i % 2),
        lambda learner: learner.predict_one(),
    )


def games() -> dict[str, LiveGame]:
    """All of them, by the name of the learner."""
    linear = {type(case.learner): case.learner for case in CASES + FORESEEN_CASES}
    rows = [
        *linear.values(),
        rg.Panel(),
        rg.RegressionPanel(),
        rg.KernelPerceptron(budget=50),
        rg.MulticlassPerceptron(),
        rg.OneVersusRest(rg.Perceptron()),
        rg.OneVersusRest(rg.Panel()),
    ]
    experts = [
        rg.Halving(),
        rg.WeightedMajority(),
        rg.RandomizedWeightedMajority(),
        rg.Hedge(0.5),
        rg.FixedShare(0.5, 0.01),
        rg.AdaHedge(),
        rg.Squint(),
        rg.MLPoly(),
        rg.BOA(),
        rg.SafeBOA(),
        rg.ConservativeWeightedMajority(),
    ]
    return {
        **{repr(learner): of_rows(learner) for learner in rows},
        **{type(learner).__name__: of_experts(learner) for learner in experts},
        "FollowTheLeader": of_numbers(),
    }
