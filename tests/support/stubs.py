"""What editors see of names that are made or found at run time; the docs' table.

``make stubs`` writes the files; a test compares them.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType

import regretless
import regretless.sklearn as sk
from learner_table import with_table
from regretless.algorithms import experts, learners
from regretless.integrations import sklearn as generated

ROOT = Path(regretless.__file__).parent
LEARNERS = Path(__file__).parents[2] / "docs" / "learners.md"
HEAD = '"""{}\n"""\n# Made by `make stubs`.\n\n'


def stubs() -> dict[Path, str]:
    """The text of every stub."""
    return {
        ROOT / "__init__.pyi": _public(),
        ROOT / "algorithms" / "learners" / "__init__.pyi": _found(learners),
        ROOT / "algorithms" / "experts" / "__init__.pyi": _found(experts),
        ROOT / "integrations" / "sklearn" / "__init__.pyi": _estimators(),
        ROOT / "runs" / "play.pyi": _play(),
        LEARNERS: with_table(LEARNERS.read_text()),
    }


def _public() -> str:
    text = HEAD.format(inspect.getdoc(regretless))
    text += "".join(f"from . import {m} as {m}\n" for m in sorted(regretless._MODULES))
    for name, home in sorted(regretless._homes().items()):
        text += f"from .{home} import {name} as {name}\n"
    return f"{text}\n__version__: str\n{_listed(regretless.__all__)}"


def _found(package: ModuleType) -> str:
    text = HEAD.format(inspect.getdoc(package))
    for name in package.__all__:
        module = getattr(package, name).__module__.rpartition(".")[2]
        text += f"from .{module} import {name} as {name}\n"
    return text + _listed(package.__all__)


def _listed(names: list[str]) -> str:
    inside = "".join(f'    "{name}",\n' for name in names)
    return f"\n__all__ = [\n{inside}]\n"


def _estimators() -> str:
    bases = (sk.OnlineClassifier, sk.OnlineRegressor, sk.SchemaTransformer)
    text = HEAD.format(inspect.getdoc(generated))
    text += "from typing import Any, Literal\n\n"
    text += "from ...data import Schema\n"
    text += "from ...parts.part_types import Domain, Loss, Part\n"
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
    return text + _listed(sk.__all__)


def _play() -> str:
    """What ``play`` returns depends on who plays: an overload for each."""
    text = HEAD.format(inspect.getdoc(inspect.getmodule(regretless.play)))
    text += PLAY
    parameters = inspect.signature(regretless.play).parameters.values()
    taken = "".join(
        f"    {one.name}: {_hint(one.annotation)} = ...,\n"
        for one in parameters
        if one.name not in ("learner", "X", "y")
    )
    for learner, found in OVERLOADS.items():
        ours = "# pyright: ignore[reportOverlappingOverload]"
        text += f"@overload\ndef play({ours * (learner == 'Mixture')}\n"
        text += f"    learner: {learner},\n    X: object = ...,\n"
        text += f"    y: object = ...,\n    *,\n{taken}) -> {found}: ...\n"
    return text


def _hint(annotation: object) -> str:
    """A type as text."""
    return inspect.formatannotation(annotation).strip("'")


PLAY = """\
import collections.abc
import os
from collections.abc import Callable, Iterable, Sequence
from typing import overload

import numpy.typing as npt

from ..algorithms.learners.mixture import Mixture
from ..algorithms.learners.row_learner import RowLearner
from ..data import ReadOptions, Schema
from .many_runs import Runs
from .mixture_game import MixtureRun
from .run import Run
from .session import Session

"""
OVERLOADS = {
    "Mixture": "MixtureRun",
    "Sequence[RowLearner]": "Runs",
    "object": "Run",
}


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text)
        print(path)
