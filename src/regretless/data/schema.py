"""What the fields of a row mean: the same in files, frames, dicts and models."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self, cast

from ..errors import did_you_mean
from ..parts.documents import Document
from ..parts.reprs import call
from .interactions import ANY, Groups, fields_of
from .time_units import UNITS, split_unit

KINDS = {
    "numbers": "number",
    "categorical": "word",
    "text": "text",
    "dates": "date",
}
LISTS = (*KINDS, "ignore")
ROLES = ("label", "weight", "group", "id")
CHOICES: dict[str, tuple[object, ...]] = {
    "missing": ("zero", "indicator", "refuse"),
    "group_unit": (None, *UNITS),
}
UNSAID = frozenset(("threads",))  # how to go about it, not what is read


@dataclass(frozen=True, repr=False)
class Schema:
    """What the fields of a row mean, and how they become features.

    It holds however rows come in: as lines of a file, rows of a frame, dicts, or events
    one at a time. A field that is not named here is what its first values say, and
    stays it: its column in a table, elsewhere its first value. What is found is kept.

    Parameters
    ----------
    numbers : tuple of str
        Fields of numbers, which may be spelled; what is none is refused.
    categorical : tuple of str
        Fields whose values are names of categories, also where they look like numbers.
    text : tuple of str
        Fields of text: each of its words (lower-cased runs of letters, digits and
        underscores) is a feature ``name=word`` that counts how often it occurs.
    dates : tuple of str
        Fields of dates, with a time or without: each is four numbers.
    ignore : tuple of str
        Fields to leave out. In VW text: first letters of namespaces.
    interactions : tuple of str
        Products of the features of two or three fields: ``"item*city"``, or ``"user*"``
        for all pairs with one, and ``"*"`` for all pairs. Two numbers have the feature
        ``a*b``, a number and a word ``a*b=x``, two words ``a=x*b=y``. In VW text:
        first letters of namespaces.
    label : str, int or None
        The label column, by name or by number (from 0; -1 is the last). None: the
        column named label, target, y or class; in a table without names the first.
    weight : str, int or None
        The column of importance weights, from 0 on; a row without one is refused.
    group : str, int or None
        The column that says which rows belong together, such as a user or a day. It is
        no feature: rows are sealed by it. None: every row is on its own.
    group_unit : str or None
        Of a group column of dates: "hour", "day", "week" or "month", the rows of which
        belong together; ``group="when:day"`` says the same.
    id : str, int or None
        The column that names each row, such as a customer's number: predictions have it
        too. It is no feature. None: rows are called by their number.
    missing : {"zero", "indicator", "refuse"}
        A missing number is 0, as if the row had no such feature ("zero"); that, and a
        feature ``name is missing`` of its own ("indicator"); or makes a bad row
        ("refuse"). A missing category is a category of its own, ``name=``.
    bits : int or None
        Words are hashed to ``2**bits`` columns; None: so many that they hardly ever
        share one. Of JSON lines, dicts and events all names are, numbers too; None:
        they are not.
    ngrams : int
        Up to so many words that follow each other are a feature as well, with blanks
        between them; 1: words only.
    presence : bool
        A word is 1 where it occurs, however often.
    columns : tuple of (name, kind) or None
        The columns of a table that are features, in order: "number", "flag", "date",
        "word", "words", "text" or "vector:N". None: as found in the first rows.

    Examples
    --------
    >>> import regretless as rg
    >>> schema = rg.Schema(categorical=["sku"], text=["title"])
    >>> rows = [({"sku": 11, "title": "red shoes"}, 1), ({"sku": 12}, 0)] * 20
    >>> model = rg.play(rg.Panel(), rows, schema=schema).model("last")
    >>> sorted(model.named_weights())
    ['sku=11', 'sku=12', 'title=red', 'title=shoes']
    >>> rg.Schema.from_json(schema.to_json()) == schema
    True
    """

    numbers: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    interactions: tuple[str, ...] = ()
    label: str | int | None = None
    weight: str | int | None = None
    group: str | int | None = None
    group_unit: str | None = None
    id: str | int | None = None
    missing: str = "zero"
    bits: int | None = None
    ngrams: int = 1
    presence: bool = False
    columns: tuple[tuple[str, str], ...] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.group, str) and self.group_unit is None:
            column, unit = split_unit(self.group)
            object.__setattr__(self, "group", column)
            object.__setattr__(self, "group_unit", unit)
        for name, choices in CHOICES.items():
            one_of(name, getattr(self, name), choices)
        for name in (*LISTS, "interactions"):
            object.__setattr__(self, name, names_in(name, getattr(self, name)))
        if self.columns is not None:
            pairs = tuple((str(name), str(kind)) for name, kind in self.columns)
            object.__setattr__(self, "columns", pairs)
        within("bits", self.bits, 1, 30)
        within("ngrams", self.ngrams, 1, 8)
        if not isinstance(self.presence, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"presence={self.presence!r}: it is True or False")
        self._declared_once()
        _ = self.crossed

    def __repr__(self) -> str:
        return call(self)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kind of every field that is declared, or was found in a table."""
        return self.declared if self.columns is None else dict(self.columns)

    @cached_property
    def declared(self) -> dict[str, str]:
        """The kind of every field that is declared."""
        return {name: kind for of, kind in KINDS.items() for name in getattr(self, of)}

    @cached_property
    def crossed(self) -> Groups:
        """The fields of each interaction."""
        return fields_of(self.interactions, self.aside)

    @property
    def aside(self) -> tuple[str, ...]:
        """The fields that are no features."""
        roles = (self.label, self.weight, self.group, self.id)
        return (*self.ignore, *(role for role in roles if isinstance(role, str)))

    def found(self, kinds: Mapping[Hashable, str]) -> Self:
        """The same, with the words and dates that were found among fields."""
        known = self.kinds
        more = [(name, kind) for name, kind in kinds.items() if name not in known]
        lists = {
            of: (*getattr(self, of), *(str(name) for name, kind in more if kind == its))
            for of, its in KINDS.items()
        }
        return replace(self, **lists) if more else self

    def expect(
        self, names: Iterable[object], *roles: str | int | None, where: str = ""
    ) -> None:
        """Refuse a field that no row has, if one of a like name is not declared."""
        if self.columns is not None:
            return
        there = {str(name): None for name in names}
        named = (role for role in roles if isinstance(role, str))
        crossed = (name for group in self.crossed for name in group if name != ANY)
        declared = [*self.kinds, *self.ignore, *crossed, *named]
        others = [x for x in there if x not in declared and x not in self.aside]
        for name in declared if others else ():
            near = did_you_mean(name, others)
            if near and name not in there and name.partition(".")[0] not in there:
                raise ValueError(f"{where}there is no field {name!r}{near}")

    def as_dict(self) -> Document:
        """What differs from the defaults, as JSON takes it."""
        plain: Document = {}
        for field in fields(self):
            value: object = getattr(self, field.name)
            if value != field.default and field.name not in UNSAID:
                plain[field.name] = _plain(value)
        return plain

    @classmethod
    def from_dict(cls, plain: Document) -> Self:
        """What :meth:`as_dict` wrote down."""
        known = {field.name for field in fields(cls)}
        for name in plain:
            if name not in known:
                near = did_you_mean(name, known)
                raise ValueError(f"there is no {name!r} in a {cls.__name__}{near}")
        return cls(**plain)

    @classmethod
    def of_reading(cls, reading: Document) -> Schema:
        """What the fields of a model's data meant, of all that is kept of reading."""
        known = {field.name for field in fields(Schema)}
        return Schema.from_dict({k: v for k, v in reading.items() if k in known})

    def to_json(self) -> str:
        """The schema as a JSON object: what differs from the defaults."""
        return json.dumps(self.as_dict(), indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The schema that :meth:`to_json` wrote; ``ValueError`` if it is none."""
        try:
            found: object = json.loads(text)
        except ValueError as error:
            raise ValueError(f"a schema is a JSON object: {error}") from None
        if not isinstance(found, dict):
            raise ValueError(f"a schema is a JSON object, not {found!r:.40}")
        return cls.from_dict(cast("Document", found))

    def _declared_once(self, roles: tuple[str, ...] = ROLES) -> None:
        """Refuse a field that is declared to be two things."""
        seen: dict[str, str] = {}
        for of in (*LISTS, *roles):
            value: object = getattr(self, of)
            several = cast("tuple[object, ...]", value) if of in LISTS else (value,)
            for name in several:
                found = seen.setdefault(name, of) if isinstance(name, str) else of
                if found != of and (found, of) != ("categorical", "label"):
                    raise ValueError(f"{name!r} is in {found} and in {of}")


def one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Refuse what is not among the choices."""
    if value not in choices:
        listed = ", ".join(str(choice) for choice in choices if choice)
        raise ValueError(f"{name}={value!r}: it is one of {listed}")


def names_in(name: str, value: object) -> tuple[str, ...]:
    """A list of names; a single one is refused."""
    if isinstance(value, str):
        raise TypeError(f"{name}={value!r}: give a list of names, [{value!r}]")
    words: list[str] = []
    for item in cast("Iterable[object]", value):
        if not isinstance(item, str):
            raise TypeError(f"{name}={value!r}: it is a list of names")
        words.append(item)
    return tuple(words)


def within(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is no whole number in a range; None may stand for a default."""
    if value is None and name not in ("max_features", "ngrams"):
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}={value!r}: it is a whole number")
    if not low <= value <= high:
        raise ValueError(f"{name}={value}: it is from {low} to {high:,}")


def _plain(value: object) -> object:
    """A tuple, and tuples in it, as lists."""
    if not isinstance(value, tuple):
        return value
    return [_plain(item) for item in cast("tuple[object, ...]", value)]
