"""What type checkers and editors see of names that are made or found at run time.

``make stubs`` writes the files; a test compares them.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import regretless
import regretless.sklearn as sk
from regretless.integrations import sklearn as home

ROOT = Path(regretless.__file__).parent
HEAD = '"""{}\n"""\n# Made by `make stubs`.\n\n'


def stubs() -> dict[Path, str]:
    """The text of every stub."""
    return {ROOT / "integrations" / "sklearn" / "__init__.pyi": _estimators()}


def _estimators() -> str:
    bases = (sk.OnlineClassifier, sk.OnlineRegressor)
    text = HEAD.format(inspect.getdoc(home)) + "from typing import Any, Literal\n\n"
    for base in bases:
        module = base.__module__.rpartition(".")[2]
        text += f"from .{module} import {base.__name__} as {base.__name__}\n"
    for name in sk.__all__:
        kind = getattr(sk, name)
        if kind in bases:
            continue
        parameters = ", ".join(
            f"{one.name}: {one.annotation} = {one.default!r}"
            for one in inspect.signature(kind).parameters.values()
        )
        summary = (inspect.getdoc(kind) or "").partition("\n")[0]
        text += f"\nclass {name}({kind.__mro__[1].__name__}):\n"
        text += f'    """{summary}"""\n\n'
        text += f"    def __init__(self, *, {parameters}) -> None: ...\n"
    listed = "".join(f'    "{name}",\n' for name in sk.__all__)
    return f"{text}\n__all__ = [\n{listed}]\n"


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text)
        print(path)
