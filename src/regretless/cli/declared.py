"""How commands declare what they take: as annotations, which import nothing.

A command is a function, ``def train(data: Data, delta: Annotated[float, Option(...)] =
0.05)``. Its docstring is the help, its return value the exit code (None is 0). A
parameter that is a dataclass stands for all of its fields.
:mod:`regretless.cli.parsing` makes parsers of them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    """What stands by itself.

    Parameters
    ----------
    text : str
        The help.
    metavar : str or None
        How it is called there. Default: the parameter's name, and it is a file.
    """

    text: str
    metavar: str | None = None


class Option:
    """What begins with dashes.

    Parameters
    ----------
    *names : str
        As they are written; "--yes/--no" for both ways. Default: the parameter's name.
    text : str
        The help.
    panel : str
        The heading in the help that it stands below.
    least : int or None
        Smaller numbers are refused.
    file : bool
        Whether it names a file: shells complete it.
    hidden : bool
        Whether the help leaves it out: it only refines another, whose text names it.
    """

    def __init__(
        self,
        *names: str,
        text: str,
        panel: str = "Options",
        least: int | None = None,
        file: bool = False,
        hidden: bool = False,
    ) -> None:
        self.names = names
        self.text = text
        self.panel = panel
        self.least = least
        self.file = file
        self.hidden = hidden
