"""What a part of each kind must have, beside the functions written for it.

A part is a ``NamedTuple``: its fields are its parameters, and what the rest of the
package asks of its kind are class attributes. Which functions a kind needs is said by
:data:`~regretless.parts.composition.NEEDED`, and checked when a learner is made.
"""

from __future__ import annotations

from typing import Protocol

from .documents import Document


class Part(Protocol):
    """A named tuple of parameters."""

    def _asdict(self) -> Document:
        """Its parameters by name."""
        ...


class Loss(Part, Protocol):
    """What a prediction costs; see ``parts.losses`` for what else it may declare."""

    @property
    def task(self) -> str:
        """What labels are: "binary" or "real"."""
        ...


class Geometry(Part, Protocol):
    """How weights move."""

    @property
    def duals(self) -> int:
        """How many numbers it keeps a feature; -1: a triangle of them."""
        ...

    @property
    def fixed(self) -> bool:
        """Whether the start depends on the number of features."""
        ...


class Domain(Part, Protocol):
    """Where weights must stay."""

    @property
    def fixed(self) -> bool:
        """Whether the start depends on the number of features."""
        ...


class Rule(Part, Protocol):
    """How experts are weighed."""

    @property
    def has_extra(self) -> int:
        """How many numbers more it keeps an expert."""
        ...

    @property
    def votes(self) -> bool:
        """Whether experts vote, rather than lose."""
        ...


class View(Part, Protocol):
    """How entries are rescaled before anybody sees them."""

    @property
    def width(self) -> int:
        """How many numbers it keeps a feature."""
        ...
