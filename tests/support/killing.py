"""A process that ends in the middle of a training."""

from __future__ import annotations

from typing import Any

import pytest

from regretless.runs import watchers as w


class KilledError(BaseException):
    """Nobody catches this: as if the process were gone."""


def dies_after(monkeypatch: pytest.MonkeyPatch, batches: int) -> None:
    """Let the process end right after so many batches were learned."""
    original = w.Checkpointer.after
    seen = 0

    def after(self: Any, batch: Any, scores: Any, game: Any) -> None:
        nonlocal seen
        original(self, batch, scores, game)
        seen += 1
        if seen == batches:
            raise KilledError

    monkeypatch.setattr(w.Checkpointer, "after", after)
