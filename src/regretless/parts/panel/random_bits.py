"""Random numbers without a state: SplitMix64 of a counter.

bits(k) mixes seed + k 0x9E3779B97F4A7C15, so that each request for number k gets the
same one, however rows are cut into batches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..generic import compiled

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)


@compiled
def bits(seed: float, counter: float) -> Any:
    """64 random bits: those of `counter`."""
    return mixed(np.uint64(seed) + np.uint64(counter) * STEP)


@compiled
def mixed(z: Any) -> Any:
    """The last part of SplitMix64: all bits depend on all bits."""
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))
