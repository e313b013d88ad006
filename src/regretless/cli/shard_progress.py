"""Progress of a cluster: a bar over shards, throughput, and the statistics so far."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .progress import amount, clock
from .status import StatusLine

if TYPE_CHECKING:
    from ..integrations.ray.shard_rounds import Progress


WIDTH = 24  # of the bar
MEGA = 1e6


class ShardProgress:
    """``with ShardProgress(delta) as bar``: ``bar.after`` takes progress."""

    def __init__(self, delta: float) -> None:
        self._delta = delta
        self._began = time.monotonic()
        self._progress: Progress | None = None
        self._status = StatusLine(self.line)

    def __enter__(self) -> ShardProgress:
        self._status.__enter__()
        return self

    def __exit__(self, *problem: object) -> None:
        self._status.__exit__(*problem)

    def after(self, progress: Progress) -> None:
        """A shard has ended."""
        self._progress = progress

    def line(self) -> str:
        """All there is to say, in one line."""
        passed = max(time.monotonic() - self._began, 1e-9)
        now = self._progress
        if now is None:
            return f"starting  {clock(passed)}"
        filled = WIDTH * now.shards // now.of
        bar = "#" * filled + "-" * (WIDTH - filled)
        left = now.seconds * (now.total - now.size) / max(now.size, 1)
        parts = [
            f"[{bar}] {now.shards}/{now.of} shards",
            f"{amount(now.rounds / now.seconds)} rows/s",
            f"{now.size / now.seconds / MEGA:,.0f} MB/s",
            f"{clock(left)} left" if now.shards < now.of else clock(passed),
        ]
        if now.mistakes and now.rounds:
            parts += [f"{now.mistakes:,} mistakes", self._certified(now)]
        return "  ".join(parts)

    def _certified(self, now: Progress) -> str:
        from ..evidence.certify import kl_mixture
        from ..evidence.claims.randomized import GUESS

        found = kl_mixture(now.rounds, now.mistakes, self._delta, GUESS)
        return f"error <= {found:.2%}"
