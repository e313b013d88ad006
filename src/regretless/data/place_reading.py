"""Which reader places need, and with which options."""

from __future__ import annotations

from dataclasses import replace

from .converted_files import ConvertedReader, ending_of
from .format_detection import one_format
from .formats.readers import Reader, Wanted, make_reader
from .input_files import InputFile
from .read_options import ReadOptions


def settled(
    places: list[InputFile], options: ReadOptions, n_features: int | None
) -> ReadOptions:
    """The options with the format, which all places share."""
    kind = one_format(places, options.format)
    options.check_format(kind)
    most = min(options.max_features, n_features or options.max_features)
    return replace(options, format=kind, max_features=most)


def reader_for(places: list[InputFile], options: ReadOptions, wanted: Wanted) -> Reader:
    """What reads these places; where all were converted, what reads such files."""
    if options.format == "arrow":
        ends = [ending_of(place) for place in places]
        known = [end for end in ends if end is not None]
        if known and len(known) == len(ends):
            return ConvertedReader(places, known, wanted)
    return make_reader(options, wanted)
