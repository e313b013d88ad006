"""Sealed rows: reserved by coins before the data are looked at, and judged at the end.

Each row is reserved with probability `share`, by a coin that belongs to what the row
says, but not to its label (or to the value of its group), and to a seed that is drawn
for the run: the same in every pass and after a resume, and copies of a row are sealed
together. What learns never sees a reserved row: not the labels, not the names, not the
task. So the model at the end is fixed before the reserved rows are scored, and which
ones they are depends on the coins alone.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

import numpy as np

from ..parts.rows import Dense, Longs
from ..parts.state import Floats
from .chunk import Chunk, Mask
from .row_content import chunk_keys, event_key
from .selection import kept_rows
from .time_units import in_units

MOST = 2**15  # rows of an iterable that are held in memory


def drawn_seed() -> int:
    """A seed that depends on nothing in the data."""
    return secrets.randbits(31)


def checked_share(share: object) -> float:
    """A share of the rows: between 0 and 1, or a string such as "5%"."""
    try:
        text = str(share).strip()
        found = float(text[:-1]) / 100.0 if text.endswith("%") else float(text)
    except ValueError:
        found = float("nan")
    if not 0.0 < found < 1.0:
        raise ValueError(f"seal={share!r}: the share of the rows to seal, such as 5%")
    return found


class Seal:
    """The coins.

    Parameters
    ----------
    share : float or str
        Of the rows (or of the groups) that are reserved.
    seed : int
        Another one seals other rows.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.data.sealed_rows import Seal
    >>> seal, keys = Seal("5%", seed=1), np.arange(100_000)
    >>> int(seal.reserved(keys).sum())
    5060
    >>> bool((seal.reserved(keys[::-1])[::-1] == seal.reserved(keys)).all())
    True
    """

    def __init__(self, share: float | str, seed: int) -> None:
        self.share = checked_share(share)
        self.seed = seed

    def reserved(self, keys: Longs) -> Mask:
        """Which rows are reserved, by the numbers of their content."""
        return self.coins(keys) < self.share

    def reserved_groups(self, values: Iterable[object]) -> Mask:
        """Which rows are reserved with their group, by the value of that."""
        known: dict[str, bool] = {}
        found: list[bool] = []
        for value in map(str, values):
            if value not in known:
                drawn = hashlib.blake2b(f"{self.seed} {value}".encode(), digest_size=8)
                coin = int.from_bytes(drawn.digest(), "little") / 2.0**64
                known[value] = coin < self.share
            found.append(known[value])
        return np.array(found, np.bool_)

    def coins(self, keys: Longs) -> Floats:
        """Numbers in [0, 1), one a row: SplitMix64 of its content and the seed."""
        with np.errstate(over="ignore"):
            z = np.asarray(keys, np.int64).view(np.uint64)
            z = z + np.uint64(1) + np.uint64(self.seed % 2**31 << 32)
            z = z * np.uint64(0x9E3779B97F4A7C15)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            z = z ^ (z >> np.uint64(31))
        return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


class SealFilter:
    """One side of a sealed stream of files: what is learned, or what is reserved.

    It is taken before names get their numbers and labels their codes: a source of the
    rows to learn is the source of a file in which the others are missing.

    Parameters
    ----------
    seal : Seal
        The coins.
    reserved : bool
        Which side.
    unit : str or None
        The unit of time in which the dates of groups lie.
    """

    def __init__(self, seal: Seal, *, reserved: bool, unit: str | None = None) -> None:
        self._seal = seal
        self._reserved = reserved
        self._unit = unit

    def take(self, chunk: Chunk, *, told: bool) -> Chunk:
        """The rows of this side, of what a reader has parsed next.

        Where `told`, the chunk says which rows are on the other side.
        """
        if chunk.groups is not None:
            groups = in_units(chunk.groups, self._unit)
            chunk = chunk._replace(groups=groups)
            sealed = self._seal.reserved_groups(groups)
        else:
            sealed = self._seal.reserved(chunk_keys(chunk))
        keep = sealed if self._reserved else ~sealed
        part = _forgotten(chunk, keep)
        if not told:
            return part
        tags = None if chunk.tags is None else chunk.tags[~keep]
        return part._replace(sealed=(chunk.lines[~keep], tags))


def _forgotten(chunk: Chunk, keep: Mask) -> Chunk:
    """The rows where `keep` is true, numbered and as wide as if no others came."""
    chunk = kept_rows(chunk, keep)
    if isinstance(chunk.rows, Dense):
        return chunk
    columns, names = chunk.rows.columns, chunk.names
    widest = int(columns.max(initial=-1)) + 1
    if chunk.local:
        came = dict.fromkeys(columns.tolist())
        places = np.zeros(len(names), np.int32)
        places[[*came]] = np.arange(len(came))
        chunk = chunk._replace(
            rows=chunk.rows._replace(columns=places[columns]),
            names=[(j, names[k][1]) for j, k in enumerate(came)],
        )
    return chunk._replace(n_features=min(chunk.n_features, widest))


class SealedSample(Iterator[object]):
    """Events without the sealed ones, of which at most `most` are held.

    Where there is no more room, those with the largest coin are learned, and all rows
    with such a coin from then on. So memory is bounded, and still only coins decide
    what is sealed at the end.

    Parameters
    ----------
    events : iterable
        All of them, once.
    seal : Seal
        The coins.
    most : int
        How many are held.
    """

    def __init__(self, events: Iterable[object], seal: Seal, most: int = MOST) -> None:
        self._held: dict[float, list[object]] = {}
        self._events = events
        self._seal = seal
        self._most = most
        self._rest = self._learned()

    @property
    def held(self) -> list[object]:
        """The sealed events."""
        return [event for events in self._held.values() for event in events]

    def __next__(self) -> object:
        return next(self._rest)

    def _learned(self) -> Iterator[object]:
        limit, held = self._seal.share, 0
        for event in self._events:
            pair = isinstance(event, tuple | list)
            key = event_key(cast("Sequence[object]", event)[0] if pair else event)
            coin = float(self._seal.coins(np.array([key]))[0])
            if coin >= limit:
                yield event
                continue
            self._held.setdefault(coin, []).append(event)
            held += 1
            while held > self._most:
                limit = max(self._held)
                made_room = self._held.pop(limit)
                held -= len(made_room)
                yield from made_room
