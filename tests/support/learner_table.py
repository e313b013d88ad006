"""The table of docs/learners.md, out of what learners declare.

A row a learner: its parameters, the first line of its docstring, and its parts.
``make stubs`` writes it; a test compares it.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from regretless.algorithms import experts, learners

TABLE = re.compile(r"^\| learner \|.*?\n(?!\|)", re.MULTILINE | re.DOTALL)
HEAD = "| learner | what it is | loss, geometry, step, trigger |\n|---|---|---|\n"
PARTS = ("loss", "geometry", "step", "trigger")
ALL_HAVE = ("bias", "n_features")
FIRST = ("Panel", "RegressionPanel")  # what is taken where nobody says


def with_table(page: str) -> str:
    """The page with the table as it is now."""
    made = HEAD + "".join(_row(kind) for kind in _kinds())
    found, count = TABLE.subn(lambda _: made, page)
    assert count == 1, "there is one table of learners on the page"
    return found


def _kinds() -> list[Any]:
    found = [getattr(learners, name) for name in learners.__all__]
    found.sort(key=lambda kind: kind.__name__ not in FIRST)
    found += [getattr(experts, name) for name in experts.__all__]
    return [kind for kind in found if not inspect.isabstract(kind)]


def _row(kind: Any) -> str:
    known = list(inspect.signature(kind).parameters)
    given = ", ".join(name for name in known if name not in ALL_HAVE)
    said = (inspect.getdoc(kind) or "").partition("\n")[0].rstrip(".")
    cells = f"`{kind.__name__}({given})`", said.replace("|", r"\|"), _parts(kind, known)
    return f"| {' | '.join(cells)} |\n"


def _parts(kind: Any, known: list[str]) -> str:
    """The parts of a linear learner; "any" where they are parameters."""
    if not getattr(kind, "linear", False):
        return ""
    spec = kind.classifier or kind.regressor
    needed = {
        name: spec.defaults[name]
        for name, one in inspect.signature(kind).parameters.items()
        if one.default is one.empty
    }
    made = kind(**needed).composition(2)
    names = (type(getattr(made, part)).__name__ for part in PARTS)
    return ", ".join(
        "any" if part in known else name
        for part, name in zip(PARTS, names, strict=True)
    )
