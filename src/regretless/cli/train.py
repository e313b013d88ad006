"""``regretless train``: a file in; a model, its ledger and its certificate out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import Annotated

from ..parts.documents import Document
from . import options as o
from .declared import Option
from .usage import UsageError, checking_usage

BALANCED = "balanced"

learning = partial(Option, panel="What is learned")
saving = partial(Option, panel="What is kept")
spreading = partial(Option, panel="More than one machine")


def train(
    data: o.Data = None,
    learner: Annotated[
        list[str] | None,
        learning("--learner", "-l", text="NAME key=value ...; several: a,b,c."),
    ] = None,
    grid: Annotated[
        list[str] | None,
        learning(
            "--grid",
            text='Many at once: "ogd eta=0.01:10:log8 radius=1,10"; --best-by auc.',
        ),
    ] = None,
    best_by: Annotated[
        str,
        learning(
            "--best-by",
            text="Of several, the best by: log-loss, auc, error, squared-error, ...",
            hidden=True,
        ),
    ] = "",
    task: Annotated[
        str,
        learning("--task", text="auto, binary, multiclass or regression."),
    ] = "auto",
    fast: Annotated[
        bool,
        learning("--fast", text="No forest: less time, more errors on narrow tables."),
    ] = False,
    delta: Annotated[
        str,
        learning("--delta", text="The probability that a certificate is wrong; or 5%."),
    ] = "0.05",
    features: Annotated[
        int | None,
        learning(
            "--features", text="The number of features, for learners that need it."
        ),
    ] = None,
    class_weight: Annotated[
        list[str] | None,
        learning(
            "--class-weight", text="LABEL=WEIGHT: how much a class counts; balanced."
        ),
    ] = None,
    initial_model: Annotated[
        str | None,
        learning(
            "--initial-model",
            "-i",
            text="Go on: with the state of this file, else at its weights.",
            file=True,
        ),
    ] = None,
    passes: Annotated[
        int, learning("--passes", text="Passes; only the first is online.", least=1)
    ] = 1,
    holdout: Annotated[
        int | None,
        learning("--holdout", text="Test on every K-th row instead of learning it."),
    ] = None,
    seal: Annotated[
        str | None,
        learning("--seal", text="Reserve 5% of the rows to certify by; --seal-seed 7."),
    ] = None,
    seal_seed: Annotated[
        int | None,
        learning(
            "--seal-seed",
            text="Of the coins that choose sealed rows; else drawn.",
            hidden=True,
        ),
    ] = None,
    again: Annotated[
        bool,
        learning("--again", text="Learn files that were learned before, too."),
    ] = False,
    threshold: Annotated[
        str | None,
        learning(
            "--threshold", text="recall=0.9, precision=0.8, cost:fp=1,fn=20, or 0.3."
        ),
    ] = None,
    group: Annotated[
        str | None,
        learning("--group", text="Seal by this column: users, days; no feature."),
    ] = None,
    interval: Annotated[
        str | None,
        learning(
            "--interval",
            "--sets",
            text="Intervals of amounts, sets of classes: 90%, say.",
        ),
    ] = None,
    hindsight: Annotated[
        bool,
        learning("--hindsight", text="Solve for the best comparators: more passes."),
    ] = False,
    output: Annotated[
        str | None, saving("--output", "-o", text="Save the model here.", file=True)
    ] = None,
    model: Annotated[
        str | None,
        saving(
            "--model",
            text="validated, last, mean, last-half, random, vote; default: all rows.",
        ),
    ] = None,
    predictions: Annotated[
        str | None,
        saving(
            "--predictions",
            "-p",
            text="Write each row's prediction, made before its label is seen.",
            file=True,
        ),
    ] = None,
    spreadsheet_safe: o.SpreadsheetSafe = False,
    resumable: Annotated[
        bool,
        saving("--resumable", text="Save the model with its state, for -i to go on."),
    ] = False,
    checkpoint: Annotated[
        str | None,
        saving("--checkpoint", text="Save all here, --every 30s.", file=True),
    ] = None,
    every: Annotated[
        str, saving("--every", text="How often: 30s, 5min, 100000rows.", hidden=True)
    ] = "30s",
    resume: Annotated[
        str | None, saving("--resume", text="Go on from this checkpoint.", file=True)
    ] = None,
    report: Annotated[
        str | None,
        saving(
            "--report", text="Write all receipts as one page of HTML here.", file=True
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        spreading(
            "--cluster",
            text="auto, local, HOST:PORT; --shards, --shard-size, --synchronizations, "
            "--workers.",
        ),
    ] = None,
    shards: Annotated[
        int | None,
        spreading("--shards", text="How many shards to cut it into.", hidden=True),
    ] = None,
    shard_size: Annotated[
        str | None,
        spreading(
            "--shard-size",
            text="Or how large: 64MB, 1GB; file: cut no file.",
            hidden=True,
        ),
    ] = None,
    synchronizations: Annotated[
        int | None,
        spreading(
            "--synchronizations", text="How often shards are averaged.", hidden=True
        ),
    ] = None,
    workers: Annotated[
        int | None,
        spreading("--workers", text="Shards at a time, at most.", hidden=True),
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    verbose: o.Verbose = False,
    *,
    reading: o.Reading,
) -> int:
    """Learn a file in one pass: the model, the ledger, the certificate.

    Example: regretless train clicks.svm.gz -o clicks.rgl
    """
    given: Document = dict(locals())
    from .grammar import parse_learners
    from .request import Request

    named = list(learner or ())
    given |= {
        "data": list(data or ()),
        "learner": named[0] if named else None,
        "class_weights": _class_weights(class_weight or ()),
        "delta": _share("--delta", delta),
        "reading": reading.asked(group),
    }
    request = Request(**o.fields_of(Request, given))
    spread = {
        "shards": shards,
        "shard_size": shard_size,
        "synchronizations": synchronizations,
        "workers": workers,
    }
    several = len(named) > 1 or bool(grid) or any("," in text for text in named)
    with checking_usage():
        many = parse_learners(named, grid or []) if several else []
        if best_by and len(many) < 2:
            raise ValueError("--best-by chooses among several learners: --grid, -l a,b")
        for name, value in spread.items():
            if cluster is None and value is not None:
                raise ValueError(f"--{name.replace('_', '-')} goes with --cluster")
    if cluster is not None:
        from .cluster import train_on_cluster

        return train_on_cluster(request, many, cluster, spread)
    if len(many) > 1:
        from .many import train_many

        return train_many(request, many)
    from ..parts.waiting import silently
    from .training import train_one

    with silently() if quiet else nullcontext():
        return train_one(request)


def _share(option: str, text: str) -> float:
    """A number between 0 and 1, or a percentage such as 5%."""
    from ..data.sealed_rows import checked_share

    try:
        return checked_share(text)
    except ValueError:
        raise UsageError(f"{option} {text}: it is between 0 and 1, or 5%") from None


def _class_weights(settings: Sequence[str]) -> dict[str, float] | str:
    """Words such as ``spam=2`` as a mapping; or "balanced"."""
    if list(settings) == [BALANCED]:
        return BALANCED
    found: dict[str, float] = {}
    for setting in settings:
        label, equals, number = setting.rpartition("=")
        try:
            found[label] = float(number)
        except ValueError:
            equals = ""
        if not equals or not label:
            raise UsageError(f"{setting!r}: write LABEL=WEIGHT, or balanced alone")
    return found
