"""``regretless train``: a file in; a model, its ledger and its certificate out."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from ..declared import Option, options_of
from ..runs.session_options import learning
from . import options as o
from .request import Request
from .usage import UsageError, checking_usage

spreading = partial(Option, panel="More than one machine")


@dataclass
class Spread:
    """How a training is spread over the machines of a cluster."""

    cluster: Annotated[
        str | None,
        spreading(
            text="auto, local, HOST:PORT; --shards, --shard-size, --synchronizations, "
            "--workers.",
        ),
    ] = None
    shards: Annotated[
        int | None, spreading(text="How many shards to cut it into.", hidden=True)
    ] = None
    shard_size: Annotated[
        str | None,
        spreading(text="Or how large: 64MB, 1GB; file: cut no file.", hidden=True),
    ] = None
    synchronizations: Annotated[
        int | None, spreading(text="How often shards are averaged.", hidden=True)
    ] = None
    workers: Annotated[
        int | None, spreading(text="Shards at a time, at most.", hidden=True)
    ] = None


def train(
    learner: Annotated[
        list[str] | None,
        learning("--learner", "-l", text="NAME key=value ...; several: a,b,c."),
    ] = None,
    grid: Annotated[
        list[str] | None,
        learning(
            text='Many at once: "ogd eta=0.01:10:log8 radius=1,10"; --best-by auc.'
        ),
    ] = None,
    *,
    request: Request,
    spread: Spread,
    reading: o.Reading,
) -> int:
    """Learn a file in one pass: the model, the ledger, the certificate.

    Example: regretless train clicks.svm.gz -o clicks.rgl
    """
    from .grammar import parse_learners

    named = learner or []
    request.learner = named[0] if named else None
    request.reading = reading.asked(request.group)
    several = len(named) > 1 or bool(grid) or any("," in text for text in named)
    with checking_usage():
        many = parse_learners(named, grid or []) if several else []
        if request.best_by and len(many) < 2:
            raise ValueError("--best-by chooses among several learners: --grid, -l a,b")
    if spread.cluster is not None:
        from .cluster import train_on_cluster

        asked = {
            name: value for name, value in vars(spread).items() if name != "cluster"
        }
        return train_on_cluster(request, many, spread.cluster, asked)
    for one in options_of(Spread):
        if getattr(spread, one.name) is not None:
            raise UsageError(f"{one.written} goes with --cluster")
    if len(many) > 1:
        from .many import train_many

        return train_many(request, many)
    from ..parts.waiting import silently
    from .training import train_one

    with silently() if request.quiet else nullcontext():
        return train_one(request)
