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
    check_kinds,
    checked_array,
    checked_fields,
    checked_float,
    checked_int,
    largest_array,
)
from .container import read_file, write_file
from .packed_names import KeptNames, pack_names, unpack_names
from .plain import finite
from .randomness import generator_from, generator_state
from .stored import (
    ALIKE,
    Kinds,
    Many,
    Maybe,
    Sized,
    Stored,
    dumped,
    keep,
    restored,
    same,
    unchecked,
)
from .trees import copied

__all__ = [
    "ALIKE",
    "ANYTHING",
    "COUNTS",
    "FINITE",
    "SIZES",
    "UNBOUNDED",
    "KeptNames",
    "Kinds",
    "Many",
    "Maybe",
    "Range",
    "Sized",
    "Stored",
    "check_kinds",
    "checked_array",
    "checked_fields",
    "checked_float",
    "checked_int",
    "copied",
    "dumped",
    "finite",
    "generator_from",
    "generator_state",
    "keep",
    "largest_array",
    "pack_names",
    "read_file",
    "restored",
    "same",
    "unchecked",
    "unpack_names",
    "write_file",
]
