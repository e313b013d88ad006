"""Events one at a time against River, and text against scikit-learn's hashing."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable
from functools import partial
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
