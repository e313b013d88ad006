"""What the package asks of Ray, in one process: tasks run when somebody waits for them.

They end in an order of our choosing, arrays come out read-only as they do from Ray's
object store, and some tasks can be told to be run twice, as if their worker had died.
"""

from __future__ import annotations

import numpy as np


class Ref:
    def __init__(self, value=None):
        self.value = value


class Task:
    def __init__(self, ray, work, returns):
        self.ray, self.work, self.returns = ray, work, returns

    def remote(self, *arguments):
        refs = [Ref() for _ in range(self.returns)]
        self.ray.waiting[refs[0]] = (self, arguments, refs)
        return refs if self.returns > 1 else refs[0]


class InlineRay:
    """`pick` chooses which of the tasks that are waited for is the next to end."""

    def __init__(self, pick=min, again=(), cores=2, idle=0):
        self.idle = idle  # times that somebody waits in vain
        self.pick, self.again, self.cores = pick, set(again), cores
        self.waiting = {}
        self.ran = 0
        self.cancelled = 0
        self.most = 0  # tasks asked for at a time

    def is_initialized(self):
        return True

    def cluster_resources(self):
        return {"CPU": float(self.cores)}

    def put(self, value):
        return Ref(_frozen(value))

    def remote(self, num_returns=1, **options):
        return lambda work: Task(self, work, num_returns)

    def get(self, ref):
        self._run(ref)
        return ref.value

    def wait(self, refs, num_returns=1, timeout=None):
        self.most = max(self.most, len(refs))
        ended = [ref for ref in refs if ref not in self.waiting]
        self.idle -= 1
        if not ended and timeout and self.idle < 0:
            left = list(range(len(refs)))
            self._run(refs[self.pick(left)])
            ended = [ref for ref in refs if ref not in self.waiting]
        return ended[:num_returns], []

    def cancel(self, ref):
        self.cancelled += self.waiting.pop(ref, None) is not None

    def _run(self, ref):
        if ref not in self.waiting:
            return
        task, arguments, refs = self.waiting.pop(ref)
        taken = [self.get(one) if isinstance(one, Ref) else one for one in arguments]
        self.ran += 1
        if self.ran in self.again:
            task.work(*taken)
        found = task.work(*taken)
        values = found if task.returns > 1 else (found,)
        for one, value in zip(refs, values, strict=True):
            one.value = _frozen(value)


def _frozen(value):
    """Arrays inside, read-only copies; as after a way through the object store."""
    if isinstance(value, np.ndarray):
        copy = value.copy()
        copy.flags.writeable = False
        return copy
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_frozen(one) for one in value))
    if isinstance(value, tuple | list):
        return type(value)(_frozen(one) for one in value)
    return value
