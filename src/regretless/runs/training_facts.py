"""What a training keeps of itself in a file, beside its player: written, and declared.

It is plain data that many read: where the stream stands, what was asked for, what was
counted. So it is checked here, once, when a training goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.encoding.label_values import checked_labels
from ..data.read_options import ReadOptions
from ..engine.feature_names import numbered
from ..engine.hypotheses.met_features import MET
from ..engine.storage import (
    COUNTS,
    Range,
    check_kinds,
    checked_fields,
    largest_array,
    pack_names,
    unpack_names,
)
from ..parts.documents import Document
from .session_options import SessionOptions

if TYPE_CHECKING:
    from .checkpoints import Checkpoint
    from .opening import OpenedRows
    from .session import Session


FEATURES = 2**20  # as many may be declared, whether they were met or not
FACTS: Document = {
    "request": {"reading": dict},
    "mark": {
        **dict.fromkeys(("file", "at", "line", "rows", "skipped"), COUNTS),
        "width": Range(0, 2**31, whole=True),
        "labels": list,
        "files": [list],
        "options": dict,
    },
    "predicted": {"bytes": COUNTS, "run": str},
    "pass": {
        **dict.fromkeys(("rows", "unlabeled"), COUNTS),
        "weighted": bool,
        **dict.fromkeys(("record", "metrics"), (dict, None)),
        "sets": ({"level": Range(0.0, 1.0)}, None),
        "refused": [list],
    },
    "names": (dict, None),
    "counts": ([COUNTS], None),
}
"""Of which kinds they are; what more there is, their readers check."""


def training_facts(
    session: Session,
    opened: OpenedRows,
    mark: Document | None,
    predicted: Document | None = None,
) -> Document:
    """What a state keeps beside the player and the recorder."""
    return {
        "request": opened.options.remembered(),
        "mark": mark,
        "predicted": predicted or {"bytes": 0, "run": ""},
        "pass": session.facts(),
        "names": pack_names(opened.files.names),
        "counts": opened.counts,
    }


def check_facts(found: Checkpoint) -> None:
    """Refuse a file of which no training can go on; ValueError says why."""
    if "request" not in found.facts or "mark" not in found.facts:
        raise ValueError(f"{found.path}: no training of files made it")
    with found.refusing():
        check_kinds(found.facts, FACTS)
        request = found.facts["request"]
        asked = checked_fields(SessionOptions, request)
        if asked.keys() != request.keys():
            raise ValueError("it was asked for what there is not")
        player = found.content["player"]
        most = max(FEATURES, largest_array(player))
        if MET in player:  # it declares as many as it likes
            most = max(most, player["n_features"])
        if (request.get("n_features") or 0) > most:
            raise ValueError("it was asked for more features than it has weights")
        ReadOptions.of(request["reading"])
        if ReadOptions.from_dict(found.facts["mark"]["options"]).format is None:
            raise ValueError("it does not say what its files are")
        checked_labels(found.facts["mark"]["labels"])
        names = unpack_names(found.facts["names"]) or ()
        columns = [j for j, _ in numbered(names, 0)]
        texts = {type(name) for _, name in numbered(names, 0)}
        if texts - {str} or min(columns, default=0) < 0:
            raise ValueError("its names are not those of columns")
