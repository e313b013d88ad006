"""Names of features, of which there may be millions, as a few arrays.

Strings are one blob of UTF-8 and where each ends; whole numbers are numbers; a mixture
of anything else that JSON can say is a blob of JSON texts. So names cost their letters
and eight bytes each, and come back equal to what they were.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...parts.documents import Document
from ..feature_names import MetNames, Names
from .checks import Range, checked_array
from .trees import Arrays, from_plain, to_plain


class KeptNames(NamedTuple):
    """Names that are packed once they are written: who waits for a lock need not."""

    names: tuple[Hashable, ...] | Mapping[int, Hashable]

    def packed(self) -> Document | None:
        """What a file holds."""
        return pack_names(self.names)


def pack_names(
    names: Sequence[Hashable] | Mapping[int, Hashable] | None,
) -> Document | None:
    """Names, or names by number, as a tree of arrays; None for none.

    Raises ``ValueError`` where a name is neither a string, a number, a boolean, None
    nor a tuple of them.
    """
    if names is None:
        return None
    if isinstance(names, MetNames):
        plain = pack_names(tuple(names))
        return {"coding": "hashed", "columns": names.columns, "names": plain}
    if isinstance(names, Mapping):
        places = np.array(list(names), np.int64)
        return {
            "coding": "by number",
            "at": places,
            "names": pack_names([*names.values()]),
        }
    if all(isinstance(name, str) for name in names):
        return {"coding": "text", **_blob([str(name) for name in names])}
    if all(type(name) is int and -(2**63) <= name < 2**63 for name in names):
        return {"coding": "integers", "numbers": np.array(names, np.int64)}
    texts = [json.dumps(to_plain(name, Arrays(), "a feature's name")) for name in names]
    return {"coding": "json", **_blob(texts)}


def unpack_names(
    tree: Document | KeptNames | None,
) -> Names | None:
    """The names that :func:`pack_names` packed."""
    if tree is None or isinstance(tree, KeptNames):
        return tree and tree.names
    if tree["coding"] == "hashed":
        names = unpack_names(tree["names"])
        columns = checked_array(tree, "columns", np.int32, holds=Range(0, 2**31 - 1))
        if np.unique(columns).size < columns.size:
            raise ValueError("it has met a feature twice")
        return MetNames(names or (), columns)
    if tree["coding"] == "by number":
        places = checked_array(tree, "at", np.int64).tolist()
        names = unpack_names(tree["names"])
        if not isinstance(names, tuple) or len(names) != len(places):
            raise ValueError("it has not as many names as places for them")
        return dict(zip(places, names, strict=True))
    if tree["coding"] == "integers":
        return tuple(checked_array(tree, "numbers", np.int64).tolist())
    texts = _texts(tree)
    if tree["coding"] == "text":
        return tuple(texts)
    if tree["coding"] != "json":
        raise ValueError(f"names are coded in an unknown way, {tree['coding']!r:.40}")
    return tuple(_hashable(from_plain(json.loads(text), Arrays())) for text in texts)


def _blob(texts: list[str]) -> Document:
    # A name read from a file that is not quite UTF-8 may hold lone surrogates.
    coded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(each) for each in coded], dtype=np.int64)
    return {"bytes": np.frombuffer(b"".join(coded), np.uint8), "ends": ends}


def _texts(tree: Document) -> list[str]:
    blob = checked_array(tree, "bytes", np.uint8).tobytes()
    ends = checked_array(tree, "ends", np.int64)
    starts = np.r_[0, ends]
    if starts[-1] != len(blob) or (np.diff(starts) < 0).any():
        raise ValueError("the ends of its names are not in order")
    bounds = starts.tolist()
    return [
        blob[bounds[i] : bounds[i + 1]].decode("utf-8", "surrogatepass")
        for i in range(ends.size)
    ]


def _hashable(name: object) -> Hashable:
    if not isinstance(name, Hashable):
        raise TypeError(f"{name!r:.40} cannot be a name")
    hash(name)  # TypeError where a part of it cannot be
    return name
