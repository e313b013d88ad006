"""Tasks on Ray, a window of them at a time; results in the order of their numbers.

Ray places tasks, keeps their results and runs a task again where its worker died. What
is left to do here: not to ask for everything at once, to notice early that a shard
failed, and to stop when asked to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from .work import Failed

RETRIES = 10  # of a task whose worker died
AHEAD = 3  # tasks asked for, for each core
TICK = 0.2  # seconds between two looks at whether to stop


Ref: TypeAlias = object  # what stands for a result that may not be there yet


class Task(Protocol):
    """A function that Ray runs somewhere."""

    def remote(self, *arguments: object) -> Ref:
        """Start it; what stands for its result, or a list of such."""
        ...


class StopAsked(Exception):  # noqa: N818 - it is no fault
    """It was asked to stop."""


class Outcome(NamedTuple):
    """A task that has ended: its number, and its results (the first is small)."""

    number: int
    first: Any
    others: tuple[Ref, ...]


Waiting: TypeAlias = dict[Ref, tuple[int, tuple[Ref, ...]]]


class TaskPool:
    """Runs tasks.

    Parameters
    ----------
    ray : module
        Connected.
    workers : int or None
        How many tasks run at a time, at most; None: as many as the cluster has cores.
    stop : callable
        Whether to stop, asked a few times a second.
    tick : callable
        Called as often, so that people see that there is life.
    """

    def __init__(
        self,
        ray: ModuleType,
        workers: int | None,
        stop: Callable[[], bool],
        tick: Callable[[], None],
    ) -> None:
        self.ray = ray
        self._stop = stop
        self._tick = tick
        self._workers = workers
        self._stopped = False

    @property
    def cores(self) -> int:
        """How many tasks can run at a time."""
        if self._workers is not None:
            return self._workers
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    @property
    def window(self) -> int:
        """How many tasks may be asked for and not ended."""
        return self.cores if self._workers is not None else AHEAD * self.cores

    def task(self, work: Callable[..., object], returns: int = 1) -> Task:
        """`work` as a function that Ray runs somewhere."""
        options = {"num_returns": returns, "max_retries": RETRIES, "num_cpus": 1}
        return self.ray.remote(**options)(work)

    def merge(self, work: Callable[..., object], parts: Sequence[Ref]) -> Ref:
        """`work` of the results that `parts` refer to, done where they are."""
        options = {"max_retries": RETRIES, "num_cpus": 0}
        return self.ray.remote(**options)(work).remote(*parts)

    def outcomes(self, calls: Sequence[Callable[[], Ref]]) -> Iterator[Outcome]:
        """Make every call, which starts a task; hand over outcomes as they come.

        A task whose first result is :class:`Failed` ends it all: those after it are
        given up, those before it may fail too, and the first one in order is raised,
        so that the same data fail in the same way every time.
        """
        waiting: Waiting = {}
        failed: dict[int, Exception] = {}
        left = list(enumerate(calls))[::-1]
        try:
            while left or waiting:
                while left and not failed and len(waiting) < self.window:
                    number, call = left.pop()
                    first, *others = _several(call())
                    waiting[first] = (number, tuple(others))
                for first in self._ended(list(waiting)):
                    number, others = waiting.pop(first)
                    result = self.ray.get(first)
                    if isinstance(result, Failed):
                        failed[number] = result.error
                        left.clear()
                        self._give_up(waiting, after=min(failed))
                    elif not failed:
                        yield Outcome(number, result, others)
                if failed and not waiting:
                    raise failed[min(failed)]
                if self._stopped or self._stop():
                    raise StopAsked
        finally:
            self._give_up(waiting, after=-1)

    def _ended(self, waiting: list[Ref]) -> list[Ref]:
        """Those that have ended by now; it takes a moment where none has."""
        try:
            done, _ = self.ray.wait(waiting, num_returns=1, timeout=TICK)
            self._tick()
        except KeyboardInterrupt:
            self._stopped = True
            done = [None]
        if not done:
            return []
        return self.ray.wait(waiting, num_returns=len(waiting), timeout=0)[0]

    def _give_up(self, waiting: Waiting, *, after: int) -> None:
        for first, (number, _) in list(waiting.items()):
            if number > after:
                self.ray.cancel(first)
                del waiting[first]


def _several(refs: Ref) -> list[Ref]:
    return list(cast("list[Ref]", refs)) if isinstance(refs, list) else [refs]
