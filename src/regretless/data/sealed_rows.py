"""Sealed rows: reserved by coins before anybody looks, and judged by once, at the end.

Each row is reserved with probability `share`, by a coin that belongs to its position
(or to the value of its group) and to nothing else: the same in every pass and after a
resume. Whatever learns never sees a reserved row: not the labels, not the names, not
the task. So the model at the end is fixed before the reserved rows are scored, and how
many there are depends on the coins alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np

from ..parts.state import Floats
from .chunk import Mask
from .parsed import Parsed

__all__ = ["Seal", "SealedSample", "Side", "checked_share"]

MOST = 2**15  # rows of an iterable that are held in memory


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
    >>> from regretless.data.sealed_rows import Seal
    >>> seal = Seal("5%")
    >>> int(seal.reserved(0, 100_000).sum())
    4913
    >>> bool(seal.reserved(17, 1)[0] == seal.reserved(0, 100)[17])
    True
    """

    def __init__(self, share: float | str, seed: int = 0) -> None:
        self.share = checked_share(share)
        self.seed = seed

    def reserved(self, first: int, n: int) -> Mask:
        """Which of `n` rows, the first of which has this number, are reserved."""
        return self.coins(first, n) < self.share

    def kept(self, first: int, n: int) -> Mask:
        """Which of them are not."""
        return ~self.reserved(first, n)

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

    def coins(self, first: int, n: int, salt: int = 0) -> Floats:
        """Numbers in [0, 1), one a row: SplitMix64 of its number and the seed."""
        with np.errstate(over="ignore"):
            z = np.arange(first, first + n, dtype=np.uint64)
            z = z + np.uint64(1) + np.uint64((self.seed * 2 + salt) % 2**31 << 32)
            z = z * np.uint64(0x9E3779B97F4A7C15)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            z = z ^ (z >> np.uint64(31))
        return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


class Side:
    """One side of a sealed stream of files: what is learned, or what is reserved.

    It is taken before names get their numbers and labels their codes: a source of the
    rows to learn is the source of a file in which the others are missing.

    Parameters
    ----------
    seal : Seal
        The coins.
    reserved : bool
        Which side.

    Attributes
    ----------
    position : int
        How many rows have come, of both sides.
    told : bool
        Whether chunks say which rows are on the other side.
    """

    def __init__(self, seal: Seal, *, reserved: bool) -> None:
        self.position = 0
        self._seal = seal
        self._reserved = reserved
        self.told = False

    def take(self, parsed: Parsed) -> Parsed:
        """The rows of this side, of what a reader has parsed next."""
        chunk = parsed.chunk
        n = chunk.lines.size
        if chunk.groups is not None:
            sealed = self._seal.reserved_groups(chunk.groups)
        else:
            sealed = self._seal.reserved(self.position, n)
        self.position += n
        keep = sealed if self._reserved else ~sealed
        part = parsed.kept(keep)
        if not self.told:
            return part
        tags = None if chunk.tags is None else chunk.tags[~keep]
        left = part.chunk._replace(sealed=(chunk.lines[~keep], tags))
        return part._replace(chunk=left)


class SealedSample(Iterator[object]):
    """Events without the sealed ones, of which the latest held are at most `most`.

    Where there is no more room, a coin decides which one makes room: it is learned
    then. So memory is bounded, and still only coins decide what is sealed at the end.

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
        self.held: list[object] = []
        self._events = events
        self._seal = seal
        self._most = most
        self._rest = self._learned()

    def __next__(self) -> object:
        return next(self._rest)

    def _learned(self) -> Iterator[object]:
        drawn = 0
        for number, event in enumerate(self._events):
            if not self._seal.reserved(number, 1)[0]:
                yield event
                continue
            drawn += 1
            if len(self.held) < self._most:
                self.held.append(event)
                continue
            place = int(self._seal.coins(number, 1, salt=1)[0] * drawn)
            if place >= self._most:
                yield event
                continue
            yield self.held[place]
            self.held[place] = event
