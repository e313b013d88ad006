"""Models as files: saved whole or not at all, loaded without running anything.

The content of a model's file (see :mod:`regretless.engine.storage.container` for what
is around it) is ::

    {
        "type": "linear",
        "arrays": {...},
        "facts": {...},
        "names": ...,
        "classes": ...,
        "certificate": ...,
        "why_not": ...,
        "provenance": ...,
        "state": ...,
    }

where ``state``, the content of a checkpoint, is there only if it was asked for.
"""

from __future__ import annotations

import os
from typing import cast

from ..algorithms.recipes import part_from_dict
from ..data.encoding.label_values import checked_labels
from ..engine.hypotheses.hypothesis import kind_named
from ..engine.storage import pack_names, read_file, unpack_names
from ..engine.storage.container import MALFORMED, refusal
from ..evidence.certify import Certificate
from ..parts.documents import Document
from .model import Model
from .provenance import Provenance


def content_of(model: Model, state: Document | None) -> Document:
    """What the file of a model holds, with the state of its learner if it is given."""
    certificate, provenance = model.certificate, model.provenance
    return {
        "type": model.stored_as,
        "arrays": model.arrays(),
        "facts": model.facts(),
        "names": pack_names(model.names),
        "classes": model.classes,
        "certificate": None if certificate is None else certificate.as_dict(),
        "why_not": model.why_not,
        "provenance": None if provenance is None else provenance.as_tree(),
        **({} if state is None else {"state": state}),
    }


def load(path: str | os.PathLike[str]) -> Model:
    """The model in a file that :meth:`Model.save` wrote.

    It predicts what it predicted, bit for bit, and brings its ``certificate``, its
    ``ledger``, its ``learner`` and its ``provenance``. Nothing in a file is ever run.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    ValueError
        Where it is not a model, or one of another layout, in one line.

    Examples
    --------
    >>> import tempfile, pathlib, regretless as rg
    >>> run = rg.play(rg.Perceptron(), [({"cheap": 1}, 1), ({"meeting": 1}, 0)])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "spam.rgl"
    ...     run.model("last").save(path)
    ...     model = rg.load(path)
    >>> model.named_weights(), model.learner, model.ledger.mistakes
    ({'cheap': 1.0, 'meeting': -1.0}, Perceptron(), 2)
    """
    content, _ = read_file(path, "model")
    try:
        return _model(content)
    except MALFORMED as error:
        raise refusal(path, "model", error) from None


def _model(content: Document) -> Model:
    kind, labels = kind_named(content["type"]), content["classes"]
    classes = None if labels is None else tuple(checked_labels(labels))
    if classes is not None and len(classes) != 2 and not kind.many:
        raise ValueError(f"it has {len(classes)} labels, where there are two")
    facts = {
        name: part_from_dict(cast("Document", value))
        if isinstance(value, dict)
        else value
        for name, value in content["facts"].items()
    }
    hypothesis = kind.blank(facts)
    hypothesis.load_state(content["arrays"])
    if kind.many and hypothesis.n_classes > len(classes or ()):
        raise ValueError("it knows more classes than it has labels")
    certificate, provenance = content["certificate"], content["provenance"]
    model = Model(
        hypothesis,
        str(facts["kind"]),
        str(facts["about"]),
        names=unpack_names(content["names"]),
        classes=classes,
        certificate=None if certificate is None else Certificate.from_dict(certificate),
        why_not=str(content["why_not"]),
        provenance=None if provenance is None else Provenance.from_tree(provenance),
    )
    most = len(model.names or ())
    if most > model.n_features:
        raise ValueError(f"it has {most:,} names for {model.n_features:,} features")
    return model
