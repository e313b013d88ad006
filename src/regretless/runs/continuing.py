"""Go on where an earlier training stopped (``-i``): with its state, or at its weights.

A file with state (``train --resumable``, or a checkpoint) brings everything that the
rounds to come depend on: then the run goes on exactly as if the new rows had stood
below the old ones in one file. A plain model brings weights alone: then a new run
starts at them, with steps, scales and counts from their own start. That is refused
where the weights would not survive it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from typing import TYPE_CHECKING

from ..data.input_files import InputFile, find_places
from ..data.read_options import ReadOptions
from ..data.same_format import format_like
from ..errors import OptionError
from ..parts.documents import Document
from .checkpoints import Checkpoint, read_state
from .session_options import SessionOptions

if TYPE_CHECKING:
    from ..models.model import Model

__all__ = ["known_names", "start"]

SAME = ("learner", "task", "features", "class_weights")
"""What a request must not change where a state goes on."""
FREE = (
    *("format", "header", "label", "weight", "group", "id", "ignore", "max_features"),
    *("on_bad_rows", "threads", "cache"),
)
"""How files are read that may differ from one night to the next."""


def start(
    options: SessionOptions, data: object
) -> tuple[Checkpoint | None, Model | None, Document, list[InputFile]]:
    """Where a session starts that goes on from a file.

    Returns
    -------
    state, model : Checkpoint or None, model or None
        The state in the file, or else the model in it.
    reading : dict
        How to read the new files.
    places : list of InputFile
        These files, found.
    """
    path = options.initial_model or ""
    state, model = read_state(path), None
    if state is not None:
        _check_state(options, state)
        kept = dict(state.facts["mark"]["options"])
    else:
        from ..models import load

        model = load(path)
        kept = {} if model.provenance is None else dict(model.provenance.reading)
    places = find_places(data)
    reading = _continued_reading(path, options.reading, kept, places[0])
    return state, model, reading, places


def _continued_reading(
    path: str, given: Document, kept: Document, place: InputFile
) -> Document:
    """How to read the new files: as the old ones were, but for what is given.

    Parameters
    ----------
    path : str
        The file of ``-i``, for messages.
    given : dict
        The options of this session; one that has its default was not given.
    kept : dict
        How the data of the earlier run were read.
    place : InputFile
        The first of the new files.
    """
    plain: Document = {one.name: one.default for one in fields(ReadOptions)}
    asked = {
        name: value
        for name, value in given.items()
        if value is not None and value != plain[name]
    }
    for name, value in asked.items():
        then = kept.get(name, plain[name])
        same: bool = value == ([*then] if then.__class__ is tuple else then)
        if name not in FREE and not same:
            raise ValueError(
                f"{path}: its data were read with {name}={then!r}, not {value!r}: give "
                "the same, or leave it out"
            )
    reading = {**kept, **asked}
    reading["format"] = format_like(place, kept.get("format"), asked.get("format"))
    if reading["format"] != kept.get("format"):
        for name in ("delimiter", "header"):
            if name not in asked:
                reading.pop(name, None)
    return reading


def _check_state(options: SessionOptions, state: Checkpoint) -> None:
    """Take from a state what was not given again; refuse what differs from it.

    Raises
    ------
    ValueError
        In one line.
    """
    path = options.initial_model
    if "mark" not in state.facts or "request" not in state.facts:
        raise ValueError(f"{path}: this state was not made by regretless train")
    if options.passes > 1:
        raise OptionError(
            "--passes does not go with a state: a second pass would need the rows of "
            "the first night"
        )
    fresh = SessionOptions()
    for name in SAME:
        now, then = getattr(options, name), state.facts["request"].get(name)
        if now is None or now == getattr(fresh, name):
            setattr(options, name, then)
        elif now != then and name != "learner":  # which is compared as a learner
            raise ValueError(
                f"{path}: it was made with {name}={then!r}, not {now!r}: give the "
                "same, or leave it out"
            )


def known_names(state: Checkpoint) -> dict[int, Hashable]:
    """The features that had names when the state was saved."""
    from ..engine.feature_names import numbered
    from ..engine.storage import unpack_names

    named = unpack_names(state.facts["names"]) or ()
    width = state.facts["mark"]["width"]
    return {k: name for k, name in numbered(named, 0) if k < width}
