"""What every test shares: one hypothesis profile, and a cache for compiled kernels.

Examples are derandomized, so a failure in CI is a failure here. No deadline: the first
example of a test may compile a kernel.
"""

from __future__ import annotations

import itertools
import signal

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "regretless",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("regretless")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def seeds_that_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds of seals, and of estimators, that are the same in every run of a test."""
    numbers = itertools.count(1)
    drawn = "regretless.data.sealed_rows.drawn_seed"
    monkeypatch.setattr(drawn, lambda: 7919 * next(numbers))
    np.random.seed(20240229)  # noqa: NPY002 - what random_state=None draws from


@pytest.fixture
def rng() -> np.random.Generator:
    """A generator of random numbers, the same in every run."""
    return np.random.default_rng(20240229)


@pytest.fixture
def table(rng) -> tuple[np.ndarray, np.ndarray]:
    """Forty rows of five features with labels -1/+1."""
    X = rng.normal(size=(40, 5))
    return X, np.where(X @ rng.normal(size=5) > 0, 1, -1)
