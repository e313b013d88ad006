"""How files are to be read: what was asked for, and what was found out on the way.

A source starts from the options it is given and fills in what it finds (the format, the
label column, the kinds of the columns, where counting starts). What comes out is plain
data that a model keeps, so that new data are read as the old were.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import cast

from ..parts.documents import Document
from .time_units import UNITS, split_unit

__all__ = ["FORMATS", "ReadOptions"]

FORMATS = ("libsvm", "vw", "csv", "tsv", "jsonl", "parquet", "arrow", "npz")
LISTS = ("categorical", "text", "ignore", "quadratic")
TABLES = ("csv", "tsv", "parquet", "arrow")
NAMED = (*TABLES, "jsonl")  # formats whose features have names
WORDS = ("categorical", "text", "ngrams", "presence", "ignore", "missing")
ONLY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("weight", "group", "group_unit", "id", *WORDS), NAMED),
    "label": (*NAMED, "npz"),
    "header": ("csv", "tsv"),
    "delimiter": ("csv", "tsv"),
    "bits": (*TABLES, "libsvm", "vw"),
    "quadratic": ("vw",),
    "zero_based": ("libsvm",),
    "columns": TABLES,
}
CHOICES: dict[str, tuple[object, ...]] = {
    "format": (None, *FORMATS),
    "missing": ("zero", "indicator", "refuse"),
    "on_bad_rows": ("stop", "skip"),
    "group_unit": (None, *UNITS),
}


@dataclass(frozen=True)
class ReadOptions:
    """How files are read. Every field has a default that suits most files.

    Parameters
    ----------
    format : str or None
        One of libsvm, vw, csv, tsv, jsonl, parquet, arrow, npz; None: told from the
        name or else from the first bytes.
    label : str, int or None
        The label column, by name or by number (from 0; -1 is the last). None: the
        column named label, target, y or class; in a table without names the first.
    weight : str, int or None
        The column of importance weights (a missing one is 1); None: there is none.
    group : str, int or None
        The column that says which rows belong together, such as a user or a day. It is
        no feature: rows are sealed by it. None: every row is on its own.
    group_unit : str or None
        Of a group column of dates: "hour", "day", "week" or "month", the rows of which
        belong together; ``group="when:day"`` says the same.
    id : str, int or None
        The column that names each row, such as a customer's number: predictions have it
        too. It is no feature. None: rows are called by their number.
    header : bool or None
        Whether the first line of a CSV or TSV file holds names. None: it does if none
        of its fields is empty or a number.
    delimiter : str or None
        What separates the fields of a CSV file; None: a comma (.tsv: a tab).
    categorical : tuple of str
        Columns whose numbers are names of categories. Columns of words always are.
    text : tuple of str
        Columns of text: each of its words (lower-cased runs of letters, digits and
        underscores) is a feature ``name=word`` that counts how often it occurs.
    ngrams : int
        Up to so many words that follow each other are a feature as well, with blanks
        between them; 1: words only.
    presence : bool
        A word is 1 where it occurs, however often.
    ignore : tuple of str
        Columns to leave out.
    missing : {"zero", "indicator", "refuse"}
        A missing number is 0, as if the row had no such feature ("zero"); that, and a
        feature ``name is missing`` of its own ("indicator"); or makes a bad row
        ("refuse"). A missing category is a category of its own, ``name=``.
    bits : int or None
        Words are hashed to ``2**bits`` columns; None: 18.
    quadratic : tuple of str
        Pairs of VW namespaces to cross, such as "ab".
    zero_based : bool or None
        Whether LIBSVM indices count from 0; None: they do if one in the first block
        is 0.
    max_features : int
        The most features there may be; a larger index makes a bad row.
    on_bad_rows : {"stop", "skip"}
        Stop at the first bad row, or skip bad rows and count them.
    positive : str, int, float or None
        The label that is +1 where there are two; None: 1, or else the larger.
    threads : int or None
        How many threads read ahead; 0: none, None: one a core, 4 at most. As many
        learn, at least one, where a learner can use several (panels). What is
        read never depends on it.
    cache : bool
        Keep the parsed rows beside the file, and read those the next time.
    columns : tuple of (name, kind) or None
        The columns that are features, in order: "number", "flag", "date", "word",
        "text" or "vector:N". None: as found in the first file.
    """

    format: str | None = None
    label: str | int | None = None
    weight: str | int | None = None
    group: str | int | None = None
    group_unit: str | None = None
    id: str | int | None = None
    header: bool | None = None
    delimiter: str | None = None
    categorical: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    ngrams: int = 1
    presence: bool = False
    ignore: tuple[str, ...] = ()
    missing: str = "zero"
    bits: int | None = None
    quadratic: tuple[str, ...] = ()
    zero_based: bool | None = None
    max_features: int = 2**26
    on_bad_rows: str = "stop"
    positive: str | int | float | None = None
    threads: int | None = None
    cache: bool = False
    columns: tuple[tuple[str, str], ...] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.group, str) and self.group_unit is None:
            column, unit = split_unit(self.group)
            object.__setattr__(self, "group", column)
            object.__setattr__(self, "group_unit", unit)
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                listed = ", ".join(str(choice) for choice in choices if choice)
                raise ValueError(f"{name}={value!r}: it is one of {listed}")
        for name in LISTS:
            object.__setattr__(self, name, _words(name, getattr(self, name)))
        if self.columns is not None:
            pairs = tuple((str(name), str(kind)) for name, kind in self.columns)
            object.__setattr__(self, "columns", pairs)
        _within("bits", self.bits, 1, 30)
        _within("ngrams", self.ngrams, 1, 8)
        _check_presence(self.presence)
        _within("max_features", self.max_features, 1, 2**31 - 1)
        _within("threads", self.threads, 0, 256)
        _check_delimiter(self.delimiter)

    def check_format(self, format: str) -> None:  # noqa: A002 - as the option is named
        """Refuse what means nothing in this format, rather than ignore it."""
        for field in fields(self):
            formats = ONLY.get(field.name)
            value = getattr(self, field.name)
            if formats and format not in formats and value != field.default:
                raise ValueError(
                    f"{field.name}={value!r} means nothing in {format}, "
                    f"only in {', '.join(formats)}"
                )

    def as_dict(self) -> Document:
        """What differs from the defaults, as JSON takes it.

        Not `threads` and `cache`: they say how to go about it, not what is read.
        """
        plain: Document = {}
        for field in fields(self):
            value: object = getattr(self, field.name)
            if value != field.default and field.name not in ("threads", "cache"):
                plain[field.name] = _plain(value)
        return plain

    @classmethod
    def of(cls, given: Document) -> ReadOptions:
        """The options that were given; what is None has its default.

        A column may be named by the digits of its number.
        """
        chosen = {name: value for name, value in given.items() if value is not None}
        for name in ("label", "weight", "id"):
            text = chosen.get(name)
            if isinstance(text, str) and text.lstrip("-").isdigit():
                chosen[name] = int(text)
        return cls(**chosen)

    def given(self) -> Document:
        """All that :meth:`of` needs, as plain data."""
        return {**self.as_dict(), "threads": self.threads, "cache": self.cache}

    @classmethod
    def from_dict(cls, plain: Document) -> ReadOptions:
        """The options that :meth:`as_dict` wrote down."""
        known = {field.name for field in fields(cls)}
        for name in plain:
            if name not in known:
                raise ValueError(f"there is no option {name!r} for reading files")
        return cls(**plain)


def _plain(value: object) -> object:
    """A tuple, and tuples in it, as lists."""
    if not isinstance(value, tuple):
        return value
    return [_plain(item) for item in cast("tuple[object, ...]", value)]


def _words(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        raise TypeError(f"{name}={value!r}: give a list of names, [{value!r}]")
    words: list[str] = []
    for item in cast("Iterable[object]", value):
        if not isinstance(item, str):
            raise TypeError(f"{name}={value!r}: it is a list of names")
        words.append(item)
    return tuple(words)


def _check_presence(value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"presence={value!r}: it is True or False")


def _check_delimiter(value: object) -> None:
    if value is not None and (
        not isinstance(value, str)
        or len(value) != 1
        or not value.isascii()
        or value in '"\r\n'
    ):
        raise ValueError(f"delimiter={value!r}: it is one ASCII character")


def _within(name: str, value: object, low: int, high: int) -> None:
    if value is None and name not in ("max_features", "ngrams"):
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}={value!r}: it is a whole number")
    if not low <= value <= high:
        raise ValueError(f"{name}={value}: it is from {low} to {high:,}")
