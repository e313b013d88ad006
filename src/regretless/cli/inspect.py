"""``regretless inspect``: what a model is, who made it, and what is certified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..declared import Argument, Option
from . import options as o
from .console import print_json, show

if TYPE_CHECKING:
    from ..models.model import Model


def inspect(
    model: Annotated[str, Argument(text="A model that train saved.")],
    top: Annotated[
        int, Option("--top", "-n", text="How many weights to show.", least=0)
    ] = 10,
    schema: Annotated[
        bool, Option("--schema", text="What its fields mean, as train --schema reads.")
    ] = False,
    json: o.Json = False,
) -> None:
    """Show a model: its learner, ledger, certificate and largest weights by name.

    Example: regretless inspect clicks.rgl --top 20
    """
    from .. import load
    from ..report.receipts import model_document

    loaded = load(model)
    if schema:
        from ..data.schema import Schema

        print(Schema.of_reading(loaded.reading).to_json())
        return
    if json:
        print_json({"command": "inspect", **model_document(loaded, model, top)})
        return
    from .layout import facts_table, section, words

    show(section(f"{model}: {loaded.about}", facts_table(_facts(loaded))))
    if loaded.ledger is not None:
        show(section("ledger of its training", facts_table(loaded.ledger.lines())))
    if loaded.coverage is not None:
        lines = loaded.coverage.lines()
        show(section("prediction sets of its training", facts_table(lines)))
    body = loaded.certificate or loaded.why_not or "nothing is certified about it"
    point = loaded.operating_point
    more = [words(str(point))] if point is not None and loaded.certificate else []
    show(section("certificate", words(str(body)), *more))
    for title, lines in loaded.explanation(top):
        show(section(title, facts_table([_shown(*line) for line in lines])))


def _shown(what: str, much: str, *values: str) -> tuple[str, str]:
    """What and how much; in brackets the values that it is the difference of."""
    return what, f"{much} ({' to '.join(values)})" if values else much


def _facts(model: Model) -> list[tuple[str, str]]:
    """The short facts, as (what, how much)."""
    from ..report.receipts import label_lines, reading_lines

    made = model.provenance
    lines = [("features", f"{model.n_features:,}")]
    weights = getattr(model, "weights", None)
    if weights is not None:
        import numpy as np

        lines.append(("nonzero weights", f"{int(np.count_nonzero(weights)):,}"))
    lines += label_lines(model.classes, many=model.many)
    if made is None:
        return lines
    return [
        ("learner", made.made_by),
        ("made", f"{made.date}, from {made.rounds:,} rows"),
        *reading_lines(made.reading),
        *lines,
    ]
