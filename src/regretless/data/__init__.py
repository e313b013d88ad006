"""Data: rows in, in batches that kernels take. Bytes and objects, never learning.

A source knows its features (or that they may grow), yields :class:`Batch` after
:class:`Batch`, and says whether it can be opened again.

Of files: ``input_files`` finds them, ``format_detection`` tells what they are,
``formats`` has a reader for each format, ``prefetch`` reads and parses in threads,
``file_source`` makes one stream of it all. ``encoding`` turns names and labels into
numbers.
"""

from .batch import Batch, Source, one_row, taken
from .event_source import EventSource
from .file_source import FileSource
from .read_options import ReadOptions
from .schema import Schema
from .sources import open_source
from .task_detection import suggested, task_of

__all__ = [
    "Batch",
    "EventSource",
    "FileSource",
    "ReadOptions",
    "Schema",
    "Source",
    "one_row",
    "open_source",
    "suggested",
    "taken",
    "task_of",
]
