"""The estimators beside scikit-learn's own, in the same step of the same pipeline.

``python -m benchmarks sklearn``. Documents are hashed once; what is timed is ``fit`` of
the last step, in CPU seconds of the process, one pass each. SGDClassifier shuffles
unless told not to; both are reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from .classes import CLASSES, ROWS, WIDTH, dense_rows
from .corpus import DOCUMENTS, hashed_corpus
from .figures import Figure
from .timing import alternate

__all__ = ["figures"]

REPEATS = 9


def figures() -> list[Figure]:
    """Text, then ten classes."""
    from sklearn.linear_model import Perceptron, SGDClassifier

    import regretless.sklearn as sk

    once = {"max_iter": 1, "tol": None}
    ogd, mean = sk.OGDClassifier(model="last"), sk.OGDClassifier()
    ogd_in_order = sk.OGDClassifier(model="last", shuffle=False)
    mean_in_order = sk.OGDClassifier(shuffle=False)
    shuffled = SGDClassifier(**once, random_state=0)
    in_order = SGDClassifier(**once, shuffle=False)
    averaged = SGDClassifier(**once, shuffle=False, average=True)
    text = [
        ("text-shuffled", ogd, shuffled, "SGDClassifier, which shuffles"),
        ("text-in-order", ogd_in_order, in_order, "SGDClassifier(shuffle=False)"),
        (
            "text-mean",
            mean_in_order,
            averaged,
            "SGDClassifier(average=True, shuffle=False)",
        ),
        ("text-default", mean, shuffled, "SGDClassifier, which shuffles"),
    ]
    peer = Perceptron(**once, shuffle=False)
    ten = [
        ("ten-classes", sk.PerceptronClassifier(model="last", shuffle=False)),
        (
            "ten-classes-ultraconservative",
            sk.MulticlassPerceptronClassifier(shuffle=False),
        ),
    ]
    return [
        *(
            Figure(
                name=name,
                what=f"fit {DOCUMENTS:,} hashed documents: {ours!r}",
                peer=who,
                bar=2.0,
                measure=partial(_fits, hashed_corpus, ours, theirs),
                unit="ms",
            )
            for name, ours, theirs, who in text
        ),
        *(
            Figure(
                name=name,
                what=f"fit {ROWS:,} x {WIDTH}, {CLASSES} classes: {ours!r}",
                peer="Perceptron(max_iter=1, shuffle=False)",
                bar=3.0,
                measure=partial(_fits, dense_rows, ours, peer, 3),
                unit="ms",
            )
            for name, ours in ten
        ),
    ]


def _fits(
    data: Callable[[], tuple[Any, Any]], ours: Any, theirs: Any, repeats: int = REPEATS
) -> tuple[float, float]:
    X, y = data()
    return alternate(
        lambda: _processor(lambda: ours.fit(X, y)),
        lambda: _processor(lambda: theirs.fit(X, y)),
        repeats=repeats,
    )


def _processor(work: Callable[[], Any]) -> float:
    """Seconds of the process: other people's work on the machine is not counted."""
    began = time.process_time()
    work()
    return time.process_time() - began
