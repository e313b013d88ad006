"""Progress of a cluster: a bar over shards, throughput, and the books so far."""

from __future__ import annotations

import time
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from .progress import amount, clock

__all__ = ["ShardProgress"]

WIDTH = 24  # of the bar
MEGA = 1e6


class ShardProgress:
    """``with ShardProgress(console, delta) as bar``: ``bar.after`` takes progress."""

    def __init__(self, console: Console, delta: float) -> None:
        self._delta = delta
        self._began = time.monotonic()
        self._progress: Any = None
        self._live = Live(
            console=console,
            refresh_per_second=4,
            transient=True,
            get_renderable=self._text,
        )

    def __enter__(self) -> ShardProgress:
        self._live.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._live.stop()

    def after(self, progress: Any) -> None:
        """A shard has ended."""
        self._progress = progress

    def _text(self) -> Text:
        return Text(self.line(), overflow="ellipsis", no_wrap=True)

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

    def _certified(self, now: Any) -> str:
        from ..batch.certificates import GUESS
        from ..certify import kl_mixture

        found = kl_mixture(now.rounds, now.mistakes, self._delta, GUESS)
        return f"error <= {found:.2%}"
