"""Errors of the command itself: one line, and exit code 2."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ..errors import OptionError

__all__ = ["UsageError", "checking_usage"]


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
