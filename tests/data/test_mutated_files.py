"""Files that went wrong: refused in one line, or read as others read them.

``python -m benchmarks.mutated`` does the same at length, in processes of their own.
"""

from __future__ import annotations

import warnings

import pytest

import mutated_files
from file_forms import opened

INPUTS = 150


@pytest.mark.parametrize("kind", mutated_files.MAKE)
def test_mutated(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas and scipy, about the same files
        for number in range(INPUTS):
            data = mutated_files.made(kind, number)
            path.write_bytes(data)
            found.append(mutated_files.check(kind, path, data))
    assert {"the same", "refused"} == set(found)


def test_a_header_that_ends_in_a_carriage_return(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"label,a\r1,2\n0,3\n")
    (batch,) = opened(path).batches()
    assert batch.rows.values.tolist() == [2, 3]


def test_a_byte_order_mark_inside_is_a_letter(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"label,a\n\xef\xbb\xbfyes,2\nno,3\n")
    source = opened(path)
    list(source.batches())
    assert source.classes == ("no", "\ufeffyes")


def test_a_type_of_which_there_are_no_arrays_is_refused(tmp_path):
    path = tmp_path / "a.arrow"
    data = mutated_files.made("arrow", 69024)  # its column is of intervals in months
    path.write_bytes(data)
    assert mutated_files.check("arrow", path, data) == "refused"
