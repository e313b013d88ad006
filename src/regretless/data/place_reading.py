"""From places to pieces: which reader they need, and their pieces in order."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace

from .chunk import Broken, Piece
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


def reader_for(
    places: list[InputFile],
    options: ReadOptions,
    wanted: Wanted,
) -> Reader:
    """What reads these places; where all were converted, what reads such files."""
    if options.format == "arrow":
        ends = [ending_of(place) for place in places]
        known = [end for end in ends if end is not None]
        if known and len(known) == len(ends):
            return ConvertedReader(places, known, wanted)
    return make_reader(options, wanted)


def placed_pieces(
    places: list[InputFile],
    reader: Reader,
    k: int,
    at: int,
    begin: Callable[[int], None],
) -> Generator[Piece]:
    """All pieces from the position `at` of place `k` on; `begin` is told each place."""
    first = k
    begin(k)
    for place in places[k:]:
        try:
            for piece in reader.pieces(place, max(at, place.begin)):
                yield piece._replace(k=k)
            place.check_size()
        except Broken as error:
            error.k = k
            raise
        except ValueError as error:
            what = str(error).removeprefix(f"{place.name}: ")
            if k == first:
                named = what if what.startswith(place.name) else None
                raise ValueError(named or f"{place.name}: {what}") from None
            # The files before were read: what was learned from them is not lost.
            broken = Broken(what)
            broken.k = k
            raise broken from None
        k, at = k + 1, 0
        begin(k)
