"""Docstrings speak reStructuredText here and there; the book speaks Markdown.

``::`` at the end of a line becomes a colon, ``:class:`~regretless.Hinge``` a link, and
a table between rules of ``=`` is shown as it stands. The docstrings of estimators
and of ``play`` are made at run time.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

import regretless

ROLE = re.compile(r":(?:class|func|meth|mod|attr):`~?\.?([\w.]+)`")
RULE = r"=+(?: +=+)+"
TABLE = re.compile(rf"(?m)^{RULE}\n.+\n{RULE}\n(?:.+\n)+?{RULE}$")
ESTIMATORS = "regretless.integrations.sklearn."
LINKED = set(regretless._homes())  # every public name but the modules


class Markdown(griffe.Extension):
    """Rewrite the docstring of every object of the package."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        made = getattr(regretless.sklearn, obj.name, None)
        if obj.is_class and made is not None and obj.path.startswith(ESTIMATORS):
            obj.docstring = griffe.Docstring(inspect.getdoc(made), parent=obj)
        if obj.path == "regretless.runs.play.play":
            obj.docstring = griffe.Docstring(
                inspect.getdoc(regretless.play) or "", parent=obj
            )
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)


def markdown(text: str) -> str:
    """The docstring in Markdown."""
    text = re.sub(r"(?m)^[ \t]*::$", "", text)
    text = re.sub(r"(?m)(\S) ::$", r"\1", text)
    text = re.sub(r"(?m)(\S)::$", r"\1:", text)
    text = TABLE.sub(lambda found: f"```text\n{found[0]}\n```", text)
    return ROLE.sub(_link, text)


def _link(found: re.Match[str]) -> str:
    path = found[1].removeprefix("regretless.")
    name = path.rpartition(".")[2]
    if path in LINKED:
        return f"[`{name}`][regretless.{path}]"
    return f"`{name}`"
