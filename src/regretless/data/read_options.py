"""How files are to be read: what was asked for, and what was found out on the way.

That is what their fields mean (:class:`Schema`), and how they are laid out. A source
starts from the options it is given and fills in what it finds (the format, the label
column, the kinds of the columns, where counting starts). What comes out is plain data
that a model keeps, so that new data are read as the old were.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from ..parts.documents import Document
from .schema import LISTS, ROLES, Schema, names_in, one_of, within

FORMATS = ("libsvm", "vw", "csv", "tsv", "jsonl", "parquet", "arrow", "npz")
TABLES = ("csv", "tsv", "parquet", "arrow")
NAMED = (*TABLES, "jsonl")  # formats whose features have names
WORDS = ("numbers", "categorical", "text", "dates", "ngrams", "presence")
ONLY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("weight", "group", "group_unit", "id", "missing", *WORDS), NAMED),
    "label": (*NAMED, "npz"),
    "header": ("csv", "tsv"),
    "delimiter": ("csv", "tsv"),
    "bits": (*NAMED, "libsvm", "vw"),
    **dict.fromkeys(("ignore", "interactions"), (*NAMED, "vw")),
    "keep": ("vw",),
    "zero_based": ("libsvm",),
    "columns": TABLES,
}
CHOICES: dict[str, tuple[object, ...]] = {
    "format": (None, *FORMATS),
    "on_bad_rows": ("stop", "skip"),
}


@dataclass(frozen=True)
class ReadOptions(Schema):
    """How files are read: what their fields mean, and how they are laid out.

    All that a :class:`Schema` says may be said here, too. Every field has a default
    that suits most files.

    Parameters
    ----------
    format : str or None
        One of libsvm, vw, csv, tsv, jsonl, parquet, arrow, npz; None: told from the
        name or else from the first bytes.
    header : bool or None
        Whether the first line of a CSV or TSV file holds names. None: it does if none
        of its fields is empty or a number.
    delimiter : str or None
        What separates the fields of a CSV file; None: a comma (.tsv: a tab).
    keep : tuple of str
        First letters of the namespaces of VW text to keep; (): all.
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
    """

    format: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    keep: tuple[str, ...] = ()
    zero_based: bool | None = None
    max_features: int = 2**26
    on_bad_rows: str = "stop"
    positive: str | int | float | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, choices in CHOICES.items():
            one_of(name, getattr(self, name), choices)
        object.__setattr__(self, "keep", names_in("keep", self.keep))
        within("max_features", self.max_features, 1, 2**31 - 1)
        within("threads", self.threads, 0, 256)
        _check_delimiter(self.delimiter)

    def _declared_once(self, roles: tuple[str, ...] = ROLES[:-1]) -> None:
        super()._declared_once(roles)  # rows to predict may be named by a feature

    def meaning(self, schema: Schema | None) -> ReadOptions:
        """The same, with what a schema says of fields; both must agree."""
        if schema is None:
            return self
        merged: Document = {}
        for one in fields(Schema):
            mine, its = getattr(self, one.name), getattr(schema, one.name)
            if one.name in (*LISTS, "interactions"):
                merged[one.name] = (*dict.fromkeys((*mine, *its)),)
            elif its != one.default:
                if mine not in (its, one.default):
                    raise ValueError(
                        f"{one.name}={mine!r}, and the schema says {its!r}"
                    )
                merged[one.name] = its
        return replace(self, **merged)

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
        found = cls(**chosen)
        Schema._declared_once(found)
        return found

    def given(self) -> Document:
        """All that :meth:`of` needs, as plain data."""
        return {**self.as_dict(), "threads": self.threads}


def _check_delimiter(value: object) -> None:
    if value is not None and (
        not isinstance(value, str)
        or len(value) != 1
        or not value.isascii()
        or value in '"\r\n'
    ):
        raise ValueError(f"delimiter={value!r}: it is one ASCII character")
