"""Storage: trees of numbers, words and arrays in one file that is safe to load.

A file is safetensors with a JSON document in its header. Nothing here knows what a
model or a learner is; nothing here runs what it reads.
"""

from .checks import (
    ANYTHING,
    COUNTS,
    FINITE,
    SIZES,
    UNBOUNDED,
    Range,
    Stored,
    check_kinds,
    checked_array,
    checked_fields,
    checked_float,
    checked_int,
    checked_like,
    largest_array,
)
from .container import read_file, write_file
from .packed_names import KeptNames, pack_names, unpack_names
from .plain import finite
from .randomness import generator_from, generator_state
from .trees import copied

__all__ = [
    "ANYTHING",
    "COUNTS",
    "FINITE",
    "SIZES",
    "UNBOUNDED",
    "KeptNames",
    "Range",
    "Stored",
    "check_kinds",
    "checked_array",
    "checked_fields",
    "checked_float",
    "checked_int",
    "checked_like",
    "copied",
    "finite",
    "generator_from",
    "generator_state",
    "largest_array",
    "pack_names",
    "read_file",
    "unpack_names",
    "write_file",
]
