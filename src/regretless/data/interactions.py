"""Interactions: products of the features of two or three fields, as features.

``item*city`` has a feature for every feature of ``item`` and every one of ``city``:
both names with ``*`` between them, and the product of both values. So two numbers have
``a*b``, a number and a word ``a*b=x`` with the number's value, two words ``a=x*b=y``,
which is 1, and a text has one for each of its words. ``a*a`` is each pair of features
of one field once. ``user*`` is every pair with this one field, ``*`` every pair. What
is hashed is hashed by its name, as any other feature is. Products of 0 are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement, product
from typing import TypeAlias

from ..errors import did_you_mean

ANY = ""
"""Stands for any field."""

Groups: TypeAlias = tuple[tuple[str, ...], ...]


def fields_of(texts: Iterable[str], apart: Iterable[object]) -> Groups:
    """The fields of interactions; ValueError for what is none, or crosses `apart`."""
    apart, found = set(apart), dict[tuple[str, ...], tuple[str, ...]]()
    for text in texts:
        fields = (ANY, ANY) if text == "*" else tuple(text.split("*"))
        here = f"interactions: {text!r}"
        if len(fields) not in (2, 3):
            raise ValueError(f"{here} is not of two or three fields, such as 'a*b'")
        if text != "*" and (fields[0] == ANY or (len(fields) == 3 and ANY in fields)):
            raise ValueError(f"{here} has a field without a name: write 'a*b', or 'a*'")
        if len(fields) == 3 and fields[0] == fields[2] != fields[1]:
            raise ValueError(f"{here}: write '{fields[0]}*{fields[0]}*{fields[1]}'")
        for name in fields:
            if name in apart:
                raise ValueError(f"{here} crosses {name!r}, which is no feature")
        key = tuple(sorted(fields))
        if key in found:
            raise ValueError(f"{here} is there twice")
        found[key] = fields
    return tuple(found.values())


def expanded(
    groups: Iterable[tuple[str, ...]],
    names: Iterable[str],
    *,
    squares: bool = False,
) -> Groups:
    """The groups, those of any field written out; each is there once.

    With `squares` those of any field have pairs of a field with itself, too.
    """
    names = list(names)
    found: dict[object, tuple[str, ...]] = {}
    for group in groups:
        several: Iterable[tuple[str, ...]] = [group]
        if group == (ANY, ANY):
            pairs = combinations_with_replacement(names, 2)
            several = [pair for pair in pairs if squares or pair[0] != pair[1]]
        elif ANY in group:
            several = [(group[0], x) for x in names if squares or x != group[0]]
        for one in several:
            key = frozenset(one)
            found.setdefault(key if len(key) == len(one) else one, one)
    return tuple(found.values())


def choices(
    group: tuple[str, ...], places: Mapping[str, tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    """One place of each field of a group; of a field with itself, each pair once."""
    again = [k for k in range(1, len(group)) if group[k] == group[k - 1]]
    for chosen in product(*map(places.__getitem__, group)):
        if all(chosen[k - 1] <= chosen[k] for k in again):
            yield chosen


def refuse_unknown(groups: Groups, names: Iterable[str], where: str) -> None:
    """Raise ValueError where an interaction has a field that is not among these."""
    known = {ANY, *names}
    for group in groups:
        for name in group:
            if name not in known:
                what = f"the interaction {'*'.join(group)!r}: there is no field"
                near = did_you_mean(name, known)
                raise ValueError(f"{where}: {what} {name!r}{near}")
