"""``regretless predict``: a model and new rows in, one prediction a row out."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Annotated, Any

import numpy as np
import typer

from . import options as o
from .console import say
from .usage import UsageError

__all__ = ["predict"]

TABLES = {"csv", "tsv", "parquet", "arrow"}  # features have the names of columns


def predict(
    model: Annotated[str, typer.Argument(help="A model that train saved.")],
    data: o.Data = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Write here, not to the screen."),
    ] = None,
    scores: Annotated[
        bool,
        typer.Option("--scores", help="The score (of each class) beside it."),
    ] = False,
    proba: Annotated[
        bool,
        typer.Option("--proba", help="The probability of +1, or of each class."),
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object a row.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Do not compare with labels.")
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

    loaded = load(model)
    if proba and not hasattr(loaded, "predict_proba"):
        raise UsageError("--proba: only a panel gives probabilities, not this model")
    source = _source(loaded, list(data or ()), format, on_bad_rows, threads)
    told = _telling(loaded, json)
    tally = Tally(loaded)
    with ExitStack() as stack:
        out: Any = sys.stdout
        if output is not None:
            out = stack.enter_context(open(output, "w"))  # noqa: PTH123
        for batch in source.batches():
            found = tally.take(batch)
            out.write(told(loaded, found, scored=scores, probable=proba))
            if batch.failure is not None:
                raise batch.failure
    if source.skipped.count:
        say(f"{source.skipped.count:,} bad rows were skipped; the first:")
        for problem in source.skipped.messages:
            say(f"  {problem}")
    if not quiet and tally.rows:
        say(tally.verdict())
    if not quiet and loaded.many and (scores or proba) and not json:
        shown = " ".join(str(label) for label in loaded.classes)
        say(f"the columns after the prediction are of the classes {shown}")


class Tally:
    """Counts what a model gets wrong where labels are known."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.rows = 0
        self.wrong = 0
        self.squares = 0.0
        certificate = model.certificate
        self.watch: Any = None
        if certificate is not None and 0.0 < certificate.value < 1.0:
            self.watch = certificate.watch()

    def take(self, batch: Any) -> Any:
        """The scores of a batch; its labels are counted."""
        from ..models.batches import scores_of

        scores = scores_of(self.model, batch.rows, batch.targets.size)
        labeled = ~np.isnan(batch.targets)
        self.rows += int(labeled.sum())
        if self.model.classes is None:
            self.squares += float(((scores - batch.targets)[labeled] ** 2).sum())
            return scores
        if self.model.many:
            wrong = (scores.argmax(axis=1) != batch.targets)[labeled]
            self._count(wrong)
            return scores
        # A score of 0 predicts the negative class here: nobody is charged for a tie.
        self._count(((scores > 0.0) != (batch.targets > 0.0))[labeled])
        return scores

    def _count(self, wrong: Any) -> None:
        self.wrong += int(wrong.sum())
        if self.watch is not None and self.watch.alarm is None:
            for loss in wrong.astype(float).tolist():
                self.watch.feed(loss)

    def verdict(self) -> str:
        """How the model did, beside what was certified about it."""
        if self.model.classes is None:
            square = self.squares / self.rows
            return f"{self.rows:,} labeled rows: mean squared error {square:.6g}"
        share = f"{self.wrong / self.rows:.2%}"
        error = f"{self.rows:,} labeled rows: {self.wrong:,} wrong ({share})"
        certificate = self.model.certificate
        if certificate is None:
            return error
        error += f"; certified: at most {certificate.value:.2%}"
        if self.watch is not None and self.watch.alarm is not None:
            return f"{error}. {str(self.watch.alarm).capitalize()}"
        return error


def _source(
    model: Any, data: list[str], kind: Any, on_bad_rows: str, threads: Any
) -> Any:
    from ..encoding.names import numbered
    from ..streams.files import FileSource
    from ..streams.options import ReadOptions

    if not data:
        raise ValueError("which data? give files, globs, URIs, or - for standard input")
    kept = {} if model.provenance is None else dict(model.provenance.reading)
    remembered = kept.get("format")
    kept["format"] = kind or _told(data, remembered)
    if not _alike(kept["format"], remembered):
        raise ValueError(
            f"{data[0]} is {kept['format']}, but the model learned from {remembered}, "
            "where features are numbered in another way"
        )
    if kept["format"] != remembered:
        for name in ("zero_based", "quadratic", "delimiter", "header"):
            kept.pop(name, None)  # they meant something in the other format
    kept |= {"on_bad_rows": on_bad_rows, "threads": threads, "cache": False}
    options = ReadOptions.from_dict(kept)
    return FileSource(
        data,
        options,
        binary=model.classes is not None and not model.many,
        many=model.many,
        labelled=False,
        names=dict(numbered(model.names, 0)) if model.names is not None else None,
        classes=model.classes,
    )


def _alike(told: Any, remembered: Any) -> bool:
    """Whether features of the two formats are numbered alike."""
    if remembered is None or told == remembered:
        return True
    return told == "arrow" or {told, remembered} <= TABLES


def _told(data: list[str], remembered: Any) -> Any:
    """The format of new data: what it looks like, or that of the old ones."""
    from ..streams.formats import format_of
    from ..streams.places import find_places

    if "-" in data:
        return remembered
    try:
        return format_of(find_places(data)[0], None)
    except ValueError:
        return remembered


def _telling(model: Any, json: bool) -> Any:
    """What writes predictions down."""
    if model.many:
        from .class_lines import class_json_lines, class_lines

        return class_json_lines if json else class_lines
    return _json_lines if json else _lines


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
        columns.append([f"{p:.6g}" for p in _probabilities(scores)])
    return "".join(f"{' '.join(row)}\n" for row in zip(*columns, strict=True))


def _json_lines(model: Any, scores: Any, *, scored: bool, probable: bool) -> str:
    """One JSON object a row; a panel's has the probability of +1 too."""
    import json

    if model.classes is None:
        return "".join(f'{{"prediction": {score!r}}}\n' for score in scores.tolist())
    rows = [
        {"prediction": model.classes[score > 0.0], "score": score}
        for score in scores.tolist()
    ]
    if hasattr(model, "predict_proba"):
        for row, p in zip(rows, _probabilities(scores), strict=True):
            row["probability"] = p
    return "".join(json.dumps(row, default=str) + "\n" for row in rows)


def _probabilities(scores: Any) -> list[float]:
    """Of +1, from log-odds."""
    small = np.exp(-np.abs(scores))
    return (np.where(scores > 0.0, 1.0, small) / (1.0 + small)).tolist()
