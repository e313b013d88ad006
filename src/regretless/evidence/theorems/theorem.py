"""A theorem as an object: a statement, its assumptions, and its bound as a function.

Nothing is assumed. Each assumption is a predicate over measured facts that answers with
the number it found. Where all hold, what happened must not exceed the bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from ...errors import TheoremViolated
from ...parts.notebook_html import Printed

__all__ = [
    "AnyTheorem",
    "Assumption",
    "Checked",
    "ComparedFacts",
    "Measured",
    "RegretBound",
    "RunFacts",
    "Symbol",
    "Theorem",
    "TheoremViolated",
    "Verdict",
]

Kind = Literal["mistakes", "regret", "loss", "coverage"]
ROUNDING = 1e-9
NO_COMPARATOR = "it needs a comparator: theorems(u=...), or hindsight=True"
EVERY_U = "for every such u"


class RunFacts(Protocol):
    """What a theorem is evaluated on: a run, and whom it is compared with.

    Each kind of game has its own; ``compared = False`` says that there is no
    comparator, or that what happened is not known.
    """

    def describe(self) -> str:
        """The comparator in words."""
        ...


class ComparedFacts(RunFacts, Protocol):
    """Facts with a comparator whose loss is known."""

    @property
    def regret(self) -> float:
        """The learner's loss less the comparator's."""
        ...


F = TypeVar("F", bound=RunFacts)


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
    """Something a theorem needs, and how to tell from the facts whether it holds.

    `about_u` marks what only a comparator can meet: it is not asked where there is none
    yet.
    """

    text: str
    check: Callable[[F], Measured]
    about_u: bool = False


@dataclass(frozen=True)
class Symbol(Generic[F]):
    """A letter of a statement: what it stands for, and its value on these facts.

    Call it on facts to have the value, so that bounds are written in these letters.
    """

    name: str
    meaning: str
    value: Callable[[F], float] | None = None
    about_u: bool = False

    def __call__(self, facts: F) -> float:
        """The value; ``ValueError`` for a letter that has none."""
        if self.value is None:
            raise ValueError(f"{self.name} stands for no number")
        return float(self.value(facts))

    def on(self, facts: F) -> str:
        """The letter, its meaning and its value: ``b = R |u| = 12.3``."""
        said = " = ".join(filter(None, (self.name, self.meaning)))
        return said if self.value is None else f"{said} = {self.value(facts):,.6g}"


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
    bound : callable
        From the facts to the right side.
    assumptions : tuple of Assumption
        All that must hold.
    follows : str
        The theorem whose tightest comparator this one is evaluated at. (The data forms
        of the Perceptron are smallest at u = 0, where they say M <= M.)
    kind : {"mistakes", "regret", "loss", "coverage"}
        What the left side is. Regret is against u; the others are the learner's own,
        and coverage is that of its prediction sets.
    part : str
        The left side in words, where it is not all of the mistakes, regret or loss.
    own : bool
        Whether the right side is made of the learner's own mistakes or losses. It tells
        how they came about, and promises little: M <= M where u is small.
    symbols : tuple of Symbol
        Every letter of the statement.
    every_u : bool
        Whether the bound is the same for every u, so that it is known without one.
    equal : bool
        Whether both sides are equal: an identity.
    happened : callable or None
        From the facts to the left side; None: the fact that `kind` names.
    """

    name: str
    statement: str
    source: str
    bound: Callable[[F], float]
    assumptions: tuple[Assumption[F], ...] = ()
    follows: str = ""
    kind: Kind = "mistakes"
    part: str = ""
    own: bool = False
    symbols: tuple[Symbol[F], ...] = ()
    every_u: bool = False
    equal: bool = False
    happened: Callable[[F], float] | None = None

    @property
    def what(self) -> str:
        """The left side in words."""
        return self.part or self.kind

    def judge(self, facts: F, waiting: str = NO_COMPARATOR) -> Verdict:
        """Check the assumptions up to the first that fails, or evaluate both sides.

        Without a comparator (``facts.compared`` is false) what it must meet is not
        asked, and the left side is not known; `waiting` says why there is none.
        """
        compared: bool = getattr(facts, "compared", True)
        checked: list[Checked] = []
        for assumption in self.assumptions:
            if assumption.about_u and not compared:
                checked.append(Checked(assumption.text, True, EVERY_U))
                continue
            holds, found = assumption.check(facts)
            checked.append(Checked(assumption.text, holds, found))
            if not holds:
                reason = f'it needs "{assumption.text}", but {found}'
                return Verdict(self, tuple(checked), reason=reason, facts=facts)
        if not compared and not self.every_u:
            return Verdict(self, tuple(checked), reason=waiting, waits=True)
        happened = self.happened or attrgetter(self.kind)
        return Verdict(
            self,
            tuple(checked),
            value=float(self.bound(facts)),
            happened=float(happened(facts)) if compared else None,
            facts=facts,
        )


@dataclass(frozen=True)
class RegretBound(Theorem[F]):
    """A bound on the regret against u."""

    kind: Kind = "regret"


AnyTheorem: TypeAlias = Theorem[Any]
"""A theorem about some kind of game: who judges gives it the facts of that kind."""


@dataclass(frozen=True, repr=False)
class Verdict(Printed):
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
        What really happened; None where the bound is known, and no u is.
    reason : str
        Why it does not apply, where it does not.
    waits : bool
        Whether nothing but a comparator is missing.
    """

    theorem: AnyTheorem
    assumptions: tuple[Checked, ...] = ()
    value: float | None = None
    happened: float | None = None
    reason: str = ""
    facts: RunFacts | None = None
    waits: bool = False

    def __str__(self) -> str:
        """The theorem in a few lines, or why it does not apply."""
        from .showing import as_words

        return as_words([self])

    @property
    def where(self) -> str:
        """Every letter of the statement with its value on this data."""
        if not self.applies or self.facts is None:
            return ""
        compared = self.happened is not None
        known = [one for one in self.theorem.symbols if compared or not one.about_u]
        return ", ".join(symbol.on(self.facts) for symbol in known)

    @property
    def applies(self) -> bool:
        """Whether every assumption holds."""
        return self.value is not None

    @property
    def ratio(self) -> float | None:
        """What happened over what was promised: at most one.

        None where it means nothing: no comparator, or a bound that is not positive.
        """
        if self.value is None or self.happened is None or self.value <= 0.0:
            return None
        return self.happened / self.value

    def check(self, rounds: int, paid: float = 0.0) -> None:
        """Raise :class:`TheoremViolated` where more than rounding exceeds the bound.

        `paid` is the size of the losses whose differences both sides may be.
        """
        if self.value is None or self.happened is None:
            return
        if self.happened > self.value + ROUNDING * max(1.0, abs(self.value), paid):
            theorem = self.theorem
            sides = self.happened, self.value
            raise TheoremViolated(theorem.name, theorem.statement, *sides, rounds)
