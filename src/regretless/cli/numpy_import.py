"""numpy as short commands want it: without threads, and without looking for garbage.

OpenBLAS starts a thread for every core when numpy is imported, a third of the time that
this takes, and more on larger machines. Commands multiply no large matrices with numpy:
what learns is compiled, and solvers use scipy, which has a library of its own and is
imported later, as is whatever runs in other processes. They find the environment as it
was.

Modules are no garbage: the collector rests while numpy is imported, and never looks at
what is there by then.
"""

from __future__ import annotations

import gc
import os
import sys

OURS = "OPENBLAS_NUM_THREADS"
OTHERS = ("GOTO_NUM_THREADS", "OMP_NUM_THREADS")  # it looks at these as well


def import_numpy() -> None:
    """Import numpy with one thread for linear algebra, or as many as the user set."""
    if "numpy" in sys.modules:
        return
    given = any(name in os.environ for name in (OURS, *OTHERS))
    collecting = gc.isenabled()
    gc.disable()
    if not given:
        os.environ[OURS] = "1"
    try:
        import numpy as np

        del np
    finally:
        if not given:
            del os.environ[OURS]
        if collecting:
            gc.freeze()
            gc.enable()
