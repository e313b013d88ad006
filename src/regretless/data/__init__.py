"""Streams: rows in, in batches that kernels take. Bytes and objects, never learning.

A source knows its features (or that they may grow), yields :class:`Batch` after
:class:`Batch`, and says whether it can be opened again.

Of files: ``places`` finds them, ``formats`` tells what they are, ``readers`` says what
a format has to provide, ``ahead`` reads and parses in threads, ``files`` makes one
stream of it all.
"""

from .batch import Batch, Source, one_row, taken
from .event_source import EventSource
from .file_source import FileSource
from .read_options import ReadOptions
from .sources import open_source
from .table_source import ArraySource, SparseSource
from .task_detection import suggested, task_of

__all__ = [
    "ArraySource",
    "Batch",
    "EventSource",
    "FileSource",
    "ReadOptions",
    "Source",
    "SparseSource",
    "one_row",
    "open_source",
    "suggested",
    "taken",
    "task_of",
]
