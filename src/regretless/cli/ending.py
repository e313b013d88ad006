"""How every command ends: one exit code, at most one line, with --json one document.

====  ================================================================
code  meaning, in every command
====  ================================================================
0     done
1     the data or the run failed, or the output could not be written
2     the command was wrong, whatever the data
130   interrupted (SIGINT, Ctrl-C)
143   terminated (SIGTERM)
====  ================================================================

A failure is one line on standard error, and ``error`` in the document. Nothing but the
standard library is imported here, so that Ctrl-C while the rest is loading ends in the
same way.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from ..errors import OptionError, TheoremViolated
from .console import CommandOutput, OutputLost, mend_streams, say
from .interrupt import Interrupt, Stopped, raising
from .usage import as_typed

# An import fails where an extra is not installed; the message says which.
FAILURES = (
    ValueError,
    TypeError,
    OSError,
    MemoryError,
    ModuleNotFoundError,
    TheoremViolated,
)
CODES = (0, 1, 2, 130, 143)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, write what it answers, and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    mend_streams()
    with (
        raising(),
        warnings.catch_warnings(),
        CommandOutput(_wants_json(given)) as answer,
    ):
        warnings.showwarning = _say_warning
        try:
            with answering(answer, given):
                from .app import run

                answer.code = run(given)
            # What is said last is said whole: only a second signal breaks it off.
            with Interrupt():
                answer.finish()
        except KeyboardInterrupt as stop:
            answer.code = _code_of(stop)
        except OutputLost as error:
            if error.errno != errno.EPIPE:  # a reader that has gone wants no more
                say(f"standard output: {_why(error)}")
            answer.abandon()
            answer.code = 1
    return answer.code


@contextmanager
def answering(answer: CommandOutput, arguments: Sequence[str]) -> Generator[None]:
    """What a command prints inside is in `answer`; so is how it fails."""
    answer.put({"command": _name(arguments)})
    try:
        with answer.current():
            yield
        return
    except SystemExit as stop:  # of a library: no command ends like this
        code, error = 1, f"stopped by a library: {stop}"
    except KeyboardInterrupt as stop:
        code = _code_of(stop)
        error = "terminated" if code == 143 else "interrupted"
    except OutputLost:
        raise
    except FAILURES as failure:
        code = 2 if isinstance(failure, OptionError) else 1
        error = _line(failure)
        if code == 2:
            error = as_typed(error)
    except Exception as bug:
        say(traceback.format_exc().rstrip())
        code, error = 1, f"a bug in regretless: {type(bug).__name__}: {_line(bug)}"
    say(error)
    answer.code, answer.error = code, error


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether --json is among the options."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def _name(arguments: Sequence[str]) -> str | None:
    """The command, where one is named."""
    return next((word for word in arguments if not word.startswith("-")), None)


def _code_of(stop: KeyboardInterrupt) -> int:
    return stop.code if isinstance(stop, Stopped) else 130


def _line(error: BaseException) -> str:
    """What went wrong, in one line."""
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{_why(error)}"
    text = " ".join(str(error).split())
    return text or type(error).__name__


def _why(error: OSError) -> str:
    """What the system says begins small, in the middle of a line."""
    said = error.strerror or str(error)
    system = os.strerror(error.errno or 0)
    return said.replace(system, system.lower())


def _say_warning(message: object, *_: object, **__: object) -> None:
    """A warning for people who did not write the code it is about."""
    say(" ".join(str(message).split()))
