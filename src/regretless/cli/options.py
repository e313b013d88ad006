"""The options that commands share, each written once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Annotated

from ..declared import Argument, Option
from ..parts.documents import Document
from .usage import UsageError, checking_usage

reading = partial(Option, panel="How the data are read")

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
Id = Annotated[
    str | None,
    reading("--id", text="The column that names rows, for predictions; no feature."),
]
OnBadRows = Annotated[
    str, reading("--on-bad-rows", text="stop at a bad row, or skip it and report.")
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
    Option(text="In CSV, ' before texts that begin with = + - @.", goes_with=()),
]
Verbose = Annotated[
    bool, Option("--verbose", "-v", text="The ledger, theorems and certificates too.")
]
Quiet = Annotated[bool, Option("--quiet", text="No progress, no receipts.")]


@dataclass
class Reading:
    """How data are read, as ``train`` and ``convert`` take it."""

    format: Format = None
    label: Annotated[
        str | None,
        reading(text="The label column; default: label, target, y or class."),
    ] = None
    weight: Annotated[str | None, reading(text="The column of importance weights.")] = (
        None
    )
    id: Id = None
    positive: Annotated[str | None, reading(text="The label that counts as +1.")] = None
    bits: Annotated[
        int | None, reading("--bits", "-b", text="At most 2^BITS features, by hash.")
    ] = None
    interactions: Annotated[
        list[str] | None,
        reading(
            text="Products of fields: 'item*city', 'a*b*c', 'user*'; of VW text -q ab."
        ),
    ] = None
    quadratic: Annotated[
        list[str] | None,
        reading("--quadratic", "-q", text="-q ab: --interactions 'a*b'.", hidden=True),
    ] = None
    cubic: Annotated[
        list[str] | None,
        reading(text="--cubic abc: --interactions 'a*b*c'.", hidden=True),
    ] = None
    header: Annotated[
        bool | None,
        reading(
            "--header/--no-header",
            text="Whether a CSV begins with names; else guessed.",
        ),
    ] = None
    schema: Annotated[
        str | None, reading(text="A JSON file that says what fields mean.", file=True)
    ] = None
    categorical: Annotated[
        list[str] | None,
        reading(text="A column whose numbers are categories (repeat it)."),
    ] = None
    text: Annotated[
        list[str] | None,
        reading(text="A column of text (repeat it); --ngrams 2, --presence."),
    ] = None
    ngrams: Annotated[
        int, reading(text="Of text, up to so many words in a row.", hidden=True)
    ] = 1
    presence: Annotated[
        bool, reading(text="Which words occur, not how often.", hidden=True)
    ] = False
    ignore: Annotated[
        list[str] | None,
        reading(text="A column to leave out; VW namespaces, too, or --keep."),
    ] = None
    keep: Annotated[
        list[str] | None,
        reading(text="A VW namespace to keep: its first letter.", hidden=True),
    ] = None
    missing: Annotated[
        str,
        reading(text="A missing number: zero, indicator (0 and a feature), refuse."),
    ] = "zero"
    zero_based: Annotated[
        bool | None,
        reading(
            "--zero-based/--one-based",
            text="Where LIBSVM indices start; else guessed.",
        ),
    ] = None
    max_features: Annotated[int, reading(text="Refuse indices beyond this.")] = 2**26
    on_bad_rows: OnBadRows = "stop"
    threads: Threads = None

    def asked(self, group: str | None = None) -> Document:
        """How data are to be read, by these options and the file of ``--schema``.

        Vowpal Wabbit's ``-q ab`` is ``a*b``, ``-q a:`` is ``a*``, and ``-q ::`` is
        ``*``.
        """
        from ..data.read_options import ReadOptions
        from ..data.schema import Schema

        crossed = [*(self.interactions or ())]
        for option, given in (("quadratic", self.quadratic), ("cubic", self.cubic)):
            count = 2 if option == "quadratic" else 3
            for text in given or ():
                letters = text.replace(":", "", 2 if text == "::" else count == 2)
                if len(text) != count or ":" in letters or text[0] == ":" != text[-1]:
                    raise UsageError(
                        f"--{option} {text}: write --{option} {'abc'[:count]}"
                    )
                crossed.append("*".join(letters) + "*" * (len(letters) < 2))
        given = vars(self) | {"group": group}
        asked = {
            one.name: given[one.name]
            for one in fields(ReadOptions)
            if one.name in given
        }
        asked["interactions"] = crossed or None
        if self.schema is None:
            return asked
        schema = Path(self.schema).read_text(encoding="utf-8")
        with checking_usage():
            try:
                return ReadOptions.of(asked).meaning(Schema.from_json(schema)).given()
            except (TypeError, ValueError) as error:
                raise ValueError(f"--schema {self.schema}: {error}") from None
