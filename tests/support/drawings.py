"""The figures that the book can draw."""

from __future__ import annotations

import ast

from paths import DOCS


def drawable() -> set[str]:
    """Every function of docs/figures that takes nothing it must be given."""
    found: set[str] = set()
    for path in (DOCS / "figures").glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and path.stem != "chart":
                given = len(node.args.args) - len(node.args.defaults)
                found |= {f"{path.stem}.{node.name}"} if given == 0 else set()
    return found
