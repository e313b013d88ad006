"""``regretless predict``: a model and new rows in, one prediction a row out."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Annotated, Any

from . import options as o
from .class_lines import class_lines, class_objects
from .console import print_json, print_rows, say, write_out
from .declared import Argument, Option
from .interrupt import Interrupt, Stopped
from .output_file import check_output
from .tagged import tagged_lines, tagged_objects
from .usage import UsageError, checking_usage

__all__ = ["predict"]

TABLES = {"csv", "tsv", "parquet", "arrow"}  # features have the names of columns


def predict(
    model: Annotated[str, Argument(text="A model that train saved.")],
    data: o.Data = None,
    output: Annotated[
        str | None,
        Option("--output", "-o", text="Write here, not to the screen.", file=True),
    ] = None,
    scores: Annotated[
        bool,
        Option("--scores", text="The score (of each class) beside it."),
    ] = False,
    proba: Annotated[
        bool,
        Option("--proba", text="The probability of +1, or of each class."),
    ] = False,
    jsonl: Annotated[
        bool, Option("--jsonl", text="One JSON object a row, a line each.")
    ] = False,
    json: o.Json = False,
    quiet: Annotated[
        bool, Option("--quiet", text="Do not compare with labels.")
    ] = False,
    format: o.Format = None,  # noqa: A002 - the name of the option
    on_bad_rows: o.OnBadRows = "stop",
    threads: o.Threads = None,
) -> None:
    """Predict rows with a saved model, read the way its own data were read.

    Where rows have labels, the error is compared with the model's certificate.

    Example: regretless predict clicks.rgl new.svm.gz > predictions.txt
    """
    from .. import load
    from ..models.model import no_probabilities
    from .tally import Tally

    if not data:
        raise UsageError("which data? give files, globs, URIs, or - for standard input")
    if jsonl and json and output is None:
        raise UsageError("--json and --jsonl both write to standard output: give -o")
    check_output("--output", output, [*data, model])
    loaded = load(model)
    if proba and not loaded.probabilistic:
        raise UsageError(f"--proba: {no_probabilities(loaded)}")
    source = _source(loaded, list(data), format, on_bad_rows, threads)
    lines = _telling(loaded, jsonl, scored=scores, probable=proba)
    tally = Tally(loaded)
    with Interrupt() as stop, _written(output) as write:
        for batch in stop.until_asked(source.batches()):
            found = tally.take(batch)
            if json and output is None:
                rows = tagged_objects(_objects(loaded, found), batch.tags)
                print_rows("predictions", rows)
            else:
                write(lines(found, batch.tags))
            if batch.failure is not None:
                raise batch.failure
        if stop.asked:
            raise Stopped(stop.code - 128)
    print_json(_document(model, output, tally, source.skipped))
    if source.skipped.count and not json:
        say(f"{source.skipped.count:,} bad rows were skipped; the first:")
        for problem in source.skipped.messages:
            say(f"  {problem}")
    if not quiet and tally.labeled and not json:
        say(tally.verdict())
    if not quiet and loaded.many and (scores or proba) and not (json or jsonl):
        shown = " ".join(str(label) for label in loaded.classes)
        say(f"the columns after the prediction are of the classes {shown}")


@contextmanager
def _written(output: str | None) -> Generator[Callable[[str], None]]:
    """What writes predictions; a file appears when all of them are written."""
    if output is None:
        yield write_out
        return
    from ..engine.storage.atomic import writing

    with writing(output) as stream:
        yield lambda text: _drop(stream.write(text.encode()))


def _drop(_: Any) -> None:
    """Say nothing about how much was written."""


def _document(
    model: str, output: str | None, tally: Any, skipped: Any
) -> dict[str, Any]:
    """What is said about the predictions, as plain data."""
    return {
        "model": model,
        "output": output,
        "rows": tally.rows,
        "skipped": {"count": skipped.count, "first": skipped.messages},
        **tally.as_dict(),
    }


def _source(
    model: Any, data: list[str], kind: Any, on_bad_rows: str, threads: Any
) -> Any:
    from ..data.file_source import FileSource
    from ..data.format_detection import FORMATS
    from ..data.input_files import find_places
    from ..data.read_options import ReadOptions
    from ..engine.feature_names import numbered

    if kind is not None and kind not in FORMATS:
        raise UsageError(f"--format {kind}: one of {', '.join(FORMATS)}")
    kept = {} if model.provenance is None else dict(model.provenance.reading)
    remembered = kept.get("format")
    places = find_places(data)
    kept["format"] = kind or _told(places[0], remembered)
    if not _alike(kept["format"], remembered):
        raise ValueError(
            f"{data[0]} is {kept['format']}, but the model learned from {remembered}, "
            "where features are numbered in another way"
        )
    if kept["format"] != remembered:
        for name in ("zero_based", "quadratic", "delimiter", "header"):
            kept.pop(name, None)  # they meant something in the other format
    kept |= {"on_bad_rows": on_bad_rows, "threads": threads, "cache": False}
    with checking_usage():
        options = ReadOptions.from_dict(kept)
    return FileSource(
        places,
        options,
        binary=model.classes is not None and not model.many,
        many=model.many,
        labelled=False,
        names=dict(numbered(model.names, 0)) if model.names is not None else None,
        classes=model.classes,
        tagged=True,
    )


def _alike(told: Any, remembered: Any) -> bool:
    """Whether features of the two formats are numbered alike."""
    if remembered is None or told == remembered:
        return True
    return told == "arrow" or {told, remembered} <= TABLES


def _told(place: Any, remembered: Any) -> Any:
    """The format of new data: what it looks like, or that of the old ones.

    A first line with a tab or a comma may be of any format of text.
    """
    from ..data.format_detection import ending_format, format_of

    try:
        told = format_of(place, None)
    except ValueError:
        return remembered
    sure = ending_format(place) is not None or told not in ("csv", "tsv")
    return told if sure or _alike(told, remembered) else remembered


def _telling(
    model: Any, jsonl: bool, *, scored: bool, probable: bool
) -> Callable[[Any, Any], str]:
    """What makes lines of scores and tags."""
    if jsonl:
        return lambda scores, tags: _json_lines(
            tagged_objects(_objects(model, scores), tags)
        )
    lines = class_lines if model.many else _lines
    return lambda scores, tags: tagged_lines(
        lines(model, scores, scored=scored, probable=probable), tags
    )


def _json_lines(rows: list[dict[str, Any]]) -> str:
    import json

    from ..engine.storage import finite

    return "".join(f"{json.dumps(finite(row), default=str)}\n" for row in rows)


def _lines(model: Any, scores: Any, *, scored: bool, probable: bool) -> str:
    """One line a row: the prediction, then what was asked for beside it."""
    if model.classes is None:
        return "".join(f"{score!r}\n" for score in scores.tolist())
    labels = [str(label) for label in model.classes]
    numbers: list[float] = scores.tolist()
    columns: list[list[str]] = [[labels[score > 0.0] for score in numbers]]
    if scored:
        columns.append([repr(score) for score in numbers])
    if probable:
        chances: list[float] = model.probabilities(scores)[:, 1].tolist()
        columns.append([f"{p:.6g}" for p in chances])
    return "".join(f"{' '.join(row)}\n" for row in zip(*columns, strict=True))


def _objects(model: Any, scores: Any) -> list[dict[str, Any]]:
    """One object a row, with the probability of +1 where there is one."""
    if model.many:
        return class_objects(model, scores)
    if model.classes is None:
        return [{"prediction": score} for score in scores.tolist()]
    rows: list[dict[str, Any]] = [
        {"prediction": model.classes[score > 0.0], "score": score}
        for score in scores.tolist()
    ]
    if model.probabilistic:
        chances: list[float] = model.probabilities(scores)[:, 1].tolist()
        for row, p in zip(rows, chances, strict=True):
            row["probability"] = p
    return rows
