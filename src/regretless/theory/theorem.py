"""A theorem as an object: a statement, its assumptions, and its bound as a function.

Nothing is assumed. Each assumption is a predicate over measured facts that answers with
the number it found. Where all hold, what happened must not exceed the bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from ..errors import TheoremViolated
from ..notebooks import as_text

__all__ = ["Assumption", "Checked", "Measured", "Theorem", "TheoremViolated", "Verdict"]

F = TypeVar("F")


class Measured(NamedTuple):
    """The answer to an assumption: does it hold, and what was found."""

    holds: bool
    found: str


class Checked(NamedTuple):
    """An assumption with its answer, for display."""

    text: str
    holds: bool
    found: str


@dataclass(frozen=True)
class Assumption(Generic[F]):
    """Something a theorem needs, and how to tell from the facts whether it holds."""

    text: str
    check: Callable[[F], Measured]


@dataclass(frozen=True)
class Theorem(Generic[F]):
    """One bound.

    Parameters
    ----------
    name : str
        A short name, unique.
    statement : str
        The inequality in one line of ASCII; its left side is what happened.
    source : str
        Where it is proved.
    happened : callable
        From the facts to the left side.
    bound : callable
        From the facts to the right side.
    assumptions : tuple of Assumption
        All that must hold.
    follows : str
        The theorem whose tightest comparator this one is evaluated at. (The data forms
        of the Perceptron are smallest at u = 0, where they say M <= M.)
    """

    name: str
    statement: str
    source: str
    happened: Callable[[F], float]
    bound: Callable[[F], float]
    assumptions: tuple[Assumption[F], ...] = ()
    follows: str = ""

    def judge(self, facts: F) -> Verdict:
        """Check the assumptions up to the first that fails, or evaluate both sides."""
        checked: list[Checked] = []
        for assumption in self.assumptions:
            holds, found = assumption.check(facts)
            checked.append(Checked(assumption.text, holds, found))
            if not holds:
                reason = f'it needs "{assumption.text}", but {found}'
                return Verdict(self, tuple(checked), reason=reason, facts=facts)
        return Verdict(
            self,
            tuple(checked),
            value=float(self.bound(facts)),
            happened=float(self.happened(facts)),
            facts=facts,
        )


@dataclass(frozen=True, repr=False)
class Verdict:
    """A theorem on this very data.

    Attributes
    ----------
    theorem : Theorem
        Which one.
    assumptions : tuple of Checked
        What it needs, and what was found.
    value : float or None
        The bound; None where the theorem does not apply.
    happened : float or None
        What really happened.
    reason : str
        Why it does not apply, where it does not.
    """

    theorem: Theorem[Any]
    assumptions: tuple[Checked, ...] = ()
    value: float | None = None
    happened: float | None = None
    reason: str = ""
    facts: Any = None

    def __str__(self) -> str:
        """The theorem in three lines."""
        head = f"{self.theorem.name}: {self.theorem.statement} ({self.theorem.source})"
        if not self.applies:
            return f"{head}\n  does not apply: {self.reason}"
        holds = "; ".join(f"{item.text} ({item.found})" for item in self.assumptions)
        sides = f"  happened {self.happened:,.6g}, bound {self.value:,.6g}"
        return "\n".join([head, sides, *([f"  {holds}"] if holds else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_text(self)

    @property
    def applies(self) -> bool:
        """Whether every assumption holds."""
        return self.value is not None

    @property
    def ratio(self) -> float | None:
        """What happened over what was promised: at most one."""
        if self.value is None or self.happened is None:
            return None
        if self.value == 0.0:
            return 0.0 if self.happened <= 0.0 else float("inf")
        return self.happened / self.value

    def violated(self, slack: float) -> bool:
        """Whether the bound is exceeded by more than rounding explains."""
        if self.value is None or self.happened is None:
            return False
        return self.happened > self.value + slack
