"""Errors of the command itself: one line, and exit code 2."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager

from ..errors import OptionError

ARGUMENT = re.compile(r"([a-z_]+)=('[^']*'|[-\d.]+)(?=:)")


def as_typed(message: str) -> str:
    """A message that begins with an argument of Python, as the command line has it.

    Examples
    --------
    >>> as_typed("missing='mean': it is one of zero, indicator, refuse")
    '--missing mean: it is one of zero, indicator, refuse'
    """
    from dataclasses import fields

    from ..data.read_options import ReadOptions

    found = ARGUMENT.match(message)
    options = {"seal", *(field.name for field in fields(ReadOptions))}
    if found is None or found[1] not in options:
        return message
    value = found[2].strip("'")
    return f"--{found[1].replace('_', '-')} {value}{message[found.end() :]}"


class UsageError(OptionError):
    """The command was wrong, whatever the data."""


@contextmanager
def checking_usage() -> Generator[None]:
    """What is refused inside is the command's fault."""
    try:
        yield
    except OptionError:
        raise
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
