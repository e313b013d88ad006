"""One game a kind of learner, to be played one event at a time: the list for threads.

A learner that the package exports and that has ``learn_one`` has an entry here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

import regretless as rg
from learners import CASES, FORESEEN_CASES

WORDS = [f"w{k}" for k in range(12)]


class LiveGame(NamedTuple):
    """A learner at its start, and how its event number `i` is taught and asked.

    `stream` teaches what comes in a long life: one label alone at first, new names, new
    classes, weights, texts. `wonder` asks about such an event, and `refused` gives a
    list of events, some with new names, none of which can be learned once it has
    learned `before` others.
    """

    make: Callable[[], Any]
    teach: Callable[[Any, int], None]
    ask: Callable[[Any], Any]
    stream: Callable[[Any, int], None]
    wonder: Callable[[Any, int], Any]
    refused: Callable[[int], list[tuple[Any, ...]]]
    before: int = 0


def event(i: int) -> dict[str, float]:
    """Two features that every event has, and one that few have."""
    return {"a": 0.5, "b": (i % 5) / 4.0, WORDS[i % 12]: 1.0}


def long_event(i: int) -> Any:
    """An event of a long life: many have a name that is new."""
    if i % 23 == 22:
        return f"some words of number {i % 46}"
    names = [f"n{(i * i) % 37}"] if i % 3 else [f"m{k}" for k in range(i % 8)]
    return event(i) | dict.fromkeys(names, 0.5 - i % 2)


def of_rows(learner: Any) -> LiveGame:
    """A learner of two classes, of numbers, or of three classes."""
    if getattr(learner, "fixed", False) and learner.n_features is None:
        learner = replace(learner, n_features=16)
    return _of_rows(lambda: replace(learner), learner)


def of_covered(learner: Any) -> LiveGame:
    """The same with prediction sets."""
    return _of_rows(lambda: rg.intervals(replace(learner)), learner)


def _of_rows(make: Callable[[], Any], learner: Any) -> LiveGame:
    many, amounts = learner.task == "classes", learner.task == "real"
    declared = learner.n_features is not None

    def teach(learner: Any, i: int) -> None:
        learner.learn_one(event(i), "xyz"[i % 3] if many else i % 2)

    def row(i: int) -> Any:
        return event(i) if declared else long_event(i)

    def stream(learner: Any, i: int) -> None:
        y: Any = ("ham", "spam")[i > 4 and i % 2]
        if many:
            y = f"class {(i * i) % min(9, 1 + i // 4)}"
        elif amounts:
            y = i % 5 - 1.5
        learner.learn_one(row(i), y, *([2.0] if i % 5 == 4 else []))

    def refused(i: int) -> list[tuple[Any, ...]]:
        good = 1.5 if amounts else "spam"
        new = {"a": 0.5, f"new {i}": 0.1}
        return [
            (new | {"a": math.nan}, good),
            (new, math.nan),
            (new, None),
            (new, good, -1.0),
            (new | {f"new {i}": [["1"]]}, good),
            ([1.0], good),
            *([] if many or amounts else [(new, ["ham"])]),
        ]

    return LiveGame(
        make,
        teach,
        lambda learner: learner.predict_one(event(1)),
        stream,
        lambda learner, i: learner.predict_one(row(i)),
        refused,
    )


def of_experts(learner: Any) -> LiveGame:
    """Three experts that vote, or that predict; the first is always right."""

    def teach(learner: Any, i: int) -> None:
        learner.learn_one({"right": i % 2, "no": 0, "yes": 1}, i % 2)

    def refused(i: int) -> list[tuple[Any, ...]]:
        votes = {"right": i % 2, "no": 0, "yes": 1}
        asleep = dict.fromkeys(votes, math.nan)
        return [(votes, "x"), (votes | {"new": 1}, 1), (asleep, 1), (votes, math.nan)]

    x = {"right": 1, "no": 0, "yes": 1}
    return LiveGame(
        lambda: replace(learner),
        teach,
        lambda learner: learner.predict_one(x),
        teach,
        lambda learner, i: learner.predict_one(x | {"no": i % 2}),
        refused,
        before=1,  # the first event says who the experts are
    )


def of_numbers() -> LiveGame:
    """The mean game."""
    return LiveGame(
        rg.FollowTheLeader,
        lambda learner, i: learner.learn_one(i % 2),
        lambda learner: learner.predict_one(),
        lambda learner, i: learner.learn_one(i % 7 / 7),
        lambda learner, i: learner.predict_one(),
        lambda i: [(math.nan,), (2.0,), ("x",)],
    )


def games() -> dict[str, LiveGame]:
    """All of them, by the name of the learner."""
    linear = {type(case.learner): case.learner for case in CASES + FORESEEN_CASES}
    rows = [
        *linear.values(),
        rg.Panel(),
        rg.RegressionPanel(),
        rg.RegressionPanel(forest=False),
        rg.KernelPerceptron(budget=50),
        rg.FactorizationMachine(3),
        rg.FactorizationMachine(2, rg.Squared(), bias=False),
        rg.OneVersusRest(rg.FactorizationMachine(2)),
        rg.MulticlassPerceptron(),
        rg.OneVersusRest(rg.Perceptron()),
        rg.OneVersusRest(rg.AROW()),
        rg.OneVersusRest(rg.OGD(rg.Logistic())),
        rg.OneVersusRest(rg.Panel()),
        rg.Perceptron(schema=rg.Schema(bits=5)),
        rg.OneVersusRest(rg.Panel(schema=rg.Schema(bits=5))),
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


def covered() -> dict[str, LiveGame]:
    """Those with prediction sets."""
    learners = (rg.RegressionPanel(), rg.Panel(), rg.OneVersusRest(rg.Panel()))
    return {f"intervals({each!r})": of_covered(each) for each in learners}


def state(learner: Any) -> Any:
    """All that the events to come depend on, to compare; but not how long it took."""
    alone = getattr(learner, "learner", None) if hasattr(learner, "sets") else learner
    sets = None
    if alone is not learner:
        assert learner.coverage is not None
        sets = learner.sets.state_dict()
    with alone.live.lock:
        return _plain([alone.live.state_dict(), sets])


def _plain(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: _plain(one) for name, one in tree.items() if name != "seconds"}
    if isinstance(tree, list | tuple):
        return [_plain(one) for one in tree]
    if isinstance(tree, np.ndarray):
        return tree.dtype, tree.shape, tree.tobytes()
    return tree
