"""What a run gives, as numbers: arrays by their hashes, all else as it is.

No words: messages, reprs and the names of arrays may change, numbers may not.
"""

from __future__ import annotations

import dataclasses
import hashlib
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from safetensors.numpy import load_file

import regretless as rg
from regretless.errors import NotCertified

CERTIFIED = ("value", "delta", "n", "total", "scale", "factor", "learned", "rows")


def digest(array: Any) -> str:
    """The shape, the kind of number and the bits of an array."""
    array = np.asarray(array)
    if array.dtype.kind not in "biufc":  # labels: words of the data
        array = np.array([str(value) for value in array.reshape(-1)])
    bits = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    head = f"{array.dtype.kind}{array.dtype.itemsize}{array.shape}".encode()
    return hashlib.sha256(head + bits).hexdigest()[:16]


def plain(value: Any) -> Any:
    """A number as JSON keeps it, an array or a sequence as its hash."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, np.generic):
        return value.item()
    return digest(value)


def about_ledger(ledger: Any) -> dict[str, Any]:
    """The numbers of a ledger, by name."""
    fields = dataclasses.fields(ledger)
    found = {one.name: getattr(ledger, one.name) for one in fields}
    return {
        name: plain(value)
        for name, value in found.items()
        if not isinstance(value, str | dict)
    }


def about_certificate(certificate: Any) -> dict[str, Any] | None:
    """The numbers of a certificate."""
    if certificate is None:
        return None
    return {name: getattr(certificate, name) for name in CERTIFIED}


def about_run(run: Any, *, hindsight: bool = False) -> dict[str, Any]:
    """The weights, the ledger, the theorems and the certificate of a run."""
    found: dict[str, Any] = {
        "weights": digest(run.weights),
        "bias": digest(run.bias),
        "ledger": about_ledger(run.ledger),
        "theorems": {
            verdict.theorem.name: [verdict.happened, verdict.value]
            for verdict in run.theorems(hindsight=hindsight).verdicts
            if verdict.applies
        },
    }
    if run.mistakes is not None:
        found["certificate"] = None
        with suppress(NotCertified):
            found["certificate"] = about_certificate(run.certificate())
    if run.trace is not None:
        found["trace"] = [digest(run.losses), digest(run.mistake_rounds)]
    return found


def about_arrays(path: str) -> str:
    """All arrays in the file of a model, in one hash that does not know their names."""
    arrays = sorted(digest(array) for array in load_file(path).values())
    return hashlib.sha256(" ".join(arrays).encode()).hexdigest()[:16]


def about_model(model: Any, X: Any) -> dict[str, Any]:
    """The arrays in the file of a model, its predictions and its certificate."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "model.rgl")
        model.save(path)
        arrays, loaded = about_arrays(path), rg.load(path)
    scores = digest(model.scores(X))
    if digest(loaded.scores(X)) != scores:
        raise AssertionError("a model predicts otherwise once it was saved")
    return {
        "arrays": arrays,
        "scores": scores,
        "labels": digest(model.predict(X)),
        "certificate": about_certificate(model.certificate),
    }


def about_estimator(fitted: Any, X: Any) -> dict[str, Any]:
    """What an estimator predicts, and its run."""
    found = {"labels": digest(fitted.predict(X)), "run": about_run(fitted.run_)}
    for name in ("decision_function", "predict_proba"):
        if hasattr(fitted, name):
            found[name] = digest(getattr(fitted, name)(X))
    return found
