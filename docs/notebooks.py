"""The lectures as notebooks, made of the same pages: text, sessions, figures.

A session is cut behind everything that it shows, so that a cell shows what the page
shows there. Figures come with the code that draws them.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import figures
import figures.chart

PIECE = re.compile(
    r"^```python\n(?P<session>.*?)^```$"
    r"|^!\[(?P<caption>[^\n]*)\]\(figure:(?P<module>\w+)\.(?P<name>\w+)\)$",
    re.MULTILINE | re.DOTALL,
)
SLIP = re.compile(
    r'^<div class="slip" markdown>\n(.*?)^</div>$', re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\]\(((?:\.\./)*[\w/-]+)\.md")
Cell = dict[str, Any]


def notebook(page: str, pages: set[str]) -> str:
    """The page as a notebook; links between `pages` lead to their notebooks."""
    cells = [*_cells(page, pages)]
    for count, cell in enumerate(cells):
        cell["id"] = f"cell-{count}"
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    form = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}}
    return json.dumps({"cells": cells, **form}, indent=1, ensure_ascii=False)


def _cells(page: str, pages: set[str]) -> Iterator[Cell]:
    end, tools = 0, False
    for found in PIECE.finditer(page):
        yield from _text(page[end : found.start()], pages)
        end = found.end()
        if found["session"] is not None:
            yield from _session(found["session"])
            continue
        if not tools:
            yield _code(_tools(found["module"]), [])
            tools = True
        yield _figure(found["module"], found["name"])
        yield from _text(f"*{found['caption']}*", pages)
    yield from _text(page[end:], pages)


def _text(text: str, pages: set[str]) -> Iterator[Cell]:
    text = SLIP.sub(_quoted, text)
    text = re.sub(
        r"\]\(((?:\.\./)*[\w/-]+)\.md", lambda found: _link(found, pages), text
    )
    if text.strip():
        yield {"cell_type": "markdown", "metadata": {}, "source": text.strip()}


def _quoted(found: re.Match[str]) -> str:
    return "> **Slip.** " + found[1].strip().replace("\n", "\n> ")


def _link(found: re.Match[str], pages: set[str]) -> str:
    return f"]({found[1]}.{'ipynb' if found[1] in pages else 'html'}"


# Sessions.


def _session(text: str) -> Iterator[Cell]:
    """One cell for all that leads to something shown."""
    source = ""
    for step in doctest.DocTestParser().get_examples(text):
        source += step.source
        if step.want:
            yield _code(source, [_shown(step)])
            source = ""
    if source:
        yield _code(source, [])


def _shown(step: doctest.Example) -> dict[str, Any]:
    want = step.want.replace("<BLANKLINE>\n", "\n")
    if step.exc_msg is not None:
        kind, _, message = step.exc_msg.strip().partition(": ")
        name = kind.rpartition(".")[2]
        error = {"ename": name, "evalue": message, "traceback": [step.exc_msg.strip()]}
        return {"output_type": "error", **error}
    last = ast.parse(step.source).body[-1]
    if isinstance(last, ast.Expr) and not _prints(last.value):
        data = {"text/plain": want.rstrip("\n")}
        result = {"data": data, "metadata": {}, "execution_count": None}
        return {"output_type": "execute_result", **result}
    return {"output_type": "stream", "name": "stdout", "text": want}


def _prints(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "print"


def _code(source: str, outputs: list[dict[str, Any]]) -> Cell:
    raises = any(output["output_type"] == "error" for output in outputs)
    metadata = {"tags": ["raises-exception"]} if raises else {}
    lines = {"source": source.strip(), "outputs": outputs}
    return {"cell_type": "code", "metadata": metadata, **lines}


# Figures.


def _figure(module: str, name: str) -> Cell:
    """The function that draws, under a name that no session uses, and what it drew."""
    source = inspect.getsource(figures.function(module, name))
    source = source.replace(f"def {name}(", f"def draw_{name}(", 1)
    drawn = figures.drawn(module, name)
    data = {"image/svg+xml": drawn.svg(), "text/plain": repr(drawn)}
    result = {"data": data, "metadata": {}, "execution_count": None}
    output = {"output_type": "execute_result", **result}
    return _code(f"{source}\n\ndraw_{name}()", [output])


def _tools(name: str) -> str:
    """What the figures of a lecture have in common: lines, points, charts."""
    module = importlib.import_module(f"{figures.__name__}.{name}")
    parts = ["# What the figures are drawn with.", *_statements(figures.chart)]
    for node in _tree(module).body:
        if isinstance(node, ast.ImportFrom) and node.level and node.module != "chart":
            found = (getattr(module, alias.name) for alias in node.names)
            parts += [inspect.getsource(helper) for helper in found]
    helpers = (node for node in _statements(module) if not _draws(node))
    return "\n".join([*parts, *helpers])


def _statements(module: ModuleType) -> Iterator[str]:
    """All that a module defines or imports from outside, in its own words."""
    source = inspect.getsource(module)
    for node in _tree(module).body[1:]:
        inner = isinstance(node, ast.ImportFrom) and node.level
        found = ast.get_source_segment(source, node) or ""
        if not inner and "__future__" not in found and "__all__" not in found:
            yield found


def _draws(statement: str) -> bool:
    """A figure is a function that must be given nothing."""
    node = ast.parse(statement).body[0]
    return isinstance(node, ast.FunctionDef) and len(node.args.args) == len(
        node.args.defaults
    )


def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))
