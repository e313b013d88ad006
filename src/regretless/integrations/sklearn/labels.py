"""Labels as kernels take them: numbers, two classes, or classes as they first come.

The code is that of all entrances (:mod:`regretless.data.encoding.labels`). What is
scikit-learn's own is here: classes in order and of their own type, and the classes that
were declared, of which no other may come.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from ...data.chunk import Array
from ...data.encoding import label_codec
from ...data.encoding.label_values import plain_label
from ...errors import BadRow
from ...parts.state import Floats


class Code:
    """What labels stand for.

    Parameters
    ----------
    task : str
        That of the learner: "real" numbers, two classes if "binary" (the later one in
        order is +1), or any number of "classes", as they first come.
    declared : array or None
        All labels that may come, in order; None where they are not known.

    Attributes
    ----------
    classes : ndarray
        All labels in order: those that were declared, or that have come.
    """

    def __init__(self, task: str, declared: Array | None = None) -> None:
        self.declared = declared
        self.classes: Array = np.empty(0) if declared is None else declared
        self._labels = label_codec(task == "binary", task == "classes")
        if task == "binary":
            self._labels.restore(self.classes.tolist())

    @property
    def labels(self) -> tuple[Hashable, ...] | None:
        """Both, or those that have come, as they came; None of numbers."""
        return self._labels.classes

    def places(self) -> list[int]:
        """Where each label that has come stands in :attr:`classes`."""
        places = {plain_label(c): k for k, c in enumerate(self.classes.tolist())}
        return [places[label] for label in self.labels or ()]

    def placed(self, found: Floats, fill: float, *, rest: bool) -> Floats:
        """Numbers, the last axis of which is classes as they came, in order.

        Parameters
        ----------
        found : array
            As players and hypotheses have them.
        fill : float
            The number of a class that has not come.
        rest : bool
            Whether of two classes the later one's number, which is against the rest,
            says all; else it is the difference.
        """
        out = np.full((*found.shape[:-1], self.classes.size), fill)
        out[..., self.places()[: found.shape[-1]]] = found
        if self.classes.size != 2:
            return out
        return out[..., 1] if rest else out[..., 1] - out[..., 0]

    def check(self, y: Array) -> None:
        """Raise ValueError at a label that was not declared."""
        if self.declared is None:
            return
        unknown = ~np.isin(y, self.declared)
        if unknown.any():
            row = int(np.argmax(unknown))
            raise ValueError(
                f"row {row}: label {y[row : row + 1].tolist()[0]!r} is none of the "
                f"classes {self.classes.tolist()!r:.60}; where new ones may come, "
                "begin with partial_fit(X, y) without classes="
            )

    def encode(self, y: Array) -> Floats:
        """The numbers that they stand for."""
        targets, bad = self._labels.encode_some(y)
        if bad:
            raise BadRow(*bad[0])
        if self.declared is None and len(self.labels or ()) > self.classes.size:
            known = [self.classes, y] if self.classes.size else [y]
            self.classes = np.unique(np.concatenate(known))
        return targets

    def forget(self, known: int) -> None:
        """Drop all labels but the first `known` that came."""
        came = self._labels.state()[:known]
        self._labels.restore(came)
        if self.declared is None:
            kept = [plain_label(label) in came for label in self.classes.tolist()]
            self.classes = self.classes[np.array(kept, np.bool_)]
