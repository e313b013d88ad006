"""The columns of a table: which is the label, which are features, and of what kind.

Numbers (and flags, dates, and the entries of vectors) are features 0 to C - 1, named by
their columns; where missing ones are to be learned from, a feature for each column is
among them. A word is one-hot: the feature ``column=word``, at ``C + (hash mod
2^bits)``. A text has many of them: one for each of its words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from ..encoding.dates import WIDTH, date_names, is_date
from ..encoding.hash_index import WIDE
from ..encoding.spelled import MISSING, is_number
from ..interactions import Groups, choices, expanded, fields_of, refuse_unknown
from ..pyarrow_import import ArrowColumn, ArrowType, RecordBatch, arrow
from ..read_options import ReadOptions
from .column_names import find_column, find_columns, listed, no_twins

LABELS = ("label", "target", "y", "class")
BAGS = ("text", "words")  # kinds of columns of which a row has many words
HELD = {
    "number": ("number", "flag"),
    "word": ("number", "flag", "date", "word", "words"),
    "date": ("date",),
    "text": ("words",),
}
"""Of what kinds a column may be that is declared; words may spell any."""
LOOKED_AT = 1000  # words of a column that may be dates


@dataclass(frozen=True)
class Layout:
    """What the columns of a table are.

    Attributes
    ----------
    columns : tuple of (name, kind)
        The features, in order.
    label, weight, group, id : str or None
        The names of those columns.
    bits : int
        Words have ``2**bits`` features.
    missing : str
        What to make of missing numbers.
    ngrams, presence : int, bool
        What to make of text.
    declared : tuple of str
        Columns that are declared to be numbers, of which nan is a missing one.
    groups : tuple of tuple of str
        Columns that are multiplied.
    """

    columns: tuple[tuple[str, str], ...]
    label: str | None
    weight: str | None
    bits: int
    missing: str
    ngrams: int = 1
    presence: bool = False
    group: str | None = None
    id: str | None = None
    declared: tuple[str, ...] = ()
    groups: Groups = ()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Every column of numbers, and how many features it has."""
        hashed = ("word", *BAGS)
        return {name: _width(kind) for name, kind in self.columns if kind not in hashed}

    @cached_property
    def dates(self) -> dict[str, int]:
        """Every column of dates, and which of the features is its first."""
        before = accumulate(self.numbers.values(), initial=0)
        first = dict(zip(self.numbers, before, strict=False))
        return {name: first[name] for name, kind in self.columns if kind == "date"}

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The columns that are no features, but the label, the weight, group or id."""
        roles = (self.label, self.weight, self.group, self.id)
        return tuple(name for name in roles if name is not None)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The columns of words."""
        return tuple(name for name, kind in self.columns if kind == "word")

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The columns of text, and of lists of words."""
        return tuple(name for name, kind in self.columns if kind in BAGS)

    @cached_property
    def n_numbers(self) -> int:
        """How many features are numbers."""
        return len(self.number_names) + len(self.products)

    @cached_property
    def places(self) -> dict[str, tuple[int, ...]]:
        """Which of the features each column of numbers has, before products."""
        at, width = 0, sum(self.numbers.values())
        found: dict[str, tuple[int, ...]] = {}
        for k, (name, wide) in enumerate(self.numbers.items()):
            more = (width + k,) if self.indicates else ()
            found[name] = (*range(at, at + wide), *more)
            at += wide
        return found

    @cached_property
    def products(self) -> tuple[tuple[int, ...], ...]:
        """The numbers that are multiplied: each product is a number, too."""
        plain = (group for group in self.groups if group not in self.crossed)
        return tuple(x for group in plain for x in choices(group, self.places))

    @cached_property
    def crossed(self) -> Groups:
        """The groups in which a column is of words or text."""
        return tuple(x for x in self.groups if not self.places.keys() >= set(x))

    @property
    def indicates(self) -> bool:
        """Whether a column has a feature that says where its number is missing."""
        return self.missing == "indicator"

    @cached_property
    def number_names(self) -> list[str]:
        """The names of the features that are numbers, before products."""
        named: list[str] = []
        for name, kind in self.columns:
            if kind.startswith("vector"):
                named += [f"{name}[{i}]" for i in range(_width(kind))]
            elif kind == "date":
                named += date_names(name)
            elif kind not in ("word", *BAGS):
                named.append(name)
        if self.indicates:
            named += [f"{name} is missing" for name in self.numbers]
        return named

    def names(self) -> list[str]:
        """The names of the features that are numbers."""
        named = self.number_names
        return [*named, *("*".join(named[j] for j in x) for x in self.products)]


def decide(
    batch: RecordBatch,
    options: ReadOptions,
    where: str,
    *,
    header: bool,
    labelled: bool,
    direct: int = 0,
) -> tuple[Layout, ReadOptions]:
    """The layout of a table, from its first record batch; and the options that say it.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        The first rows.
    options : ReadOptions
        What was asked for. Where it names the columns, the table must have those;
        others are left out.
    where : str
        The name of the file, for messages.
    header : bool
        Whether the columns have names of their own.
    labelled : bool
        Whether there must be a label.
    direct : int
        Bits of hashes where none are asked for and the columns of hashes are the
        numbers of features; 0: they get their numbers as they come.
    """
    names: list[str] = batch.schema.names
    no_twins(names, where)
    label = _label(names, options, where, header=header, labelled=labelled)
    columns = options.columns
    learned = columns is not None and not labelled  # rows to predict need no weights
    weight, group, called = (
        None
        if wanted is None or (learned and role != "id" and wanted not in names)
        else find_column(names, wanted, role, where)
        for role, wanted in (
            ("weight", options.weight),
            ("group", options.group),
            ("id", options.id),
        )
    )
    left_out = {label, weight, group, called, *options.ignore}
    if columns is None:
        inner = tuple(f"{name}." for name in options.ignore)
        objects = [name for name in names if inner and name.startswith(inner)]
        left_out.update(objects)
        learned = labelled or options.format is None  # files to predict may lack some
        for name in (*options.declared, *options.ignore) if learned else ():
            there = any(field.startswith(f"{name}.") for field in objects)
            if not there and (labelled or name != options.label):
                find_column(names, name, "column", where)
        columns = tuple(
            (name, _first_kind(name, _column(batch, k, where), options, where))
            for k, name in enumerate(names)
            if name not in left_out
        )
    find_columns(names, [name for name, _ in columns], where)
    if not columns:
        raise ValueError(f"{where}: there are no columns but the label")
    categorical = options.categorical
    kind = None if label is None else batch.column(label).type
    if label is not None and (is_words(kind) or is_dates(kind)):
        categorical = tuple(dict.fromkeys((*categorical, label)))  # words from now on
    bits = options.bits or direct or WIDE
    crossed = fields_of(options.interactions, left_out)
    refuse_unknown(crossed, dict(columns), where)
    layout = Layout(
        columns,
        label,
        weight,
        bits,
        options.missing,
        options.ngrams,
        options.presence,
        group,
        called,
        options.numbers,
        expanded(crossed, dict(columns)),
    )
    if layout.products:
        no_twins(layout.names(), where)
    return layout, replace(
        options,
        columns=columns,
        label=options.label if label is None else label,
        weight=weight,
        group=group,
        id=called,
        bits=bits,
        categorical=categorical,
    )


def same_kinds(
    batch: RecordBatch, layout: Layout, options: ReadOptions, where: str
) -> None:
    """Check that a further table has the columns of the first, of the same kinds."""
    names: list[str] = batch.schema.names
    find_columns(names, [*layout.roles, *dict(layout.columns)], where)
    at = {name: k for k, name in enumerate(names)}
    for name, kind in layout.columns:
        column = _column(batch, at[name], where)
        now = _kind(name, column, options, where)
        alike = {now, kind} <= {"number", "flag"} or (now, kind) == ("word", "date")
        alike = alike or (kind == "word" and now != "words") or _is(column.type, "null")
        if kind != now and not alike:
            came = {"words": "lists of words"}.get(now, f"{now}s")
            raise ValueError(
                f"{where}: column {name!r} holds {came}, but it was a {kind} before"
            )


def _label(
    names: list[str], options: ReadOptions, where: str, *, header: bool, labelled: bool
) -> str | None:
    if options.label is not None:
        if not labelled and options.label not in names:
            return None
        return find_column(names, options.label, "label", where)
    for name in names:
        if header and name.lower() in LABELS:
            return name
    if not labelled:
        return None
    if not header:
        return names[0]
    raise ValueError(
        f"{where}: which column is the label? Say --label (in Python: y=), one "
        f"of {listed(names)}"
    )


def _column(batch: RecordBatch, k: int, where: str) -> ArrowColumn:
    try:
        return batch.column(k)
    except KeyError:  # Arrow knows types that pyarrow does not
        name = batch.schema.names[k]
        raise ValueError(f"{where}: column {name!r} is of an unknown type") from None


def _first_kind(
    name: str, column: ArrowColumn, options: ReadOptions, where: str
) -> str:
    """The kind of a column by the first rows; a text is not one of numbers."""
    kind = _kind(name, column, options, where)
    if kind == "text" and _spells(column, lambda x: x not in MISSING and is_number(x)):
        raise ValueError(
            f"{where}: column {name!r} holds numbers, and it is declared a text "
            f"(--categorical {name} makes words of them)"
        )
    return kind


def _kind(name: str, column: ArrowColumn, options: ReadOptions, where: str) -> str:
    kind, declared = column.type, options.declared.get(name)
    value = kind.value_type if _is(kind, "dictionary") else kind
    found = _plain_kind(column, value)
    if not found and is_list(kind):
        if is_words(kind.value_type):
            found = "words"
        elif _is_number(kind.value_type):
            found = f"vector:{_length(column)}"
    if not found:
        raise ValueError(
            f"{where}: column {name!r} holds {kind}, which is no number, date, word or "
            f"vector: leave it out (--ignore {name}; of a frame, drop it)"
        )
    if declared is None or _is(value, "null"):
        return declared or found
    if found not in HELD[declared] and not is_words(value):
        hint = f" (--categorical {name} makes words of them)"
        raise ValueError(
            f"{where}: column {name!r} holds {kind}, and it is declared a {declared}"
            f"{hint if found == 'number' else ''}"
        )
    kept = (found, declared) in (("words", "word"), ("flag", "number"))
    return found if kept else declared


def _plain_kind(column: ArrowColumn, value: ArrowType) -> str:
    """What a column of such values is, where one value is one thing; else ""."""
    if is_words(value):
        return "date" if _spells(column, is_date) else "word"
    if _is(value, "boolean"):
        return "flag"
    return "number" if _is_number(value) else "date" if is_dates(value) else ""


def _length(column: ArrowColumn) -> int:
    """How long the lists of a column are."""
    if _is(column.type, "fixed_size_list"):
        return column.type.list_size
    widths = arrow("compute").list_value_length(column).drop_null()
    return int(widths[0].as_py()) if len(widths) else 0


def _spells(column: ArrowColumn, what: Callable[[str], bool]) -> bool:
    """Whether the first words of a column are all dates, or numbers."""
    if not is_words(column.type):
        return False  # as of a dictionary, which is one of categories
    some: list[str | None] = column[:LOOKED_AT].to_pylist()
    known = [word for word in some if word]
    return bool(known) and all(map(what, known))


def is_words(kind: ArrowType | None) -> bool:
    """Whether a column of this type holds words."""
    return kind is not None and _is(kind, "string", "large_string", "string_view")


def is_dates(kind: ArrowType | None) -> bool:
    """Whether a column of this type holds dates, with times or without."""
    return kind is not None and _is(kind, "date", "timestamp")


def is_list(kind: ArrowType) -> bool:
    """Whether a column of this type holds lists."""
    return _is(kind, "list", "large_list", "fixed_size_list")


def _is_number(kind: ArrowType) -> bool:
    return _is(kind, "integer", "floating", "decimal", "null")


def _is(kind: ArrowType, *names: str) -> bool:
    """Whether an Arrow type is one of these."""
    types = arrow("types")
    return any(getattr(types, f"is_{name}")(kind) for name in names)


def _width(kind: str) -> int:
    return WIDTH if kind == "date" else int(kind.partition(":")[2] or 1)
