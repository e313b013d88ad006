"""The processors that machine code is made for: one level for everything on a machine.

A sum that is vectorized is added up in an order that depends on the width of vectors,
so machine code for another processor may differ in the last bits. Whatever is compared
must be compiled alike. That is why there are levels instead of one setting for each
model of processor, and why everything on a machine, from the wheel or compiled here,
has the same level. Nearly all have x86-64-v3, and on these all bits are the same
(docs/decisions/0024).
"""

from __future__ import annotations

import functools
import os
import platform
import sys
from typing import Any

import numpy as np

LEVELS = {
    "x86-64-v3": ("AVX2", "FMA3", "F16C", "BMI", "BMI2", "LZCNT"),
    "x86-64-v2": ("SSE42", "POPCNT"),
    "x86-64": (),
}
"""The levels of the x86-64 ABI up to the third, the highest first, by what numpy calls
the features that tell them apart. The fourth, with vectors of 512 bits, is not faster
here."""


@functools.cache
def level() -> str:
    """The level of this machine; ``REGRETLESS_LEVEL`` asks for a lower one."""
    machine = platform.machine().lower()
    if machine not in ("x86_64", "amd64"):
        return "apple-m1" if sys.platform == "darwin" else "generic"
    has: dict[str, bool] = _numpy()._multiarray_umath.__cpu_features__
    known = [
        name
        for name, needs in LEVELS.items()
        if all(has.get(need, True) for need in needs)
    ]
    wanted = os.environ.get("REGRETLESS_LEVEL", known[0])
    if wanted not in known:
        raise OSError(f"REGRETLESS_LEVEL={wanted}: this machine has {', '.join(known)}")
    return wanted


def _numpy() -> Any:
    """The package of numpy that knows the processor; it has moved in version 2."""
    return getattr(np, "_core", None) or getattr(np, "core")  # noqa: B009
