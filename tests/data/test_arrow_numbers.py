"""Numbers of Arrow by their buffers, beside what pyarrow itself makes of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from regretless.data.formats.arrow_numbers import (
    column_of,
    floats_of,
    letters_of,
    missing_of,
    text_column,
)

KINDS = [
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *("float16", "float32", "float64", "bool_"),
]
SLICES = [slice(None), slice(3, 9), slice(9, 9), slice(8, None)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("some", SLICES)
def test_numbers_are_those_of_arrow(kind: str, gaps: bool, some: slice) -> None:
    values = [0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1]
    given = [None if gaps and k % 5 == 2 else v for k, v in enumerate(values)]
    floats = pa.array(given, pa.float64())
    column = pa.array(given).cast(getattr(pa, kind)())[some]
    expected = floats[some].to_numpy(zero_copy_only=False)
    np.testing.assert_array_equal(floats_of(column, missing=np.nan), expected)
    zeros = np.nan_to_num(expected, nan=0.0)
    np.testing.assert_array_equal(floats_of(column), zeros)
    np.testing.assert_array_equal(missing_of(column), np.isnan(expected))


@pytest.mark.parametrize("column", [pa.nulls(3), pa.array([], pa.null())])
def test_columns_without_anything(column: pa.Array) -> None:
    assert floats_of(column, missing=7.0).tolist() == [7.0] * len(column)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("some", SLICES)
def test_letters_are_those_of_the_words(kind: pa.DataType, some: slice) -> None:
    words = ["red", "", "blå", "日本"] * 3
    begins, letters = letters_of(pa.array(words, kind)[some])
    found = [letters[first:last].tobytes().decode() for first, last in pairwise(begins)]
    assert found == words[some]


@pytest.mark.parametrize("kind", [np.float64, np.int64, np.int32])
def test_columns_of_numbers(kind: type) -> None:
    numbers = np.arange(10, dtype=kind)[::2]
    expected = pa.array(numbers.tolist(), pa.from_numpy_dtype(kind))
    assert column_of(numbers).equals(expected)


@pytest.mark.parametrize("texts", [[], ["red", "", "blå"]])
def test_columns_of_texts(texts: list[str]) -> None:
    assert text_column(texts).equals(pa.array(texts, pa.string()))
