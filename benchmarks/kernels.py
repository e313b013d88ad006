"""``python -m benchmarks.kernels``: what machine code costs to make, load and call.

Each figure in a process of its own where that matters: compiling into an empty store,
loading from it, a bound call and one that packs a frame, and the same rows played by
machine code for other levels of processors (bits and time).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

__all__ = ["main"]

COMPILE = """
import time
import numpy as np, regretless as rg
from regretless.engine.machine import compiling
took = []
original = compiling.compile_kernel
def timed(loop, *rest):
    began = time.process_time()
    made = original(loop, *rest)
    took.append((time.process_time() - began, loop.__name__))
    return made
compiling.compile_kernel = timed
X = np.random.default_rng(0).normal(size=(50, 5))
y = np.where(X[:, 0] > 0, 1, -1)
for learner in (rg.Perceptron(), rg.OGD(), rg.Panel()):
    rg.play(learner, X, y)
for seconds, name in took:
    print(f"compile {name:<22} {seconds:8.2f} s")
"""

LOAD = """
import time
import numpy as np
began = time.perf_counter()
from llvmlite import binding
from regretless.engine.machine import loading
loading._linker()
print(f"load LLVM's linker            {(time.perf_counter() - began) * 1e3:8.1f} ms")
import regretless as rg
from regretless.engine.machine import store
original = store.Kept.load
def timed(kept, names):
    began = time.perf_counter()
    found = original(kept, names)
    print(f"load {names[0][:18]:<24} {(time.perf_counter() - began) * 1e3:8.2f} ms")
    return found
store.Kept.load = timed
X = np.random.default_rng(0).normal(size=(50, 5))
y = np.where(X[:, 0] > 0, 1, -1)
rg.play(rg.Panel(), X, y)
"""

CALL = """
import timeit
import numpy as np
from regretless.engine.kernels.compiled import entry
from regretless.engine.kernels.views import view_rows
from regretless.parts.rows import Sparse
rows = Sparse(np.array([0, 1]), np.zeros(1, np.int32), np.ones(1))
arguments = (rows, 1, np.zeros(1))
kernel = entry(view_rows, arguments)
bound = kernel.bind(*arguments)
def best(call):
    return min(timeit.repeat(call, number=20000, repeat=7)) / 20000
print(f"call, bound                   {best(bound) * 1e9:8.0f} ns")
print(f"call, five leaves packed      {best(lambda: kernel(*arguments)) * 1e9:8.0f} ns")
from regretless.engine.machine.by_numba import compile_and_call
theirs = compile_and_call(view_rows, arguments)
print(f"call by numba                 {best(lambda: theirs(*arguments)) * 1e9:8.0f} ns")
"""

LEVEL = """
import hashlib, time
import numpy as np, regretless as rg
from regretless.engine.machine.level import level
rng = np.random.default_rng(0)
X = rng.normal(size=(20000, 20))
y = np.where(X @ rng.normal(size=20) > 0, 1, -1)
for learner in (rg.Perceptron(), rg.AdaGrad(), rg.Panel()):
    best = 9e9
    for _ in range(7):
        began = time.process_time()
        run = rg.play(learner, X, y)
        best = min(best, time.process_time() - began)
    bits = hashlib.sha256(run.model("last").scores(X).tobytes()).hexdigest()[:10]
    name = type(learner).__name__
    print(f"{level():<10} {name:<12} {best / 20000 * 1e6:8.3f} us a row, bits {bits}")
"""


def main() -> int:
    """Take the figures and print them."""
    with tempfile.TemporaryDirectory() as folder:
        for code in (COMPILE, LOAD, CALL):
            run(code, REGRETLESS_STORE=folder)
        for level in ("x86-64-v3", "x86-64-v2"):
            run(LEVEL, REGRETLESS_STORE=folder, REGRETLESS_LEVEL=level)
    return 0


def run(code: str, **environment: str) -> None:
    """Run it in a process of its own."""
    given = os.environ | environment
    subprocess.run([sys.executable, "-c", code], env=given, check=True)


if __name__ == "__main__":
    sys.exit(main())
