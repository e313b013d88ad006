"""A frozen kernel machine as a model: score = sum_i alpha_i K(x_i, x)."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algorithms.recipes import part_from_dict, part_to_dict
from ..engine.feature_names import Names
from ..engine.players.kernel import FrozenMachine
from ..parts.state import Floats
from .model import Model
from .provenance import Provenance
from .rows_to_predict import rows_for

__all__ = ["KernelModel"]


@dataclass(frozen=True, repr=False)
class KernelModel(Model, stored_as="machine"):
    """Rows that are remembered, and what each of them weighs.

    Attributes
    ----------
    machine : FrozenMachine
        The rows; ``machine.alphas`` is what they weigh.
    kind : str
        Which conversion made it: "last", "random", "validated".
    about : str
        The same in words.
    names : tuple or None
        The features' names.
    classes : tuple or None
        The labels for -1 and +1.
    certificate : Certificate or None
        What is certified about this very model.
    why_not : str
        Why nothing is certified, where nothing is.
    """

    machine: FrozenMachine
    kind: str
    about: str
    names: Names | None = None
    classes: tuple[Any, Any] | None = None
    certificate: Any = field(default=None, compare=False)
    why_not: str = ""
    provenance: Provenance | None = field(default=None, compare=False)

    @property
    def n_features(self) -> int:
        """How many columns it takes."""
        return self.machine.n_features

    def scores(self, X: Any) -> Floats:
        """The real-valued predictions."""
        rows, n = rows_for(X, self.n_features, self.names, self.reading)
        return self.machine.scores(rows, n)

    def predict(self, X: Any) -> Any:
        """The predicted labels (the negative class at score 0)."""
        chosen = (self.scores(X) > self.cut).astype(np.int64)
        return np.array(self.classes or (-1, 1))[chosen]

    def arrays(self) -> dict[str, Any]:
        """The rows and their weights."""
        return self.machine.arrays()

    def facts(self) -> dict[str, Any]:
        """All else that is only of a kernel machine."""
        part = part_to_dict(self.machine.part)
        if "foreign" in part:
            raise ValueError(
                f"{self.machine.part!r} is a kernel of your own, which no file can "
                "bring back: a model with it cannot be saved"
            )
        return {"kind": self.kind, "about": self.about, "kernel": part}

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, Any], facts: dict[str, Any], **shared: Any
    ) -> KernelModel:
        """The model that :meth:`arrays` and :meth:`facts` described."""
        machine = FrozenMachine(part_from_dict(facts["kernel"]))
        machine.load_state(arrays)
        kind, about = str(facts["kind"]), str(facts["about"])
        return cls(machine=machine, kind=kind, about=about, **shared)

    def explanation(self, top: int) -> list[tuple[str, list[tuple[str, str]]]]:
        """What it remembers."""
        alphas = self.machine.alphas
        up, down = int((alphas > 0).sum()), int((alphas < 0).sum())
        return [
            (
                "remembered rows",
                [
                    ("kernel", repr(self.machine.part)),
                    ("of the positive class", f"{up:,}"),
                    ("of the negative class", f"{down:,}"),
                ],
            )
        ]

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        head = f"{self.about}: {self.machine.size:,} rows under {self.machine.part!r}"
        rest = self.certificate or textwrap.fill(self.why_not, 88)
        return f"{head}\n{rest}"

    __repr__ = __str__
