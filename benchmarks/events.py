"""Events one at a time against River, and text against scikit-learn's hashing.

The figures of panels stand beside linear models of River, and beside what they may take
at most: a panel is many learners, and its price is known.
"""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import regretless as rg

from .data import Event, bags_of_words, fixed_schema
from .figures import Figure
from .timing import alternate

__all__ = ["figures"]

EVENTS = {10: 10_000, 100: 3000}
REPEATS = 20
KINDS = {
    "fixed schema": fixed_schema,
    "bag out of 47,000 words": bags_of_words,
    "little bag out of 1,000 words": partial(bags_of_words, known=1000),
}
BARS = {(10, "fixed schema"): 3.5, (100, "fixed schema"): 5.0}
BAR = 4.0
DOCUMENTS = 5000
NAMES = 1_000_000
MEGA = 1e6


def figures() -> list[Figure]:
    """All of them: two widths, two kinds of names, two peers; and text."""
    peers = {"Perceptron": rg.Perceptron(), "LogisticRegression": rg.OGD(rg.Logistic())}
    return [
        *(
            _one_by_one(width, kind, peer, learner)
            for width in EVENTS
            for kind in KINDS
            for peer, learner in peers.items()
        ),
        *(_adapted(width) for width in EVENTS),
        *amounts(),
        *seven_classes(),
        *new_names(),
        *memory_of_names(),
        text(1),
        text(2),
    ]


def _one_by_one(width: int, kind: str, peer: str, learner: Any) -> Figure:
    make = KINDS[kind]

    def measure() -> tuple[float, float]:
        from river import linear_model

        events = make(EVENTS[width], width)
        theirs = getattr(linear_model, peer)()
        learner.forget()
        times = alternate(
            lambda: _live(learner, events), lambda: _live(theirs, events), REPEATS
        )
        return times[0] / len(events), times[1] / len(events)

    return Figure(
        name=f"{width}-{kind.split(maxsplit=1)[0]}-{peer.lower()}",
        what=f"predict_one + learn_one, {width} features, {kind}",
        peer=f"River {peer}",
        bar=BARS.get((width, kind), BAR),
        measure=measure,
        unit="us",
    )


def _adapted(width: int) -> Figure:
    """What it costs to be a model of River: an adapter beside its learner alone."""

    def measure() -> tuple[float, float]:
        events = fixed_schema(EVENTS[width], width)
        alone, inside = rg.OGD(rg.Logistic()), rg.OGD(rg.Logistic())
        adapter = rg.river.Classifier(inside)
        times = alternate(
            lambda: _live(adapter, events), lambda: _live(alone, events), REPEATS
        )
        return times[0] / len(events), times[1] / len(events)

    return Figure(
        name=f"{width}-adapter",
        what=f"the same as a model of River, {width} features",
        peer="the learner alone",
        bar=1.25,
        measure=measure,
        better="no slower",
        unit="us",
    )


def _live(learner: Any, events: list[Event]) -> float:
    """Seconds of the processor to see, predict and learn all events."""

    def work() -> None:
        for x, y in events:
            learner.predict_one(x)
            learner.learn_one(x, y)

    return processor(work)


def processor(work: Callable[[], Any]) -> float:
    """Seconds of the processor that `work` takes, the garbage collector held back."""
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        work()
        return time.process_time() - began
    finally:
        gc.enable()


def beside(
    name: str,
    what: str,
    peer: str,
    limit: float,
    measure: Callable[[], tuple[float, float]],
) -> list[Figure]:
    """Two figures: beside a linear model of River, which may be faster; and a limit."""
    return [
        Figure(name, what, peer, 0.1, measure, unit="us"),
        Figure(
            name=f"{name}-limit",
            what=what,
            peer="at most",
            bar=1.0,
            measure=lambda: (measure()[0], limit),
            better="no slower",
            unit="us",
        ),
    ]


def amounts() -> list[Figure]:
    """Events of amounts: curves, a forest and two stacks, and a linear regression."""
    dice, width, names = random.Random(6), 20, [f"sensor_{i}" for i in range(20)]
    events: list[tuple[dict[str, float], Any]] = []
    for _ in range(EVENTS[100]):
        x = {name: dice.gauss(0.0, 1.0) for name in names}
        events.append((x, sum(x.values()) + x[names[0]] * x[names[1]]))

    def measure() -> tuple[float, float]:
        from river import linear_model

        return in_turn(rg.RegressionPanel(), linear_model.LinearRegression(), events)

    what = f"predict_one + learn_one of amounts, {width} features, panel"
    return beside("amounts", what, "River LinearRegression", 25e-6, measure)


def seven_classes() -> list[Figure]:
    """Events of seven classes: a panel each, and a logistic regression each."""
    events: list[tuple[dict[str, float], Any]] = []
    for x, _ in fixed_schema(EVENTS[100], 20):
        events.append((x, int(3.5 + 3.0 * min(max(sum(x.values()) / 9.0, -1.0), 1.0))))

    def measure() -> tuple[float, float]:
        from river import linear_model, multiclass

        alone = linear_model.LogisticRegression()
        theirs = multiclass.OneVsRestClassifier(alone)
        return in_turn(rg.OneVersusRest(rg.Panel()), theirs, events)

    what = "predict_one + learn_one of seven classes, 20 features, panels"
    return beside(
        "classes", what, "River OneVsRest(LogisticRegression)", 60e-6, measure
    )


def in_turn(ours: Any, theirs: Any, events: list[Any]) -> tuple[float, float]:
    """Seconds an event of each."""
    times = alternate(lambda: _live(ours, events), lambda: _live(theirs, events))
    return times[0] / len(events), times[1] / len(events)


def strangers(first: int, n: int) -> Iterator[Event]:
    """Events with five names each that never came before."""
    for i in range(first, first + n):
        yield {f"name_{5 * i + k}": 1.0 for k in range(5)}, i % 3 == 0


def new_names() -> list[Figure]:
    """Events with five new names each, after a million names."""

    def measure() -> tuple[float, float]:
        from river import linear_model

        learners = (rg.Panel(), linear_model.LogisticRegression())
        for x, y in strangers(0, NAMES // 5):
            for learner in learners:
                learner.learn_one(x, y)
        place = NAMES // 5
        best = [float("inf"), float("inf")]
        for _ in range(REPEATS):
            events = list(strangers(place, 1000))
            place += len(events)
            for k, learner in enumerate(learners):
                best[k] = min(best[k], _live(learner, events) / len(events))
        return best[0], best[1]

    what = f"predict_one + learn_one, five new names each, after {NAMES:,} names, panel"
    return beside("names", what, "River LogisticRegression", 40e-6, measure)


def memory_of_names() -> list[Figure]:
    """What a name takes, in a process of its own."""

    def measure() -> tuple[float, float]:
        theirs = "linear_model.LogisticRegression()"
        return taken("rg.Panel()"), taken(theirs)

    return [
        Figure(
            name="names-memory",
            what=f"memory of a name, of {NAMES:,}, panel",
            peer="River LogisticRegression",
            bar=3.0,
            measure=measure,
            better="no slower",
            unit="bytes",
        )
    ]


def taken(learner: str) -> float:
    """Bytes that a learner holds for each name after a million of them."""
    code = f"""
import regretless as rg
from river import linear_model
from benchmarks.events import resident, strangers
learner = {learner}
for x, y in strangers(0, 100):
    learner.learn_one(x, y)
before = resident()
for x, y in strangers(100, {NAMES // 5}):
    learner.learn_one(x, y)
print((resident() - before) / {NAMES})
"""
    run = [sys.executable, "-c", code]
    said = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    return float(said)


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def documents() -> list[str]:
    """Sentences of words that follow Zipf's law, as English has them."""
    dice = random.Random(5)
    words = ["".join(dice.choices("etaoinshrdlu", k=2 + i % 9)) for i in range(20_000)]
    weights = [1.0 / (i + 10) for i in range(len(words))]
    return [
        " ".join(dice.choices(words, weights, k=dice.randint(20, 200))).capitalize()
        for _ in range(DOCUMENTS)
    ]


def text(ngrams: int) -> Figure:
    """Texts to rows of hashed counts, names kept, against hashing without names."""
    made = documents()

    def measure() -> tuple[float, float]:
        from sklearn.feature_extraction.text import HashingVectorizer

        from regretless.data.encoding import TwoClassLabels
        from regretless.data.text_source import TextSource

        y = [0, 1] * (DOCUMENTS // 2)
        options = rg.ReadOptions(ngrams=ngrams)
        theirs = HashingVectorizer(
            n_features=2**18,
            ngram_range=(1, ngrams),
            norm=None,
            alternate_sign=False,
            token_pattern=r"\w+",
        )

        def ours() -> None:
            for _ in TextSource(made, y, TwoClassLabels(), options).batches():
                pass

        return alternate(
            lambda: processor(ours), lambda: processor(lambda: theirs.transform(made))
        )

    return Figure(
        name=f"text-{ngrams}",
        what=f"texts to counts of words, up to {ngrams} in a row",
        peer="sklearn HashingVectorizer",
        bar=2.0,
        measure=measure,
        unit="MB/s",
        work=lambda: sum(map(len, made)) / MEGA,
    )
