"""Go on where an earlier training stopped (``-i``): with its state, or at its weights.

A file with state (``train --resumable``, or a checkpoint) brings everything that the
rounds to come depend on: then the run goes on exactly as if the new rows had stood
below the old ones in one file. A plain model brings weights alone: then a new run
starts at them, with steps, scales and counts from their own start. That is refused
where the weights would not survive it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING

from ..data.input_files import InputFile, find_places
from ..data.read_options import ReadOptions
from ..data.same_format import format_like
from ..data.schema import KINDS, Schema
from ..engine.storage.container import what_is
from ..errors import OptionError
from ..parts.documents import Document
from .checkpoints import Checkpoint, read_state
from .session_options import SessionOptions
from .training_facts import check_facts

if TYPE_CHECKING:
    from ..engine.feature_names import Names
    from ..models.model import Model


SAME = ("learner", "task", "n_features", "class_weight")
"""What a request must not change where a state goes on."""
FREE = (
    *("format", "header", "label", "weight", "group", "group_unit", "id", "ignore"),
    "max_features",
    *("on_bad_rows", "threads"),
)
"""How files are read that may differ from one night to the next."""
APART = ("ignore", "weight", "group", "id")
"""Which of these name columns that are no features."""


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
    else:
        from ..models import load

        model = load(path)
    kept = _kept_reading(state, model)
    _check_columns(options, kept, state, model)
    places = find_places(data)
    reading = _continued_reading(path, options.reading, kept, places[0])
    return state, model, reading, places


def _kept_reading(state: Checkpoint | None, model: Model | None) -> Document:
    """How the data of the earlier run were read."""
    if state is not None:
        return dict(state.facts["mark"]["options"])
    provenance = None if model is None else model.provenance
    return {} if provenance is None else dict(provenance.reading)


def _check_columns(
    options: SessionOptions,
    kept: Document,
    state: Checkpoint | None,
    model: Model | None,
) -> None:
    """Refuse to set a column apart that the model was trained on.

    Raises
    ------
    OptionError
        In one line.
    """
    apart: list[tuple[str, str]] = []
    for option in APART:
        value = options.reading.get(option)
        names = [value] if isinstance(value, str | int) else value or ()
        apart += [(option, str(name)) for name in names]
    if not apart:
        return
    columns = kept.get("columns")
    used: set[str]
    if columns is not None:
        used = {str(name) for name, _ in columns}
    else:
        used = _keys(state, model)
    for option, name in apart:
        if name in used:
            raise OptionError(
                f"--{option}: {options.initial_model} was trained on {name!r}: train "
                "without -i"
            )


def _keys(state: Checkpoint | None, model: Model | None) -> set[str]:
    """The keys of JSON lines: ``city=rome``, ``city.x`` and ``city[0]`` are of one."""
    from ..engine.feature_names import numbered

    found = known_names(state) if state is not None else model and model.names
    names = [str(name) for _, name in numbered(found, 0)]
    return {*names, *(re.split(r"[=.\[]", name, maxsplit=1)[0] for name in names)}


def check_label(
    path: str,
    state: Checkpoint | None,
    model: Model | None,
    label: str | int | None,
) -> None:
    """Refuse another label column than the one that was learned.

    Raises
    ------
    OptionError
        In one line.
    """
    learned = _kept_reading(state, model).get("label")
    if learned is None or not isinstance(label, str) or learned == label:
        return  # the name of a column's number is not known yet
    known: Iterable[object] | None = None if model is None else model.classes
    if state is not None:
        known = state.facts["mark"]["labels"]
    classes = ", ".join(str(one) for one in known or () if one is not None)
    shown = f" ({classes:.60})" if classes else ""
    raise OptionError(f"{path} predicts {learned!r}{shown}, and --label says {label!r}")


def words_of(model: Model | None) -> tuple[Hashable, ...] | None:
    """The two classes of a model, where they are words: no others go on from it."""
    classes = None if model is None or model.many else model.classes
    if classes is None or len({*classes}) < 2:
        return None
    return classes if all(isinstance(one, str) for one in classes) else None


def lost_threshold(
    options: SessionOptions, state: Checkpoint | None, model: Model | None
) -> str:
    """A warning, where the earlier training chose a threshold and this one does not."""
    path, asked = options.initial_model or "", None
    if options.threshold is not None:
        return ""
    if state is not None:
        asked = state.facts["request"].get("threshold")
        if asked is not None and what_is(path) == "model":
            from ..models import load

            model = load(path)
    again = "--threshold"
    if model is not None:
        point = model.operating_point
        if point is None or not point.threshold:
            return ""
        asked = f"{point.shown:.3g}"
        again += " (and --seal)" if point.certificates else ""
    if asked is None:
        return ""
    return f"the threshold {asked} of {path} is not kept: give {again} again"


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
    was = Schema.of_reading(kept)
    known = {**was.declared, **was.kinds}
    for name, value in asked.items():
        then = kept.get(name, plain[name])
        if then.__class__ in (tuple, list):
            then = [*then]
        if name in KINDS:  # of the fields that are kept some were found
            alike = {KINDS[name], "flag" if name == "numbers" else KINDS[name]}
            if all(known.get(field) in alike for field in value):
                continue
            if kept.get("label") not in value:
                then = [one for one in then if one != kept.get("label")]
        if name not in FREE and then != ([*value] if then.__class__ is list else value):
            raise ValueError(
                f"{path}: its data were read with {name}={then!r}, not {value!r}: give "
                "the same, or leave it out"
            )
    asked = {name: asked[name] for name in asked if name not in KINDS}
    reading = {**asked, **kept, **{name: asked[name] for name in FREE if name in asked}}
    if "columns" not in kept and "ignore" in asked:
        reading["ignore"] = [
            *dict.fromkeys([*kept.get("ignore", ()), *asked["ignore"]])
        ]
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
    check_facts(state)
    if options.passes > 1:
        raise OptionError(
            "--passes does not go with a state: a second pass would need the rows of "
            "the first night"
        )
    _keep_level(options, state)
    fresh = type(options)()
    for name in SAME:
        now, then = getattr(options, name), state.facts["request"].get(name)
        if now is None or now == getattr(fresh, name):
            setattr(options, name, then)
        elif now != then and name != "learner":  # which is compared as a learner
            raise ValueError(
                f"{path}: it was made with {name}={then!r}, not {now!r}: give the "
                "same, or leave it out"
            )


def _keep_level(options: SessionOptions, state: Checkpoint) -> None:
    """Go on with prediction sets of the level that they had."""
    sets = state.facts["pass"].get("sets")
    then = None if sets is None else f"{100.0 * float(sets['level']):.6g}%"
    if options.interval is None:
        options.interval = then
        return
    from ..algorithms.prediction_sets import checked_level

    if then is None or checked_level(options.interval) != checked_level(then):
        before = "without sets" if then is None else f"with --interval {then}"
        raise ValueError(
            f"{options.initial_model}: it was trained {before}, not with --interval "
            f"{options.interval}: leave it out"
        )


def known_names(state: Checkpoint) -> Names | None:
    """The features that had names when the state was saved."""
    from ..engine.feature_names import cut
    from ..engine.storage import unpack_names

    names = unpack_names(state.facts["names"])
    return names and cut(names, state.facts["mark"]["width"])
