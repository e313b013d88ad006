"""The format of new data, which must number features as the old ones did."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .input_files import InputFile


TABLES = {"csv", "tsv", "parquet", "arrow"}  # features have the names of columns


def format_like(
    place: InputFile, remembered: str | None, asked: str | None, *, named: bool = False
) -> str | None:
    """The format of a new file, where the model learned from another.

    Parameters
    ----------
    place : InputFile
        The file.
    remembered : str or None
        The format of the data that were learned.
    asked : str or None
        What the user says it is.
    named : bool
        Whether rows may be read by the names of their fields instead.

    Raises
    ------
    ValueError
        Where its features have other numbers.
    """
    found = asked or _told(place, remembered)
    if named and {found, remembered} <= {*TABLES, "jsonl", None}:
        return found
    if not _alike(found, remembered):
        raise ValueError(
            f"{place.name} is {found}, but the model learned from {remembered}, "
            "where features are numbered in another way"
        )
    return found


def _alike(told: str | None, remembered: str | None) -> bool:
    """Whether features of the two formats are numbered alike."""
    if remembered is None or told == remembered:
        return True
    return told == "arrow" or {told, remembered} <= TABLES


def _told(place: InputFile, remembered: str | None) -> str | None:
    """The format of new data: what it looks like, or that of the old ones.

    A first line with a tab or a comma may be of any format of text.
    """
    from .format_detection import ending_format, format_of

    try:
        told = format_of(place, None)
    except ValueError:
        return remembered
    sure = ending_format(place) is not None or told not in ("csv", "tsv")
    return told if sure or _alike(told, remembered) else remembered
