"""NumPy archives: a matrix and its labels. They are read whole, not streamed.

``X`` and ``y``, or what ``scipy.sparse.save_npz`` writes together with ``y``; the names
of columns may stand in ``names``.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from io import BytesIO

import numpy as np

from ...errors import did_you_mean
from ..chunk import Array, Chunk, Lines, Piece
from ..encoding.sparse import CompressedRows, canonical_rows, kernel_rows
from ..input_files import InputFile
from ..pyarrow_import import READING
from ..row_errors import Faults
from .readers import Reader
from .tabular import ROWS

LABELS = ("y", "label", "labels", "target")
MEMBERS = {
    "coo": ("row", "col"),
    "csr": ("indices", "indptr"),
    "csc": ("indices", "indptr"),
}
# What reading a damaged archive may raise.
DAMAGED = (*READING, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


class NpzReader(Reader):
    """NumPy archives."""

    def start(self) -> None:
        """No archive is open."""
        self._opened: tuple[str, Array | CompressedRows, Array] | None = None

    def n_rows(self, place: InputFile) -> int | None:
        """As many as the matrix has."""
        return self._open(place)[0].shape[0]

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Slices of the matrix."""
        matrix, labels = self._open(place)
        width = matrix.shape[1]
        if self.n_features not in (None, width):
            raise ValueError(
                f"{place.name}: it has {width} columns, but the files before have "
                f"{self.n_features}"
            )
        self.n_features = width
        for begin in range(at, matrix.shape[0], ROWS):
            end = min(begin + ROWS, matrix.shape[0])
            place.portion = end / matrix.shape[0]
            yield Piece((matrix[begin:end], labels[begin:end]), begin, end)
        self._opened = None

    def parse(self, piece: Piece) -> Chunk:
        """The rows of a slice."""
        matrix, labels = piece.data
        n, width = matrix.shape
        faults, rows = Faults(n), kernel_rows(matrix)
        faults.check_finite(rows)
        lines: Lines = np.arange(1, n + 1, dtype=np.int64)
        return faults.drop(Chunk(rows, labels, width, lines, n))

    def _open(self, place: InputFile) -> tuple[Array | CompressedRows, Array]:
        """The matrix and the labels of an archive."""
        if self._opened is None or self._opened[0] != place.name:
            try:
                with closing(place.random()) as file:
                    stored = BytesIO(file.read())
                with np.load(stored, allow_pickle=False) as archive:
                    arrays = dict(archive.items())
            except DAMAGED as error:
                if str(error).startswith(place.name):
                    raise
                what = "it is not an archive of NumPy arrays (without objects)"
                raise ValueError(f"{place.name}: {what}") from None
            self._opened = place.name, *self._arrays(arrays, place)
        return self._opened[1:]

    def _arrays(
        self, arrays: dict[str, Array], place: InputFile
    ) -> tuple[Array | CompressedRows, Array]:
        matrix = _matrix(arrays, place.name)
        key = self.options.label
        if key is None:
            key = next((name for name in LABELS if name in arrays), None)
        if key in arrays:
            self.options = replace(self.options, label=key)
            labels = _labels(arrays[str(key)], f"{place.name}: the labels {key!r}")
        elif self.wanted.labelled:
            raise ValueError(
                f"{place.name}: there are no labels {key or 'y'!r}"
                f"{did_you_mean(key, arrays)}; the arrays are {', '.join(arrays)}"
            )
        else:
            labels = np.full(matrix.shape[0], np.nan)
        if labels.size != matrix.shape[0]:
            raise ValueError(
                f"{place.name}: X has {matrix.shape[0]:,} rows but y has "
                f"{labels.size:,} labels"
            )
        if "names" in arrays:
            self.named = [*map(str, arrays["names"].tolist())]
            if arrays["names"].ndim != 1 or len(self.named) != matrix.shape[1]:
                raise ValueError(f"{place.name}: names are not one a column of X")
        return matrix, labels


def _labels(labels: Array, where: str) -> Array:
    """Numbers, or words; missing ones are nan or None."""
    if labels.size != max(labels.shape, default=1):
        raise ValueError(f"{where} have the shape {labels.shape}, not one a row")
    kind = labels.dtype.kind
    if kind in "US":
        words = labels.reshape(-1).astype(np.str_).tolist()
        return np.array([word or None for word in words], object)
    if kind not in "buif":
        raise ValueError(f"{where} hold {labels.dtype}, not numbers or words")
    return labels.reshape(-1).astype(np.float64)


def _matrix(arrays: dict[str, Array], where: str) -> Array | CompressedRows:
    """The rows, as a dense or a compressed sparse matrix."""
    if "X" in arrays:
        matrix = arrays["X"]
        if matrix.ndim != 2 or matrix.dtype.kind not in "buif":
            raise ValueError(f"{where}: X is not a matrix of numbers")
        return matrix
    if not {"format", "shape", "data"} <= set(arrays):
        raise ValueError(
            f"{where}: there is neither X nor a sparse matrix; "
            f"the arrays are {', '.join(arrays)}"
        )
    from scipy import sparse

    kind = str(arrays["format"].astype(np.str_))
    for name in MEMBERS.get(kind, ()):
        if name not in arrays:
            raise ValueError(
                f"{where}: there is no array {name!r} of a {kind} matrix; "
                f"the arrays are {', '.join(arrays)}"
            )
    shape = tuple(arrays["shape"].tolist())
    data = arrays["data"]
    if len(shape) != 2 or data.dtype.kind not in "buif":
        raise ValueError(f"{where}: data are not a matrix of numbers")
    if kind not in MEMBERS:
        raise ValueError(f"{where}: sparse format {kind!r:.40}: save it as csr")
    first, second = (arrays[name] for name in MEMBERS[kind])
    try:
        stored = (data, (first, second)) if kind == "coo" else (data, first, second)
        matrix = getattr(sparse, f"{kind}_array")(stored, shape=shape)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise ValueError(f"{where}: it is not a sparse matrix: {error}") from None
    return canonical_rows(matrix, f"{where}: the matrix")
