"""The source of rows that come in calls of ``fit`` and ``partial_fit``."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ...data import Batch
from .labels import Code

__all__ = ["HandedOver"]


class HandedOver:
    """The source of rows that the caller holds, and hands over in batches."""

    whole = False
    again = False
    n_rows: int | None = None

    def __init__(
        self, n_features: int, names: tuple[Hashable, ...] | None, code: Code
    ) -> None:
        self.n_features = n_features
        self.names = names
        self.code = code

    @property
    def classes(self) -> tuple[Hashable, ...] | None:
        """The labels, as far as they are known."""
        return self.code.labels

    def batches(self) -> Iterator[Batch]:
        """None: they are not kept."""
        return iter(())
