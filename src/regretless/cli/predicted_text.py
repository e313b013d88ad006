"""Columns of predictions as text: CSV or JSON lines, a line a row.

Many rows are joined column by column by Arrow; a few by Python, which need not be
imported. Both write the same bytes: a number is the shortest text that reads back as
the same number.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .predicted_columns import Column

FEW = 1000  # rows that are not worth an import
FORMULA = "=+-@\t\r\n"  # what a spreadsheet computes begins so
NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")
Words = Callable[[str], str]


def csv_header(columns: list[Column], *, safe: bool = False) -> bytes:
    """The names of the columns."""
    word = _safe_csv_word if safe else _csv_word
    return (",".join(word(column.name) for column in columns) + "\n").encode()


def csv_lines(columns: list[Column], *, safe: bool = False) -> bytes:
    """The rows as CSV; what is not there is empty; `safe`: no text is a formula."""
    word = _safe_csv_word if safe else _csv_word
    return _lines(columns, word, "", [""] + [","] * (len(columns) - 1))


def json_lines(columns: list[Column]) -> bytes:
    """The rows as JSON objects, a line each; what is not there is null."""
    keys = [json.dumps(column.name, ensure_ascii=False) for column in columns]
    before = [f"{',' if k else '{'}{key}:" for k, key in enumerate(keys)]
    return _lines(columns, _json_word, "null", before, "}")


def _lines(
    columns: list[Column],
    word: Words,
    absent: str,
    before: list[str],
    end: str = "",
) -> bytes:
    """One line a row: what stands before each entry, and the entry."""
    n = len(columns[0].values)
    if n <= FEW:
        rows = zip(*(_plain_texts(one, word, absent) for one in columns), strict=True)
        lines = ["".join(map(str.__add__, before, row)) for row in rows]
        return "".join(f"{line}{end}\n" for line in lines).encode()
    from ..data.pyarrow_import import arrow

    pa, compute = arrow(), arrow("compute")
    texts: dict[str, Any] = {
        column.name: _arrow_texts(column, word, absent)
        for column in columns
        if column.name != "probability"
    }
    if len(texts) < len(columns):
        texts["probability"] = _chosen(columns, texts, absent)
    parts: list[Any] = []
    for column, text in zip(columns, before, strict=True):
        parts += [pa.scalar(text), texts[column.name]]
    joined = compute.binary_join_element_wise(*parts, pa.scalar(f"{end}\n"), "")
    _, offsets, letters = joined.buffers()
    size = int(np.frombuffer(offsets, np.int32)[n])
    return bytes(letters[:size])


def _chosen(columns: list[Column], texts: dict[str, Any], absent: str) -> Any:
    """The probability of the prediction: it stands in the column of that label."""
    from ..data.pyarrow_import import arrow

    named = {column.name: column for column in columns}
    prediction = named["prediction"]
    places = [texts[f"p_{label}"] for label in prediction.labels or ()]
    if not places:
        return _arrow_texts(named["probability"], str, absent)
    numbers = arrow().array(np.maximum(prediction.values, 0))
    found = arrow("compute").choose(numbers, *places)
    if (prediction.values < 0).any():
        known = arrow().array(prediction.values >= 0)
        return arrow("compute").if_else(known, found, absent)
    return found


def _plain_texts(column: Column, word: Words, absent: str) -> list[str]:
    """The entries of a few rows."""
    values = column.values
    if column.labels is not None:
        labels = [_label(label, word) for label in column.labels]
        return [absent if k < 0 else labels[k] for k in values.tolist()]
    if values.dtype == np.float64:
        return [shortest(x) if math.isfinite(x) else absent for x in values.tolist()]
    if values.dtype == np.int64:
        return [str(number) for number in values.tolist()]
    return [absent if one == "" else _label(one, word) for one in values.tolist()]


def _arrow_texts(column: Column, word: Words, absent: str) -> Any:
    """The entries of many rows, as an array of Arrow."""
    from ..data.pyarrow_import import arrow

    pa, compute = arrow(), arrow("compute")
    values = column.values
    if column.labels is not None:
        labels = [*(_label(label, word) for label in column.labels), absent]
        places = np.where(values < 0, len(labels) - 1, values)
        return pa.array(labels, pa.string()).take(pa.array(places))
    if values.dtype == object:
        plain = set(map(type, values)) == {str}
        found = pa.array(values if plain else [], pa.string())
        if not plain or _odd(found) or word is _safe_csv_word:
            return pa.array(_plain_texts(column, word, absent), pa.string())
        if not absent:
            return found
        mark = pa.scalar('"')  # JSON quotes every text
        quoted = compute.binary_join_element_wise(mark, found, mark, "")
        return compute.if_else(compute.equal(found, ""), absent, quoted)
    numbers = pa.array(values)
    texts = compute.cast(numbers, pa.string())
    if values.dtype == np.float64 and not np.isfinite(values).all():
        return compute.if_else(pa.array(np.isfinite(values)), texts, absent)
    return texts


def _odd(texts: Any) -> bool:
    """Whether any letter of the texts may have to be quoted or escaped."""
    _, _, letters = texts.buffers()
    if letters is None or not letters.size:
        return False
    data = letters.to_pybytes()
    small = bool((np.frombuffer(data, np.uint8) < 32).any())
    return small or any(letter in data for letter in (b'"', b",", b"\\"))


def _label(value: object, word: Words) -> str:
    """A label or an id: a text as a text, a number as a number."""
    if isinstance(value, str):
        return word(value)
    if isinstance(value, bool):
        return json.dumps(value) if word is _json_word else str(value)
    if isinstance(value, float):
        return shortest(value)
    return str(value) if isinstance(value, int) else word(str(value))


def _csv_word(text: str) -> str:
    if any(letter in text for letter in '",\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def _safe_csv_word(text: str) -> str:
    return _csv_word(no_formula(text))


def no_formula(text: str) -> str:
    """The text, behind an apostrophe where a spreadsheet would compute it.

    Examples
    --------
    >>> from regretless.cli.predicted_text import no_formula
    >>> no_formula("=1+1"), no_formula("-spam"), no_formula("-1.5"), no_formula("spam")
    ("'=1+1", "'-spam", '-1.5', 'spam')
    """
    formula = text[:1] in FORMULA and not NUMBER.fullmatch(text)
    return f"'{text}" if text and formula else text


def _json_word(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def shortest(number: float) -> str:
    """The shortest text that reads back as this number, written as Arrow does.

    Examples
    --------
    >>> from regretless.cli.predicted_text import shortest
    >>> shortest(1.0), shortest(0.1), shortest(1e-7), shortest(2.5e20)
    ('1', '0.1', '1e-7', '2.5e+20')
    """
    sign = "-" if math.copysign(1.0, number) < 0.0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, rest = mantissa.partition(".")
    rest = "" if rest == "0" else rest
    digits = (whole + rest).lstrip("0")
    point = len(whole) + int(exponent or 0)  # of 0.<whole><rest>
    point -= len(whole + rest) - len(digits)
    digits = digits.rstrip("0")
    if not digits:
        return f"{sign}0"
    if -6 <= point - 1 < 10:
        if point <= 0:
            return f"{sign}0.{'0' * -point}{digits}"
        if point >= len(digits):
            return f"{sign}{digits}{'0' * (point - len(digits))}"
        return f"{sign}{digits[:point]}.{digits[point:]}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{point - 1:+d}"
