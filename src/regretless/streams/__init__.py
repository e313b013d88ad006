"""Streams: rows in, in batches that kernels take. Bytes and objects, never learning.

A source knows its features (or that they may grow), yields :class:`Batch` after
:class:`Batch`, and says whether it can be opened again.
"""

from .batch import Batch, Source, one_row, taken
from .events import EventSource
from .sources import open_source
from .tables import ArraySource, SparseSource

__all__ = [
    "ArraySource",
    "Batch",
    "EventSource",
    "Source",
    "SparseSource",
    "one_row",
    "open_source",
    "taken",
]
