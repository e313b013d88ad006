"""``regretless predict``: a model and new rows in, one prediction a row out."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

from ..declared import Argument, Option
from ..parts.documents import Document
from ..parts.waiting import waiting
from . import options as o
from .console import print_json, print_rows, say
from .interrupt import Interrupt, Stopped
from .output_file import check_outputs
from .usage import UsageError, checking_usage

if TYPE_CHECKING:
    from ..data.file_source import FileSource
    from ..data.skipped_rows import Skipped
    from ..models.model import Model
    from .tally import Tally


def predict(
    model: Annotated[str, Argument(text="A model that train saved.")],
    data: o.Data = None,
    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            text="Write here: .csv, .jsonl, .parquet; - is the screen.",
            file=True,
        ),
    ] = None,
    scores: Annotated[
        bool,
        Option("--scores", text="The score (of each class), too."),
    ] = False,
    jsonl: Annotated[
        bool, Option("--jsonl", text="JSON lines, whatever the file is called.")
    ] = False,
    spreadsheet_safe: o.SpreadsheetSafe = False,
    json: o.Json = False,
    quiet: Annotated[
        bool, Option("--quiet", text="Do not compare with labels.")
    ] = False,
    id: o.Id = None,  # noqa: A002 - the name of the option
    format: o.Format = None,  # noqa: A002 - the name of the option
    on_bad_rows: o.OnBadRows = "stop",
    threads: o.Threads = None,
) -> None:
    """Predict rows with a saved model, read the way its own data were read.

    Where rows have labels, the error is compared with the model's certificate.

    Example: regretless predict clicks.rgl new.csv --id customer -o predictions.csv
    """
    from .predicted_columns import Predicted, columns_of, objects_of
    from .row_names import RowNames
    from .table_files import table_writer
    from .tally import Tally

    data = list(data or ())
    output = None if output == "-" else output
    _check(output, [*data, model], jsonl and json)
    loaded = _loaded(model, data)
    source = _source(loaded, data, format, on_bad_rows, threads, id)
    tally = Tally(loaded)
    names = RowNames(source.options)
    names.check(loaded.classes)
    form = "jsonl" if jsonl else None
    in_document = json and output is None
    opened = table_writer(output, form, safe=spreadsheet_safe)
    seen = output is None or quiet  # rows that scroll by are a message themselves
    told = waiting(lambda: f"predicting, {tally.rows:,} rows")
    with (
        Interrupt() as stop,
        nullcontext() if in_document else opened as table,
        nullcontext() if seen else told,
    ):
        for batch in stop.until_asked(source.batches()):
            predicted = Predicted.of(loaded, tally.take(batch))
            if table is None:
                print_rows("predictions", objects_of(predicted, batch.tags))
            elif batch.inputs is not None:  # not the rows before one that stops it
                table.write(columns_of(predicted, batch.inputs, names, scored=scores))
            if batch.failure is not None:
                raise batch.failure
        if stop.asked:
            raise Stopped(stop.code - 128)
    print_json(_document(model, output, tally, source.skipped))
    for line in [] if json else source.skipped.remarks():
        say(line)
    if not (quiet or json):
        _say_result(tally, output)


def _check(output: str | None, inputs: list[str], twice: bool) -> None:
    """Refuse what cannot be done before anything is read."""
    if len(inputs) < 2:
        raise UsageError("which data? give files, globs, URIs, or - for standard input")
    if twice and output is None:
        raise UsageError("--json and --jsonl both write to standard output: give -o")
    check_outputs({"--output": output}, inputs)


def _loaded(model: str, data: list[str]) -> Model:
    """The model; where it is among the data instead, say so."""
    from .. import load

    try:
        return load(model)
    except ValueError:
        for other in data:
            try:
                load(other)
            except (OSError, ValueError):
                continue
            raise UsageError(
                f"{model} is not a model, and {other} is one: the model comes first, "
                f"regretless predict {other} {model}"
            ) from None
        raise


def _say_result(tally: Tally, output: str | None) -> None:
    """How good the predictions are; without labels, where they are."""
    if tally.labeled:
        say(tally.verdict())
        if tally.set_verdict():
            say(tally.set_verdict())
    elif output is not None:
        say(f"{tally.rows:,} predictions in {output}")


def _document(
    model: str, output: str | None, tally: Tally, skipped: Skipped
) -> Document:
    """What is said about the predictions, as plain data."""
    return {
        "model": model,
        "output": output,
        "rows": tally.rows,
        "skipped": {"count": skipped.count, "first": skipped.messages},
        **tally.as_dict(),
    }


def _source(
    model: Model,
    data: list[str],
    kind: str | None,
    on_bad_rows: str,
    threads: int | None,
    named: str | None,
) -> FileSource:
    from ..data.file_source import FileSource
    from ..data.format_detection import FORMATS, one_format
    from ..data.formats.readers import Wanted
    from ..data.input_files import find_places
    from ..data.read_options import NAMED, TABLES, ReadOptions
    from ..data.same_format import format_like
    from ..models.rows_to_predict import RowReader

    if kind is not None and kind not in FORMATS:
        raise UsageError(f"--format {kind}: one of {', '.join(FORMATS)}")
    kept = {} if model.provenance is None else dict(model.provenance.reading)
    remembered, named_fields = kept.get("format"), model.names is not None
    places = find_places(data)
    kept["format"] = format_like(places[0], remembered, kind, named=named_fields)
    form = one_format(places, kept["format"])
    tables = kept.get("columns") is not None
    by_name = None
    if named_fields and form in NAMED and (form in TABLES) != tables:
        by_name = RowReader(model.n_features, model.names, model.reading)
        own = "columns", "interactions", "bits", "ngrams", "presence", "missing"
        for name in own:
            kept.pop(name, None)
    if kept["format"] != remembered:
        meant = ("zero_based", "keep", "delimiter", "header")
        for name in (*meant, *(("interactions", "ignore") * (remembered == "vw"))):
            kept.pop(name, None)  # they meant something in the other format
    kept |= {"on_bad_rows": on_bad_rows, "threads": threads}
    if named is not None:
        kept["id"] = int(named) if named.lstrip("-").isdigit() else named
    with checking_usage():
        options = ReadOptions.from_dict(kept)
    return FileSource(
        places,
        options,
        Wanted(model.names, labelled=False, tagged=True, by_name=by_name),
        binary=model.classes is not None and not model.many,
        many=model.many,
        classes=model.classes,
    )
