"""Tell a file's format: as it was given, else from its name, else from its bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .input_files import InputFile
from .read_options import FORMATS

ENDINGS = {
    ".svm": "libsvm",
    ".libsvm": "libsvm",
    ".svmlight": "libsvm",
    ".vw": "vw",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".npz": "npz",
}
MODEL = ".rgl"
STREAM = b"\xff\xff\xff\xff"  # of batches, in Arrow's format: it has no index
MAGIC = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    STREAM: "arrow",
    b"PK\x03\x04": "npz",
}
NUMBER = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
LIBSVM = re.compile(rf"{NUMBER}(,{NUMBER})*(\s+qid:\d+)?(\s+\d+:\S+)*\s*(#.*)?")
VW = re.compile(rf"\s*({NUMBER}(\s+{NUMBER}){{0,2}})?\s*('[^\s|]*)?\|\S*(\s.*)?")


def format_of(place: InputFile, given: str | None) -> str:
    """One of the formats; ``ValueError`` where it cannot be told."""
    found = given or ending_format(place)
    if found is None or place.bare.endswith(MODEL):
        found = _sniff(place.beginning()) or given
    if found == MODEL:
        raise ValueError(
            f"{place.name}: it is no data, but a file of regretless itself, as train "
            f"-o saves models: predict {place.name} DATA, or train DATA -i {place.name}"
        )
    if found is None:
        raise ValueError(
            f"{place.name}: its format cannot be told from its name or first line; "
            f"say --format (format=), one of {', '.join(FORMATS)}"
        )
    return found


def one_format(places: Sequence[InputFile], given: str | None) -> str:
    """The format of all places; ``ValueError`` where they differ."""
    kinds = [format_of(place, given) for place in places]
    for place, kind in zip(places, kinds, strict=True):
        if kind != kinds[0]:
            raise ValueError(
                f"{place.name} is {kind}, but {places[0].name} is {kinds[0]}: "
                "files of one stream have one format"
            )
    return kinds[0]


def ending_format(place: InputFile) -> str | None:
    """The format that a file's name tells."""
    name = place.bare.lower()
    ends = (kind for ending, kind in ENDINGS.items() if name.endswith(ending))
    return next(ends, None)


def _sniff(first: bytes) -> str | None:
    if first[8:10] == b'{"' and b"regretless" in first:  # behind the header's length
        return MODEL
    for magic, name in MAGIC.items():
        if first.startswith(magic):
            return name
    try:
        lines = first.decode("utf-8-sig", errors="strict").splitlines()[:-1]
    except UnicodeDecodeError as error:
        if error.start < len(first) - 4:
            return None
        lines = first[: error.start].decode("utf-8-sig").splitlines()
    lines = lines or first.decode("utf-8-sig", errors="ignore").splitlines()
    line = next((line for line in lines if line.strip()), "")
    if "\0" in line:
        return None
    return _sniff_line(line)


def _sniff_line(line: str) -> str | None:
    """The format of a text file with this first line."""
    if line.lstrip().startswith("{"):
        return "jsonl"
    if LIBSVM.fullmatch(line) and ":" in line:
        return "libsvm"
    if VW.fullmatch(line):
        return "vw"
    if "\t" in line:
        return "tsv"
    return "csv" if "," in line else None
