"""What data can do wrong, and what a theorem can: errors that say where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import index
from typing import Any, SupportsIndex

__all__ = [
    "BadRow",
    "NotCertified",
    "OptionError",
    "TheoremViolated",
    "caller_level",
    "checked_count",
    "did_you_mean",
]


def checked_count(name: str, value: object) -> int:
    """A whole number from 1 on; ``ValueError`` says which argument is none."""
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        number = index(value)
        if number >= 1:
            return number
    raise ValueError(f"{name}={value!r} must be a whole number from 1 on")


def caller_level() -> int:
    """The ``stacklevel`` of a warning that is about what the user has written.

    It is that of the first caller outside of the package.
    """
    from inspect import currentframe

    frame, level = currentframe(), 0
    while frame and str(frame.f_globals.get("__name__")).startswith(f"{__package__}."):
        frame, level = frame.f_back, level + 1
    return level


def did_you_mean(name: object, known: Iterable[object], cutoff: float = 0.6) -> str:
    """A hint at the known name that is closest, in brackets; "" where none is close.

    Examples
    --------
    >>> from regretless.errors import did_you_mean
    >>> did_you_mean("pirce", ["age", "price"]), did_you_mean("Yes", ["no", "yes"])
    (" (did you mean 'price'?)", " (did you mean 'yes'?)")
    """
    from difflib import get_close_matches

    small = {str(each).lower(): each for each in known}
    near = get_close_matches(str(name).lower(), small, 1, cutoff)
    return f" (did you mean {small[near[0]]!r}?)" if near else ""


class BadRow(ValueError):  # noqa: N818 - it is the row that is named
    """A row (or label) that cannot be learned from; nothing of it was learned.

    Attributes
    ----------
    row : int
        Its number, from 0.
    where : str
        "file:line" where it stands in a file, else "row N".
    run : Run or None
        Where the data were a stream: the run of all the rows before it.
    """

    def __init__(self, row: int, problem: str, where: str = "") -> None:
        self.where = where or f"row {row}"
        super().__init__(f"{self.where}: {problem}")
        self.row = row
        self.problem = problem
        self.run: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.row, self.problem, self.where)


class OptionError(ValueError):
    """An option that cannot be used, whatever the data.

    The message has options as the command line spells them; :meth:`in_python` spells
    them as arguments.
    """

    def in_python(self) -> OptionError:
        """The same error about the arguments of ``play``.

        Examples
        --------
        >>> from regretless.errors import OptionError
        >>> print(OptionError("--initial-model goes without --seal").in_python())
        initial_model= goes without seal=
        >>> print(OptionError("--passes 0: from 1 on").in_python())
        passes=0: from 1 on
        """

        def argument(found: re.Match[str]) -> str:
            return f"{found[1].replace('-', '_')}="

        option = r"--([a-z][a-z-]+)(?: (?=[^ :]+:))?"  # and the blank before its value
        return type(self)(re.sub(option, argument, str(self)))


class NotCertified(ValueError):  # noqa: N818 - it is no fault of the program
    """Nothing is certified about a run, and the message says why."""


class TheoremViolated(AssertionError):  # noqa: N818 - it is the theorem that is named
    """What happened exceeds what a theorem promises.

    A theorem cannot be wrong on data that meet its assumptions, so either a constant
    that was declared (a horizon, a bound on the data) is false, or this is a bug.
    """

    def __init__(
        self, name: str, statement: str, happened: float, bound: float, rounds: int
    ) -> None:
        self.name = name
        self.happened = happened
        self.bound = bound
        self.rounds = rounds
        super().__init__(
            f"{name} is violated after round {rounds}: {happened!r} > {bound!r}, "
            f"where {statement}. Suspect a declared constant that is false (a step, a "
            "horizon, a comparator); otherwise this is a bug in regretless. To "
            "reproduce it, play the same learner over the same rows."
        )
