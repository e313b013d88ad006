"""The options that commands share, each written once."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from ..parts.documents import Document
from .declared import Argument, Option
from .usage import UsageError, checking_usage

READING = "How the data are read"
reading = partial(Option, panel=READING)

Data = Annotated[
    list[str] | None,
    Argument(text="Files, globs, URIs, or - for standard input."),
]
Format = Annotated[
    str | None,
    reading(
        "--format",
        "-f",
        text="libsvm, vw, csv, tsv, jsonl, parquet, arrow, npz; if not clear.",
    ),
]
Label = Annotated[
    str | None,
    reading(
        "--label",
        text="The label column; default: label, target, y or class.",
    ),
]
Weight = Annotated[
    str | None, reading("--weight", text="The column of importance weights.")
]
Id = Annotated[
    str | None,
    reading("--id", text="The column that names rows, for predictions; no feature."),
]
Header = Annotated[
    bool | None,
    reading(
        "--header/--no-header", text="Whether a CSV begins with names; else guessed."
    ),
]
Categorical = Annotated[
    list[str] | None,
    reading("--categorical", text="A column whose numbers are categories (repeat it)."),
]
Text = Annotated[
    list[str] | None,
    reading("--text", text="A column of text (repeat it); --ngrams 2, --presence."),
]
Ngrams = Annotated[
    int,
    reading("--ngrams", text="Of text, up to so many words in a row.", hidden=True),
]
Presence = Annotated[
    bool,
    reading("--presence", text="Which words occur, not how often.", hidden=True),
]
Ignore = Annotated[
    list[str] | None,
    reading("--ignore", text="A column to leave out; VW namespaces, too, or --keep."),
]
Keep = Annotated[
    list[str] | None,
    reading("--keep", text="A VW namespace to keep: its first letter.", hidden=True),
]
Missing = Annotated[
    str,
    reading(
        "--missing", text="A missing number: zero, indicator (0 and a feature), refuse."
    ),
]
Bits = Annotated[
    int | None,
    reading("--bits", "-b", text="At most 2^BITS features, by hash."),
]
Interactions = Annotated[
    list[str] | None,
    reading(
        "--interactions",
        text="Products of fields: 'item*city', 'a*b*c', 'user*'; of VW text -q ab.",
    ),
]
Quadratic = Annotated[
    list[str] | None,
    reading("--quadratic", "-q", text="-q ab: --interactions 'a*b'.", hidden=True),
]
Cubic = Annotated[
    list[str] | None,
    reading("--cubic", text="--cubic abc: --interactions 'a*b*c'.", hidden=True),
]
SchemaFile = Annotated[
    str | None,
    reading("--schema", text="A JSON file that says what fields mean.", file=True),
]
ZeroBased = Annotated[
    bool | None,
    reading(
        "--zero-based/--one-based", text="Where LIBSVM indices start; else guessed."
    ),
]
MaxFeatures = Annotated[
    int, reading("--max-features", text="Refuse indices beyond this.")
]
OnBadRows = Annotated[
    str, reading("--on-bad-rows", text="stop at a bad row, or skip it and report.")
]
Positive = Annotated[
    str | None, reading("--positive", text="The label that counts as +1.")
]
Threads = Annotated[
    int | None,
    reading(
        "--threads",
        text="Threads that read ahead and learn; the result does not depend on it.",
    ),
]
Json = Annotated[bool, Option("--json", text="One JSON document on standard output.")]
SpreadsheetSafe = Annotated[
    bool,
    Option(
        "--spreadsheet-safe", text="In CSV, ' before texts that begin with = + - @."
    ),
]
Verbose = Annotated[
    bool, Option("--verbose", "-v", text="The ledger, theorems and certificates too.")
]
Quiet = Annotated[bool, Option("--quiet", text="No progress, no receipts.")]


def fields_of(kind: Any, given: Document) -> Document:
    """Those of the arguments of a command that are fields of a dataclass."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in given.items() if name in names}


def reading_of(given: Document) -> Document:
    """How data are to be read, by the arguments of a command, and its ``--schema``.

    Vowpal Wabbit's ``-q ab`` is ``a*b``, ``-q a:`` is ``a*``, and ``-q ::`` is ``*``.
    """
    from ..data.read_options import ReadOptions
    from ..data.schema import Schema

    crossed = [*(given["interactions"] or ())]
    for option, count in (("quadratic", 2), ("cubic", 3)):
        for text in given[option] or ():
            letters = text.replace(":", "", 2 if text == "::" else count == 2)
            if len(text) != count or ":" in letters or text[0] == ":" != text[-1]:
                raise UsageError(f"--{option} {text}: write --{option} {'abc'[:count]}")
            crossed.append("*".join(letters) + "*" * (len(letters) < 2))
    asked = {**fields_of(ReadOptions, given), "interactions": crossed or None}
    schema: str | None = given["schema"]
    if schema is None:
        return asked
    text = Path(schema).read_text(encoding="utf-8")
    with checking_usage():
        try:
            return ReadOptions.of(asked).meaning(Schema.from_json(text)).given()
        except (TypeError, ValueError) as error:
            raise ValueError(f"--schema {schema}: {error}") from None
